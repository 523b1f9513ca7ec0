/// What an edited document has of the one that it was made of: which objects are the same, and where the members of
/// edited containers were.
///
///     before  #0 [#1, #1, #2]     after  #0 [#1, #3]     origins  #1: #1     members of #0: [1, –]
package struct Derivation: Sendable {
    /// What the document was made of.
    private let source: Document.Storage
    /// For each object the one that it was; ``none`` for new ones. Containers may have been edited.
    private let origins: [UInt32]
    /// For edited containers, by their new numbers, where their members were.
    private let members: [Int: [Int?]]

    static let none = UInt32.max

    init(from source: Document, origins: [UInt32], members: [Int: [Int?]]) {
        self.source = source.storage
        self.origins = origins
        self.members = members
    }

    /// Whether the document was made of another one, and not of a part of it.
    package func isFrom(_ document: Document) -> Bool { source === document.storage }

    /// Where the members of a container were in the one that it was; nil if nobody knows.
    package func memberOrigins(of container: ObjectID) -> [Int?]? { members[container.index] }

    /// The object that one was; nil for new ones.
    package func origin(of object: ObjectID) -> ObjectID? {
        guard object.index < origins.count, origins[object.index] != Self.none else { return nil }
        return ObjectID(Int(origins[object.index]))
    }
}
