package import SaveCodec

/// The offsets at which the values of a view begin in its file, in bytes.
///
///     <key>$top</key> …                       the root of an archive: the value of $top
///     <key>$objects</key><array>
///         <string>$null</string>              nil: the slot that refers to it
///         <dict>…                             /root: the object's element of $objects
///             <key>health</key>
///             <integer>100</integer>          /root/health: a value that is stored in place
///
/// In a binary file each object has an offset of its own. A text has a ``SourceMap``, and graph JSON also
/// ``GraphOffsets``. Each lookup takes constant time.
package struct ViewOffsets {
    /// The offsets of a value and its key.
    package struct Slot {
        package var value: Int
        /// Nil for an element, for a class, and in a binary file.
        package var key: Int?
    }

    private let view: ObjectView
    /// Nil for a binary file.
    private let map: SourceMap?
    /// Nil for anything but an archive in graph JSON.
    private let graph: GraphOffsets?
    /// The array `$objects` of an archive.
    private let objects: ObjectID?
    /// The offsets of the names of classes, by position in ``KeyedArchive/classes``.
    private let classNames: [Int]

    /// - Parameters:
    ///   - view: the view of the file.
    ///   - text: the document and the source map of the file's text; nil for a binary file.
    package init(of view: ObjectView, in text: (document: Document, map: SourceMap)?) {
        self.view = view
        map = text?.map
        objects = view.archive.flatMap { $0.document.value(for: "$objects", of: $0.document.object($0.document.root)) }
        classNames = (view.archive?.classes ?? []).map { record in
            guard let map = text?.map else { return view.document.offset(of: record.storedName) ?? 0 }
            let id = view.stored(view.id(of: record.uid))
            let name = view.document.position(of: "$classname", in: view.document.object(id))
            return name.map { map.value($0, of: id).lowerBound } ?? 0
        }
        graph = text.flatMap { document, map in
            view.archive != nil && GraphJSON.isPresent(in: document) ? GraphOffsets(of: view, in: document, map) : nil
        }
    }

    private var document: Document { view.document }

    /// The offset of the root.
    package var root: Slot {
        guard let map else { return Slot(value: objectOffset(view.root)) }
        if let graph { return Slot(value: graph.root) }
        let top = view.archive.flatMap { _ in document.position(of: "$top", in: document.object(document.root)) }
        return Slot(value: top.map { map.value($0, of: document.root).lowerBound } ?? map.root.lowerBound)
    }

    /// The offsets of the value that a walk leads to from the root.
    package func slot(_ walk: AddressWalk) -> Slot {
        guard let step = walk.step else { return root }
        return switch step.target {
        case .slot(let position): slot(position, of: step.container)
        case .className: Slot(value: className(of: step.container))
        }
    }

    /// The offsets of the slot at a position of a container.
    package func slot(_ position: Int, of container: ViewID) -> Slot {
        let contents = view[container].contents
        let item = view.item(position, of: contents)
        guard let map else { return Slot(value: objectOffset(item.id)) }
        if let graph, let slot = graph.slot(position, of: container) { return slot }
        let stored = storedSlot(position, of: contents, in: view.stored(container))
        let value = stored.map { map.value($0.position, of: $0.container).lowerBound }
        let key = stored.map { map.key($0.position, of: $0.container).lowerBound }
        return Slot(
            value: elementOffset(item.id) ?? value ?? elementOffset(container) ?? 0,
            key: item.key.flatMap { elementOffset($0) ?? key })
    }

    /// The offset of the name of an object's class.
    private func className(of object: ViewID) -> Int {
        graph?.className(of: object) ?? view.classPosition(of: object).map { classNames[$0] } ?? 0
    }

    /// The offset of an object of a binary file.
    private func objectOffset(_ id: ViewID) -> Int { document.offset(of: view.stored(id)) ?? 0 }

    /// The offset of an object's element of `$objects`; nil for nil, and for a value that is stored in place.
    private func elementOffset(_ id: ViewID) -> Int? {
        guard let map, let archive = view.archive, let objects, let uid = view.uid(id) else { return nil }
        if case .null = archive.role(of: uid) { return nil }
        return map.value(uid.index, of: objects).lowerBound
    }

    /// The position in the property list of a slot of a container, which is stored as `holder`; nil for a reference that is
    /// a field of its own.
    private func storedSlot(
        _ position: Int, of contents: ViewContents, in holder: ObjectID
    ) -> (container: ObjectID, position: Int)? {
        switch contents.source {
        case .pairs(_, let omitted): return (holder, position < omitted ? position : position + 1)
        case .elements, .entries:
            let stored = document.object(holder)
            guard stored.kind == .dictionary else { return (holder, position) }
            return document.value(for: "NS.objects", of: stored).map { ($0, position) }
        case .none, .numbered, .numberedEntries: return nil
        }
    }
}
