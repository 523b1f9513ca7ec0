/// A copy of a damaged binary property list that differs from it only in damaged bytes. It has the same objects at the
/// same offsets:
///
///     damaged   header  #0  #1  ??????  #4  #5  table
///     copy      header  #0  #1  #2  #3  #4  #5  table      #2 and #3 are the lost objects, or older ones
///
/// The objects that the damaged file lost are then known without a comparison of the values.
package struct IntactCopy {
    /// The bytes of the copy.
    package let bytes: [UInt8]
    /// The number of bytes before each offset of the damaged file that differ from the copy.
    private let differences: [Int]

    /// Compares a copy with a damaged file; nil if they differ where the file shows no damage.
    ///
    /// - Parameters:
    ///   - losses: The losses of the damaged file, with their ranges in its bytes.
    package init?(_ copy: Document, of damaged: [UInt8], _ losses: [SalvageLoss]) {
        let (end, count) = (copy.table.start, damaged.count)
        guard copy.isFile, copy.has(.objectTable), count <= copy.image.count, count > 8 else { return nil }
        bytes = copy.image
        // The changes, at each offset, of the numbers of lost and doubtful values around it.
        var changes = [(lost: Int, doubtful: Int)](repeating: (0, 0), count: count + 1)
        for loss in losses {
            guard let range = loss.range, range.lowerBound >= 0, range.upperBound <= count else { continue }
            if loss.kind == .doubtful {
                changes[range.lowerBound].doubtful += 1
                changes[range.upperBound].doubtful -= 1
            } else {
                changes[range.lowerBound].lost += 1
                changes[range.upperBound].lost -= 1
            }
        }
        var differences = [0]
        differences.reserveCapacity(count + 1)
        var (lost, doubtful, soundCount, doubtfulCount) = (0, 0, 0, 0)
        var contradictsDoubtful = false
        for offset in 0..<count {
            lost += changes[offset].lost
            doubtful += changes[offset].doubtful
            let isEqual = damaged[offset] == bytes[offset]
            differences.append((differences.last ?? 0) + (isEqual ? 0 : 1))
            // The header is known.
            guard offset >= 8, lost == 0 else { continue }
            if isEqual {
                if doubtful == 0, offset < end { soundCount += 1 } else { doubtfulCount += 1 }
            } else {
                guard doubtful > 0 else { return nil }
                contradictsDoubtful = true
            }
        }
        // A version with other objects may agree by chance with the little that is sound.
        guard contradictsDoubtful ? 8 * soundCount >= end - 8 : soundCount + doubtfulCount > 0 else { return nil }
        // A copy with the same bytes has the same damage, and proves nothing.
        guard !losses.isEmpty, differences.last != 0 || count < bytes.count else { return nil }
        self.differences = differences
    }

    /// Whether a range of the damaged file has the same bytes in the copy.
    package func agrees(in range: Range<Int>) -> Bool {
        range.lowerBound >= 0 && range.upperBound < differences.count
            && differences[range.lowerBound] == differences[range.upperBound]
    }
}
