/// The part of a binary file that does not follow from its value: everything needed to rebuild the same bytes from the
/// value alone (see <doc:BinaryFormat>).
///
/// Nearly everything can be derived. The object order follows from a known writer's algorithm, and the sizes of
/// references and offsets from the object count and the table's offset. The rest consists of two lists. One records
/// which equal scalars are separate objects, as the exceptions to the predictions of ``IdentityPredictor``. The other
/// records numbers and strings that are not in their shortest form.
struct BinaryPlistLayout: Equatable {
    /// The order of the object table.
    var traversal: ObjectOrder.Traversal
    /// The other choices of the file's writer. Sizes are nil if they are the defaults.
    var choices: BinaryPlistWriter.Choices
    /// The exceptions to the predicted identity of scalars, each as a pair in LEB128: the number of correct predictions
    /// before the exception, and the actual decision (0 for a new object, or the one-based ordinal of an existing one).
    var identity: [UInt8]
    /// The scalars not in their shortest form, each as a pair in LEB128: the number of scalars in their shortest form
    /// directly before it, and the ``ScalarStorage/code`` of its form.
    var forms: [UInt8]
    /// The digest of the file. If rebuilt bytes have another digest, the value was edited after the layout was
    /// recorded.
    var digest: UInt64
}

extension BinaryPlistLayout {
    /// Creates the layout of a document read from a binary file.
    ///
    /// Returns nil if the layout cannot be derived from the value, because containers are shared, objects overlap, or
    /// no known writer uses the order.
    init?(of document: Document) {
        guard let (traversal, choices) = Self.order(of: document), let scalars = ScalarSequence(of: document) else {
            return nil
        }
        self.traversal = traversal
        self.choices = choices
        identity = scalars.identity
        forms = scalars.forms
        digest = FNV1aHash.of(document.image)
        guard let rebuilt = applied(to: scalars.value), rebuilt == document.image else { return nil }
    }

    /// Returns the bytes of the file with this layout and the given value, or nil if the value does not fit the layout,
    /// for example after an edit.
    func applied(to value: Document) -> [UInt8]? {
        guard let document = ScalarSequence.document(value, identity: identity, forms: forms),
            let order = ObjectOrder(document, traversal)
        else { return nil }
        var output = ByteWriter()
        BinaryPlistWriter(document, in: order, choices: choices).write(to: &output)
        let bytes = output.takeBytes()
        return FNV1aHash.of(bytes) == digest ? bytes : nil
    }

    /// Returns the first traversal that reproduces the document's bytes, with the other choices of its writer.
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

// MARK: The record in an exact envelope

/// The layout data in `--exact` JSON: the ``BinaryPlistLayout`` of the original binary file or, if the layout cannot be
/// derived, the file itself.
///
///     {"profile": "cf", "identity": "BAEC", "forms": "", "digest": "9f0c…"}   members with default values are left out
///     {"profile": "raw", "bytes": "YnBsaXN0MDA…"}
enum LayoutRecord: Equatable {
    case derived(BinaryPlistLayout)
    case raw([UInt8])

    init(of document: Document) {
        self = BinaryPlistLayout(of: document).map(LayoutRecord.derived) ?? .raw(document.image)
    }

    /// Returns the binary file with the given value, or nil if the value has been edited since the record was made.
    ///
    /// - Throws: A problem if the file in the record is damaged.
    func file(for value: Document?, limits: Limits) throws(Problem) -> [UInt8]? {
        switch self {
        case .derived(let layout):
            return value.flatMap(layout.applied)
        case .raw(let bytes):
            guard let value else { return bytes }
            let stored = try BinaryPlist.read(bytes, limits: limits)
            return try Self.compact(value, limits) == Self.compact(stored, limits) ? bytes : nil
        }
    }

    /// Returns a value as compact JSON, which is the same for all documents with this value.
    private static func compact(_ value: Document, _ limits: Limits) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try JSON.write(value, to: &output, options: WriteOptions(isCompact: true), limits: limits)
        return output.takeBytes()
    }
}

// MARK: Conversion to and from a document

extension LayoutRecord {
    private static let rawProfile = "raw"
    private static let defaultVersion = UInt8(ascii: "0")
    private static let defaultUnused: [UInt8] = [0, 0, 0, 0, 0, 0]

    func document() throws(Problem) -> Document {
        var builder = DocumentBuilder()
        builder.open(.dictionary)
        switch self {
        case .raw(let bytes):
            builder.add(string: "profile")
            builder.add(string: Self.rawProfile)
            builder.add(member: "bytes", base64: bytes)
        case .derived(let layout):
            builder.add(string: "profile")
            builder.add(string: layout.traversal.rawValue)
            builder.add(member: "referenceSize", layout.choices.referenceSize)
            builder.add(member: "offsetSize", layout.choices.offsetSize)
            builder.add(
                member: "version", layout.choices.version == Self.defaultVersion ? nil : Int(layout.choices.version))
            if layout.choices.unused != Self.defaultUnused {
                builder.add(member: "unused", base64: layout.choices.unused)
            }
            if !layout.identity.isEmpty { builder.add(member: "identity", base64: layout.identity) }
            if !layout.forms.isEmpty { builder.add(member: "forms", base64: layout.forms) }
            builder.add(string: "digest")
            builder.add(string: String(layout.digest, radix: 16))
        }
        builder.close()
        return try builder.finish()
    }

    /// Creates the record that an object of a JSON document describes, or returns nil if the object is not a record.
    init?(_ id: ObjectID, of document: Document) throws(Problem) {
        let members = try EnvelopeMembers(of: id, in: document, known: Self.memberNames)
        guard let profile = members.text("profile")?.string else { return nil }
        if profile == Self.rawProfile {
            guard let file = members.bytes("bytes"), !file.isEmpty else { return nil }
            self = .raw(file)
            return
        }
        guard let traversal = ObjectOrder.Traversal(rawValue: profile), let choices = Self.choices(members),
            let identity = members.bytes("identity"), let forms = members.bytes("forms"),
            let digest = members.text("digest").flatMap({ UInt64($0.string, radix: 16) })
        else { return nil }
        self = .derived(
            BinaryPlistLayout(traversal: traversal, choices: choices, identity: identity, forms: forms, digest: digest))
    }

    private static let memberNames = [
        "profile", "bytes", "referenceSize", "offsetSize", "version", "unused", "identity", "forms", "digest",
    ]

    private static func choices(_ members: EnvelopeMembers) -> BinaryPlistWriter.Choices? {
        guard let referenceSize = members.size("referenceSize", in: 1...8),
            let offsetSize = members.size("offsetSize", in: 1...8), let version = members.size("version", in: 0...255),
            let unused = members.bytes("unused"), unused.isEmpty || unused.count == defaultUnused.count
        else { return nil }
        return BinaryPlistWriter.Choices(
            referenceSize: referenceSize, offsetSize: offsetSize, version: version.map(UInt8.init) ?? defaultVersion,
            unused: unused.isEmpty ? defaultUnused : unused)
    }
}

extension DocumentBuilder {
    fileprivate mutating func add(member name: String, _ value: Int?) {
        guard let value else { return }
        add(string: name)
        add(integer: Int128(value))
    }

    fileprivate mutating func add(member name: String, base64 bytes: [UInt8]) {
        var text = ByteWriter()
        Base64.write(bytes, in: 0..<bytes.count, to: &text)
        add(string: name)
        add(utf8: text.takeBytes().span)
    }
}
