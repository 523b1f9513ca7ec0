package import KeyedArchives
import SaveCodec

/// Stable labels for the shared containers of a view. A label does not change when other containers are added or
/// removed:
///
///     Player {name: "Ada", health: 100}     #5d1c0a, from its class and its strings
///     Enemy {kind: "imp", health: 64}       #8e02f1-9b3d, also from its numbers, since there are several imps
///     Enemy {kind: "imp", health: 64}       #8e02f1-9b3d-2, the second such imp in the order of the keys
///
/// A UID, an address or a sequential number would change with every object inserted before it. Numbers are only used if
/// strings do not distinguish the objects, since numbers change from save to save.
package struct SharedLabels: Sendable {
    private var labels: [ViewID: String] = [:]

    /// Creates labels for the shared containers of a view, in one pass over it.
    package init(_ view: ObjectView) {
        var scope = Outline.Scope()
        scope.sortsKeys = true
        var outline = Outline(of: view, scope: scope)
        var opened: [ViewID] = []
        var shared: Set<ViewID> = []
        while let step = outline.next() {
            guard case .value(let row) = step else { continue }
            if row.isOpened { opened.append(row.id) }
            if case .repeated = row.presentation { shared.insert(row.id) }
        }
        name(opened.filter(shared.contains), in: view)
    }

    private mutating func name(_ objects: [ViewID], in view: ObjectView) {
        let hashes = objects.map { LabelHash(of: $0, in: view, isDetailed: false).value & 0xFF_FFFF }
        let namesakes = hashes.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        var counts: [String: Int] = [:]
        for (id, hash) in zip(objects, hashes) {
            var label = "#" + Self.digits(hash, 6)
            if namesakes[hash, default: 0] > 1 {
                label += "-" + Self.digits(LabelHash(of: id, in: view, isDetailed: true).value & 0xFFFF, 4)
            }
            let count = counts[label, default: 0] + 1
            counts[label] = count
            labels[id] = label + (count > 1 ? "-\(count)" : "")
        }
    }

    /// The label of a container; nil if it is not shared.
    package subscript(id: ViewID) -> String? { labels[id] }

    private static func digits(_ hash: UInt64, _ count: Int) -> String {
        Hexadecimal.text(hash, digits: count, uppercase: false)
    }
}

/// A hash of an object's own contents, the same in every run and on every machine (FNV-1a).
private struct LabelHash {
    private var hash = FNV1aHash()
    var value: UInt64 { hash.value }

    /// - Parameter isDetailed: Whether to include numbers, in addition to strings.
    init(of id: ViewID, in view: ObjectView, isDetailed: Bool) {
        let value = view[id]
        if let archive = view.archive, let position = value.classPosition { add(archive.classes[position].name) }
        let scalars = Self.scalars(of: value.contents, in: view)
        let strings = scalars.filter { if case .string = $0.node { true } else { false } }
        for (key, node) in isDetailed || strings.isEmpty ? scalars : strings {
            if let key { add(key) }
            add(node)
        }
    }

    /// Returns the first scalars of a container, in the order of their keys.
    private static func scalars(of contents: ViewContents, in view: ObjectView) -> [(key: StoredString?, node: Node)] {
        let order = view.order(of: contents)
        return (0..<min(contents.count, longest)).compactMap { number in
            let item = view.item(order.map { Int($0[number]) } ?? number, of: contents)
            return view.scalar(item.id).map { (item.key.flatMap(view.text), $0) }
        }
    }

    /// The number of slots to include. Further slots would not improve the label.
    private static let longest = 100

    private mutating func add(_ node: Node) {
        switch node {
        case .string(let text): add(text.prefix(1000))
        case .integer(let integer): add(String(integer.value).utf16)
        case .real32(let value): add(String(value.bitPattern).utf16)
        case .real64(let value), .date(let value): add(String(value.bitPattern).utf16)
        case .boolean(let value): add(value ? [1] : [0])
        case .data(let bytes): add(bytes.prefix(1000).lazy.map(UInt16.init))
        case .null, .uid, .array, .set, .dictionary: break
        }
    }

    private mutating func add(_ units: some Sequence<UInt16>) {
        for unit in units { hash.add(unit) }
        // A separator makes "ab", "c" and "a", "bc" differ.
        hash.add(0xFFFF)
    }
}
