import KeyedArchives
import SaveCodec
import SaveOperations

/// The slot in which each container of a view was opened first.
///
///     {"a": [[1]]}     number   container   key   position   depth
///                      0 root   -           -     -          0
///                      1        0           a     0          1
///                      2        1           -     0          2
///
/// Containers are numbered in the order of opening.
struct FirstOccurrences {
    /// The number of each container that has been opened, plus one; zero for any other value. Indexed by
    /// ``ViewID/index``.
    private var numbers: SparseTable
    private var keys: [ViewID?] = []
    private var containers: [UInt32] = []
    private var positions: [UInt32] = []
    private var ancestors = AncestorLinks()

    init(count: Int) {
        numbers = SparseTable(count: count)
    }

    /// Returns the number of a container; nil if it has not been opened.
    func number(of id: ViewID) -> UInt32? {
        let number = numbers[id.index]
        return number == 0 ? nil : number - 1
    }

    /// Adds a container and returns its number.
    ///
    /// - Parameters:
    ///   - container: The number of the enclosing container in which it was opened first; nil for the root.
    ///   - step: The slot of the enclosing container.
    mutating func insert(_ id: ViewID, in container: UInt32?, at step: PathStep) -> UInt32 {
        let number = UInt32(truncatingIfNeeded: keys.count)
        numbers[id.index] = number &+ 1
        keys.append(step.key)
        containers.append(container ?? number)
        positions.append(UInt32(truncatingIfNeeded: step.position))
        ancestors.append(below: container.map { Int($0) })
        return number
    }

    /// Returns the steps from the root to a container, cut off after `most` steps.
    func steps(to id: ViewID, most: Int) -> [PathStep] {
        guard let number = number(of: id) else { return [] }
        let path = ancestors.path(to: Int(number), most: most) { Int(containers[$0]) }
        return path.map { PathStep(key: keys[$0], position: Int(positions[$0])) }
    }
}

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
