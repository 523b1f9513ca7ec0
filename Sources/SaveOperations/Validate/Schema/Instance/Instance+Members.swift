import KeyedArchive
import SaveCodec

/// Members of objects and elements of arrays.
extension Instance {
    /// How many members an object has, `$class` included.
    func memberCount(_ contents: ViewContents, _ classPosition: Int?) -> Int {
        contents.count + (classPosition == nil ? 0 : 1)
    }

    /// The member at a position; `$class` is the last.
    func member(_ position: Int, of contents: ViewContents, _ classPosition: Int?) -> (
        name: InstanceID, value: InstanceID
    ) {
        guard position < contents.count else { return (.classKey, .className(classPosition ?? 0)) }
        let item = item(position, of: contents)
        guard let key = item.key else { return (.classKey, .value(item.id)) }
        return (isText(key) ? .value(key) : .name(key), .value(item.id))
    }

    /// The element at a position.
    func element(_ position: Int, of contents: ViewContents) -> InstanceID {
        .value(item(position, of: contents).id)
    }

    /// The code units of a name.
    func units(ofName id: InstanceID) -> [UInt16] {
        if case .string(let text) = value(id) { text.units } else { [] }
    }

    /// What a step of an address leads to from a value; nil for nothing.
    func step(by token: [UInt16], from id: InstanceID) -> InstanceID? {
        switch value(id) {
        case .array(let contents):
            guard let position = Int(String(decoding: token, as: UTF16.self)), position >= 0,
                position < contents.count
            else { return nil }
            return element(position, of: contents)
        case .object(let contents, let classPosition):
            return member(token, of: contents, classPosition)
        default: return nil
        }
    }

    /// The value of a member by name: of a repeated one that which the document's format takes.
    func member(_ name: [UInt16], of contents: ViewContents, _ classPosition: Int?) -> InstanceID? {
        let positions = 0..<memberCount(contents, classPosition)
        func hasName(_ position: Int) -> Bool {
            let id = member(position, of: contents, classPosition).name
            if case .value(let key) = id, let text = view.text(key) { return text.elementsEqual(name) }
            return units(ofName: id) == name
        }
        let found =
            view.document.lastRepeatedKeyWins ? positions.last(where: hasName) : positions.first(where: hasName)
        return found.map { member($0, of: contents, classPosition).value }
    }
}
