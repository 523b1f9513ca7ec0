import KeyedArchives
package import SaveCodec

/// The bytes that a checksum covers in a save.
///
/// For a dictionary or an array, the covered bytes are its text, without the checksum if that is inside. Games write
/// this text in different ways. The checksum that a game has stored shows which: see ``form(of:)``.
///
///     {"gems": 7, "hash": "8aecd9…"}        the save
///     {"gems":7}                            the text that the game has hashed
package struct CoveredBytes: Sendable {
    /// The way in which a game writes the text of a container.
    package enum Form: Sendable, Equatable {
        /// The text of the container as it is in the file. For the root of a format other than JSON, the whole file.
        case written
        /// JSON that is written for the checksum.
        case json(JSONSpelling)
    }

    private enum Piece: Sendable {
        case bytes([UInt8])
        /// The text of a container.
        case text([UInt8], isJSON: Bool)
    }

    private let algorithm: DigestAlgorithm
    private let limits: Limits
    private var pieces: [Piece] = []

    /// Collects the bytes that a checksum covers.
    ///
    /// - Parameter file: The file that holds the save, with its layers.
    /// - Throws: `fixup.covered` if a covered value has no bytes.
    package init(of update: ChecksumUpdate, in save: Save, file: [UInt8]) throws(Problem) {
        (algorithm, limits) = (update.algorithm, save.limits)
        for part in update.parts {
            switch part {
            case .bytes(let bytes): pieces.append(.bytes(bytes))
            case .file: pieces.append(.bytes(file))
            case .stretch(let from, let to):
                let (start, end) = (from.inFile(of: file.count), to?.inFile(of: file.count) ?? file.count)
                guard 0 <= start, start <= end, end <= file.count else {
                    let size = Phrase.count(file.count, "byte")
                    throw Problem(
                        "fixup.covered",
                        to == nil
                            ? "the file has \(size); none follow byte \(from.number)"
                            : "the file has \(size); it has no bytes from \(from.number) to \(to?.number ?? 0)")
                }
                pieces.append(.bytes(Array(file[start..<end])))
            case .contents: pieces.append(.bytes(save.bytes))
            case .value(let address): pieces.append(try Self.piece(at: address, in: save, without: update.address))
            }
        }
    }

    private static func piece(
        at address: JSONPointer, in save: Save, without checksum: JSONPointer?
    ) throws(Problem) -> Piece {
        guard case .found(let id, let view) = save.view.find(address) else {
            throw Problem("fixup.covered", "the value does not exist", address: address)
        }
        switch view.scalar(id) {
        case .data(let bytes)?: return .bytes(Array(bytes))
        case .string(let text)?:
            if let bytes = text.utf8Bytes { return .bytes(bytes) }
            throw Problem(
                "fixup.covered", "the string has a lone surrogate; a checksum needs valid UTF-8", address: address)
        case let node?:
            throw Problem(
                "fixup.covered",
                "found \(TypePhrase.of(node)); a checksum covers data, a string, a dictionary or an array",
                address: address)
        case nil:
            guard view === save.view, let text = try save.text(at: address, without: checksum) else {
                throw Problem(
                    "fixup.covered",
                    "found a container; a checksum covers data, a string or the root, and other containers only in plain JSON",
                    address: address)
            }
            return .text(text, isJSON: save.format.has(.typedJSON))
        }
    }

    /// The forms that the covered containers can have, the most likely one first.
    private var forms: [Form] {
        let hasJSON = pieces.contains { if case .text(_, isJSON: true) = $0 { true } else { false } }
        return hasJSON ? Self.jsonForms : [.written]
    }

    private static let jsonForms: [Form] = [
        .json(JSONSpelling()), .written, .json(JSONSpelling(isSpaced: true)), .json(JSONSpelling(isSorted: true)),
        .json(JSONSpelling(isSorted: true, isASCII: true)), .json(JSONSpelling(isSpaced: true, isSorted: true)),
        .json(JSONSpelling(isSpaced: true, isSorted: true, isASCII: true)), .json(JSONSpelling(isASCII: true)),
        .json(JSONSpelling(isSpaced: true, isASCII: true)),
    ]

    /// The form to use if the stored checksum shows none: JSON without white space.
    package var usualForm: Form { forms[0] }

    /// Whether only a stored checksum shows which form a game uses.
    package var hasSeveralForms: Bool { forms.count > 1 }

    /// Returns the form that has the stored checksum; nil if no form has it.
    package func form(of stored: StoredChecksum) throws(Problem) -> Form? {
        // Rendering and hashing a spelling takes longer than reading the file.
        let mayNeedEscapes = pieces.contains { if case .text(let text, _) = $0 { text.mayNeedEscapes } else { false } }
        for form in forms {
            if case .json(let spelling) = form, spelling.isASCII, !mayNeedEscapes { continue }
            if stored.isSame(as: try checksum(as: form)) { return form }
        }
        return nil
    }

    /// Returns the checksum of the bytes.
    package func checksum(as form: Form) throws(Problem) -> Checksum {
        var bytes: [UInt8] = []
        for piece in pieces {
            switch (piece, form) {
            case (.bytes(let part), _): bytes += part
            case (.text(let text, isJSON: true), .json(let spelling)):
                bytes += try spelling.text(of: text, limits: limits)
            case (.text(let text, _), _): bytes += text
            }
        }
        return Checksum(algorithm, of: bytes.span)
    }
}

extension [UInt8] {
    /// Whether a JSON text may have characters that some libraries escape: outside ASCII, U+007F, or escaped already.
    fileprivate var mayNeedEscapes: Bool {
        var previous: UInt8 = 0
        for byte in self {
            if byte >= 0x7F || previous == UInt8(ascii: "\\") && byte == UInt8(ascii: "u") { return true }
            previous = byte
        }
        return false
    }
}

extension Save {
    /// Returns the text of the container at an address, without a given value inside it. For the root of a binary file,
    /// this is the whole file. Returns nil for any other container without a text.
    fileprivate func text(at address: JSONPointer, without value: JSONPointer?) throws(Problem) -> [UInt8]? {
        let save = try value.map { value throws(Problem) in try removing(value, from: address) } ?? self
        guard format.has(.typedJSON), !isGraphJSON, let (document, map) = try save.readMapped(),
            let path = ResolvedAddress(address, in: save.view)
        else { return address.tokens.isEmpty ? save.bytes : nil }
        guard case .slot(let last) = path.end else { return Array(map.text[map.root]) }
        var container = document.root
        for position in path.positions {
            container = document.member(position, of: document.object(container))
        }
        return Array(map.text[map.value(last, of: container)])
    }

    /// Returns the save without a value if that is inside a container; otherwise the save itself.
    private func removing(_ value: JSONPointer, from container: JSONPointer) throws(Problem) -> Save {
        guard value.tokens.count > container.tokens.count, value.tokens.starts(with: container.tokens),
            let slot = EditSlot(value, in: view), case .slot = slot.path.end
        else { return self }
        var draft = Draft(view)
        try draft.noteRemoval(at: slot)
        return try reopened(with: edited(to: draft.editedView(limits: limits)).bytes())
    }
}
