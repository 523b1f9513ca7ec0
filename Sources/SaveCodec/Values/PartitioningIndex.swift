extension RandomAccessCollection {
    /// Returns the index of the first element that satisfies a condition, or the end index if none does. The elements
    /// that do not satisfy it must precede those that do.
    ///
    /// Takes logarithmic time.
    @inlinable
    package func partitioningIndex(where isLater: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if isLater(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
