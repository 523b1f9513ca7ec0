package import SaveCodec

/// The byte offsets of a view's values in its file.
///
///     <key>$top</key> …                       the root of an archive: the value of $top
///     <key>$objects</key><array>
///         <string>$null</string>              nil: the slot that refers to it
///         <dict>…                             /root: the object's element of $objects
///             <key>health</key>
///             <integer>100</integer>          /root/health: a value that is stored in place
///
/// Each object of a binary file has an offset of its own. The offsets in a text file come from a ``SourceMap`` and, for
/// graph JSON, from ``GraphJSONOffsets``. Each lookup takes constant time.
package struct ViewOffsets: Sendable {
    /// The offset of a value, and the offset of its key.
    package struct SlotOffsets {
        package var value: Int
        /// The offset of the key; nil for an element, for a class, and in a binary file.
        package var key: Int?
    }

    private let view: ObjectView
    /// The source map of the text; nil for a binary file.
    private let map: SourceMap?
    /// The offsets in graph JSON; nil for any other file.
    private let graph: GraphJSONOffsets?
    /// The array `$objects` of an archive.
    private let objects: ObjectID?
    /// The offset of each class name, by position in ``KeyedArchive/classes``.
    private let classNames: [Int]

    /// - Parameters:
    ///   - view: The view of the file.
    ///   - text: The document and the source map of a text file; nil for a binary file.
    package init(of view: ObjectView, in text: (document: Document, map: SourceMap)?) {
        self.view = view
        map = text?.map
        objects = view.archive.flatMap { $0.document.value(for: "$objects", of: $0.document.object($0.document.root)) }
        classNames = (view.archive?.classes ?? []).map { record in
            guard let map = text?.map else { return view.document.original.offset(of: record.storedName) ?? 0 }
            let id = view.stored(view.id(of: record.uid))
            let name = view.document.position(of: "$classname", in: view.document.object(id))
            return name.map { map.value($0, of: id).lowerBound } ?? 0
        }
        graph = text.flatMap { document, map in
            view.archive != nil && GraphJSON.isPresent(in: document)
                ? GraphJSONOffsets(of: view, in: document, map) : nil
        }
    }

    private var document: Document { view.document }

    /// The offset of the root: the root of the property list, or in an archive the value of `$top`.
    package var root: SlotOffsets {
        guard let map else { return SlotOffsets(value: objectOffset(view.root)) }
        if let graph { return SlotOffsets(value: graph.root) }
        let top = view.archive.flatMap { _ in document.position(of: "$top", in: document.object(document.root)) }
        return SlotOffsets(value: top.map { map.value($0, of: document.root).lowerBound } ?? map.root.lowerBound)
    }

    /// Returns the offsets of the value at the end of a walk from the root.
    package func slot(_ walk: AddressWalk) -> SlotOffsets {
        guard let step = walk.step else { return root }
        return switch step.target {
        case .slot(let position): slot(position, of: step.container)
        case .className: SlotOffsets(value: className(of: step.container))
        }
    }

    /// Returns the offsets of the slot at a position of a container.
    package func slot(_ position: Int, of container: ViewID) -> SlotOffsets {
        let contents = view[container].contents
        let item = view.item(position, of: contents)
        guard let map else { return SlotOffsets(value: objectOffset(item.id)) }
        if let graph, let slot = graph.slot(position, of: container) { return slot }
        // The runs of an attributed string have no text of their own.
        let string = view.uid(container).flatMap { view.archive?.attributedStrings.element($0)?.uid }
        if let string = string ?? stringAround(container) {
            let offset = elementOffset(item.id) ?? elementOffset(view.id(of: string)) ?? 0
            return SlotOffsets(value: offset, key: item.key == nil ? nil : offset)
        }
        let stored = storedSlot(position, of: contents, in: view.stored(container))
        let value = stored.map { map.value($0.position, of: $0.container).lowerBound }
        let key = stored.map { map.key($0.position, of: $0.container).lowerBound }
        return SlotOffsets(
            value: elementOffset(item.id) ?? value ?? elementOffset(container) ?? 0,
            key: item.key.flatMap { elementOffset($0) ?? key })
    }

    private func className(of object: ViewID) -> Int {
        graph?.className(of: object) ?? view.classPosition(of: object).map { classNames[$0] } ?? 0
    }

    private func objectOffset(_ id: ViewID) -> Int {
        document.original.offset(of: view.stored(stringAround(id).map { view.id(of: $0) } ?? id)) ?? 0
    }

    /// Returns the attributed string that contains a value in its runs. A value in runs has no storage of its own.
    private func stringAround(_ id: ViewID) -> UID? {
        view.uid(id) == nil ? view.archive?.attributedStrings.owner(of: view.stored(id)) : nil
    }

    /// Returns the offset at which `$objects` stores an object, or nil for nil and for a value that is stored in place.
    private func elementOffset(_ id: ViewID) -> Int? {
        guard let map, let archive = view.archive, let objects, let uid = view.uid(id) else { return nil }
        if case .null = archive.role(of: uid) { return nil }
        return map.value(uid.index, of: objects).lowerBound
    }

    /// Returns the stored container and position of a slot, or nil for a reference that is a numbered field.
    ///
    /// - Parameter holder: The stored object of the slot's container.
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

// MARK: Offsets in graph JSON

/// The byte offsets of an archive's values in the graph JSON that describes it.
///
///     {…, "$top": {"root": {"$class": "Map", "size": {"$object": 3}, "list": [{"$ref": 1}]}}}
///                           /root            /root/size              /root/list/0: the object with the $id 1
///
/// One breadth-first pass through the archive's ``ContainerGraph`` finds the JSON value of each container, and from it
/// the offset of each slot.
private struct GraphJSONOffsets {
    /// The JSON value of a container.
    private struct Origin {
        /// The JSON value; nil for a container inside a collection that the text describes by its stored fields.
        var id: ObjectID?
        var isRaw = false
        var offset: Int
        var className: Int?
    }

    private let graph: ContainerGraph
    private let text: Document
    private let map: SourceMap
    /// The objects with an `$id` or in `$shared`, by number, and their offsets.
    private let numbered: [Int128: (id: ObjectID, offset: Int)]
    private var shapes: ReservedMemberCache
    /// The JSON value of each container, by container number.
    private var origins: [Origin?]
    /// The container numbers of the attributed strings. The slots that views show for them differ from those in the
    /// text.
    private let attributedStringNumbers: Set<Int>
    /// The offsets of each slot of the graph.
    private var slots: [(value: UInt32, key: UInt32)]

    /// - Parameters:
    ///   - view: The view of the archive that `text` describes.
    ///   - text: The graph JSON document.
    ///   - map: The source map of the text.
    init(of view: ObjectView, in text: Document, _ map: SourceMap) {
        (self.text, self.map) = (text, map)
        shapes = ReservedMemberCache(text)
        graph = view.graph
        numbered = text.numberedObjects(map)
        origins = [Origin?](repeating: nil, count: graph.containers.count)
        slots = Array(repeating: (0, 0), count: graph.slotCount)
        attributedStringNumbers = Set(
            (view.archive?.attributedStrings.elements ?? []).compactMap { [graph] in
                graph.number(of: view.id(of: $0.uid))
            })
        let top = GraphJSONObject(text.root, in: text).position(of: .top) ?? 0
        origins[0] = origin(
            of: text.member(top, of: text.object(text.root)), at: map.value(top, of: text.root).lowerBound)
        for container in graph.containers { addSlots(of: container) }
    }

    var root: Int { origins[0]?.offset ?? 0 }

    /// Returns the offsets of a slot, or nil if the root does not reach the container of the slot.
    func slot(_ position: Int, of container: ViewID) -> ViewOffsets.SlotOffsets? {
        guard let number = graph.number(of: container) else { return nil }
        let container = graph.containers[number]
        let (value, key) = slots[container.start + position]
        return ViewOffsets.SlotOffsets(value: Int(value), key: container.kind.isKeyed ? Int(key) : nil)
    }

    func className(of object: ViewID) -> Int {
        let origin = graph.number(of: object).flatMap { origins[$0] }
        return origin?.className ?? origin?.offset ?? 0
    }

    // MARK: The pass

    private mutating func addSlots(of container: ContainerGraph.Container) {
        guard !attributedStringNumbers.contains(container.number), let contents = contents(of: container) else {
            return addUnknown(container)
        }
        switch contents {
        case .elements(let list), .entries(let list), .rawMembers(let list):
            for position in 0..<container.count { add(position, of: container, from: list, key: position, position) }
        case .fields(let object):
            var members = object.data
            for position in 0..<container.count {
                guard let member = members.nextPosition() else { return }
                add(position, of: container, from: object.id, key: member, member)
            }
        case .fieldPairs(let list), .entryPairs(let list):
            for position in 0..<container.count {
                let pair = text.reference(position, of: text.object(list))
                if text.graphPair(pair) != nil { add(position, of: container, from: pair, key: 0, 1) }
            }
        }
    }

    /// Returns the slots in the text that correspond to the slots of a container, or nil if the container is a
    /// collection that the text describes by its stored fields.
    private mutating func contents(of container: ContainerGraph.Container) -> GraphJSONContents? {
        guard let origin = origins[container.number], let id = origin.id, case let stored = text.object(id),
            stored.kind.isContainer
        else { return nil }
        guard stored.kind == .dictionary, !origin.isRaw else {
            return stored.count == container.count ? .elements(id) : nil
        }
        let object = shapes.object(id)
        let classPosition = object.position(of: .className)
        origins[container.number]?.className = classPosition.map { map.value($0, of: id).lowerBound }
        let contents = object.contents
        switch contents {
        case .elements(let list), .entries(let list), .rawMembers(let list), .entryPairs(let list):
            return text.object(list).count == container.count ? contents : nil
        case .fields, .fieldPairs:
            let count = if case .fieldPairs(let list) = contents { text.object(list).count } else { object.dataCount }
            let areFields = (container.kind == .object) == (classPosition != nil)
            return areFields && count == container.count ? contents : nil
        }
    }

    /// Adds the offsets of a container's slot, which come from a slot of a container in the text.
    private mutating func add(
        _ position: Int, of container: ContainerGraph.Container, from list: ObjectID, key: Int, _ value: Int
    ) {
        let isRaw = origins[container.number]?.isRaw ?? false
        let stored = text.object(list)
        let child = origin(
            of: text.member(value, of: stored), at: map.value(value, of: list).lowerBound, isRaw: isRaw)
        let keyOffset = map.key(key, of: list).lowerBound
        add(child, at: position, of: container, key: keyOffset)
        guard graph.hasContainerKeys, container.kind.isKeyed else { return }
        let origin = origin(of: text.reference(key, of: stored), at: keyOffset, isRaw: isRaw)
        set(origin, of: graph.key(position, of: container))
    }

    private mutating func add(_ child: Origin, at position: Int, of container: ContainerGraph.Container, key: Int) {
        slots[container.start + position] = (UInt32(clamping: child.offset), UInt32(clamping: key))
        set(child, of: graph.value(position, of: container))
    }

    private mutating func set(_ origin: Origin, of id: ViewID) {
        guard let number = graph.number(of: id), origins[number]?.id == nil else { return }
        origins[number] = origin
    }

    /// Gives all slots of a container the offset of the container itself.
    private mutating func addUnknown(_ container: ContainerGraph.Container) {
        let offset = origins[container.number]?.offset ?? 0
        for position in 0..<container.count {
            add(Origin(offset: offset), at: position, of: container, key: offset)
            if container.kind.isKeyed { set(Origin(offset: offset), of: graph.key(position, of: container)) }
        }
    }

    /// Returns the value in a slot of the text without `$inline`, `$object` and `$raw`, or the target of a `$ref`.
    private func origin(of id: ObjectID, at offset: Int, isRaw: Bool = false) -> Origin {
        guard !isRaw else { return Origin(id: id, isRaw: true, offset: offset) }
        var (id, offset) = (id, offset)
        if case .ref(let reference) = text.soleValueKind(of: id), case .integer(let number) = text[reference],
            let target = numbered[number.value]
        {
            (id, offset) = target
        }
        let value = text.unwrapping(id)
        return Origin(id: value.id, isRaw: value.isRaw, offset: offset)
    }
}

extension Document {
    /// Returns the objects of graph JSON with an `$id` or in `$shared`, by number, and their offsets.
    fileprivate func numberedObjects(_ map: SourceMap) -> [Int128: (id: ObjectID, offset: Int)] {
        guard let numbered = try? GraphJSONReader.numberedObjects(in: self), !numbered.isEmpty else { return [:] }
        var offsets = [UInt32](repeating: 0, count: count)
        for index in 0..<count {
            guard let stored = container(ObjectID(index)) else { continue }
            for position in 0..<stored.count {
                let offset = map.value(position, of: ObjectID(index)).lowerBound
                offsets[member(position, of: stored).index] = UInt32(clamping: offset)
            }
        }
        var objects = numbered.mapValues { (id: $0, offset: Int(offsets[$0.index])) }
        // `$shared` may contain dates. Equal dates are one object of the document, so the offset of their object may
        // belong to another occurrence. The offset of the slot in `$shared` is exact.
        guard let shared = GraphJSONObject(root, in: self)[.shared] else { return objects }
        for position in 0..<object(shared).count {
            guard let number = sharedNumber(key(position, of: object(shared))) else { continue }
            objects[number]?.offset = map.value(position, of: shared).lowerBound
        }
        return objects
    }
}
