import JSONSchema
import SaveCodec
import SaveInspection
import Synchronization

/// The names of the schema files that only references of other schemas reach.
final class ReferencedSchemas: Sendable {
    private let list = Mutex<[String]>([])

    var names: [String] { list.withLock { $0 } }

    func add(_ name: String) { list.withLock { $0.append(name) } }
}

/// A schema file, and the folders with the schemas that it refers to.
struct SchemaSource {
    let file: String
    /// The beginnings of URIs, each with the folder that replaces it.
    let roots: [(uri: String, folder: String)]
    let assertsFormats: Bool
    /// The log of the schemas that are read from the folders; nil for none.
    var referencedSchemas: ReferencedSchemas?
    /// Whether a project file names the schema, which then must be a regular file.
    var isOfProject = false

    /// The key by which rules share a compiled schema. It does not include the folders, which are the same for all
    /// rules of a project.
    struct Identity: Hashable {
        let file: String
        let assertsFormats: Bool
    }

    var identity: Identity { Identity(file: file, assertsFormats: assertsFormats) }

    /// Returns the folders that the arguments assign to the beginnings of URIs.
    static func roots(_ arguments: Arguments) throws(UsageError) -> [(uri: String, folder: String)] {
        var roots: [(uri: String, folder: String)] = []
        for root in arguments.values(of: .schemaRoot) {
            // A URI may contain equal signs; the name of a folder rarely does.
            guard let sign = root.utf8.lastIndex(of: UInt8(ascii: "=")), sign > root.startIndex else {
                throw .badValue(root, .schemaRoot, expected: "URI=FOLDER")
            }
            roots.append((String(root[..<sign]), String(root[root.utf8.index(after: sign)...])))
        }
        return roots
    }

    /// Returns a store that finds schemas in the folders that replace the beginnings of their URIs.
    private func store(from folder: String) -> SchemaStore {
        let (roots, referencedSchemas) = (roots, referencedSchemas)
        return SchemaStore { (uri: String) throws(Problem) -> Document? in
            for root in roots {
                guard let name = Self.path(of: uri, below: root.uri) else { continue }
                let file = root.folder + "/" + name
                let path = FileSystem.path(file, from: folder)
                guard let bytes = try? Descriptor.openingRegular(path).readToEnd() else { continue }
                referencedSchemas?.add(file)
                return try JSON.readPlain(bytes)
            }
            return nil
        }
    }

    /// Returns the part of a URI after a root, as a path in the root's folder. Returns nil if the URI does not begin
    /// with the root, if the root ends within a segment of the URI, or if the path leads out of the folder.
    private static func path(of uri: String, below root: String) -> String? {
        guard uri.utf8.starts(with: root.utf8) else { return nil }
        let rest = uri.utf8.dropFirst(root.utf8.count)
        // The root `http://h` does not match the URIs `http://h../x` and `http://host/x`.
        guard rest.first == UInt8(ascii: "/") || root.utf8.last.map("/:".utf8.contains) ?? true else { return nil }
        // URIs with an authority have no `..` segments after normalization, but other URIs may.
        guard !rest.split(separator: UInt8(ascii: "/")).contains(where: { $0.elementsEqual("..".utf8) }) else {
            return nil
        }
        return FileName.text(rest)
    }

    /// Compiles the schema and prints its warnings.
    func compile(_ invocation: Invocation) throws -> Schema {
        try invocation.inFile(file) {
            let document = try JSON.readPlain(isOfProject ? invocation.readRegular(file) : invocation.read(file))
            let schema = try Schema.compile(
                document, store: store(from: invocation.folder), assertsFormats: assertsFormats)
            for warning in schema.warnings { invocation.printError(warning, in: file, as: "warning") }
            return schema
        }
    }
}

extension Arguments {
    func profile() throws(UsageError) -> Profile? {
        guard let name = value(of: .profile) else { return nil }
        if let profile = Profile.named(name) { return profile }
        throw .badName(name, .profile, names: Option.profile.choices)
    }

    /// Returns the time that checks treat as the present, in seconds since 2001: the time that `--now` gives, the
    /// beginning of the date that it gives, or the system time.
    func now() throws(UsageError) -> Double {
        guard let text = value(of: .now) else { return CurrentProcess.secondsSince2001 }
        for time in [text, text + "T00:00:00Z"] {
            if let seconds = ScalarText.seconds(ofDate: time.utf16) { return seconds }
        }
        throw .badValue(text, .now, expected: "a time such as 2009-09-06T12:34:56Z, or a date")
    }
}

extension Option {
    static let schema = Option(
        "schema", name: "FILE", for: .checks, help: "check values against a JSON Schema (2020-12)")
    static let schemaRoot = Option(
        "schema-root", name: "URI=DIR", is: .partOfName, isRepeatable: true, for: .checks,
        help: "look in DIR for schemas whose URI begins with URI")
    static let assertFormats = Option("assert-formats", for: .checks, help: "enforce \"format\" in schemas")
    static let profile = Option(
        "profile", value: "NAME", is: .choice(Profile.names + ["list"]), for: .checks,
        help: "apply the checks of a kind of save (list: show the kinds)")
    static let printProfile = Option("print", for: .checks, help: "print the schema of the profile")
    static let now = Option(
        "now", value: "TIME",
        for: .checks, help: "use TIME as the present, for checks of dates")
}
