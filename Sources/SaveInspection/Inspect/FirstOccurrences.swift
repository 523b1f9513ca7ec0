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
