import KeyedArchives
package import SaveCodec

/// A rule that settles conflicts, or that decides a value whichever side changed it.
package enum MergeRule: Sendable, Hashable {
    /// Takes the value from ours.
    case ours
    /// Takes the value from theirs.
    case theirs
    /// Takes the value of the base, if it is a single value: neither side's change.
    case base
    /// Takes the value of the newer side.
    case newest(Age)
    /// Takes the greater of two numbers or dates that both sides changed.
    case higher
    /// Takes the lesser of two numbers or dates that both sides changed.
    case lower
    /// Takes the greater of two numbers or dates whenever the sides differ. A value that one side removed from a
    /// dictionary or an object is kept.
    case maximum
    /// Takes the lesser of two numbers or dates whenever the sides differ.
    case minimum
    /// Adds the changes of both sides to the number of the base: for currencies.
    case sumOfChanges
    /// Keeps everything that either side has. A collection gets the elements from ours, then the elements from theirs
    /// that ours does not have; nothing is removed.
    case union
    /// Leaves the conflict unsettled.
    case fail

    /// The property that decides which side is newer.
    package enum Age: Sendable, Hashable {
        /// The modification dates of the files.
        case file
        /// A date or a number at an address in both saves.
        case address(JSONPointer)
        /// A date or a number in a field of both values, or else in the same field of the nearest containers around
        /// them.
        case field([UInt16])
    }

    /// The rules without a parameter, by name.
    private static let named: KeyValuePairs<String, MergeRule> = [
        "ours": .ours, "theirs": .theirs, "base": .base, "newest": .newest(.file), "higher": .higher, "lower": .lower,
        "max": .maximum, "min": .minimum, "sum-of-changes": .sumOfChanges, "union": .union, "fail": .fail,
    ]

    /// The names of the rules without a parameter.
    package static let names = named.map(\.key)

    /// The name, without a parameter.
    package var name: String { Self.named.first { $0.value == self }?.key ?? "newest" }

    /// Parses a rule, such as `max`, `newest`, `newest:/lastPlayed` or `newest:savedAt`; nil if the rule is unknown.
    package init?(_ text: String) {
        if let rule = Self.named.first(where: { $0.key == text })?.value {
            self = rule
            return
        }
        guard text.hasPrefix("newest:"), case let field = String(text.dropFirst("newest:".count)), !field.isEmpty
        else { return nil }
        guard field.hasPrefix("/") else {
            self = .newest(.field(Array(field.utf16)))
            return
        }
        guard let address = JSONPointer(field) else { return nil }
        self = .newest(.address(address))
    }
}

/// The options of a merge.
package struct MergeOptions: Sendable {
    /// A rule for the values that a pattern matches, and everything inside them.
    package struct LocalRule: Sendable {
        let pattern: PointerPattern
        package let rule: MergeRule

        package init(_ pattern: PointerPattern, _ rule: MergeRule) {
            self.pattern = pattern
            self.rule = rule
        }

        /// The patterns that must match something in the saves for the rule to have an effect.
        package var patterns: [PointerPattern] {
            switch rule {
            case .newest(.address(let address)): [pattern, PointerPattern(address)]
            case .newest(.field(let name)): [pattern, PointerPattern(anywhere: [name])]
            case .newest(.file), .ours, .theirs, .base, .higher, .lower, .maximum, .minimum, .sumOfChanges, .union,
                .fail:
                [pattern]
            }
        }
    }

    /// The rules; the last one that matches applies.
    package var rules: [LocalRule] = []
    /// The modification dates of the files, in seconds; nil if they are unknown.
    package var dates: (ours: Double, theirs: Double)?
    /// Whether theirs or the base has a format different from ours. Formats differ in their number types, so numbers
    /// are compared by value and take the type in ours.
    package var comparesNumbersByValue = false
    /// The arrays whose elements are identified by a field.
    package var identities: [DifferenceOptions.Identity] = []
    /// The arrays that are compared like sets.
    package var unordered: [PointerPattern] = []

    /// The answers for the conflicts that no rule settles, in order. An answer of nil leaves its conflict unsettled.
    package var answers: [MergeSide?] = []

    /// Runs both comparisons concurrently; nil to run one after the other. The result is the same.
    package var runner: ParallelRunner?

    /// Creates options without rules.
    package init() {}

    /// The options for comparing each side with the base.
    var differences: DifferenceOptions {
        var options = DifferenceOptions()
        options.comparesReadOnlySaves = false
        options.looseNumbers = comparesNumbersByValue
        options.distinguishesWidths = true
        options.identities = identities
        options.unordered = unordered
        return options
    }

    /// A matcher for the patterns of the rules and of the unordered arrays.
    var patterns: PointerPatternMatcher {
        var options = DifferenceOptions()
        options.unordered = unordered
        return PointerPatternMatcher(options, rules: rules.map(\.pattern))
    }
}

// MARK: Order

extension Node {
    /// Compares two numbers or two dates exactly.
    ///
    /// - Returns: A negative number, zero or a positive number if this value is less than, equal to or greater than the
    ///   other; nil if the values have no order, as with NaN.
    func order(comparedTo other: Node) -> Int? {
        if case .date(let a) = self, case .date(let b) = other {
            return Node.real64(a).order(comparedTo: .real64(b))
        }
        guard let a = Number(comparable: self), let b = Number(comparable: other) else { return nil }
        return a < b ? -1 : b < a ? 1 : 0
    }
}

extension ObjectView {
    /// Whether a value is a number or a date, and not NaN.
    func isOrdered(_ id: ViewID) -> Bool {
        guard let node = orderedScalar(id) else { return false }
        return node.order(comparedTo: node) != nil
    }

    /// Returns a scalar in the form in which merge rules compare it. If all scalars of the format are text, a string
    /// that spells a number or a date counts as one.
    func orderedScalar(_ id: ViewID) -> Node? {
        let node = scalar(id)
        guard hasTextScalars, case .string(let text)? = node else { return node }
        switch text.number {
        case .integer(let integer): return .integer(StoredInteger(integer))
        case .real(let real): return .real64(real)
        default: return text.date.map { .date($0) } ?? node
        }
    }
}
