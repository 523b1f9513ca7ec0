package import JSONSchema
package import KeyedArchives
package import SaveCodec
package import SaveOperations

/// A check of a file on all levels in one run.
///
///     bytes ─▶ format ─▶ document ─▶ object graph ─▶ objects
///              │         │           │               └ class policy, schema, profile
///              │         │           └ archive integrity (<doc:ArchiveFindings>)
///              │         └ syntax; what the reader accepted but warns of; keys
///              └ recognition
///
/// Findings on one level do not prevent checks of the next one, unless there is nothing to check. A file that cannot be
/// read has no objects. An archive that is not sound has no values, since its references may be invalid; its objects
/// and classes are still checked. For example, the findings in an archive with an invalid date and an unexpected class:
///
///     error   archive.field-kind   byte 0x8C   /$objects/3/NS.time   NS.time of NSDate is a string; expected a real
///     error   class.unexpected     byte 0x5E   /$objects/1           1 object is of class Trojan, which is not allowed
package struct Validation: Sendable {
    /// The format of the files; nil to detect it from the content.
    package var format: Format?
    /// Whether Base64 and XOR layers are removed, in addition to gzip and zlib.
    package var layers: LayerOptions
    /// The JSON that the reader accepts: whether names such as `$date` are tags, and whether comments are allowed.
    package var dialect = JSON.Dialect.commented
    /// The resource limits of readers.
    package var limits: Limits
    /// The policies that all classes must satisfy; empty to allow any class.
    package var classes: [ClassPolicy]
    /// The schemas that the values must satisfy.
    package var schemas: [Schema] = []
    /// The profiles that the files must satisfy.
    package var profiles: [Profile] = []
    /// The migrations whose newest version the files must have; nil to allow any version.
    package var versions: MigrationChain?
    /// The current time for profiles, in seconds since 2001.
    package var now = 0.0
    /// The options for opening nested saves; nil to leave them closed.
    package var nesting: NestedSaveOptions?

    /// Creates a validation. Parameters with default values impose no restrictions.
    package init(
        format: Format? = nil, layers: LayerOptions = LayerOptions(), limits: Limits = Limits(),
        classes: [ClassPolicy] = []
    ) {
        self.format = format
        self.layers = layers
        self.limits = limits
        self.classes = classes
        nesting = NestedSaveOptions(limits: limits)
    }

    /// Checks the bytes of a file.
    ///
    /// - Parameter origin: The name of the bytes in locations, if they are not the file itself.
    package func report(on bytes: [UInt8], outOf origin: String? = nil) -> Report {
        var report = Report()
        do throws(Problem) {
            let (contents, removed) = try Layers.unwrap(bytes, outOf: origin, layers, limits: limits)
            if !removed.isEmpty { report.findings.append(Finding(.unwrapped(removed))) }
            var validation = self
            validation.limits = removed.limits(limits, inside: bytes)
            validation.check(contents, &report)
            report.findings = report.findings.map { Finding(removed.located($0.problem), path: $0.path) }
        } catch {
            return Report(error)
        }
        return report
    }

    private func check(_ bytes: [UInt8], _ report: inout Report) {
        do throws(Problem) {
            let format = try recognize(bytes)
            report.format = format
            let document = try Document.readSave(
                bytes, as: format, limits: limits, allowsNestedLoss: true, dialect: dialect)
            report.findings += lossesInSaves(of: document)
            if let warning = document.plainJSONWarning { report.findings.append(Finding(warning)) }
            check(document, at: FileLocations(in: bytes, as: format, limits: limits), &report)
        } catch {
            report.findings.append(Finding(error.namingDialect(format, dialect, of: bytes)))
        }
    }

    private func recognize(_ bytes: [UInt8]) throws(Problem) -> Format {
        if let format { return format }
        do throws(Problem) {
            return try Format.recognize(bytes, limits: limits)
        } catch {
            var problem = error
            problem.location = problem.location ?? .byte(0)
            throw problem
        }
    }

    private func check(_ document: Document, at locations: FileLocations, _ report: inout Report) {
        switch archive(in: document) {
        case .none:
            report.findings += locations.located(listProblems(in: document).map { Finding($0) })
            let view = ObjectView(document, nil, nesting: nesting)
            report.findings += locations.located(values(in: view), in: view)
            report.findings += locations.located(nestedFindings(in: view, locations), in: view)
        case .sound(let archive):
            report.isArchive = true
            report.findings += locations.located(listProblems(in: document).map { Finding($0) })
            let shown = archive.showingRuns()
            let view = ObjectView(shown.document, shown, nesting: nesting)
            let isGraphJSON = GraphJSON.isPresent(in: document)
            report.findings += locations.located(
                findings(in: archive, isGraphJSON: isGraphJSON), in: isGraphJSON ? view : nil)
            report.findings += locations.located(values(in: view), in: view)
            report.findings += locations.located(nestedFindings(in: view, locations), in: view)
        case .unsound(let faults, let uses):
            report.isArchive = true
            let aboutClasses = classes.problems(with: uses)
            let checksValues = !schemas.isEmpty || !profiles.isEmpty || versions != nil
            let aboutValues = checksValues ? [Self.valuesUnchecked] : []
            let problems = listProblems(in: document, beside: faults) + faults + aboutClasses + aboutValues
            report.findings += locations.located(problems.map { Finding($0) })
        }
    }

    /// The warning that schemas, profiles and versions were not applied to an archive that is not sound.
    private static let valuesUnchecked = Problem(
        "archive.values-unchecked", "the values were not checked because the archive is damaged", severity: .warning)

    // MARK: Property list

    /// Returns the losses in nested saves that are written as JSON instead of data.
    private func lossesInSaves(of document: Document) -> [Finding] {
        document.nestedNotes.losses.map { loss in
            guard document.isGraphJSON else { return Finding(loss) }
            var stored = loss
            stored.address = nil
            return Finding(stored, path: loss.address)
        }
    }

    /// Returns the key problems with their addresses, and the warnings of the reader about anything else. Warnings
    /// about numbers that `faults` reports as UIDs are left out.
    private func listProblems(in document: Document, beside faults: [Problem] = []) -> [Problem] {
        let uidLocations = faults.filter { $0.kind == .archiveUIDNumber }.map(\.location)
        let warnings = document.warnings.filter { warning in
            warning.kind != .nonStringKey && !(warning.kind == .xmlUID && uidLocations.contains(warning.location))
        }
        return warnings + document.keyProblems()
    }

    // MARK: Archive

    private enum ArchiveReading {
        /// The document does not claim to be an archive.
        case none
        case sound(KeyedArchive)
        /// The faults, and the classes of the objects that have one.
        case unsound([Problem], [ClassUse])
    }

    private func archive(in document: Document) -> ArchiveReading {
        let isGraph = GraphJSON.isPresent(in: document)
        guard isGraph || KeyedArchive.isArchive(document) else { return .none }
        do throws(Problem) {
            let stored = isGraph ? try GraphJSON.archive(from: document) : document
            return .sound(try KeyedArchive(stored, limits: limits))
        } catch {
            if isGraph { return .unsound([error], []) }
            let (problems, classes) = KeyedArchive.examine(document, limits: limits)
            return .unsound(problems, classes)
        }
    }

    private func findings(in archive: KeyedArchive, isGraphJSON: Bool) -> [Finding] {
        let check = SoundArchiveCheck(archive)
        let uses = archive.classUses
        let aboutClasses = classes.isEmpty ? check.unknownClasses(among: uses) : classes.problems(with: uses)
        let paths = FindingPaths(archive, replaceAddresses: isGraphJSON)
        let problems = archive.findings + check.rootProblems + check.unreferenced + aboutClasses
        return paths.findings(for: problems + (archive.isTypedStream ? [] : StoredFieldCheck(archive).problems(paths)))
    }

    // MARK: Values

    /// Returns the findings of versions, schemas and profiles. In an archive, their addresses are in the value graph.
    private func values(in view: ObjectView) -> [Finding] {
        let findings = schemas.flatMap { $0.findings(in: view) } + profiles.flatMap { $0.findings(in: view, now: now) }
        let outdated = versions?.problem(with: view).map { [$0] } ?? []
        let problems = findings.map { Problem($0.id, $0.sentence, severity: $0.severity, address: $0.address) }
        return (outdated + problems).map { problem in
            guard view.archive != nil else { return Finding(problem) }
            var stored = problem
            stored.address = nil
            return Finding(stored, path: problem.address)
        }
    }
}

