import KeyedArchives
import SaveCodec

/// A scalar for comparison. Numbers of equal value are equal, even if they are of different kinds.
///
/// Reals are rounded to `Float`, because the Swift type may have read them into a `Float`.
enum ScalarKey: Hashable {
    case null
    case integer(Int128)
    case real(UInt32)
    case date(UInt64)
    case text([UInt16], count: Int)
    case data(ArraySlice<UInt8>, count: Int)
    /// A container with this number of slots.
    case container(Int)

    /// Creates the key of a scalar; nil for UIDs and containers.
    ///
    /// - Parameter longest: The length to which a text or data is compared.
    init?(_ node: Node, longest: Int = .max) {
        switch node {
        case .null: self = .null
        case .boolean(let value): self = .integer(value ? 1 : 0)
        case .integer(let integer): self = .integer(integer.value)
        case .real32(let value): self.init(real: value)
        case .real64(let value): self.init(real: Float(value))
        case .date(let seconds): self = .date(seconds.bitPattern)
        case .data(let bytes): self = .data(bytes.prefix(longest), count: bytes.count)
        case .string(let text):
            // The type has read a String, in which a lone surrogate is U+FFFD.
            self = .text(Array(String(decoding: text.prefix(longest), as: UTF16.self).utf16), count: text.count)
        case .uid, .array, .set, .dictionary: return nil
        }
    }

    /// Creates the key of a scalar that is being encoded.
    init(_ scalar: Scalar) {
        switch scalar {
        case .number(.boolean(let value)): self = .integer(value ? 1 : 0)
        case .number(.integer(let value)): self = .integer(value)
        case .number(.real32(let value)): self.init(real: value)
        case .number(.real64(let value)): self.init(real: Float(value))
        case .date(let seconds): self = .date(seconds.bitPattern)
        case .data(let bytes): self = .data(bytes.prefix(ElementAlignment.longestText), count: bytes.count)
        case .string(let text):
            let units = Array(text.utf16)
            let start = String(decoding: units.prefix(ElementAlignment.longestText), as: UTF16.self)
            self = .text(Array(start.utf16), count: units.count)
        }
    }

    private init(real: Float) {
        self = Int128(exactly: real).map { .integer($0) } ?? .real(real.bitPattern)
    }
}

/// The pairing of encoded elements with the elements of an array in a template.
///
/// Elements are identified by their own scalars: numbers, texts, and the fields that the type mentions. Equal elements
/// are paired even if they moved. Changed elements between the same neighbors are paired in order if the template has
/// as many there. The remaining ones are paired by the number of scalars that they share.
struct ElementAlignment {
    /// The scalars that identify an element.
    private struct Fingerprint: Hashable {
        let names: Int
        let values: [ScalarKey]

        /// Returns the number of distinctive scalars that two elements share.
        func similarity(to other: Fingerprint) -> Int {
            guard names == other.names else { return 0 }
            return zip(values, other.values).count { $0 == $1 && $0 != .null }
        }
    }

    /// The maximum number of distinct field lists that are compared.
    private static let maxShapes = 8
    private static let maxComparisons = 4_096
    /// The length to which a text or data is compared.
    static let longestText = 64

    private var new: [Fingerprint] = []
    private var names: [[[UInt16]]] = []
    private var numbers: [[[UInt16]]: Int] = [:]

    /// Adds an encoded element: its fields, or its single value if there are no names.
    mutating func add(_ values: [ScalarKey], named names: [[UInt16]]) {
        let number = numbers[names] ?? self.names.count
        if number == self.names.count {
            numbers[names] = number
            self.names.append(names)
        }
        new.append(Fingerprint(names: number, values: values))
    }

    /// Returns the number of fields to compare in a template with this number of elements.
    func cost(with count: Int) -> Int {
        names.prefix(Self.maxShapes).reduce(0) { $0.addingSaturated($1.count + 1) }.multipliedSaturated(by: count)
    }

    /// Returns the position of each encoded element's counterpart; nil for a new element.
    ///
    /// - Parameters:
    ///   - count: The number of elements in the template.
    ///   - find: Returns the scalars that identify an element of the template, given its position and the field names.
    func pairs(with count: Int, fingerprint find: (Int, [[UInt16]]) -> [ScalarKey]) -> [Int?] {
        var old: [Int: [Fingerprint]] = [:]
        for shape in 0..<min(names.count, Self.maxShapes) {
            old[shape] = (0..<count).map { Fingerprint(names: shape, values: find($0, names[shape])) }
        }
        var pairs = Pairs(new.count, count)
        let (start, end) = pairEnds(in: &pairs, with: old)
        let (indices, positions) = (start..<new.count - end, start..<count - end)
        var waiting: [Fingerprint: [Int]] = [:]
        for fingerprints in old.values {
            for position in positions.reversed() { waiting[fingerprints[position], default: []].append(position) }
        }
        for index in indices {
            while let position = waiting[new[index]]?.popLast() {
                guard !pairs.isTaken[position] else { continue }
                pairs.pair(index, position)
                break
            }
        }
        pairs.pairBetweenNeighbors(in: indices)
        pairSimilar(indices, positions, in: &pairs, with: old)
        return pairs.positions
    }

