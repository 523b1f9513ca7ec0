import Foundation
import TestSupport
import Testing

@testable import SaveCodec

/// The cause of damage to an unreadable file is named. The files are made from a sound one and from the output of other
/// programs.
@Suite struct UnreadableFileTests {
    private static let save = (try? TestFiles.bytes(TestFiles.fixtures.appending(path: "games/swamp.save"))) ?? []
    private static let xml =
        "<?xml version=\"1.0\"?><plist version=\"1.0\"><dict><key>a</key><integer>1</integer></dict></plist>"

    private static func problem(_ bytes: [UInt8]) -> Problem? {
        do throws(Problem) {
            let (contents, _) = try Layers.unwrap(bytes)
            _ = try Document(contents)
            return nil
        } catch {
            return error
        }
    }

    private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

    /// Returns the bytes after a program has decoded them as Latin-1 and stored them as UTF-8.
    private static func latin1(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { Array(String(Unicode.Scalar($0)).utf8) }
    }

    private static func crlf(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] } }

    private static func hexadecimal(_ bytes: [UInt8]) -> String { Hexadecimal.text(of: bytes) }

    /// Returns the bytes with others in place of those from an offset on.
    private static func put(_ other: [UInt8], in bytes: [UInt8], at offset: Int) -> [UInt8] {
        Array(bytes[..<offset]) + other + bytes[(offset + other.count)...]
    }

    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + (0..<56).map { UInt8($0 * 37 & 0xFF) }
    private static let table = Int(Trailer(of: save).tableStart)
    private static let levels = "{\n  \"levels\": [1, 2, 3],\n  \"name\": \"Zo\u{EB}\"\n}\n"
    private static let database =
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: "databases/monsters.sqlite"))) ?? []
    private static let stream =
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: "oldmac/swamp.save"))) ?? []
    private static let compressed =
        (try? TestFiles.bytes(TestFiles.fixtures.appending(path: "wrapped/swamp.save.gz"))) ?? []

    /// Damage in the middle of a file, and parts of two files in one.
    static let damages: [(name: String, bytes: [UInt8], id: String, message: String)] = [
        (
            "marker", put([0xEF], in: save, at: 0x113), "damage.byte",
            "object 39 was changed here: object 39 has the marker 0xEF, which bplist00 does not define; the other 86 of 87 "
                + "objects show no damage"
        ),
        (
            "offset", put([0x10], in: save, at: table + 64), "damage.byte",
            "offset table entry 32 was changed: it is 0x10E9, but object 31 ends at 0xE9, where object 32 begins"
        ),
        (
            "offset of another object", put([0x33], in: save, at: table + 91), "damage.byte",
            "offset table entry 45 was changed"
        ),
        (
            "start of the table", put([0x07], in: save, at: save.count - 2), "damage.byte",
            "the start of the offset table in the trailer was changed"
        ),
        (
            "object count", put([0x58], in: save, at: save.count - 17), "damage.byte",
            "the object count in the trailer was changed"
        ),
        ("root", put([0xFF], in: save, at: save.count - 9), "damage.byte", "the root in the trailer was changed"),
        (
            "zeros in offsets", put([UInt8](repeating: 0, count: 20), in: save, at: table + 40), "damage.zeros",
            "they replaced the offsets of objects 20 to 29; all 87 objects show no damage"
        ),
        (
            "image in objects", put(png, in: save, at: 0x113), "damage.block",
            "a block of another file, the beginning of a PNG image, is in the middle of this one; it replaced objects 39 to"
        ),
        (
            "other bytes in objects", put([UInt8](repeating: 0xFF, count: 40), in: save, at: 0x113), "damage.stretch",
            "objects 39 to"
        ),
        (
            "inserted", Array(save[..<0x100]) + png + save[0x100...], "damage.inserted",
            "64 extra bytes in or after object"
        ),
        (
            "missing", Array(save[..<0x100] + save[0x120...]), "damage.missing",
            "32 bytes are missing in or after object"
        ),
        (
            "beginning", Array(save[77...]), "damage.beginning",
            "this is the end of a binary property list; its first 77 bytes are missing"
        ),
        (
            "beginning of XML", text("<string>a</string><string>b</string></array></dict></plist>"), "damage.beginning",
            "this is the end of an XML property list; the beginning is missing"
        ),
        (
            "preceded", text("abc\u{1}") + save, "damage.preceding",
            "4 bytes precede a binary property list, which begins here"
        ),
        (
            "response", text("HTTP/1.1 200 OK\r\nContent-Type: a\r\n\r\n") + text(levels), "damage.preceding",
            "this is an HTTP response; its header takes 36 bytes, and JSON begins here"
        ),
        ("two binary", save + save, "binary.trailing", "they are another file, a binary property list"),
        ("page after binary", save + text("\n<!DOCTYPE html><p>"), "binary.trailing", "they begin like an HTML page"),
        (
            "two JSON", text(levels + levels), "damage.second-file",
            "two files in one: the JSON is complete here, and another one of 44 bytes follows"
        ),
        (
            "two OpenStep", text("{a = 1;}\n{a = 2;}\n"), "damage.second-file",
            "the OpenStep property list is complete here"
        ),
        ("two typedstreams", stream + stream, "damage.second-file", "the typedstream is complete here"),
        ("page after JSON", text(levels + "<html>"), "damage.trailing", "6 bytes follow; they begin like an HTML page"),
        (
            "zeros in JSON", put([0, 0, 0], in: text(levels), at: 14), "damage.zeros",
            "3 bytes from here on are zero, which a text does not contain"
        ),
        ("zero in XML", put([0], in: text(xml), at: 60), "damage.zeros", "this byte is zero"),
        (
            "image in XML", put(Array(png[..<20]), in: text(xml), at: 60), "damage.block",
            "the beginning of a PNG image, is in the middle of this one"
        ),
        (
            "bytes in JSON", put([UInt8](repeating: 0xFF, count: 12), in: text(levels), at: 4), "damage.stretch",
            "12 bytes from here on are binary data in the middle of a text"
        ),
        (
            "changed tag", put([0x69], in: text(xml), at: 49), "damage.byte",
            "one bit of the byte 0x69 (i) was changed: the file is valid with 0x6B (k) in its place"
        ),
        (
            "changed bracket", put([0xDB], in: text(levels), at: 14), "damage.byte",
            "one bit of the byte 0xDB was changed: the file is valid with 0x5B ([) in its place"
        ),
        (
            "Mac Roman", text("\"a\" = \"caf") + [0x8E] + text("\";\n\"b\" = \"") + [0x88, 0xA9] + text("\";\n"),
            "text.utf8",
            "the byte 0x8E is not UTF-8: the text is probably in an old encoding; convert it with iconv -f macintosh -t utf-8, or if the file is only this text, read it with --filter-in 'iconv -f macintosh -t utf-8' and write it with --filter-out 'iconv -f utf-8 -t macintosh'"
        ),
        (
            "one byte of Latin-1", text("/* x */\n\"a\" = \"") + [0xA9] + text(" b\";\n"), "text.utf8",
            "read it with --filter-in 'iconv -f latin1 -t utf-8' and write it with --filter-out 'iconv -f utf-8 -t latin1'; or one bit of the byte 0x29 ()) was changed"
        ),
        (
            "Windows-1252", text("{\"a\": \"") + [0x93, 0x61, 0x94] + text("\"}"), "json.encoding",
            "iconv -f windows-1252 -t utf-8"
        ),
        (
            "checksum", put([0], in: compressed, at: compressed.count - 8), "gzip.checksum",
            "the contents are still a valid binary property list of 779 bytes"
        ),
        (
            "zeros in gzip", put([UInt8](repeating: 0, count: 64), in: compressed, at: 200), "damage.zeros",
            "bytes from here on are zero"
        ),
        ("database in CRLF", crlf(database), "damage.line-ends", "follows 0x0D; copy it again as binary"),
        (
            "typedstream in UTF-16", [0xFF, 0xFE] + stream.flatMap { [$0, 0] }, "damage.utf16",
            "a typedstream was converted"
        ),
    ]

    @Test(arguments: damages)
    func locatesTheDamage(_ name: String, _ bytes: [UInt8], _ id: String, _ message: String) {
        let problem = Self.problem(bytes)
        #expect(problem?.id == id)
        #expect(problem?.message.contains(message) == true, "\(problem?.description ?? "sound")")
    }

    /// Zeros read as null objects, so the reader accepts them, but reports an error.
    @Test func zerosInObjects() throws {
        let file = Self.put([UInt8](repeating: 0, count: 48), in: Self.save, at: 0x113)
        let warning = try #require(try Document(file).warnings.first { $0.id == "damage.zeros" })
        #expect(warning.location == .byte(0x113) && warning.severity == .error)
        #expect(warning.message.hasPrefix("48 bytes from here on are zero; they replaced objects 39 to"))
    }

    /// A short file that was written over a longer one ends with the end of the longer one.
    @Test func overwritten() throws {
        let short = try TestFiles.bytes(TestFiles.fixtures.appending(path: "games/options.save"))
        let problem = Self.problem(short + Self.save[short.count...])
        #expect(problem?.id == "damage.overwritten")
        #expect(problem?.location == .byte(short.count))
    }

    /// A single changed bit is located exactly if it is named: the byte, the object or the entry that it is in.
    @Test func locatesChangedBits() throws {
        let offsets = (0..<87).map { Int(Self.save.bigEndian(at: Self.table + 2 * $0, width: 2)) } + [Self.table]
        var named = 0
        for position in 8..<Self.save.count - 32 {
            for bit in 0..<8 {
                var damaged = Self.save
                damaged[position] ^= 1 << UInt8(bit)
                guard let problem = Self.problem(damaged), problem.id.hasPrefix("damage.") else { continue }
                named += 1
                #expect(problem.id == "damage.byte", "\(position).\(bit): \(problem)")
                guard case .byte(let offset)? = problem.location else { return }
                let object = try #require(offsets.lastIndex { $0 <= offset })
                let isInObject = offset < Self.table && position < Self.table && position < offsets[object + 1]
                #expect(offset == position || isInObject && position > offset, "\(position).\(bit): \(problem)")
            }
        }
        #expect(named > 1000)
    }

    /// A changed bit explains a control character in a string only if it was a quotation mark.
    @Test func controlCharacterInString() throws {
        let stored = try #require(Self.problem(Self.text("[\"a\u{1}b\"]")))
        #expect(stored.id == "json.string")
        #expect(stored.message == "a string contains the control character U+0001; expected an escape")
        #expect(Self.problem(Self.text("[\"ab\u{2}]"))?.id == "damage.byte")
    }

    @Test func namesASecondXMLFile() throws {
        let document = try Document(Self.text(Self.xml + "\n" + Self.xml))
        #expect(document.warnings.map(\.message).contains { $0.hasPrefix("two files in one") })
    }

    static let files: [(name: String, bytes: [UInt8], id: String, message: String)] = [
        (
            "zeros", [UInt8](repeating: 0, count: 4096), "damage.blank",
            "all 4,096 bytes are zero; nothing is left to recover"
        ),
        (
            "erased", [UInt8](repeating: 255, count: 512), "damage.blank",
            "all 512 bytes are 0xFF; nothing is left to recover"
        ),
        (
            "zeros at the end", Array(save.prefix(400)) + [UInt8](repeating: 0, count: 624), "damage.zeros",
            "of 1,024 bytes are zero"
        ),
        (
            "zeros in the trailer", Array(save.dropLast(8)) + [UInt8](repeating: 0, count: 8), "damage.zeros",
            "of 779 bytes are zero"
        ),
        ("text with zeros", text("{\"a\": 1}\0\0"), "damage.zeros", "the last 2 of 10 bytes are zero"),
        (
            "padded", save + [UInt8](repeating: 0, count: 5000), "binary.trailing",
            "5,000 bytes follow the trailer, which ends a binary property list; all of them are zero"
        ),
        ("line feed", save + [0x0A], "binary.trailing", "1 byte follows the trailer"),
        ("CRLF", crlf(save), "damage.line-ends", "follows 0x0D; copy it again as binary"),
        ("CRLF, line feed", crlf(save + [0x0A]), "damage.line-ends", "follows 0x0D; copy it again as binary"),
        (
            "gzip in CRLF", crlf([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + [UInt8](repeating: 0x0A, count: 9)),
            "damage.line-ends", "the gzip layer is damaged: line ends were converted"
        ),
        (
            "UTF-8", Array(String(decoding: save, as: UTF8.self).utf8), "damage.replaced",
            "EF BF BD, the replacement character, occurs"
        ),
        ("Latin-1", latin1(save), "damage.utf8", "above 0x7F became two or three bytes each"),
        (
            "gzip in Latin-1", latin1([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xCB, 0x48]), "damage.utf8",
            "above 0x7F became two or three bytes"
        ),
        ("UTF-16", [0xFF, 0xFE] + save.flatMap { [$0, 0] }, "damage.utf16", "PowerShell"),
        (
            "gzip in 7 bits",
            ((try? TestFiles.bytes(TestFiles.fixtures.appending(path: "wrapped/swamp.save.gz"))) ?? [])
                .map { $0 & 0x7F }, "damage.seven-bit", "none of 593 bytes is above 0x7F; copy the file again as binary"
        ),
        (
            "Git LFS", text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1024\n"), "format.git-lfs",
            "this is a Git LFS pointer, not the file (1024 bytes); run git lfs pull to fetch it"
        ),
        (
            "conflict", text("{\n<<<<<<< HEAD\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> b\n}"), "format.conflict",
            "this line is a conflict marker of git; resolve the conflict first"
        ),
        (
            "page", text("<!-- x -->\n<!DOCTYPE HTML><html><head><TITLE>404 Not Found</TITLE>"), "format.html",
            "this is an HTML page titled \"404 Not Found\", possibly an error page"
        ),
        (
            "XHTML", text("<?xml version=\"1.0\"?>\n<!DOCTYPE html PUBLIC \"-\"><html/>"), "format.html",
            "this is an HTML page, possibly"
        ),
        (
            "XIB", text("<?xml version=\"1.0\"?>\n<document type=\"com.apple.InterfaceBuilder3.XIB\"></document>"),
            "format.xib", "this is an Interface Builder document (XIB), not a property list"
        ),
        (
            "old XIB", text("<archive type=\"com.apple.InterfaceBuilder3.Cocoa.XIB\"><data/></archive>"), "format.xib",
            "this is an Interface Builder document (XIB)"
        ),
        (
            "unknown format", [0xC0, 0x01, 0x02, 0x03, 0x04] + [UInt8](repeating: 0, count: 251), "format.unknown",
            "the first bytes are C0 01 02 03 04 00 00 00; expected a binary"
        ),
        (
            "defaults read", text("{\n  a = {length = 3125, bytes = 0x62706c69 ... 000008dd };\n}"),
            "format.defaults-output",
            "shortens data to {length = 3125, bytes = …}; export the values instead: defaults export DOMAIN - | savetool inspect"
        ),
        ("plutil -p", text("{\n  \"a\" => 1\n}\n"), "format.plutil-output", "this is the output of plutil -p"),
        (
            "image", text("<?xml version=\"1.0\"?>\n<!DOCTYPE svg [<!ENTITY a \">\">]>\n<svg width=\"1\"><g/></svg>"),
            "format.other-xml", "this is an SVG image, not a property list"
        ),
        (
            "map of Tiled", text("<map version=\"1.10\" orientation=\"orthogonal\"><layer/></map>"), "format.other-xml",
            "this is a map of Tiled (TMX), not a property list"
        ),
        (
            "save of a program", text("<?xml version=\"1.0\"?>\n<SaveData><string>1</string></SaveData>"),
            "format.other-xml", "this is XML with the root element <SaveData>, not a property list"
        ),
        (
            "save with tags of property lists",
            text("\u{FEFF}<?xml version=\"1.0\"?><Farmer><key><string>1</string></key></Farmer>\n"), "format.other-xml",
            "this is XML with the root element <Farmer>, not a property list"
        ),
        (
            "encrypted data", text("zCL1FxEhw5SCenowlHrvpZI9hJYa2id1D/X7r/GfgkscL1UHigYwtubMHk1QzCL1FxEhw5SCeA=="),
            "format.base64", "this is Base64 of 55 bytes in no known format, which may be encrypted"
        ),
        (
            "quoted LZString", text("> N4IgDghgTgLgniAXKA+gcwPY\n> BsAmSCMATAMwAsArADQgB2EAtgKZA===\n"),
            "format.lz-string",
            "this is probably JSON compressed by LZString"
        ),
        (
            "LZString", text("N4IgDghgTgLgniAXKA+gcwPYBsAmSCMATAMwAsArADQgB2EAtgKZA==="), "format.lz-string",
            "this is probably JSON compressed by LZString, such as a save of RPG Maker MV; decompress it first"
        ),
        (
            "digits", text(hexadecimal(save)), "format.hexadecimal",
            "this is a binary property list of 779 bytes, written as hexadecimal digits; use --unwrap"
        ),
        (
            "digits of JSON", text("ef bb bf 7b 22 6e 61 6d 65 22 3a 22 53 77 61 6d 70 22 7d"), "format.hexadecimal",
            "this is JSON of 19 bytes, written as hexadecimal digits; xxd -r -p decodes them"
        ),
        (
            "Base64", text("YnBsaXN0MDDRAQJRYRABCAsNAAAAAAAAAQEAAAAAAAAAAwAAAAAAAAAAAAAAAAAAAA8=\n"), "format.layers",
            "this is Base64 data with a binary property list in it; use --unwrap to read it"
        ),
    ]

    @Test(arguments: files)
    func namesTheCause(_ name: String, _ bytes: [UInt8], _ id: String, _ message: String) {
        let problem = Self.problem(bytes)
        #expect(problem?.id == id)
        #expect(problem?.message.contains(message) == true, "\(problem?.message ?? "sound")")
    }

    /// A truncated file reports the number of missing bytes: exactly if the cut is in the offset table, else as a lower
    /// bound.
    @Test func missingEnd() throws {
        let tableStart = Int(Trailer(of: Self.save).tableStart)
        for count in 42..<Self.save.count {
            let problem = try #require(Self.problem(Array(Self.save[..<count])))
            let missing = Self.save.count - count
            let exact =
                missing == 1
                ? "truncated: 1 byte is missing at the end" : "truncated: \(missing) bytes are missing at the end"
            if count > tableStart {
                #expect(problem.message == exact)
            } else {
                let bound = problem.message.split(separator: " ").compactMap { Int($0) }.first
                #expect(problem.message.hasPrefix("truncated: at least "))
                #expect(bound.map { $0 <= missing } == true, "\(count): \(problem.message)")
            }
        }
    }

    /// Plain text keeps its own problem, and so does a file that its reader explains better.
    @Test(arguments: [
        ("hello world", "format.unknown"), ("{\"a\": \"<html>\"", "json.syntax"),
        ("<map><dict/></mop>", "xml.element"),
        ("<plisu><true/></plisu>", "xml.element"), ("NobodyKnowsWhoWroteThis+", "openstep.syntax"),
        ("<plist><dict><html/>", "xml.element"),
        ("{a = {length = 3; bytes = 1}", "openstep.syntax"), ("0102030405060708090a0b0c0d0e0f10g", "json.number"),
    ])
    func otherFilesKeepTheirProblem(_ text: String, _ id: String) {
        #expect(Self.problem(Array(text.utf8))?.id == id)
    }

    /// No beginning of a file is too short for the search for a cause.
    @Test(arguments: [
        "wrapped/swamp.save.gz", "wrapped/preferences.plist.z", "games/swamp.save", "games/swamp.xml.save",
        "oldmac/swamp.save",
    ])
    func searchesEveryBeginning(_ name: String) throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: name))
        for count in Array(0..<64) + TestScale.sample(of: Array(64..<bytes.count)) {
            // The first letters are words of OpenStep text, and a text without its last line break is whole.
            let isPart = (8..<(bytes.count - 1)).contains(count)
            #expect(Self.problem(Array(bytes[..<count])) != nil || !isPart, "\(count) bytes")
        }
    }

    @Test(
        arguments: [
            [0x0D, 0x0A], [0xEF, 0xBF, 0xBD], [0xC3, 0xA9], [0], [0x0A], Array("{length = ".utf8), [0xA1, 1],
        ] as [[UInt8]])
    func takesLinearTime(_ unit: [UInt8]) throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(8000, long: 80_000)) { count in
            let file = Array("bplist00\u{1}".utf8) + (0..<count).flatMap { _ in unit }
            return { _ = Self.problem(file) }
        }
        #expect(isLinear)
    }

    /// Several bytes suggest an old encoding, and a single one proves nothing.
    @Test func namesNoEncodingForOneByte() {
        let texts: [[UInt8]] = [
            Array("{a = caf".utf8) + [0x8E] + Array(";}".utf8), Array("{a = ".utf8) + [0x8E, 0x8F, 0x3B, 0x7D],
        ]
        let messages = texts.map { bytes in
            do throws(Problem) {
                _ = try Document.read(bytes, as: .openStep)
                return ""
            } catch {
                return error.diagnosed(in: bytes, Limits()).message
            }
        }
        #expect(messages.map { $0.contains("iconv -f macintosh") } == [false, true], "\(messages)")
    }
}
