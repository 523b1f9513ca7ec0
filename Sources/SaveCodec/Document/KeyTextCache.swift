/// A cache of *labels*: the text before each value of a dictionary, which is white space and the key, with its tags or
/// quotation marks.
///
/// The second dictionary with the same keys at the same depth fills the cache; later ones copy its labels instead of
/// rebuilding them.
struct KeyTextCache {
    private struct Known {
        let depth: Int
        /// The number of the first label, or nil if the labels are not cached.
        var first: Int?
        /// Whether ``make(_:count:_:)`` was called, even if the labels were too long to be cached.
        var isMade = false
    }

    /// Dictionaries with more pairs or longer keys rarely occur in large numbers.
    private static let maxPairs = 64
    private static let maxBytes = 1 << 12
    /// The total number of bytes after which no more labels are cached.
    private static let capacity = 1 << 18

    private let document: Document
    /// All labels, concatenated.
    private(set) var bytes: [UInt8] = []
    /// The start of each label, followed by the end of the last one.
    private var starts = [0]
    private var keySets: RecentKeySets
    private var known = [Known](repeating: Known(depth: -1), count: RecentKeySets.slotCount)
    /// The slot of the dictionary that was last looked up.
    private var slot = 0

    init(_ document: Document) {
        self.document = document
        keySets = RecentKeySets(document)
    }

    /// The state of the labels of a dictionary at a depth.
    enum Lookup {
        /// The number of the first cached label.
        case labels(Int)
        /// The dictionary is the second one with these keys at this depth, so its labels are worth caching.
        case isSecond
        /// The labels are to be written one by one.
        case isNone
    }

    @inline(__always)
    mutating func lookUp(_ dictionary: StoredObject, depth: Int) -> Lookup {
        let count = dictionary.count
        guard count > 0, count < Self.maxPairs else { return .isNone }
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

    /// Returns the range of a label in ``bytes``.
    @inline(__always)
    func range(_ label: Int) -> Range<Int> { starts[label]..<starts[label &+ 1] }

    /// Builds and caches the labels of the dictionary that was last looked up.
    ///
    /// - Parameters:
    ///   - count: The number of pairs of the dictionary that are written.
    ///   - write: A function that writes the label of the value written at a position.
    /// - Returns: The number of the first label, or nil if the labels are too long to be cached.
    mutating func make(
        _ dictionary: StoredObject, count: Int, _ write: (_ position: Int, _ output: inout ByteWriter) -> Void
    ) -> Int? {
        known[slot].isMade = true
        guard bytes.count < Self.capacity else { return nil }
        var size = 0
        for position in 0..<dictionary.count {
            size += document.object(document.key(position, of: dictionary)).ownSize
            if size > Self.maxBytes { return nil }
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
