package import KeyedArchives
package import SaveCodec
package import SaveOperations

/// An iterator over the contents of a view in display order. Rows are created one at a time, so printing needs no tree.
///
///     {"a": [1, 2], "b": [1, 2] shared}
///
///     value   root        dictionary, opened
///     value   key a       array, opened
///     value   element 0   1
///     value   element 1   2
///     end     array
///     value   key b       array, shown before at /a
///     end     dictionary
///
/// Iterative, and linear in the number of references unless shared containers are expanded at every reference. A
/// container that is open is never opened again, so cycles end.
package struct Outline {
    /// The parts of a view to show.
    package struct Scope: Sendable {
        /// The maximum number of nested containers to open, from the root; nil for no maximum.
        package var depth: Int?
        /// The maximum number of slots to show of each container; nil for no maximum.
        package var limit: Int?
        /// Whether to show only the first 12 elements of arrays and sets with more than 16 elements.
        package var shortensLists = false
        /// Whether to open a shared container at every reference instead of only at the first.
        var repeatsShared: Bool
        /// Whether to show an object as one line of text if that describes it completely, except at the start.
        var annotates: Bool
        /// Whether to sort the contents of dictionaries and objects by key, instead of using the stored order.
        package var sortsKeys = false
        /// The settings for opening nested saves; nil to show them as data.
        var nesting: NestedSaveOptions?
        /// Whether to open saves in OpenStep text and Base64, too.
        package var opensText = false

        /// Creates a scope, by default without limits.
        package init(
            depth: Int? = nil, limit: Int? = nil, repeatsShared: Bool = false, annotates: Bool = false,
            nesting: NestedSaveOptions? = nil
        ) {
            self.depth = depth
            self.limit = limit
            self.repeatsShared = repeatsShared
            self.annotates = annotates
            self.nesting = nesting
        }

        /// Whether the first occurrence of each container matters. Not if every container is opened at every reference.
        fileprivate func notesOccurrences(in view: ObjectView) -> Bool {
            !repeatsShared || view.archive != nil || depth != nil || annotates || nesting != nil
        }

        fileprivate func shown(_ container: ContainerKind, _ count: Int) -> Int {
            let isList = container == .array || container == .set
            let shown = shortensLists && isList && count > 16 ? 12 : count
            return min(shown, limit ?? count)
        }
    }

    /// The position of a value in its container.
    package enum Slot: Sendable {
        /// The value at the start of the outline.
        case start
        /// An element at a position.
        case element(Int)
        /// The value of the pair at a position, and its key.
        case entry(Int, key: ViewID)
    }

    /// A step of the outline.
    package enum Step {
        /// A value. If it is opened, its contents and their end follow.
        case value(Row)
        /// The number of slots of the innermost open container that are not shown.
        case more(Int)
        /// The end of the innermost open container.
        case end(ContainerKind)
    }

    /// A value and its presentation. Rows are copied often, so the contents of the value are looked up on demand.
    package struct Row {
        /// The view that contains the value and its key.
        package let level: OutlineLevel
        /// The identity of the value in the view.
        package let id: ViewID
        /// The position of the value in its container.
        package let slot: Slot
        /// Whether the value is the last one in its container.
        package let isLast: Bool
        /// The presentation of the value.
        package let presentation: Presentation

        package var value: ViewValue { level.view[id] }

        /// Whether contents and an end follow.
        package var isOpened: Bool {
            switch presentation {
            case .opened: true
            case .nested(let nested): nested.root.isContainer
            default: false
            }
        }
    }

    /// The presentation of a value.
    package enum Presentation: Sendable {
        /// A value that is not a container.
        case scalar
        /// A container whose contents follow.
        case opened(ContainerKind)
        /// A container that is deeper than the scope allows.
        case closed(ContainerKind)
        /// An object shown as a line of text.
        indirect case annotated(String)
        /// A container that has been opened before.
        case repeated
        /// A value with a nested save, whose contents follow if its root is a container. If the root is itself data
        /// with a nested save, this is the innermost save.
        case nested(OutlineLevel)
        /// A value that is not opened although it begins like a save: invalid data, or one that exceeds a limit.
        indirect case unreadable(Problem)
    }

    private struct Frame {
        let number: UInt32
        let id: ViewID
        let container: ContainerKind
        let contents: ViewContents
        let shown: Int
        /// The positions of the contents in display order; nil for the stored order.
        let order: [UInt32]?
        var next = 0

        /// The position of the slot shown last.
        var position: Int { position(next - 1) }

        func position(_ number: Int) -> Int {
            order.map { Int($0[number]) } ?? number
        }
    }

    /// An open view, and facts about its values.
    private struct LevelState {
        let level: OutlineLevel
        var firstOccurrences: FirstOccurrences
        /// 1 for each container that is open, by ``ViewID/index``. A property list has no cycles, so it needs no
        /// entries.
        private var open: SparseTable
        private let mayHaveCycles: Bool
        /// The values that begin like a save but cannot be opened, with the reasons.
        var unreadable: [ViewID: Problem] = [:]
        /// The texts that look like JSON but are not opened.
        var texts: Set<ViewID> = []
        /// The number of containers open around the view's root.
        let base: Int
        private lazy var keySets = RecentKeySets(level.view.document)
        /// The order of the contents with each recent key set.
        private lazy var orders = [[UInt32]?](repeating: nil, count: RecentKeySets.slotCount)

        init(_ level: OutlineLevel, base: Int) {
            self.level = level
            self.base = base
            firstOccurrences = FirstOccurrences(count: level.view.count)
            open = SparseTable(count: level.view.count)
            mayHaveCycles = level.view.archive != nil
        }

        /// Returns the positions of contents in the order of their keys.
        mutating func order(of contents: ViewContents) -> [UInt32]? {
            guard let keys = contents.keyHolder else { return level.view.order(of: contents) }
            let slot = keySets.slot(of: keys)
            // The fields of an object leave out `$class`, which a dictionary with the same keys contains.
            if !slot.isKnown || orders[slot.number]?.count != contents.count {
                orders[slot.number] = level.view.order(of: contents)
            }
            return orders[slot.number]
        }

        func isOpen(_ id: ViewID) -> Bool {
            mayHaveCycles && open[id.index] != 0
        }

        mutating func setOpen(_ id: ViewID, _ isOpen: Bool) {
            if mayHaveCycles { open[id.index] = isOpen ? 1 : 0 }
        }
    }

    /// The parts of the view to show.
    package internal(set) var scope: Scope
    private var start: ViewID
    private var startAddress: JSONPointer
    private var frames: [Frame] = []
    private var levels: [LevelState]
    private var hasStarted = false
    /// The number of bytes of nested saves that may still be read.
    private var nestedRoom: Int
    private let largestOpenSize: Int
    private let notesOccurrences: Bool

    /// Creates the outline of the value `start` at `address`; nil for the root.
    package init(
        of view: ObjectView, from start: ViewID? = nil, at address: JSONPointer = .root, scope: Scope = Scope()
    ) {
        self.init(of: OutlineLevel(view), from: start, at: address, scope: scope)
    }

    private init(of level: OutlineLevel, from start: ViewID?, at address: JSONPointer, scope: Scope) {
        let view = level.view
        self.scope = scope
        self.start = start ?? view.root
        startAddress = address
        levels = [LevelState(level, base: 0)]
        nestedRoom = scope.nesting?.totalSize(in: view) ?? 0
        largestOpenSize = scope.nesting?.openSize(in: view) ?? 0
        notesOccurrences = scope.notesOccurrences(in: view)
    }

    /// Begins the outline of another value of the view. For a property list, this takes much less time than a new
    /// outline.
    package mutating func restart(from start: ViewID, at address: JSONPointer) {
        guard let level = levels.first?.level else { return }
        if notesOccurrences || scope.nesting != nil {
            self = Outline(of: level, from: start, at: address, scope: scope)
            return
        }
        (self.start, startAddress, hasStarted) = (start, address, false)
        frames.removeAll(keepingCapacity: true)
    }

    /// The number of open containers.
    package var depth: Int { frames.count }

    /// The innermost open container; nil if none is open.
    package var container: ViewID? { frames.last?.id }

    /// Returns the container of the value in the last row; nil for the value at the start.
    package func container(around row: Row) -> ViewID? {
        row.isOpened ? frames.dropLast().last?.id : container
    }

    /// Returns the next step; nil at the end.
    package mutating func next() -> Step? {
        let top = frames.count - 1
        guard top >= 0 else {
            defer { hasStarted = true }
            return hasStarted ? nil : .value(row(start, .start, isLast: true))
        }
        if frames[top].next < frames[top].shown {
            frames[top].next += 1
            return .value(content(at: frames[top].next - 1, of: top))
        }
        if frames[top].next < frames[top].contents.count {
            frames[top].next = frames[top].contents.count
            return .more(frames[top].contents.count - frames[top].shown)
        }
        return .end(close())
    }

    /// Closes the innermost open container. Its remaining slots and its end are not shown.
    @discardableResult
    package mutating func close() -> ContainerKind {
        let frame = frames.removeLast()
        let level = levels.count - 1
        levels[level].setOpen(frame.id, false)
        if level > 0, levels[level].base == frames.count { levels.removeLast() }
        return frame.container
    }

    // MARK: Addresses

    /// Returns the address of the last row, cut off after about `longest` code units.
    ///
    /// - Precondition: ``next()`` has not been called since it returned the row.
    package func address(of row: Row, longest: Int = .max) -> JSONPointer {
        address(within: frames.count - (row.isOpened ? 1 : 0), longest: longest)
    }

    /// Returns the address of the innermost open container, cut off after about `longest` code units.
    package func containerAddress(longest: Int = .max) -> JSONPointer {
        address(within: frames.count - 1, longest: longest)
    }

    /// Returns the path to the first occurrence of a container in the innermost view: the address of the view, cut off
    /// after about `longest` code units, and at most `longest` steps from there.
    package func firstPath(of id: ViewID, longest: Int = .max) -> (start: JSONPointer, steps: [PathStep]) {
        guard let level = levels.last else { return (.root, []) }
        return (address(within: level.base, longest: longest), level.firstOccurrences.steps(to: id, most: longest))
    }

    /// Returns the address of the first occurrence of a container in the innermost view, cut off after about `longest`
    /// code units.
    package func firstAddress(of id: ViewID, longest: Int = .max) -> JSONPointer {
        guard let view = levels.last?.level.view else { return .root }
        var (address, steps) = firstPath(of: id, longest: longest)
        var room = longest
        for step in steps where room > 0 {
            view.append(step, longest: room, to: &address)
            room -= 1 + (address.tokens.last?.count ?? 0)
        }
        return address
    }

    /// Returns the address of the slot that the `count`th open container, counted from the outermost, has shown last.
    /// The address is cut off after about `longest` code units. For a count of zero, it is the address of the start.
    ///
    /// Computed on request, since a large key may be part of many addresses.
    private func address(within count: Int, longest: Int = .max) -> JSONPointer {
        var address = startAddress
        var room = longest
        var level = 0
        for (depth, frame) in frames.prefix(count).enumerated() where room > 0 {
            if level + 1 < levels.count, levels[level + 1].base == depth { level += 1 }
            let view = levels[level].level.view
            let position = frame.position
            let key = view.item(position, of: frame.contents).key
            view.append(PathStep(key: key, position: position), longest: room, to: &address)
            room -= 1 + (address.tokens.last?.count ?? 0)
        }
        return address
    }

    // MARK: Rows

    private mutating func content(at number: Int, of frame: Int) -> Row {
        let position = frames[frame].position(number)
        let item = levels[levels.count - 1].level.view.item(position, of: frames[frame].contents)
        let isLast = number + 1 == frames[frame].contents.count
        return row(item.id, item.key.map { .entry(position, key: $0) } ?? .element(position), isLast: isLast)
    }

    private mutating func row(_ id: ViewID, _ slot: Slot, isLast: Bool) -> Row {
        let level = levels[levels.count - 1].level
        return Row(level: level, id: id, slot: slot, isLast: isLast, presentation: show(id, slot, in: level))
    }

    /// Opens a value if it is a container that the scope allows to open.
    private mutating func show(_ id: ViewID, _ slot: Slot, in level: OutlineLevel) -> Presentation {
        let index = levels.count - 1
        let number = notesOccurrences ? levels[index].firstOccurrences.number(of: id) : nil
        if number != nil, !scope.repeatsShared || levels[index].isOpen(id) { return .repeated }
        guard let value = level.view.container(id), let container = ContainerKind(value.variant) else {
            return number == nil ? showScalar(id, slot, in: level) : .repeated
        }
        if scope.annotates, container == .object, !frames.isEmpty, let text = level.view.brief(id) {
            return .annotated(text)
        }
        if isDeep, value.contents.count > 0 { return .closed(container) }
        // An empty container is not recorded: it is shorter than a reference to its first occurrence.
        let origin = value.contents.count == 0 || !notesOccurrences ? 0 : number ?? note(id, slot)
        open(id, as: container, contents: value.contents, number: origin)
        return .opened(container)
    }

    /// Whether the number of open containers has reached the depth of the scope.
    private var isDeep: Bool { scope.depth.map { frames.count >= $0 } ?? false }

    /// Records the first occurrence of a container. Returns its number.
    private mutating func note(_ id: ViewID, _ slot: Slot) -> UInt32 {
        let index = levels.count - 1
        let container = frames.count == levels[index].base ? nil : frames.last?.number
        let step =
            switch slot {
            case .start: PathStep(key: nil, position: 0)
            case .element(let position): PathStep(key: nil, position: position)
            case .entry(let position, let key): PathStep(key: key, position: position)
            }
        return levels[index].firstOccurrences.insert(id, in: container, at: step)
    }

    private mutating func open(_ id: ViewID, as container: ContainerKind, contents: ViewContents, number: UInt32) {
        levels[levels.count - 1].setOpen(id, true)
        let order = scope.sortsKeys ? levels[levels.count - 1].order(of: contents) : nil
        frames.append(
            Frame(
                number: number, id: id, container: container, contents: contents,
                shown: scope.shown(container, contents.count), order: order))
    }

    // MARK: Nested saves

    /// Opens a value if it holds a nested save.
    private mutating func showScalar(_ id: ViewID, _ slot: Slot, in level: OutlineLevel) -> Presentation {
        guard let nesting = scope.nesting, !isDeep, scope.opensText || level.view.mayHoldSave(id) else {
            return .scalar
        }
        let index = levels.count - 1
        if let problem = levels[index].unreadable[id] { return .unreadable(problem) }
        if levels[index].texts.contains(id) { return .scalar }
        do throws(Problem) {
            guard var nested = try read(id, in: level, nesting), !isEmptyText(nested, in: id, of: level) else {
                if !scope.opensText { levels[index].texts.insert(id) }
                return .scalar
            }
            while let inner = try? read(nested.view.root, in: nested, nesting) { nested = inner }
            open(nested, in: id, slot: slot)
            return .nested(nested)
        } catch {
            levels[index].unreadable[id] = error
            return .unreadable(error)
        }
    }

    /// Whether a string holds an empty container, which shows less than the string.
    private func isEmptyText(_ nested: OutlineLevel, in id: ViewID, of level: OutlineLevel) -> Bool {
        nested.root.isContainer && nested.root.contents.count == 0 && level.view.text(id) != nil
    }

    /// Returns the view of the save in a value; nil if the value has no save, or if the save is nested too deeply.
    private mutating func read(
        _ id: ViewID, in level: OutlineLevel, _ nesting: NestedSaveOptions
    ) throws(Problem) -> OutlineLevel? {
        guard level.depth < nesting.levels, let kind = level.view.scalarObject(id)?.kind else { return nil }
        if scope.opensText {
            // A string remains a string, even if it begins like a save.
            let save =
                kind == .data ? try level.view.nestedSave(enteredAt: id) : try? level.view.nestedSave(enteredAt: id)
            return try save.map { (save) throws(Problem) in try open(save.view, save.bytes.count, in: level) }
        }
        guard let candidate = level.view.nestedSaveCandidate(id) else { return nil }
        let room = min(nestedRoom, largestOpenSize - level.openSize)
        guard candidate.bytes.count <= room else { throw .nestedTooLarge() }
        var left = room
        defer { nestedRoom -= room - left }
        guard let (view, size) = try nesting.open(candidate, room: &left) else { return nil }
        return try open(view, size, in: level)
    }

    /// Returns a level for the view of a nested save, and deducts the save's size in bytes from the budget.
    ///
    /// - Throws: A problem if the sizes of all nested saves exceed the limit.
    private mutating func open(_ view: ObjectView, _ size: Int, in level: OutlineLevel) throws(Problem) -> OutlineLevel
    {
        let openSize = size + level.openSize
        guard size <= nestedRoom, openSize <= largestOpenSize else { throw .nestedTooLarge() }
        nestedRoom -= size
        return OutlineLevel(view, depth: level.depth + 1, openSize: openSize)
    }

    private mutating func open(_ nested: OutlineLevel, in id: ViewID, slot: Slot) {
        _ = note(id, slot)
        guard nested.root.isContainer else { return }
        levels.append(LevelState(nested, base: frames.count))
        _ = show(nested.view.root, .start, in: nested)
    }
}

extension Outline.Scope {
    /// Returns the scope with the greatest depth at which the outline of a value has at most `rows` rows, but at least
    /// depth 3. Returns the scope unchanged if the whole outline fits.
    package func overview(of view: ObjectView, from start: ViewID, rows: Int) -> Outline.Scope {
        var scope = self
        var (fitting, tooDeep) = (3, max(rows, 4))
        while tooDeep - fitting > 1 {
            scope.depth = (fitting + tooDeep) / 2
            switch Self.size(Outline(of: view, from: start, scope: scope), upTo: rows) {
            case .complete: return self
            case .cutOff: fitting = (fitting + tooDeep) / 2
            case .tooLarge: tooDeep = (fitting + tooDeep) / 2
            }
        }
        scope.depth = fitting
        return scope
    }

    private enum Size {
        case complete
        /// The outline fits, but some containers are not opened.
        case cutOff
        case tooLarge
    }

    private static func size(_ outline: consuming Outline, upTo rows: Int) -> Size {
        var (shown, size) = (0, Size.complete)
        while let step = outline.next() {
            guard case .value(let row) = step else { continue }
            shown += 1
            if shown > rows { return .tooLarge }
            if case .closed = row.presentation { size = .cutOff }
        }
        return size
    }
}
