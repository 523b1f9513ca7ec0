package import KeyedArchives
package import SaveCodec

/// The contents of a view in the order in which they are shown: step by step, so that nothing is built that is only
/// to be printed.
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
/// Iterative, and linear in the number of references unless shared containers are to be written out wherever they are
/// referred to. A container that is open at the moment is never opened again, so that cycles end.
package struct Outline {
    /// How much of a view is shown.
    package struct Scope: Sendable {
        /// How many containers are opened within each other; nil for all.
        package var depth: Int?
        /// How many contents of a container are shown; nil for all.
        package var limit: Int?
        /// Whether of arrays and sets of more than 16 elements the first 12 are shown.
        package var shortensLists = false
        /// Whether a container is opened wherever it is referred to, not only the first time.
        var repeatsShared: Bool
        /// Whether objects that can be told in one line are not opened, unless the outline starts with one.
        var annotates: Bool
        /// Whether the contents of dictionaries and objects come in the order of their keys, not as they are stored.
        package var sortsKeys = false
        /// How property lists in data are opened; nil if they are shown as data.
        var nesting: Nesting?
        /// Whether saves in text and Base64 are opened, too.
        package var opensText = false

        /// Creates a scope; what is not named is not limited.
        package init(
            depth: Int? = nil, limit: Int? = nil, repeatsShared: Bool = false, annotates: Bool = false,
            nesting: Nesting? = nil
        ) {
            self.depth = depth
            self.limit = limit
            self.repeatsShared = repeatsShared
            self.annotates = annotates
            self.nesting = nesting
        }

        fileprivate func shown(_ container: ContainerKind, _ count: Int) -> Int {
            let isList = container == .array || container == .set
            let shown = shortensLists && isList && count > 16 ? 12 : count
            return min(shown, limit ?? count)
        }
    }

    /// What a value is to the container that it stands in.
    package enum Label: Sendable {
        /// The value that the outline starts from.
        case start
        /// An element at a position.
        case element(Int)
        /// The value of the pair at a position, and its key.
        case entry(Int, key: ViewID)
    }

    /// What comes next.
    package enum Step {
        /// A value. The contents of one that is opened follow, and then its end.
        case value(Row)
        /// So many contents of the innermost open container are not shown.
        case more(Int)
        /// The end of the innermost open container.
        case end(ContainerKind)
    }

    /// A value and how it is shown: what it holds is looked up by those who need it, as rows are many and handed on often.
    package struct Row {
        /// What it and its key are part of.
        package let layer: NestedView
        /// Its identity there.
        package let id: ViewID
        /// What it is to its container.
        package let label: Label
        /// Whether nothing comes behind it in its container.
        package let isLast: Bool
        /// How it is shown.
        package let showing: Showing

        /// What it is and contains.
        package var value: ViewValue { layer.view[id] }

        /// Whether contents and an end follow.
        package var isOpened: Bool {
            switch showing {
            case .opened: true
            case .nested(let nested): nested.root.isContainer
            default: false
            }
        }
    }

    /// How a value is shown.
    package enum Showing: Sendable {
        /// A value that is no container.
        case scalar
        /// A container whose contents follow.
        case opened(ContainerKind)
        /// A container that stands deeper than the scope allows.
        case closed(ContainerKind)
        /// An object that is told by a line of text.
        indirect case annotated(String)
        /// A container that has been opened before.
        case repeated
        /// Data that is a property list, whose contents follow if its root is a container: of data that is the root of such
        /// data what that holds.
        case nested(NestedView)
        /// Data that looks like a property list and is none.
        indirect case unreadable(Problem)
    }

    private struct Frame {
        let number: UInt32
        let id: ViewID
        let container: ContainerKind
        let contents: ViewContents
        let shown: Int
        /// The positions of the contents in the order in which they are shown; nil for as they are stored.
        let order: [UInt32]?
        var next = 0

        /// The position of the content that was shown last.
        var position: Int { position(next - 1) }

        func position(_ number: Int) -> Int {
            order.map { Int($0[number]) } ?? number
        }
    }

    /// A view that is being shown, and what is known of its values.
    private struct Level {
        let layer: NestedView
        var origins: Origins
        /// Whether containers are open, by identity; of a property list, which has no cycles, nothing.
        private var open: [Bool]
        /// Data that is no property list although it looks like one.
        var unreadable: [ViewID: Problem] = [:]
        /// How many containers are open around its root.
        let base: Int
        /// For each number of pairs, up to a multiple of 16, the contents that were put in order last: those of records
        /// have the very same keys.
        private var ordered = [(contents: ViewContents, order: [UInt32]?)?](repeating: nil, count: 16)

        init(_ layer: NestedView, base: Int) {
            self.layer = layer
            self.base = base
            origins = Origins(count: layer.view.count)
            open = [Bool](repeating: false, count: layer.view.archive == nil ? 0 : layer.view.count)
        }

        /// The order of contents by their keys.
        mutating func order(of contents: ViewContents) -> [UInt32]? {
            let slot = contents.count & 15
            if let known = ordered[slot], layer.view.hasSameKeys(known.contents, contents) { return known.order }
            let order = layer.view.order(of: contents)
            ordered[slot] = (contents, order)
            return order
        }

        func isOpen(_ id: ViewID) -> Bool {
            !open.isEmpty && open[id.index]
        }

        mutating func setOpen(_ id: ViewID, _ isOpen: Bool) {
            if !open.isEmpty { open[id.index] = isOpen }
        }
    }

    /// How much is shown.
    package internal(set) var scope: Scope
    private let start: ViewID
    private let startAddress: JSONPointer
    private var frames: [Frame] = []
    private var levels: [Level]
    private var hasStarted = false
    /// How many more bytes of nested files are read.
    private var nestedRoom: Int
    private let largestOpenSize: Int

    /// Creates the outline of the value `start`, which stands at `address`; of the root if there is none.
    package init(
        of view: ObjectView, from start: ViewID? = nil, at address: JSONPointer = .root, scope: Scope = Scope()
    ) {
        self.scope = scope
        self.start = start ?? view.root
        startAddress = address
        levels = [Level(NestedView(view), base: 0)]
        nestedRoom = scope.nesting?.totalSize(in: view) ?? 0
        largestOpenSize = scope.nesting?.openSize(in: view) ?? 0
    }

    /// How many containers are open.
    package var depth: Int { frames.count }

    /// The innermost open container; nil if there is none.
    package var container: ViewID? { frames.last?.id }

    /// The container that the value of the last row stands in; nil for the value that the outline starts from.
    package func container(around row: Row) -> ViewID? {
        row.isOpened ? frames.dropLast().last?.id : container
    }

    /// The next step, or nil at the end.
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

    /// Closes the innermost open container, of which nothing more is shown, its end neither.
    @discardableResult
    package mutating func close() -> ContainerKind {
        let frame = frames.removeLast()
        let level = levels.count - 1
        levels[level].setOpen(frame.id, false)
        if level > 0, levels[level].base == frames.count { levels.removeLast() }
        return frame.container
    }

    // MARK: Addresses

    /// The address of the row that came last, as long as nothing else has been asked for.
    ///
    /// No more of it than about `longest` units.
    package func address(of row: Row, longest: Int = .max) -> JSONPointer {
        address(within: frames.count - (row.isOpened ? 1 : 0), longest: longest)
    }

    /// The address of the innermost open container; no more of it than about `longest` units.
    package func containerAddress(longest: Int = .max) -> JSONPointer {
        address(within: frames.count - 1, longest: longest)
    }

    /// A step of an address: from a container to the content at a position, which has a key in a dictionary.
    package struct PathStep: Sendable {
        /// The key.
        package let key: ViewID?
        /// The position.
        package let position: Int

        /// Creates a step.
        package init(key: ViewID?, position: Int) {
            self.key = key
            self.position = position
        }
    }

    /// The way to where a container of the innermost view was opened first: where the view stands, of which no more is
    /// told than about `longest` units, and no more than so many steps from there.
    package func firstPath(of id: ViewID, longest: Int = .max) -> (start: JSONPointer, steps: [PathStep]) {
        guard let level = levels.last else { return (.root, []) }
        return (address(within: level.base, longest: longest), level.origins.steps(to: id, most: longest))
    }

    /// The address at which a container of the innermost view was opened first; no more of it than about `longest`
    /// units.
    package func firstAddress(of id: ViewID, longest: Int = .max) -> JSONPointer {
        guard let view = levels.last?.layer.view else { return .root }
        var (address, steps) = firstPath(of: id, longest: longest)
        var room = longest
        for step in steps where room > 0 {
            view.append(step, longest: room, to: &address)
            room -= 1 + (address.tokens.last?.count ?? 0)
        }
        return address
    }

    /// The address of what was last shown within so many open containers; no more of it than about `longest` units.
    ///
    /// Made when it is asked for: a large key may stand above any number of nested files.
    private func address(within count: Int, longest: Int = .max) -> JSONPointer {
        var address = startAddress
        var room = longest
        var level = 0
        for (depth, frame) in frames.prefix(count).enumerated() where room > 0 {
            if level + 1 < levels.count, levels[level + 1].base == depth { level += 1 }
            let view = levels[level].layer.view
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
        let item = levels[levels.count - 1].layer.view.item(position, of: frames[frame].contents)
        let isLast = number + 1 == frames[frame].contents.count
        return row(item.id, item.key.map { .entry(position, key: $0) } ?? .element(position), isLast: isLast)
    }

    private mutating func row(_ id: ViewID, _ label: Label, isLast: Bool) -> Row {
        let layer = levels[levels.count - 1].layer
        return Row(layer: layer, id: id, label: label, isLast: isLast, showing: show(id, label, in: layer))
    }

    /// Opens a value if it is a container that is to be opened here.
    private mutating func show(_ id: ViewID, _ label: Label, in layer: NestedView) -> Showing {
        let level = levels.count - 1
        let number = levels[level].origins.number(of: id)
        if number != nil, !scope.repeatsShared || levels[level].isOpen(id) { return .repeated }
        guard let value = layer.view.container(id), let container = ContainerKind(value.form) else {
            return number == nil ? showScalar(id, label, in: layer) : .repeated
        }
        if scope.annotates, container == .object, !frames.isEmpty, let text = layer.view.brief(id) {
            return .annotated(text)
        }
        if isDeep, value.contents.count > 0 { return .closed(container) }
        // An empty container is not noted: it is shown sooner than where it was before.
        let origin = value.contents.count == 0 ? 0 : number ?? note(id, label)
        open(id, as: container, contents: value.contents, number: origin)
        return .opened(container)
    }

    /// Whether as many containers are open as the scope allows.
    private var isDeep: Bool { scope.depth.map { frames.count >= $0 } ?? false }

    /// Notes that a container is opened for the first time; returns its number.
    private mutating func note(_ id: ViewID, _ label: Label) -> UInt32 {
        let level = levels.count - 1
        let container = frames.count == levels[level].base ? nil : frames.last?.number
        let step =
            switch label {
            case .start: PathStep(key: nil, position: 0)
            case .element(let position): PathStep(key: nil, position: position)
            case .entry(let position, let key): PathStep(key: key, position: position)
            }
        return levels[level].origins.insert(id, in: container, at: step)
    }

    private mutating func open(_ id: ViewID, as container: ContainerKind, contents: ViewContents, number: UInt32) {
        levels[levels.count - 1].setOpen(id, true)
        let order = scope.sortsKeys ? levels[levels.count - 1].order(of: contents) : nil
        frames.append(
            Frame(
                number: number, id: id, container: container, contents: contents,
                shown: scope.shown(container, contents.count), order: order))
    }

    // MARK: Data

    /// Opens a value if it is data that is a property list.
    private mutating func showScalar(_ id: ViewID, _ label: Label, in layer: NestedView) -> Showing {
        guard let nesting = scope.nesting, !isDeep else { return .scalar }
        let level = levels.count - 1
        if let problem = levels[level].unreadable[id] { return .unreadable(problem) }
        do throws(Problem) {
            guard var nested = try read(id, in: layer, nesting) else { return .scalar }
            while let inner = try? read(nested.view.root, in: nested, nesting) { nested = inner }
            open(nested, in: id, label: label)
            return .nested(nested)
        } catch {
            levels[level].unreadable[id] = error
            return .unreadable(error)
        }
    }

    /// The property list in a value of a view; nil if that is none, or too deep.
    private mutating func read(
        _ id: ViewID, in layer: NestedView, _ nesting: Nesting
    ) throws(Problem) -> NestedView? {
        guard layer.level < nesting.levels, let kind = layer.view.scalarObject(id)?.kind else { return nil }
        if scope.opensText {
            // A string is a string, even if it begins like a save.
            let save =
                kind == .data ? try layer.view.nestedSave(enteredAt: id) : try? layer.view.nestedSave(enteredAt: id)
            return try save.map { (save) throws(Problem) in try open(save.view, save.bytes.count, in: layer) }
        }
        guard kind == .data, case .data(let bytes) = layer.view.scalar(id) else { return nil }
        guard bytes.count <= nestedRoom, bytes.count + layer.openSize <= largestOpenSize else {
            throw .nestedTooLarge()
        }
        guard let view = try nesting.open(bytes) else { return nil }
        return try open(view, bytes.count, in: layer)
    }

    /// The view of a save of so many bytes, if there is room for it.
    private mutating func open(_ view: ObjectView, _ size: Int, in layer: NestedView) throws(Problem) -> NestedView {
        let openSize = size + layer.openSize
        guard size <= nestedRoom, openSize <= largestOpenSize else { throw .nestedTooLarge() }
        nestedRoom -= size
        return NestedView(view, level: layer.level + 1, openSize: openSize)
    }

    private mutating func open(_ nested: NestedView, in id: ViewID, label: Label) {
        _ = note(id, label)
        guard nested.root.isContainer else { return }
        levels.append(Level(nested, base: frames.count))
        _ = show(nested.view.root, .start, in: nested)
    }
}
