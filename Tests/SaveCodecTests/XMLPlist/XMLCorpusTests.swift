import Foundation
@testable import SaveCodec
import TestSupport
import Testing

/// The XML files of a corpus of real property lists.
@Suite struct XMLCorpusTests {
    static let files: [String] = {
        guard let folder = TestFiles.folder("SAVETOOL_CORPUS") else { return [] }
        let rows = try? String(contentsOf: folder.appending(path: "MANIFEST.tsv"), encoding: .utf8)
        return (rows ?? "").split(separator: "\n").compactMap { row in
            let fields = row.split(separator: "\t", omittingEmptySubsequences: false)
            return fields.count > 9 && fields[2].hasPrefix("xml") ? String(fields[9]) : nil
        }
    }()

    /// Files that Core Foundation refuses, by name or by prefix of the name.
    static let refused = [
        "DHowett__go-plist/testdata__xml_unusual_cases__s04.plist",
        "DHowett__go-plist/testdata__xml_unusual_cases__s05.plist",
        "DHowett__go-plist/testdata__xml_unusual_cases__s06.plist",
        "DHowett__go-plist/xml_test.go--invalid-",
        "ebarnard__rust-plist/tests__data__xml_entity_error.plist",
        "ebarnard__rust-plist/tests__data__xml_error.plist",
        "log2timeline__plaso/test_data__plist__empty.plist",
        "micromdm__plist/testdata__xml__invalid-before-plist.failure.plist",
        "micromdm__plist/testdata__xml__invalid-data.failure.plist",
        "micromdm__plist/testdata__xml__invalid-middle.failure.plist",
        "micromdm__plist/testdata__xml__no-dict-end.failure.plist",
        "micromdm__plist/testdata__xml__no-plist-end.failure.plist",
        "micromdm__plist/testdata__xml__unescaped-plist.failure.plist",
        "micromdm__plist/testdata__xml__unescaped-xml.failure.plist",
        "python__cpython/Lib__test__test_plistlib.py--XML_PLIST_WITH_ENTITY.xml",
        "swiftlang__swift-foundation/Tests__FoundationEssentialsTests__Resources__Test_5616259.bad",
        "swiftlang__swift-foundation/Tests__FoundationEssentialsTests__Resources__bad_plist.bad",
    ]

    /// A file whose data contains characters outside Base64, which are skipped.
    static let lenient = "DHowett__go-plist/xml_test.go--invalid-08.xml"

    @Test(.enabled(if: !files.isEmpty), arguments: files)
    func agreesWithCoreFoundation(file: String) throws {
        let bytes = try Self.bytes(file)
        if file != Self.lenient, Self.refused.contains(where: file.hasPrefix) {
            #expect(throws: Problem.self) { try XMLPlist.read(bytes) }
            return
        }
        let document = try XMLPlist.read(bytes)
        let written = try Self.written(document)
        #expect(try Self.written(XMLPlist.read(written)) == written)
        if document.warnings.isEmpty && XMLPlist.losses(in: document).isEmpty {
            let again = try XMLPlist.read(written)
            #expect(XMLCanonicalText(document: again).text == XMLCanonicalText(document: document).text)
        }
    }

    /// Files from Core Foundation, and from Xcode, which keeps the key order, are reproduced byte for byte.
    @Test(.enabled(if: !files.isEmpty))
    func keepsBytesOfCanonicalFiles() throws {
        var sorted = 0
        var stored = 0
        for file in Self.files {
            let bytes = try Self.bytes(file)
            guard let document = try? XMLPlist.read(bytes) else { continue }
            if try Self.written(document) == bytes {
                sorted += 1
            } else if try Self.written(document, .stored) == bytes {
                stored += 1
            }
        }
        #expect(sorted == 52)
        #expect(stored == 17)
    }

    private static func bytes(_ file: String) throws -> [UInt8] {
        try TestFiles.bytes(#require(TestFiles.folder("SAVETOOL_CORPUS")).appending(path: file))
    }

    private static func written(_ document: Document, _ order: WriteOptions.KeyOrder? = nil) throws -> [UInt8] {
        var output = ByteWriter()
        try XMLPlist.write(document, to: &output, options: WriteOptions(keyOrder: order))
        return output.takeBytes()
    }
}
