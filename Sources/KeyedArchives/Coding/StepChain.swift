import SaveCodec

/// The steps from the root to a value, as an immutable linked list. Appending shares the existing steps, so it takes
/// constant time and memory.
struct StepChain<Element: Sendable>: Sendable {
    private let last: Link?

    /// The chain without steps.
    static var empty: StepChain { StepChain(last: nil) }

    private init(last: Link?) {
        self.last = last
    }

    var isEmpty: Bool { last == nil }

    func appending(_ step: Element) -> StepChain {
        StepChain(last: Link(step, behind: last))
    }

    /// The steps, from the root down.
    var steps: [Element] {
        var steps: [Element] = []
        var link = last
        while let step = link {
            steps.append(step.step)
            link = step.parent
        }
        return steps.reversed()
    }

    /// A step and those before it. `parent` changes only when the link goes, so links may be shared between threads.
    ///
    /// Sound: what a link holds changes only in deinit, where nobody else has it, and in that of another only where a link
    /// is known to be referenced by nobody else.
    private final class Link: @unchecked Sendable {
        let step: Element
        private(set) var parent: Link?

        init(_ step: Element, behind parent: Link?) {
            self.step = step
            self.parent = parent
        }

        /// Releases the links before this one in a loop: recursive release would use stack for every step.
        deinit {
            var next = parent
            parent = nil
            while isKnownUniquelyReferenced(&next) {
                let parent = next?.parent
                next?.parent = nil
                next = parent
            }
        }
    }
}

/// The steps from the root to a value that is being encoded.
typealias CodingSteps = StepChain<ArchiveKey>

extension StepChain<ArchiveKey> {
    /// The steps of an address.
    init(_ address: JSONPointer) {
        self = address.tokens.indices.reduce(.empty) { steps, depth in
            steps.appending(ArchiveKey(address, at: depth))
        }
    }

    var address: JSONPointer { JSONPointer(codingPath: steps) }
}

/// A key of a coding path: a name or an index, and the token that it is in an address.
struct ArchiveKey: CodingKey {
    let stringValue: String
    let intValue: Int?
    /// The token where it is not the name or the index itself: the code units of a key that no `String` holds, the stored
    /// name of a field, or a form such as `=5`.
    private let special: AddressToken?

    init(stringValue: String) {
        self.init(stringValue, token: nil)
    }

    init(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
        special = nil
    }

    init(_ name: String, token: AddressToken?) {
        stringValue = name
        intValue = nil
        special = token
    }

    private init(_ token: AddressToken) {
        self.init(String(decoding: token.units, as: UTF16.self), token: token)
    }

    /// The key of a step of an address.
    init(_ address: JSONPointer, at depth: Int) {
        self.init(address.token(at: depth))
    }

    /// The key of a field of an object or of a root, as it is stored.
    static func field(_ name: String) -> ArchiveKey {
        let stored = FieldName.stored(name)
        return ArchiveKey(name, token: stored == name ? nil : AddressToken(stored.utf16))
    }

    /// The key of the value of a pair in a dictionary.
    static func pair(key: any Encodable, at position: Int) -> ArchiveKey {
        if let text = key as? String { return ArchiveKey(stringValue: text) }
        let node = (key as? any ArchivedScalar)?.scalar?.keyNode
        return ArchiveKey(AddressToken(key: node, at: position))
    }

    /// The token that the key is in an address.
    fileprivate func append(to address: inout JSONPointer) {
        switch special {
        case let token?: address.append(token)
        case nil: address.append(key: stringValue.utf16)
        }
    }

    /// The key of what a superclass encodes on its own.
    static let `super` = ArchiveKey(stringValue: "super")
}

extension JSONPointer {
    /// The address of a coding path, which may end in keys of a program's own.
    init(codingPath: [any CodingKey]) {
        self = .root
        for key in codingPath {
            if let key = key as? ArchiveKey { key.append(to: &self) } else { append(key: key.stringValue.utf16) }
        }
    }
}

extension Scalar {
    /// The scalar as the key of a pair.
    fileprivate var keyNode: Node? {
        switch self {
        case .number(.boolean(let value)): .boolean(value)
        case .number(.integer(let value)): .integer(StoredInteger(value))
        case .number(.real64(let value)): .real64(value)
        case .date(let seconds): .date(seconds)
        case .number(.real32), .string, .data: nil
        }
    }
}

/// The names of fields as they are stored (see <doc:ArchiveFormat>): those with one `$` in front belong to the
/// archiver.
enum FieldName {
    static func stored(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "$") ? "$" + name : name
    }

    static func read(_ stored: String) -> String {
        stored.hasPrefix("$$") ? String(stored.dropFirst()) : stored
    }
}
