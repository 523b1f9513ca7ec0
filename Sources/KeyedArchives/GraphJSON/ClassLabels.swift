import SaveCodec

/// The names that distinguish the classes of an archive in graph JSON, and the classes that its `$classes` describes.
///
/// A label is the name of the class. Another record with the same name but other contents has the label `Name#2`.
struct ClassLabels {
    /// The label of each class, by class position; empty for a class without objects.
    private(set) var labels: [[UInt16]] = []
    /// Whether the name alone identifies each class, by class position.
    private(set) var areNames: [Bool] = []
    /// For each class, by position: the JSON kind of its objects if they are written without `$class`; otherwise nil.
    private(set) var bare: [BareClass?] = []
    /// The positions of the classes that `$classes` describes, in the order of their labels.
    private(set) var described: [Int] = []

    /// A class whose objects are written as JSON values without `$class`.
    enum BareClass: String, CaseIterable {
        case array = "NSArray"
        case dictionary = "NSDictionary"
        case date = "NSDate"
    }

    /// The contents of a class record. The lists are not copied.
    private struct Contents: Hashable {
        let name: [UInt16]
        let chain: ClassNameList?
        let hints: ClassNameList?

        init(_ record: ClassRecord) {
            name = Array(record.name)
            chain = record.chain
            hints = record.hints
        }

        /// Whether these contents sort before others: by name, then by chain and hints. Because contents are sorted,
        /// labels do not depend on the order of records.
        func precedes(_ other: Contents) -> Bool {
            if name != other.name { return name.lexicographicallyPrecedes(other.name) }
            if chain != other.chain { return Self.precedes(chain, other.chain) }
            return Self.precedes(hints, other.hints)
        }

        private static func precedes(_ a: ClassNameList?, _ b: ClassNameList?) -> Bool {
            guard let a, let b else { return a == nil && b != nil }
            return a.lexicographicallyPrecedes(b) { $0.lexicographicallyPrecedes($1) }
        }
    }

    init(_ classes: [ClassRecord], used: Bitmap) {
        let contents = classes.map(Contents.init)
        let positions = contents.indices.filter { used.contains($0) }
        var known: [Contents: [UInt16]] = [:]
        var taken = Set(contents.map(\.name))
        var counts: [[UInt16]: Int] = [:]
        labels = Array(repeating: [], count: classes.count)
        for position in positions.sorted(by: { contents[$0].precedes(contents[$1]) }) {
            if let label = known[contents[position]] {
                labels[position] = label
                continue
            }
            let label = Self.label(contents[position].name, counts: &counts, taken: &taken)
            known[contents[position]] = label
            labels[position] = label
            if label != contents[position].name || !classes[position].isFoundation { described.append(position) }
        }
        areNames = zip(labels, contents).map { $0 == $1.name }
        noteBare()
    }

    /// Creates labels for a reader that knows the classes of another archive.
    ///
    /// A class is identified by its name if the reader would use the same record for that name. All other classes must
    /// be described in the `$class` of each object.
    ///
    /// - Parameters:
    ///   - classes: The classes of the archive.
    ///   - receiver: The classes that the reader knows.
    ///   - namesDates: Whether dates need a class name, too.
    init(_ classes: [ClassRecord], receiver: [ClassRecord], namesDates: Bool) {
        var known: [[UInt16]: Contents] = [:]
        for record in receiver where known[Array(record.name)] == nil {
            known[Array(record.name)] = Contents(record)
        }
        for record in classes {
            let contents = Contents(record)
            labels.append(contents.name)
            areNames.append(known[contents.name].map { $0 == contents } ?? record.isFoundation)
        }
        noteBare()
        for position in labels.indices where !areNames[position] || namesDates && bare[position] == .date {
            bare[position] = nil
        }
    }

    private mutating func noteBare() {
        bare = labels.map { label in BareClass.allCases.first { label.elementsEqual($0.rawValue.utf16) } }
    }

    private static func label(
        _ name: [UInt16], counts: inout [[UInt16]: Int], taken: inout Set<[UInt16]>
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
    /// Whether the record is the same as in the Foundation class table.
    fileprivate var isFoundation: Bool {
        guard hints == nil, let chain, let foundation, chain.count == foundation.chain.count else { return false }
        return zip(chain, foundation.chain).allSatisfy { $0.elementsEqual($1.utf16) }
    }
}
