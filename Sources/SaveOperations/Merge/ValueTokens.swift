import KeyedArchives

/// Numbers by which values of two views are known to be equal.
struct ValueTokens {
    private let equality: Equality
    private var hashesOurs: ScalarHashes
    private var hashesTheirs: ScalarHashes

    init(_ ours: ObjectView, _ theirs: ObjectView) {
        let (before, after) = ComparedGraph.sides(ours, theirs)
        equality = Equality(before, after)
        hashesOurs = equality.scalarHashes
        hashesTheirs = equality.scalarHashes
    }

    mutating func ours(_ id: ViewID) -> UInt64 { equality.token(of: id, isAfter: false, &hashesOurs) }

    mutating func theirs(_ id: ViewID) -> UInt64 { equality.token(of: id, isAfter: true, &hashesTheirs) }
}
