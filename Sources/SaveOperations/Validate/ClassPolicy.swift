import KeyedArchives
import SaveCodec

/// Which classes the objects of an archive may have, as a secure unarchiver is told: a class is allowed by its name or by
/// that of an ancestor, as the archive tells them.
package struct ClassPolicy: Sendable {
    /// The name that stands for all of Foundation's classes for collections and values.
    static let foundationGroup = "Foundation"

    private let names: Set<[UInt16]>

    /// Creates a policy that allows the classes with these names.
    package init(allowing names: [String]) {
        let groups = names.contains(Self.foundationGroup) ? KeyedArchive.foundationNames : []
        self.names = Set((names + groups).map { Array($0.utf16) })
    }

    /// Whether every class is allowed, as all have the ancestor NSObject.
    package var allowsEverything: Bool { names.contains(Array("NSObject".utf16)) }

    fileprivate func allows(_ record: ClassRecord) -> Bool {
        allowsEverything || names.contains(Array(record.name))
            || record.chain?.contains { names.contains(Array($0)) } == true
    }
}

extension [ClassPolicy] {
    /// What one of the policies does not allow of the classes that objects have: a thousand classes in the order of their
    /// first objects, and how many more there are.
    func problems(with uses: [ClassUse]) -> [Problem] {
        let unexpected = uses.filter { use in !allSatisfy { $0.allows(use.record) } }.sorted { $0.first < $1.first }
        let rest = unexpected.count - Self.longestList
        let hinted = unexpected.firstIndex(where: \.record.isOfFoundation)
        return unexpected.prefix(Self.longestList).enumerated().map { $1.unexpected(isHinted: $0 == hinted) }
            + (rest > 0 ? [Self.more(rest)] : [])
    }

    private static func more(_ count: Int) -> Problem {
        Problem(
            "class.more",
            count == 1 ? "1 more class is not allowed" : "\(count) more classes are not allowed", severity: .info)
    }

    private static var longestList: Int { 1000 }
}

extension ClassRecord {
    fileprivate var isOfFoundation: Bool {
        KeyedArchive.foundationNames.contains(String(decoding: name, as: UTF16.self))
    }
}

extension ClassUse {
    /// The problem of a class that is not allowed.
    ///
    /// - Parameter isHinted: whether it is told how all of Foundation's classes are allowed.
    fileprivate func unexpected(isHinted: Bool) -> Problem {
        let objects = count == 1 ? "1 object is" : "\(count) objects are"
        return Problem(
            "class.unexpected",
            "\(objects) of class \(record.name.shownAsClass), which is not allowed"
                + (isHinted ? "; \(ClassPolicy.foundationGroup) allows it and its kin" : ""),
            at: place, address: .object(first))
    }
}
