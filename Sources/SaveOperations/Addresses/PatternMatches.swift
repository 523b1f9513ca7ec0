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
        /// The container that holds the value; nil for the root. At the root of a nested save, it is the root itself.
        package let container: ViewID?
        /// The number of nested saves between the container and the value. Each but the outermost is the root value of
        /// the save around it.
        fileprivate var level = 0
        fileprivate var isClassName = false
    }

    /// A container that is being searched.
    private struct Frame {
        let view: ObjectView
        let id: ViewID
        let contents: ViewContents
        /// The positions in the pattern at which every slot of ``range`` is visited.
        private(set) var everywhere = PositionSet()
        /// All slots, or the only one that the pattern selects.
        private var range: Range<Int>
        /// The slots that the pattern selects by their keys or indices, in ascending order, with the positions in the
        /// pattern at which they are visited in addition to ``everywhere``. If that is empty, no others are visited.
        private(set) var slots: [(position: Int, pattern: PositionSet)] = []
        /// The class name, if the pattern matches it and it has not been returned yet.
        var className: ViewID?
        private var next = 0
        /// The effect on a value without contents in the slot visited last; nil before the first slot is visited.
        var leafEffect: LeafEffect?
        /// Whether the container may have duplicate keys; nil before it is checked.
        var mayHaveDuplicateKeys: Bool?

        init(_ id: ViewID, _ contents: ViewContents, in view: ObjectView) {
            (self.id, self.contents, self.view) = (id, contents, view)
            range = 0..<contents.count
        }

        /// Whether a slot has been visited.
        var hasVisited: Bool { next > 0 }
        /// Whether slots remain to be visited.
        var hasNext: Bool { next < (everywhere.isEmpty ? slots.count : range.count) }

        mutating func visitNext() { next += 1 }

        /// The slot visited last.
        var position: Int { everywhere.isEmpty ? slots[next - 1].position : range.lowerBound + next - 1 }

        /// The positions in the pattern at which the slot visited last is selected; nil if it is not.
        var selection: PositionSet? {
            if slots.isEmpty { return nil }
            if everywhere.isEmpty { return slots[next - 1].pattern }
            let index = slots.partitioningIndex { $0.position >= next - 1 }
            return index < slots.count && slots[index].position == next - 1 ? slots[index].pattern : nil
        }

        /// Selects all slots at a position in the pattern.
        mutating func selectAll(at position: Int) {
            widen()
            everywhere.insert(position)
        }

        /// Selects a slot at a position in the pattern.
        mutating func select(_ slot: Int, at position: Int) {
            if everywhere.isEmpty, slots.isEmpty {
                range = slot..<slot + 1
                everywhere.insert(position)
                return
            }
            widen()
            insert(slot, at: position)
        }

        /// Makes room for other slots than the only one that was selected.
        private mutating func widen() {
            guard range.count < contents.count else { return }
            let (slot, positions) = (range.lowerBound, everywhere)
            (range, everywhere) = (0..<contents.count, PositionSet())
            for position in positions { insert(slot, at: position) }
        }

        private mutating func insert(_ slot: Int, at position: Int) {
            let index = slots.partitioningIndex { $0.position >= slot }
            if index == slots.count || slots[index].position != slot { slots.insert((slot, PositionSet()), at: index) }
            slots[index].pattern.insert(position)
        }
    }

    package let pattern: PointerPattern
    private let view: ObjectView
    private var frames: [Frame] = []
    private var hasStarted = false
    /// The matches at the value visited last, in reverse order.
    private var found: [Match] = []
    /// The match returned last.
    private var lastMatch: Match?
    /// The containers that each `**` has entered, by view and by position in the pattern.
    private var entered: [ObjectIdentifier: [Bitmap?]] = [:]
    /// The view whose containers were entered last, and its containers, which are not in ``entered``.
    private var enteredLast: (view: ObjectIdentifier?, containers: [Bitmap?]) = (nil, [])
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
        guard let accepts else { return try nextOfPattern() }
        while let match = try nextOfPattern() {
            if try accepts(match) { return match }
        }
        return nil
    }

    private mutating func nextOfPattern() throws(Problem) -> Match? {
        if !hasStarted {
            hasStarted = true
            try arrive(at: view.root, in: view, PositionSet(0), of: nil)
        }
        while found.isEmpty, let top = frames.indices.last {
            if let name = frames[top].className {
                frames[top].className = nil
                found = [Match(view: frames[top].view, id: name, container: frames[top].id, isClassName: true)]
                break
            }
            guard frames[top].hasNext else {
                frames.removeLast()
                continue
            }
            frames[top].visitNext()
            let view = frames[top].view
            let id = view.item(frames[top].position, of: frames[top].contents).id
            guard let isMatch = isMatchingLeaf(id, in: view, of: top) else {
                try arrive(at: id, in: view, positions(of: top), of: frames[top].id)
                continue
            }
            try spend(Self.slotSize)
            guard isMatch else { continue }
            let match = Match(view: view, id: id, container: frames[top].id)
            lastMatch = match
            return match
        }
        let match = found.popLast()
        lastMatch = match
        return match
    }

    /// Returns whether a value in the innermost container matches; nil if the search may continue in the value.
    private mutating func isMatchingLeaf(_ id: ViewID, in view: ObjectView, of top: Int) -> Bool? {
        let effect: LeafEffect
        if frames[top].slots.isEmpty, let known = frames[top].leafEffect {
            effect = known
        } else {
            effect = LeafEffect(of: positions(of: top), in: pattern)
            frames[top].leafEffect = effect
        }
        guard effect.leadsOn, view.container(id) != nil || view.mayEnterSave(in: id, any: effect.entersAnySave) else {
            return effect.isMatch
        }
        return nil
    }

    /// Returns the positions in the pattern at which a container's current slot is visited.
    private func positions(of frame: Int) -> PositionSet {
        var positions = frames[frame].everywhere
        if let more = frames[frame].selection { positions.formUnion(more) }
        return positions
    }

    /// Returns the address of the match returned last.
    ///
    /// - Throws: `pattern.ways` if the addresses become far longer than the file.
    package mutating func address() throws(Problem) -> JSONPointer {
        try spend(Self.stepSize * frames.count)
        var address = JSONPointer.root
        // If the last match is a container, it is the innermost frame, and none of its slots has been visited yet.
        for index in frames.indices where frames[index].hasVisited { appendStep(of: index, to: &address) }
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

    /// Writes the address of the match returned last up to the tokens that the last wildcard matched, as it is shown to
    /// people. See ``PointerPattern/base(of:)``.
    ///
    /// - Throws: `pattern.ways` if the addresses become far longer than the file.
    package mutating func writeBase(to output: inout ByteWriter) throws(Problem) {
        try spend(Self.stepSize * frames.count)
        let isClassName = lastMatch?.isClassName ?? false
        let count = frames.count { $0.hasVisited } + (isClassName ? 1 : 0) + (lastMatch?.level ?? 0)
        var left = count - pattern.tokensAfterLastWildcard
        if left <= 0 { output.write(JSONPointer.rootName) }
        for index in frames.indices where frames[index].hasVisited && left > 0 {
            writeStep(of: index, to: &output)
            left -= 1
        }
        if isClassName, left > 0 {
            output.write("/$class")
            left -= 1
        }
        for _ in 0..<max(left, 0) { output.write("/~^") }
    }

    private mutating func writeStep(of index: Int, to output: inout ByteWriter) {
        let frame = frames[index]
        guard let key = frame.view.item(frame.position, of: frame.contents).key else {
            output.write("/")
            return output.write(String(frame.position))
        }
        if frame.mayHaveDuplicateKeys == false, let bytes = frame.view.text(key)?.unescapedBytes {
            output.write("/")
            return output.write(Array(bytes))
        }
        var step = JSONPointer.root
        appendStep(of: index, to: &step)
        output.write(step.description)
    }

    /// Returns the slot of the match returned last if the search does not continue in it, see ``LeafSlot``; nil in a
    /// nested save.
    package mutating func leafSlot() throws(Problem) -> LeafSlot? {
        guard let lastMatch, lastMatch.level == 0, lastMatch.view === view, !view.mayShareContainers,
            let top = frames.indices.last, frames[top].hasVisited
        else { return nil }
        try spend(Self.stepSize * frames.count)
        return LeafSlot(container: frames[top].id, position: frames[top].position, value: lastMatch.id)
    }

    /// Returns the resolved address of the match returned last; nil in a nested save.
    package mutating func path() throws(Problem) -> ResolvedAddress? {
        guard let lastMatch, lastMatch.level == 0, lastMatch.view === view else { return nil }
        try spend(Self.stepSize * frames.count)
        return resolvedPath(toClassName: lastMatch.isClassName)
    }

    /// Returns the path of ``leafSlot()``.
    package func pathOfLeaf() -> ResolvedAddress { resolvedPath(toClassName: false) }

    private func resolvedPath(toClassName isClassName: Bool) -> ResolvedAddress {
        var containers: [ViewID] = []
        var positions: [Int] = []
        containers.reserveCapacity(frames.count)
        positions.reserveCapacity(frames.count)
        for frame in frames where frame.hasVisited || isClassName {
            containers.append(frame.id)
            if frame.hasVisited { positions.append(frame.position) }
        }
        guard !isClassName else {
            return ResolvedAddress(through: containers, at: positions, to: .className, in: view)
        }
        guard let last = positions.popLast() else { return ResolvedAddress(through: [], at: [], to: .root, in: view) }
        return ResolvedAddress(through: containers, at: positions, to: .slot(last), in: view)
    }

    // MARK: Going down

    /// Visits a value at positions in the pattern, and the roots of the saves nested in it.
    private mutating func arrive(
        at id: ViewID, in view: ObjectView, _ positions: PositionSet, of container: ViewID?
    ) throws(Problem) {
        var match = Match(view: view, id: id, container: container)
        var steps = PatternPositions(arrived: positions)
        while true {
            try spend(Self.slotSize)
            let container = match.view.container(match.id)
            let enteredContainer = container == nil ? nil : match.id
            var closed = PositionSet()
            addClosure(of: steps.arrived, at: enteredContainer, match.view, to: &closed)
            if closed.contains(pattern.segments.count) { found.insert(match, at: 0) }
            addClosure(of: steps.passing, at: enteredContainer, match.view, to: &closed)
            // A pattern with many `**` has many positions in deep values.
            let count = closed.count
            if count > 8 { try spend(count * count) }
            if let container { return try enter(match.id, container, in: match.view, at: closed) }
            guard let (save, next) = try save(in: match, steps, closed) else { return }
            steps = next
            let root = save.view.root
            match = Match(view: save.view, id: root, container: root, level: match.level + 1)
        }
    }

    /// The positions in the pattern that the search has reached at a value.
    private struct PatternPositions {
        /// The positions reached by the steps of the address, where the value itself may match.
        var arrived: PositionSet
        /// The positions carried over from the data that holds a nested save. At the root of the save, they only
        /// continue to its contents; the root itself does not match.
        var passing = PositionSet()

        var all: PositionSet {
            var all = arrived
            all.formUnion(passing)
            return all
        }
    }

    /// Returns the save nested in a value, and the positions at its root; nil if the value holds no save, or if no
    /// position leads into it.
    ///
    /// - Parameter closed: All positions at the value.
    private func save(
        in match: Match, _ steps: PatternPositions, _ closed: PositionSet
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

    private func entering(_ entering: some Sequence<Int>, passing: some Sequence<Int>) -> PatternPositions {
        func isInside(_ position: Int) -> Bool {
            position < pattern.segments.count && pattern.segments[position] == .nestedRoot
        }
        return PatternPositions(
            arrived: PositionSet(entering.filter(isInside).map { $0 + 1 }),
            passing: PositionSet(passing.filter { !isInside($0) }))
    }

    /// Adds positions, and the position after each `**`, which may match no token. Omits a `**` that has already
    /// entered the container.
    private mutating func addClosure(
        of positions: PositionSet, at id: ViewID?, _ view: ObjectView, to closed: inout PositionSet
    ) {
        for position in positions where !closed.contains(position) {
            let reached = pattern.closure(from: position)
            if reached.count > 1, let id, !enter(id, of: view, at: position) { continue }
            for position in reached { closed.insert(position) }
        }
    }

    /// Records that the `**` at a position enters a container. Returns false if it has entered the container before.
    private mutating func enter(_ id: ViewID, of view: ObjectView, at position: Int) -> Bool {
        let key = ObjectIdentifier(view)
        if enteredLast.view != key {
            if let last = enteredLast.view { entered[last] = enteredLast.containers }
            enteredLast = (key, entered.removeValue(forKey: key) ?? [])
        }
        while enteredLast.containers.count <= position { enteredLast.containers.append(nil) }
        guard let known = enteredLast.containers[position]?.contains(id.index) else {
            enteredLast.containers[position] = Bitmap(count: view.count)
            enteredLast.containers[position]?.insert(id.index)
            return true
        }
        if !known { enteredLast.containers[position]?.insert(id.index) }
        return !known
    }

    private mutating func enter(
        _ id: ViewID, _ value: ViewValue, in view: ObjectView, at positions: PositionSet
    ) throws(Problem) {
        var frame = Frame(id, value.contents, in: view)
        for position in positions where position < pattern.segments.count {
            switch pattern.segments[position] {
            case .one: frame.selectAll(at: position + 1)
            case .any: frame.selectAll(at: position)
            case .nestedRoot: continue
            case .literal(let token):
                let target = view.target(of: token, in: id, value)
                if value.variant.isKeyed, target != .className { try spend(Self.slotSize * value.contents.count) }
                switch target {
                case .slot(let slot): frame.select(slot, at: position + 1)
                // A class name has no slots.
                case .className where position + 1 == pattern.segments.count:
                    frame.className = view.value(at: .className, of: id)
                case .className, nil: continue
                }
            }
        }
        if frame.hasNext || frame.className != nil { frames.append(frame) }
    }

    private mutating func spend(_ count: Int) throws(Problem) {
        budget -= count
        guard budget < 0 else { return }
        throw Problem(
            "pattern.ways", "following the pattern through this file takes too many steps; use a more specific pattern")
    }
}

extension ObjectView {
    /// Whether a nested save may be searched in a value.
    ///
    /// - Parameter enters: Whether any save is searched, as in an address, not only one that all views open.
    fileprivate func mayEnterSave(in id: ViewID, any enters: Bool) -> Bool {
        guard nesting != nil, let object = scalarObject(id) else { return false }
        return enters ? object.kind == .data || object.kind.isString : document.mayHoldSave(object)
    }
}

extension PointerPattern.Segment {
    /// Whether the segment enters any nested save, as in an address. Wildcards enter only saves that all views open.
    var entersAnySave: Bool {
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
        lastWildcard == nil ? .root : address.prefix(address.tokens.count - tokensAfterLastWildcard)
    }

    /// The number of tokens of a matching address after those that the last wildcard matched.
    fileprivate var tokensAfterLastWildcard: Int {
        // An address has `~^` only at its end.
        let rest = segments[((lastWildcard ?? -1) + 1)...]
        let isInside = { (segment: Segment) in segment == .nestedRoot }
        return rest.count { !isInside($0) } + rest.reversed().prefix(while: isInside).count
    }
}
