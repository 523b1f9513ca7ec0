package import JSONSchema
import KeyedArchives
package import SaveCodec

/// Checks a file on all levels in one run.
///
///     bytes ─▶ format ─▶ document ─▶ object graph ─▶ objects
///              │         │           │               └ class policy, schema, profile
///              │         │           └ archive integrity (<doc:ArchiveFindings>)
///              │         └ syntax; what the reader accepted but warns of; keys
///              └ recognition
///
/// What is found on one level does not keep the next from being checked, unless there is nothing to check it on: a file
/// that cannot be read has no objects, and an archive that is not sound has no values, as references lead nowhere. Its
/// objects and classes are checked nevertheless. For example an archive with a wrong date and a class that nobody
/// expected:
///
///     error    archive.field-kind   byte 0x8C   /$objects/3/NS.time   NS.time of NSDate is a string; expected a real
///     error    class.unexpected     byte 0x5E   /$objects/1           1 object is of class Trojan, which is not allowed
package struct Validation: Sendable {
    /// The format of the files; nil to recognise it by the content of each.
    package var format: Format?
    /// How much is read before a file is refused.
    package var limits: Limits
    /// The classes that objects may have, by each of these policies; with none any.
    package var classes: [ClassPolicy]
    /// What the values must be like.
    package var schemas: [Schema] = []
    /// The kinds of saves that the files must be.
    package var profiles: [Profile] = []
    /// The seconds since 2001 that a profile takes for the present.
    package var now = 0.0

    /// Creates a validation; what is not named is not restricted.
    package init(format: Format? = nil, limits: Limits = Limits(), classes: [ClassPolicy] = []) {
        self.format = format
        self.limits = limits
        self.classes = classes
    }

    /// Checks the bytes of a file.
    package func report(on bytes: [UInt8]) -> Report {
        var report = Report()
        do throws(Problem) {
            let format = try recognize(bytes)
            report.format = format
            check(try Document.read(bytes, as: format, limits: limits), &report)
        } catch {
            report.findings.append(Finding(error))
        }
        return report
    }

    private func recognize(_ bytes: [UInt8]) throws(Problem) -> Format {
        if let format { return format }
        do throws(Problem) {
            return try Format.recognize(bytes)
        } catch {
            var problem = error
            problem.place = .byte(0)
            throw problem
        }
    }

    private func check(_ document: Document, _ report: inout Report) {
        switch archive(in: document) {
        case .none:
            report.findings += listProblems(in: document).map { Finding($0) }
            report.findings += values(in: ObjectView(document))
        case .sound(let archive):
            report.isArchive = true
            report.findings += listProblems(in: document).map { Finding($0) }
            report.findings += findings(in: archive, isGraphJSON: GraphJSON.isPresent(in: document))
            report.findings += values(in: ObjectView(archive))
        case .unsound(let faults, let uses):
            report.isArchive = true
            let aboutClasses = classes.problems(with: uses)
            let aboutValues = schemas.isEmpty && profiles.isEmpty ? [] : [Problem.valuesUnchecked]
            let problems = listProblems(in: document, beside: faults) + faults + aboutClasses + aboutValues
            report.findings += problems.map { Finding($0) }
        }
    }

    // MARK: Property list

    /// What the reader warns of, but for what is told better elsewhere: keys with their addresses, and numbers that an
    /// archive takes for UIDs.
    private func listProblems(in document: Document, beside faults: [Problem] = []) -> [Problem] {
        let uidPlaces = faults.filter { $0.kind == .archiveUIDNumber }.map(\.place)
        let warnings = document.warnings.filter { warning in
            warning.kind != .nonStringKey && !(warning.kind == .xmlUID && uidPlaces.contains(warning.place))
        }
        return warnings + document.keyProblems()
    }

    // MARK: Archive

    private enum ArchiveReading {
        /// The document does not present itself as an archive.
        case none
        case sound(KeyedArchive)
        /// What is wrong, and the classes of those objects that have one.
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
        let problems = archive.remarks + check.topProblems + check.unreferenced + aboutClasses
        return FindingPaths(archive, replaceAddresses: isGraphJSON).findings(for: problems)
    }

    // MARK: Values

    /// What is not as the schemas and the profiles demand. An address in an archive is one in its object view.
    private func values(in view: ObjectView) -> [Finding] {
        let findings = schemas.flatMap { $0.findings(in: view) } + profiles.flatMap { $0.findings(in: view, now: now) }
        let places = ValuePlaces.places(of: findings.map(\.address), in: view)
        return zip(findings, places).map { finding, place in
            let isStored = view.archive == nil
            return Finding(
                Problem(finding.id, finding.sentence, at: place, address: isStored ? finding.address : nil),
                path: isStored ? nil : finding.address)
        }
    }
}

extension SchemaFinding {
    /// What was found and expected, and of alternatives why the nearest does not fit.
    fileprivate var sentence: String {
        guard let cause = causes.first else { return message }
        let place = cause.address == address ? "" : "\(cause.address): "
        return "\(message); of the nearest, \(place)\(cause.message)"
    }
}