extension Problem {
    fileprivate static func unwrapped(_ layers: Layers) -> Problem {
        Problem(
            "wrapping.opened", "the contents of the \(layers.title) are checked; locations refer to them",
            severity: .info)
    }
}

extension SchemaFinding {
    /// The message, and for alternatives the reason why the nearest one does not match.
    fileprivate var sentence: String {
        guard let cause = causes.first else { return message }
        let prefix = cause.address == address ? "" : "\(cause.address): "
        return "\(message): \(prefix)\(cause.message)"
    }
}

// MARK: Nested saves

/// Nested saves in values are checked like files. A finding has the location of the value, and an address inside
/// the nested save:
///
///     error   archive.field-kind   byte 0x1A4   /savedGame/root/date   NS.time of NSDate is a string; …; byte 0x8C of
///                                                                      the save in the data
extension Validation {
    func nestedFindings(in view: ObjectView, _ locations: FileLocations) -> [Finding] {
        let ids = view.nestedSaveValues
        guard let nesting = view.nesting, !ids.isEmpty else { return [] }
        let paths = view.graph.paths(to: Set(ids), longest: Self.longestPath)
        let addresses = StoredAddressTranslator(view)
        // Several values may share the bytes of a save, which are checked once.
        var checked: [NestedSaveKey: Result<NestedReport?, Problem>] = [:]
        return ids.flatMap { id -> [Finding] in
            guard let key = NestedSaveKey(id, in: view) else { return [] }
            let location = view.storedScalar(of: id).flatMap(view.document.location)
            let path = paths[id]
            let address = id == view.root ? .root : path.flatMap(addresses.address)
            do throws(Problem) {
                let known = checked[key]
                let result = known ?? Result { () throws(Problem) in try report(onSaveIn: id, of: view, nesting) }
                checked[key] = result
                guard let (findings, layers) = try result.get() else { return [] }
                // The findings are repeated for each value, so they count like further saves.
                if known != nil { _ = try nesting.within(Self.bytesPerFinding * findings.count) }
                let isText = !findings.isEmpty && address != nil && locations.isSave(at: path?.last, in: view)
                return findings.map { finding in
                    finding.within(address, at: location, layers, isArchive: view.archive != nil, isText: isText)
                }
            } catch {
                return [Finding(error).within(address, at: location, isArchive: view.archive != nil, isText: false)]
            }
        }
    }

