/// The ranges of keys and values in flat arrays: those of a container one after the other, in a dictionary key, value,
/// key, value ….
struct SourceSlots {
    /// Where the slots of a container begin, and how many a position takes: one, or two in a dictionary.
    private struct Container {
        var first: UInt32 = 0
        var width: UInt32 = 0
    }

    private var ranges: [SourceRange] = []
    /// By the number of the object; scalars have none.
    private var containers: [Container] = []

    mutating func add(_ contents: ArraySlice<SourceRange>, of container: ObjectID, isDictionary: Bool) {
        let first = UInt32(truncatingIfNeeded: ranges.count)
        ranges += contents
        set(Container(first: first, width: isDictionary ? 2 : 1), of: container)
    }

    private mutating func set(_ container: Container, of id: ObjectID) {
        while containers.count <= id.index { containers.append(Container()) }
        containers[id.index] = container
    }

    func key(_ position: Int, of dictionary: ObjectID) -> Range<Int> {
        range(of: dictionary) { width in width * position }
    }

    func value(_ position: Int, of container: ObjectID) -> Range<Int> {
        range(of: container) { width in width * position + width - 1 }
    }

    /// The range in a slot of a container; an empty one for an object of which nothing is known.
    private func range(of id: ObjectID, slot: (Int) -> Int) -> Range<Int> {
        guard id.index < containers.count, case let container = containers[id.index], container.width > 0 else {
            return 0..<0
        }
        let index = Int(container.first) + slot(Int(container.width))
        return ranges.indices.contains(index) ? ranges[index].range : 0..<0
    }

    /// The slots under the numbers that a file with the same value gives its containers. Of one that it shares, the
    /// first place is kept.
    func renumbered(for file: Document, from value: Document) -> SourceSlots {
        var result = SourceSlots()
        result.ranges = ranges
        result.containers = Array(repeating: Container(), count: file.count)
        var pairs = [(old: value.root, new: file.root)]
        while let (old, new) = pairs.popLast() {
            let (contents, copies) = (value.object(old), file.object(new))
            guard contents.kind.isContainer, result.containers[new.index].width == 0,
                contents.referenceCount == copies.referenceCount
            else { continue }
            result.containers[new.index] = containers[old.index]
            for position in (0..<contents.referenceCount).reversed() {
                pairs.append((value.reference(position, of: contents), file.reference(position, of: copies)))
            }
        }
        return result
    }
}

/// A range of a text in eight bytes.
struct SourceRange {
    private let start: UInt32
    private let end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}
