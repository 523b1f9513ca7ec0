package import SaveCodec

/// Annotations of numbers, index sets and geometry.
extension ObjectFields {
    // MARK: Numbers

    var decimal: String? {
        guard let stored = storedDecimal else { return nil }
        if stored.words.isEmpty { return stored.isNegative ? "NaN" : "0" }
        let mantissa = stored.words.reversed().reduce(UInt128(0)) { $0 << 16 | UInt128($1) }
        return (stored.isNegative ? "-" : "") + Self.decimal(mantissa, exponent: stored.exponent)
    }

    /// The number as NSDecimalNumber stores it; nil if the fields are not as the class prescribes.
    package var storedDecimal: StoredDecimal? {
        guard let exponent = integer("NS.exponent"), (-128...127).contains(exponent),
            let length = integer("NS.length"), (0...8).contains(length), let isNegative = boolean("NS.negative"),
            let bytes = data("NS.mantissa"), bytes.count == 16, let order = integer("NS.mantissa.bo"),
            order == 1 || order == 2
        else { return nil }
        // The words after the length are uninitialized memory.
        let words = (0..<length).map { word in
            let pair = UInt16(truncatingIfNeeded: bytes.littleEndian(at: bytes.startIndex + 2 * word, width: 2))
            return order == 1 ? pair : pair.byteSwapped
        }
        return StoredDecimal(
            words: words, exponent: exponent, isNegative: isNegative, isCompact: boolean("NS.compact") ?? true)
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

    /// The ranges with both ends inclusive: `1–3, 7`.
    var indexSet: String? {
        guard let (count, ranges) = indexRanges(atMost: Self.shownCount) else { return nil }
        if count == 0 { return "empty" }
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound - 1)" }
        return texts.joined(separator: ", ") + (count > ranges.count ? ", …" : "")
    }

    /// Returns the number of ranges in an index set and at most `limit` of them, or nil if the fields are not as the
    /// class prescribes.
    package func indexRanges(atMost limit: Int) -> (count: Int, ranges: [Range<Int>])? {
        guard let count = integer("NSRangeCount"), count >= 0 else { return nil }
        let numbers: [Int]? =
            switch count {
            case 0: []
            case 1: [integer("NSLocation"), integer("NSLength")].compactMap { $0 }
            default: data("NSRangeData").flatMap { Self.numbers(in: $0, count: min(count, limit), each: 2) }
            }
        guard let numbers, numbers.count == 2 * min(count, limit) else { return nil }
        var ranges: [Range<Int>] = []
        for position in stride(from: 0, to: numbers.count, by: 2) {
            let (location, length) = (numbers[position], numbers[position + 1])
            let (end, isBeyond) = location.addingReportingOverflow(length)
            guard location >= 0, length > 0, !isBeyond else { return nil }
            ranges.append(location..<end)
        }
        return (count, ranges)
    }

    var indexPath: String? {
        guard let count = integer("NSIndexPathLength"), count >= 0 else { return nil }
        if count == 0 { return "[]" }
        if count == 1 { return integer("NSIndexPathValue").map { "[\($0)]" } }
        guard let bytes = data("NSIndexPathData") else { return nil }
        let shown = min(count, Self.shownCount)
        guard
            let indices = GNUstepIndices(bytes, count: count)?.first(shown)
                ?? Self.numbers(in: bytes, count: shown, each: 1)
        else { return nil }
        let texts = indices.map(String.init) + (count > Self.shownCount ? ["…"] : [])
        return "[" + texts.joined(separator: ", ") + "]"
    }

    /// The number of elements that are shown of a long list.
    private static let shownCount = 8

