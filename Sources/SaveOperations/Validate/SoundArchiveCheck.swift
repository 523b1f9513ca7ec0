import KeyedArchives
import SaveCodec

/// What is worth knowing of an archive beyond its remarks: its roots, objects that none of them leads to, its classes.
struct SoundArchiveCheck {
    private let archive: KeyedArchive

    init(_ archive: KeyedArchive) {
        self.archive = archive
    }

    // MARK: Roots

    /// `root` is the name under which an archive of one object has it.
    var topProblems: [Problem] {
        let view = ObjectView(archive)
        let roots = view[view.root].contents
        let names = (0..<roots.count).compactMap { view.item($0, of: roots).key.flatMap(view.text) }
        if names.contains(where: { $0.elementsEqual("root".utf16) }) { return [] }
        return [
            roots.count == 0
                ? .topEmpty(place(of: archive.storedTop)) : .rootMissing(names, place(of: archive.storedTop))
        ]
    }

    /// Objects that no root leads to. Where there is no root these are all, which is no news.
    var unreferenced: [Problem] {
        let graph = ArchiveStatistics(archive).graph
        guard !graph.roots.isEmpty else { return [] }
        let reach = Reachability(graph)
        let lost = (0..<archive.count).lazy.filter { archive.role(of: UID($0)).isObject && !reach.contains($0) }
        guard let first = lost.first else { return [] }
        return [.unreferenced(lost.count { _ in true }, place(of: archive.objectID(UID(first))), .object(UID(first)))]
    }

    // MARK: Classes

    /// The classes among these that are no classes of the system.
    func unknownClasses(among uses: [ClassUse]) -> [Problem] {
        var names: [StoredString] = []
        var seen: Set<[UInt16]> = []
        for use in uses where !SystemClass.isName(use.record.name) {
            if seen.insert(Array(use.record.name)).inserted { names.append(use.record.name) }
        }
        return names.isEmpty ? [] : [.unknownClasses(names)]
    }

    private func place(of id: ObjectID) -> SourceLocation? {
        archive.document.place(of: id)
    }
}
