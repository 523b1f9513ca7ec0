import KeyedArchives
import SaveCodec

/// Another type, another unit or another stored form of the values of a field. Null stays null.
///
///     {"type": "real", "multiplyBy": 0.01, "stored": "object"}      150 in place ─▶ 1.5 as an object
package struct FieldConversion: Sendable {
    /// What a value may become.
    package enum ValueType: String, Sendable, CaseIterable {
        case integer, real, real32, string, boolean, date
    }

    /// How an archive stores a scalar, in the words of `x-stored`.
    package enum Storage: String, Sendable, CaseIterable {
        case inPlace = "in-place"
        case object
    }

    /// A number on its way from one type to another.
    package enum Number: Sendable, Equatable {
        case integer(Int128)
        case real(Double)

        var real: Double {
            switch self {
            case .integer(let value): Double(value)
            case .real(let value): value
            }
        }
    }

    /// The type; nil for that which a value has.
    let type: ValueType?
    /// What numbers are multiplied by; nil for nothing.
    let factor: Number?
    /// How values are stored; nil for as they are.
    let storage: Storage?

    package init(type: ValueType?, factor: Number?, storage: Storage?) {
        (self.type, self.factor, self.storage) = (type, factor, storage)
    }
}

extension FieldConversion {
    /// A value that has been converted.
    enum Result {
        /// It is as it was.
        case same
        case number(Number, ValueType)
        case text(String)
        /// It cannot be converted.
        case impossible
    }

    /// What becomes of a scalar.
    func result(for node: Node) -> Result {
        if case .null = node { return .same }
        let present = ValueType(node)
        guard let target = type ?? present else { return factor == nil ? .same : .impossible }
        if target == present, factor == nil { return .same }
        if target == .string, factor == nil, let text = Self.text(of: node) { return .text(text) }
        guard var number = Self.number(of: node, for: target) else { return .impossible }
        if let factor {
            // A date and a boolean have no unit, and a text has none unless it is made a number.
            guard type != nil || present?.isNumber == true, let product = Self.product(number, factor) else {
                return .impossible
            }
            number = product
        }
        return Self.result(number, as: target)
    }

    private static func result(_ number: Number, as type: ValueType) -> Result {
        switch type {
        case .integer:
            guard let integer = integer(number) else { return .impossible }
            return .number(.integer(integer), type)
        case .real32:
            guard Float(number.real).isFinite || !number.real.isFinite else { return .impossible }
            return .number(number, type)
        case .string: return .text(text(of: number))
        case .real, .boolean, .date: return .number(number, type)
        }
    }

    /// A number as an integer, rounded to the nearest; nil beyond the 64 bits that readers take.
    private static func integer(_ number: Number) -> Int128? {
        switch number {
        case .integer(let value): return (Int128(Int64.min)...Int128(UInt64.max)).contains(value) ? value : nil
        case .real(let value):
            let rounded = value.rounded()
            guard rounded.isFinite, abs(rounded) < 0x1p65 else { return nil }
            return integer(.integer(Int128(rounded)))
        }
    }

    private static func product(_ a: Number, _ b: Number) -> Number? {
        guard case .integer(let a) = a, case .integer(let b) = b else { return .real(a.real * b.real) }
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? nil : .integer(product)
    }

    private static func text(of number: Number) -> String {
        switch number {
        case .integer(let value): "\(value)"
        case .real(let value): ScalarText.real(value)
        }
    }

    private static func text(of node: Node) -> String? {
        switch node {
        case .boolean(let value): value ? "true" : "false"
        case .date(let seconds): ScalarText.date(seconds)
        case .real32(let value): ScalarText.real(value)
        default: nil
        }
    }

    /// The number that a value is or stands for: a date is the seconds since 2001, as NSDate has it.
    private static func number(of node: Node, for target: ValueType) -> Number? {
        switch node {
        case .integer(let integer): .integer(integer.value)
        case .real32(let value): .real(Double(value))
        case .real64(let value): .real(value)
        case .boolean(let value): .integer(value ? 1 : 0)
        case .date(let seconds): .real(seconds)
        case .string(let text): number(of: text, for: target)
        default: nil
        }
    }

    private static func number(of text: StoredString, for target: ValueType) -> Number? {
        // No number is longer, and a text may be of any length.
        guard text.count <= longestNumber else { return nil }
        if target == .date { return ScalarText.seconds(ofDate: text).map { .real($0) } }
        let word = text.string
        if target == .boolean, let value = Bool(word) { return .integer(value ? 1 : 0) }
        return Int128(word).map { .integer($0) } ?? Double(word).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private static let longestNumber = 1000
}

extension FieldConversion.ValueType {
    /// The type that a scalar has; nil for one that nothing is converted to.
    fileprivate init?(_ node: Node) { self.init(rawValue: node.typeName) }

    fileprivate var isNumber: Bool { [.integer, .real, .real32].contains(self) }
}

extension Draft {
    /// The scalar that a value is converted to; nil for one that cannot be converted.
    mutating func converted(_ id: ID, _ conversion: FieldConversion) -> ID? {
        guard let node = scalar(id) else { return nil }
        switch conversion.result(for: node) {
        case .same: return id
        case .impossible: return nil
        case .text(let text): return add(string: text.utf16)
        case .number(let number, let type): return add(number, as: type)
        }
    }

    private mutating func add(_ number: FieldConversion.Number, as type: FieldConversion.ValueType) -> ID {
        switch (type, number) {
        case (.integer, .integer(let value)): add(.integer(StoredInteger(value)))
        case (.boolean, _): add(.boolean(number.real != 0))
        case (.date, _): add(.date(number.real))
        case (.real32, _): add(.real32(Float(number.real)))
        default: add(.real64(number.real))
        }
    }
}
