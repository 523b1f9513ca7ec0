/// The layout of an edited binary file, in which existing objects keep their order.
struct EditedFileLayout {
    private let graph: EditedGraph
    private let source: Document
    private let kept: Bitmap
    /// The index of each object in the new table; nil if it is left out.
    private var numbers: NumberTable
    /// The objects in the order of the new table.
    private var table: [UInt32] = []
    /// The new object that replaces each omitted object of the source, if any.
    private var replacements: [Int: Int] = [:]

    init(_ graph: EditedGraph, kept: Bitmap) {
        self.graph = graph
        self.kept = kept
        source = graph.source
        numbers = NumberTable(count: graph.count)
        let existingEqual = ScalarDuplicates(of: graph, kept: kept).existingEqual
        replacements = ObjectReplacements(graph, kept: kept, existingEqual: existingEqual).replacements
        number(existingEqual)
    }

    private mutating func number(_ existingEqual: [Int: Int]) {
        for index in 0..<source.count {
            if kept.contains(index) {
                enter(index)
            } else if let replacement = replacements[index] {
                enter(replacement)
            }
        }
        for index in source.count..<graph.count where kept.contains(index) && numbers[index] == nil {
            if existingEqual[index] == nil { enter(index) }
        }
        for (index, equal) in existingEqual { numbers[index] = numbers[equal] }
    }

    private mutating func enter(_ index: Int) {
        numbers[index] = table.count
        table.append(UInt32(truncatingIfNeeded: index))
    }

    /// Returns the document, read from the new bytes, so that the reader checks them.
    func document(_ limits: Limits) throws(Problem) -> Document {
        try BinaryPlistReader(bytes(), limits: limits).read()
    }

    // MARK: Bytes

    private var referenceSize: Int { max(source.table.referenceSize, BinaryPlistWriter.size(for: table.count)) }

    private func bytes() -> [UInt8] {
        var image = ImageBuffer([])
        // Most edits change the size little. Reserved pages that are not used take no physical memory.
        image.reserveCapacity(source.imageSize + source.imageSize / 8)
        var output = ByteWriter { image.append($0) }
        output.write(source.image, in: 0..<8)
        var offsets = [Int](repeating: 0, count: table.count)
        // Any number of a file's entries may share the same bytes. In this order, such entries are adjacent.
        var last: (source: Int, offset: Int)?
        for index in inFileOrder().lazy.map({ Int($0) }) {
            let number = numbers[index] ?? 0
            if let source = sourceOffset(index), !graph.isChanged(index) {
                if let last, last.source == source {
                    offsets[number] = last.offset
                    continue
                }
                last = (source, output.count)
            }
            offsets[number] = output.count
            write(index, to: &output)
        }
        writeTable(offsets, to: &output)
        // This cannot fail: the buffer accepts all bytes.
        try? output.finish()
        return image.takeBytes()
    }

    /// Returns the objects in file order, with replacements in the positions of the objects that they replace, and
    /// others last.
    private func inFileOrder() -> [UInt32] {
        var replaced = [Int: Int]()
        for (old, new) in replacements { replaced[new] = old }
        func offset(_ index: UInt32) -> Int {
            let index = Int(index)
            return sourceOffset(graph.isNew(index) ? replaced[index] ?? index : index) ?? Int.max
        }
        var last = 0
        let isOrdered = table.allSatisfy { index in
            let previous = last
            last = offset(index)
            return previous <= last
        }
        guard !isOrdered else { return table }
        let offsets = table.map(offset)
        return table.indices.sorted { (offsets[$0], $0) < (offsets[$1], $1) }.map { table[$0] }
    }

    private func sourceOffset(_ index: Int) -> Int? {
        graph.isNew(index) ? nil : source.offset(of: ObjectID(index))
    }

    private func write(_ index: Int, to output: inout ByteWriter) {
        let object = graph[index]
        if object.kind.isContainer {
            writeMarker(of: index, object, to: &output)
            for position in 0..<object.referenceCount {
                let target = graph.reference(position, of: object)
                // Unreachable objects may refer to nonexistent objects, and continue to do so.
                let number = target < graph.count ? numbers[target] : nil
                output.writeBigEndian(UInt64(number ?? table.count), width: referenceSize)
            }
        } else if let stored = object.stored {
            let document = graph.document(of: index)
            writeMarker(of: index, object, to: &output)
            output.write(document.image, in: stored.start..<document.end(of: stored))
        }
    }

    /// Writes the marker and the count. An unchanged count keeps its stored form, even if that is longer than needed.
    private func writeMarker(of index: Int, _ object: EditedGraph.Object, to output: inout ByteWriter) {
        let document = graph.document(of: index)
        if let stored = object.stored, object.referenceCount == stored.referenceCount,
            let offset = storedOffset(index)
        {
            output.write(document.image, in: offset..<stored.start)
            return
        }
        let count = object.kind == .dictionary ? object.keyCount : object.referenceCount
        BinaryPlistWriter.writeMarker(ObjectMarker.kindBits(of: object.kind), count: count, &output)
    }

