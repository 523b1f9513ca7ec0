import KeyedArchive
import SaveCodec

/// A schema that is being compiled: the values of its keywords.
struct SchemaSource {
    let node: Int
    let place: SchemaPlace
    let dialect: Dialect
    var values: [Keyword: ObjectID] = [:]

    init(node: Int, place: SchemaPlace, dialect: Dialect) {
        self.node = node
        self.place = place
        self.dialect = dialect
    }
}

extension SchemaLocation {
    /// The address of a node in its document.
    static func address(of node: Int, in nodes: [SchemaNode]) -> Address {
        var parts: [[[UInt16]]] = []
        var next: Int? = node
        while let position = next {
            parts.append(nodes[position].location.tokens)
            next = nodes[position].location.parent
        }
        return Address(tokens: parts.reversed().flatMap(\.self))
    }
}

extension Instance {
    /// The identity of a value of a property list.
    func id(_ object: ObjectID) -> InstanceID {
        .value(ViewID(stored: object))
    }
}
