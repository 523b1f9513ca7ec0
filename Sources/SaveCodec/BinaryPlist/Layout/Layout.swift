/// What a binary file holds beside its value: all that is needed to make the same bytes again from the value alone
/// (see <doc:BinaryFormat>).
///
/// Nearly everything can be derived: the order of objects from the way a known writer works, the sizes of references and
/// offsets from their number. What is left are the scalars that are equal and yet separate objects, which
/// ``IdentityPredictor`` guesses so well that only its mistakes are recorded, and numbers or strings stored in a longer
/// form than they need.
struct Layout: Equatable {
    /// The order of the object table.
    var traversal: ObjectOrder.Traversal
    /// Sizes and idle bytes, where they are not what follows from the rest.
    var choices: BinaryPlistWriter.Choices
    /// Where the guess at which equal scalars are one object fails: LEB128 pairs of how many scalars are guessed right
    /// before, and what is right instead.
    var identity: [UInt8]
    /// Where a scalar is not stored in its shortest form: LEB128 pairs of how many scalars are before, and the form.
    var forms: [UInt8]
    /// The digest of the file, which tells whether the value has been edited since.
    var digest: UInt64
}

extension Layout {
    /// The layout of a document read from a binary file, or nil if it cannot be derived from the value: containers are
    /// shared, objects overlap, or the order is that of no known writer.
    init?(of document: Document) {
        guard let (traversal, choices) = Self.order(of: document), let scalars = ScalarSequence(of: document) else {
            return nil
        }
        self.traversal = traversal
        self.choices = choices
        identity = scalars.identity
        forms = scalars.forms
        digest = Digest.of(document.image)
        guard let rebuilt = applied(to: scalars.value), rebuilt == document.image else { return nil }
    }

    /// The bytes of the file whose value and layout these are, or nil if the value does not fit the layout (any more).
    func applied(to value: Document) -> [UInt8]? {
        guard let document = ScalarSequence.document(value, identity: identity, forms: forms),
            let order = ObjectOrder(document, traversal)
        else { return nil }
        var output = ByteWriter()
        BinaryPlistWriter(document, in: order, choices: choices).write(to: &output)
        let bytes = output.takeBytes()
        return Digest.of(bytes) == digest ? bytes : nil
    }

    /// The first traversal that reproduces the document's bytes, and the choices beside it.
    private static func order(of document: Document) -> (ObjectOrder.Traversal, BinaryPlistWriter.Choices)? {
        let table = document.table
        guard table.referenceSize <= 8, table.offsetSize <= 8 else { return nil }
        let choices = BinaryPlistWriter.Choices(
            referenceSize: table.referenceSize == BinaryPlistWriter.size(for: table.count) ? nil : table.referenceSize,
            offsetSize: table.offsetSize == BinaryPlistWriter.size(for: table.start) ? nil : table.offsetSize,
            version: document.image[7],
            unused: Trailer(of: document.image).unused)
        for traversal in ObjectOrder.Traversal.allCases {
            guard let order = ObjectOrder(document, traversal), order.entries.count == table.count else { continue }
            var output = ByteWriter()
            BinaryPlistWriter(document, in: order, choices: choices).write(to: &output)
            if output.takeBytes() == document.image { return (traversal, choices) }
        }
        return nil
    }
}

/// A fingerprint of bytes: FNV-1a of 64 bits. It tells edits, not forgeries.
package struct Digest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    package static func of(_ bytes: [UInt8]) -> UInt64 {
        var digest = Digest()
        digest.add(bytes.span)
        return digest.value
    }

    var value: UInt64 { state }

    mutating func add(_ bytes: Span<UInt8>) {
        for index in bytes.indices { state = (state ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
    }
}
