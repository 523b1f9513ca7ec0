import KeyedArchives
import SaveCodec

/// The values of a patch, on their way into a draft.
struct PatchValues {
    /// A value of the draft, and whether it is to stand in place; nil for as it comes.
    typealias Value = (id: Draft.ID, isInPlace: Bool?)

    private let document: Document
    private let ids: [ObjectID]
    /// The values in an archive of their own, of a patch for an archive.
    private let graph: GraphValues?
    /// The number that the draft knows the values by.
    private let source: Int
    private var isInPlace: [Bool?] = []

    /// Reads values.
    ///
    /// - Parameter tops: the numbers of those that take the place of the roots of an archive.
    init(_ ids: [ObjectID], tops: Set<Int>, in document: Document, for draft: inout Draft) throws(Problem) {
        self.document = document
        guard let archive = draft.view.archive else {
            self.ids = ids
            graph = nil
            source = draft.addSource(ObjectView(document))
            return
        }
        var bare: [ObjectID] = []
        for id in ids {
            let object = document.soleMember("$object", of: id)
            let inline = document.soleMember("$inline", of: id)
            isInPlace.append(object != nil ? false : inline != nil ? true : nil)
            bare.append(object ?? id)
        }
        self.ids = bare
        let places = bare.enumerated().map { GraphValues.Slot($1, isTop: tops.contains($0)) }
        let graph = try GraphValues(places, in: document, classes: archive.classes)
        self.graph = graph
        source = draft.addSource(graph.view)
    }

    /// Where a value stands in the patch.
    func id(_ number: Int) -> ObjectID { ids[number] }

    /// Adds a value to the draft. Objects that it has the addresses of are those which the draft has now.
    func add(_ number: Int, to draft: inout Draft) throws(Problem) -> Value {
        guard let graph else {
            return (try draft.importValue(ObjectView(document).id(stored: ids[number]), of: source), nil)
        }
        var objects: [Int: Draft.ID] = [:]
        for (placeholder, pointer) in pointers(in: number, graph) {
            guard let address = JSONPointer(units: pointer) else { throw .patchReference(pointer) }
            guard let object = draft.find(address) else { throw .patchNoObject(address) }
            objects[placeholder.index] = object
        }
        let id = try draft.importValue(graph.value(number), of: source) { objects[$0.index] }
        return (id, isInPlace[number])
    }

    /// The addresses in a value, and the objects that stand for what is there.
    private func pointers(in number: Int, _ graph: GraphValues) -> [(ViewID, StoredString)] {
        let view = graph.view
        var found: [(ViewID, StoredString)] = []
        var pending = [graph.value(number)]
        var seen = Set(pending)
        while let id = pending.popLast() {
            if let pointer = graph.pointer(id) {
                found.append((id, pointer))
                continue
            }
            let contents = view[id].contents
            for position in 0..<contents.count {
                let item = view.item(position, of: contents)
                for id in [item.key, item.id] {
                    if let id, view.scalar(id) == nil, seen.insert(id).inserted { pending.append(id) }
                }
            }
        }
        return found
    }
}

extension Document {
    /// The value of the only member of a dictionary, if it has this name.
    func soleMember(_ name: StaticString, of id: ObjectID) -> ObjectID? {
        let stored = object(id)
        guard stored.kind == .dictionary, stored.count == 1, text(object(key(0, of: stored)), equals: name) else {
            return nil
        }
        return value(0, of: stored)
    }
}
