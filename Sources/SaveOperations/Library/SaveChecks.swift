import JSONSchema
public import SaveCodec

/// What files are checked for, beside being sound: classes, schemas, and kinds of saves that are known by name.
///
///     var checks = SaveChecks()
///     checks.allowedClasses = ["Map", "Player", "Foundation"]
///     try checks.add(schema: schemaBytes)
///     for finding in checks.report(on: bytes).findings { print(finding.problem) }
public struct SaveChecks: Sendable {
    /// The classes that objects may have, and those that descend from them, as a secure unarchiver is told; `Foundation`
    /// stands for its collections and values. nil for any.
    public var allowedClasses: [String]?
    /// How much is read before a file is refused.
    public var limits = Limits()
    /// The seconds since 2001 that a profile takes for the present: no date may be after; nil for any.
    public var now: Double?
    private var schemas: [Schema] = []
    private var profiles: [Profile] = []

    /// Checks no more than that files are sound.
    public init() {}

    /// Adds a JSON Schema (draft 2020-12) that the values must fit.
    ///
    /// - Throws: what is wrong with the schema, with the address in it.
    public mutating func add(schema: [UInt8]) throws(Problem) {
        schemas.append(try Schema.compile(JSON.readPlain(schema, limits: limits)))
    }

    /// Adds a kind of save that files must be, of ``profileNames``.
    ///
    /// - Throws: a problem if there is none of this name.
    public mutating func add(profile name: String) throws(Problem) {
        guard let profile = Profile.named(name) else {
            throw Problem(
                "validate.profile",
                "there is no profile \(SafeText.escaping(name.utf16.prefix(40)))"
                    + Suggestion.sentence(Suggestion.nearest(to: name, in: Profile.names)))
        }
        profiles.append(profile)
    }

    /// The kinds of saves that are known by name.
    public static var profileNames: [String] { Profile.names }

    /// Checks a file on all levels: format, property list, archive, objects, and what was added. A file that is no save is
    /// a finding, too.
    public func report(on bytes: [UInt8]) -> Report {
        var validation = Validation(limits: limits, classes: allowedClasses.map { [ClassPolicy(allowing: $0)] } ?? [])
        validation.schemas = schemas
        validation.profiles = profiles
        validation.now = now ?? .infinity
        return validation.report(on: bytes)
    }
}
