/// The longest strictly increasing subsequence of a list of numbers (Fredman 1975), in O(*n* log *n*) time.
package enum LongestIncreasingSubsequence {
    /// Returns the positions of the numbers in the subsequence.
    package static func positions(in numbers: [Int]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            let index = tails.partitioningIndex { numbers[$0] >= number }
            if index > 0 { previous[position] = tails[index - 1] }
            if index < tails.count { tails[index] = position } else { tails.append(position) }
        }
        var positions: [Int] = []
        var next = tails.last ?? -1
        while next >= 0 {
            positions.append(next)
            next = previous[next]
        }
        return positions.reversed()
    }
}
