import KeyedArchive
import SaveCodec

/// What a tree calls the classes of an archive.
enum ClassNames {
    /// The name of a class.
    static func name(_ position: Int, in view: ObjectView) -> String {
        view.archive.map { Shortened.key($0.classes[position].name) } ?? ""
    }

    /// What stands before the count of a collection, or the size of data: the class if it says more than the kind.
    static func word(for kind: String, _ position: Int?, in view: ObjectView) -> String {
        guard let position, let name = view.archive?.classes[position].name else { return kind }
        let isPlain = plain.contains { $0.kind == kind && name.elementsEqual($0.name.utf16) }
        return isPlain ? kind : Shortened.key(name)
    }

    private static let plain = [
        (kind: "array", name: "NSArray"), (kind: "dictionary", name: "NSDictionary"), (kind: "set", name: "NSSet"),
        (kind: "data", name: "NSData"),
    ]

    /// A class and its ancestors; of a renamed class, which has none, its name.
    static func chain(_ position: Int, in view: ObjectView) -> String {
        guard let record = view.archive?.classes[position] else { return "" }
        guard let chain = record.chain else { return Shortened.key(record.name) }
        let names = chain.prefix(10).map(Shortened.key)
        return names.joined(separator: ", ") + (chain.count > names.count ? ", …" : "")
    }
}
