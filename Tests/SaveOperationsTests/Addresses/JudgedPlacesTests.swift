import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Lines and columns in real files agree with independent readers: expat for XML, a scanner for JSON.
@Suite struct JudgedPlacesTests {
    private static let python = ["/usr/bin/python3", "/usr/local/bin/python3", "/opt/homebrew/bin/python3"]
        .first(where: FileManager.default.isExecutableFile)

    /// A `>` in an attribute ends the tag in Core Foundation and here, but not in standard XML.
    private static let misread = "xml_unusual_cases__s11.plist"

    /// Returns the XML and JSON files that can be read.
    private static func texts() throws -> [String: (bytes: [UInt8], format: Format)] {
        let folders = [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS")].compactMap { $0 }
        var texts: [String: (bytes: [UInt8], format: Format)] = [:]
        for file in try folders.flatMap(TestFiles.files) {
            let bytes = try TestFiles.bytes(file.url)
            guard bytes.count < 1 << 20, let format = try? Format.recognize(bytes), format == .xml || format == .json,
                format == .xml || file.url.pathExtension == "json", (try? Document.read(bytes, as: format)) != nil
            else { continue }
            texts[file.url.path(percentEncoded: false)] = (bytes, format)
        }
        return texts
    }

    /// Returns the locations that the Python script reports, the last one for an address that occurs several times.
    private static func judged(_ files: [String], by python: String) throws -> [String: [[[UInt16]]: SaveCodec
        .SourceLocation]]
    {
        let script = TestFiles.package.appending(path: "Tests/Oracles/text_places.py")
        let list = FileManager.default.temporaryDirectory.appending(path: "places-\(UUID().uuidString)")
        try Data(files.joined(separator: "\n").utf8).write(to: list)
        defer { try? FileManager.default.removeItem(at: list) }
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [script.path(percentEncoded: false)]
        process.standardInput = try FileHandle(forReadingFrom: list)
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        var places: [String: [[[UInt16]]: SaveCodec.SourceLocation]] = [:]
        for line in data.split(separator: UInt8(ascii: "\n")) {
            guard let row = try? JSONSerialization.jsonObject(with: line) as? [Any], let file = row[0] as? String,
                let tokens = row[1] as? [String], let number = row[2] as? Int, let column = row[3] as? Int
            else { continue }
            places[file, default: [:]][tokens.map { Array($0.utf16) }] = .line(number, column: column)
        }
        return places
    }

    @Test func agreeWithOtherReaders() throws {
        guard let python = Self.python else {
            return print("python3 is not installed; lines and columns are not judged")
        }
        let texts = try Self.texts()
        var judged = 0
        for (file, others) in try Self.judged(texts.keys.sorted(), by: python) {
            let (bytes, format) = try #require(texts[file])
            let view = ObjectView(try Document.read(bytes, as: format))
            // In an exact envelope, addresses refer to the value.
            guard view.document.sourceFormat == format, !file.hasSuffix(Self.misread) else { continue }
            // Tag names are not keys in the view.
            let addresses = others.keys.filter { $0.first != Array("$dict".utf16) && view.leads($0) }
            let targets = addresses.map { FileLocations.Target(JSONPointer(tokens: $0)) }
            let places = FileLocations(in: bytes, as: format, limits: Limits()).locations(of: targets, in: view)
            for (address, place) in zip(addresses, places) where place != others[address] {
                let (ours, theirs) = (place.debugDescription, others[address].debugDescription)
                Issue.record("\(file) \(JSONPointer(tokens: address)): \(ours), others: \(theirs)")
            }
            judged += addresses.count
        }
        #expect(judged > 1000)
    }
}

extension ObjectView {
    fileprivate func leads(_ tokens: [[UInt16]]) -> Bool {
        guard case .found = find(JSONPointer(tokens: tokens)) else { return false }
        return true
    }
}
