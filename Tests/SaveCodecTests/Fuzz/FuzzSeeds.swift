import Foundation
import SaveCodec
import TestSupport

/// The files that damage is done to: the fixtures and, if it is at hand, the corpus.
enum FuzzSeeds {
    /// Larger files make for slow rounds and find nothing that smaller ones do not.
    private static let largest = 4_096

    /// Sound files of a format: its own, and documents of others that can be written in it without loss.
    static func all(for format: Format) throws -> [[UInt8]] {
        try byFormat.get()[format] ?? []
    }

    private static let byFormat: Result<[Format: [[UInt8]]], any Error> = Result {
        let all = try files()
        return Dictionary(
            uniqueKeysWithValues: Format.allCases.map { format in
                let written = all.filter { $0.document.losses(as: format).isEmpty }
                    .compactMap { try? RoundTrip.bytes(of: $0.document, as: format) }
                // What is read only has nothing but its own.
                let sound = written.isEmpty ? all.filter { $0.format == format }.map(\.bytes) : written
                return (format, sound.filter { $0.count <= largest })
            })
    }

    private typealias SoundFile = (bytes: [UInt8], format: Format, document: Document)

    private static func files() throws -> [SoundFile] {
        try [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS")].compactMap(\.self).flatMap(TestFiles.files)
            .compactMap { try? read($0) }
    }

    private static func read(_ file: TestFiles.File) throws -> SoundFile {
        let bytes = try TestFiles.bytes(file.url)
        let format = try Format(rawValue: file.url.pathExtension) ?? Format.recognize(bytes)
        return (bytes, format, try Document.read(bytes, as: format))
    }
}
