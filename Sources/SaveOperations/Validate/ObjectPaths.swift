import KeyedArchive
import SaveCodec

/// The shortest way from the root of a view to each of its values, breadth first.
///
///     {"a": [1], "b": x}     number   value      container   position
///                            0        the root   0           0
///                            1        [1]        0           0
///                            2        x          0           1
///                            3        1          1           0
///
/// Every value is reached once, so cycles end and the work is linear in the number of references.
struct ObjectPaths {
    private let view: ObjectView
    /// The values in the order in which they are reached.
    private var values: [ViewID] = []
    /// By identity, one more than the number of a value; 0 for those that are not reached.
    private var numbers: [UInt32]
    /// By number, the container that a value is reached through, and the position there.
    private var containers: [UInt32] = []
    private var positions: [UInt32] = []

    /// A way of more steps is of no use to anyone.
    private static let longest = 200
    /// As much of a key is told, in code units.
    private static let longestKey = 200
    /// Many findings have a way each, so that all its keys together are bounded as well.
    private static let longestKeys = 4000

    init(_ view: ObjectView) {
        self.view = view
        numbers = [UInt32](repeating: 0, count: view.count)
        reach(view.root, through: 0, at: 0)
        var number = 0
        while number < values.count {
            let contents = view[values[number]].contents
            for position in 0..<contents.count {
                let item = view.item(position, of: contents)
                reach(item.id, through: number, at: position)
                if let key = item.key { reach(key, through: number, at: position) }
            }
            number += 1
        }
    }

    private mutating func reach(_ id: ViewID, through container: Int, at position: Int) {
        guard numbers[id.index] == 0 else { return }
        values.append(id)
        numbers[id.index] = UInt32(truncatingIfNeeded: values.count)
        containers.append(UInt32(truncatingIfNeeded: container))
        positions.append(UInt32(truncatingIfNeeded: position))
    }

    /// The way to an object of the archive; nil if no root leads there, or only one of very many steps or very long keys.
    func path(to uid: UID) -> Address? {
        var number = Int(numbers[view.id(of: uid).index]) - 1
        guard number >= 0 else { return nil }
        var steps: [(container: ViewID, position: Int)] = []
        while number > 0 {
            guard steps.count < Self.longest else { return nil }
            let position = Int(positions[number])
            number = Int(containers[number])
            steps.append((values[number], position))
        }
        var address = Address.root
        var length = 0
        for step in steps.reversed() {
            let item = view.item(step.position, of: view[step.container].contents)
            view.append(
                Outline.PathStep(key: item.key, position: step.position), longest: Self.longestKey, to: &address)
            length += address.tokens.last?.count ?? 0
            guard length <= Self.longestKeys else { return nil }
        }
        return address
    }
}
