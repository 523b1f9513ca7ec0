import KeyedArchives
import SaveCodec

/// A comparison of the scalars of two views by value, type, storage and class.
struct ScalarComparison {
    /// The kind of difference between two scalars.
    enum Verdict {
        case same, changed, type, storage, `class`
    }

    private let sides: Sides<ComparedSide>
    /// Whether both views are archives, so that storage and classes count.
    private let areArchives: Bool
    private let looseNumbers: Bool
    /// Whether equal reals of different widths differ in storage.
    private let distinguishesWidths: Bool
    /// Whether the scalars of each side are text.
    private let readsText: Sides<Bool>
    private var long: LongScalars
    /// For each earlier scalar, the later scalar that was last found equal: its ``ViewID/index`` plus one, or 0 for
    /// none.
    private var same: [UInt32]

    init(_ sides: Sides<ComparedSide>, _ options: DifferenceOptions) {
        self.sides = sides
        (looseNumbers, distinguishesWidths) = (options.looseNumbers, options.distinguishesWidths)
        areArchives = sides.before.view.archive != nil && sides.after.view.archive != nil
        readsText = Sides { sides[$0].view.hasTextScalars }
        long = LongScalars(sides)
        same = [UInt32](repeating: 0, count: sides.before.view.count)
    }

    private var before: ObjectView { sides.before.view }

    private var after: ObjectView { sides.after.view }

    /// Whether two scalars, such as keys, are equal by value.
    mutating func areSameKeys(_ a: ViewID, _ b: ViewID) -> Bool {
        let known = UInt32(truncatingIfNeeded: b.index + 1)
        if same[a.index] == known { return true }
        guard let x = before.scalarObject(a), let y = after.scalarObject(b) else { return false }
        let isSame =
            x.count == y.count && x.count > ScalarHashes.longCount
            ? long.number(of: x, id: a, .before) == long.number(of: y, id: b, .after)
            : before.document.sameValue(x, as: y, in: after.document)
        if isSame { same[a.index] = known }
        return isSame
    }

    /// Whether two scalars are equal and stored alike, regardless of the options.
    mutating func areIdentical(_ a: ViewID, _ b: ViewID) -> Bool {
        areSameKeys(a, b) && haveSameWidth(a, b) && compareStorage(a, b) == .same
    }

    /// Returns the kind of difference between two scalars. Reals within the tolerance are equal.
    mutating func compare(_ a: ViewID, _ b: ViewID, tolerance: DifferenceOptions.Tolerance) -> Verdict {
        if areSameKeys(a, b) { return haveSameWidth(a, b) ? compareStorage(a, b) : .storage }
        guard let x = before.scalarObject(a), let y = after.scalarObject(b) else { return .changed }
        if readsText.before || readsText.after, let verdict = compareText(x, y, tolerance: tolerance) { return verdict }
        if x.isNumber, y.isNumber, looseNumbers || x.isSameType(as: y) {
            return isWithinTolerance(x, y, within: tolerance) ? compareStorage(a, b) : .changed
        }
        return x.isSameType(as: y) || x.kind == .null || y.kind == .null ? .changed : .type
    }

    /// Compares two numbers, at least one of them spelled in a format in which all scalars are text; nil if the values
    /// are not compared as numbers.
    ///
    /// Two texts are compared as numbers only if a tolerance applies or types do not matter; a text and a number, only
    /// if types do not matter.
    private func compareText(
        _ x: StoredObject, _ y: StoredObject, tolerance: DifferenceOptions.Tolerance
    ) -> Verdict? {
        let areTexts = (readsText.before && x.kind.isString, readsText.after && y.kind.isString)
        guard areTexts.0 || areTexts.1, looseNumbers || (areTexts.0 && areTexts.1 && !tolerance.isNone),
            let a = before.document.number(x, inText: areTexts.0), let b = after.document.number(y, inText: areTexts.1)
        else { return nil }
        if a == b { return .same }
        if case .integer = a, case .integer = b { return .changed }
        return !tolerance.isNone && tolerance.covers(a.rounded, b.rounded) ? .same : .changed
    }

    /// Whether two scalars of the same type are stored in the same way: both in place, or both as objects of the same
    /// class.
    func areStoredAlike(_ a: ViewID, _ b: ViewID) -> Bool { compareStorage(a, b) == .same }

