import KeyedArchives
import SaveCodec

/// The steps from the root to a value, as an immutable linked list.
///
/// Appending shares the existing steps, so it takes constant time and memory.
struct StepChain<Element: Sendable>: Sendable {
    private let last: Link?

    static var empty: StepChain { StepChain(last: nil) }

    private init(last: Link?) {
        self.last = last
    }

    var isEmpty: Bool { last == nil }

    func appending(_ step: Element) -> StepChain {
        StepChain(last: Link(step, after: last))
    }

    /// The steps, starting at the root.
    var steps: [Element] {
        var steps: [Element] = []
        var link = last
        while let step = link {
            steps.append(step.step)
            link = step.parent
        }
        return steps.reversed()
    }

    /// A step and the steps before it. `parent` changes only while a link is released, so threads may share links.
    ///
    /// Sound: `step` is immutable. `parent` changes only during a `deinit`: in the link's own, when no other reference
    /// to the link exists, or in a later link's, after `isKnownUniquelyReferenced` has shown that no other reference
    /// exists.
    private final class Link: @unchecked Sendable {
        let step: Element
        private(set) var parent: Link?

        init(_ step: Element, after parent: Link?) {
            self.step = step
            self.parent = parent
        }

        /// Releases the previous links in a loop, because a recursive release would use stack for every step.
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
typealias CodingSteps = StepChain<ArchiveCodingKey>

extension StepChain<ArchiveCodingKey> {
    init(_ address: JSONPointer) {
        self = address.tokens.indices.reduce(.empty) { steps, depth in
            steps.appending(ArchiveCodingKey(address, at: depth))
        }
    }

    var address: JSONPointer { JSONPointer(codingPath: steps) }
}

/// A key of a coding path: a name or an index, and its token in an address.
struct ArchiveCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?
    /// The token if it differs from the name or the index.
    ///
    /// A special token is the code units of a key that no `String` can hold, the stored name of a field, or the token
    /// of a non-string key, such as `=5`.
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

    init(_ address: JSONPointer, at depth: Int) {
        self.init(address.token(at: depth))
    }

    /// Returns the key of a field or a root, with its stored name as the token.
    static func field(_ name: String) -> ArchiveCodingKey {
        let stored = FieldNameEscaping.stored(name)
        return ArchiveCodingKey(name, token: stored == name ? nil : AddressToken(stored.utf16))
    }

    static func pair(key: any Encodable, at position: Int) -> ArchiveCodingKey {
        if let text = key as? String { return ArchiveCodingKey(stringValue: text) }
        let node = (key as? any ArchivedScalar)?.scalar?.keyNode
        return ArchiveCodingKey(AddressToken(key: node, at: position))
    }

    /// Appends the token of the key to an address.
    fileprivate func append(to address: inout JSONPointer) {
        switch special {
        case let token?: address.append(token)
        case nil: address.append(key: stringValue.utf16)
        }
    }

    /// The key of the fields that a superclass encodes separately.
    static let `super` = ArchiveCodingKey(stringValue: "super")
}

extension JSONPointer {
    /// Creates the address of a coding path. Some of its keys may have a type of the program that uses the library.
    init(codingPath: [any CodingKey]) {
        self = .root
        for key in codingPath {
            if let key = key as? ArchiveCodingKey { key.append(to: &self) } else { append(key: key.stringValue.utf16) }
        }
    }
}

extension Scalar {
    /// The scalar as the key of a pair; nil for a scalar that has no token such as `=5`.
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

/// The stored names of fields (see <doc:ArchiveFormat>). Stored names that begin with exactly one `$` are reserved for
/// the archiver, so a name that begins with `$` is stored with another `$` in front.
enum FieldNameEscaping {
    static func stored(_ name: String) -> String {
        name.utf8.first == UInt8(ascii: "$") ? "$" + name : name
    }

    static func read(_ stored: String) -> String {
        stored.hasPrefix("$$") ? String(stored.dropFirst()) : stored
    }
}
