import TestSupport
import Testing

@testable import SaveCodec

@Suite struct RecognitionTests {
    static let texts: [(text: String, format: Format)] = [
        ("bplist00", .binary), ("bplist0z and more", .binary), ("bpl", .binary), ("bp", .openStep),
        ("<?xml version=\"1.0\"?><plist/>", .xml), (" \n<?xml ?>", .xml), ("<!DOCTYPE plist>", .xml),
        ("<!-- a --><plist/>", .xml), ("<plist><dict/></plist>", .xml), ("<dict/>", .xml), ("<data>AAAA</data>", .xml),
        ("<date/>", .xml), ("<array>", .xml), ("<false/>", .xml), ("<html>", .xml), ("</dict>", .xml),
        ("<0fbd 771c>", .openStep), ("<fade>", .openStep), ("< 0f >", .openStep), ("<>", .openStep), ("<", .openStep),
        ("<*I5>", .gnustep), ("<[AAAA]>", .gnustep), ("(<*BY>, a)", .gnustep), ("{a = <*R1.5>;}", .gnustep),
        ("{\"a\" = <*I1>;}", .gnustep), ("a = <[AA==]>;", .gnustep), ("{a+b = <*I1>;}", .gnustep),
        ("{a = \"<*I1>\";}", .openStep), ("{a = b; /* <*I1> */ }", .openStep), ("{a = '<*I1>';}", .openStep),
        ("{a = \"\\\"<*I1>\";}", .openStep), ("(a, // <*I1>\n b)", .openStep), ("{u = http://x/<*I1>;}", .gnustep),
        ("{a = \"c++\"; /* c++ */}", .openStep), ("{a = (c++, 'b');}", .openStep),
        ("{a = c++}", .openStep), ("a+b", .openStep), ("a = c++;", .openStep),
        ("()", .openStep), ("(1, 2)", .openStep), ("[]", .json), ("[1, 2]", .json), ("[", .json),
        ("{}", .json), ("{ }", .json), ("/* nothing */ {}", .openStep), ("{ /* nothing */ }", .openStep),
        ("{}/* c */", .openStep), ("{}\n// c\n", .openStep), ("()// c", .openStep), ("{} x", .json), ("{ } /", .json),
        ("{\"a\": 1}", .json), ("{\"a\" : 1}", .json), ("{\"a\" = 1;}", .openStep), ("{\"a\";}", .openStep),
        ("{\"a\\\":\" = 1;}", .openStep), ("{\"a=\": 1}", .json), ("{\"a\"", .json), ("{", .json),
        ("{a = 1;}", .openStep), ("{'a' = 1;}", .openStep), ("{a: 1}", .json),
        ("{aNameOfOverSixteenCharacters: 1}", .json), ("{'a': 1}", .json),
        ("{'a' : 1}", .json), ("{a: = 1;}", .openStep), ("{'a:';}", .openStep),
        ("{a://x = 1;}", .openStep), ("{ /* x */ a: 1}", .openStep), ("{ // x\n\"a\" = 1; }", .openStep),
        ("// !$*UTF8*$!\n{ archiveVersion = 1; }", .openStep),
        ("\"text\"", .json), ("\"text", .json), ("\"a\" = \"b\";", .openStep), ("\"a\" /* x */ = \"b\";", .openStep),
        ("\"\\U041a\"", .openStep), ("\"a\";", .openStep), ("'text'", .openStep), ("/* x */ \"a\" = \"b\";", .openStep),
        ("a = b;", .openStep),
        ("/path", .openStep), ("YES", .openStep), ("0", .json), ("-1.5e+3", .json), ("true", .json), ("null\n", .json),
        ("false", .json), ("12 = \"x\";", .openStep), ("true = 1;", .openStep), ("-", .json),
    ]

    @Test(arguments: texts)
    func recognizesFormats(_ text: String, _ format: Format) throws {
        #expect(try Format.recognize(Array(text.utf8)) == format)
    }

