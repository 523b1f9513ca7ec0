import SaveCodec

/// The names by which graph JSON tells the classes of an archive apart, and which of them its `$classes` describes.
///
/// A label is the name of the class; a second record of the name that holds other things is labelled `Name#2`.
struct ClassLabels {
    /// The label of each class of the archive, by position; empty for one that no object has.
    private(set) var labels: [[UInt16]] = []
    /// The class that a value of JSON without `$class` has, where that is the class at a position.
    private(set) var bare: [BareClass?] = []
    /// The classes that `$classes` describes, by position, in their order.
    private(set) var described: [Int] = []

    /// A class whose objects JSON has values of its own for.
    enum BareClass: String, CaseIterable {
        case array = "NSArray"
        case dictionary = "NSDictionary"
        case date = "NSDate"
    }

    /// What a record holds.
    private struct Contents: Hashable {
        let name: [UInt16]
        let chain: [[UInt16]]?
        let hints: [[UInt16]]?

        init(_ record: ClassRecord) {
            name = Array(record.name)
            chain = record.chain?.map { Array($0) }
            hints = record.hints?.map { Array($0) }
        }
    }

    init(_ classes: [ClassRecord], used: Bitmap) {
        var known: [Contents: [UInt16]] = [:]
        var taken = Set(classes.map { Array($0.name) })
        var counts: [[UInt16]: Int] = [:]
        for (position, record) in classes.enumerated() {
            let contents = Contents(record)
            if let label = known[contents] {
                labels.append(label)
                continue
            }
            guard used.contains(position) else {
                labels.append([])
                continue
            }
            let label = Self.label(contents.name, &counts, &taken)
            known[contents] = label
            labels.append(label)
            if label != contents.name || !record.isFoundation { described.append(position) }
        }
        noteBare()
    }

    private mutating func noteBare() {
        bare = labels.map { label in BareClass.allCases.first { label.elementsEqual($0.rawValue.utf16) } }
    }

    private static func label(
        _ name: [UInt16], _ counts: inout [[UInt16]: Int], _ taken: inout Set<[UInt16]>
    ) -> [UInt16] {
        var label = name
        repeat {
            counts[name, default: 0] += 1
            let count = counts[name] ?? 1
            if count == 1 { return name }
            label = name + Array("#\(count)".utf16)
        } while !taken.insert(label).inserted
        return label
    }
}

extension ClassRecord {
    /// Whether the record is that of the Foundation class table.
    fileprivate var isFoundation: Bool {
        guard hints == nil, let chain, let foundation, chain.count == foundation.chain.count else { return false }
        return zip(chain, foundation.chain).allSatisfy { $0.elementsEqual($1.utf16) }
    }
}
