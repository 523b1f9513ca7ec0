import KeyedArchives
import SaveCodec

/// The value graph as JSON Schema sees it. Every look takes constant time, but for names of keys that are no strings.
extension ObjectView {
    /// The value as JSON.
    func json(_ id: ViewID) -> JSONValue {
        guard let object = scalarObject(id) else { return JSONValue(self[id]) }
        return JSONValue(document.node(object))
    }

    /// A value or a name as JSON.
    func json(_ subject: Subject) -> JSONValue {
        subject.isName ? .scalar(.string(name(of: subject.id))) : json(subject.id)
    }

    /// The element at a position of an array.
    func element(_ position: Int, of contents: ViewContents) -> ViewID {
        item(position, of: contents).id
    }

    /// The key of the member at a position of an object.
    func key(_ position: Int, of members: JSONMembers) -> ViewID {
        guard position < members.contents.count else { return classKey(of: members.contents) ?? root }
        let item = item(position, of: members.contents)
        return item.key ?? item.id
    }

    /// The member at a position of an object: its key, and the value or the name of the class.
    func member(_ position: Int, of members: JSONMembers) -> (key: ViewID, value: Subject) {
        if position == members.contents.count, let archive, let number = members.classPosition {
            return (key(position, of: members), Subject(name: id(of: archive.classes[number].uid)))
        }
        let item = item(position, of: members.contents)
        return (item.key ?? item.id, Subject(item.id))
    }

    /// The name that a key is in JSON: its text, or that of its plain JSON. The name of a class's record is that of the
    /// class; of any other container, its number.
    func name(of key: ViewID) -> JSONText {
        switch json(key) {
        case .scalar(.null): .units(Array("null".utf16))
        case .scalar(.boolean(let value)): .units(Array("\(value)".utf16))
        case .scalar(.number(let number)): .units(Array(number.description.utf16))
        case .scalar(.string(.data(let bytes))): .units(JSONText.data(bytes).units)
        case .scalar(.string(let text)): text
        case .array, .object: nameOfClass(withRecord: key).map { .text($0) } ?? .units(Array("#\(key.index)".utf16))
        }
    }

    private func nameOfClass(withRecord id: ViewID) -> StoredString? {
        guard let archive, let uid = uid(id), case .classRecord(let number) = archive.role(of: uid) else { return nil }
        return archive.classes[number].name
    }

    /// The value that a token of an address leads to; nil if there is none.
    func member(named token: AddressToken, of id: ViewID) -> ViewID? {
        let target = target(of: token, in: id) ?? positionOfOtherKey(named: token, in: self[id]).map { .slot($0) }
        return target.flatMap { value(at: $0, of: id) }
    }

    /// The position of a key that is no string, and has a name all the same.
    private func positionOfOtherKey(named token: AddressToken, in value: ViewValue) -> Int? {
        guard !token.isForm, ContainerKind(value.form)?.isKeyed ?? false else { return nil }
        func hasName(_ position: Int) -> Bool {
            guard let key = item(position, of: value.contents).key, text(key) == nil else { return false }
            return self.name(of: key).units == token.units
        }
        let positions = 0..<value.contents.count
        return document.lastRepeatedKeyWins ? positions.last(where: hasName) : positions.first(where: hasName)
    }

    /// The save in data; nil if there is none, if it is damaged, and for other values.
    func content(of id: ViewID) -> ObjectView? {
        (try? nestedSave(in: id))?.view
    }

    // MARK: Costs

    /// Whether looking at a value may take longer than looking up an answer: containers, objects of an archive and long
    /// texts. Does not look at the value.
    func isLarge(_ id: ViewID) -> Bool {
        classPosition(of: id) != nil || document.object(stored(id)).isLarge
    }

    /// The number of references, units or bytes that are stored in place for a value.
    func weight(_ id: ViewID) -> Int {
        document.object(stored(id)).count
    }
}

extension StoredObject {
    /// Whether looking at the object may take longer than looking up an answer. A UID is an object in JSON.
    var isLarge: Bool {
        switch kind {
        case .array, .set, .dictionary, .uid: true
        default: count > Self.longestSmall
        }
    }

    /// The longest text that is looked at as fast as an answer is looked up.
    private static let longestSmall = 64
}
