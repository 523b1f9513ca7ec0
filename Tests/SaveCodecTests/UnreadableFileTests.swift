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
            "Git LFS", text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1024\n"), "format.git-lfs",
            "this is a Git LFS pointer in place of the file (1024 bytes); git lfs pull fetches it"
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
            "defaults read", text("{\n  a = {length = 3125, bytes = 0x62706c69 ... 000008dd };\n}"),
            "format.defaults-output",
            "shortens data to {length = 3125, bytes = …}; export the values instead: defaults export DOMAIN - | savetool inspect"
        ),
        ("plutil -p", text("{\n  \"a\" => 1\n}\n"), "format.plutil-output", "this is the output of plutil -p"),
        (
            "digits", text(hexadecimal(save)), "format.hexadecimal",
            "this is a binary property list of 779 bytes, written as hexadecimal digits; use --unwrap"
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
        ("<plist><dict><html/>", "xml.element"),
        ("{a = {length = 3; bytes = 1}", "openstep.syntax"), ("0102030405060708090a0b0c0d0e0f10g", "json.number"),
    ])
    func otherFilesKeepTheirProblem(_ text: String, _ id: String) {
        #expect(Self.problem(Array(text.utf8))?.id == id)
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
}
