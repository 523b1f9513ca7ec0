package import SaveCodec

extension DocumentEditor {
    /// Replaces the objects of an archive, and optionally its roots.
    ///
    /// - Parameters:
    ///   - list: The new elements of `$objects`.
    ///   - top: The new dictionary of roots; nil to keep the present one.
    package mutating func setObjects(_ list: [ObjectID], top: ObjectID?, of archive: KeyedArchive) {
        let document = archive.document
        guard case .dictionary(let pairs) = document[document.root] else { return }
        var values = pairs.map(\.value)
        let isChanged = list.count != archive.count || list.indices.contains { list[$0] != archive.objectID(UID($0)) }
        if isChanged, let old = pairs.value(for: "$objects".utf16) {
            let array = addContainer(.array)
            setContents(of: array, to: list)
            values = values.map { $0 == old ? array : $0 }
        }
        if let top { values = values.map { $0 == archive.storedTop ? top : $0 } }
        guard values != pairs.map(\.value) else { return }
        setContents(of: document.root, to: pairs.map(\.key) + values)
    }
}
