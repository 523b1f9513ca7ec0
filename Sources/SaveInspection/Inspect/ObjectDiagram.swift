package import KeyedArchives
import SaveCodec

/// The contents of a diagram of a view: every container that the start reaches, and the number of references to each.
///
///     $top {root: Map}                 starts   root ─▶ Map
///     Map {name: "Swamp", list: […]}   nodes    Map, list, Player, Player
///
/// The search is breadth-first, so containers near the start come first. Each value is visited once.
package struct ObjectDiagram: Sendable {
    /// A start of the diagram: a root of the archive, or the value at an address.
    package struct Start: Sendable {
        /// The name of the root; nil for a value at an address.
        package let key: ViewID?
        /// The value at which the diagram starts.
        package let id: ViewID
    }

    package let view: ObjectView
    /// The largest number of elements to show for a collection; nil for all. All fields of objects are shown.
    let limit: Int?
    package let starts: [Start]
    /// The number of roots that are not shown.
    package let hiddenRootCount: Int
    /// The containers, nearest to the start first.
    package private(set) var nodes: [ViewID] = []

    /// The number of shown references to each container.
    private var references: [UInt32]
    private var containers: Bitmap
    private var scalars: Bitmap

    /// Creates the diagram of all values that `start` reaches.
    package init(_ view: ObjectView, from start: ViewID, limit: Int? = nil) {
        self.view = view
        self.limit = limit
        references = [UInt32](repeating: 0, count: view.count)
        containers = Bitmap(count: view.count)
        scalars = containers
        if view.archive != nil, start == view.root {
            let roots = view[start].contents
            let count = min(roots.count, limit ?? .max)
            starts = (0..<count).map { position in
                let item = view.item(position, of: roots)
                return Start(key: item.key, id: item.id)
            }
            hiddenRootCount = roots.count - count
            for root in starts { refer(to: root.id) }
        } else {
            starts = [Start(key: nil, id: start)]
            hiddenRootCount = 0
            meet(start)
        }
        visitAll()
    }

    /// Whether a value has a box of its own.
    package func isNode(_ id: ViewID) -> Bool {
        containers.contains(id.index)
    }

    /// Returns the number of shown references to a container. Roots of an archive count as references; a start at an
    /// address does not.
    package func references(to id: ViewID) -> Int {
        Int(references[id.index])
    }

    /// Returns the number of slots of a container to show.
    package func shownCount(of value: ViewValue) -> Int {
        guard let limit else { return value.contents.count }
        if case .object = value.variant { return value.contents.count }
        return min(limit, value.contents.count)
    }

    private mutating func visitAll() {
        var next = 0
        while next < nodes.count {
            let value = view[nodes[next]]
            next += 1
            for position in 0..<shownCount(of: value) {
                let item = view.item(position, of: value.contents)
                if let key = item.key { refer(to: key) }
                refer(to: item.id)
            }
        }
    }

    private mutating func refer(to id: ViewID) {
        meet(id)
        if isNode(id), references[id.index] < .max { references[id.index] += 1 }
    }

    private mutating func meet(_ id: ViewID) {
        guard !containers.contains(id.index), !scalars.contains(id.index) else { return }
        if view[id].isContainer {
            containers.insert(id.index)
            nodes.append(id)
        } else {
            scalars.insert(id.index)
        }
    }
}
