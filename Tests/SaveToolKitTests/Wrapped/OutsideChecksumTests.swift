import Foundation
import TestSupport
import Testing

@testable import SaveCodec
@testable import SaveOperations

/// Tests of checksums in the header that `--unwrap-at` skips, and in the bytes after the save.
@Suite struct OutsideChecksumTests {
    private static let json = Array(#"{"gems": 7, "name": "Ada"}"#.utf8)
    private static let edited = Array(#"{"gems": 8, "name": "Ada"}"#.utf8)
    private static let magic = Array("SAVE".utf8)

    /// A form of a stored checksum.
    struct Form: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let algorithm: DigestAlgorithm
        let stored: @Sendable ([UInt8]) -> [UInt8]

        init(_ name: String, _ algorithm: DigestAlgorithm, _ stored: @escaping @Sendable ([UInt8]) -> [UInt8]) {
            (testDescription, self.algorithm, self.stored) = (name, algorithm, stored)
        }

        func checksum(of bytes: [UInt8]) -> [UInt8] { stored(algorithm.digest(of: bytes.span)) }

        /// The size of a stored checksum.
        var size: Int { checksum(of: []).count }
    }

    static let forms = [
        Form("CRC, highest byte first", .crc32) { $0 }, Form("CRC, lowest byte first", .crc32) { $0.reversed() },
        Form("CRC in digits", .crc32) { Array(Hexadecimal.text(of: $0, uppercase: true).utf8) },
        Form("MD5", .md5) { $0 }, Form("MD5 in digits", .md5) { Array(Hexadecimal.text(of: $0).utf8) },
        Form("SHA-1", .sha1) { $0 }, Form("SHA-256 in Base64", .sha256) { Array(Data($0).base64EncodedString().utf8) },
    ]

    /// What follows the header, for some contents.
    static let payloads: [(name: String, wrap: @Sendable ([UInt8]) -> [UInt8])] = [
        ("plain", { $0 }), ("gzip", { Gzip(header: [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3], trailer: []).write($0) }),
        ("zlib and other bytes", { Zlib(header: [0x78, 0xDA], trailer: Array("END.".utf8)).write($0) }),
    ]

    private static func file(_ form: Form, _ payload: Int, _ contents: [UInt8]) -> [UInt8] {
        let rest = payloads[payload].wrap(contents)
        return magic + form.checksum(of: rest) + rest
    }

    private func workspace(_ file: [UInt8]) throws -> Workspace {
        let workspace = try Workspace()
        try Data(file).write(to: workspace.folder.appending(path: "a"))
        return workspace
    }

    @Test(arguments: forms, payloads.indices)
    func updatesChecksum(_ form: Form, _ payload: Int) throws {
        let start = Self.magic.count + form.size
        let before = Self.file(form, payload, Self.json)
        let workspace = try workspace(before)
        let options = [
            "--unwrap-at", "\(start)", "--fixup", "\(form.algorithm.rawValue):byte 4 over file from \(start)",
        ]
        // An edit that changes nothing keeps the file.
        #expect(workspace.run(["set", "-i", "a", "/gems", "7"] + options).status == 0)
        #expect(try workspace.bytes(of: "a") == before)
        // A dry run reports the change and writes nothing.
        let dry = workspace.run(["set", "-n", "a", "/gems", "8"] + options)
        let line = "~ a: byte 0x4: the \(form.algorithm.rawValue) of the file from byte 0x"
        #expect(dry.status == 0 && dry.talk.contains(line), "\(dry)")
        #expect(try workspace.bytes(of: "a") == before)
        let run = workspace.run(["set", "-i", "a", "/gems", "8"] + options)
        #expect(run.status == 0 && run.talk.contains(line) && !run.talk.contains("was wrong"), "\(run)")
        #expect(try workspace.bytes(of: "a") == Self.file(form, payload, Self.edited))
        #expect(workspace.run(["set", "-i", "a", "/gems", "7"] + options).status == 0)
        #expect(try workspace.bytes(of: "a") == before)
    }

    /// Checksums after the save move with its end.
    @Test(arguments: forms, [0, 4])
    func updatesChecksumAfterSave(_ form: Form, _ size: Int) throws {
        for payload in Self.payloads { try checkChecksum(form, after: payload.wrap, headerSize: size) }
    }

    private func checkChecksum(_ form: Form, after wrap: ([UInt8]) -> [UInt8], headerSize size: Int) throws {
        func file(_ contents: [UInt8]) -> [UInt8] {
            let covered = wrap(contents)
            return Self.magic.prefix(size) + covered + form.checksum(of: covered)
        }
        let longer = Array(#"{"gems": 12345, "name": "Ada"}"#.utf8)
        let workspace = try workspace(file(Self.json))
        let start = size > 0 ? "from \(size) " : ""
        let options = [
            "--unwrap-at", "\(size)", "--fixup",
            "\(form.algorithm.rawValue):byte -\(form.size) over file \(start)to -\(form.size)",
        ]
        #expect(workspace.run(["set", "-i", "a", "/gems", "7"] + options).status == 0)
        #expect(try workspace.bytes(of: "a") == file(Self.json))
        let run = workspace.run(["set", "-i", "a", "/gems", "12345"] + options)
        let title = size > 0 ? "the file from byte 0x4 to byte -\(form.size)" : "the file up to byte -\(form.size)"
        #expect(run.status == 0 && run.talk.contains("the \(form.algorithm.rawValue) of \(title)"), "\(run)")
        #expect(try workspace.bytes(of: "a") == file(longer))
    }

    /// Property lists may have a checksum after them, too, and zeros may fill the rest of the file.
    @Test func keepsBytesAfterEveryFormat() throws {
        for format in [Format.binary, .xml, .json, .openStep] {
            let save = try Document(Self.json).bytes(as: format)
            for rest in [Self.crc(save), [0], [UInt8](repeating: 0, count: 4096), Array("END.".utf8), [0xFF, 0x41]] {
                let workspace = try workspace(save + rest)
                let run = workspace.run(["set", "-i", "a", "/gems", "8", "--unwrap-at", "0"])
                #expect(run.status == 0, "\(format) \(rest.prefix(8)): \(run)")
                let edited = try workspace.bytes(of: "a")
                #expect(edited.suffix(rest.count).elementsEqual(rest), "\(format) \(rest.prefix(8))")
                try Data(edited.dropLast(rest.count)).write(to: workspace.folder.appending(path: "b"))
                #expect(workspace.run(["get", "b", "/gems"]).output == "8\n", "\(format) \(rest.prefix(8))")
            }
        }
    }

    /// A checksum of the whole file counts its own bytes as zeros.
    @Test func coversFileAroundChecksum() throws {
        func file(_ contents: [UInt8]) -> [UInt8] {
            let file = Self.magic + [0, 0, 0, 0] + contents
            return Self.magic + DigestAlgorithm.crc32.digest(of: file.span) + contents
        }
        let workspace = try workspace(file(Self.json))
        let options = ["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file"]
        #expect(workspace.run(["set", "-i", "a", "/gems", "8"] + options).status == 0)
        #expect(try workspace.bytes(of: "a") == file(Self.edited))
    }

    /// The checksum covers the contents inside the layers, or values with a salt.
    @Test(arguments: [("contents", #"{"gems": 7, "name": "Ada"}"#), (#""x" + /name"#, "xAda")])
    func coversContents(_ covered: String, _ text: String) throws {
        func file(_ text: String, _ contents: [UInt8]) -> [UInt8] {
            Self.magic + Self.crc(text.utf8) + Zlib(header: [0x78, 0xDA], trailer: []).write(contents)
        }
        let workspace = try workspace(file(text, Self.json))
        let options = ["--unwrap-at", "8", "--fixup", "crc32:byte 0x4 over \(covered)"]
        let run = workspace.run(["set", "-i", "a", "/gems", "8"] + options)
        #expect(run.status == 0, "\(run)")
        #expect(try workspace.bytes(of: "a") == file(text.replacing("7", with: "8"), Self.edited))
    }

    /// Bytes that are not the checksum of the file before the edit may be anything, so they are kept.
    @Test func refusesOtherBytes() throws {
        let file = Self.magic + [1, 2, 3, 4] + Self.json
        let workspace = try workspace(file)
        let run = workspace.run([
            "set", "-i", "a", "/gems", "8", "--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from 8",
        ])
        #expect(run.status == 2 && run.talk.contains("byte 0x4: the bytes here are not the crc32 of"), "\(run)")
        #expect(try workspace.bytes(of: "a") == file)
    }

    /// Several checksums apply in order, also a value that the first covers, and a file beside the save.
    @Test func appliesInOrder() throws {
        func file(_ gems: Int) -> [UInt8] {
            let sum = Hexadecimal.text(of: Self.crc([0x78, 0]))
            let contents = Array(#"{"gems": \#(gems), "sum": "\#(sum)"}"#.utf8)
            let covered = Self.crc(contents) + contents
            return Self.crc(covered) + covered
        }
        let workspace = try workspace(file(7))
        try workspace.write("00000000", to: "sum")
        let fixups = [
            "crc32:/sum over \"x\" + 0x00", "crc32:byte 4 over file from 8", "crc32:byte 0 over file from 4",
            "crc32:file sum over file",
        ]
        func options(_ fixups: [String]) -> [String] {
            ["--unwrap-at", "8"] + fixups.flatMap { ["--fixup", $0] }
        }
        #expect(workspace.run(["set", "-i", "a", "/gems", "8"] + options(fixups)).status == 0)
        #expect(try workspace.bytes(of: "a") == file(8))
        #expect(try workspace.text(of: "sum") == Hexadecimal.text(of: Self.crc(file(8))))
        let wrong = workspace.run(["set", "-i", "a", "/gems", "9"] + options([fixups[2], fixups[1]]))
        #expect(wrong.status == 2 && wrong.talk.contains("because a later --fixup changes"), "\(wrong)")
        #expect(try workspace.bytes(of: "a") == file(8))
    }

    private static func crc(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        DigestAlgorithm.crc32.digest(of: Array(bytes).span)
    }

    /// The header is inside the encoding that the user's programs remove and add.
    @Test func worksWithFilters() throws {
        func file(_ contents: [UInt8]) -> [UInt8] {
            let file = Self.file(Self.forms[1], 2, contents)
            return Array(Data(file).base64EncodedString(options: .endLineWithLineFeed).utf8) + [0x0A]
        }
        let workspace = try workspace(file(Self.json))
        let options = [
            "--filter-in", "base64 -d", "--filter-out", "base64 -w 0; echo", "--unwrap-at", "8", "--fixup",
            "crc32:byte 4 over file from 8",
        ]
        let run = workspace.run(["set", "-i", "a", "/gems", "8"] + options)
        #expect(run.status == 0 && !run.talk.contains("was wrong"), "\(run)")
        #expect(try workspace.bytes(of: "a") == file(Self.edited))
    }

    @Test(
        arguments: [
            (["--fixup", "crc32:byte 4 over file from 8"], "missing --unwrap-at OFFSET"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 8 over file from 12"], "an offset in the header of 8 bytes"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte -1 over file to -1"], "found 0 bytes after the save"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte -0 over file to -1"], "an offset after byte"),
            (["--fixup", "crc32:byte -4 over file to -4"], "OFFSET is 0 without a header"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file to -4"], "a checksum cannot cover itself"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from 20 to 10"], "it has no bytes from 20 to 10"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from 8 to"], "an offset after to"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file upto 8"], "file from OFFSET to OFFSET"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte x over file from 12"], "an offset after byte"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from x"], "an offset after from"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 6 over file from 8"], "a header that ends at byte 8"),
            (["--unwrap-at", "8", "--fixup", "md5:byte 4 over file from 8"], "a header that ends at byte 8"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from 7"], "a checksum cannot cover itself"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over file from 99999"], "none follow byte 99999"),
            (["--unwrap-at", "8", "--fixup", "crc32:byte 4 over /nothing"], "the value does not exist"),
            (
                ["--unwrap-at", "8", "--fixup", "crc32:byte 9223372036854775807 over file from 8"],
                "an offset in the header"
            ),
            (
                ["--unwrap-at", "8", "--fixup", "crc32:/name over file from 8"],
                "a value cannot hold the checksum of its file"
            ),
        ] as [([String], String)])
    func refuses(_ options: [String], _ message: String) throws {
        let before = Self.file(Self.forms[0], 0, Self.json)
        let workspace = try workspace(before)
        let run = workspace.run(["set", "-i", "a", "/gems", "8"] + options)
        #expect(run.status == 2 && run.talk.contains(message), "\(run)")
        #expect(try workspace.bytes(of: "a") == before)
    }
}
