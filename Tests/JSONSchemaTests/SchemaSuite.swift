import Foundation
@testable import SaveCodec
import TestSupport

@testable import JSONSchema

/// The JSON-Schema-Test-Suite: files of groups, each with a schema and values that are valid or invalid.
enum SchemaSuite {
    static let folder = TestFiles.folder("SAVETOOL_SUITES")?.appending(path: "JSON-Schema-Test-Suite")

    /// A test, with the text of its schema and value.
    struct Case {
        let name: String
        let schema: [UInt8]
        let value: [UInt8]
        let isValid: Bool
    }

    /// Returns the JSON files in a folder of the suite.
    static func files(in subfolder: String) throws -> [String] {
        guard let folder else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: subfolder).path)
            .filter { $0.hasSuffix(".json") }.sorted().map { "\(subfolder)/\($0)" }
    }

    static func cases(in file: String) throws -> [Case] {
        guard let folder else { return [] }
        let bytes = try TestFiles.bytes(folder.appending(path: file))
        return JSONSlices.elements(of: bytes[...]).flatMap { group in
            let members = JSONSlices.members(of: group)
            return JSONSlices.elements(of: members["tests"] ?? []).map { test in
                let parts = JSONSlices.members(of: test)
                let names = [members["description"], parts["description"]].map {
                    String(decoding: $0 ?? [], as: UTF8.self)
                }
                return Case(
                    name: names.joined(separator: " / "), schema: Array(members["schema"] ?? []),
                    value: Array(parts["data"] ?? []), isValid: (parts["valid"] ?? []).elementsEqual("true".utf8))
            }
        }
    }

    /// The remote schemas of the suite, read from disk.
    static let store = SchemaStore { uri throws(Problem) in
        guard let folder, let path = uri.split(separator: "http://localhost:1234/").first, path.count < uri.count,
            let bytes = try? TestFiles.bytes(folder.appending(path: "remotes/\(path)"))
        else { return nil }
        return try JSON.read(bytes)
    }
}

/// A splitter of JSON texts that does not parse numbers, so that a test sees their original text.
enum JSONSlices {
    /// Returns the texts of the elements of an array.
    static func elements(of array: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        parts(of: array)
    }

    /// Returns the texts of the values of an object, by name.
    static func members(of object: ArraySlice<UInt8>) -> [String: ArraySlice<UInt8>] {
        var members: [String: ArraySlice<UInt8>] = [:]
        for part in parts(of: object) {
            guard let end = part.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
                let colon = part[end...].firstIndex(of: UInt8(ascii: ":"))
            else { continue }
            members[String(decoding: part[(part.startIndex + 1)..<end], as: UTF8.self)] = trimmed(part[(colon + 1)...])
        }
        return members
    }

    /// Returns the texts between the commas of the outermost container.
    private static func parts(of container: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        let contents = trimmed(container).dropFirst().dropLast()
        var (parts, start, depth, isText): ([ArraySlice<UInt8>], Int, Int, Bool) = ([], contents.startIndex, 0, false)
        var position = start
        while position < contents.endIndex {
            switch contents[position] {
            case UInt8(ascii: "\\"): position += 1
            case UInt8(ascii: "\""): isText.toggle()
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += isText ? 0 : 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= isText ? 0 : 1
            case UInt8(ascii: ",") where depth == 0 && !isText:
                parts.append(trimmed(contents[start..<position]))
                start = position + 1
            default: break
            }
            position += 1
        }
        let last = trimmed(contents[start...])
        return last.isEmpty ? parts : parts + [last]
    }

    private static func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
        let start = text.firstIndex { !isSpace($0) } ?? text.endIndex
        let end = text.lastIndex { !isSpace($0) } ?? start
        return start == text.endIndex ? text[start...] : text[start...end]
    }
}