    /// Reads the numbers of the first `count` groups of `size` numbers each, see ``PackedNumbers``.
    ///
    /// - Returns: The numbers, or nil if the bytes end early or a number is too large.
    private static func numbers(in bytes: ArraySlice<UInt8>, count: Int, each size: Int) -> [Int]? {
        guard count <= bytes.count else { return nil }
        var packed = PackedNumbers(bytes)
        var numbers: [Int] = []
        for _ in 0..<count * size {
            guard let number = (try? packed.next()).flatMap({ Int(exactly: $0) }) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    // MARK: Geometry

    /// The point, size, rectangle, range, transform or insets in an NSValue.
    var geometry: String? {
        switch storedGeometry {
        case .text(let field, _): text(field).flatMap(VectorText.text)
        case .numbers(let fields, let isMatrix): vector(isMatrix ? "[" : "{", fields)
        case nil: nil
        }
    }

    /// The layout of the numbers in an `NSValue`.
    enum StoredGeometry {
        /// As text such as `{1, 2}` with `count` numbers, in this field.
        case text(String, count: Int)
        /// As a number in each of these fields.
        case numbers([String], isMatrix: Bool)
    }

    private var storedGeometry: StoredGeometry? {
        switch integer("NS.special") {
        case 1: .text("NS.pointval", count: 2)
        case 2: .text("NS.sizeval", count: 2)
        case 3: .text("NS.rectval", count: 4)
        case 4: .numbers(["NS.rangeval.location", "NS.rangeval.length"], isMatrix: false)
        case 10: .numbers(["a", "b", "c", "d", "tx", "ty"].map { "NS.atval." + $0 }, isMatrix: true)
        case nil: nil
        default:
            [["top", "left", "bottom", "right"].map { "NS.edgeval." + $0 }, ["NS.offset.h", "NS.offset.v"]]
                .first { vector("{", $0) != nil }
                .map { .numbers($0, isMatrix: false) }
        }
    }

    /// Returns the new contents of the fields for a text with the syntax of ``geometry``.
    func fields(ofGeometry text: StoredString) -> [(name: String, value: AnnotationFieldValue)]? {
        switch storedGeometry {
        case nil: return nil
        case .text(let field, let count):
            guard let numbers = VectorText.numbers(in: text, count: count) else { return nil }
            let usual = VectorText.text(of: numbers)
            return VectorText.text(of: text) == usual ? [(field, .text(usual))] : nil
        case .numbers(let fields, let isMatrix):
            guard let numbers = VectorText.list(text, isMatrix: isMatrix), numbers.count == fields.count else {
                return nil
            }
            // The numbers of a range must not be negative.
            if integer("NS.special") == 4, !numbers.allSatisfy(\.isCount) { return nil }
            return zip(fields, numbers).map { ($0, $1) }
        }
    }

    private func vector(_ bracket: String, _ names: [String]) -> String? {
        let values = names.compactMap(number)
        guard values.count == names.count else { return nil }
        return bracket + values.joined(separator: ", ") + (bracket == "{" ? "}" : "]")
    }
}

/// The new content of a field that stores part of an annotation.
package enum AnnotationFieldValue: Sendable, Equatable {
    case text(String)
    case data([UInt8])
    case integer(Int128)
    case real(Double)

    /// Whether the value is a non-negative integer of at most 63 bits.
    fileprivate var isCount: Bool {
        if case .integer(let integer) = self { (0...Int128(Int64.max)).contains(integer) } else { false }
    }
}

/// A decimal number as NSDecimalNumber stores it.
package struct StoredDecimal {
    /// The words of the mantissa, the least significant first; empty for 0 and for NaN. NaN is marked as negative.
    package let words: [UInt16]
    /// The power of ten.
    package let exponent: Int
    package let isNegative: Bool
    /// Whether the mantissa has no trailing zeros.
    package let isCompact: Bool

    package init(words: [UInt16], exponent: Int, isNegative: Bool, isCompact: Bool) {
        self.words = words
        self.exponent = exponent
        self.isNegative = isNegative
        self.isCompact = isCompact
    }
}

/// Vectors in text form: `{0, 1.5, -3}`.
package enum VectorText {
    /// Returns the text of data with 3, 4 or 16 little-endian four-byte reals, or nil for data of another size.
    static func text(of bytes: ArraySlice<UInt8>) -> String? {
        guard [12, 16, 64].contains(bytes.count) else { return nil }
        let components = stride(from: bytes.startIndex, to: bytes.endIndex, by: 4).compactMap { start in
            ObjectFields.number(
                .real32(Float(bitPattern: UInt32(truncatingIfNeeded: bytes.littleEndian(at: start, width: 4)))))
        }
        return "{" + components.joined(separator: ", ") + "}"
    }

    /// Returns a stored point, size or rectangle with the shortest digits: `{{0, 0}, {12.5, 8}}`. Returns nil for other
    /// text.
    ///
    /// Archivers write the numbers in different ways: `1`, `1.0`, `-388.41632080078125`.
    package static func text(of geometry: StoredString) -> String? {
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

    /// Returns the text of a point or a size from two numbers, or of a rectangle from four: `{{0, 0}, {12.5, 8}}`.
    package static func text(of numbers: [Double]) -> String {
        guard numbers.count == 4 else { return "{" + numbers.map(ObjectFields.number).joined(separator: ", ") + "}" }
        return "{\(text(of: Array(numbers[..<2]))), \(text(of: Array(numbers[2...])))}"
    }

    /// Returns the number of numbers in the text of a point, a size or a rectangle, or nil if it contains other words.
    ///
    /// GNUstep writes names before the numbers: `{x = 0; y = 0}`. The null rectangle has infinite numbers.
    static func count(ofNumbersIn geometry: StoredString) -> Int? {
        guard geometry.count <= 1024 else { return nil }
        let words = geometry.split { "{},;= ".utf16.contains($0) }.map { String(decoding: $0, as: UTF16.self) }
        let numbers = words.filter { !["x", "y", "width", "height"].contains($0) }
        return numbers.allSatisfy { Double($0) != nil } ? numbers.count : nil
    }

    /// Returns the numbers of a point, a size or a rectangle, or nil for other text.
    package static func numbers(in geometry: StoredString, count: Int) -> [Double]? {
        guard let text = text(of: geometry) else { return nil }
        let numbers = text.split(whereSeparator: { "{}, ".contains($0) }).compactMap { Double($0) }
        return numbers.count == count ? numbers : nil
    }

    /// Returns the numbers in `{1, 2.5}`, or in `[1, 2.5]` for a matrix; nil for other text.
    static func list(_ text: StoredString, isMatrix: Bool) -> [AnnotationFieldValue]? {
        guard text.count <= 256 else { return nil }
        let (opening, closing) = isMatrix ? ("[", "]") : ("{", "}")
        let list = text.string
        guard list.hasPrefix(opening), list.hasSuffix(closing), list.utf8.count > 1 else { return nil }
        let words = list.dropFirst().dropLast().split(separator: ",", omittingEmptySubsequences: false)
        var parts: [AnnotationFieldValue] = []
        for word in words {
            let digits = String(word.drop { $0 == " " })
            if let integer = Int128(digits) {
                parts.append(.integer(integer))
            } else if let real = Double(digits), real.isFinite {
                parts.append(.real(real))
            } else {
                return nil
            }
        }
        return parts
    }

    private static func flush(_ digits: inout String, to text: inout String) -> Bool {
        guard !digits.isEmpty else { return true }
        guard let number = Double(digits) else { return false }
        text += ObjectFields.number(number)
        digits = ""
        return true
    }
}

extension ArraySlice<UInt8> {
    /// Returns the unsigned little-endian number of up to eight bytes at `position`.
    func littleEndian(at position: Int, width: Int) -> UInt64 {
        self[position..<position + width].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