    private func storedOffset(_ index: Int) -> Int? {
        guard graph.isNew(index) else { return source.offset(of: ObjectID(index)) }
        guard case .scalar(let id) = graph.added[index - source.count] else { return nil }
        return graph.scalars?.offset(of: id)
    }

    private func writeTable(_ offsets: [Int], to output: inout ByteWriter) {
        let start = output.count
        let offsetSize = max(source.table.offsetSize, BinaryPlistWriter.size(for: start))
        output.writeBigEndian(offsets.count, width: offsetSize) { offsets[$0] }
        Trailer(
            unused: Trailer(of: source.image).unused, offsetSize: offsetSize, referenceSize: referenceSize,
            objectCount: UInt64(offsets.count), root: UInt64(numbers[graph.root.index] ?? 0),
            tableStart: UInt64(start)
        ).write(to: &output)
    }
}

// MARK: Equal scalars

/// A search for existing scalars of a file that equal new ones, so that they become one object, as in other files.
private struct ScalarDuplicates {
    /// The existing object that equals each new scalar, if any.
    private(set) var existingEqual: [Int: Int] = [:]

    init(of graph: EditedGraph, kept: Bitmap) {
        guard let scalars = graph.scalars else { return }
        var wanted: [ArraySlice<UInt8>: Int] = [:]
        // A bit for each size of a wanted scalar. Most objects have another size, which the bits rule out.
        var sizes: UInt64 = 0
        func bit(_ object: StoredObject) -> UInt64 { 1 << UInt64((object.count &* 13 &+ Int(object.kind.rank)) & 63) }
        for (position, object) in graph.added.enumerated() {
            let index = graph.source.count + position
            guard case .scalar(let id) = object, kept.contains(index), let bytes = scalars.bytes(of: id) else {
                continue
            }
            sizes |= bit(scalars.object(id))
            wanted[bytes] = index
        }
        // If objects overlap, there may be far more bytes to compare than the file has.
        var budget = 2 * graph.source.imageSize
        for index in 0..<graph.source.count where kept.contains(index) {
            let stored = graph.source.object(ObjectID(index))
            guard sizes & bit(stored) != 0, !stored.kind.isContainer else { continue }
            budget -= stored.ownSize
            guard budget >= 0, !wanted.isEmpty else { return }
            guard let bytes = graph.source.bytes(of: ObjectID(index)), let new = wanted.removeValue(forKey: bytes)
            else {
                continue
            }
            existingEqual[new] = index
        }
    }
}

extension Document {
    /// Returns the bytes of an object including its marker.
    fileprivate func bytes(of id: ObjectID) -> ArraySlice<UInt8>? {
        guard let offset = offset(of: id), let object = checkedObject(id) else { return nil }
        return image[offset..<end(of: object)]
    }
}

// MARK: Replacements

/// The replacements of old objects by new ones, found by aligning the old and the new contents of containers.
///
///     before   [a, b, c]          the common prefix and suffix are skipped, so x replaces b
///     after    [a, x, c]
private struct ObjectReplacements {
    private let graph: EditedGraph
    private let kept: Bitmap
    private let existingEqual: [Int: Int]
    /// The new object that replaces each omitted object, if any.
    private(set) var replacements: [Int: Int] = [:]
    private var placed: Bitmap
    /// The pairs of old and new containers that remain to be aligned.
    private var pending: [(old: Int, new: Int)] = []

    init(_ graph: EditedGraph, kept: Bitmap, existingEqual: [Int: Int]) {
        self.graph = graph
        self.kept = kept
        self.existingEqual = existingEqual
        placed = Bitmap(count: graph.count)
        let hasNew = (graph.source.count..<graph.count).contains { kept.contains($0) && existingEqual[$0] == nil }
        guard hasNew else { return }
        match(graph.source.root.index, graph.root.index)
        // Reversed, so that `popLast` returns the first container first.
        for index in graph.editedContainers.reversed() where kept.contains(index) { pending.append((index, index)) }
        while let (old, new) = pending.popLast() { align(old, new) }
    }

    private mutating func align(_ old: Int, _ new: Int) {
        let before = graph.source.object(ObjectID(old))
        let after = graph[new]
        guard before.kind == after.kind else { return }
        guard before.kind == .dictionary else {
            return align(0..<before.count, of: before, with: 0..<after.referenceCount, of: after)
        }
        align(0..<before.count, of: before, with: 0..<after.keyCount, of: after)
        align(
            before.count..<before.referenceCount, of: before, with: after.keyCount..<after.referenceCount, of: after)
    }

    private mutating func align(
        _ old: Range<Int>, of before: StoredObject, with new: Range<Int>, of after: EditedGraph.Object
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
        guard graph.isNew(new), existingEqual[new] == nil, !placed.contains(new), kept.contains(new) else { return }
        guard graph.source.object(ObjectID(old)).kind.isContainer == graph[new].kind.isContainer else { return }
        placed.insert(new)
        if !kept.contains(old), replacements[old] == nil { replacements[old] = new }
        if graph[new].kind.isContainer { pending.append((old, new)) }
    }
}
