import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport

/// Reads archives from files and from typed JSON.
enum ArchiveFile {
    /// Returns a property list in any format.
    static func document(_ url: URL) throws -> Document {
        let bytes = try TestFiles.bytes(url)
        return try Document.read(bytes, as: Format.recognize(bytes))
    }

    /// Returns all readable archives below a folder.
    static func all(in folder: URL) throws -> [(name: String, document: Document)] {
        try TestFiles.files(under: folder).compactMap { file in
            guard let document = try? document(file.url), KeyedArchive.isArchive(document) else { return nil }
            return (file.name, document)
        }
    }

    /// Returns an archive with these objects after `$null`, as typed JSON.
    static func json(_ objects: [String], top: String = #"{"root":{"$uid":1}}"#) throws -> Document {
        let list = ([#""$null""#] + objects).joined(separator: ",")
        return try JSON.read(
            Array(
                #"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":\#(top),"$objects":[\#(list)]}"#.utf8))
    }
}
