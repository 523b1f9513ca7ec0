/// The order of a document's objects in the table of a binary file, as one of the known writers arranges them (see
/// <doc:BinaryFormat>).
///
/// Core Foundation enters a scalar at its first visit, but a Boolean, UID or container at every visit. References
/// always point to the first entry, so most files by Apple software contain unreferenced entries.
struct ObjectOrder {
    /// The order in which objects are visited.
    enum Traversal: String, CaseIterable {
        /// Core Foundation: a dictionary, its keys, then its values with their contents, with an entry per visit.
        case coreFoundation = "cf"
        /// The same order, with one entry per object.
        case unique
        /// Depth first, with each key directly before its value and one entry per object.
        case interleaved
        /// Level by level, with one entry per object.
        case breadthFirst = "bfs"
        /// Level by level, with each key directly before its value and one entry per object.
        case breadthFirstInterleaved = "bfs-interleaved"
        /// Contents before their container, the root last, with one entry per object.
        case contentsFirst = "post"
    }

    private static let unnumbered = UInt32.max

    /// The objects in the order of the table. An object with several entries occurs several times.
    private(set) var entries: [ObjectID] = []
    /// The first position of each object of the document in `entries`.
    private var numbers: [UInt32]
    private let document: Document

    /// Creates Core Foundation's order or, if a container is shared, the same order with one entry per object.
    init(_ document: Document) {
        self = ObjectOrder(document, .coreFoundation) ?? ObjectOrder(everyObjectOnce: document)
    }

    /// Creates the order of a traversal.
    ///
    /// Returns nil for Core Foundation's traversal if a container is shared. The container would be written once per
    /// reference, so each level of sharing would double the file. No known file contains a shared container.
    init?(_ document: Document, _ traversal: Traversal) {
        self.init(empty: document)
        switch traversal {
        case .coreFoundation: guard enterAtEveryVisit() else { return nil }
        case .unique: enterDepthFirst(interleaved: false)
        case .interleaved: enterDepthFirst(interleaved: true)
        case .breadthFirst: enterBreadthFirst(interleaved: false)
        case .breadthFirstInterleaved: enterBreadthFirst(interleaved: true)
        case .contentsFirst: for id in document.contentsFirst { enter(id) }
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

    /// Returns the position of an object's first entry.
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
        // The objects that get an entry per visit. All other objects are skipped after their first visit.
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

    /// Returns the next reference on the path, or nil at the end. Removes finished containers from the path.
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
    /// Whether Core Foundation's writer enters an object with this marker only once.
    ///
    /// This holds for numbers, dates, data and strings, but not for null, Booleans, UIDs and containers.
    fileprivate static func isUniquedByCoreFoundation(_ marker: UInt8) -> Bool {
        marker >= integer && marker < uid
    }
}
