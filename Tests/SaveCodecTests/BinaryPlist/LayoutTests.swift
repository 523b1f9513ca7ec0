import Foundation
import Testing
import TestSupport

@testable import SaveCodec

/// Layouts are derived from files and applied to their values (the article ExactJSON).
@Suite struct LayoutTests {
    static let corpus = TestFiles.folder("SAVETOOL_CORPUS")

    /// Files whose object order matches no known writer. No layout exists for them, so exact JSON embeds the whole
    /// file.
    static let carriedWhole: [String: String] = [
        "joeferner__node-bplist-parser/test__airplay.bplist": "every boolean is an object of its own",
        "joeferner__node-bplist-parser/test__iTunes-small.bplist": "containers share key and element lists",
        "log2timeline__plaso/test_data__plist__History.plist": "an array is shared by many dictionaries",
        "swiftlang__swift-foundation/Tests__FoundationEssentialsTests__Resources__Test_82142612.bad":
            "damaged: a key refers into the contents of another object",
    ]

    @Test(.enabled(if: corpus != nil))
    func restoresCorpusFilesFromValueAndLayout() throws {
        let corpus = try #require(Self.corpus)
        var derived = 0
        var identityBytes = 0
        for file in TestScale.sample(of: try TestFiles.files(under: corpus)) {
            let bytes = try TestFiles.bytes(file.url)
            guard bytes.starts(with: Array("bplist".utf8)), let document = try? BinaryPlist.read(bytes) else {
                continue
            }
            let layout = BinaryPlistLayout(of: document)
            #expect((layout == nil) == (Self.carriedWhole[file.name] != nil), "\(file.name)")
            derived += layout == nil ? 0 : 1
            identityBytes += layout?.identity.count ?? 0
        }
        TestScale.report("layouts derived: \(derived), bytes of identity exceptions: \(identityBytes)")
        #expect(derived > 0)
    }

    @Test func keepsEqualScalarsSeparate() throws {
        let file = assembled(["a401020301", "5161", "5161", "5161"])
        let document = try BinaryPlist.read(file)
        let layout = try #require(BinaryPlistLayout(of: document))
        #expect(!layout.identity.isEmpty)
        var json = ByteWriter()
        try document.write(as: .json, to: &json)
        let value = try Document.read(json.takeBytes(), as: .json)
        #expect(value.count == 2)
        #expect(layout.applied(to: value) == file)
    }

    @Test func rejectsLayoutOfEditedValue() throws {
        let layout = try #require(BinaryPlistLayout(of: BinaryPlist.read(assembled(["a101", "1005"]))))
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.add(integer: 6)
        builder.close()
        #expect(layout.applied(to: try builder.finish()) == nil)
    }

    @Test(arguments: [
        ["1300000000000000ff"], ["140000000000000000000000000000000a"], ["6200610062"], ["5361e962"], ["82000100"],
        ["a20102", "1105ff", "12000005ff"],
    ])
    func keepsLongForms(objects: [String]) throws {
        let file = assembled(objects)
        let layout = try #require(BinaryPlistLayout(of: BinaryPlist.read(file)))
        #expect(layout.traversal == .coreFoundation)
        var json = ByteWriter()
        try BinaryPlist.read(file).write(as: .json, to: &json)
        #expect(layout.applied(to: try Document.read(json.takeBytes(), as: .json)) == file)
    }
}

/// Returns a binary property list of objects given in hexadecimal, laid out as `Fixtures/make/assembler.py` does: the
/// root first, with one-byte offsets and references.
func assembled(_ objects: [String]) -> [UInt8] {
    var file = Array("bplist00".utf8)
    var offsets: [UInt8] = []
    for object in objects {
        offsets.append(UInt8(file.count))
        file += bytes(hex: object)
    }
    let start = UInt8(file.count)
    let count = UInt8(objects.count)
    let trailer: [[UInt8]] = [
        bytes(hex: "0000000000000101"), [0, 0, 0, 0, 0, 0, 0, count], bytes(hex: "0000000000000000"),
        [0, 0, 0, 0, 0, 0, 0, start],
    ]
    return file + offsets + trailer.joined()
}

/// Returns the bytes that `hex` spells; an odd last digit is ignored.
func bytes(hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { start in
        UInt8(16 * digits[start] + digits[start + 1])
    }
}
