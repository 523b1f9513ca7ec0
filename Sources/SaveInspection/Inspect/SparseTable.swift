/// A table of numbers by index, initially zero. Its memory is in proportion to the entries that are set, until they are
/// so many that an array of all entries is cheaper. A walk through a small part of a large document thus takes little
/// time, and one through all of it is fast.
struct SparseTable {
    private let count: Int
    private var sparse: [UInt32: UInt32] = [:]
    /// All entries; empty while few are set.
    private var dense: [UInt32] = []

    /// Creates a table with the indices below `count`.
    init(count: Int) {
        self.count = count
    }

    subscript(index: Int) -> UInt32 {
        get { dense.isEmpty ? sparse[UInt32(truncatingIfNeeded: index)] ?? 0 : dense[index] }
        set {
            if dense.isEmpty {
                sparse[UInt32(truncatingIfNeeded: index)] = newValue
                if sparse.count > count / 32 { fill() }
            } else {
                dense[index] = newValue
            }
        }
    }

    private mutating func fill() {
        dense = [UInt32](repeating: 0, count: count)
        for (index, value) in sparse { dense[Int(index)] = value }
        sparse = [:]
    }
}
