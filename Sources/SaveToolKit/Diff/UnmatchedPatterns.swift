import KeyedArchives
import SaveOperations

/// The option patterns that match nothing in the compared or merged files. Usually a name is mistyped.
struct UnmatchedPatterns {
    private let patterns: [(option: Option, pattern: PointerPattern)]
    private let views: [ObjectView]

    /// Finds the unmatched patterns of a comparison.
    init(_ options: DifferenceOptions, in views: [ObjectView]) {
        self.views = views
        patterns = Self.unmatched(
            [
                (.only, options.only), (.ignore, options.ignored), (.tolerance, options.tolerances.map(\.pattern)),
                (.identity, Self.patterns(of: options.identities, in: views)), (.unordered, options.unordered),
            ], in: views)
    }

    /// Returns the patterns that match nothing in the files of `others` either. The result keeps no file, so its
    /// warnings have no suggestions.
    func common(with others: UnmatchedPatterns) -> UnmatchedPatterns {
        UnmatchedPatterns(
            patterns.filter { mine in
                others.patterns.contains { $0.option.name == mine.option.name && $0.pattern == mine.pattern }
            })
    }

    private init(_ patterns: [(option: Option, pattern: PointerPattern)]) {
        self.patterns = patterns
        views = []
    }

    /// Finds the unmatched patterns of a merge.
    init(_ options: MergeOptions, in views: [ObjectView]) {
        self.views = views
        patterns = Self.unmatched(
            [
                (.rule, options.rules.flatMap(\.patterns)),
                (.identity, Self.patterns(of: options.identities, in: views)), (.unordered, options.unordered),
            ], in: views, reachesClasses: true)
    }

    /// Returns, for each identity, the pattern to check for matches: the key in the elements of the array or, if the
    /// array has no elements, the array itself.
    private static func patterns(
        of identities: [DifferenceOptions.Identity], in views: [ObjectView]
    ) -> [PointerPattern] {
        identities.map { identity in
            let elements = PointerPattern(elementsOf: identity.pattern)
            guard views.contains(where: { elements.leadsSomewhere(in: $0) }) else { return identity.pattern }
            return PointerPattern(elementsOf: identity.pattern, key: identity.key)
        }
    }

    private static func unmatched(
        _ patterns: [(Option, [PointerPattern])], in views: [ObjectView], reachesClasses: Bool = false
    ) -> [(option: Option, pattern: PointerPattern)] {
        func leadsSomewhere(_ pattern: PointerPattern) -> Bool {
            views.contains { pattern.leadsSomewhere(in: $0, reachesClasses: reachesClasses) }
        }
        return patterns.flatMap { option, patterns in
            patterns.filter { !leadsSomewhere($0) }.map { (option, $0) }
        }
    }

    /// Warns about the patterns.
    ///
    /// - Throws: A usage error for a pattern of `--only`, as then no value would be compared.
    func report(_ invocation: Invocation) throws(UsageError) {
        for (option, pattern) in patterns {
            let sentence =
                "\(option.shown) \(TruncatedText.address(pattern.address)) matches nothing in the files"
                + pattern.advice(in: views)
            if option.name == Option.only.name { throw UsageError(sentence) }
            invocation.printError("savetool: warning: " + sentence)
        }
    }
}
