@testable import KeyedArchives
import SaveCodec
import TestSupport

/// An editable graph of objects, arrays and dictionaries. It becomes an archive or, if it is a tree, a property list.
struct RandomGraph {
    enum Value {
        case integer(Int)
        case string(String)
        case node(Int)
    }

    struct Node {
        enum Kind { case array, dictionary, object }
        var kind: Kind
        var className = 0
        var keys: [String] = []
        var values: [Value] = []
    }

    var nodes: [Node] = []
    let isArchive: Bool
    private var names = 0

    init(_ dice: inout SeededGenerator, isArchive: Bool) {
        self.isArchive = isArchive
        nodes = [Node(kind: .dictionary)]
        for key in 0...dice.roll(3) { add("root\(key)", subtree(&dice, depth: 1), to: 0) }
        guard isArchive else { return }
        for _ in 0..<dice.roll(5) { _ = retarget(&dice) }
    }

    private mutating func add(_ key: String, _ value: Value, to node: Int) {
        if nodes[node].kind != .array { nodes[node].keys.append(key) }
        nodes[node].values.append(value)
    }

    /// Returns a new value that equals no other.
    private mutating func subtree(_ dice: inout SeededGenerator, depth: Int) -> Value {
        guard depth < 5, dice.roll(3) > 0 else { return scalar(&dice) }
        let kinds: [Node.Kind] = isArchive ? [.array, .dictionary, .object, .object] : [.array, .dictionary]
        let kind = kinds[dice.roll(kinds.count)]
        let number = nodes.count
        nodes.append(Node(kind: kind, className: dice.roll(3)))
        for index in 0..<dice.roll(6) {
            let value = subtree(&dice, depth: depth + 1)
            add(fresh("k\(index)"), value, to: number)
        }
        return .node(number)
    }

    private mutating func fresh(_ prefix: String) -> String {
        names += 1
        return "\(prefix)-\(names)"
    }

    private mutating func scalar(_ dice: inout SeededGenerator) -> Value {
        names += 1
        return dice.roll(2) == 0 ? .integer(names) : .string("s\(names)")
    }

    // MARK: Edits

    /// The nodes that the root reaches.
    var reachable: [Int] {
        var found = [0]
        var seen: Set<Int> = [0]
        var next = 0
        while next < found.count {
            for case .node(let node) in nodes[found[next]].values where seen.insert(node).inserted {
                found.append(node)
            }
            next += 1
        }
        return found
    }

    /// Edits the graph once.
    ///
    /// - Returns: Whether there was anything to edit.
    mutating func edit(_ dice: inout SeededGenerator) -> Bool {
        let reachable = reachable
        let node = reachable[dice.roll(reachable.count)]
        let count = nodes[node].values.count
        let isArray = nodes[node].kind == .array
        switch dice.roll(isArchive ? 9 : 7) {
        case 0, 1:
            let scalars = nodes[node].values.indices.filter {
                if case .node = nodes[node].values[$0] { false } else { true }
            }
            guard !scalars.isEmpty else { return false }
            nodes[node].values[scalars[dice.roll(scalars.count)]] = scalar(&dice)
        case 2:
            let value = subtree(&dice, depth: 3)
            if isArray {
                nodes[node].values.insert(value, at: dice.roll(count + 1))
            } else {
                add(fresh("new"), value, to: node)
            }
        case 3:
            guard count > 0 else { return false }
            let position = dice.roll(count)
            nodes[node].values.remove(at: position)
            if !isArray { nodes[node].keys.remove(at: position) }
        case 4:
            guard isArray, count > 1 else { return false }
            let value = nodes[node].values.remove(at: dice.roll(count))
            nodes[node].values.insert(value, at: dice.roll(count))
        case 5:
            guard count > 0 else { return false }
            nodes[node].values[dice.roll(count)] = subtree(&dice, depth: 2)
        case 6:
            guard !isArray, count > 1 else { return false }
            // Reordering keys does not count as an edit.
            let position = dice.roll(count)
            nodes[node].keys.append(nodes[node].keys.remove(at: position))
            nodes[node].values.append(nodes[node].values.remove(at: position))
            return false
        case 7:
            guard nodes[node].kind == .object else { return false }
            nodes[node].className = (nodes[node].className + 1) % 3
        default: return retarget(&dice)
        }
        return true
    }

    /// Makes a random slot refer to another node.
    private mutating func retarget(_ dice: inout SeededGenerator) -> Bool {
        let reachable = reachable
        let node = reachable[dice.roll(reachable.count)]
        guard !nodes[node].values.isEmpty, reachable.count > 1 else { return false }
        let target = reachable[1 + dice.roll(reachable.count - 1)]
        nodes[node].values[dice.roll(nodes[node].values.count)] = .node(target)
        return true
    }

    // MARK: Building

    func view() throws -> ObjectView {
        isArchive ? ObjectView(try KeyedArchive(archive())) : ObjectView(try document())
    }

    private func document() throws -> Document {
        var builder = DocumentBuilder()
        add(.node(0), to: &builder)
        return try builder.finish()
    }

    private func add(_ value: Value, to builder: inout DocumentBuilder) {
        switch value {
        case .integer(let number): builder.add(integer: Int128(number))
        case .string(let string): builder.add(string: string)
        case .node(let number):
            let node = nodes[number]
            builder.open(node.kind == .array ? .array : .dictionary)
            for (index, value) in node.values.enumerated() {
                if node.kind != .array { builder.add(string: node.keys[index]) }
                add(value, to: &builder)
            }
            builder.close()
        }
    }

    private func archive() throws -> Document {
        var archive = KeyedArchiveBuilder()
        let classes = ["A", "B", "C"].map { archive.addClass($0, chain: [$0, "NSObject"]) }
        let array = archive.addClass("NSArray", chain: ["NSArray", "NSObject"])
        let dictionary = archive.addClass("NSDictionary", chain: ["NSDictionary", "NSObject"])
        let numbers = reachable
        let uids = Dictionary(uniqueKeysWithValues: numbers.map { ($0, archive.reserve()) })
        for number in numbers {
            let node = nodes[number]
            guard let uid = uids[number] else { continue }
            var references: [UID] = []
            for value in node.values { references.append(reference(value, uids, &archive)) }
            let keys = node.keys.map { archive.add(string: $0) }
            switch node.kind {
            case .array:
                archive.begin(uid, of: array)
                list("NS.objects", references, &archive)
            case .dictionary:
                archive.begin(uid, of: dictionary)
                list("NS.keys", keys, &archive)
                list("NS.objects", references, &archive)
            case .object:
                archive.begin(uid, of: classes[node.className])
                for (index, value) in node.values.enumerated() {
                    archive.contents.add(string: node.keys[index])
                    if case .integer(let number) = value {
                        archive.contents.add(integer: Int128(number))
                    } else {
                        archive.refer(to: references[index])
                    }
                }
            }
            archive.end()
        }
        archive.beginTop()
        archive.contents.add(string: "root")
        if let root = uids[0] { archive.refer(to: root) }
        archive.end()
        return try archive.finish()
    }

    private func reference(_ value: Value, _ uids: [Int: UID], _ archive: inout KeyedArchiveBuilder) -> UID {
        switch value {
        case .integer(let number): archive.add { $0.add(integer: Int128(number)) }
        case .string(let string): archive.add(string: string)
        case .node(let node): uids[node] ?? .null
        }
    }

    private func list(_ key: String, _ references: [UID], _ archive: inout KeyedArchiveBuilder) {
        archive.contents.add(string: key)
        archive.contents.open(.array)
        for reference in references { archive.refer(to: reference) }
        archive.contents.close()
    }
}
