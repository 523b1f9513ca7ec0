import KeyedArchives
import SaveCodec

/// The conversion of an encoded scalar to the kind and width of the template's scalar, if that kind can represent the
/// value.
///
///     encoded    10 (Int)     stored    real32 10.5     becomes    real32 10.0
enum ScalarConversion {
    /// The stored scalar already has the value and is kept.
    case same
    case scalar(Scalar, isRounded: Bool)
    /// The stored kind cannot represent the value.
    case impossible

    static let rounding = "the number was rounded to 32 bits, as in the template"

    /// The relation of a new value to the stored scalar that it is stored like.
    enum Relation {
        /// The new value replaces the scalar, which is kept if it has the value.
        case counterpart
        /// The scalar is the same field of another object.
        case sameField
        /// The scalar is another element, which may be of another kind.
        case neighbour
    }

    /// - Parameter source: The file of the stored scalar. A value changes its kind only if it is then read as before.
    init(_ new: Scalar, like stored: Node, _ relation: Relation, in source: ArchivedValueSource) {
        let isPresent = relation == .counterpart
        guard
            Self.isOneKind(new, stored)
                || relation != .neighbour && Self.areInterchangeable(new, stored, in: source)
        else {
            self = .impossible
            return
        }
        func changed(_ isSame: Bool, _ scalar: Scalar) -> ScalarConversion {
            isSame && isPresent ? .same : .scalar(scalar, isRounded: false)
        }
        switch (new, stored) {
        case (.string(let text), .string(let before)):
            // The encoded String has U+FFFD for a lone surrogate, so the stored text is converted in the same way.
            self = changed(before.string.utf16.elementsEqual(text.utf16), new)
        case (.data(let bytes), .data(let before)): self = changed(bytes.elementsEqual(before), new)
        case (.date(let seconds), .date(let before)), (.number(.real64(let seconds)), .date(let before)):
            self = changed(seconds.bitPattern == before.bitPattern, .date(seconds))
        case (.date(let seconds), .integer) where Int128(exactly: seconds) == nil:
            self = .scalar(.number(.real64(seconds)), isRounded: false)
        case (.date(let seconds), .integer), (.date(let seconds), .real32), (.date(let seconds), .real64):
            self = Self.real(seconds, isSingle: false, like: stored, isPresent: isPresent)
        case (.number(.boolean(let value)), .boolean(let before)): self = changed(value == before, new)
        case (.number(.boolean(let value)), .integer(let before)):
            self = changed(before.value == (value ? 1 : 0), .number(.integer(value ? 1 : 0)))
        case (.number(.integer(let value)), .integer(let before)): self = changed(value == before.value, new)
        case (.number(.integer(let value)), .boolean(let before)):
            let isBoolean = value == 0 || value == 1
            self = isBoolean ? changed(value == (before ? 1 : 0), .number(.boolean(value == 1))) : .impossible
        case (.number(.integer(let value)), .real32), (.number(.integer(let value)), .real64):
            let real = Double(exactly: value)
            self = real.map { Self.real($0, isSingle: false, like: stored, isPresent: isPresent) } ?? .impossible
        case (.number(.real32(let value)), _):
            self = Self.real(Double(value), isSingle: true, like: stored, isPresent: isPresent)
        case (.number(.real64(let value)), _):
            self = Self.real(value, isSingle: false, like: stored, isPresent: isPresent)
        default: self = .impossible
        }
    }

    private static func isOneKind(_ new: Scalar, _ stored: Node) -> Bool {
        switch (new, stored) {
        case (.string, .string), (.data, .data), (.date, .date), (.number(.boolean), .boolean): true
        case (.number(.boolean), _): false
        case (.number, .integer), (.number, .real32), (.number, .real64): true
        default: false
        }
    }

    /// Whether a value of one kind may be stored as another.
    private static func areInterchangeable(_ new: Scalar, _ stored: Node, in source: ArchivedValueSource) -> Bool {
        switch (new, stored) {
        case (.date, .integer), (.date, .real32), (.date, .real64): source.readsNumbersAsDates
        case (.number, .date): source.archive != nil
        case (.number(.boolean), .integer), (.number, .boolean): !source.distinguishesBooleans
        default: false
        }
    }

    /// - Parameter isSingle: Whether the value comes from a `Float`, into which a stored number may have been rounded.
    private static func real(_ value: Double, isSingle: Bool, like stored: Node, isPresent: Bool) -> ScalarConversion {
        func isSame(_ before: Double) -> Bool {
            let before = isSingle ? Double(Float(before)) : before
            return isPresent && (before.bitPattern == value.bitPattern || before.isNaN && value.isNaN)
        }
        switch stored {
        case .real32(let before):
            if isSame(Double(before)) { return .same }
            let single = Float(value)
            guard single.isFinite || !value.isFinite else { return .impossible }
            return .scalar(.number(.real32(single)), isRounded: Double(single) != value && !value.isNaN)
        case .real64(let before):
            return isSame(before) ? .same : .scalar(.number(.real64(value)), isRounded: false)
        case .integer(let before):
            if isSame(Double(before.value)) { return .same }
            return Int128(exactly: value).map { .scalar(.number(.integer($0)), isRounded: false) } ?? .impossible
        case .boolean(let before):
            if isSame(before ? 1 : 0) { return .same }
            return value == 0 || value == 1 ? .scalar(.number(.boolean(value == 1)), isRounded: false) : .impossible
        default: return .impossible
        }
    }
}

extension Scalar {
    /// Creates the scalar of a node; nil for null, UIDs and containers.
    init?(_ node: Node) {
        switch node {
        case .boolean(let value): self = .number(.boolean(value))
        case .integer(let integer): self = .number(.integer(integer.value))
        case .real32(let value): self = .number(.real32(value))
        case .real64(let value): self = .number(.real64(value))
        case .date(let seconds): self = .date(seconds)
        case .data(let bytes): self = .data(Array(bytes))
        case .string(let text): self = .string(text.string)
        case .null, .uid, .array, .set, .dictionary: return nil
        }
    }
}
