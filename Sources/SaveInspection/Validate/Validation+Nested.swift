import KeyedArchives
import SaveCodec
import SaveOperations

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
