public import Foundation

/// The locations of test files: the project's fixtures, and test data outside the project.
public enum TestFiles {
    /// The root folder of the package.
    public static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The folder of the project's fixtures.
    public static let fixtures = package.appending(path: "Fixtures")

    /// Returns the folder that an environment variable such as `SAVETOOL_CORPUS` names. Returns nil if it is not set;
    /// the tests that need the folder then have no files.
    public static func folder(_ variable: String) -> URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
    }

    /// Returns one in 16 files of the corpus manifest, for tests that take long for each file. Returns none without a
    /// corpus.
    public static func corpusSample() throws -> [URL] {
        guard let corpus = folder("SAVETOOL_CORPUS") else { return [] }
        let rows = try SeparatedTable(corpus.appending(path: "MANIFEST.tsv")).rows
        return TestScale.one(in: 16, of: rows).map { corpus.appending(path: $0["file", default: ""]) }
    }

    /// Returns the files in a folder of the fixtures, sorted by path.
    public static func fixtureFiles(in folder: String) throws -> [URL] {
        try FileManager.default
            .contentsOfDirectory(at: fixtures.appending(path: folder), includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    /// Returns the bytes of a file.
    public static func bytes(_ file: URL) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: file))
    }
}

extension TestFiles {
    /// A file, and its path relative to the listed folder.
    public struct File: Sendable {
        /// The location of the file.
        public let url: URL
        /// The path relative to the listed folder.
        public let name: String
    }

    /// Returns all regular files below a folder, sorted by path.
    public static func files(under folder: URL) throws -> [File] {
        let base = folder.standardizedFileURL.path + "/"
        let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return names.sorted().map { File(url: URL(filePath: base + $0), name: $0) }
            .filter { (try? $0.url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
    }
}
