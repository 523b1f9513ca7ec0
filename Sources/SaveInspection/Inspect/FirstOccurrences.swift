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
/// Containers are numbered in the order of opening. Hostile archives can have chains of millions of objects, so every
/// number has a link to a distant ancestor. These links lead to any ancestor in logarithmic time (Myers 1983).
struct FirstOccurrences {
    /// The number of each container that has been opened, plus one; zero for any other value. Indexed by
    /// ``ViewID/index``.
    private var numbers: SparseTable
    private var keys: [ViewID?] = []
    private var containers: [UInt32] = []
    private var positions: [UInt32] = []
    private var depths: [UInt32] = []
    private var jumps: [UInt32] = []

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
        // Only files of many gigabytes exceed 32 bits, and only addresses would be wrong.
        let number = UInt32(truncatingIfNeeded: keys.count)
        let parent = container ?? number
        numbers[id.index] = number &+ 1
        keys.append(step.key)
        containers.append(parent)
        positions.append(UInt32(truncatingIfNeeded: step.position))
        depths.append(container.map { depths[Int($0)] &+ 1 } ?? 0)
        jumps.append(container.map(jump) ?? number)
        return number
    }

    /// Returns the ancestor that the containers directly in a container link to. Two adjacent links of the same length
    /// are combined.
    private func jump(from number: UInt32) -> UInt32 {
        let first = jumps[Int(number)]
        let second = jumps[Int(first)]
        let isEven = depths[Int(number)] &- depths[Int(first)] == depths[Int(first)] &- depths[Int(second)]
        return isEven ? second : number
    }

    /// Returns the steps from the root to a container, cut off after `most` steps.
    func steps(to id: ViewID, most: Int) -> [PathStep] {
        guard var number = number(of: id).map({ Int($0) }) else { return [] }
        let depth = UInt32(clamping: most)
        while depths[number] > depth {
            number = Int(depths[Int(jumps[number])] >= depth ? jumps[number] : containers[number])
        }
        var steps: [PathStep] = []
        while depths[number] > 0 {
            steps.append(PathStep(key: keys[number], position: Int(positions[number])))
            number = Int(containers[number])
        }
        return steps.reversed()
    }
}
