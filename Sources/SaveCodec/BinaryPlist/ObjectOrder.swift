/// Which object of a document comes where in the table of a binary file, as one of the known writers would have it
/// (see <doc:BinaryFormat>).
///
/// Core Foundation enters a scalar when it first meets it, but a boolean, UID or container at every visit; references
/// always point at the first entry. Most files by Apple software therefore end with entries that nothing refers to.
struct ObjectOrder {
    /// In what order objects are met.
    enum Traversal: String, CaseIterable {
        /// Core Foundation: a dictionary, its keys, its values with all that is in them; entries at every visit.
        case coreFoundation = "cf"
        /// The same order, every object entered once.
        case unique
        /// Every object once; a key right before its value.
        case interleaved
        /// Every object once; level by level.
        case breadthFirst = "bfs"
        /// Every object once; level by level, a key right before its value.
        case breadthFirstInterleaved = "bfs-interleaved"
        /// Every object once; contents before their container, the root last.
        case contentsFirst = "post"
    }

    private static let unnumbered = UInt32.max

    /// The objects in the order of the table. An object stands here again for each later visit.
    private(set) var entries: [ObjectID] = []
    /// For every object of the document, its first position in `entries`.
    private var numbers: [UInt32]
    private let document: Document

    /// Core Foundation's order, or, if a container is shared, the same order with every object once.
    init(_ document: Document) {
        self = ObjectOrder(document, .coreFoundation) ?? ObjectOrder(everyObjectOnce: document)
    }

    /// The order of a traversal, or nil if Core Foundation would write a shared container again and again: no file is
    /// known that has one, and each level of them would double the file.
    init?(_ document: Document, _ traversal: Traversal) {
        self.init(empty: document)
        switch traversal {
        case .coreFoundation: guard enterAtEveryVisit() else { return nil }
        case .unique: enterDepthFirst(interleaved: false)
        case .interleaved: enterDepthFirst(interleaved: true)
        case .breadthFirst: enterBreadthFirst(interleaved: false)
        case .breadthFirstInterleaved: enterBreadthFirst(interleaved: true)
        case .contentsFirst: enterContentsFirst()
        }
    }

    private init(everyObjectOnce document: Document) {
        self.init(empty: document)
        enterDepthFirst(interleaved: false)
    }

    private init(empty document: Document) {
        self.document = document
        numbers = [UInt32](repeating: Self.unnumbered, count: document.count)
        entries.reserveCapacity(document.count)
    }

    /// The position of an object's first entry.
    func number(of id: ObjectID) -> Int {
        Int(numbers[id.index])
    }

    // MARK: Traversals

    private struct Frame {
        let container: StoredObject
        let id: ObjectID
        var next = 0
    }

    private mutating func enterAtEveryVisit() -> Bool {
        // What is entered again, so that of all else that comes again nothing needs to be looked at.
        var repeating = Bitmap(count: document.count)
        var path: [Frame] = []
        var frame = Frame(container: document.object(document.root), id: document.root)
        enter(frame.id)
        while true {
            while frame.next < frame.container.referenceCount {
                let id = document.reference(frame.next, of: frame.container)
                frame.next += 1
                let isKnown = isEntered(id)
                if isKnown, !repeating.contains(id.index) { continue }
                let marker = document.marker(of: id)
                enter(id)
                if ObjectMarker.isUniquedByCoreFoundation(marker) { continue }
                repeating.insert(id.index)
                if marker >= ObjectMarker.array {
                    guard !isKnown else { return false }
                    path.append(frame)
                    frame = Frame(container: document.object(id), id: id)
                }
            }
            guard let outer = path.popLast() else { return true }
            frame = outer
        }
    }

    private mutating func enterDepthFirst(interleaved: Bool) {
        var path: [Frame] = []
        var next: ObjectID? = document.root
        repeat {
            if let id = next, !isEntered(id) {
                enter(id)
                let object = document.object(id)
                if object.kind.isContainer { path.append(Frame(container: object, id: id)) }
            }
            next = advance(&path, interleaved)
        } while next != nil
    }

    private mutating func enterContentsFirst() {
        var opened = Bitmap(count: document.count)
        var path: [Frame] = []
        var next: ObjectID? = document.root
        while true {
            if let id = next, !isEntered(id), !opened.contains(id.index) {
                let object = document.object(id)
                if object.kind.isContainer {
                    opened.insert(id.index)
                    path.append(Frame(container: object, id: id))
                } else {
                    enter(id)
                }
            }
            guard let frame = path.last else { return }
            if frame.next == frame.container.referenceCount {
                path.removeLast()
                enter(frame.id)
                next = nil
            } else {
                path[path.count - 1].next += 1
                next = document.reference(frame.next, of: frame.container)
            }
        }
    }

    private mutating func enterBreadthFirst(interleaved: Bool) {
        enter(document.root)
        var position = 0
        while position < entries.count {
            let container = document.object(entries[position])
            for step in 0..<container.referenceCount {
                let id = document.reference(Self.step(step, of: container, interleaved), of: container)
                if !isEntered(id) { enter(id) }
            }
            position += 1
        }
    }

    /// The next reference on the path, or nil when all has been followed. Containers that are done leave the path.
    private func advance(_ path: inout [Frame], _ interleaved: Bool) -> ObjectID? {
        while let frame = path.last {
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                return document.reference(Self.step(frame.next, of: frame.container, interleaved), of: frame.container)
            }
            path.removeLast()
        }
        return nil
    }

    private static func step(_ position: Int, of container: StoredObject, _ interleaved: Bool) -> Int {
        guard interleaved, container.kind == .dictionary else { return position }
        return position % 2 == 0 ? position / 2 : container.count + position / 2
    }

    private mutating func enter(_ id: ObjectID) {
        if numbers[id.index] == Self.unnumbered { numbers[id.index] = UInt32(truncatingIfNeeded: entries.count) }
        entries.append(id)
    }

    private func isEntered(_ id: ObjectID) -> Bool {
        numbers[id.index] != Self.unnumbered
    }
}

extension ObjectMarker {
    /// Whether Core Foundation's writer enters an object with this marker only once: a number, a date, data or a string,
    /// and no null, boolean, UID or container.
    fileprivate static func isUniquedByCoreFoundation(_ marker: UInt8) -> Bool {
        marker >= integer && marker < uid
    }
}
