import KeyedArchives
package import SaveCodec

/// The name of a class to search for, as stored or as Swift prints it.
///
///     OldModule.Item     the class OldModule.Item, even if it is stored as _TtC9OldModule4Item
///     OldModule.*        the classes of a module; with a `*`, the name has the syntax of ``Glob``
package struct ClassPattern: Sendable {
    private let name: TextPattern
    private let wildcards: (exact: Glob, folded: Glob)?
    private let ignoresCase: Bool

    /// - Throws: A fault if the name has a `*` and is not a valid pattern.
    package init(_ text: String, ignoresCase: Bool = false) throws(GlobFault) {
        name = TextPattern(Array(text.utf16), ignoresCase: ignoresCase)
        self.ignoresCase = ignoresCase
        wildcards = Self.hasWildcard(text) ? (try Glob(text), try Glob(Self.folded(Array(text.utf16)))) : nil
    }

    /// The longest name to compare with wildcards, in UTF-16 code units.
    private static let longest = 4096

    static func hasWildcard(_ text: String) -> Bool { text.utf8.contains(UInt8(ascii: "*")) }

    /// Returns the best match among the names of a class and its ancestors.
    func match(_ record: ClassRecord) -> TextPattern.Match {
        let stored = match(stored: record.name)
        let own = record.swiftName.map { max(stored, match(shown: $0)) } ?? stored
        return record.chain?.reduce(own) { max($0, match($1)) } ?? own
    }

    /// Returns the better match of a stored class name and of the same name as Swift prints it.
    func match(_ stored: StoredString) -> TextPattern.Match {
        let match = match(stored: stored)
        return SwiftTypeName.text(ofClass: stored).map { max(match, self.match(shown: $0)) } ?? match
    }

    private func match(stored: StoredString) -> TextPattern.Match {
        wildcards == nil ? name.match(whole: stored) : match(shown: Array(stored.prefix(Self.longest + 1)))
    }

    private func match(shown: [UInt16]) -> TextPattern.Match {
        guard let wildcards else { return name.match(whole: shown) }
        guard shown.count <= Self.longest else { return .none }
        if wildcards.exact.relation(to: String(decoding: shown, as: UTF16.self)) == .whole { return .found }
        guard wildcards.folded.relation(to: Self.folded(shown)) == .whole else { return .none }
        return ignoresCase ? .found : .inOtherCase
    }

    private static func folded(_ units: [UInt16]) -> String {
        String(decoding: CaseFolding.folded(units), as: UTF16.self)
    }
}
