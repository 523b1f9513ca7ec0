package import SaveCodec

/// The values that graph JSON describes, and where in its text they stand: what addresses of the archive lead to, found
/// in the text, without making the archive.
///
///     {…, "$top": {"root": {"$class": "Map", "size": {"$object": 3}, "list": [{"$ref": 1}]}}}
///                           /root            /root/size              /root/list/0: the object with the $id 1
package final class GraphTree: PlacedTree {
    /// Where the contents of a value are.
    private enum Layout {
        case none
        case elements(ObjectID)
        case members(ObjectID)
        /// An array of arrays, each a key and a value.
        case pairs(ObjectID)
    }

    private let document: Document
    private let map: SourceMap
    /// The objects that a `$ref` leads to.
    private var numbered: [Int128: PlacedValue] = [:]
    /// The layout that was asked for last.
    private var latest: (id: Int, layout: Layout)?

    package init(_ document: Document, _ map: SourceMap) {
        self.document = document
        self.map = map
        for index in 0..<document.count { note(in: ObjectID(index)) }
        noteShared()
    }

    package var lastRepeatedKeyWins: Bool { document.lastRepeatedKeyWins }

    package var root: PlacedValue {
        guard let top = document.position(of: "$top", in: document.object(document.root)) else {
            return PlacedValue(id: document.root.index, offset: map.root.lowerBound, keyOffset: nil)
        }
        return value(top, of: document.root)
    }

    package func contents(of id: Int) -> PlacedContents {
        switch layout(of: id) {
        case .none: .none
        case .elements(let list): .elements(document.object(list).count)
        case .members(let list), .pairs(let list): .members(document.object(list).count)
        }
    }

    package func token(to position: Int, of id: Int) -> AddressToken? {
        switch layout(of: id) {
        case .none, .elements: return nil
        case .members(let dictionary):
            let key = document[document.key(position, of: document.object(dictionary))]
            guard case .string(let text) = key, text.count > 0, text[0] == 0x24 else {
                return AddressToken(key: key, at: position)
            }
            return GraphMembers.isForm(text) ? nil : AddressToken(text.dropFirst())
        case .pairs(let list):
            guard let pair = pair(position, of: list) else { return nil }
            return AddressToken(key: document[ObjectID(value(0, of: pair).id)], at: position)
        }
    }

    package func value(at position: Int, of id: Int) -> PlacedValue {
        switch layout(of: id) {
        case .none: return PlacedValue(id: id, offset: 0, keyOffset: nil)
        case .elements(let list): return value(position, of: list)
        case .members(let dictionary):
            return value(position, of: dictionary, key: map.key(position, of: dictionary))
        case .pairs(let list):
            guard let pair = pair(position, of: list) else { return value(position, of: list) }
            return value(1, of: pair, key: map.value(0, of: pair))
        }
    }

    package func className(of id: Int) -> PlacedValue? {
        let object = document.object(ObjectID(id))
        guard object.kind == .dictionary else { return nil }
        return document.position(of: "$class", in: object).map { value($0, of: ObjectID(id)) }
    }

    // MARK: The form

    private func layout(of id: Int) -> Layout {
        if let latest, latest.id == id { return latest.layout }
        let layout = findLayout(of: ObjectID(id))
        latest = (id, layout)
        return layout
    }

    private func findLayout(of id: ObjectID) -> Layout {
        let object = document.object(id)
        guard object.kind == .dictionary else { return object.kind.isContainer ? .elements(id) : .none }
        if let list = document.value(for: "$elements", of: object), document.object(list).kind == .array {
            return .elements(list)
        }
        let list = document.value(for: "$entries", of: object) ?? document.value(for: "$fields", of: object)
        // A value that stands in $raw may have any member.
        switch list.map({ document.object($0).kind }) {
        case .dictionary?: return .members(list ?? id)
        case .array?: return .pairs(list ?? id)
        default: return .members(id)
        }
    }

    private func pair(_ position: Int, of list: ObjectID) -> ObjectID? {
        let pair = document.reference(position, of: document.object(list))
        let object = document.object(pair)
        return object.kind == .array && object.count == 2 ? pair : nil
    }

    /// Forms stand within each other no deeper than this: `{"$inline": {"$ref": 1}}` at most.
    private static let deepestForm = 4

    /// The value in a slot: what a form such as `{"$object": 5}` says, and the object that a `$ref` leads to.
    private func value(_ position: Int, of container: ObjectID, key: Range<Int>? = nil) -> PlacedValue {
        let stored = document.object(container)
        var id =
            document.member(position, of: stored)
        var offset = map.value(position, of: container).lowerBound
        for _ in 0..<Self.deepestForm {
            let object = document.object(id)
            guard object.kind == .dictionary else { break }
            if let number = document.value(for: "$ref", of: object), let target = self.target(of: number) {
                (id, offset) = (ObjectID(target.id), target.offset)
            } else if let inner = wrapped(object) {
                id = inner
            } else {
                break
            }
        }
        return PlacedValue(id: id.index, offset: offset, keyOffset: key?.lowerBound)
    }

    private func wrapped(_ object: StoredObject) -> ObjectID? {
        guard object.count <= 2 else { return nil }
        return document.value(for: "$object", of: object) ?? document.value(for: "$inline", of: object)
            ?? document.value(for: "$raw", of: object)
    }

    private func target(of number: ObjectID) -> PlacedValue? {
        guard case .integer(let integer) = document[number] else { return nil }
        return numbered[integer.value]
    }

    // MARK: Numbers

    /// Notes the objects with a number among the contents of a container.
    private func note(in container: ObjectID) {
        let stored = document.object(container)
        guard stored.kind.isContainer else { return }
        for position in 0..<stored.count {
            let id = document.member(position, of: stored)
            let object = document.object(id)
            guard object.kind == .dictionary, let number = document.value(for: "$id", of: object),
                case .integer(let integer) = document[number]
            else { continue }
            let offset = map.value(position, of: container).lowerBound
            numbered[integer.value] = PlacedValue(id: id.index, offset: offset, keyOffset: nil)
        }
    }

    /// Notes the objects that stood too deep, each under its number.
    private func noteShared() {
        guard let shared = document.value(for: "$shared", of: document.object(document.root)),
            case let stored = document.object(shared), stored.kind == .dictionary
        else { return }
        for position in 0..<stored.count {
            let name = document.text(document.key(position, of: stored))
            guard let number = name.flatMap({ Int128($0.string) }) else { continue }
            numbered[number] = PlacedValue(
                id: document.value(position, of: stored).index,
                offset: map.value(position, of: shared).lowerBound, keyOffset: nil)
        }
    }
}
