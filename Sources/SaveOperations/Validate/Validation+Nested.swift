import KeyedArchives
import SaveCodec

/// The saves that are stored in data are checked as files of their own. What is found there has the place of the data, and
/// the address goes on inside:
///
///     error   archive.field-kind   byte 0x1A4   /savedGame/root/date   NS.time of NSDate is a string; …; byte 0x8C of
///                                                                      the save in the data
extension Validation {
    /// What is wrong with the saves that are stored in data of a view.
    func nestedFindings(in view: ObjectView, _ places: FileLocations) -> [Finding] {
        let ids = view.dataOfSaves
        guard let nesting = view.nesting, !ids.isEmpty else { return [] }
        let paths = view.graph.paths(to: Set(ids), longest: Self.longestPath)
        let addresses = ViewAddresses(view)
        return ids.flatMap { id -> [Finding] in
            guard case .data(let bytes) = view.scalar(id), let format = Nesting.format(of: bytes) else { return [] }
            let place = view.storedScalar(of: id).flatMap(view.document.place)
            let path = paths[id]
            let address = id == view.root ? .root : path.flatMap(addresses.address)
            do throws(Problem) {
                let findings = try inside(nesting.within(bytes.count), as: format).report(on: Array(bytes)).findings
                let isText = !findings.isEmpty && address != nil && places.isSave(at: path?.last, in: view)
                return findings.map { finding in
                    finding.within(address, at: place, isArchive: view.archive != nil, isText: isText)
                }
            } catch {
                return [Finding(error).within(address, at: place, isArchive: view.archive != nil, isText: false)]
            }
        }
    }

    /// The validation of a save in data: schemas and profiles are those of the file around it.
    private func inside(_ nesting: Nesting?, as format: Format) -> Validation {
        var validation = self
        (validation.nesting, validation.format, validation.decodes) = (nesting, format, false)
        (validation.schemas, validation.profiles, validation.versions) = ([], [], nil)
        return validation
    }

    /// A way of more steps is told to nobody.
    private static let longestPath = 1000
}

extension ObjectView {
    /// The data that begins like a property list, each once, in the order in which the graph reaches it.
    var dataOfSaves: [ViewID] {
        // Most files have none, which takes less to know than a graph.
        guard nesting != nil, (0..<document.count).contains(where: { isDataOfSave(ObjectID($0)) }) else { return [] }
        var seen = Bitmap(count: count)
        var ids: [ViewID] = []
        for container in graph.containers {
            for position in 0..<container.count {
                let id = graph.value(position, of: container)
                guard !seen.contains(id.index) else { continue }
                seen.insert(id.index)
                if let object = storedScalar(of: id), isDataOfSave(object) { ids.append(id) }
            }
        }
        return graph.containers.isEmpty && isDataOfSave(document.root) ? [root] : ids
    }

    private func isDataOfSave(_ object: ObjectID) -> Bool {
        guard document.object(object).kind == .data, case .data(let bytes) = document[object] else { return false }
        return Nesting.format(of: bytes) != nil
    }
}

extension Finding {
    /// What was found in a save that is stored in data, as it is told of the file around it.
    ///
    /// - Parameters:
    ///   - address: of the data; nil where it is not known.
    ///   - place: of the data.
    ///   - isArchive: whether the file around is an archive, so that addresses lead into its objects.
    ///   - isText: whether the save stands in the file as text, so that a place in its data is one that nobody knows.
    fileprivate func within(
        _ address: JSONPointer?, at place: SourceLocation?, isArchive: Bool, isText: Bool
    ) -> Finding {
        func inner(_ rest: JSONPointer?) -> JSONPointer? { address?.entering(rest ?? .root) }
        let inside = isText ? "" : problem.place.map { "; \($0) of the save in the data" } ?? ""
        let storedAddress = inner(problem.address)
        let path = path.flatMap(inner) ?? (isArchive ? storedAddress : nil)
        // The stored objects of an archive that stands there as text are nowhere in the file.
        let hasPathOnly = isArchive || isText && path != nil
        return Finding(
            Problem(
                problem.kind, problem.message + inside, severity: problem.severity, at: place,
                address: hasPathOnly ? nil : storedAddress),
            path: path)
    }
}
