package import SaveCodec

/// The values of a view, and where in the file they stand.
///
///     <key>$top</key> …                       the root of an archive: where $top stands
///     <key>$objects</key><array>
///         <string>$null</string>              nil stands where it is referred to
///         <dict>…                             /root: an object stands in $objects,
///             <key>health</key>
///             <integer>100</integer>          /root/health: and what is in it in place, there
///
/// The objects of a binary file have offsets of their own.
package struct ViewTree: PlacedTree {
    private let view: ObjectView
    private let map: SourceMap?
    /// The array `$objects` of an archive.
    private let objects: ObjectID?

    /// - Parameter map: where the values of the property list stand; nil for a binary file.
    package init(_ view: ObjectView, _ map: SourceMap?) {
        self.view = view
        self.map = map
        objects =
            view.archive == nil
            ? nil : view.document.value(for: "$objects", of: view.document.object(view.document.root))
    }

    private var document: Document { view.document }

    package var lastRepeatedKeyWins: Bool { document.lastRepeatedKeyWins }

    package var root: PlacedValue {
        let root = document.object(document.root)
        var offset = map.map(\.root.lowerBound) ?? objectOffset(view.stored(view.root))
        if let map, view.archive != nil, let top = document.position(of: "$top", in: root) {
            offset = map.value(top, of: document.root).lowerBound
        }
        return PlacedValue(id: view.root.index, offset: offset, keyOffset: nil)
    }

    package func contents(of id: Int) -> PlacedContents {
        let value = view[ViewID(index: id)]
        return switch value.form {
        case .scalar: .none
        case .array, .set: .elements(value.contents.count)
        case .dictionary, .object: .members(value.contents.count)
        }
    }

    package func token(to position: Int, of id: Int) -> AddressToken? {
        let key = view.item(position, of: view[ViewID(index: id)].contents).key
        return AddressToken(key: key.flatMap(view.scalar), at: position)
    }

    package func value(at position: Int, of id: Int) -> PlacedValue {
        let container = ViewID(index: id)
        let item = view.item(position, of: view[container].contents)
        guard let map else {
            return PlacedValue(id: item.id.index, offset: objectOffset(view.stored(item.id)), keyOffset: nil)
        }
        let slot = slot(position, of: container)
        let inPlace = slot.map { map.value($0.position, of: $0.container).lowerBound }
        var keyOffset = item.key.flatMap { offset(ofObject: $0, map) }
        if keyOffset == nil, item.key != nil {
            keyOffset = slot.map { map.key($0.position, of: $0.container).lowerBound }
        }
        return PlacedValue(
            id: item.id.index, offset: offset(ofObject: item.id, map) ?? inPlace ?? 0, keyOffset: keyOffset)
    }

    package func className(of id: Int) -> PlacedValue? {
        guard let archive = view.archive, let position = view[ViewID(index: id)].classPosition else { return nil }
        let name = archive.storedName(ofClass: position)
        let record = archive.objectID(archive.classes[position].uid)
        let slot = document.position(of: "$classname", in: document.object(record))
        let offset = map.flatMap { map in slot.map { map.value($0, of: record).lowerBound } }
        return PlacedValue(id: name.index, offset: offset ?? objectOffset(view.stored(name)), keyOffset: nil)
    }

    // MARK: Places

    /// Where in a binary file an object stands.
    private func objectOffset(_ id: ObjectID) -> Int {
        map == nil ? document.offset(of: id) ?? 0 : 0
    }

    /// Where in `$objects` a value stands; nil for nil, and for what is no object of the archive.
    private func offset(ofObject id: ViewID, _ map: SourceMap) -> Int? {
        guard let archive = view.archive, let objects, let uid = view.uid(id) else { return nil }
        if case .null = archive.role(of: uid) { return nil }
        return map.value(uid.index, of: objects).lowerBound
    }

    /// Where an item of a container is stored in the property list; nil for a reference that is a field of its own.
    private func slot(_ position: Int, of id: ViewID) -> (container: ObjectID, position: Int)? {
        let holder = view.stored(id)
        switch view[id].contents.source {
        case .pairs(_, let omitted): return (holder, position < omitted ? position : position + 1)
        case .elements, .entries:
            let stored = document.object(holder)
            guard stored.kind == .dictionary else { return (holder, position) }
            return document.value(for: "NS.objects", of: stored).map { ($0, position) }
        case .none, .numbered, .numberedEntries: return nil
        }
    }
}
