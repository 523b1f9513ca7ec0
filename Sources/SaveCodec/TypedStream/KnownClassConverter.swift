/// The representation of a typedstream object in an archive.
enum ConvertedObject {
    /// A value that replaces the object.
    case plain(Content)
    /// An object with the fields that NSKeyedArchiver writes for its class.
    case fields([(name: StaticString, content: Content)])
    /// An object whose fields are all the values that it wrote. The first fields have these names; the others get names
    /// such as `Player.2`.
    case values([StaticString])

    /// The replacement of an object, or the value of a field.
    enum Content {
        case value(TypedStream.Value)
        /// A range of the file in UTF-8.
        case text(Range<Int>)
        case utf16([UInt16])
        case data(Range<Int>)
        /// A range of the file that should be text but is not valid UTF-8.
        case oddText(Range<Int>)
        /// References: every `by`th value that the object wrote, starting at index `from`.
        case list(from: Int, by: Int)
    }
}

/// The known classes of Foundation and AppKit. An object is only converted if its values match what its class writes;
/// other objects keep their values.
struct KnownClassConverter {
    private let stream: TypedStream
    private let bytes: [UInt8]

    init(_ stream: TypedStream, in bytes: [UInt8]) {
        (self.stream, self.bytes) = (stream, bytes)
    }

    func converted(_ object: TypedStream.Object) -> ConvertedObject {
        let values = stream.values[object.values]
        let name = stream.strings[stream.classes[object.classIndex].name].range
        guard name.count <= 64 else { return .values([]) }
        return converted(String(decoding: bytes[name], as: UTF8.self), values) ?? .values([])
    }

    private func converted(_ name: String, _ values: ArraySlice<TypedStream.Value>) -> ConvertedObject? {
        switch name {
        case "NSNull": values.isEmpty ? .fields([]) : nil
        case "NSString", "NSMutableString": string(values, isMutable: name != "NSString")
        case "NSData": data(values).map { .plain(.data($0)) }
        case "NSMutableData": data(values).map { .fields([("NS.data", .data($0))]) }
        case "NSNumber": number(values).map { .plain(.value($0)) }
        case "NSArray", "NSMutableArray", "NSSet", "NSMutableSet":
            areObjects(values, perCount: 1) ? .fields([("NS.objects", .list(from: 1, by: 1))]) : nil
        case "NSDictionary", "NSMutableDictionary":
            areObjects(values, perCount: 2)
                ? .fields([("NS.keys", .list(from: 1, by: 2)), ("NS.objects", .list(from: 2, by: 2))]) : nil
        case "NSDate": begins(values, "d") && values.count == 1 ? .values(["NS.time"]) : nil
        case "NSCalendarDate": begins(values, "d") ? .values(["NS.time"]) : nil
        case "NSURL": url(values)
        case "NSCountedSet": begins(values, "I") ? .values(["NS.count"]) : nil
        case "NSAttributedString", "NSMutableAttributedString": begins(values, "@") ? .values(["NSString"]) : nil
        case "NSColor": color(values)
        case "NSFont": font(values)
        default: nil
        }
    }

    // MARK: Values

    /// Whether the first values have these types, one letter each.
    private func begins(_ values: ArraySlice<TypedStream.Value>, _ types: StaticString) -> Bool {
        values.count >= types.utf8CodeUnitCount && zip(values, types.description.utf8).allSatisfy { code($0) == $1 }
    }

    private func code(_ value: TypedStream.Value) -> UInt8 {
        stream.types.nodes[Int(value.type)].code
    }

    /// Converts a string. Its only value is its text in UTF-8. Invalid UTF-8 is kept as bytes. The text `$null` needs
    /// an object around it, because it would otherwise represent nil.
    private func string(_ values: ArraySlice<TypedStream.Value>, isMutable: Bool) -> ConvertedObject? {
        guard values.count == 1, begins(values, "+"), case .bytes(let text)? = values.first?.content else { return nil }
        guard UTF8Text.firstInvalid(in: bytes.span.extracting(text)) == nil else {
            return .fields([("NS.bytes", .oddText(text))])
        }
        let needsObject = isMutable || TypedStreamConverter.isNull(bytes[text])
        return needsObject ? .fields([("NS.string", .text(text))]) : .plain(.text(text))
    }

