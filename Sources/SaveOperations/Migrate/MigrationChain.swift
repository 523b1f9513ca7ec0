package import KeyedArchives
package import SaveCodec

/// The migrations that bring saves of older versions to the newest one. At most one migration begins at each version,
/// and following them always ends at the newest version. A null version denotes saves without a version.
///
///     migrations   null ─▶ 2    1 ─▶ 2    2 ─▶ 3
///     paths        null ─▶ 2 ─▶ 3         1 ─▶ 2 ─▶ 3
package struct MigrationChain: Sendable {
    /// An inconsistency between migrations.
    package struct Fault: Error {
        /// The position of the migration to report.
        package let position: Int
        package let member: Member
        package let problem: Problem

        /// The member of the migration's file that is wrong.
        package enum Member: Sendable {
            case from, to, version
        }
    }

    let migrations: [Migration]
    let newest: SaveVersion
    /// The position of the migration for each version.
    private let steps: [SaveVersion?: Int]

    /// - Throws: A ``Fault`` if two migrations are for the same version, if versions form a cycle, if migrations end at
    ///   different versions, or if their addresses of the version differ.
    package init(_ migrations: [Migration]) throws(Fault) {
        var steps: [SaveVersion?: Int] = [:]
        for (position, migration) in migrations.enumerated() {
            if migration.address != migrations[0].address {
                throw Fault(
                    .version, of: position, "migrate.version-address",
                    because: "the version is at \(migration.address) here, but at \(migrations[0].address) in "
                        + migrations[0].name)
            }
            if let other = steps[migration.from] {
                throw Fault(
                    .from, of: position, "migrate.fork",
                    because: "\(migrations[other].name) already migrates \(Self.saves(of: migration.from))")
            }
            steps[migration.from] = position
        }
        self.migrations = migrations
        self.steps = steps
        let ends = migrations.indices.filter { steps[migrations[$0].to] == nil }
        guard let last = ends.last else {
            throw Fault(
                .from, of: 0, "migrate.circle", because: "the versions form a cycle; none of them is the newest"
            )
        }
        newest = migrations[last].to
        if let other = ends.first(where: { [newest] in migrations[$0].to != newest }) {
            throw Fault(
                .to, of: other, "migrate.gap",
                because: "no rules migrate version \(migrations[other].to), but other rules end at version \(newest)")
        }
        var isKnown = [Bool](repeating: false, count: migrations.count)
        for start in migrations.indices {
            var path: Set<Int> = []
            var next: Int? = start
            while let position = next, !isKnown[position] {
                isKnown[position] = true
                path.insert(position)
                next = steps[migrations[position].to]
            }
            guard let end = next, path.contains(end) else { continue }
            throw Fault(
                .to, of: end, "migrate.circle",
                because: "the versions form a cycle: rules lead from version \(migrations[end].to) back to it")
        }
    }

    /// Returns the version of a save; nil if it has none.
    ///
    /// - Throws: A problem if the value at the address is not a version.
    package func version(of view: ObjectView) throws(Problem) -> SaveVersion? {
        let address = migrations[0].address
        guard case .found(let id, _) = view.find(address) else { return nil }
        guard let node = view.scalar(id) else { throw Self.noVersion(TypePhrase.of(id, in: view), at: address) }
        if case .null = node { return nil }
        guard let version = SaveVersion(node) else { throw Self.noVersion(TypePhrase.of(node), at: address) }
        return version
    }

    /// Returns the migrations from a version to the newest, in order; empty for the newest version.
    ///
    /// - Throws: A problem if a version has no migration.
    package func path(from version: SaveVersion?) throws(Problem) -> [Migration] {
        var path: [Migration] = []
        var version = version
        while version != newest {
            guard let position = steps[version] else {
                let known = migrations.map { $0.from.map { "\($0)" } ?? "null" }
                let list = Phrase.list(Array(known.prefix(Self.maxListed)), of: known.count)
                throw Problem(
                    "migrate.unknown-version",
                    "no rules migrate \(Self.saves(of: version)); the rules migrate from \(list); the newest version is \(newest)",
                    address: migrations[0].address)
            }
            path.append(migrations[position])
            version = migrations[position].to
        }
        return path
    }

    /// Returns the reason why a save is not of the newest version; nil if it is.
    package func problem(with view: ObjectView) -> Problem? {
        do throws(Problem) {
            let version = try version(of: view)
            if try path(from: version).isEmpty { return nil }
            return Problem(
                "migrate.outdated",
                "found \(version.map { "version \($0)" } ?? "no version"); the newest is \(newest), so run savetool migrate",
                address: migrations[0].address)
        } catch {
            return error
        }
    }

    private static let maxListed = 10

    private static func saves(of version: SaveVersion?) -> String {
        version.map { "saves of version \($0)" } ?? "saves without a version"
    }

    private static func noVersion(_ found: String, at address: JSONPointer) -> Problem {
        Problem("migrate.version", "found \(found); expected a version (a number or a string)", address: address)
    }
}

extension MigrationChain.Fault {
    fileprivate init(_ member: Member, of position: Int, _ id: String, because sentence: String) {
        self.init(position: position, member: member, problem: Problem(id, sentence))
    }
}
