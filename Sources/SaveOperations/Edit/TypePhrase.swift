import KeyedArchives
import SaveCodec

/// The type of a value with an article, for messages that compare two values.
enum TypePhrase {
    /// Returns a phrase such as `an integer`, `a 32-bit real` or, for a container, `an array`.
    static func of(_ node: Node) -> String {
        if case .real32 = node { "a 32-bit real" } else { node.kind.withArticle }
    }

    /// The classes of collections that phrases omit.
    static let omittedClasses = ["NSArray", "NSDictionary", "NSSet"]

    /// Returns a phrase that includes the class of a container, unless it is a usual one.
    static func of(_ variant: ViewValue.Variant, _ className: (some RandomAccessCollection<UInt16>)?) -> String {
        let kind = if case .scalar(let node) = variant { of(node) } else { variant.kind.withArticle }
        guard let className, !omittedClasses.contains(where: { className.elementsEqual($0.utf16) }) else { return kind }
        return kind + " of class " + ArchiveClass.shown(className)
    }

    static func of(_ id: ViewID, in view: ObjectView) -> String {
        let value = view[id]
        return of(value.variant, value.classPosition.flatMap { view.archive?.classes[$0].name })
    }
}
