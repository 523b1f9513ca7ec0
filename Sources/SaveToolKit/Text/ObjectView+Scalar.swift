import KeyedArchives
import SaveCodec

extension ObjectView {
    /// The object of a document that a scalar of the view is.
    ///
    /// Text and bytes that an object of an archive stands for are stored in it; a date and null have no such form there,
    /// and get a document of their own.
    func scalar(_ id: ViewID, _ node: Node) -> (document: Document, id: ObjectID) {
        let stored = stored(id)
        let object = document.object(stored)
        switch node {
        case .string where object.kind == .dictionary, .data where object.kind == .dictionary:
            return (document, storedScalar(of: id) ?? stored)
        case .date(let seconds) where object.kind == .dictionary:
            return Self.single { $0.add(date: seconds) } ?? (document, stored)
        case .null where object.kind != .null: return Self.single { $0.addNull() } ?? (document, stored)
        default: return (document, stored)
        }
    }

    /// A document of one value, which is always small enough to be one.
    private static func single(_ add: (inout DocumentBuilder) -> Void) -> (document: Document, id: ObjectID)? {
        var builder = DocumentBuilder()
        add(&builder)
        return (try? builder.finish()).map { ($0, $0.root) }
    }
}
