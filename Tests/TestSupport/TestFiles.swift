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
