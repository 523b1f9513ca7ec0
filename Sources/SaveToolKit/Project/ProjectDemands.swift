import JSONSchema
import SaveCodec
import SaveOperations

/// Makes the demands on files of the rules of a project.
///
/// Of several rules for a file all hold: each schema, each profile, each class policy. What the command line says holds
/// instead of what the rules say.
struct ProjectDemands {
    private let basic: Demand
    private let rules: [ProjectRule]
    /// The schemas, each compiled once, and the position of that of each rule.
    private var schemas: [Schema] = []
    private var positions: [Int?] = []

    /// - Parameters:
    ///   - basic: what the command line says.
    ///   - source: finds the schema in a file.
    init(
        _ project: Project, basic: Demand, _ invocation: Invocation, _ source: (ProjectRule, String) -> SchemaSource
    ) throws {
        self.basic = basic
        rules = project.file.rules
        var known: [SchemaSource.Identity: Int] = [:]
        for rule in rules {
            guard let (file, place) = rule.schema, basic.validation.schemas.isEmpty else {
                positions.append(nil)
                continue
            }
            let source = source(rule, project.name(of: file))
            if known[source.identity] == nil {
                known[source.identity] = schemas.count
                schemas.append(try Self.compile(source, place, project, invocation))
            }
            positions.append(known[source.identity])
        }
    }

    private static func compile(
        _ source: SchemaSource, _ place: ProjectValue, _ project: Project, _ invocation: Invocation
    ) throws -> Schema {
        do {
            return try source.compile(invocation)
        } catch let error as FileError {
            throw FaultyFile(name: project.file.name, problem: place.problem(.schema(error)))
        }
    }

    /// What some rules demand together.
    func demand(of positions: [Int]) -> Demand {
        var demand = basic
        let rules = positions.map { self.rules[$0] }
        if basic.validation.schemas.isEmpty {
            let wanted = Set(positions.compactMap { self.positions[$0] })
            demand.validation.schemas = wanted.sorted().map { schemas[$0] }
        }
        if basic.validation.profiles.isEmpty {
            var seen: Set<String> = []
            demand.validation.profiles = rules.compactMap(\.profile).filter { seen.insert($0.name).inserted }
        }
        if basic.validation.classes.isEmpty { demand.validation.classes = rules.compactMap { $0.classes?.policy } }
        demand.validation.format = basic.validation.format ?? rules.compactMap(\.format).last
        demand.judgement.isStrict = basic.judgement.isStrict || rules.contains(where: \.isStrict)
        demand.judgement.expectsInvalid = basic.judgement.expectsInvalid || rules.contains(where: \.expectsInvalid)
        return demand
    }
}