    /// A text with a character that only GNUstep accepts in unquoted strings is in its dialect if GNUstep reads it.
    @Test func recognizesGNUstepWords() throws {
        let text = Array("{ a = (c, c++); }".utf8)
        #expect(try Format.recognize(text) == .gnustep)
        #expect(try Document(text).warnings.map(\.id) == ["gnustep.bare-character"])
    }

    /// The signature alone identifies the format; the reader reports an unknown version.
    @Test(arguments: ["\u{3}", "\u{4}", "\u{5}", "{"], ["streamtyped", "typedstream"])
    func recognizesTypedStreams(_ version: String, _ signature: String) throws {
        #expect(try Format.recognize(Array((version + "\u{B}" + signature).utf8)) == .typedStream)
    }

    @Test func recognizesDatabases() throws {
        #expect(try Format.recognize(Array("SQLite format 3\0".utf8)) == .sqlite)
    }

    static let encodings: [(name: String, mark: [UInt8], unitSize: Int, isBigEndian: Bool)] = [
        ("UTF-8 with mark", [0xEF, 0xBB, 0xBF], 1, true), ("UTF-16LE with mark", [0xFF, 0xFE], 2, false),
        ("UTF-16BE with mark", [0xFE, 0xFF], 2, true), ("UTF-16LE", [], 2, false), ("UTF-16BE", [], 2, true),
        ("UTF-32LE with mark", [0xFF, 0xFE, 0, 0], 4, false), ("UTF-32BE with mark", [0, 0, 0xFE, 0xFF], 4, true),
        ("UTF-32LE", [], 4, false), ("UTF-32BE", [], 4, true),
    ]

    @Test(arguments: encodings)
    func recognizesTextInAnyEncoding(_ name: String, _ mark: [UInt8], _ unitSize: Int, _ isBigEndian: Bool) throws {
        for (text, format) in Self.texts where format != .binary && text != "<" && text != "[" && text != "{" {
            let units = text.utf8.map { byte in
                let zeros = [UInt8](repeating: 0, count: unitSize - 1)
                return isBigEndian ? zeros + [byte] : [byte] + zeros
            }
            #expect(try Format.recognize(mark + units.flatMap { $0 }) == format, "\(text)")
        }
    }

