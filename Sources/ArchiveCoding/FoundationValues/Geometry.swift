import KeyedArchives
import SaveCodec

/// A point that is archived like `NSPoint` and `CGPoint`: as text in a field, and as an `NSValue` in a collection or in
/// ``Boxed``.
///
/// `encodePoint:forKey:` writes the text. Text and `NSValue` are read alike. Foundation's `CGPoint` is archived the
/// same way.
public struct ArchivedPoint: Sendable, Hashable, Codable {
    /// The horizontal coordinate.
    public var x: Double
    /// The vertical coordinate.
    public var y: Double

    /// Creates a point.
    public init(x: Double, y: Double) {
        (self.x, self.y) = (x, y)
    }

    /// Decodes the coordinates.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (x, y) = (try container.decode(Double.self), try container.decode(Double.self))
    }

    /// Encodes the coordinates.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(x)
        try container.encode(y)
    }
}

/// A size that is archived like `NSSize` and `CGSize`, see ``ArchivedPoint``.
public struct ArchivedSize: Sendable, Hashable, Codable {
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// Creates a size.
    public init(width: Double, height: Double) {
        (self.width, self.height) = (width, height)
    }

    /// Decodes the width and the height.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (width, height) = (try container.decode(Double.self), try container.decode(Double.self))
    }

    /// Encodes the width and the height.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(width)
        try container.encode(height)
    }
}

/// A rectangle that is archived like `NSRect` and `CGRect`, see ``ArchivedPoint``.
public struct ArchivedRectangle: Sendable, Hashable, Codable {
    /// The corner with the smallest coordinates if the size is positive.
    public var origin: ArchivedPoint
    /// The width and the height.
    public var size: ArchivedSize

    /// Creates a rectangle.
    public init(origin: ArchivedPoint, size: ArchivedSize) {
        (self.origin, self.size) = (origin, size)
    }

    /// Decodes the origin and the size.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (origin, size) = (try container.decode(ArchivedPoint.self), try container.decode(ArchivedSize.self))
    }

    /// Encodes the origin and the size.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(origin)
        try container.encode(size)
    }
}

/// A range of positions that is archived as an `NSValue` of an `NSRange`.
///
/// Foundation's `NSRange` is archived the same way.
public struct ArchivedRange: Sendable, Hashable, Codable {
    /// The first position.
    public var location: Int
    /// The number of positions.
    public var length: Int

    /// Creates a range.
    public init(location: Int, length: Int) {
        (self.location, self.length) = (location, length)
    }

    /// Decodes the location and the length.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        (location, length) = (try container.decode(Int.self), try container.decode(Int.self))
    }

    /// Encodes the location and the length.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(location)
        try container.encode(length)
    }
}

// MARK: - In archives

/// A value that an archive stores as text such as `{1, 2.5}`, alone or in an `NSValue`.
protocol GeometryValue: FoundationValue {
    /// The kind and the field of the value in an `NSValue`.
    static var stored: (kind: Int, field: String) { get }
    /// The number of components.
    static var count: Int { get }
    init(numbers: [Double])
    var numbers: [Double] { get }
}

extension GeometryValue {
    static func read(_ value: ArchivedValue) throws(Problem) -> Self? {
        if case .scalar(.string(let text)) = value.shown.variant {
            guard let numbers = VectorText.numbers(in: text, count: count) else {
                let example = VectorText.text(of: Array(repeating: 0, count: count))
                throw .kind(value, expected: "text such as \(example)")
            }
            return Self(numbers: numbers)
        }
        guard let fields = value.fields(ofClass: "NSValue") else { return nil }
        guard fields.integer("NS.special") == stored.kind, let text = fields.text(stored.field),
            let numbers = VectorText.numbers(in: text, count: count)
        else { throw .brokenFields(value) }
        return Self(numbers: numbers)
    }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        let text = EncodedValue.reference(output.add(geometry: VectorText.text(of: numbers)))
        guard storage == .boxed else { return text }
        return output.object(
            "NSValue", [("NS.special", .number(.integer(Int128(Self.stored.kind)))), (Self.stored.field, text)])
    }
}

extension ArchivedPoint: GeometryValue {
    static var stored: (kind: Int, field: String) { (1, "NS.pointval") }
    static var count: Int { 2 }
    init(numbers: [Double]) { self.init(x: numbers[0], y: numbers[1]) }
    var numbers: [Double] { [x, y] }
}

extension ArchivedSize: GeometryValue {
    static var stored: (kind: Int, field: String) { (2, "NS.sizeval") }
    static var count: Int { 2 }
    init(numbers: [Double]) { self.init(width: numbers[0], height: numbers[1]) }
    var numbers: [Double] { [width, height] }
}

extension ArchivedRectangle: GeometryValue {
    static var stored: (kind: Int, field: String) { (3, "NS.rectval") }
    static var count: Int { 4 }
    init(numbers: [Double]) {
        self.init(
            origin: ArchivedPoint(x: numbers[0], y: numbers[1]),
            size: ArchivedSize(width: numbers[2], height: numbers[3]))
    }
    var numbers: [Double] { origin.numbers + size.numbers }
}

extension ArchivedRange: FoundationValue {
    static func read(_ value: ArchivedValue) throws(Problem) -> ArchivedRange? {
        guard let fields = value.fields(ofClass: "NSValue") else { return nil }
        guard fields.integer("NS.special") == 4,
            let location = fields.number("NS.rangeval.location").flatMap({ Int($0) }),
            let length = fields.number("NS.rangeval.length").flatMap({ Int($0) })
        else { throw .brokenFields(value) }
        return ArchivedRange(location: location, length: length)
    }

    func encoded(in output: ArchiveOutput, _ storage: ValueEncoder.Storage) -> EncodedValue {
        output.object(
            "NSValue",
            [
                ("NS.special", .number(.integer(4))),
                ("NS.rangeval.length", .reference(output.object(.integer(Int128(length))))),
                ("NS.rangeval.location", .reference(output.object(.integer(Int128(location))))),
            ])
    }
}
