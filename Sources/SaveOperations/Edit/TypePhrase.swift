import KeyedArchives
import SaveCodec

/// What a value is, with an article, for a sentence that compares it with another.
enum TypePhrase {
    /// `an integer`, `a real of four bytes`; of a container what it is in a property list.
    static func of(_ node: Node) -> String {
        if case .real32 = node { "a real of four bytes" } else { node.kind.withArticle }
    }

    /// The classes of collections that go without saying.
    static let usualClasses = ["NSArray", "NSDictionary", "NSSet"]

    /// Likewise; of a container with its class.
    static func of(_ form: ViewValue.Form, _ className: (some RandomAccessCollection<UInt16>)?) -> String {
        let kind = if case .scalar(let node) = form { of(node) } else { form.kind.withArticle }
        guard let className, !usualClasses.contains(where: { className.elementsEqual($0.utf16) }) else { return kind }
        return kind + " of class " + SafeText.escaping(className.prefix(80))
    }

    static func of(_ id: ViewID, in view: ObjectView) -> String {
        let value = view[id]
        return of(value.form, value.classPosition.flatMap { view.archive?.classes[$0].name })
    }
}
