import KeyedArchives
import SaveCodec

/// The conversion of a given scalar to the type of the scalar that it replaces.
///
///     present        given      result
///     real 10.5      12         real 12.0
///     real32 0.5     0.1        real32 0.1
///     integer 3      4          integer 4, with the width of the present one if that is wider than necessary
///     integer 3      4.5        refused as another type; so is 4.0 unless ``Node/whole(for:)`` was applied first
///     null           anything   as given; null is accepted for any type
enum GivenScalarConversion: Equatable {
    case asGiven
    /// An integer of the present width.
    case integer(StoredInteger)
    case real64(Double)
    /// A real of four bytes, and whether it differs from the given number.
    case real32(Float, isRounded: Bool)
    case otherType

    /// Creates the conversion of a scalar; nil for a container.
    ///
    /// - Parameters:
    ///   - literal: The digits of the number as given.
    ///   - present: The present scalar; nil for a container.
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

    /// Returns the new integer in the width of the present one, if that is wider than necessary. Otherwise returns it
    /// in the smallest width, like Core Foundation.
    private static func keepingWidth(of old: StoredInteger, _ new: StoredInteger) -> StoredInteger {
        guard old.width > StoredInteger(old.value).width else { return StoredInteger(new.value) }
        return StoredInteger(new.value, width: old.width) ?? StoredInteger(new.value)
    }

    private static func rounded(_ value: Double, _ literal: String?) -> GivenScalarConversion {
        let nearest = literal.flatMap { Float($0) } ?? Float(value)
        // A finite number beyond the range of four bytes would become infinite.
        guard nearest.isFinite || !value.isFinite else { return .otherType }
        let isExact = Double(nearest) == value || value.isNaN || Double(nearest.description) == value
        return .real32(nearest, isRounded: !isExact)
    }
}

extension Node {
    /// Returns the integer that equals a real such as 4.0, if the present value is an integer; otherwise the scalar
    /// itself. −0.0 stays a real, as no integer has its sign.
    func whole(for present: Node) -> Node {
        guard case .integer = present, case .real64(let real) = self, let integer = Int128(exactly: real),
            integer != 0 || real.sign == .plus
        else { return self }
        return .integer(StoredInteger(integer))
    }
}