    static let refusals: [(bytes: [UInt8], id: String, message: String)] = [
        ([], "format.empty", "the file is empty; \(expected)"),
        (Array(" \n\t".utf8), "format.empty", "the file contains only white space; \(expected)"),
        ([0xEF, 0xBB, 0xBF], "format.empty", "the file contains only white space; \(expected)"),
        (Array("/* only a comment */".utf8), "format.comments", comments),
        (Array("//4AAHsAIgBhACIAOgAxAH0A".utf8), "format.comments", comments),
        (
            Array("bplist15\u{13}".utf8), "format.bplist15",
            "bplist15: unsupported stream variant of the binary property list; expected bplist00"
        ),
        (
            Array("bplist17".utf8), "format.bplist17",
            "bplist17: unsupported stream variant of the binary property list; expected bplist00"
        ),
        (
            Array("NIBArchive\u{1}".utf8), "format.nib-archive",
            "this is an archive of interface objects (NIBArchive), not a property list"
        ),
        (
            Array("GNUstep archive00002c24:".utf8), "format.gnustep-archive",
            "this is an archive of GNUstep's NSArchiver; expected a keyed archive, or a typedstream of Apple's NSArchiver"
        ),
        (Array("book\0\0\0\0".utf8), "format.bookmark", "this is a file bookmark, not a property list"),
        ([0x1F, 0x8B, 0x08], "format.gzip", "this is compressed with gzip; expected the decompressed data"),
        (
            Array("BZh91AY&SY".utf8), "format.bzip2",
            "this is compressed with bzip2; decompress it first (--filter-in 'bzip2 -dc')"
        ),
        ([0x78, 0x9C, 0x4B], "format.zlib", "this is compressed with zlib; expected the decompressed data"),
        (
            [0x28, 0xB5, 0x2F, 0xFD], "format.zstd",
            "this is compressed with zstd; decompress it first (--filter-in 'zstd -dc')"
        ),
        (
            [0x30, 0x82, 0x1C, 0x12, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02, 0xA0],
            "format.cms",
            "this is a signed message (CMS), such as a provisioning profile; to read the property list in it use "
                + "--filter-in 'openssl smime -inform der -verify -noverify'"
        ),
        (Array("PK\u{3}\u{4}".utf8), "format.zip", "this is a zip archive; unpack it first"),
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "format.png", "this is a PNG image, not a property list"),
        ([0xFF, 0xD8, 0xFF, 0xE0, 0x00, 0x11], "format.other", "this is a JPEG image, not a property list"),
        (Array("\0\0\0\u{24}ftypheic\0\0".utf8), "format.other", "this is an image (HEIC), not a property list"),
        (Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C], "format.other", "this is a 7-Zip archive, not a property list"),
        (Array("Rar!\u{1A}\u{7}\0".utf8), "format.other", "this is a RAR archive, not a property list"),
        (Array("%PDF-2.0\n%".utf8) + [0xE2, 0xE3], "format.other", "this is a PDF document, not a property list"),
        (
            "H4sIAAAAAAAA".utf8.map { $0 ^ 11 }, "format.geometry-dash",
            "this is a Geometry Dash save, an XML property list inside XOR 11, Base64 and gzip; use --unwrap to read it"
        ),
        ([0xCF, 0xFA, 0xED, 0xFE], "format.mach-o", "this is a program, not a property list"),
        (
            [0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00], "format.apple-double",
            "this is an AppleDouble file, which macOS stores beside a file for its attributes; use the file without ._ before its name"
        ),
        (
            [0x37, 0x7F, 0x06, 0x82, 0x00, 0x2D, 0xE2, 0x18], "format.sqlite-wal",
            "this is the write-ahead log of an SQLite database; use the database, whose name lacks -wal, and keep the log beside it"
        ),
        (
            [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7], "format.sqlite-journal",
            "this is the rollback journal of an SQLite database; use the database, whose name lacks -journal, and keep the journal beside it"
        ),
        (
            Array("{\\rtf1\\ansi a = 1;}".utf8), "format.rtf",
            "this is formatted text (RTF), as some text editors write it; convert it to plain text first"
        ),
        (Array("hello world".utf8), "format.unknown", "the first bytes are \"hello world\"; \(expected)"),
        (Array("1. Readme".utf8), "format.unknown", "the first bytes are \"1. Readme\"; \(expected)"),
        (Array("a: b".utf8), "format.unknown", "the first bytes are \"a: b\"; \(expected)"),
        (
            Array("a\nlonger text than".utf8), "format.unknown",
            "the first bytes are \"a\\nlonger text th\"; \(expected)"
        ),
        ([0xDE, 0xAD, 0x00, 0x07], "format.unknown", "the first bytes are DE AD 00 07; \(expected)"),
        ([UInt8](repeating: 0, count: 40), "damage.blank", "all 40 bytes are zero; nothing is left to recover"),
    ]

    private static let comments =
        "the file contains only comments; use --from openstep to read it as an empty dictionary"
    private static let expected =
        "expected a binary, XML, OpenStep or GNUstep property list, JSON, a typedstream or an SQLite database"

    @Test(arguments: refusals)
    func refuses(_ bytes: [UInt8], _ id: String, _ message: String) {
        let problem = #expect(throws: Problem.self) { try Format.recognize(bytes) }
        #expect(problem?.id == id)
        #expect(problem?.message == message)
        #expect(problem?.location == nil)
    }

    /// Long runs of bytes that recognition skips, closed or not, are scanned only once.
    @Test(arguments: ["/* ", "// ", "\"", "{\"", "(", "a = \"\\", " ", "x", "{/**/", "<", "/"])
    func readsInOnePass(_ unit: String) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(40_000, long: 400_000)) { count in
            let text = Array(String(repeating: unit, count: count).utf8)
            return { _ = try? Format.recognize(text) }
        }
        #expect(isLinear)
    }
}
