import JSONSchema
public import SaveCodec
public import SaveInspection
import SaveOperations

/// Checks to make in addition to the validity of a file: allowed classes, schemas, and profiles of known games.
///
///     var checks = SaveChecks()
///     checks.allowedClasses = ["Map", "Player", "Foundation"]
///     try checks.add(schema: schemaBytes)
///     for finding in checks.report(on: bytes).findings { print(finding.problem) }
public struct SaveChecks: Sendable {
    /// The allowed classes of objects, including their subclasses, as for a secure unarchiver. `Foundation` allows the
    /// collection and value classes of Foundation, and `*` in a name matches any characters. nil allows any class.
    public var allowedClasses: [String]?
    /// The resource limits for reading a file.
    public var limits = Limits()
    /// The present time for profiles, in seconds since 2001, which no date may exceed; nil for no check.
    public var now: Double?
    private var schemas: [Schema] = []
    private var profiles: [Profile] = []

    /// Creates checks that only require valid files.
    public init() {}

    /// Adds a JSON Schema (draft 2020-12) that the values must match.
    ///
    /// - Throws: A problem of the schema, with its address there.
    public mutating func add(schema: [UInt8]) throws(Problem) {
        schemas.append(try Schema.compile(JSON.readPlain(schema, limits: limits)))
    }

    /// Adds a profile that files must match, one of ``profileNames``.
    ///
    /// - Throws: A problem for an unknown name.
    public mutating func add(profile name: String) throws(Problem) {
        guard let profile = Profile.named(name) else {
            throw Problem(
                "validate.profile",
                "unknown profile \(Phrase.name(name.utf16))"
                    + Suggestion.sentence(Suggestion.nearest(to: name, in: Profile.names)))
        }
        profiles.append(profile)
    }

    /// The names of the available profiles.
    public static var profileNames: [String] { Profile.names }

    /// Checks a file at all levels: format, property list, archive, objects, and the added checks. A file that is not a
    /// save results in a finding.
    public func report(on bytes: [UInt8]) -> Report {
        var validation = Validation(limits: limits, classes: allowedClasses.map { [ClassPolicy(allowing: $0)] } ?? [])
        validation.schemas = schemas
        validation.profiles = profiles
        validation.now = now ?? .infinity
        return validation.report(on: bytes)
    }
}
