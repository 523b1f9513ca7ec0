package import KeyedArchives
import SaveCodec

/// What a picture of a view shows: every container that the start reaches, once, and how often each is referred to.
///
///     $top {root: Map}                 starts   root ─▶ Map
///     Map {name: "Swamp", list: […]}   nodes    Map, list, Player, Player
///
/// Found breadth first, so that what is near the start comes first. No value is looked at twice, however often it is
/// referred to.
package struct ObjectDiagram: Sendable {
    /// Where the picture starts: a root of the archive, or the value at an address.
    package struct Start: Sendable {
        /// The name of the root; nil for a value at an address.
        package let key: ViewID?
        /// The value.
        package let id: ViewID
    }

    /// The view.
    package let view: ObjectView
    /// How many elements of a collection are shown; nil for all. The fields of objects are all shown.
    let limit: Int?
    /// What the picture starts with.
    package let starts: [Start]
    /// How many more roots there are.
    package let hiddenStarts: Int
    /// The containers, those that are nearest to the start first.
    package private(set) var nodes: [ViewID] = []

    /// How often each container is referred to by what is shown.
    private var references: [UInt32]
    private var containers: Bitmap
    private var scalars: Bitmap

    /// Creates the picture of all that `start` reaches.
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
            hiddenStarts = roots.count - count
            for root in starts { refer(to: root.id) }
        } else {
            starts = [Start(key: nil, id: start)]
            hiddenStarts = 0
            meet(start)
        }
        visitAll()
    }

    /// Whether a value is shown as a box of its own.
    package func isNode(_ id: ViewID) -> Bool {
        containers.contains(id.index)
    }

    /// How often a container is referred to by what is shown; the start of the picture by the picture, which does not
    /// count.
    package func references(to id: ViewID) -> Int {
        Int(references[id.index])
    }

    /// How many contents of a container are shown.
    package func shownCount(of value: ViewValue) -> Int {
        guard let limit else { return value.contents.count }
        if case .object = value.form { return value.contents.count }
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
