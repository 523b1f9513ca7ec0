import KeyedArchives
import SaveOperations

/// Patterns of options that match nothing in the files that are compared or merged: most often a name is mistyped.
struct UnmatchedPatterns {
    private let patterns: [(option: Option, pattern: PointerPattern)]
    private let views: [ObjectView]

    /// Those of a comparison.
    init(_ options: DifferenceOptions, in views: [ObjectView]) {
        self.views = views
        patterns = Self.unmatched(
            [
                (.only, options.only), (.ignore, options.ignored), (.tolerance, options.tolerances.map(\.pattern)),
                (.identity, Self.patterns(of: options.identities, in: views)), (.unordered, options.unordered),
            ], in: views)
    }

    /// Those that match nothing in the files of others either. No file is kept for advice.
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

    /// Those of a merge.
    init(_ options: MergeOptions, in views: [ObjectView]) {
        self.views = views
        patterns = Self.unmatched(
            [
                (.rule, options.rules.flatMap(\.patterns)),
                (.identity, Self.patterns(of: options.identities, in: views)), (.unordered, options.unordered),
            ], in: views, reachesClasses: true)
    }

    /// What has to be there for identities: the arrays, and the key in one of the elements if there are any.
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

    /// Warns of them.
    ///
    /// - Throws: an error for what alone is to be compared, as nothing would be then.
    func report(_ invocation: Invocation) throws(UsageError) {
        for (option, pattern) in patterns {
            let sentence =
                "\(option.shown) \(Shortened.address(pattern.address)) matches nothing in the files"
                + pattern.advice(in: views)
            if option.name == Option.only.name { throw UsageError(sentence) }
            invocation.printError("savetool: warning: " + sentence)
        }
    }
}
