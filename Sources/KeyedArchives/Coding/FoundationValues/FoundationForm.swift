import SaveCodec

/// A value that Foundation archives as an object of a class of its own, such as an `NSURL`.
///
/// Nothing here imports Foundation. Its `URL` is known by name, and made of a form that encodes itself in the same way
/// elsewhere: what one of them encodes, the other decodes (``PlainTransfer``).
protocol FoundationForm: Codable {
    /// The value that an object of the class stands for; nil if the value is anything else.
    static func read(_ value: ArchivedValue) throws(Problem) -> Self?
    /// What the value becomes in an archive.
    func part(in output: ArchiveOutput, _ style: ValueEncoder.Style) -> Part
    /// For how many values it counts against what a decoder may make.
    var size: Int { get }
}

extension FoundationForm {
    var size: Int { 1 }
}

enum FoundationForms {
    /// The form of a type of ours or of Foundation's; nil if it is archived as what it encodes.
    static func form(of type: Any.Type) -> (any FoundationForm.Type)? {
        if let form = type as? any FoundationForm.Type { return form }
        switch foundationName(of: type) {
        case "URL": return URLForm.self
        case "UUID": return UUIDForm.self
        case "Decimal", "NSDecimal": return DecimalForm.self
        case "IndexSet": return IndexSetForm.self
        case "CGPoint": return ArchivedPoint.self
        case "CGSize": return ArchivedSize.self
        case "CGRect": return ArchivedRectangle.self
        case "_NSRange": return ArchivedRange.self
        default: return nil
        }
    }

    /// The name of a type of Foundation's, without the module, which is not the same on all systems; nil for other types.
    static func foundationName(of type: Any.Type) -> Substring? {
        let parts = String(reflecting: type).split(separator: ".", maxSplits: 1)
        guard parts.count == 2, modules.contains(parts[0]) else { return nil }
        return parts[1]
    }

    private static let modules: Set<Substring> = [
        "Foundation", "FoundationEssentials", "CoreFoundation", "CoreGraphics", "__C",
    ]
}

/// Makes a value of one type of a value of another that encodes itself in the same way.
enum PlainTransfer {
    static func convert<Value: Decodable>(_ value: some Encodable, to type: Value.Type) throws -> Value {
        let session = EncodingSession(PlainOutput())
        try session.encodeRoot(value, forKey: nil, style: .plain)
        return try DecodingSession(ArchiveSource(session.finish())).decodeRoot(type, forKey: nil)
    }
}

extension ArchivedValue {
    /// The fields of an object of a class of Foundation's, or of one that descends from it; nil for any other value.
    func fields(ofClass name: String) -> Fields? {
        guard let archive = source.archive, let uid = source.view.uid(id),
            classRecord?.foundation?.chain.contains(name) ?? false
        else { return nil }
        return Fields(uid, of: archive)
    }
}

extension Problem {
    static func brokenFields(_ value: ArchivedValue) -> Problem {
        Problem(
            "decode.fields", "the fields of the \(cut(value.className ?? "object")) are not those of its class",
            address: value.address)
    }
}
