/// Takes back moves that are more than two changes would be.
///
///     [1, 8, 9, 2]   →   [2, 8, 9, 3]      2 was moved, 1 removed and 3 added, or else
///                                          1 was changed to 2, and 2 to 3
enum MoveReview {
    /// - Parameters:
    ///   - partners: for every slot after the one before; nil for one that is new so far.
    ///   - isFree: for every slot before whether it is gone so far.
    static func run(_ partners: inout [(slot: Int, kind: SlotStep.Kind)?], _ isFree: inout [Bool]) {
        guard partners.contains(where: { $0?.kind == .moved }) else { return }
        let gaps = gapNumbers(partners, isFree.count)
        // How many more slots come than go in each gap.
        var surplus = [Int](repeating: 0, count: isFree.count + 1)
        for slot in isFree.indices where isFree[slot] { surplus[gaps.before[slot]] -= 1 }
        for slot in partners.indices where partners[slot] == nil { surplus[gaps.after[slot]] += 1 }
        for slot in partners.indices {
            guard let partner = partners[slot], partner.kind == .moved else { continue }
            let (from, to) = (gaps.before[partner.slot], gaps.after[slot])
            guard surplus[from] > 0, surplus[to] < 0 else { continue }
            (surplus[from], surplus[to]) = (surplus[from] - 1, surplus[to] + 1)
            partners[slot] = nil
            isFree[partner.slot] = true
        }
    }

    /// In which gap between slots that are kept each slot lies.
    private static func gapNumbers(
        _ partners: [(slot: Int, kind: SlotStep.Kind)?], _ count: Int
    ) -> (before: [Int], after: [Int]) {
        var isKept = [Bool](repeating: false, count: count)
        var after: [Int] = []
        var gap = 0
        for partner in partners {
            after.append(gap)
            guard let partner, partner.kind == .kept else { continue }
            isKept[partner.slot] = true
            gap += 1
        }
        var before: [Int] = []
        gap = 0
        for isKept in isKept {
            before.append(gap)
            if isKept { gap += 1 }
        }
        return (before, after)
    }
}
