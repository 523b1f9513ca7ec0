import KeyedArchives
import SaveCodec
import SaveInspection

/// A cache of the texts of keys and classes.
///
/// Each open view keeps its texts: more rows of an outer save may follow the rows of a nested save, and computing the
/// same texts again could take long.
struct NestedViewCache<Shown> {
    private var open: [(level: OutlineLevel, kept: [Int: Shown])] = []
    /// A faster cache before `open`: the latest results for the innermost view, indexed by the number modulo 64. It is
    /// small because records have few keys.
    private var recent = [(number: Int, shown: Shown)?](repeating: nil, count: 64)

    /// Returns the text of the key or class `number`, which `make` computes the first time.
    mutating func shown(_ number: Int, of level: OutlineLevel, _ make: (ObjectView) -> Shown) -> Shown {
        if open.last?.level !== level { enter(level) }
        if let recent = recent[number & 63], recent.number == number { return recent.shown }
        let last = open.count - 1
        let shown: Shown
        if let kept = open[last].kept[number] {
            shown = kept
        } else {
            shown = make(level.view)
            open[last].kept[number] = shown
        }
        recent[number & 63] = (number, shown)
        return shown
    }

    /// Discards the texts of views that are closed, and enters a view.
    private mutating func enter(_ level: OutlineLevel) {
        while let last = open.last?.level, last !== level, last.depth >= level.depth { open.removeLast() }
        if open.last?.level !== level { open.append((level, [:])) }
        recent = Array(repeating: nil, count: recent.count)
    }
}

/// A cache of class names as JSON strings.
struct ClassStrings {
    private var strings = NestedViewCache<[UInt8]>()

    /// Returns the name of the class at a position; `""` for nil.
    mutating func string(_ position: Int?, in level: OutlineLevel) -> [UInt8] {
        strings.shown(position ?? -1, of: level) { view in
            let name = position.flatMap { view.archive?.classes[$0].name }
            return JSONString.quoted(name.map(Array.init) ?? [])
        }
    }
}
