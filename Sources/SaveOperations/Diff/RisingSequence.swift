/// The longest rising subsequence of a list of numbers (Fredman 1975), in n log n.
enum RisingSequence {
    /// The positions of its members.
    static func positions(in numbers: [Int]) -> [Int] {
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, tails.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = tails[low - 1] }
            if low < tails.count { tails[low] = position } else { tails.append(position) }
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
