import KeyedArchives
import SaveCodec

/// How a given value becomes one of the type that is stored where it is to stand.
///
///     stored         given      becomes
///     real 10.5      12         real 12.0
///     real32 0.5     0.1        real32 0.1
///     integer 3      4          integer 4, as wide as the other where that had a width of its own
///     integer 3      4.5        refused: that is another type, and so is 4.0 where only types count (``Node/whole(for:)``)
///     null           anything   what was given, and so does null anywhere: it has no type
enum Setting: Equatable {
    /// The value stands as it was given.
    case asGiven
    /// The value is an integer of this width.
    case integer(StoredInteger)
    /// The value is a real of eight bytes.
    case real64(Double)
    /// The value is a real of four bytes; whether that is not quite what was given.
    case real32(Float, isRounded: Bool)
    /// The value is of another type.
    case otherType

    /// What becomes of a scalar; nil for a container.
    ///
    /// - Parameters:
    ///   - literal: the digits of the number as they were given.
    ///   - present: the scalar that stands there; nil for a container.
    init?(_ given: Node?, _ literal: String?, for present: Node?) {
        switch (given, present) {
        case (.null, _), (_, .null): self = .asGiven
        case (nil, _): return nil
        case (.integer(let new), .integer(let old)): self = .integer(Self.keepingWidth(of: old, new))
        case (.integer(let new), .real64): self = Double(exactly: new.value).map { .real64($0) } ?? .otherType
        case (.integer(let new), .real32):
            self = Float(exactly: new.value).map { .real32($0, isRounded: false) } ?? .otherType
        case (.real64(let new), .real32): self = Self.rounded(new, literal)
        case (.real32, .real32), (.real64, .real64): self = .asGiven
        case (let new?, let old): self = new.kind == old?.kind && new.kind != .real ? .asGiven : .otherType
        }
    }

    /// Core Foundation stores an integer in the least width; others that are stored wider are to stay so.
    private static func keepingWidth(of old: StoredInteger, _ new: StoredInteger) -> StoredInteger {
        guard old.width > StoredInteger(old.value).width else { return StoredInteger(new.value) }
        return StoredInteger(new.value, width: old.width) ?? StoredInteger(new.value)
    }

    private static func rounded(_ value: Double, _ literal: String?) -> Setting {
        let nearest = literal.flatMap { Float($0) } ?? Float(value)
        // Beyond the range of four bytes everything would be infinite.
        guard nearest.isFinite || !value.isFinite else { return .otherType }
        let isExact = Double(nearest) == value || value.isNaN || Double(nearest.description) == value
        return .real32(nearest, isRounded: !isExact)
    }
}

extension Node {
    /// The integer that a real such as 4.0 is exactly, where an integer stands; else the scalar as it is. Of −0.0 no
    /// integer has the sign.
    func whole(for present: Node) -> Node {
        guard case .integer = present, case .real64(let real) = self, let integer = Int128(exactly: real),
            integer != 0 || real.sign == .plus
        else { return self }
        return .integer(StoredInteger(integer))
    }
}
