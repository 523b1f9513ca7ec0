/// Which values have been visited on a walk; a new walk begins at no cost.
struct VisitMarks {
    /// The number of the last walk that came by, by the number of the value; made at the first walk.
    private var marks: [UInt32] = []
    private var walk: UInt32 = 0

    /// Begins a walk over values with numbers below `limit`.
    mutating func begin(limit: Int) {
        walk &+= 1
        if marks.count < limit || walk == 0 {
            marks = [UInt32](repeating: 0, count: limit)
            walk = 1
        }
    }

    /// Notes a visit; false if it is not the first one.
    mutating func insert(_ value: InstanceID) -> Bool {
        guard marks[value.number] != walk else { return false }
        marks[value.number] = walk
        return true
    }
}
