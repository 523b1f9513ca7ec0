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
        let all = try documents()
        return Dictionary(
            uniqueKeysWithValues: Format.allCases.map { format in
                let sound = all.filter { $0.losses(as: format).isEmpty }
                    .compactMap { try? RoundTrip.bytes(of: $0, as: format) }
                return (format, sound.filter { $0.count <= largest })
            })
    }

    private static func documents() throws -> [Document] {
        try [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS")].compactMap(\.self).flatMap(TestFiles.files)
            .compactMap { try? document(in: $0) }
    }

    private static func document(in file: TestFiles.File) throws -> Document {
        let bytes = try TestFiles.bytes(file.url)
        return try Document.read(bytes, as: Format(rawValue: file.url.pathExtension) ?? Format.recognize(bytes))
    }
}
