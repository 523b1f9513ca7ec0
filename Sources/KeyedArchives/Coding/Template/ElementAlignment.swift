import SaveCodec

/// A scalar for comparison. Numbers of equal value are equal, even of different kinds. Reals are rounded to `Float`,
/// which the type may have read.
enum ScalarKey: Hashable {
    case null
    case integer(Int128)
    case real(UInt32)
    case date(UInt64)
    case text([UInt16], count: Int)
    case data(ArraySlice<UInt8>, count: Int)
    /// A container of so many contents.
    case container(Int)

    /// - Parameter longest: how much of a text or of data is looked at.
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
            // A type has a String, which has U+FFFD for a lone surrogate.
            self = .text(Array(String(decoding: text.prefix(longest), as: UTF16.self).utf16), count: text.count)
        case .uid, .array, .set, .dictionary: return nil
        }
    }

    /// A scalar that is being encoded.
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
/// are paired even if they moved. Changed elements are paired in order if equally many lie between the same neighbours,
/// and otherwise by the number of scalars that they share.
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

    /// The limits on the kinds of records in an array, and on the pairs of elements that are compared.
    private static let mostShapes = 8
    private static let mostComparisons = 4_096
    /// The length of text or data that is compared.
    static let longestText = 64

    private var new: [Fingerprint] = []
    private var names: [[[UInt16]]] = []
    private var numbers: [[[UInt16]]: Int] = [:]

    /// Adds an encoded element: its fields, or, without names, the single value that it is.
    mutating func add(_ values: [ScalarKey], named names: [[UInt16]]) {
        let number = numbers[names] ?? self.names.count
        if number == self.names.count {
            numbers[names] = number
            self.names.append(names)
        }
        new.append(Fingerprint(names: number, values: values))
    }

    /// The number of fields that are compared in so many elements of the template.
    func cost(with count: Int) -> Int {
        names.prefix(Self.mostShapes).reduce(0) { $0.addingSaturated($1.count + 1) }.multipliedSaturated(by: count)
    }

    /// For each encoded element its counterpart's position; nil for a new one.
    ///
    /// - Parameters:
    ///   - count: the number of elements in the template.
    ///   - fingerprint: the fingerprint of one, of the fields with these names.
    func pairs(with count: Int, fingerprint find: (Int, [[UInt16]]) -> [ScalarKey]) -> [Int?] {
        var pairs = [Int?](repeating: nil, count: new.count)
        var isTaken = [Bool](repeating: false, count: count)
        func pair(_ index: Int, _ position: Int) {
            pairs[index] = position
            isTaken[position] = true
        }
        var old: [Int: [Fingerprint]] = [:]
        func fingerprint(_ position: Int, _ shape: Int) -> Fingerprint? {
            old[shape]?[position]
        }
        for shape in 0..<min(names.count, Self.mostShapes) {
            old[shape] = (0..<count).map { Fingerprint(names: shape, values: find($0, names[shape])) }
        }
        let common = min(new.count, count)
        var start = 0
        while start < common, new[start] == fingerprint(start, new[start].names) {
            pair(start, start)
            start += 1
        }
        var end = 0
        while end < common - start,
            case let (index, position) = (new.count - end - 1, count - end - 1),
            new[index] == fingerprint(position, new[index].names)
        {
            pair(index, position)
            end += 1
        }
        var waiting: [Fingerprint: [Int]] = [:]
        for fingerprints in old.values {
            for position in (start..<count - end).reversed() {
                waiting[fingerprints[position], default: []].append(position)
            }
        }
        for index in start..<new.count - end {
            while let position = waiting[new[index]]?.popLast() {
                guard !isTaken[position] else { continue }
                pair(index, position)
                break
            }
        }
        // Changed elements between the same neighbours.
        var index = start
        while index < new.count - end {
            guard pairs[index] == nil else {
                index += 1
                continue
            }
            let first = index
            while index < new.count - end, pairs[index] == nil { index += 1 }
            let before = first == 0 ? -1 : pairs[first - 1] ?? -1
            let after = index < new.count ? pairs[index] ?? count : count
            guard after - before - 1 == index - first, (before + 1..<after).allSatisfy({ !isTaken[$0] }) else {
                continue
            }
            for offset in 0..<index - first { pair(first + offset, before + 1 + offset) }
        }
        // The rest by what they share.
        let left = (start..<new.count - end).filter { pairs[$0] == nil }
        let open = (start..<count - end).filter { !isTaken[$0] }
        guard !left.isEmpty, !open.isEmpty, left.count.multipliedSaturated(by: open.count) <= Self.mostComparisons
        else {
            return pairs
        }
        for index in left {
            var best: (position: Int, similarity: Int)?
            for position in open where !isTaken[position] {
                guard let other = fingerprint(position, new[index].names) else { continue }
                let similarity = new[index].similarity(to: other)
                if similarity > best?.similarity ?? 0 { best = (position, similarity) }
            }
            if let best { pair(index, best.position) }
        }
        return pairs
    }
}

extension TemplateWriter {
    /// For each encoded element its counterpart's position; nil for a new one.
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
    /// The scalars that identify an element: the fields with these names, or the element itself.
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