    /// Whether two equal scalars have the same width, if widths count.
    private func haveSameWidth(_ a: ViewID, _ b: ViewID) -> Bool {
        guard distinguishesWidths, !looseNumbers, let x = before.scalarObject(a), x.kind == .real else { return true }
        return x.count == after.scalarObject(b)?.count
    }

    /// Returns the difference in storage between two equal scalars.
    private func compareStorage(_ a: ViewID, _ b: ViewID) -> Verdict {
        guard areArchives else { return .same }
        let (uid, uidAfter) = (before.uid(a), after.uid(b))
        let (isObject, isObjectAfter) = (uid != nil, uidAfter != nil)
        guard isObject || isObjectAfter else { return .same }
        if looseNumbers || isObject != isObjectAfter, let object = before.scalarObject(a) {
            if looseNumbers, object.isNumber { return .same }
            if isObject != isObjectAfter, object.kind != .null { return .storage }
        }
        return sides.before.classes.number(ofScalar: uid) == sides.after.classes.number(ofScalar: uidAfter)
            ? .same : .class
    }

    private func isWithinTolerance(
        _ x: StoredObject, _ y: StoredObject, within tolerance: DifferenceOptions.Tolerance
    ) -> Bool {
        if x.kind == .integer, y.kind == .integer {
            return before.document.integer(x) == after.document.integer(y)
        }
        if looseNumbers, let a = before.document.number(x, inText: false),
            let b = after.document.number(y, inText: false), a == b
        {
            return true
        }
        guard !tolerance.isNone else { return false }
        return tolerance.covers(before.document.number(x), after.document.number(y))
    }
}

/// Numbers for the long strings and data of two graphs. Equal values have the same number. Each value is read once,
/// even if it is compared at many slots.
private struct LongScalars {
    private let sides: Sides<ComparedSide>
    private var hashes: Sides<ScalarHashes>
    private var known = Sides { _ in [ViewID: Int]() }
    /// The first scalar with each number.
    private var first: [(object: StoredObject, side: Side)] = []
    /// The numbers with each hash.
    private var numbers: [UInt64: [Int]] = [:]

    init(_ sides: Sides<ComparedSide>) {
        self.sides = sides
        let seed = UInt64.random(in: 0...UInt64.max)
        hashes = Sides { _ in ScalarHashes(seed: seed) }
    }

    mutating func number(of object: StoredObject, id: ViewID, _ side: Side) -> Int {
        if let number = known[side][id] { return number }
        let hash = hashes[side].hash(of: object, id, in: sides[side])
        let number = firstEqual(to: object, hash: hash, side) ?? add(object, hash: hash, side)
        known[side][id] = number
        return number
    }

    /// Returns the number of an equal scalar that already has one.
    private func firstEqual(to object: StoredObject, hash: UInt64, _ side: Side) -> Int? {
        numbers[hash]?.first { number in
            let other = first[number]
            return sides[side].view.document.sameScalar(object, as: other.object, in: sides[other.side].view.document)
        }
    }

    private mutating func add(_ object: StoredObject, hash: UInt64, _ side: Side) -> Int {
        numbers[hash, default: []].append(first.count)
        first.append((object, side))
        return first.count - 1
    }
}

extension StoredObject {
    var isNumber: Bool { kind == .integer || kind == .real }

    /// Whether two scalars have the same type, ignoring width.
    func isSameType(as other: StoredObject) -> Bool {
        switch kind {
        case .true, .false: other.kind == .true || other.kind == .false
        case .oneByteString, .utf16String: other.kind.isString
        default: kind == other.kind
        }
    }

}

extension Document {
    /// Returns the number in a scalar, or in its text; nil for any other value, and for NaN.
    func number(_ object: StoredObject, inText isText: Bool) -> Number? {
        switch object.kind {
        case .integer: return .integer(integer(object))
        case .real where !real(object).isNaN: return .real(real(object))
        case .oneByteString where isText, .utf16String where isText:
            guard object.count <= 100, case .string(let text) = node(object) else { return nil }
            return text.number
        default: return nil
        }
    }

    /// Returns the value of an integer or a real, rounded; NaN for any other object.
    func number(_ object: StoredObject) -> Double {
        switch object.kind {
        case .integer: Double(integer(object))
        case .real: real(object)
        default: .nan
        }
    }
}

extension ObjectView {
    /// Whether all scalars are text, as in OpenStep, so that a string can be a number or a date.
    var hasTextScalars: Bool { document.has(.textScalars) }
}
