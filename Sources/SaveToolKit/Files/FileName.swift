import SaveCodec

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// File names as text.
///
/// On Linux a name is any sequence of bytes except `/` and zero. The tool stores it as a `String`. Each byte that is
/// not UTF-8 is stored as one of the last 128 characters of the private-use planes, U+10FF80…U+10FFFF:
///
///     name            in the tool                      shown               as a URI
///     63 61 C3 A9     caé                              caé                 ca%C3%A9
///     63 61 E9        ca U+10FFE9                      ca\xE9              ca%E9
///     F4 8F BF A9     U+10FFF4 U+10FF8F U+10FFBF …     \xF4\x8F\xBF\xA9    %F4%8F%BF%A9
///
/// The last row is the name U+10FFE9 itself. These characters are converted byte by byte, too, so that no two names
/// have the same text. (Python's `surrogateescape` uses lone surrogates instead, which a `String` cannot hold.)
///
/// Names from arguments, folders, file lists and links are converted to text when they are read, and back to bytes for
/// system calls. Arguments that are not names must be UTF-8.
enum FileName {
    /// Returns the text of a name.
    static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = whole(bytes) { return text }
        var text = String.UnicodeScalarView()
        var rest = Array(bytes)[...]
        while let byte = rest.first {
            let scalar = (1...4).lazy.compactMap { Self.scalar(rest.prefix($0)) }.first ?? escape(byte)
            text.append(scalar)
            rest = rest.dropFirst(isByte(scalar) ? 1 : UTF8.width(scalar))
        }
        return String(text)
    }

    /// Returns the text of a name, or of another string, from the C library.
    ///
    /// Sound: the caller guarantees that the string ends in zero; it is copied.
    @unsafe static func text(cString: UnsafePointer<CChar>) -> String {
        unsafe text(UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    /// Returns the bytes of a name.
    static func bytes(_ name: String) -> [UInt8] {
        if !name.unicodeScalars.contains(where: isByte) { return Array(name.utf8) }
        return name.unicodeScalars.flatMap { isByte($0) ? [byte($0)] : Array(UTF8.encode($0) ?? .init()) }
    }

    /// Returns the bytes of a name with a zero at the end, for the C library.
    ///
    /// No file name contains a zero, but the text of a project file, for example, may. The system would use the part
    /// before the zero. Such a name is replaced by the empty name, which every call refuses.
    static func cString(_ name: String) -> [CChar] {
        let bytes = bytes(name)
        return bytes.contains(0) ? [0] : bytes.map { CChar(bitPattern: $0) } + [0]
    }

    /// Returns the text of an argument that is not a file name, or nil if it is not UTF-8.
    static func plainText(_ argument: String) -> String? {
        argument.unicodeScalars.contains(where: isByte) ? String(validating: bytes(argument), as: UTF8.self) : argument
    }

    /// Whether two names have the same bytes. `String` treats two spellings of é as equal.
    static func areSame(_ a: String, _ b: String) -> Bool {
        a.utf8.elementsEqual(b.utf8)
    }

    /// Returns the path of a file relative to a folder. Both paths start from the same folder.
    static func relative(_ name: String, to folder: String) -> String {
        func steps(_ path: String) -> [Substring] {
            path.utf8.split(separator: UInt8(ascii: "/")).map { Substring($0) }.filter { $0 != "." }
        }
        var (steps, others) = (steps(name)[...], steps(folder)[...])
        while steps.count > 1, let step = steps.first, let other = others.first, step.utf8.elementsEqual(other.utf8) {
            (steps, others) = (steps.dropFirst(), others.dropFirst())
        }
        return (others.map { _ in ".." } + steps).joined(separator: "/")
    }

    // MARK: Showing

    /// Returns a name that is safe for terminals, see ``SafeText``.
    static func shown(_ name: String) -> String {
        shown(name) { SafeText.escaping($0) }
    }

    /// Returns a name with an escape such as `\xE9` for each byte that is not part of valid UTF-8.
    static func readable(_ name: String) -> String {
        shown(name) { $0 }
    }

    /// Returns a readable name that no other name shares: a backslash before `xE9`, for example, becomes `\x5C`.
    static func distinct(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\\")) else { return readable(name) }
        var rest = Array(name.unicodeScalars)[...]
        var text = ""
        while let scalar = rest.popFirst() {
            let digits = rest.dropFirst().prefix(2)
            let isLikeByte =
                scalar == "\\" && rest.first == "x" && digits.count == 2
                && digits.allSatisfy { $0.value.isDigit || $0.value.isUppercaseHexLetter }
            text += isLikeByte ? "\\x5C" : readable(String(scalar))
        }
        return text
    }

    private static func shown(_ name: String, _ show: (String) -> String) -> String {
        if !name.unicodeScalars.contains(where: isByte) { return show(name) }
        return name.unicodeScalars.reduce(into: "") { text, scalar in
            text += isByte(scalar) ? "\\x" + Hexadecimal.text(byte(scalar)) : show(String(scalar))
        }
    }

    /// Returns a name as a URI reference (RFC 3986). Bytes other than letters, digits and `-._~/` are percent-encoded,
    /// so that a colon is never treated as the end of a scheme.
    static func uri(_ name: String) -> String {
        let reference = bytes(name).reduce(into: "") { result, byte in
            switch byte {
            case _ where byte.isLetterOrDigit, 0x2D, 0x2E, 0x2F, 0x5F, 0x7E:
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default: result += "%" + Hexadecimal.text(byte)
            }
        }
        return reference.utf8.first == UInt8(ascii: "/") ? "file://" + reference : reference
    }

    /// Returns the JSON members for a name: the readable text, and a URI if that text does not state the bytes.
    static func members(_ name: String, as member: String = "file") -> JSONMembers {
        let isWhole = !name.unicodeScalars.contains(where: isByte)
        return [(member, .string(readable(name))), ("uri", isWhole ? nil : .string(uri(name)))]
    }

    // MARK: Bytes as characters

    /// Returns the text if none of its characters represents a byte.
    private static func whole(_ bytes: some Collection<UInt8>) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self), !text.unicodeScalars.contains(where: isByte) else {
            return nil
        }
        return text
    }

    /// Returns the character that the bytes encode in UTF-8. Returns nil if they encode none or several, or a character
    /// that this type uses for a single byte.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        guard let scalars = whole(bytes)?.unicodeScalars, scalars.count == 1 else { return nil }
        return scalars.first
    }

    private static let firstByte: UInt32 = 0x10FF00

    private static func isByte(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= firstByte + 0x80
    }

    private static func byte(_ scalar: Unicode.Scalar) -> UInt8 {
        UInt8(truncatingIfNeeded: scalar.value)
    }

    private static func escape(_ byte: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(firstByte + UInt32(byte)) ?? "\u{FFFD}"
    }
}
