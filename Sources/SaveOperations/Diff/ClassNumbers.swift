import KeyedArchive
import SaveCodec

/// Numbers for class names, the same for the same name in both views; nil for values that have no class.
struct ClassNumbers {
    private var numbers: [[UInt16]: Int32] = [:]

    /// The numbers of the classes of an archive, in their order.
    mutating func numbers(of view: ObjectView) -> [Int32] {
        (view.archive?.classes ?? []).map { number(of: $0.name) }
    }

    mutating func number(of name: Text) -> Int32 {
        let units = Array(name)
        if let number = numbers[units] { return number }
        // Names stand in distinct objects, of which there are fewer than 2^31.
        let number = Int32(truncatingIfNeeded: numbers.count)
        numbers[units] = number
        return number
    }
}
