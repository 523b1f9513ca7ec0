/// What `--exact` JSON carries beside a value: the ``Layout`` of its binary file, or, where that cannot be derived from the
/// value, the file itself.
///
///     {"profile": "cf", "identity": "BAEC", "forms": "", "digest": "9f0c…"}     members with nothing to say are left out
///     {"profile": "raw", "bytes": "YnBsaXN0MDA…"}
enum LayoutRecord: Equatable {
    case derived(Layout)
    case raw([UInt8])

    /// The record of a document read from a binary file.
    init(of document: Document) {
        self = Layout(of: document).map(LayoutRecord.derived) ?? .raw(document.image)
    }

    /// The binary file whose value is given, or nil if the value has been edited since the record was made.
    func file(for value: Document?) -> [UInt8]? {
        switch self {
        case .derived(let layout):
            return value.flatMap(layout.applied)
        case .raw(let bytes):
            guard let value else { return bytes }
            guard let stored = try? BinaryPlist.read(bytes) else { return nil }
            return Self.digest(of: value) == Self.digest(of: stored) ? bytes : nil
        }
    }

    /// The digest of a value written as compact JSON: the same for documents of the same value.
    private static func digest(of value: Document) -> UInt64? {
        var output = ByteWriter()
        guard (try? JSON.write(value, to: &output, options: WriteOptions(isCompact: true))) != nil else { return nil }
        return Digest.of(output.takeBytes())
    }
}

// MARK: As a document, and back

extension LayoutRecord {
    private static let rawProfile = "raw"
    private static let usualVersion = UInt8(ascii: "0")
    private static let usualUnused: [UInt8] = [0, 0, 0, 0, 0, 0]

    /// The record as a document, to be written as JSON.
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
                member: "version", layout.choices.version == Self.usualVersion ? nil : Int(layout.choices.version))
            if layout.choices.unused != Self.usualUnused {
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

    /// The record that an object of a JSON document is, or nil if it is none.
    init?(_ members: Pairs, of document: Document) {
        func text(_ name: String) -> Text? {
            members.value(for: name.utf16).flatMap(document.text)
        }
        func size(_ name: String) -> Int? {
            guard let id = members.value(for: name.utf16), case .integer(let integer) = document[id] else { return nil }
            return (0...255).contains(integer.value) ? Int(integer.value) : nil
        }
        func bytes(_ name: String) -> [UInt8]? {
            guard let text = text(name) else { return [] }
            return try? Base64.decode(text.string.utf8.span).get()
        }
        guard let profile = text("profile")?.string else { return nil }
        if profile == Self.rawProfile {
            guard let file = bytes("bytes"), !file.isEmpty else { return nil }
            self = .raw(file)
            return
        }
        guard let traversal = ObjectOrder.Traversal(rawValue: profile), let identity = bytes("identity"),
            let forms = bytes("forms"), let unused = bytes("unused"), unused.isEmpty || unused.count == 6,
            let digest = text("digest").flatMap({ UInt64($0.string, radix: 16) }),
            size("referenceSize") != 0, size("offsetSize") != 0
        else { return nil }
        let choices = BinaryPlistWriter.Choices(
            referenceSize: size("referenceSize"), offsetSize: size("offsetSize"),
            version: size("version").map(UInt8.init) ?? Self.usualVersion,
            unused: unused.isEmpty ? Self.usualUnused : unused)
        self = .derived(
            Layout(traversal: traversal, choices: choices, identity: identity, forms: forms, digest: digest))
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
