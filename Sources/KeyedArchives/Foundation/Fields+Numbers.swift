import SaveCodec

/// What numbers, sets of numbers and geometry stand for.
extension Fields {
    // MARK: Numbers

    /// The decimal digits of a mantissa of up to eight words and a power of ten.
    var decimal: String? {
        guard let exponent = integer("NS.exponent"), (-128...127).contains(exponent),
            let length = integer("NS.length"), (0...8).contains(length), let isNegative = boolean("NS.negative"),
            let bytes = data("NS.mantissa"), bytes.count == 16, let order = integer("NS.mantissa.bo"),
            order == 1 || order == 2
        else { return nil }
        // What is behind the length is whatever was in memory.
        if length == 0 { return isNegative ? "NaN" : "0" }
        var mantissa: UInt128 = 0
        for word in (0..<length).reversed() {
            let pair = bytes.littleEndian(at: bytes.startIndex + 2 * word, width: 2)
            let value = UInt16(truncatingIfNeeded: pair)
            mantissa = mantissa << 16 | UInt128(order == 1 ? value : value.byteSwapped)
        }
        return (isNegative ? "-" : "") + Self.decimal(mantissa, exponent: exponent)
    }

    private static func decimal(_ mantissa: UInt128, exponent: Int) -> String {
        let digits = String(mantissa)
        guard exponent < 0 else { return digits + String(repeating: "0", count: mantissa == 0 ? 0 : exponent) }
        let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
        return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
    }

    var measurement: String? {
        guard let value = number("NS.value"), let symbol = fields("NS.unit")?.text("NS.symbol") else { return nil }
        return symbol.isEmpty ? value : "\(value) \(Self.shown(symbol))"
    }

    // MARK: Sets of indices

    /// Ranges with both ends: `1–3, 7`.
    var indexSet: String? {
        guard let count = integer("NSRangeCount"), count >= 0 else { return nil }
        if count == 0 { return "empty" }
        if count == 1 {
            guard let location = integer("NSLocation"), let length = integer("NSLength") else { return nil }
            return Self.range(location, length)
        }
        guard let bytes = data("NSRangeData"), let numbers = Self.numbers(in: bytes, count: count, each: 2) else {
            return nil
        }
        let ranges = stride(from: 0, to: numbers.count, by: 2).map { Self.range(numbers[$0], numbers[$0 + 1]) }
        let texts = ranges.compactMap { $0 }
        guard texts.count == ranges.count else { return nil }
        return texts.joined(separator: ", ") + (count > Self.shownCount ? ", …" : "")
    }

    private static func range(_ location: Int, _ length: Int) -> String? {
        guard location >= 0, length > 0 else { return nil }
        let (last, isBeyond) = location.addingReportingOverflow(length - 1)
        guard !isBeyond else { return nil }
        return length == 1 ? "\(location)" : "\(location)–\(last)"
    }

    var indexPath: String? {
        guard let count = integer("NSIndexPathLength"), count >= 0 else { return nil }
        if count == 0 { return "[]" }
        if count == 1 { return integer("NSIndexPathValue").map { "[\($0)]" } }
        guard let bytes = data("NSIndexPathData"), let indices = Self.numbers(in: bytes, count: count, each: 1)
        else { return nil }
        let texts = indices.map(String.init) + (count > Self.shownCount ? ["…"] : [])
        return "[" + texts.joined(separator: ", ") + "]"
    }

    /// Of a long list so many are shown.
    private static let shownCount = 8

    /// The first numbers of a list of groups of numbers: seven bits a byte, the least significant first, a high bit where
    /// more follow (LEB128). nil if there are too few bytes.
    private static func numbers(in bytes: ArraySlice<UInt8>, count: Int, each size: Int) -> [Int]? {
        var numbers: [Int] = []
        var position = bytes.startIndex
        for _ in 0..<min(count, shownCount) * size {
            var value: UInt64 = 0
            var shift: UInt64 = 0
            var isOpen = true
            while isOpen {
                guard position < bytes.endIndex, shift < 63 else { return nil }
                value |= UInt64(bytes[position] & 0x7F) << shift
                isOpen = bytes[position] & 0x80 != 0
                position += 1
                shift += 7
            }
            numbers.append(Int(value))
        }
        return numbers
    }

    // MARK: Geometry

    /// A point, a size, a rectangle, a range, a transform or insets, as NSValue has them.
    var geometry: String? {
        switch integer("NS.special") {
        case 1: text("NS.pointval").flatMap(VectorText.text)
        case 2: text("NS.sizeval").flatMap(VectorText.text)
        case 3: text("NS.rectval").flatMap(VectorText.text)
        case 4: vector("{", ["NS.rangeval.location", "NS.rangeval.length"])
        case 10: vector("[", ["a", "b", "c", "d", "tx", "ty"].map { "NS.atval." + $0 })
        case nil: nil
        default:
            vector("{", ["top", "left", "bottom", "right"].map { "NS.edgeval." + $0 })
                ?? vector("{", ["NS.offset.h", "NS.offset.v"])
        }
    }

    private func vector(_ bracket: String, _ names: [String]) -> String? {
        let values = names.compactMap(number)
        guard values.count == names.count else { return nil }
        return bracket + values.joined(separator: ", ") + (bracket == "{" ? "}" : "]")
    }
}

/// Vectors as text: `{0, 1.5, -3}`.
enum VectorText {
    /// Data of 3, 4 or 16 reals of four bytes each, the least significant first.
    static func text(of bytes: ArraySlice<UInt8>) -> String? {
        guard [12, 16, 64].contains(bytes.count) else { return nil }
        let components = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).compactMap { start in
            Fields.number(
                .real32(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.littleEndian(at: start, width: 4)))))
        }
        return "{" + components.joined(separator: ", ") + "}"
    }

    /// A point, a size or a rectangle, stored as text, with the shortest digits: `{{0, 0}, {12.5, 8}}`. nil for anything
    /// else.
    ///
    /// Archivers write the numbers in different ways: `1`, `1.0`, `-388.41632080078125`.
    static func text(of geometry: StoredString) -> String? {
        guard geometry.count <= 256 else { return nil }
        var text = ""
        var number = ""
        for character in geometry.string {
            guard "{}, ".contains(character) else {
                number.append(character)
                continue
            }
            guard flush(&number, to: &text) else { return nil }
            if character != " " { text += character == "," ? ", " : String(character) }
        }
        return number.isEmpty && text.hasPrefix("{") && text.hasSuffix("}") ? text : nil
    }

    private static func flush(_ digits: inout String, to text: inout String) -> Bool {
        guard !digits.isEmpty else { return true }
        guard let number = Double(digits) else { return false }
        text += Fields.number(number)
        digits = ""
        return true
    }
}

extension ArraySlice<UInt8> {
    /// The unsigned number stored in up to eight bytes at `position`, the least significant first.
    func littleEndian(at position: Int, width: Int) -> UInt64 {
        self[position..<position + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
