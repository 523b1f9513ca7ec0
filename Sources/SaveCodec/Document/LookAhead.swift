/// Reads what is to be written next.
///
/// The pairs of a wide dictionary, written in the order of their keys, stand here and there in the image, and the
/// processor waits for each: for its reference, for its offset, and for the object. Asked for many of each at once, which
/// do not depend on each other, it waits once.
struct LookAhead {
    /// For how many pairs at once; what is read should still be in the nearest memory when it is written.
    static let length = 16

    private var places = [Int](repeating: 0, count: 2 * length)
    /// The sum of what was read, so that it is read.
    private var sum: UInt8 = 0

    /// Reads the first bytes of the next keys and values from a position on.
    @inline(never)
    mutating func touch(_ dictionary: StoredObject, _ positions: [UInt32], from start: Int, of document: Document) {
        let count = min(Self.length, positions.count - start)
        for index in 0..<count {
            let position = Int(positions[start + index])
            places[2 * index] = document.key(position, of: dictionary).index
            places[2 * index + 1] = document.value(position, of: dictionary).index
        }
        for index in 0..<2 * count { places[index] = document.offset(of: ObjectID(places[index])) ?? 0 }
        for index in 0..<2 * count { sum &+= document.image[places[index]] }
    }
}
