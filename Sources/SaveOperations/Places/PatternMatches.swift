package import KeyedArchives
package import SaveCodec

/// All values that a pattern of addresses leads to, in the order in which they stand, one after the other.
///
///     /root/*/health     root ─root─▶ list ─*─▶ Player ─health─▶ 100     /root/0/health
///                                      └──*─▶ Player ─health─▶ 55       /root/1/health
///
/// At each value there is a set of positions in the pattern, as in a nondeterministic automaton (Thompson 1968). `*` leads
/// through everything that a container holds, shared or not; `**` looks into each container once, where it stands first,
/// so that cycles end. Data that holds a save is gone through like the root of that. Iterative.
package struct PatternMatches {
    /// A value that the pattern leads to.
    package struct Match {
        /// The view that it is part of.
        package let view: ObjectView
        /// Its identity there.
        package let id: ViewID
        /// Where it is stored: what is shared is the same slot at several addresses.
        package let slot: Slot?
    }

    /// A place in a container; none has the root.
    package struct Slot: Hashable, Sendable {
        let view: ObjectIdentifier
        let container: ViewID
        /// The position; nil for the class.
        let position: Int?
    }

    /// A container that the pattern leads through.
    private struct Frame {
        let view: ObjectView
        let id: ViewID
        let contents: ViewContents
        /// The positions in the pattern that every slot leads to.
        var everywhere: [Int] = []
        /// The positions that single slots lead to.
        var slots: [Int: [Int]] = [:]
        /// The slots that lead somewhere, in order; nil for all.
        var order: [Int]?
        /// The name of the class, if the pattern leads to that, until it is told.
        var className: ViewID?
        var next = 0

        var count: Int { order?.count ?? contents.count }

        /// The slot that was looked at last.
        var position: Int { order?[next - 1] ?? next - 1 }

        func slot(_ position: Int?) -> Slot {
            Slot(view: ObjectIdentifier(view), container: id, position: position)
        }
    }

    private let pattern: PointerPattern
    private let view: ObjectView
    private var frames: [Frame] = []
    private var hasStarted = false
    /// Whether the value that was told last is the name of a class.
    private var isClassName = false
    /// The containers that each `**` has looked into, by its position in the pattern, of the view and of each save in it.
    private var done: [ObjectIdentifier: [Int: Bitmap]] = [:]
    /// What the fields of values must be, or of what they stand in.
    private var conditions: ValueSearch?
    /// How many slots may still be looked at. A small file can have more ways through it than anybody can wait for.
    private var budget: Int

    /// The matches of a pattern in a view.
    ///
    /// - Parameter conditions: what their fields must be, of a dictionary or an object its own, of all else those of the
    ///   container that it stands in.
    package init(_ pattern: PointerPattern, in view: ObjectView, where conditions: [FieldCondition] = []) {
        self.pattern = pattern
        self.view = view
        if !conditions.isEmpty {
            var query = ValueQuery()
            query.fields = conditions
            self.conditions = ValueSearch(query, in: view)
        }
        budget = 1_000_000 + 20 * view.document.imageSize
    }

    /// The next value; nil at the end.
    ///
    /// - Throws: a problem if there are too many ways through the file.
    package mutating func next() throws(Problem) -> Match? {
        while let match = try nextOfPattern() {
            if try conditions?.hasFields(match.id, in: match.slot?.container, match.view) ?? true { return match }
        }
        return nil
    }

    private mutating func nextOfPattern() throws(Problem) -> Match? {
        isClassName = false
        if !hasStarted {
            hasStarted = true
            if try arrive(at: view.root, in: view, [0]) { return Match(view: view, id: view.root, slot: nil) }
        }
        while let top = frames.indices.last {
            let view = frames[top].view
            if let name = frames[top].className {
                frames[top].className = nil
                isClassName = true
                return Match(view: view, id: name, slot: frames[top].slot(nil))
            }
            guard frames[top].next < frames[top].count else {
                frames.removeLast()
                continue
            }
            frames[top].next += 1
            let position = frames[top].position
            let id = view.item(position, of: frames[top].contents).id
            let positions = frames[top].everywhere + (frames[top].slots[position] ?? [])
            let slot = frames[top].slot(position)
            if try arrive(at: id, in: view, positions) { return Match(view: view, id: id, slot: slot) }
        }
        return nil
    }

    /// Where the value stands that was told last.
    ///
    /// - Throws: a problem if the addresses that were asked for are far longer than the file.
    package mutating func address() throws(Problem) -> JSONPointer {
        try spend(frames.count)
        var address = JSONPointer.root
        // Of the container that was told last nothing has been looked at.
        for frame in frames where frame.next > 0 {
            let key = frame.view.item(frame.position, of: frame.contents).key
            frame.view.append(Outline.PathStep(key: key, position: frame.position), to: &address)
        }
        if isClassName { address.append(key: "$class".utf16) }
        return address
    }

    // MARK: Going down

    /// Comes to a value at positions in the pattern; whether the pattern may end there.
    private mutating func arrive(at id: ViewID, in view: ObjectView, _ positions: [Int]) throws(Problem) -> Bool {
        try spend(1)
        let container = view.container(id)
        let closed = closure(of: positions, at: container == nil ? nil : id, view)
        if let container {
            try enter(id, container, in: view, closed)
        } else if closed.contains(where: { $0 < pattern.segments.count }), let save = try? view.nestedSave(in: id) {
            _ = try arrive(at: save.view.root, in: save.view, positions)
        }
        return closed.contains(pattern.segments.count)
    }

    /// With the positions behind `**`, which may stand for nothing, and without those of one that was here before.
    private mutating func closure(of positions: [Int], at id: ViewID?, _ view: ObjectView) -> [Int] {
        var closed: [Int] = []
        for position in positions {
            var position = position
            while !closed.contains(position) {
                let isAny = position < pattern.segments.count && pattern.segments[position] == .any
                if isAny, let id, done[ObjectIdentifier(view)]?[position]?.contains(id.index) == true { break }
                closed.append(position)
                guard isAny else { break }
                if let id {
                    done[ObjectIdentifier(view), default: [:]][position, default: Bitmap(count: view.count)]
                        .insert(id.index)
                }
                position += 1
            }
        }
        return closed
    }

    private mutating func enter(
        _ id: ViewID, _ value: ViewValue, in view: ObjectView, _ positions: [Int]
    ) throws(Problem) {
        var frame = Frame(view: view, id: id, contents: value.contents)
        for position in positions where position < pattern.segments.count {
            switch pattern.segments[position] {
            case .one: frame.everywhere.append(position + 1)
            case .any: frame.everywhere.append(position)
            case .literal(let token):
                let isForm = pattern.address.isForm(at: position)
                if view.isClassName(token, isForm: isForm, of: value) {
                    guard position + 1 == pattern.segments.count, let number = value.classPosition else { continue }
                    frame.className = view.archive?.storedName(ofClass: number)
                } else {
                    if value.form.isKeyed { try spend(value.contents.count) }
                    guard let slot = view.position(of: token, isForm: isForm, in: id) else { continue }
                    frame.slots[slot, default: []].append(position + 1)
                }
            }
        }
        if frame.everywhere.isEmpty { frame.order = frame.slots.keys.sorted() }
        if frame.count > 0 || frame.className != nil { frames.append(frame) }
    }

    private mutating func spend(_ count: Int) throws(Problem) {
        budget -= count
        guard budget < 0 else { return }
        throw Problem("pattern.ways", "more ways lead through this file than the pattern can be followed on")
    }
}

extension PointerPattern {
    /// The beginning of an address that the pattern matches, up to what the last wildcard stands for; of one without
    /// wildcards the root.
    package func base(of address: JSONPointer) -> JSONPointer {
        guard let last = lastWildcard else { return .root }
        return address.prefix(address.tokens.count - (segments.count - 1 - last))
    }
}
