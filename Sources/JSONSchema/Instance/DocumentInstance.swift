package import SaveCodec

/// A document as a schema sees it: as its plain JSON, without writing it.
package final class DocumentInstance: Instance, Sendable {
    let document: Document
    private let content: (@Sendable (ObjectID) -> (any Instance)?)?

    /// - Parameter content: gives the save that data holds; nil if none is opened.
    package init(_ document: Document, content: (@Sendable (ObjectID) -> (any Instance)?)? = nil) {
        self.document = document
        self.content = content
    }

    package func content(of id: InstanceID) -> (any Instance)? {
        guard case .value(let index) = id else { return nil }
        return content?(ObjectID(index))
    }

    package var root: InstanceID { InstanceID(document.root) }
    package var count: Int { document.count }
    package var byteCount: Int { document.imageSize }
    package var lastRepeatedKeyWins: Bool { document.lastRepeatedKeyWins }

    package func value(_ id: InstanceID) -> InstanceValue {
        switch id {
        case .value(let index): InstanceValue(document.object(ObjectID(index)), in: document)
        case .name(let index): .string(.units(InstanceText.name(value(.value(index)), of: index)))
        case .className, .classKey: .null
        }
    }

    package func element(_ position: Int, of id: InstanceID) -> InstanceID {
        InstanceID(document.reference(position, of: document.object(stored(id))))
    }

    package func member(_ position: Int, of id: InstanceID) -> InstanceMember {
        let object = document.object(stored(id))
        let key = document.key(position, of: object)
        return InstanceMember(
            name: document.object(key).kind.isString ? InstanceID(key) : .name(key.index),
            value: InstanceID(document.value(position, of: object)))
    }

    package func isLarge(_ id: InstanceID) -> Bool {
        guard case .value(let index) = id else { return true }
        return document.object(ObjectID(index)).isLarge
    }

    package func weight(_ id: InstanceID) -> Int {
        document.object(stored(id)).count
    }

    package func form(of id: InstanceID) -> InstanceForm {
        let object = document.object(stored(id))
        return switch object.kind {
        case .array: .array
        case .set: .set
        case .dictionary: .dictionary
        default: .scalar(document.node(object))
        }
    }

    package func isObject(_ id: InstanceID) -> Bool? { nil }

    package func classNumber(of id: InstanceID) -> Int? { nil }

    package func classNames(_ number: Int) -> [StoredString] { [] }

    private func stored(_ id: InstanceID) -> ObjectID {
        switch id {
        case .value(let index), .name(let index): ObjectID(index)
        case .className, .classKey: document.root
        }
    }
}

extension InstanceID {
    /// The identity of a value of a document.
    init(_ id: ObjectID) {
        self = .value(id.index)
    }
}

extension StoredObject {
    /// Whether it may take longer to look at it than to look up an answer. A UID is an object, and so are containers.
    package var isLarge: Bool {
        switch kind {
        case .array, .set, .dictionary, .uid: true
        default: count > InstanceText.longest
        }
    }
}

extension InstanceValue {
    /// What an object of a document is as JSON.
    init(_ object: StoredObject, in document: Document) {
        switch object.kind {
        case .array, .set: self = .array(count: object.count)
        case .dictionary: self = .object(count: object.count)
        default: self.init(document.node(object))
        }
    }

    /// What a scalar is as JSON. A date is its text, and one that the calendar cannot tell its seconds since 2001; a UID
    /// is an object without members.
    package init(_ node: Node) {
        self =
            switch node {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer(let integer): .number(.integer(integer.value))
            case .real64(let value): value.isFinite ? .number(.real(value)) : .null
            case .real32(let value): value.isFinite ? .number(.single(value)) : .null
            case .date(let seconds): Self.date(seconds)
            case .data(let bytes): .string(.data(bytes))
            case .string(let text): .string(.text(text))
            case .uid, .array, .set, .dictionary: .object(count: 0)
            }
    }

    private static func date(_ seconds: Double) -> InstanceValue {
        if let text = ScalarText.date(seconds) { return .string(.units(Array(text.utf16))) }
        return seconds.isFinite ? .number(.real(seconds)) : .null
    }
}

extension InstanceText {
    /// The longest text that is looked at as fast as an answer is looked up.
    package static let longest = 64

    /// The name that a key is in JSON: its text, or that of its plain JSON.
    package static func name(_ key: InstanceValue, of index: Int) -> [UInt16] {
        switch key {
        case .null: Array("null".utf16)
        case .boolean(let value): Array("\(value)".utf16)
        case .number(let number): Array(number.description.utf16)
        case .string(let text): text.units
        case .array, .object: Array("#\(index)".utf16)
        }
    }
}
