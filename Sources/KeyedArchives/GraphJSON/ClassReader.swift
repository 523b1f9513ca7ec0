import SaveCodec

/// The classes that `$classes` of graph JSON describes, and those of the Foundation class table; a record is made when
/// the first object of a class is.
struct ClassReader {
    /// What makes up a record.
    private struct Description {
        let name: [UInt16]
        let chain: [[UInt16]]?
        let hints: [[UInt16]]?
    }

    private let document: Document
    private var descriptions: [[UInt16]: Description] = [:]
    private var records: [[UInt16]: UID] = [:]
    /// The classes that were met, by the string that is their label: equal strings of a text are one object.
    private var known: [ObjectID: Known] = [:]

    /// A class, and how its objects are made up as far as that is known.
    struct Known {
        let name: StoredString
        let record: UID
        let layout: FoundationClass.Layout?

        /// The kind of collection that the objects are; nil if they have fields.
        var kind: ContainerKind? {
            switch layout {
            case .elements(.set): .set
            case .elements(.array), .numbered: .array
            case .pairs: .dictionary
            default: nil
            }
        }
    }

    init(_ classes: ObjectID?, in document: Document) throws(Problem) {
        self.document = document
        guard let classes else { return }
        guard case .dictionary(let pairs) = document[classes] else {
            throw document.graphMember(.classes, classes, expected: "an object", at: document.root)
        }
        for (key, value) in pairs {
            guard let name = document.text(key) else { throw document.graphKey(at: classes) }
            guard let stored = GraphName.unescaped(name) else { throw document.graphName(name, at: classes) }
            let label = Array(stored)
            let description = try describe(label, value, in: classes)
            guard descriptions.updateValue(description, forKey: label) == nil else {
                throw document.graphNameTwice(name, at: classes)
            }
        }
    }

    private func describe(_ label: [UInt16], _ id: ObjectID, in classes: ObjectID) throws(Problem) -> Description {
        guard case .dictionary = document[id] else {
            return Description(name: label, chain: try names(id, classes), hints: nil)
        }
        var (name, chain, hints): ([UInt16], [[UInt16]]?, [[UInt16]]?) = (label, nil, nil)
        guard case .dictionary(let pairs) = document[id] else { return Description(name: name, chain: nil, hints: nil) }
        for (key, value) in pairs {
            switch document.text(key)?.string {
            case "name":
                guard let text = document.text(value) else {
                    throw document.graphProblem(
                        "graph.class-name", "name is something else than the name of a class", at: id)
                }
                name = Array(text)
            case "chain": chain = try names(value, id)
            case "hints": hints = try names(value, id)
            default:
                throw document.graphProblem(
                    "graph.class-member", "a class has other members than name, chain and hints", at: id)
            }
        }
        return Description(name: name, chain: chain, hints: hints)
    }

    /// A list of names, or nil for null.
    private func names(_ id: ObjectID, _ container: ObjectID) throws(Problem) -> [[UInt16]]? {
        if case .null = document[id] { return nil }
        guard case .array(let elements) = document[id] else { throw document.graphChain(at: container) }
        let names = elements.compactMap { document.text($0) }.map { Array($0) }
        guard names.count == elements.count else { throw document.graphChain(at: container) }
        return names
    }

    // MARK: Records

    /// The class with the label that a string is; nil for one that is neither described nor known.
    mutating func find(_ label: ObjectID, _ text: StoredString, in builder: inout KeyedArchiveBuilder) -> Known? {
        if let known = known[label] { return known }
        guard let record = record(Array(text), in: &builder) else { return nil }
        let found = Known(name: text, record: record, layout: layout(Array(text)))
        known[label] = found
        return found
    }

    /// How objects of the class with a label are made up; nil where that is not known.
    private func layout(_ label: [UInt16]) -> FoundationClass.Layout? {
        FoundationClass.named(String(decoding: descriptions[label]?.name ?? label, as: UTF16.self))?.layout
    }

    /// The record of the class with a label; nil for one that is neither described nor known.
    mutating func record(_ label: [UInt16], in builder: inout KeyedArchiveBuilder) -> UID? {
        if let record = records[label] { return record }
        let record: UID
        if let described = descriptions[label] {
            record = builder.addClass(described.name, chain: described.chain, hints: described.hints)
        } else if let known = FoundationClass.named(String(decoding: label, as: UTF16.self)) {
            record = builder.addClass(known.name, chain: known.chain)
        } else {
            return nil
        }
        records[label] = record
        return record
    }
}
