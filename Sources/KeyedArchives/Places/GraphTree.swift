package import SaveCodec

/// The values that graph JSON describes, with their places in its text: the archive's addresses are found in the text,
/// and the archive is not made.
///
///     {…, "$top": {"root": {"$class": "Map", "size": {"$object": 3}, "list": [{"$ref": 1}]}}}
///                           /root            /root/size              /root/list/0: the object with the $id 1
package final class GraphTree: PlacedTree {
    private let document: Document
    private let map: SourceMap
    private var shapes = GraphShapes()
    /// The objects that a `$ref` leads to.
    private var numbered: [Int128: PlacedValue] = [:]
    /// The containers in `$raw`.
    private var raw: Bitmap
    /// The contents that were asked for last.
    private var latest: (id: Int, contents: GraphContents?)?

    package init(_ document: Document, _ map: SourceMap) {
        self.document = document
        self.map = map
        raw = Bitmap(count: document.count)
        survey()
        addShared()
    }

    package var lastRepeatedKeyWins: Bool { document.lastRepeatedKeyWins }

    package var root: PlacedValue {
        guard let top = GraphObject(document.root, in: document).position(of: .top) else {
            return PlacedValue(id: document.root.index, offset: map.root.lowerBound, keyOffset: nil)
        }
        return value(top, of: document.root)
    }

    package func contents(of id: Int) -> PlacedContents {
        switch graphContents(of: id) {
        case nil: .none
        case .elements(let list): .elements(document.object(list).count)
        case .fields(let object): .members(object.count)
        case .entries(let list), .rawMembers(let list), .fieldPairs(let list), .entryPairs(let list):
            .members(document.object(list).count)
        }
    }

    package func token(to position: Int, of id: Int) -> AddressToken? {
        guard let contents = graphContents(of: id) else { return nil }
        let key: ObjectID
        switch contents {
        case .elements: return nil
        case .fields(let object): key = document.key(position, of: document.object(object.id))
        case .entries(let list), .rawMembers(let list): key = document.key(position, of: document.object(list))
        case .fieldPairs(let list), .entryPairs(let list):
            guard let pair = document.graphPair(document.reference(position, of: document.object(list))) else {
                return nil
            }
            key = document.unwrapping(pair.key).id
        }
        guard let name = document.text(key) else { return AddressToken(key: document[key], at: position) }
        return contents.storedName(name).map { AddressToken($0) }
    }

    package func value(at position: Int, of id: Int) -> PlacedValue {
        switch graphContents(of: id) {
        case nil: return PlacedValue(id: id, offset: 0, keyOffset: nil)
        case .elements(let list): return value(position, of: list)
        case .fields(let object): return value(position, of: object.id, key: map.key(position, of: object.id))
        case .entries(let list), .rawMembers(let list):
            return value(position, of: list, key: map.key(position, of: list))
        case .fieldPairs(let list), .entryPairs(let list):
            let pair = document.reference(position, of: document.object(list))
            guard document.graphPair(pair) != nil else { return value(position, of: list) }
            return value(1, of: pair, key: map.value(0, of: pair))
        }
    }

    package func className(of id: Int) -> PlacedValue? {
        guard !raw.contains(id), document.object(ObjectID(id)).kind == .dictionary else { return nil }
        return GraphObject(ObjectID(id), in: document).position(of: .className).map { value($0, of: ObjectID(id)) }
    }

    private func graphContents(of id: Int) -> GraphContents? {
        if let latest, latest.id == id { return latest.contents }
        let contents = GraphContents(of: ObjectID(id), in: document, isRaw: raw.contains(id))
        latest = (id, contents)
        return contents
    }

    /// The value in a slot, without `$inline`, `$object` and `$raw`, or the object that a `$ref` there leads to.
    private func value(_ position: Int, of container: ObjectID, key: Range<Int>? = nil) -> PlacedValue {
        var id = document.member(position, of: document.object(container))
        var offset = map.value(position, of: container).lowerBound
        if !raw.contains(container.index) {
            if case .ref(let reference) = document.soleForm(of: id), case .integer(let number) = document[reference],
                let target = numbered[number.value]
            {
                (id, offset) = (ObjectID(target.id), target.offset)
            }
            id = document.unwrapping(id).id
        }
        return PlacedValue(id: id.index, offset: offset, keyOffset: key?.lowerBound)
    }

    // MARK: Numbers

    /// Finds the objects with a number, and what is in `$raw`.
    private func survey() {
        var pending = [document.root]
        while let container = pending.popLast() {
            let stored = document.object(container)
            let isRaw = raw.contains(container.index)
            for position in 0..<stored.count {
                let id = document.member(position, of: stored)
                guard let child = document.container(id) else { continue }
                pending.append(id)
                if isRaw { raw.insert(id.index) }
                guard child.kind == .dictionary, !raw.contains(id.index) else { continue }
                let object = shapes.object(id, in: document)
                if let number = object.number {
                    let offset = map.value(position, of: container).lowerBound
                    numbered[number] = PlacedValue(id: id.index, offset: offset, keyOffset: nil)
                }
                if case .raw(let value) = object.form { raw.insert(value.index) }
            }
        }
    }

    /// Adds the objects in `$shared`, each under its number.
    private func addShared() {
        guard let shared = GraphObject(document.root, in: document)[.shared],
            case let stored = document.object(shared), stored.kind == .dictionary
        else { return }
        for position in 0..<stored.count {
            guard let number = document.sharedNumber(document.key(position, of: stored)) else { continue }
            numbered[number] = PlacedValue(
                id: document.value(position, of: stored).index,
                offset: map.value(position, of: shared).lowerBound, keyOffset: nil)
        }
    }
}
