import SaveCodec

/// Annotations of objects of known classes.
extension ObjectFields {
    /// The annotation of the object; nil if objects of its class have none, or if its fields are not as the class
    /// prescribes.
    var annotation: String? {
        switch record.foundation?.layout {
        case .fields(_, let annotation): annotation.flatMap(text)
        case .string: textOfBytes
        case nil: isNode ? node : nil
        default: nil
        }
    }

    /// Whether the annotation is computed from data or numbers, so that no field contains its text.
    var isPacked: Bool {
        guard case .fields(_, let annotation?)? = record.foundation?.layout else { return false }
        switch annotation {
        case .color, .dateComponents, .decimal, .indexPath, .indexSet, .uiColor, .uuid: return true
        case .value: return integer("NS.special").map { $0 > 3 } ?? false
        case .attributedString, .calendarDate, .countedSet, .dateInterval, .error, .font, .identifier, .measurement,
            .node, .personName, .queryItem, .quoted, .url:
            return false
        }
    }

    /// Whether the object's class inherits from SKNode, as the node classes of games do.
    private var isNode: Bool {
        record.chain?.prefix(16).contains { $0.elementsEqual("SKNode".utf16) } ?? false
    }

    private func text(_ annotation: Annotation) -> String? {
        switch annotation {
        case .identifier(let name): text(name).flatMap { $0.isEmpty ? nil : Self.shown($0) }
        case .quoted(let name): text(name).map(Self.quoted)
        case .attributedString: text("NSString").map(Self.quoted)
        case .calendarDate: real("NS.time").flatMap(Self.date)
        case .color: color
        case .countedSet: integer("NS.count").map { "\($0) distinct" }
        case .dateComponents: dateComponents
        case .dateInterval: dateInterval
        case .decimal: decimal
        case .error: error
        case .font: font
        case .indexPath: indexPath
        case .indexSet: indexSet
        case .measurement: measurement
        case .node: node
        case .personName: personName
        case .queryItem: queryItem
        case .uiColor: uiColor
        case .url: url
        case .uuid: uuid
        case .value: geometry
        }
    }

    // MARK: Texts

    /// The maximum length of a text in UTF-16 code units.
    private static let limit = 160

    /// Returns a text escaped for display, cut at the limit.
    static func shown(_ text: some RandomAccessCollection<UInt16>) -> String {
        guard text.count > limit else { return SafeText.escaping(text) }
        let part = text.prefix(limit)
        // Does not split a surrogate pair.
        return SafeText.escaping(part.last.map(UTF16.isLeadSurrogate) == true ? part.dropLast() : part) + "…"
    }

    /// Returns a text in quotation marks, with its own quotation marks escaped.
    static func quoted(_ text: some RandomAccessCollection<UInt16>) -> String {
        "\"" + shown(text).replacingScalar("\"", with: "\\\"") + "\""
    }

    /// The text of a mutable string that an archiver other than NSKeyedArchiver stored as UTF-8.
    private var textOfBytes: String? {
        guard let bytes = data("NS.bytes"), let text = String(validating: bytes.prefix(4 * Self.limit), as: UTF8.self)
        else { return nil }
        return Self.quoted(Array(text.utf16))
    }

    private var error: String? {
        guard let domain = text("NSDomain"), let code = integer("NSCode") else { return nil }
        return "\(Self.shown(domain)) \(code)"
    }

    private var queryItem: String? {
        guard let name = text("NS.name") else { return nil }
        guard let value = text("NS.value") else { return Self.shown(name) }
        return "\(Self.shown(name))=\(Self.shown(value))"
    }

    private var personName: String? {
        let person = fields("NS.nameComponentsPrivate") ?? self
        func part(_ name: String) -> String? {
            person.text("NS." + name).flatMap { $0.count == 0 ? nil : Self.shown($0) }
        }
        let parts = ["namePrefix", "givenName", "middleName", "familyName", "nameSuffix"].compactMap(part)
        let name = parts.isEmpty ? nil : parts.joined(separator: " ")
        guard let nickname = part("nickname") else { return name }
        return name.map { "\($0) (\(nickname))" } ?? nickname
    }

    /// The URL resolved against its base. A base of the base is ignored. Like NSURL, this keeps the `.` and `..` of a
    /// text with a scheme or a host.
    private var url: String? {
        guard let relative = text("NS.relative"), let base = object("NS.base") else {
            return text("NS.relative").map(Self.shown)
        }
        guard base != .null, let stem = fields("NS.base")?.text("NS.relative") else { return Self.shown(relative) }
        guard relative.count <= 2_000, stem.count <= 2_000 else { return nil }
        let (reference, around) = (URIReference(relative.string), URIReference(stem.string))
        let isResolved = reference.scheme != nil || reference.authority != nil
        var url = isResolved ? reference : reference.resolved(against: around)
        url.scheme = reference.scheme ?? around.scheme
        return Self.shown(Array(url.text.utf16))
    }

