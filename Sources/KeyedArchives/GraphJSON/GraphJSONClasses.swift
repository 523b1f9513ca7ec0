import SaveCodec

/// The classes that graph JSON may use: the described ones in `$classes`, and the Foundation class table.
///
/// A class record is added to the archive with the first object of the class.
struct GraphJSONClasses {
    private struct Description {
        let name: [UInt16]
        let chain: [[UInt16]]?
        let hints: [[UInt16]]?
    }

    private let document: Document
    private var descriptions: [[UInt16]: Description] = [:]
    private var records: [[UInt16]: UID] = [:]
    /// The classes found so far.
    private var known: [ResolvedClass] = []
    /// The position of each class in ``known`` plus one, by the string object of its label; 0 for any other object.
    /// Equal strings of a text are one object.
    private var positions: [UInt32]

    /// A class, and the layout of its objects if known.
    struct ResolvedClass {
        let name: StoredString
        let record: UID
        let layout: FoundationClass.Layout?

        /// The kind of collection that the objects are; nil for objects with fields or a single value.
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
        positions = [UInt32](repeating: 0, count: document.count)
        guard let classes else { return }
        guard case .dictionary(let pairs) = document[classes] else {
            throw document.graphMember(.classes, classes, expected: "an object", at: document.root)
        }
        for (key, value) in pairs {
            guard let name = document.text(key) else { throw document.graphKey(at: classes) }
            guard let stored = GraphJSONName.unescaped(name) else { throw document.graphName(name, at: classes) }
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
                        "graph.class-name", "\"name\" is not a string; expected the name of the class", at: id)
                }
                name = Array(text)
            case "chain": chain = try names(value, id)
            case "hints": hints = try names(value, id)
            default:
                throw document.graphProblem(
                    "graph.class-member", "a class description has members other than name, chain and hints", at: id)
            }
        }
        return Description(name: name, chain: chain, hints: hints)
    }

    /// Returns a list of names, or nil for null.
    private func names(_ id: ObjectID, _ container: ObjectID) throws(Problem) -> [[UInt16]]? {
        if case .null = document[id] { return nil }
        guard case .array(let elements) = document[id] else { throw document.graphChain(at: container) }
        let names = elements.compactMap { document.text($0) }.map { Array($0) }
        guard names.count == elements.count else { throw document.graphChain(at: container) }
        return names
    }

    // MARK: Records

    /// Returns the class with a label, or nil if it is neither described nor known.
    mutating func find(_ label: ObjectID, _ text: StoredString, in builder: inout KeyedArchiveBuilder) -> ResolvedClass?
    {
        if positions[label.index] > 0 { return known[Int(positions[label.index]) - 1] }
        guard let record = record(Array(text), in: &builder) else { return nil }
        let found = ResolvedClass(name: text, record: record, layout: layout(Array(text)))
        known.append(found)
        positions[label.index] = UInt32(truncatingIfNeeded: known.count)
        return found
    }

    /// Returns the layout of the class with a label, or nil if it is not known.
    private func layout(_ label: [UInt16]) -> FoundationClass.Layout? {
        FoundationClass.named(String(decoding: descriptions[label]?.name ?? label, as: UTF16.self))?.layout
    }

    /// Whether `$classes` describes the class with a label.
    func isDescribed(_ label: [UInt16]) -> Bool { descriptions[label] != nil }

    /// Returns the record of the class with a label, or nil if it is neither described nor known.
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
