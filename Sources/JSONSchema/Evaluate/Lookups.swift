import KeyedArchives
import SaveCodec

/// A reader of keys that finds the numbers of their names in a schema. It reads each key once.
struct NameReader {
    private let names: [[UInt16]: Int32]
    private let view: ObjectView
    /// For each key, the number of its name; -1 for a name that the schema does not mention, -2 for a key not read yet.
    private var known: [Int32]

    init(_ names: [[UInt16]: Int32], _ view: ObjectView) {
        self.names = names
        self.view = view
        known = [Int32](repeating: -2, count: view.count)
    }

    /// Returns the number of a key's name, or -1 if the schema does not mention the name.
    mutating func number(_ key: ViewID) -> Int32 {
        if known[key.index] == -2 { known[key.index] = names[view.name(of: key).units] ?? -1 }
        return known[key.index]
    }
}

/// A finder of the values at addresses.
///
/// Finding a member takes time in proportion to the size of the object, and many references may lead to one object.
/// Therefore each step from a large value is cached.
struct AddressFinder {
    private struct Step: Hashable {
        let value: ViewID
        let token: AddressToken
    }

    private let view: ObjectView
    private var known: [Step: ViewID?] = [:]

    init(_ view: ObjectView) {
        self.view = view
    }

    /// Returns the value at an address below another value, or nil if it does not exist.
    mutating func find(_ address: JSONPointer, from start: ViewID) -> ViewID? {
        var id = start
        for depth in address.tokens.indices {
            guard let next = step(by: address.token(at: depth), from: id) else { return nil }
            id = next
        }
        return id
    }

    private mutating func step(by token: AddressToken, from id: ViewID) -> ViewID? {
        guard view.weight(id) > 16 || view.classPosition(of: id) != nil else {
            return view.member(named: token, of: id)
        }
        let step = Step(value: id, token: token)
        if let found = known[step] { return found }
        let found = view.member(named: token, of: id)
        known[step] = .some(found)
        return found
    }
}

/// The values and names visited on a walk. Beginning a new walk takes constant time.
struct VisitedSubjects {
    /// The number of the last walk that visited each subject, allocated for the first walk.
    private var marks: [UInt32] = []
    private var walk: UInt32 = 0

    /// Begins a walk over subjects with numbers below `limit`.
    mutating func begin(limit: Int) {
        walk &+= 1
        if marks.count < limit || walk == 0 {
            marks = [UInt32](repeating: 0, count: limit)
            walk = 1
        }
    }

    /// Records a visit. Returns whether it is the first one of the walk.
    mutating func insert(_ subject: Subject) -> Bool {
        guard marks[subject.number] != walk else { return false }
        marks[subject.number] = walk
        return true
    }
}

/// The searches for the patterns of a schema. Each search reuses its memory.
///
/// All searches share one budget of steps. Otherwise, a thousand texts could take a thousand times as long as the
/// longest permitted search.
struct RegexSearches {
    /// The searches by the numbers of their patterns, created when needed.
    private var searches: [RegexSearch?] = []
    private var stepsLeft: Int
    /// The text that was searched last.
    private var text = RegexText()
    /// The key whose name is ``text``, or nil for any other text.
    private var textKey: ViewID?

    /// Creates searches that share a number of steps.
    init(steps: Int) {
        stepsLeft = steps
    }

    /// Returns the number of steps for a value graph.
    static func steps(for view: ObjectView) -> Int {
        let (steps, overflow) = view.count.multipliedReportingOverflow(by: 1000)
        return (overflow ? Int.max / 4 : min(steps, Int.max / 4)) + 64 * view.document.imageSize + 150_000_000
    }

    /// Searches for a pattern in a text.
    mutating func search(_ text: JSONText, for pattern: SchemaPattern) -> ECMARegex.Verdict {
        if case .text(let text) = text, let isMatched = pattern.regex.matchesInLine(text) {
            return isMatched ? .matched : .notMatched
        }
        guard stepsLeft > 0 else { return .gaveUp }
        return search(text.units, of: nil, for: pattern)
    }

    /// Searches for a pattern in the name of a key. The name is read once for any number of patterns in succession.
    mutating func search(nameOf key: ViewID, in view: ObjectView, for pattern: SchemaPattern) -> ECMARegex.Verdict {
        guard stepsLeft > 0 else { return .gaveUp }
        return key == textKey ? search(for: pattern) : search(view.name(of: key).units, of: key, for: pattern)
    }

    private mutating func search(
        _ units: [UInt16], of key: ViewID?, for pattern: SchemaPattern
    ) -> ECMARegex.Verdict {
        text.read(units)
        stepsLeft -= units.count / 2
        textKey = key
        return search(for: pattern)
    }

    private mutating func search(for pattern: SchemaPattern) -> ECMARegex.Verdict {
        let number = pattern.number
        while searches.count <= number { searches.append(nil) }
        if searches[number] == nil { searches[number] = RegexSearch(pattern.regex) }
        let granted = max(0, min(stepsLeft, ECMARegex.steps(for: text.points.count)))
        var steps = granted
        defer { stepsLeft -= granted - steps }
        return searches[number]?.search(in: &text, steps: &steps) ?? .notMatched
    }
}