    /// Returns the bytes of a data object. Its values are the byte count and the bytes.
    private func data(_ values: ArraySlice<TypedStream.Value>) -> Range<Int>? {
        guard values.count == 2, begins(values, "i["), case .integer(let count)? = values.first?.content,
            case .bytes(let data)? = values.last?.content, count == data.count
        else { return nil }
        return data
    }

    /// Returns the value of a number object. Its values are its C type as a string, and the value of that type.
    private func number(_ values: ArraySlice<TypedStream.Value>) -> TypedStream.Value? {
        guard values.count == 2, begins(values, "*"), case .string(let type)? = values.first?.content,
            let value = values.last, bytes[stream.strings[type].range].elementsEqual([code(value)])
        else { return nil }
        switch value.content {
        case .boolean, .integer, .unsigned, .real32, .real64: return value
        case .null, .string, .bytes, .object, .list: return nil
        }
    }

    /// Whether the values are a count followed by objects, with `perCount` objects per counted element.
    private func areObjects(_ values: ArraySlice<TypedStream.Value>, perCount: Int) -> Bool {
        guard begins(values, "i") || begins(values, "I"), case .integer(let count)? = values.first?.content,
            count <= values.count, count * Int64(perCount) == values.count - 1
        else { return false }
        return values.dropFirst().allSatisfy {
            if case .object = $0.content { true } else { false }
        }
    }

    /// Converts a URL. Its values are whether it has a base, the base if it has one, and the text.
    private func url(_ values: ArraySlice<TypedStream.Value>) -> ConvertedObject? {
        guard case .integer(let hasBase)? = values.first?.content, (0...1).contains(hasBase), let text = values.last,
            values.count == 2 + hasBase, begins(values, hasBase == 0 ? "c@" : "c@@")
        else { return nil }
        let base = hasBase == 0 ? TypedStream.Value(content: .null, type: text.type) : values[values.startIndex + 1]
        return .fields([("NS.base", .value(base)), ("NS.relative", .value(text))])
    }

    // MARK: AppKit

    /// Converts a color. Its first value is the number of its color space, as in keyed archives. Its components follow,
    /// or in the space 6 (named colors) the name of the catalog, the name of the color, and the color itself.
    private func color(_ values: ArraySlice<TypedStream.Value>) -> ConvertedObject? {
        guard begins(values, "c"), case .integer(let space)? = values.first?.content else { return nil }
        guard space == 6 else { return .values(["NSColorSpace"]) }
        return begins(values, "c@@@") ? .values(["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]) : nil
    }

    /// Converts a font. Its values are the byte count of its name, the name as a property list of that era, its size,
    /// and four bytes.
    private func font(_ values: ArraySlice<TypedStream.Value>) -> ConvertedObject? {
        guard values.count == 7, begins(values, "i[fcccc"), let name = data(values.prefix(2)),
            let units = fontName(bytes[name])
        else { return nil }
        let flags: [StaticString] = ["NSFont.3", "NSFont.4", "NSFont.5", "NSFont.6"]
        return .fields(
            [("NSName", .utf16(units)), ("NSSize", .value(values[values.startIndex + 2]))]
                + zip(flags, values.dropFirst(3).map { .value($0) }))
    }

    /// Returns the name in the property list of a font. The list is one string: the kind 6 and the length in bytes,
    /// both as 32-bit little-endian numbers, followed by UTF-16 with a byte order mark.
    private func fontName(_ list: ArraySlice<UInt8>) -> [UInt16]? {
        let list = Array(list)
        guard list.count >= 10, list.starts(with: [6, 0, 0, 0]) else { return nil }
        let length = list[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) }
        let isBigEndian = list[8] == 0xFE && list[9] == 0xFF
        guard length >= 2, length % 2 == 0, (length...length + 3).contains(list.count - 8),
            isBigEndian || list[8] == 0xFF && list[9] == 0xFE
        else { return nil }
        return stride(from: 10, to: 8 + length, by: 2).map {
            UInt16(list[isBigEndian ? $0 : $0 + 1]) << 8 | UInt16(list[isBigEndian ? $0 + 1 : $0])
        }
    }
}
