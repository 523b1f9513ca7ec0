import KeyedArchives
package import SaveCodec

/// A conversion of a field's values to another type, unit or storage. Null stays null.
///
///     {"type": "real", "multiplyBy": 0.01, "stored": "object"}      150 in place ─▶ 1.5 as an object
package struct FieldConversion: Sendable {
    /// The target type of a conversion.
    package enum ValueType: String, Sendable, CaseIterable {
        case integer, real, real32, string, boolean, date
    }

    /// The storage of a scalar in an archive. The raw values are those of the schema keyword `x-stored`.
    package enum Storage: String, Sendable, CaseIterable {
        case inPlace = "in-place"
        case object
    }

    /// The target type; nil to keep the type of each value.
    let type: ValueType?
    /// The factor that numbers are multiplied by; nil for none.
    let factor: Number?
    /// The target storage; nil to keep the storage of each value.
    let storage: Storage?

    package init(type: ValueType?, factor: Number?, storage: Storage?) {
        (self.type, self.factor, self.storage) = (type, factor, storage)
    }

    enum Result {
        case same
        case number(Number, ValueType)
        case text(String)
        case impossible
    }

    func result(for node: Node) -> Result {
        if case .null = node { return .same }
        let present = ValueType(node)
        guard let target = type ?? present else { return factor == nil ? .same : .impossible }
        if target == present, factor == nil { return .same }
        if target == .string, factor == nil, let text = Self.text(of: node) { return .text(text) }
        guard var number = Self.number(of: node, for: target) else { return .impossible }
        if let factor {
            // Dates and booleans have no unit. A text has none unless it becomes a number.
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
            guard Float(number.rounded).isFinite || !number.isFinite else { return .impossible }
            return .number(number, type)
        case .string: return .text(text(of: number))
        case .real, .boolean, .date: return .number(number, type)
        }
    }

    /// Returns a number rounded to the nearest integer; nil outside the range of 64-bit signed and unsigned integers.
    private static func integer(_ number: Number) -> Int128? {
        switch number {
        case .integer(let value): return (Int128(Int64.min)...Int128(UInt64.max)).contains(value) ? value : nil
        case .real, .single:
            let rounded = number.rounded.rounded()
            guard rounded.isFinite, abs(rounded) < 0x1p65 else { return nil }
            return integer(.integer(Int128(rounded)))
        }
    }

    private static func product(_ a: Number, _ b: Number) -> Number? {
        guard case .integer(let a) = a, case .integer(let b) = b else { return .real(a.rounded * b.rounded) }
        let (product, overflow) = a.multipliedReportingOverflow(by: b)
        return overflow ? nil : .integer(product)
    }

    private static func text(of number: Number) -> String {
        switch number {
        case .integer(let value): "\(value)"
        case .real(let value): ScalarText.real(value)
        case .single(let value): ScalarText.real(value)
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

    /// Returns the number that a value holds or represents. For a date, this is seconds since 2001, as in NSDate.
    private static func number(of node: Node, for target: ValueType) -> Number? {
        switch node {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .date(let seconds): .real(seconds)
        case .string(let text): number(of: text, for: target)
        default: Number(node)
        }
    }

    private static func number(of text: StoredString, for target: ValueType) -> Number? {
        // A text may be of any length, but no number is longer than this.
        guard text.count <= longestNumber else { return nil }
        if target == .date { return ScalarText.seconds(ofDate: text).map { .real($0) } }
        let word = text.string
        if target == .boolean, let value = Bool(word) { return .integer(value ? 1 : 0) }
        return Int128(word).map { .integer($0) } ?? Double(word).flatMap { $0.isFinite ? .real($0) : nil }
    }

    private static let longestNumber = 1000
}

extension FieldConversion.ValueType {
    /// The type of a scalar; nil if values cannot be converted to that type.
    fileprivate init?(_ node: Node) { self.init(rawValue: node.typeName) }

    fileprivate var isNumber: Bool { [.integer, .real, .real32].contains(self) }
}

extension Draft {
    /// Returns the converted scalar; nil if it cannot be converted.
    mutating func converted(_ id: ID, _ conversion: FieldConversion) -> ID? {
        guard let node = scalar(id) else { return nil }
        switch conversion.result(for: node) {
        case .same: return id
        case .impossible: return nil
        case .text(let text): return add(string: text.utf16)
        case .number(let number, let type): return add(number, as: type)
        }
    }

    private mutating func add(_ number: Number, as type: FieldConversion.ValueType) -> ID {
        switch (type, number) {
        case (.integer, .integer(let value)): add(.integer(StoredInteger(value)))
        case (.boolean, _): add(.boolean(number.rounded != 0))
        case (.date, _): add(.date(number.rounded))
        case (.real32, _): add(.real32(Float(number.rounded)))
        default: add(.real64(number.rounded))
        }
    }
}
