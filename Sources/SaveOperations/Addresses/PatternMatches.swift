package import KeyedArchives
package import SaveCodec

/// All values that a pattern of addresses leads to, in the order in which they stand, one after the other.
///
///     /root/*/health     root ─root─▶ list ─*─▶ Player ─health─▶ 100     /root/0/health
///                                      └──*─▶ Player ─health─▶ 55       /root/1/health
///
/// At each value there is a set of positions in the pattern, as in a nondeterministic automaton (Thompson 1968). `*` leads
/// through everything that a container holds, shared or not; `**` looks into each container once, where it stands first,
/// so that cycles end. Data that holds a save is gone through like the root of that, which `~^` stands for; text and base64
/// only where a name, a position or `~^` is the next step, as an address leads in. Iterative.
package struct PatternMatches {
    /// A value that the pattern leads to.
    package struct Match {
        /// The view that it is part of.
        package let view: ObjectView
        /// Its identity there.
        package let id: ViewID
        /// Where it is stored: what is shared is the same slot at several addresses.
        let slot: Slot?
        /// In how many saves it is that are stored in the value at the address, each as the root of the one around it.
        fileprivate var level = 0
        /// Whether it is the name of a class.
        fileprivate var isClassName = false
    }

    /// A place in a container; none has the root.
    struct Slot: Hashable, Sendable {
        let view: ObjectIdentifier
        let container: ViewID
        /// The position; nil for the class, and for the root of a save in a value.
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
        /// Whether keys may stand in it twice, once asked for.
        var mayRepeatKeys: Bool?

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
    /// What the value that was come to last has to tell, the first at the end.
    private var found: [Match] = []
    /// The value that was told last.
    private var told: Match?
    /// The containers that each `**` has looked into, by its position in the pattern, of the view and of each save in it.
    private var done: [ObjectIdentifier: [Int: Bitmap]] = [:]
    private var repeatedKeys = RepeatedKeys()
    /// What the fields of values must be, or of what they stand in.
    private var conditions: ValueSearch?
    /// How many bytes may still be looked at, or kept for addresses. A small file can have more ways through it than
    /// anybody can wait for, and objects in one another have addresses that are far longer than the file.
    private var budget: Int

    /// What a slot that is looked at counts, and a step of an address that is made.
    private static let (slotSize, stepSize) = (16, 64)

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
        budget = view.document.mostRead
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
        told = found.popLast()
        return told
    }

    /// Where the value stands that was told last.
    ///
    /// - Throws: a problem if the addresses that were asked for are far longer than the file.
    package mutating func address() throws(Problem) -> JSONPointer {
        try spend(Self.stepSize * frames.count)
        var address = JSONPointer.root
        // Of the container that was told last nothing has been looked at.
        for index in frames.indices where frames[index].next > 0 { appendStep(of: index, to: &address) }
        if told?.isClassName ?? false { address.append(key: "$class".utf16) }
        for _ in 0..<(told?.level ?? 0) { address = address.enteredRoot }
        return address
    }

    private mutating func appendStep(of index: Int, to address: inout JSONPointer) {
        let frame = frames[index]
        let key = frame.view.item(frame.position, of: frame.contents).key
        if key != nil {
            let mayRepeatKeys =
                frame.mayRepeatKeys ?? repeatedKeys.mayOccur(in: frame.view[frame.id], of: frame.view)
            frames[index].mayRepeatKeys = mayRepeatKeys
            if mayRepeatKeys { return frame.view.append(slot: frame.position, of: frame.id, to: &address) }
        }
        frame.view.append(Outline.PathStep(key: key, position: frame.position), to: &address)
    }

    /// The way to the value that was told last; nil if it is in a save in a value of the view.
    package mutating func path() throws(Problem) -> ResolvedAddress? {
        guard let told, told.level == 0, told.view === view else { return nil }
        try spend(Self.stepSize * frames.count)
        var containers: [ViewID] = []
        var positions: [Int] = []
        containers.reserveCapacity(frames.count)
        positions.reserveCapacity(frames.count)
        for frame in frames where frame.next > 0 || told.isClassName {
            containers.append(frame.id)
            if frame.next > 0 { positions.append(frame.position) }
        }
        guard !told.isClassName else {
            return ResolvedAddress(through: containers, at: positions, to: .className, in: view)
        }
        guard let last = positions.popLast() else { return ResolvedAddress(through: [], at: [], to: .root, in: view) }
        return ResolvedAddress(through: containers, at: positions, to: .slot(last), in: view)
    }

    // MARK: Going down

    /// Comes to a value at positions in the pattern, and to the roots of the saves that are stored in it.
    private mutating func arrive(
        at id: ViewID, in view: ObjectView, _ positions: [Int], slot: Slot?
    ) throws(Problem) {
        var match = Match(view: view, id: id, slot: slot)
        var steps = EnteringSteps(arrived: positions)
        while true {
            try spend(Self.slotSize)
            let container = match.view.container(match.id)
            let place = container == nil ? nil : match.id
            var closed: [Int] = []
            addClosure(of: steps.arrived, at: place, match.view, to: &closed)
            if closed.contains(pattern.segments.count) { found.insert(match, at: 0) }
            addClosure(of: steps.passing, at: place, match.view, to: &closed)
            if let container { return try enter(match.id, container, in: match.view, at: closed) }
            guard let (save, next) = try save(in: match, steps, closed) else { return }
            steps = next
            let slot = Slot(view: ObjectIdentifier(save.view), container: save.view.root, position: nil)
            match = Match(view: save.view, id: save.view.root, slot: slot, level: match.level + 1)
        }
    }

    /// The positions in the pattern with which a value is come to.
    private struct EnteringSteps {
        /// Those that lead to the value itself.
        var arrived: [Int]
        /// Those that go on through the root of a save in a value, which they do not stand for.
        var passing: [Int] = []

        var all: [Int] { arrived + passing }
    }

    /// The save in a value, and the positions with which its root is come to; nil if there is none, or none leads into it.
    ///
    /// - Parameter closed: all positions at the value.
    private func save(
        in match: Match, _ steps: EnteringSteps, _ closed: [Int]
    ) throws(Problem) -> (NestedSave, EnteringSteps)? {
        func goesOn(_ position: Int) -> Bool { position < pattern.segments.count }
        func leadsIntoText(_ position: Int) -> Bool { goesOn(position) && pattern.segments[position].leadsIntoText }
        do throws(Problem) {
            if closed.contains(where: goesOn), let save = try match.view.nestedSave(in: match.id) {
                return (save, entering(closed, passing: steps.all.filter(goesOn)))
            }
            if steps.arrived.contains(where: leadsIntoText) || steps.passing.contains(where: leadsIntoText),
                let save = try match.view.nestedSave(enteredAt: match.id)
            {
                let leadingIn = steps.all.filter(leadsIntoText)
                return (save, entering(leadingIn, passing: leadingIn))
            }
            return nil
        } catch {
            // What cannot be read holds nothing; what is too much to read may.
            if error.id == Problem.nestedTooLarge().id { throw error }
            return nil
        }
    }

    private func entering(_ entering: [Int], passing: [Int]) -> EnteringSteps {
        func isInside(_ position: Int) -> Bool {
            position < pattern.segments.count && pattern.segments[position] == .inside
        }
        return EnteringSteps(
            arrived: entering.filter(isInside).map { $0 + 1 }, passing: passing.filter { !isInside($0) })
    }

    /// Adds positions, and those behind `**`, which may stand for nothing, but for those of one that was here before.
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
            case .inside: continue
            case .literal(let token):
                let target = view.target(of: token, in: id)
                if value.form.isKeyed, target != .className { try spend(Self.slotSize * value.contents.count) }
                switch target {
                case .slot(let slot): frame.slots[slot, default: []].append(position + 1)
                // Nothing is below the class.
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
        throw Problem("pattern.ways", "more ways lead through this file than the pattern can be followed on")
    }
}

extension PointerPattern.Segment {
    /// Whether it leads into text and base64 as in an address: wildcards go through data only.
    fileprivate var leadsIntoText: Bool {
        switch self {
        case .literal, .inside: true
        case .one, .any: false
        }
    }
}

extension PointerPattern {
    /// The beginning of an address that the pattern matches, up to what the last wildcard stands for; of one without
    /// wildcards the root.
    package func base(of address: JSONPointer) -> JSONPointer {
        guard let last = lastWildcard else { return .root }
        // An address has `~^` at its end only.
        let rest = segments[(last + 1)...]
        let isInside = { (segment: Segment) in segment == .inside }
        let steps = rest.count { !isInside($0) } + rest.reversed().prefix(while: isInside).count
        return address.prefix(address.tokens.count - steps)
    }
}
