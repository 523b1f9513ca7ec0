import KeyedArchives
import SaveCodec

/// Additional findings in a sound archive: its roots, unreachable objects, and unknown classes.
struct SoundArchiveCheck {
    private let archive: KeyedArchive

    init(_ archive: KeyedArchive) {
        self.archive = archive
    }

    // MARK: Roots

    /// The findings about roots. An archive of a single object stores it under the name `root`.
    var rootProblems: [Problem] {
        let view = ObjectView(archive)
        let roots = view[view.root].contents
        let names = (0..<roots.count).compactMap { view.item($0, of: roots).key.flatMap(view.text) }
        if names.contains(where: { $0.elementsEqual("root".utf16) }) { return [] }
        let location = location(of: archive.storedTop)
        let top = JSONPointer(tokens: [Array("$top".utf16)])
        guard roots.count > 0 else {
            return [
                Problem(
                    "archive.top-empty", "$top is empty; the archive has no roots",
                    severity: .info, at: location, address: top)
            ]
        }
        return [
            Problem(
                "archive.root-name", "no object is named root; the archive has \(Self.list(names))", severity: .info,
                at: location, address: top)
        ]
    }

    /// The finding about objects that no root reaches. Nothing is reported for an archive without roots, in which every
    /// object is unreachable.
    var unreferenced: [Problem] {
        if archive.reachesAllObjects { return [] }
        let graph = ReferenceGraph(archive)
        guard !graph.roots.isEmpty else { return [] }
        let reach = Reachability(graph)
        let lost = (0..<archive.count).lazy.filter { archive.role(of: UID($0)).isObject && !reach.contains($0) }
        guard let first = lost.first else { return [] }
        let count = lost.count { _ in true }
        let sentence =
            count == 1
            ? "this object is unreachable from the roots"
            : "\(Phrase.count(count, "object", "is")) unreachable from the roots; this is the first"
        return [
            Problem(
                "archive.unreferenced", sentence, severity: .warning, at: location(of: archive.objectID(UID(first))),
                address: .object(UID(first)))
        ]
    }

    // MARK: Classes

    /// Returns a finding that lists the classes that are not system classes.
    func unknownClasses(among uses: [ClassUse]) -> [Problem] {
        var names: [StoredString] = []
        var seen: Set<[UInt16]> = []
        for use in uses where !SystemClass.isName(use.record.shownName) {
            if seen.insert(Array(use.record.name)).inserted { names.append(use.record.name) }
        }
        guard !names.isEmpty else { return [] }
        let classes = names.count == 1 ? "a custom class" : Phrase.count(names.count, "custom class")
        return [
            Problem(
                "archive.classes", "objects have \(classes): \(Self.list(names))",
                severity: .info)
        ]
    }

    private static let longestList = 20

    private static func list(_ names: [StoredString]) -> String {
        Phrase.list(names.prefix(longestList).map(\.shownAsClass), of: names.count)
    }

    private func location(of id: ObjectID) -> SourceLocation? {
        archive.document.location(of: id)
    }
}