    private typealias NestedReport = (findings: [Finding], layers: Layers)

    /// Returns the findings in the nested save of a value and the layers around it; nil for a value without one.
    private func report(
        onSaveIn id: ViewID, of view: ObjectView, _ nesting: NestedSaveOptions
    ) throws(Problem) -> NestedReport? {
        guard let candidate = view.nestedSaveCandidate(id) else { return nil }
        // Text that only looks like JSON is not a save.
        if !candidate.isCertain, try view.nestedSave(in: id) == nil { return nil }
        guard let (bytes, format, layers) = try nesting.contents(of: candidate) else { return nil }
        return (try inside(nesting.within(bytes.count), as: format).report(on: Array(bytes)).findings, layers)
    }

    /// The memory that a repeated finding takes, roughly.
    private static let bytesPerFinding = 256

    /// Returns the validation for a nested save. Schemas, profiles and versions apply only to the outer file.
    private func inside(_ nesting: NestedSaveOptions?, as format: Format) -> Validation {
        var validation = self
        (validation.nesting, validation.format, validation.layers) = (nesting, format, LayerOptions())
        validation.dialect = .detected
        (validation.schemas, validation.profiles, validation.versions) = ([], [], nil)
        return validation
    }

    /// The maximum number of steps in a reported path.
    private static let longestPath = 1000
}

extension Finding {
    /// Returns a finding in a nested save as a finding of the outer file.
    ///
    /// - Parameters:
    ///   - address: The address of the data; nil if it is unknown.
    ///   - location: The location of the data.
    ///   - layers: The layers around the nested save in the data.
    ///   - isArchive: Whether the outer file is an archive, so that addresses lead through its objects.
    ///   - isText: Whether the outer file contains the save as text, so that locations in its data mean nothing to
    ///     users.
    fileprivate func within(
        _ address: JSONPointer?, at location: SourceLocation?, _ layers: Layers = Layers(), isArchive: Bool,
        isText: Bool
    ) -> Finding {
        func inner(_ rest: JSONPointer?) -> JSONPointer? { address?.appending(nested: rest ?? .root) }
        let inside = isText ? "" : problem.location.map { "; \(layers.located($0)) of the nested save" } ?? ""
        let storedAddress = inner(problem.address)
        let path = path.flatMap(inner) ?? (isArchive ? storedAddress : nil)
        // If an archive is written as text, its stored objects do not appear in the file.
        let hasPathOnly = isArchive || isText && path != nil
        return Finding(
            Problem(
                problem.kind, problem.message + inside, severity: problem.severity, at: location,
                address: hasPathOnly ? nil : storedAddress),
            path: path)
    }
}
