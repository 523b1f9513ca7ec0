/// What is left of two lists between elements that keep their order: slots that are gone and slots that have come.
struct SlotGaps {
    /// Slots before and after, in rising order.
    struct Gap {
        let before: [Int]
        let after: [Int]
    }

    private let count: Int
    private let partners: [(slot: Int, kind: SlotStep.Kind)?]
    private let isFree: [Bool]
    private var positions = (before: 0, after: 0)

    init(_ count: Int, _ partners: [(slot: Int, kind: SlotStep.Kind)?], _ isFree: [Bool]) {
        self.count = count
        self.partners = partners
        self.isFree = isFree
    }

    /// The next gap with something on both sides.
    mutating func next() -> Gap? {
        while positions.after <= partners.count, positions.before <= count {
            var after: [Int] = []
            var end = count
            while positions.after < partners.count {
                let slot = positions.after
                positions.after += 1
                if let partner = partners[slot] {
                    guard partner.kind == .kept else { continue }
                    end = partner.slot
                    break
                }
                after.append(slot)
            }
            let before = after.isEmpty ? [] : (positions.before..<max(positions.before, end)).filter { isFree[$0] }
            positions.before = end + 1
            if !before.isEmpty { return Gap(before: before, after: after) }
        }
        return nil
    }
}
