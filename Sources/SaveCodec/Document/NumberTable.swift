/// Optional numbers for the entries of a table.
///
/// Takes four bytes per entry once any entry has a number, and no memory before.
package struct NumberTable {
    private let count: Int
    /// Each number plus one, or 0 for an entry without a number.
    private var numbers: [UInt32] = []

    /// Creates a table of `count` entries without numbers.
    package init(count: Int) {
        self.count = count
    }

    /// The number of an entry, below 2³² − 1, or nil.
    package subscript(entry: Int) -> Int? {
        @inline(__always)
        get { numbers.isEmpty || numbers[entry] == 0 ? nil : Int(numbers[entry]) - 1 }
        set {
            if numbers.isEmpty { numbers = [UInt32](repeating: 0, count: count) }
            numbers[entry] = newValue.map { UInt32(truncatingIfNeeded: $0 + 1) } ?? 0
        }
    }

    /// The entries with a number, in ascending order.
    package var entries: [Int] { numbers.indices.filter { numbers[$0] != 0 } }
}
