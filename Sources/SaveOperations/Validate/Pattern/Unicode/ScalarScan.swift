/// Asks the standard library about every scalar, without asking about each.
///
/// Planes 4 to 13 are empty, planes 15 and 16 are for private use, and of plane 14 only the beginning has characters:
/// there one scalar speaks for all but the last two of its plane, which are noncharacters.
enum ScalarScan {
    /// The scalars that have a property.
    static func set(where isMember: (Unicode.Scalar.Properties) -> Bool) -> CodePointSet {
        CodePointSet(runs(of: isMember).filter(\.value).map(\.points))
    }

    /// The runs of scalars with one value, in rising order.
    static func runs<Value: Equatable>(
        of value: (Unicode.Scalar.Properties) -> Value
    ) -> [(points: ClosedRange<UInt32>, value: Value)] {
        var runs: [(points: ClosedRange<UInt32>, value: Value)] = []
        var next: UInt32 = 0
        while next <= CodePointSet.last {
            let points = next...lastAlike(next)
            next = points.upperBound + 1
            guard let found = Unicode.Scalar(points.lowerBound).map({ value($0.properties) }) else { continue }
            if let last = runs.last, last.value == found, last.points.upperBound + 1 == points.lowerBound {
                runs[runs.count - 1].points = last.points.lowerBound...points.upperBound
            } else {
                runs.append((points, found))
            }
        }
        return runs
    }

    /// The last scalar of which is known that it has the properties of `point`.
    private static func lastAlike(_ point: UInt32) -> UInt32 {
        let isPlain = point >= 0x40000 && !(0xE0000..<0xE1000).contains(point)
        let lastCharacter = point | 0xFFFF - 2
        return isPlain ? max(point, lastCharacter) : point
    }
}
