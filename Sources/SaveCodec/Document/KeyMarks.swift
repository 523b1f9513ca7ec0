/// Tells whether a key stands twice in a dictionary under construction.
///
/// Equal keys of a text format are one object, so it is enough to compare numbers: pairwise while there are few, by a
/// mark on the object when there are many.
struct KeyMarks {
    private var marks: [UInt32] = []
    private var dictionary: UInt32 = 0

    /// Whether a key repeats among the alternating keys and values of `pending` in `contents`.
    mutating func hasRepeats(in pending: [UInt32], _ contents: Range<Int>, objectCount: Int) -> Bool {
        contents.count <= 32 ? Self.pairwise(pending, contents) : marked(pending, contents, objectCount: objectCount)
    }

    private static func pairwise(_ pending: [UInt32], _ contents: Range<Int>) -> Bool {
        for a in stride(from: contents.lowerBound, to: contents.upperBound, by: 2) {
            for b in stride(from: a + 2, to: contents.upperBound, by: 2) where pending[a] == pending[b] { return true }
        }
        return false
    }

    private mutating func marked(_ pending: [UInt32], _ contents: Range<Int>, objectCount: Int) -> Bool {
        if marks.count < objectCount { marks += repeatElement(0, count: objectCount - marks.count) }
        dictionary += 1
        for position in stride(from: contents.lowerBound, to: contents.upperBound, by: 2) {
            if marks[Int(pending[position])] == dictionary { return true }
            marks[Int(pending[position])] = dictionary
        }
        return false
    }
}
