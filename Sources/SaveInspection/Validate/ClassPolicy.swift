import KeyedArchives
import SaveCodec

/// The classes that the objects of an archive may have, as for a secure unarchiver. A class is allowed by its own name
/// or by the name of an ancestor in the archive's class record.
package struct ClassPolicy: Sendable {
    /// The name of the group of all Foundation classes for collections and values.
    static let foundationGroup = "Foundation"

    private let names: Set<[UInt16]>
    private let patterns: [ClassPattern]

    /// Creates a policy that allows the classes with these names, in which `*` matches any characters.
    package init(allowing names: [String]) {
        let groups = names.contains(Self.foundationGroup) ? KeyedArchive.foundationNames : []
        self.names = Set((names + groups).map { Array($0.utf16) })
        patterns = names.filter(ClassPattern.hasWildcard).compactMap { try? ClassPattern($0) }
    }

    /// Whether every class is allowed, because the policy names their common ancestor, NSObject.
    package var allowsEverything: Bool { names.contains(Array("NSObject".utf16)) }

    fileprivate func allows(_ record: ClassRecord) -> Bool {
        allowsEverything || allows(record.name, record.swiftName)
            || record.chain?.contains { allows($0, SwiftTypeName.text(ofClass: $0)) } == true
            || patterns.contains { $0.match(record) == .found }
    }

    private func allows(_ stored: StoredString, _ swift: [UInt16]?) -> Bool {
        names.contains(Array(stored)) || swift.map { names.contains($0) } ?? false
    }
}

extension [ClassPolicy] {
    /// Returns a problem for each class that any of the policies does not allow, in the order of their first objects.
    /// After 1,000 classes, a last problem counts the rest.
    func problems(with uses: [ClassUse]) -> [Problem] {
        let unexpected = uses.filter { use in !allSatisfy { $0.allows(use.record) } }.sorted { $0.first < $1.first }
        let rest = unexpected.count - Self.longestList
        let hinted = unexpected.firstIndex(where: \.record.isOfFoundation)
        return unexpected.prefix(Self.longestList).enumerated().map { $1.unexpected(isHinted: $0 == hinted) }
            + (rest > 0 ? [Self.more(rest)] : [])
    }

    private static func more(_ count: Int) -> Problem {
        Problem("class.more", Phrase.count(count, "more class", "is") + " not allowed", severity: .info)
    }

    private static var longestList: Int { 1000 }
}

extension ClassRecord {
    fileprivate var isOfFoundation: Bool {
        KeyedArchive.foundationNames.contains(String(decoding: name, as: UTF16.self))
    }
}

extension ClassUse {
    /// - Parameter isHinted: Whether the message explains how to allow all Foundation classes.
    fileprivate func unexpected(isHinted: Bool) -> Problem {
        Problem(
            "class.unexpected",
            "\(Phrase.count(count, "object", "is")) of class \(record.shownName.escaped), which is not allowed"
                + (isHinted ? "; \(ClassPolicy.foundationGroup) would allow it" : ""),
            at: location, address: .object(first))
    }
}
