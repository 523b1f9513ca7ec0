@testable import SaveCodec
import Testing

/// Texts in the encodings that property lists use (the article XMLFormat; group 50 of the fixtures).
@Suite struct XMLEncodingTests {
    static let text = "<string>Zoë 😀</string>"

    static let marked: [(name: String, bytes: [UInt8])] = [
        ("UTF-8", Array(text.utf8)),
        ("UTF-8 with a mark", [0xEF, 0xBB, 0xBF] + text.utf8),
        ("UTF-16 LE", [0xFF, 0xFE] + utf16(text, bigEndian: false)),
        ("UTF-16 BE", [0xFE, 0xFF] + utf16(text, bigEndian: true)),
        ("UTF-32 LE", [0xFF, 0xFE, 0, 0] + utf32(text, bigEndian: false)),
        ("UTF-32 BE", [0, 0, 0xFE, 0xFF] + utf32(text, bigEndian: true)),
        (
            "a mark against a declaration",
            [0xEF, 0xBB, 0xBF] + Array("<?xml version='1.0' encoding='x-foo'?>\(text)".utf8)
        ),
    ]

    static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.utf16.flatMap { unit in
            bigEndian ? [UInt8(unit >> 8), UInt8(unit & 255)] : [UInt8(unit & 255), UInt8(unit >> 8)]
        }
    }

    static func utf32(_ text: String, bigEndian: Bool) -> [UInt8] {
        text.unicodeScalars.flatMap { scalar in
            let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: scalar.value >> $0) }
            return bigEndian ? bytes : bytes.reversed()
        }
    }

    @Test(arguments: marked)
    func reads(name: String, bytes: [UInt8]) throws {
        let document = try XMLPlist.read(bytes)
        #expect(notation(document) == "\"Zoë 😀\"")
        #expect(document.warnings.isEmpty)
    }

    static let declared: [(name: String, bytes: [UInt8], value: String)] = [
        ("UTF-8", [0xC3, 0xA9], "é"), ("utf8", [0xC3, 0xA9], "é"), (" utf-8 ", [0xC3, 0xA9], "é"),
        ("ISO-8859-1", [0xE9, 0x85], "é\\u0085"), ("latin1", [0xE9], "é"), ("L1", [0xE9], "é"),
        ("windows-1252", [0xE9, 0x80, 0x9F], "é€Ÿ"), ("CP1252", [0x93, 0x94], "“”"), ("US-ASCII", [0x41], "A"),
    ]

    @Test(arguments: declared)
    func readsDeclared(name: String, bytes: [UInt8], value: String) throws {
        let document = try XMLPlist.read(Self.declare(name, bytes))
        #expect(notation(document) == "\"\(value)\"")
        #expect(document.warnings.isEmpty)
    }

    static func declare(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        Array("<?xml version='1.0' encoding='\(name)'?><string>".utf8) + bytes + Array("</string>".utf8)
    }

    static let doubtful: [(bytes: [UInt8], value: String, warning: String)] = [
        (
            declare("us-ascii", [0xE9]), "é",
            "1:1: the text declares US-ASCII, but has other characters; they were read as ISO-8859-1"
        ),
        (
            utf16("<true/>", bigEndian: true), "",
            "1:1: the text is in UTF-16 or UTF-32 without a byte order mark; other readers reject it"
        ),
        (
            utf16("<?xml version='1.0' encoding='utf-16'?><true/>", bigEndian: false), "",
            "1:1: the text is in UTF-16 or UTF-32 without a byte order mark; other readers reject it"
        ),
        (
            utf32("<true/>", bigEndian: true), "",
            "1:1: the text is in UTF-16 or UTF-32 without a byte order mark; other readers reject it"
        ),
        (
            utf32("<?xml version='1.0' encoding='utf-32'?><true/>", bigEndian: false), "",
            "1:1: the text is in UTF-16 or UTF-32 without a byte order mark; other readers reject it"
        ),
        (
            [0xFF, 0xFE] + utf16("<?xml version='1.0' encoding='UTF-8'?><true/>", bigEndian: false), "",
            "1:31: the text declares the encoding \"UTF-8\", but its byte order mark shows another one; many readers reject it"
        ),
        (
            Array("<?xml version=“1.0”?><true/>".utf8), "",
            "1:15: the XML declaration has other characters than ASCII, such as curly quotes; many readers reject it"
        ),
    ]

    @Test(arguments: doubtful)
    func warns(bytes: [UInt8], value: String, warning: String) throws {
        let document = try XMLPlist.read(bytes)
        #expect(notation(document) == (value.isEmpty ? "true" : "\"\(value)\""))
        #expect(document.warnings.map(\.description) == [warning])
    }

    private static let known = "expected UTF-8, UTF-16, UTF-32, ISO-8859-1, windows-1252 or US-ASCII"

    static let refused: [(bytes: [UInt8], message: String)] = [
        (declare("x-foo", []), "1:31: the text declares the encoding \"x-foo\"; \(known)"),
        (declare("", []), "1:31: the text declares the encoding \"\"; \(known)"),
        (
            declare("UTF-16", []),
            "1:31: the text declares the encoding \"UTF-16\", but has one byte per character"
        ),
        (declare("windows-1252", [0x41, 0x81]), "1:55: the byte 0x81 is not a character in windows-1252"),
        (Array("<string>a".utf8) + [0xFF], "1:10: the byte 0xFF is not part of a UTF-8 character"),
        (Array("<string>\n".utf8) + [0xC0, 0x80], "2:1: the byte 0xC0 is not part of a UTF-8 character"),
        (Array("<string>".utf8) + [0xED, 0xA0, 0x80], "1:9: the byte 0xED is not part of a UTF-8 character"),
        (
            [0xFF, 0xFE] + utf16("<a", bigEndian: false) + [0x3D, 0xD8],
            "1:3: found the lone surrogate U+D83D in UTF-16; expected a surrogate pair"
        ),
        (
            [0xFE, 0xFF] + utf16("<a", bigEndian: true) + [0],
            "1:3: the text ends within a character; UTF-16 characters take 2 bytes or a multiple"
        ),
        ([0, 0, 0xFE, 0xFF, 0, 0x11, 0, 0], "1:1: found U+110000 in UTF-32; expected a Unicode character"),
        ([0, 0, 0xFE, 0xFF, 0, 0, 0xD8, 0], "1:1: found U+D800 in UTF-32; expected a Unicode character"),
    ]

    @Test(arguments: refused)
    func refuses(bytes: [UInt8], message: String) {
        let problem = #expect(throws: Problem.self) { try XMLPlist.read(bytes) }
        #expect(problem?.description == message)
    }
}