    /// The UUID in its usual notation.
    package var uuid: String? {
        // GNUstep uses another field name.
        guard let bytes = data("NS.uuidbytes") ?? data("uuid"), bytes.count == 16 else { return nil }
        var text = ""
        for (position, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(position) { text += "-" }
            text += Hexadecimal.text(byte)
        }
        return text
    }

    /// Returns the new contents of the fields for an annotation of a geometry value, a UUID or a URL without a base.
    ///
    /// - Returns: nil if the text does not have the syntax of the annotation, or if the object is of another class.
    func fields(ofAnnotation text: StoredString) -> [(name: String, value: AnnotationFieldValue)]? {
        guard case .fields(_, let annotation?)? = record.foundation?.layout else { return nil }
        switch annotation {
        case .value: return fields(ofGeometry: text)
        case .uuid where uuid != nil:
            let name = data("NS.uuidbytes") == nil ? "uuid" : "NS.uuidbytes"
            return Hexadecimal.uuid(text.string).map { [(name, .data($0))] }
        case .url where object("NS.base") ?? .null == .null && Self.isURL(text):
            return [("NS.relative", .text(text.string))]
        default: return nil
        }
    }

    /// Whether a text is a URL or a relative reference that `NSURL` accepts.
    private static func isURL(_ text: StoredString) -> Bool {
        text.count > 0 && text.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>\\^`{|}".utf16.contains($0) }
            && URIReference(text.string).isValid
    }

    // MARK: Time

    private static func date(_ seconds: Double) -> String? {
        ScalarText.date(seconds)
    }

    private var dateInterval: String? {
        guard let start = date("NS.startDate").flatMap(Self.date), let end = date("NS.endDate").flatMap(Self.date)
        else { return nil }
        return "\(start) – \(end)"
    }

    private var dateComponents: String? {
        let date = joined(["NS.year", "NS.month", "NS.day"], by: "-")
        let time = joined(["NS.hour", "NS.minute", "NS.second"], by: ":") ?? joined(["NS.hour", "NS.minute"], by: ":")
        var parts = [date, time].compactMap { $0 }
        for name in date == nil ? ["year", "month", "day"] : [] { append(name, to: &parts) }
        for name in time == nil ? ["hour", "minute", "second"] : [] { append(name, to: &parts) }
        for name in [
            "era", "quarter", "nanosec", "weekOfYear", "weekOfMonth", "yearForWOY", "weekday", "weekdayOrdinal",
        ] {
            append(name, to: &parts)
        }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }

    private func append(_ name: String, to parts: inout [String]) {
        if let value = component("NS." + name) { parts.append("\(name) \(value)") }
    }

    /// Returns the components, with at least two digits each and a separator between them, or nil unless all are set.
    private func joined(_ names: [String], by separator: String) -> String? {
        let values = names.compactMap(component).map { (0...9).contains($0) ? "0\($0)" : "\($0)" }
        return values.count == names.count ? values.joined(separator: separator) : nil
    }

    /// Returns a component; nil if it is not set. An unset component is stored as the largest integer.
    private func component(_ name: String) -> Int? {
        integer(name).flatMap { $0 == .max ? nil : $0 }
    }
}

extension URIReference {
    /// Whether the scheme, the escapes, the host and the port of a text without invalid characters have the syntax of
    /// RFC 3986.
    fileprivate var isValid: Bool {
        let isNamed = scheme.map { name in
            name.first?.isLetter ?? false && name.allSatisfy { $0.isLetter || $0.isNumber || "+-.".contains($0) }
        }
        guard isNamed ?? !path.prefix(while: { $0 != "/" }).contains(":"), !(fragment?.contains("#") ?? false) else {
            return false
        }
        let escapes = text.split(separator: "%", omittingEmptySubsequences: false).dropFirst()
        guard escapes.allSatisfy({ $0.prefix(2).count == 2 && $0.prefix(2).allSatisfy(\.isHexDigit) }) else {
            return false
        }
        let host = authority?.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let isLiteral = host.hasPrefix("[")
        let end =
            isLiteral
            ? host.firstIndex(of: "]").map(host.index(after:)) : host.firstIndex { $0 == ":" } ?? host.endIndex
        guard let end else { return false }
        let hostName = isLiteral ? host[..<end].dropFirst().dropLast() : host[..<end]
        let isName = hostName.allSatisfy { isLiteral ? $0.isHexDigit || ":.".contains($0) : !"[]".contains($0) }
        let port = host[end...]
        let isPort = port.isEmpty || port.first == ":" && port.dropFirst().allSatisfy(\.isNumber)
        return isName && isPort
            && [path, query ?? "", fragment ?? ""].allSatisfy { !$0.contains { "[]".contains($0) } }
    }
}
