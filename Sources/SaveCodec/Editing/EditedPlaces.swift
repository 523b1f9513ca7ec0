/// Which new object takes the place of which old one: where a container held the one, it now holds the other.
///
///     before   [a, b, c]          the same in front, the same at the end: x stands for b
///     after    [a, x, c]
struct EditedPlaces {
    private let graph: EditedGraph
    private let kept: Bitmap
    private let twins: [Int: Int]
    /// For each object that is left out and replaced, the new one.
    private(set) var heirs: [Int: Int] = [:]
    private var placed: Bitmap
    /// Containers as they were and as they are.
    private var pending: [(old: Int, new: Int)] = []

    init(_ graph: EditedGraph, kept: Bitmap, twins: [Int: Int]) {
        self.graph = graph
        self.kept = kept
        self.twins = twins
        placed = Bitmap(count: graph.count)
        match(graph.source.root.index, graph.root.index)
        // The first comes first.
        for index in graph.editedContainers.reversed() where kept.contains(index) { pending.append((index, index)) }
        while let (old, new) = pending.popLast() { align(old, new) }
    }

    private mutating func align(_ old: Int, _ new: Int) {
        let before = graph.source.object(ObjectID(old))
        let after = graph[new]
        guard before.kind == after.kind else { return }
        guard before.kind == .dictionary else {
            return align(before, 0..<before.count, after, 0..<after.referenceCount)
        }
        align(before, 0..<before.count, after, 0..<after.keyCount)
        align(before, before.count..<before.referenceCount, after, after.keyCount..<after.referenceCount)
    }

    private mutating func align(
        _ before: StoredObject, _ old: Range<Int>, _ after: EditedGraph.Object, _ new: Range<Int>
    ) {
        func same(_ a: Int, _ b: Int) -> Bool {
            graph.source.reference(a, of: before).index == graph.reference(b, of: after)
        }
        var (old, new) = (old, new)
        while let a = old.first, let b = new.first, same(a, b) { (old, new) = (old.dropFirst(), new.dropFirst()) }
        while let a = old.last, let b = new.last, same(a, b) { (old, new) = (old.dropLast(), new.dropLast()) }
        for (a, b) in zip(old, new) {
            match(graph.source.reference(a, of: before).index, graph.reference(b, of: after))
        }
    }

    private mutating func match(_ old: Int, _ new: Int) {
        guard graph.isNew(new), twins[new] == nil, !placed.contains(new), kept.contains(new) else { return }
        guard graph.source.object(ObjectID(old)).kind.isContainer == graph[new].kind.isContainer else { return }
        placed.insert(new)
        if !kept.contains(old), heirs[old] == nil { heirs[old] = new }
        if graph[new].kind.isContainer { pending.append((old, new)) }
    }
}
