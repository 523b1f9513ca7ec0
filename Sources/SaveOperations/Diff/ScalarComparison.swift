import KeyedArchives
import SaveCodec

/// Tells scalars of two views apart.
struct ScalarComparison {
    /// How two scalars differ.
    enum Verdict {
        case same, changed, type, `class`
    }

    private let before: ComparedGraph
    private let after: ComparedGraph
    /// Whether it matters if a value is an object or stored in place, and of which class.
    private let areArchives: Bool
    private let looseNumbers: Bool
    private var long = LongScalars()
    /// One more than the identity of the scalar that was last found to be the same, by identity.
    private var same: [UInt32]

    init(_ before: ComparedGraph, _ after: ComparedGraph, looseNumbers: Bool) {
        self.before = before
        self.after = after
        self.looseNumbers = looseNumbers
        areArchives = before.view.archive != nil && after.view.archive != nil
        same = [UInt32](repeating: 0, count: before.view.count)
    }

    /// Whether two keys are the same value.
    mutating func areSameKeys(_ a: ViewID, _ b: ViewID) -> Bool {
        let known = UInt32(truncatingIfNeeded: b.index + 1)
        if same[a.index] == known { return true }
        guard let x = before.scalarObject(a), let y = after.scalarObject(b), areSame(x, a, y, b) else { return false }
        same[a.index] = known
        return true
    }

    private mutating func areSame(_ x: StoredObject, _ a: ViewID, _ y: StoredObject, _ b: ViewID) -> Bool {
        guard x.count == y.count, x.count > ScalarHashes.longCount else {
            return before.document.sameScalar(x, as: y, in: after.document)
        }
        return long.numberBefore(x, a, before, after) == long.numberAfter(y, b, before, after)
    }

    /// How two scalars differ. With a tolerance, reals may be apart.
    mutating func compare(_ a: ViewID, _ b: ViewID, _ tolerance: DifferenceOptions.Tolerance) -> Verdict {
        if areSameKeys(a, b) { return compareStorage(a, b) }
        guard let x = before.scalarObject(a), let y = after.scalarObject(b) else { return .changed }
        if x.isNumber, y.isNumber, looseNumbers || x.isSameType(as: y) {
            return isForgiven(x, y, tolerance) ? compareStorage(a, b) : .changed
        }
        return x.isSameType(as: y) || x.kind == .null || y.kind == .null ? .changed : .type
    }

    /// How two scalars are stored that have the same value.
    private func compareStorage(_ a: ViewID, _ b: ViewID) -> Verdict {
        guard areArchives else { return .same }
        let (isObject, isObjectAfter) = (before.isReferred(a), after.isReferred(b))
        guard isObject || isObjectAfter, let object = before.scalarObject(a) else { return .same }
        if looseNumbers, object.isNumber { return .same }
        if isObject != isObjectAfter, object.kind != .null { return .type }
        return before.classNumber(ofScalar: a) == after.classNumber(ofScalar: b) ? .same : .class
    }

    private func isForgiven(_ x: StoredObject, _ y: StoredObject, _ tolerance: DifferenceOptions.Tolerance) -> Bool {
        if x.kind == .integer, y.kind == .integer {
            return before.document.integer(x) == after.document.integer(y)
        }
        if looseNumbers, isEqual(x, y) { return true }
        guard !tolerance.isNone else { return false }
        return tolerance.covers(before.document.number(x), after.document.number(y))
    }

    /// Whether two numbers are equal by value, exactly.
    private func isEqual(_ x: StoredObject, _ y: StoredObject) -> Bool {
        let (first, second) = (before.document, after.document)
        switch (x.kind == .integer, y.kind == .integer) {
        case (true, true): return first.integer(x) == second.integer(y)
        case (true, false): return Int128(exactly: second.number(y)) == first.integer(x)
        case (false, true): return Int128(exactly: first.number(x)) == second.integer(y)
        case (false, false): return first.number(x) == second.number(y)
        }
    }
}

extension StoredObject {
    /// Whether it is a whole number or a real.
    var isNumber: Bool { kind == .integer || kind == .real }

    /// Whether two scalars have the same type: reals of four and of eight bytes have not.
    func isSameType(as other: StoredObject) -> Bool {
        switch kind {
        case .true, .false: other.kind == .true || other.kind == .false
        case .oneByteString, .utf16String: other.kind.isString
        case .real: other.kind == .real && count == other.count
        default: kind == other.kind
        }
    }

    /// What the type is called.
    var typeName: String {
        switch kind {
        case .null: "null"
        case .true, .false: "boolean"
        case .integer: "integer"
        case .real: count == 4 ? "real32" : "real"
        case .date: "date"
        case .data: "data"
        case .oneByteString, .utf16String: "string"
        case .uid: "UID"
        case .array: "array"
        case .set: "set"
        case .dictionary: "dictionary"
        }
    }
}

extension Document {
    /// The value of a whole number or a real, rounded.
    func number(_ object: StoredObject) -> Double {
        switch object.kind {
        case .integer: Double(integer(object))
        case .real: object.count == 4 ? Double(real32(object)) : real64(object)
        default: .nan
        }
    }
}
