import Foundation
import SaveCodec
import TestSupport

/// The files that fuzz tests damage: the fixtures and, if present, the corpus.
enum FuzzSeeds {
    /// The maximum size in bytes. Larger files slow down each round and find nothing more.
    private static let largest = 4_096

    /// Returns sound files of a format, including documents of other formats that it can represent without loss.
    static func all(for format: Format) throws -> [[UInt8]] {
        try byFormat.get()[format] ?? []
    }

    private static let byFormat: Result<[Format: [[UInt8]]], any Error> = Result {
        let all = try files()
        return Dictionary(
            uniqueKeysWithValues: Format.allCases.map { format in
                let written = all.filter { $0.document.losses(as: format).isEmpty }
                    .compactMap { try? $0.document.bytes(as: format) }
                // A read-only format has only its own files.
                let sound = written.isEmpty ? all.filter { $0.format == format }.map(\.bytes) : written
                return (format, sound.filter { $0.count <= largest })
            })
    }

    private typealias SoundFile = (bytes: [UInt8], format: Format, document: Document)

    private static func files() throws -> [SoundFile] {
        try [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS")].compactMap(\.self).flatMap(TestFiles.files)
            .compactMap { try? read($0) }
    }

    /// Reads a file; nil if it is far too large in any format.
    private static func read(_ file: TestFiles.File) throws -> SoundFile? {
        let bytes = try TestFiles.bytes(file.url)
        guard bytes.count <= 4 * largest else { return nil }
        let format = try Format(rawValue: file.url.pathExtension) ?? Format.recognize(bytes)
        return (bytes, format, try Document.read(bytes, as: format))
    }
}
