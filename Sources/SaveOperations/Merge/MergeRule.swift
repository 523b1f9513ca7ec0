import KeyedArchives
package import SaveCodec

/// How a conflict is settled, or what a value is whatever the sides made of it.
package enum MergeRule: Sendable, Hashable {
    /// What ours has.
    case ours
    /// What theirs has.
    case theirs
    /// What the side has that is newer.
    case newest(Age)
    /// The greater of two numbers or dates that both sides changed.
    case higher
    /// The lesser of two numbers or dates that both sides changed.
    case lower
    /// The greater of two numbers or dates, wherever the sides differ; one that a side removed from a dictionary or an
    /// object stays.
    case maximum
    /// The lesser of two numbers or dates, wherever the sides differ.
    case minimum
    /// What the number was, and what both sides added to it: for currencies.
    case sumOfChanges
    /// All that either side has: of a collection the elements of ours, and those of theirs that are not among them; nothing
    /// is removed.
    case union
    /// Nothing: the conflict is left.
    case fail

    /// By what it is told which side is newer.
    package enum Age: Sendable, Hashable {
        /// By the dates of the files.
        case file
        /// By a date or a number at an address of both.
        case address(JSONPointer)
        /// By a date or a number in a field of both values, or else of what is around them.
        case field([UInt16])
    }
}

extension MergeRule {
    /// The rules that are a name.
    private static let named: KeyValuePairs<String, MergeRule> = [
        "ours": .ours, "theirs": .theirs, "newest": .newest(.file), "higher": .higher, "lower": .lower,
        "max": .maximum, "min": .minimum, "sum-of-changes": .sumOfChanges, "union": .union, "fail": .fail,
    ]

    /// The names of all rules.
    package static let names = named.map(\.key)

    /// The rule of a name: `max`, `newest`, `newest:/lastPlayed`, …; nil if there is none.
    package init?(_ text: String) {
        if let rule = Self.named.first(where: { $0.key == text })?.value {
            self = rule
            return
        }
        guard text.hasPrefix("newest:"), case let place = String(text.dropFirst("newest:".count)), !place.isEmpty
        else { return nil }
        guard place.hasPrefix("/") else {
            self = .newest(.field(Array(place.utf16)))
            return
        }
        guard let address = JSONPointer(place) else { return nil }
        self = .newest(.address(address))
    }
}

/// How three views are merged.
package struct MergeOptions: Sendable {
    /// A rule for what a pattern matches, and everything below.
    package struct LocalRule: Sendable {
        let pattern: PointerPattern
        package let rule: MergeRule

        package init(_ pattern: PointerPattern, _ rule: MergeRule) {
            self.pattern = pattern
            self.rule = rule
        }

        /// All that has to be in the files for the rule to mean something.
        package var patterns: [PointerPattern] {
            switch rule {
            case .newest(.address(let address)): [pattern, PointerPattern(address)]
            case .newest(.field(let name)): [pattern, PointerPattern(anywhere: name)]
            default: [pattern]
            }
        }
    }

    /// The rules; the last that matches counts.
    package var rules: [LocalRule] = []
    /// When the files were changed last, in seconds; nil if that is not known.
    package var dates: (ours: Double, theirs: Double)?
    /// Whether theirs or the base are of another format than ours, which may not have all types: then numbers are compared
    /// by value, and take the type that ours has.
    package var fitsNumbers = false
    /// The arrays whose elements are told apart by a field.
    package var identities: [DifferenceOptions.Identity] = []
    /// The arrays that are compared as if they were sets.
    package var unordered: [PointerPattern] = []

    /// How the conflicts are settled that no rule settles, by their number among them; nil for those that are left.
    package var answers: [MergeSideName?] = []

    /// Runs both comparisons at the same time; nil to run one after the other. The result is the same.
    package var runner: ParallelRunner?

    /// No rules.
    package init() {}

    /// How each side is compared with the base.
    var differences: DifferenceOptions {
        var options = DifferenceOptions()
        options.opensReadOnly = false
        options.looseNumbers = fitsNumbers
        options.countsWidths = true
        options.identities = identities
        options.unordered = unordered
        return options
    }

    /// What holds where: the rules, and which arrays are unordered.
    var patterns: PointerPatternMatcher {
        var options = DifferenceOptions()
        options.unordered = unordered
        return PointerPatternMatcher(options, rules: rules.map(\.pattern))
    }
}

// MARK: Order

/// Numbers and dates as rules compare them.
extension Node {
    /// Less than, equal to or greater than zero as a number or a date is less than, equal to or greater than another,
    /// exactly; nil for what has no order, NaN included.
    func order(comparedTo other: Node) -> Int? {
        if case .date(let a) = self, case .date(let b) = other {
            return Node.real64(a).order(comparedTo: .real64(b))
        }
        guard let a = exactNumber, let b = other.exactNumber else { return nil }
        return a < b ? -1 : b < a ? 1 : 0
    }

    /// The value of a number but NaN.
    private var exactNumber: Number? {
        guard let real else { return integer.map { .integer($0) } }
        return real.isNaN ? nil : .real(real)
    }

    /// The value of a real.
    var real: Double? {
        switch self {
        case .real32(let value): Double(value)
        case .real64(let value): value
        default: nil
        }
    }

    /// The value of a whole number.
    var integer: Int128? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The value of a number, rounded.
    var number: Double? { real ?? integer.map { Double($0) } }

    var isNumber: Bool { number != nil }
}

extension ObjectView {
    /// Whether a value is a number or a date.
    func isOrdered(_ id: ViewID) -> Bool {
        guard let node = scalar(id) else { return false }
        return node.order(comparedTo: node) != nil
    }
}
