/// Numbers for some of the entries of a table. It takes four bytes for each entry once there is a number, and nothing
/// before.
package struct NumberTable {
    private let count: Int
    /// One more than each number; 0 for none.
    private var numbers: [UInt32] = []

    /// A table of `count` entries, none of which has a number.
    package init(count: Int) {
        self.count = count
    }

    /// The number of an entry, which is below 2³² − 1; nil if it has none.
    package subscript(entry: Int) -> Int? {
        @inline(__always)
        get { numbers.isEmpty || numbers[entry] == 0 ? nil : Int(numbers[entry]) - 1 }
        set {
            if numbers.isEmpty { numbers = [UInt32](repeating: 0, count: count) }
            numbers[entry] = newValue.map { UInt32(truncatingIfNeeded: $0 + 1) } ?? 0
        }
    }

    /// The entries that have numbers, in order.
    package var entries: [Int] { numbers.indices.filter { numbers[$0] != 0 } }
}
