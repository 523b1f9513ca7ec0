import KeyedArchives
import SaveCodec
@testable import SaveOperations

/// The graph of a view as simple values, to which the edits of a comparison are applied as documented.
struct EditedGraph {
    /// A value: a scalar as text, or the number of a container.
    enum Value: Hashable {
        case scalar(String)
        case container(Int)
    }

    struct Container {
        var form: String
        var className: String
        var hasIdentity: Bool
        var keys: [String] = []
        var values: [Value] = []
    }

    private(set) var containers: [Int: Container] = [:]
    private(set) var root: Value

    /// The offset of container numbers that come from the view after the change; other containers are numbered by their
    /// index.
    private static let imported = 1 << 32

    init(_ view: ObjectView) {
        root = Self.value(view.root, view) { $0.index }
        add(from: view.root, of: view) { $0.index }
    }

    /// Adds unknown containers and everything that they refer to.
    private mutating func add(from start: ViewID, of view: ObjectView, number: (ViewID) -> Int) {
        var pending = [start]
        var seen: Set<ViewID> = []
        while let id = pending.popLast() {
            let value = view[id]
            guard value.isContainer, seen.insert(id).inserted else { continue }
            let name = value.classPosition.flatMap { view.archive?.classes[$0].name.string } ?? ""
            var container = Container(form: "\(value.variant)", className: name, hasIdentity: view.uid(id) != nil)
            for position in 0..<value.contents.count {
                let item = view.item(position, of: value.contents)
                if let key = item.key { container.keys.append(DiffText.value(key, in: view)) }
                container.values.append(Self.value(item.id, view, number))
                pending.append(item.id)
            }
            if containers[number(id)] == nil { containers[number(id)] = container }
        }
    }

    private static func value(_ id: ViewID, _ view: ObjectView, _ number: (ViewID) -> Int) -> Value {
        let value = view[id]
        guard case .scalar = value.variant else { return .container(number(id)) }
        let name = value.classPosition.flatMap { view.archive?.classes[$0].name.string } ?? ""
        let type = view.scalar(id).map { "\($0.kind)" } ?? ""
        return .scalar("\(type) \(name) \(view.uid(id) != nil) \(DiffText.value(id, in: view))")
    }

    // MARK: Edits

    mutating func apply(_ difference: Difference) {
        let after = difference.after
        func number(_ id: ViewID) -> Int {
            difference.partner(ofAfter: id).map { difference.pairs[$0].before.index } ?? Self.imported + id.index
        }
        guard !difference.pairs.isEmpty else {
            guard !difference.isEmpty else { return }
            add(from: after.root, of: after, number: number)
            root = Self.value(after.root, after, number)
            return
        }
        // New containers are never edited.
        add(from: after.root, of: after, number: number)
        let original = containers
        for edit in difference.edits {
            let pair = difference.pairs[edit.pair]
            guard let container = original[pair.before.index] else { continue }
            containers[pair.before.index] = Self.apply(edit.edits, to: container, pair, after, number)
        }
    }

    private static func apply(
        _ edits: [SlotEdit], to container: Container, _ pair: MatchedPair, _ after: ObjectView,
        _ number: (ViewID) -> Int
    ) -> Container {
        var result = container
        let value = after[pair.after]
        var gone: Set<Int> = []
        var coming: [Int: (key: String?, value: Value)] = [:]
        for edit in edits {
            switch edit {
            case .set(let old, let new):
                result.values[old] = Self.value(after.item(new, of: value.contents).id, after, number)
            case .setClass:
                result.className = value.classPosition.flatMap { after.archive?.classes[$0].name.string } ?? ""
            case .remove(let old): gone.insert(old)
            case .insert(let new):
                let item = after.item(new, of: value.contents)
                coming[new] = (item.key.map { DiffText.value($0, in: after) }, Self.value(item.id, after, number))
            case .move: break
            }
        }
        for case .move(let old, let new) in edits {
            gone.insert(old)
            coming[new] = (nil, result.values[old])
        }
        let left = result.values.indices.filter { !gone.contains($0) }
        let (keys, values) = (
            left.filter { $0 < result.keys.count }.map { result.keys[$0] }, left.map { result.values[$0] }
        )
        (result.keys, result.values) = (keys, values)
        for (position, slot) in coming.sorted(by: { $0.key < $1.key }) {
            if container.form == "array" {
                result.values.insert(slot.value, at: position)
            } else {
                result.values.append(slot.value)
                if let key = slot.key { result.keys.append(key) }
            }
        }
        return result
    }

    // MARK: Comparing

    /// Whether two graphs are equal except for numbers and key order. Sharing matters where objects have an identity.
    func isIsomorphic(to other: EditedGraph) -> Bool {
        var forth: [Int: Int] = [:]
        var back: [Int: Int] = [:]
        var pending = [(root, other.root)]
        while let (a, b) = pending.popLast() {
            guard case (.container(let x), .container(let y)) = (a, b) else {
                if a != b { return false }
                continue
            }
            guard let first = containers[x], let second = other.containers[y] else { return false }
            if first.hasIdentity, forth[x] != nil || back[y] != nil {
                guard forth[x] == y, back[y] == x else { return false }
                continue
            }
            (forth[x], back[y]) = (y, x)
            guard first.form == second.form, first.className == second.className,
                first.values.count == second.values.count, first.keys.count == second.keys.count
            else { return false }
            let places = Dictionary(zip(second.keys, second.values), uniquingKeysWith: { first, _ in first })
            for (index, value) in first.values.enumerated() {
                guard !first.keys.isEmpty else {
                    pending.append((value, second.values[index]))
                    continue
                }
                guard let partner = places[first.keys[index]] else { return false }
                pending.append((value, partner))
            }
        }
        return true
    }
}
