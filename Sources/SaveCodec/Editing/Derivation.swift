/// The relation of an edited document to its original: which objects are the same, and the earlier positions of the
/// members of edited containers.
///
///     before  #0 [#1, #1, #2]     after  #0 [#1, #3]     origins  #1: #1     members of #0: [1, –]
package struct Derivation: Sendable {
    private let source: Document.Storage
    /// The original of each object, or ``none`` for a new one. Containers may have been edited.
    private let origins: [UInt32]
    /// The earlier positions of the members of edited containers, by the containers' new indices.
    private let members: [Int: [Int?]]

    static let none = UInt32.max

    init(from source: Document, origins: [UInt32], members: [Int: [Int?]]) {
        self.source = source.storage
        self.origins = origins
        self.members = members
    }

    /// Whether the document was derived from `document` itself, rather than from another document or a part of it.
    package func isFrom(_ document: Document) -> Bool { source === document.storage }

    /// Returns the earlier position of each member of a container, with nil for a new one. Returns nil if the positions
    /// are unknown.
    package func memberOrigins(of container: ObjectID) -> [Int?]? { members[container.index] }

    /// Returns the original of an object, or nil for a new one.
    package func origin(of object: ObjectID) -> ObjectID? {
        guard object.index < origins.count, origins[object.index] != Self.none else { return nil }
        return ObjectID(Int(origins[object.index]))
    }
}
