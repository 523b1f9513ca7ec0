public import Foundation

/// Where tests find files: the project's own fixtures, and test data that lies beside the project.
public enum TestFiles {
    /// The package's top folder.
    public static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The project's own fixtures.
    public static let fixtures = package.appending(path: "Fixtures")

    /// The folder that an environment variable such as `SAVETOOL_CORPUS` names; nil where it is not set, and then the
    /// tests over that folder have nothing to run on.
    public static func folder(_ variable: String) -> URL? {
        ProcessInfo.processInfo.environment[variable].map { URL(filePath: $0) }
    }

    /// One in sixteen of the files that the manifest of the corpus lists, for tests that take long for each; none where
    /// there is no corpus.
    public static func corpusSample() throws -> [URL] {
        guard let corpus = folder("SAVETOOL_CORPUS") else { return [] }
        let rows = try SeparatedTable(corpus.appending(path: "MANIFEST.tsv")).rows
        return TestScale.one(in: 16, of: rows).map { corpus.appending(path: $0["file", default: ""]) }
    }

    /// The files in a folder of the fixtures, in the order of their names.
    public static func fixtureFiles(in folder: String) throws -> [URL] {
        try FileManager.default
            .contentsOfDirectory(at: fixtures.appending(path: folder), includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    /// The bytes of a file.
    public static func bytes(_ file: URL) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: file))
    }
}

extension TestFiles {
    /// A file, and its path relative to the folder that was listed.
    public struct File: Sendable {
        /// Where it is.
        public let url: URL
        /// Its path below the folder.
        public let name: String
    }

    /// All files below a folder, in the order of their names.
    public static func files(under folder: URL) throws -> [File] {
        let base = folder.standardizedFileURL.path + "/"
        let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
        return names.sorted().map { File(url: URL(filePath: base + $0), name: $0) }
            .filter { (try? $0.url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false }
    }
}
