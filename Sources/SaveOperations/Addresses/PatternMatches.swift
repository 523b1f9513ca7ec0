package import KeyedArchives
package import SaveCodec

/// The values whose addresses match a pattern, in document order, found one at a time.
///
///     /root/*/health     root ─root─▶ list ─*─▶ Player ─health─▶ 100     /root/0/health
///                                      └──*─▶ Player ─health─▶ 55       /root/1/health
///
/// Each value is visited with a set of positions in the pattern, as in a nondeterministic automaton (Thompson 1968).
///
/// - `*` matches every slot of a container, shared or not.
/// - `**` enters each container once, at its first occurrence, so cycles end.
/// - A property list in data, and JSON in data or in a string, is entered without a token; `~^` matches its root.
/// - Any other nested save is entered only if the next segment is a name, a position or `~^`, as in an address.
///
/// The search is iterative, so no nesting depth can overflow the stack.
package struct PatternMatches {
    /// A value whose address matches the pattern.
    package struct Match {
        /// The view that contains the value.
        package let view: ObjectView
        /// The identity of the value in the view.
        package let id: ViewID
        /// The slot that holds the value; nil for the root. A slot of a shared container has several addresses.
        let slot: Slot?
        /// The number of nested saves between the slot and the value. Each but the outermost is the root value of the
        /// save around it.
        fileprivate var level = 0
        fileprivate var isClassName = false
    }

    struct Slot: Hashable, Sendable {
        let view: ObjectIdentifier
        let container: ViewID
        /// The position; nil for the class, and for the root of a nested save.
        let position: Int?
    }

    /// A container that is being searched.
    private struct Frame {
        let view: ObjectView
        let id: ViewID
        let contents: ViewContents
        /// The positions in the pattern at which every slot is visited.
        var everywhere: [Int] = []
        /// For each slot that the pattern selects by its key or index, the positions in the pattern at which it is
        /// visited in addition to ``everywhere``.
        var slots: [Int: [Int]] = [:]
        /// The slots to visit, in order; nil for all.
        var order: [Int]?
        /// The class name, if the pattern matches it and it has not been returned yet.
        var className: ViewID?
        var next = 0
        /// Whether the container may have duplicate keys; nil before it is checked.
        var mayHaveDuplicateKeys: Bool?

        var count: Int { order?.count ?? contents.count }

        /// The slot visited last.
        var position: Int { order?[next - 1] ?? next - 1 }

        func slot(_ position: Int?) -> Slot {
            Slot(view: ObjectIdentifier(view), container: id, position: position)
        }
    }

    private let pattern: PointerPattern
    private let view: ObjectView
    private var frames: [Frame] = []
    private var hasStarted = false
    /// The matches at the value visited last, in reverse order.
    private var found: [Match] = []
    /// The match returned last.
    private var lastMatch: Match?
    /// The containers that each `**` has entered, by view and by position in the pattern.
    private var done: [ObjectIdentifier: [Int: Bitmap]] = [:]
    /// A test that decides which matches to return; nil to return all.
    private let accepts: ((Match) throws(Problem) -> Bool)?
    /// The number of bytes that may still be visited, or stored for addresses. A small file can have an exponential
    /// number of matching addresses, and the addresses of deeply nested objects can be far longer than the file.
    private var budget: Int

    /// The costs of a visited slot and of an address token, in bytes.
    private static let (slotSize, stepSize) = (16, 64)

    /// Creates the sequence of the matches of a pattern in a view.
    ///
    /// - Parameter accepts: A test that decides which matches to return; nil to return all.
    package init(
        _ pattern: PointerPattern, in view: ObjectView, accepting accepts: ((Match) throws(Problem) -> Bool)? = nil
    ) {
        self.pattern = pattern
        self.view = view
        self.accepts = accepts
        budget = view.document.maxReadByteCount
    }

    /// Returns the next match; nil at the end.
    ///
    /// - Throws: `pattern.ways` if the search or its addresses become too large for the file.
    package mutating func next() throws(Problem) -> Match? {
        while let match = try nextOfPattern() {
            if try accepts?(match) ?? true { return match }
        }
        return nil
    }

    private mutating func nextOfPattern() throws(Problem) -> Match? {
        if !hasStarted {
            hasStarted = true
            try arrive(at: view.root, in: view, [0], slot: nil)
        }
        while found.isEmpty, let top = frames.indices.last {
            if let name = frames[top].className {
                frames[top].className = nil
                found = [Match(view: frames[top].view, id: name, slot: frames[top].slot(nil), isClassName: true)]
                break
            }
            guard frames[top].next < frames[top].count else {
                frames.removeLast()
                continue
            }
            frames[top].next += 1
            let position = frames[top].position
            let id = frames[top].view.item(position, of: frames[top].contents).id
            let positions = frames[top].everywhere + (frames[top].slots[position] ?? [])
            try arrive(at: id, in: frames[top].view, positions, slot: frames[top].slot(position))
        }
        lastMatch = found.popLast()
        return lastMatch
    }

    /// Returns the address of the match returned last.
    ///
    /// - Throws: `pattern.ways` if the addresses become far longer than the file.
    package mutating func address() throws(Problem) -> JSONPointer {
        try spend(Self.stepSize * frames.count)
        var address = JSONPointer.root
        // If the last match is a container, it is the innermost frame, and none of its slots has been visited yet.
        for index in frames.indices where frames[index].next > 0 { appendStep(of: index, to: &address) }
        if lastMatch?.isClassName ?? false { address.append(key: "$class".utf16) }
        for _ in 0..<(lastMatch?.level ?? 0) { address = address.nestedSaveRoot }
        return address
    }

    private mutating func appendStep(of index: Int, to address: inout JSONPointer) {
        let frame = frames[index]
        let key = frame.view.item(frame.position, of: frame.contents).key
        if key != nil {
            let mayHaveDuplicateKeys =
                frame.mayHaveDuplicateKeys ?? frame.view.mayHaveDuplicateKeys(in: frame.view[frame.id])
            frames[index].mayHaveDuplicateKeys = mayHaveDuplicateKeys
            if mayHaveDuplicateKeys { return frame.view.append(slot: frame.position, of: frame.id, to: &address) }
        }
        frame.view.append(PathStep(key: key, position: frame.position), to: &address)
    }

    /// Returns the resolved address of the match returned last; nil in a nested save.
    package mutating func path() throws(Problem) -> ResolvedAddress? {
        guard let lastMatch, lastMatch.level == 0, lastMatch.view === view else { return nil }
        try spend(Self.stepSize * frames.count)
        var containers: [ViewID] = []
        var positions: [Int] = []
        containers.reserveCapacity(frames.count)
        positions.reserveCapacity(frames.count)
        for frame in frames where frame.next > 0 || lastMatch.isClassName {
            containers.append(frame.id)
            if frame.next > 0 { positions.append(frame.position) }
        }
        guard !lastMatch.isClassName else {
            return ResolvedAddress(through: containers, at: positions, to: .className, in: view)
        }
        guard let last = positions.popLast() else { return ResolvedAddress(through: [], at: [], to: .root, in: view) }
        return ResolvedAddress(through: containers, at: positions, to: .slot(last), in: view)
    }

    // MARK: Going down

    /// Visits a value at positions in the pattern, and the roots of the saves nested in it.
    private mutating func arrive(
        at id: ViewID, in view: ObjectView, _ positions: [Int], slot: Slot?
    ) throws(Problem) {
        var match = Match(view: view, id: id, slot: slot)
        var steps = PatternPositions(arrived: positions)
        while true {
            try spend(Self.slotSize)
            let container = match.view.container(match.id)
            let enteredContainer = container == nil ? nil : match.id
            var closed: [Int] = []
            addClosure(of: steps.arrived, at: enteredContainer, match.view, to: &closed)
            if closed.contains(pattern.segments.count) { found.insert(match, at: 0) }
            addClosure(of: steps.passing, at: enteredContainer, match.view, to: &closed)
            // Each position is compared with all others. A pattern with many `**` has many of them in deep values.
            if closed.count > 8 { try spend(closed.count * closed.count) }
            if let container { return try enter(match.id, container, in: match.view, at: closed) }
            guard let (save, next) = try save(in: match, steps, closed) else { return }
            steps = next
            let slot = Slot(view: ObjectIdentifier(save.view), container: save.view.root, position: nil)
            match = Match(view: save.view, id: save.view.root, slot: slot, level: match.level + 1)
        }
    }

    /// The positions in the pattern that the search has reached at a value.
    private struct PatternPositions {
        /// The positions reached by the steps of the address, where the value itself may match.
        var arrived: [Int]
        /// The positions carried over from the data that holds a nested save. At the root of the save, they only
        /// continue to its contents; the root itself does not match.
        var passing: [Int] = []

        var all: [Int] { arrived + passing }
    }

    /// Returns the save nested in a value, and the positions at its root; nil if the value holds no save, or if no
    /// position leads into it.
    ///
    /// - Parameter closed: All positions at the value.
    private func save(
        in match: Match, _ steps: PatternPositions, _ closed: [Int]
    ) throws(Problem) -> (NestedSave, PatternPositions)? {
        func hasNext(_ position: Int) -> Bool { position < pattern.segments.count }
        func entersAnySave(_ position: Int) -> Bool { hasNext(position) && pattern.segments[position].entersAnySave }
        do throws(Problem) {
            if closed.contains(where: hasNext), let save = try match.view.nestedSave(in: match.id) {
                return (save, entering(closed, passing: steps.all.filter(hasNext)))
            }
            if steps.arrived.contains(where: entersAnySave) || steps.passing.contains(where: entersAnySave),
                let save = try match.view.nestedSave(enteredAt: match.id)
            {
                let entering = steps.all.filter(entersAnySave)
                return (save, self.entering(entering, passing: entering))
            }
            return nil
        } catch {
            // A value that cannot be read as a save has no matches inside; one that is too large to read may have some.
            if error.id == Problem.nestedTooLarge().id { throw error }
            return nil
        }
    }

    private func entering(_ entering: [Int], passing: [Int]) -> PatternPositions {
        func isInside(_ position: Int) -> Bool {
            position < pattern.segments.count && pattern.segments[position] == .nestedRoot
        }
        return PatternPositions(
            arrived: entering.filter(isInside).map { $0 + 1 }, passing: passing.filter { !isInside($0) })
    }

    /// Adds positions, and the position after each `**`, which may match no token. Omits a `**` that has already
    /// entered the container.
    private mutating func addClosure(
        of positions: [Int], at id: ViewID?, _ view: ObjectView, to closed: inout [Int]
    ) {
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
    }

    private mutating func enter(
        _ id: ViewID, _ value: ViewValue, in view: ObjectView, at positions: [Int]
    ) throws(Problem) {
        var frame = Frame(view: view, id: id, contents: value.contents)
        for position in positions where position < pattern.segments.count {
            switch pattern.segments[position] {
            case .one: frame.everywhere.append(position + 1)
            case .any: frame.everywhere.append(position)
            case .nestedRoot: continue
            case .literal(let token):
                let target = view.target(of: token, in: id)
                if value.variant.isKeyed, target != .className { try spend(Self.slotSize * value.contents.count) }
                switch target {
                case .slot(let slot): frame.slots[slot, default: []].append(position + 1)
                // A class name has no slots.
                case .className where position + 1 == pattern.segments.count:
                    frame.className = view.value(at: .className, of: id)
                case .className, nil: continue
                }
            }
        }
        if frame.everywhere.isEmpty { frame.order = frame.slots.keys.sorted() }
        if frame.count > 0 || frame.className != nil { frames.append(frame) }
    }

    private mutating func spend(_ count: Int) throws(Problem) {
        budget -= count
        guard budget < 0 else { return }
        throw Problem(
            "pattern.ways", "following the pattern through this file takes too many steps; use a more specific pattern")
    }
}

extension PointerPattern.Segment {
    /// Whether the segment enters any nested save, as in an address. Wildcards enter only saves that all views open.
    fileprivate var entersAnySave: Bool {
        switch self {
        case .literal, .nestedRoot: true
        case .one, .any: false
        }
    }
}

extension PointerPattern {
    /// Returns the beginning of a matching address, up to the tokens that the last wildcard matched; the root for a
    /// pattern without wildcards.
    package func base(of address: JSONPointer) -> JSONPointer {
        guard let last = lastWildcard else { return .root }
        // An address has `~^` only at its end.
        let rest = segments[(last + 1)...]
        let isInside = { (segment: Segment) in segment == .nestedRoot }
        let steps = rest.count { !isInside($0) } + rest.reversed().prefix(while: isInside).count
        return address.prefix(address.tokens.count - steps)
    }
}