    /// The pairs found so far.
    private struct Pairs {
        /// The position of the counterpart of each encoded element.
        private(set) var positions: [Int?]
        private(set) var isTaken: [Bool]

        init(_ newCount: Int, _ count: Int) {
            positions = [Int?](repeating: nil, count: newCount)
            isTaken = [Bool](repeating: false, count: count)
        }

        mutating func pair(_ index: Int, _ position: Int) {
            positions[index] = position
            isTaken[position] = true
        }

        /// Pairs changed elements between the same neighbors.
        mutating func pairBetweenNeighbors(in indices: Range<Int>) {
            var index = indices.lowerBound
            while index < indices.upperBound {
                guard positions[index] == nil else {
                    index += 1
                    continue
                }
                let first = index
                while index < indices.upperBound, positions[index] == nil { index += 1 }
                let before = first == 0 ? -1 : positions[first - 1] ?? -1
                let after = index < positions.count ? positions[index] ?? isTaken.count : isTaken.count
                guard after - before - 1 == index - first, (before + 1..<after).allSatisfy({ !isTaken[$0] }) else {
                    continue
                }
                for offset in 0..<index - first { pair(first + offset, before + 1 + offset) }
            }
        }
    }

    /// Pairs equal elements at both ends, and returns their numbers.
    private func pairEnds(in pairs: inout Pairs, with old: [Int: [Fingerprint]]) -> (start: Int, end: Int) {
        let count = pairs.isTaken.count
        let common = min(new.count, count)
        func isEqual(_ index: Int, _ position: Int) -> Bool { new[index] == old[new[index].names]?[position] }
        var start = 0
        while start < common, isEqual(start, start) {
            pairs.pair(start, start)
            start += 1
        }
        var end = 0
        while end < common - start, isEqual(new.count - end - 1, count - end - 1) {
            pairs.pair(new.count - end - 1, count - end - 1)
            end += 1
        }
        return (start, end)
    }

    /// Pairs the remaining elements by similarity.
    private func pairSimilar(
        _ indices: Range<Int>, _ positions: Range<Int>, in pairs: inout Pairs, with old: [Int: [Fingerprint]]
    ) {
        let left = indices.filter { pairs.positions[$0] == nil }
        let open = positions.filter { !pairs.isTaken[$0] }
        guard !left.isEmpty, !open.isEmpty, left.count.multipliedSaturated(by: open.count) <= Self.maxComparisons
        else { return }
        for index in left {
            var best: (position: Int, similarity: Int)?
            for position in open where !pairs.isTaken[position] {
                guard let other = old[new[index].names]?[position] else { continue }
                let similarity = new[index].similarity(to: other)
                if similarity > best?.similarity ?? 0 { best = (position, similarity) }
            }
            if let best { pairs.pair(index, best.position) }
        }
    }
}

extension TemplateWriter {
    /// Returns the position of each encoded element's counterpart; nil for a new element.
    mutating func align(_ encoded: ViewContents, with template: ViewContents) throws(Problem) -> [Int?] {
        var alignment = ElementAlignment()
        for index in 0..<encoded.count {
            let id = new.item(index, of: encoded).id
            let contents = new[id].contents
            var (names, values): ([[UInt16]], [ScalarKey]) = ([], [])
            for position in 0..<contents.count {
                let item = new.item(position, of: contents)
                guard let name = item.key.flatMap(new.text) else { continue }
                names.append(name.units)
                values.append(new.scalarKey(item.id))
            }
            alignment.add(names.isEmpty ? [new.scalarKey(id)] : values, named: names)
        }
        try charge(alignment.cost(with: template.count))
        let view = old
        var positions: [ViewID: [[UInt16]: Int]] = [:]
        swap(&positions, &fieldPositions)
        let pairs = alignment.pairs(with: template.count) { position, names in
            view.fingerprint(view.item(position, of: template).id, names: names, known: &positions)
        }
        fieldPositions = positions
        return pairs
    }
}

extension ObjectView {
    /// Returns the scalars that identify an element: the fields with these names, or the element itself.
    func fingerprint(
        _ id: ViewID, names: [[UInt16]], known: inout [ViewID: [[UInt16]: Int]]
    ) -> [ScalarKey] {
        guard !names.isEmpty else { return [scalarKey(id)] }
        guard scalar(id) == nil else { return [] }
        let contents = self[id].contents
        if known[id] == nil {
            var found: [[UInt16]: Int] = [:]
            for position in 0..<contents.count {
                if let name = item(position, of: contents).key.flatMap(text) { found[name.units] = position }
            }
            known[id] = found
        }
        return names.map { name in
            known[id]?[name].map { scalarKey(item($0, of: contents).id) } ?? .null
        }
    }

    fileprivate func scalarKey(_ id: ViewID) -> ScalarKey {
        scalar(id).map { ScalarKey($0, longest: ElementAlignment.longestText) ?? .null }
            ?? .container(self[id].contents.count)
    }
}
