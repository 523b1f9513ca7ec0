import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport

/// Archives from files and from typed JSON.
enum ArchiveFile {
    /// A property list in whatever format it is.
    static func document(_ url: URL) throws -> Document {
        let bytes = try TestFiles.bytes(url)
        return try Document.read(bytes, as: Format.recognize(bytes))
    }

    /// All archives below a folder: what can be read and presents itself as one.
    static func all(in folder: URL) throws -> [(name: String, document: Document)] {
        try TestFiles.files(under: folder).compactMap { file in
            guard let document = try? document(file.url), KeyedArchive.isArchive(document) else { return nil }
            return (file.name, document)
        }
    }

    /// An archive with these objects behind `$null`, as typed JSON, and a root. What is added to the root of the property
    /// list comes as members.
    static func json(_ objects: [String], top: String = #"{"root":{"$uid":1}}"#) throws -> Document {
        let list = ([#""$null""#] + objects).joined(separator: ",")
        return try JSON.read(
            Array(
                #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":\#(top),"$objects":[\#(list)]}"#.utf8))
    }
}
