import KeyedArchives
import SaveCodec

/// The rules of a merge, and a matcher for the addresses that they apply to. A slot has a state of the matcher, from
/// which the states of the slots inside it follow.
struct MergeRuleMatcher: Sendable {
    private let rules: [MergeOptions.LocalRule]
    private var patterns: PointerPatternMatcher
    /// The state at the roots.
    let start: Int
    /// For each pair in the comparison from base to ours, the state; empty without patterns.
    private var states: [Int32] = []

    /// - Parameter start: The matcher of the merge around this one, and its state at the nested save; nil for files.
    init(_ options: MergeOptions, at start: (patterns: PointerPatternMatcher, state: Int)?) {
        rules = options.rules
        patterns = start?.patterns ?? options.patterns
        self.start = start?.state ?? PointerPatternMatcher.start
    }

    /// Whether there are no rules.
    var isEmpty: Bool { rules.isEmpty }

    /// Whether there are rules or unordered arrays. If not, all states are the same.
    var hasPatterns: Bool { !patterns.isEmpty }

    func rule(at state: Int) -> MergeRule? {
        hasPatterns ? patterns[state].rule.map { rules[$0].rule } : nil
    }

    func isUnordered(at state: Int) -> Bool { hasPatterns && patterns[state].isUnordered }

    // MARK: States

    /// Returns the state one step down.
    mutating func state(after state: Int, by step: PathStep, in view: ObjectView) -> Int {
        guard hasPatterns, !patterns[state].isFinal else { return state }
        return patterns.next(state, by: step, in: view)
    }

    /// Returns the state at the class of an object.
    mutating func stateOfClass(in state: Int) -> Int { isEmpty ? 0 : patterns.next(state, by: .classToken) }

    /// Finds the states of all pairs in the comparison from base to ours.
    mutating func findStates(of difference: Difference) {
        guard hasPatterns else { return }
        let ours = difference.after
        states.reserveCapacity(difference.pairs.count)
        for (number, pair) in difference.pairs.enumerated() {
            let parent = Int(pair.parent)
            guard number > 0 else {
                states.append(Int32(truncatingIfNeeded: start))
                continue
            }
            let position = Int(pair.positionAfter)
            let key = ours.item(position, of: difference.pairs[parent].after).key
            let step = PathStep(key: key, position: position)
            let next = state(after: Int(states[parent]), by: step, in: ours)
            states.append(Int32(truncatingIfNeeded: next))
        }
    }

    /// Returns the state at a pair, after ``findStates(of:)``.
    func state(ofPair number: Int) -> Int { hasPatterns ? Int(states[number]) : 0 }

    /// Returns the matcher for the nested save in a slot, and its state at the roots of the save.
    mutating func entered(at state: Int) -> (patterns: PointerPatternMatcher, state: Int) {
        let inside = hasPatterns ? patterns.entered(state) : PointerPatternMatcher.start
        return (patterns, inside)
    }
}
