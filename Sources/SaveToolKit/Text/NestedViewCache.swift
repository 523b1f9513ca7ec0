import KeyedArchives
import SaveCodec
import SaveOperations

/// What keys and classes are shown as, each made once.
///
/// Kept for the layers that are open within each other: between any two nested files, rows of the one around them may
/// come, whose keys may be large and whose classes many.
struct NestedViewCache<Shown> {
    private var open: [(layer: NestedView, kept: [Int: Shown])] = []
    /// What was asked for last of the innermost layer, by the number up to a multiple of 64: records have few keys.
    private var recent = [(number: Int, shown: Shown)?](repeating: nil, count: 64)

    /// What the key or class with a number is shown as: what `make` returns the first time.
    mutating func shown(_ number: Int, of layer: NestedView, _ make: (ObjectView) -> Shown) -> Shown {
        if open.last?.layer !== layer { enter(layer) }
        if let recent = recent[number & 63], recent.number == number { return recent.shown }
        let last = open.count - 1
        let shown: Shown
        if let kept = open[last].kept[number] {
            shown = kept
        } else {
            shown = make(layer.view)
            open[last].kept[number] = shown
        }
        recent[number & 63] = (number, shown)
        return shown
    }

    /// Leaves the layers that are closed by now.
    private mutating func enter(_ layer: NestedView) {
        while let last = open.last?.layer, last !== layer, last.level >= layer.level { open.removeLast() }
        if open.last?.layer !== layer { open.append((layer, [:])) }
        recent = Array(repeating: nil, count: recent.count)
    }
}

/// The names of classes as JSON strings, each made once.
struct ClassStrings {
    private var strings = NestedViewCache<[UInt8]>()

    /// The name of a class, by position; `""` if there is none.
    mutating func string(_ position: Int?, in layer: NestedView) -> [UInt8] {
        strings.shown(position ?? -1, of: layer) { view in
            let name = position.flatMap { view.archive?.classes[$0].name }
            return JSONString.quoted(name.map(Array.init) ?? [])
        }
    }
}
