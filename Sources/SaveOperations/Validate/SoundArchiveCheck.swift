import KeyedArchive
import SaveCodec

/// What is worth knowing of an archive beyond its remarks: its roots, objects that none of them leads to, its classes.
struct SoundArchiveCheck {
    private let archive: KeyedArchive
    /// How many objects each class has, and which is the first; by the position of the class.
    private let members: [(count: Int, first: UID)]

    init(_ archive: KeyedArchive) {
        self.archive = archive
        var members = [(count: Int, first: UID)](repeating: (0, .null), count: archive.classes.count)
        for index in 0..<archive.count {
            guard case .instance(let position) = archive.role(of: UID(index)) else { continue }
            if members[position].count == 0 { members[position].first = UID(index) }
            members[position].count += 1
        }
        self.members = members
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
        let graph = ArchiveCensus(archive).graph
        guard !graph.roots.isEmpty else { return [] }
        let reach = Reach(graph)
        let lost = (0..<archive.count).lazy.filter { archive.role(of: UID($0)).isObject && !reach.contains($0) }
        guard let first = lost.first else { return [] }
        return [.unreferenced(lost.count { _ in true }, place(of: UID(first)), .object(first))]
    }

    // MARK: Classes

    /// The classes of objects that are no classes of the system.
    var unknownClasses: [Problem] {
        var seen: Set<[UInt16]> = []
        let names = archive.classes.indices.lazy.filter { members[$0].count > 0 }.map { archive.classes[$0].name }
            .filter { !SystemClass.isName($0) && seen.insert(Array($0)).inserted }
        let list = Array(names)
        return list.isEmpty ? [] : [.unknownClasses(list)]
    }

    /// The classes of objects that one of the policies does not allow.
    func unexpectedClasses(_ policies: [ClassPolicy]) -> [Problem] {
        let unexpected = archive.classes.indices.filter { position in
            members[position].count > 0 && !policies.allSatisfy { $0.allows(archive.classes[position]) }
        }
        return unexpected.sorted { members[$0].first < members[$1].first }.map { position in
            let (count, first) = members[position]
            return .unexpectedClass(archive.classes[position].name, count, place(of: first), .object(first.index))
        }
    }

    private func place(of uid: UID) -> Place? {
        place(of: archive.objectID(uid))
    }

    private func place(of id: ObjectID) -> Place? {
        archive.document.sourceFormat == .binary ? archive.document.offset(of: id).map(Place.byte) : nil
    }
}

extension Address {
    fileprivate static func object(_ index: Int) -> Address {
        var address = Address(tokens: [Array("$objects".utf16)])
        address.append(index: index)
        return address
    }
}
