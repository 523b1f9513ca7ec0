import KeyedArchives
import SaveCodec
import SaveOperations

/// What keys and classes are shown as, each made once.
///
/// Kept for the layers that are open within each other: between any two nested files, rows of the one around them may
/// come, whose keys may be large and whose classes many.
struct NestedViewCache<Key: Hashable, Shown> {
    private var open: [(layer: NestedView, kept: [Key: Shown])] = []

    /// What a key is shown as: what `make` returns the first time.
    mutating func shown(_ key: Key, of layer: NestedView, _ make: (ObjectView) -> Shown) -> Shown {
        if open.last?.layer !== layer { enter(layer) }
        let last = open.count - 1
        if let shown = open[last].kept[key] { return shown }
        let shown = make(layer.view)
        open[last].kept[key] = shown
        return shown
    }

    /// Leaves the layers that are closed by now.
    private mutating func enter(_ layer: NestedView) {
        while let last = open.last?.layer, last !== layer, last.level >= layer.level { open.removeLast() }
        if open.last?.layer !== layer { open.append((layer, [:])) }
    }
}

/// The names of classes as JSON strings, each made once.
struct ClassStrings {
    private var strings = NestedViewCache<Int, [UInt8]>()

    /// The name of a class, by position; `""` if there is none.
    mutating func string(_ position: Int?, in layer: NestedView) -> [UInt8] {
        strings.shown(position ?? -1, of: layer) { view in
            let name = position.flatMap { view.archive?.classes[$0].name }
            return JSONString.quoted(name.map(Array.init) ?? [])
        }
    }
}
