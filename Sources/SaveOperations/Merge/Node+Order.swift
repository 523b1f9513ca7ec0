import KeyedArchives
import SaveCodec

/// Numbers and dates as rules compare them.
extension Node {
    /// Less than, equal to or greater than zero as a number or a date is less than, equal to or greater than another,
    /// exactly; nil for what has no order, NaN included.
    func order(comparedTo other: Node) -> Int? {
        if case .date(let a) = self, case .date(let b) = other {
            return Node.real64(a).order(comparedTo: .real64(b))
        }
        guard let a = exactNumber, let b = other.exactNumber else { return nil }
        return a < b ? -1 : b < a ? 1 : 0
    }

    /// The value of a number but NaN.
    private var exactNumber: Number? {
        guard let real else { return integer.map { .integer($0) } }
        return real.isNaN ? nil : .real(real)
    }

    /// The value of a real.
    var real: Double? {
        switch self {
        case .real32(let value): Double(value)
        case .real64(let value): value
        default: nil
        }
    }

    /// The value of a whole number.
    var integer: Int128? {
        if case .integer(let integer) = self { integer.value } else { nil }
    }

    /// The value of a number, rounded.
    var number: Double? { real ?? integer.map { Double($0) } }

    var isNumber: Bool { number != nil }
}

extension ObjectView {
    /// Whether a value is a number or a date.
    func isOrdered(_ id: ViewID) -> Bool {
        guard let node = scalar(id) else { return false }
        return node.order(comparedTo: node) != nil
    }
}
