import KeyedArchives
import SaveCodec

/// A matcher of addresses against all patterns of the options, token by token.
///
///     pattern  /root/*/name    positions  0 "root"  1 *  2 "name"  3 end
///     address  /root/5         {0} ─root─▶ {1} ─5─▶ {2}
///
/// The patterns form a nondeterministic automaton; the sets of its positions are the states of a deterministic one
/// (Rabin and Scott 1959). Sets are numbered on first use, so a state is a number. Each token takes time linear in the
/// size of the set, however many `**` the patterns contain.
struct PointerPatternMatcher {
    /// The state at the root.
    static let start = 0

    /// The rules that apply to a value.
    struct ValueRules {
        var isIgnored = false
        /// Whether the value or one around it is to be compared.
        var isWanted = true
        /// Whether the value, or one around it or in it, is to be compared.
        var mayContainIncluded = true
        var tolerance: DifferenceOptions.Tolerance
        /// The field that identifies elements.
        var identity: [UInt16]?
        var isUnordered = false
        /// The number of the last rule that applies.
        var rule: Int?
        /// Whether the same rules apply to everything below, under any key.
        var isFinal = false
    }

    private enum Position {
        case segment(PointerPattern.Segment)
        case end(Purpose)
    }

    private enum Purpose {
        case ignored, only, unordered
        case tolerance(Int)
        case identity(Int)
        case rule(Int)

        /// Whether a match also applies to everything below.
        var isInherited: Bool {
            switch self {
            case .ignored, .only, .tolerance, .rule: true
            case .unordered, .identity: false
            }
        }
    }

    private let options: DifferenceOptions
    private var positions: [Position] = []
    private var sets: [[Int]] = []
    private var numbers: [[Int]: Int] = [:]
    private var valueRules: [ValueRules] = []

    /// - Parameter rules: Further patterns; the last match applies.
    init(_ options: DifferenceOptions, rules: [PointerPattern] = []) {
        self.options = options
        var start: [Int] = []
        func add(_ pattern: PointerPattern, _ purpose: Purpose) {
            start.append(positions.count)
            positions += pattern.segments.map { .segment($0) }
            for case .literal(let token) in pattern.segments {
                longestToken = max(longestToken, token.units.count)
                if token.isNumberedPair { hasPairPositions = true }
            }
            positions.append(.end(purpose))
        }
        for pattern in options.ignored { add(pattern, .ignored) }
        for pattern in options.only { add(pattern, .only) }
        for pattern in options.unordered { add(pattern, .unordered) }
        for (index, local) in options.tolerances.enumerated() { add(local.pattern, .tolerance(index)) }
        for (index, identity) in options.identities.enumerated() { add(identity.pattern, .identity(index)) }
        for (index, pattern) in rules.enumerated() { add(pattern, .rule(index)) }
        _ = number(of: closure(of: start))
    }

    /// Whether there are no patterns, so that no states are needed.
    var isEmpty: Bool { positions.isEmpty }

    subscript(state: Int) -> ValueRules { valueRules[state] }

    /// Whether a pattern refers to a pair by its position, as in `/levels/~#3`.
    private var hasPairPositions = false
    /// The length of the longest literal token. Longer keys match none, so they are read only up to this length.
    private var longestToken = 0

    /// Returns the state after a step in a view.
    mutating func next(_ state: Int, by step: PathStep, in view: ObjectView) -> Int {
        next(state, by: view.token(of: step, longest: longestToken + 1), pair: step.key.map { _ in step.position })
    }

    /// Returns the state after a token.
    ///
    /// - Parameter pair: The position of the pair in a dictionary or an object that the token leads to; nil for an
    ///   element.
    mutating func next(_ state: Int, by token: AddressToken, pair: Int? = nil) -> Int {
        var next: [Int] = []
        for position in sets[state] {
            switch positions[position] {
            case .segment(.one): next.append(position + 1)
            case .segment(.any): next.append(position)
            case .segment(.literal(let literal)):
                if literal == token || hasPairPositions && pair.map({ literal.pair(below: $0 + 1) == $0 }) ?? false {
                    next.append(position + 1)
                }
            case .segment(.nestedRoot): break
            case .end(let purpose): if purpose.isInherited { next.append(position) }
            }
        }
        return number(of: closure(of: next))
    }

    /// Returns the state at the root of a nested save, given the state at the value that holds it.
    mutating func entered(_ state: Int) -> Int {
        let entered = sets[state].map { position in
            if case .segment(.nestedRoot) = positions[position] { position + 1 } else { position }
        }
        return number(of: closure(of: entered))
    }

    /// Returns all positions that are reached from some without a token, in ascending order.
    private func closure(of list: [Int]) -> [Int] {
        var closed = Set<Int>()
        for position in list {
            if case .segment(let segment) = positions[position] {
                closed.formUnion(segment.closure(from: position))
            } else {
                closed.insert(position)
            }
        }
        return closed.sorted()
    }

    private mutating func number(of set: [Int]) -> Int {
        if let number = numbers[set] { return number }
        let number = sets.count
        numbers[set] = number
        sets.append(set)
        valueRules.append(makeValueRules(set))
        return number
    }

    private func makeValueRules(_ set: [Int]) -> ValueRules {
        var valueRules = ValueRules(tolerance: options.tolerance)
        valueRules.isFinal = set.allSatisfy {
            if case .end(let purpose) = positions[$0] { purpose.isInherited } else { false }
        }
        valueRules.isWanted = options.only.isEmpty
        valueRules.mayContainIncluded = valueRules.isWanted || set.contains(where: leadsToWanted)
        for case .end(let purpose) in set.lazy.map({ positions[$0] }) {
            switch purpose {
            case .ignored: valueRules.isIgnored = true
            case .only: valueRules.isWanted = true
            case .unordered: valueRules.isUnordered = true
            case .tolerance(let index): valueRules.tolerance = options.tolerances[index].tolerance
            case .identity(let index): valueRules.identity = Array(options.identities[index].key.utf16)
            case .rule(let index): valueRules.rule = max(index, valueRules.rule ?? 0)
            }
        }
        return valueRules
    }

    private func leadsToWanted(_ position: Int) -> Bool {
        for case .end(let purpose) in positions[position...] {
            return if case .only = purpose { true } else { false }
        }
        return false
    }
}
