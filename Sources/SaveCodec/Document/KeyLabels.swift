/// What a writer writes in front of the values of a dictionary: white space and keys, with their tags or quotation marks.
///
/// From the second dictionary with the same keys on, at the same depth, labels are copied, not made.
struct KeyLabels {
    private struct Known {
        let depth: Int
        /// Its first label; nil if it has none.
        var first: Int?
        /// Whether labels have been asked for, and may have been too long to be kept.
        var isMade = false
    }

    /// Dictionaries with more pairs, or with longer keys, do not come in crowds.
    private static let mostPairs = 64
    private static let mostBytes = 1 << 12
    /// How many bytes of labels are kept in all.
    private static let capacity = 1 << 18

    private let document: Document
    /// All labels, one after the other.
    private(set) var bytes: [UInt8] = []
    /// Where each of them starts, and where the last one ends.
    private var starts = [0]
    private var keySets: RecentKeySets
    private var known = [Known](repeating: Known(depth: -1), count: RecentKeySets.slotCount)
    /// The slot of the dictionary that was looked up last.
    private var slot = 0

    init(_ document: Document) {
        self.document = document
        keySets = RecentKeySets(document)
    }

    /// What is known of a dictionary whose contents stand at a depth.
    enum Lookup {
        /// The number of its first label.
        case labels(Int)
        /// That labels for it are worth being made.
        case isSecond
        /// That its labels are to be written one by one.
        case isNone
    }

    /// Looks a dictionary up that is to be written.
    @inline(__always)
    mutating func lookUp(_ dictionary: StoredObject, depth: Int) -> Lookup {
        let count = dictionary.count
        guard count > 0, count < Self.mostPairs else { return .isNone }
        let (slot, isKnown) = keySets.slot(of: dictionary)
        self.slot = slot
        let last = known[slot]
        guard isKnown, last.depth == depth else {
            known[slot] = Known(depth: depth)
            return .isNone
        }
        if let first = last.first { return .labels(first) }
        return last.isMade ? .isNone : .isSecond
    }

    /// Where a label stands in ``bytes``.
    @inline(__always)
    func range(_ label: Int) -> Range<Int> { starts[label]..<starts[label &+ 1] }

    /// Makes and keeps the labels of the dictionary that was looked up last.
    ///
    /// - Parameters:
    ///   - count: how many of its pairs are written.
    ///   - write: writes the label of the value that is written at a position.
    /// - Returns: the number of the first label; nil if they are too long to be kept.
    mutating func make(
        _ dictionary: StoredObject, count: Int, _ write: (_ position: Int, _ output: inout ByteWriter) -> Void
    ) -> Int? {
        known[slot].isMade = true
        guard bytes.count < Self.capacity else { return nil }
        var size = 0
        for position in 0..<dictionary.count {
            size += document.object(document.key(position, of: dictionary)).ownSize
            if size > Self.mostBytes { return nil }
        }
        let first = starts.count - 1
        var output = ByteWriter()
        for position in 0..<count {
            write(position, &output)
            starts.append(bytes.count + output.count)
        }
        bytes += output.takeBytes()
        known[slot].first = first
        return first
    }
}
