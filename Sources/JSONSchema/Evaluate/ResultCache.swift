/// The application of a schema to a value or a name, in a dynamic scope.
struct SchemaApplication: Hashable, Sendable {
    let schema: Int
    let scope: Int
    let subject: Subject
}

/// A cache of the results of applications. It also records the applications that are being evaluated.
///
/// An application that recurs while it is being evaluated is assumed to hold, because a cycle of objects is not an
/// error in itself. A result that depends on this assumption is provisional until the assumed application ends. If that
/// application holds, the result becomes final; otherwise it is forgotten.
struct ResultCache {
    /// The state of an application.
    enum Entry: Hashable {
        case holds
        case fails
        /// Provisional: holds if the application at this depth holds.
        case provisional(depth: Int)
        /// Is being evaluated at this depth.
        case open(depth: Int)
    }

    private var table: ApplicationTable
    /// The applications with provisional results, in the order of completion.
    private var provisional: [SchemaApplication] = []

    /// Creates an empty cache.
    ///
    /// - Parameter values: The number of values in the view.
    init(values: Int) {
        table = ApplicationTable(values: values)
    }

    /// The state of an application, or nil if it is unknown.
    subscript(application: SchemaApplication) -> Entry? { Entry(number: table[application]) }

    /// The number of applications that have or had a state.
    var count: Int { table.count }

    /// The number of provisional results, to pass to ``close(_:holds:lowest:depth:mark:)``.
    var mark: Int { provisional.count }

    mutating func open(_ application: SchemaApplication, depth: Int) {
        table[application] = Entry.open(depth: depth).number
    }

    /// Caches a result that does not depend on a provisional one.
    mutating func cache(_ application: SchemaApplication, holds: Bool) {
        table[application] = (holds ? Entry.holds : .fails).number
    }

    /// Ends an application and caches its result. `lowest` is the smallest depth of the applications that the result
    /// assumes to hold. If it is less than `depth`, an enclosing application is among them, and the result is
    /// provisional unless it is false.
    mutating func close(_ application: SchemaApplication, holds: Bool, lowest: Int, depth: Int, mark: Int) {
        if !holds {
            cache(application, holds: false)
            forget(from: mark)
        } else if lowest >= depth {
            cache(application, holds: true)
            settle(from: mark)
        } else {
            table[application] = Entry.provisional(depth: lowest).number
            provisional.append(application)
        }
    }

    private mutating func settle(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { cache(application, holds: true) }
        provisional.removeSubrange(mark...)
    }

    private mutating func forget(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { table[application] = 0 }
        provisional.removeSubrange(mark...)
    }
}

extension ResultCache.Entry {
    /// The state as a number other than zero.
    fileprivate var number: Int {
        switch self {
        case .holds: 1
        case .fails: 2
        case .provisional(let depth): 2 * depth + 3
        case .open(let depth): 2 * depth + 4
        }
    }

    /// Creates the state from its number; nil for zero.
    fileprivate init?(number: Int) {
        switch number {
        case 0: return nil
        case 1: self = .holds
        case 2: self = .fails
        default: self = number & 1 == 1 ? .provisional(depth: (number - 3) / 2) : .open(depth: (number - 4) / 2)
        }
    }
}

/// A hash table with open addressing from applications to numbers, with zero for absent ones.
///
///     slot    value  schema  scope  number
///       0        12       3      0       1
///       1        -1                            free
///       2         7       3      0       0     forgotten
///
/// The hash is seeded at random, so that a file cannot provoke collisions. A dictionary would cost several times as
/// much, and the evaluation of schemas spends most of its time here.
struct ApplicationTable {
    private struct Slot {
        /// The number of the subject; -1 in a free slot.
        var value = -1
        var schema: Int32 = 0
        var scope: Int32 = 0
        var number = 0
    }

    private var slots: [Slot]
    /// The number of applications that have or had a number.
    private(set) var count = 0
    private let seed = UInt64.random(in: .min ... .max)
    private let factor = UInt64.random(in: .min ... .max) | 1

    /// Creates a table for a number of values. Most values are small and need no entry.
    init(values: Int) {
        let size = max(64, min(values / 2, 4096))
        slots = [Slot](repeating: Slot(), count: 1 << (Int.bitWidth - (size - 1).leadingZeroBitCount))
    }

    subscript(application: SchemaApplication) -> Int {
        get { slots[position(of: Self.key(application))].number }
        set { set(newValue, for: Self.key(application)) }
    }

    private mutating func set(_ number: Int, for key: Slot) {
        var position = position(of: key)
        if slots[position].value < 0 {
            if 2 * (count + 1) > slots.count {
                grow()
                position = self.position(of: key)
            }
            count += 1
            slots[position] = key
        }
        slots[position].number = number
    }

    private static func key(_ application: SchemaApplication) -> Slot {
        Slot(
            value: application.subject.number, schema: Int32(truncatingIfNeeded: application.schema),
            scope: Int32(truncatingIfNeeded: application.scope))
    }

    /// Returns the slot of a key, or the free slot in which to insert it.
    private func position(of key: Slot) -> Int {
        let mask = slots.count - 1
        var position = Int(truncatingIfNeeded: hash(of: key)) & mask
        while slots[position].value >= 0, !Self.areSame(slots[position], key) { position = (position + 1) & mask }
        return position
    }

    private static func areSame(_ a: Slot, _ b: Slot) -> Bool {
        a.value == b.value && a.schema == b.schema && a.scope == b.scope
    }

    private func hash(of key: Slot) -> UInt64 {
        let schema = UInt64(UInt32(bitPattern: key.schema)) << 32 | UInt64(UInt32(bitPattern: key.scope))
        let first = Self.mix(UInt64(bitPattern: Int64(key.value)) ^ seed, factor)
        return Self.mix(first ^ schema, factor)
    }

    private static func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
        let product = a.multipliedFullWidth(by: b)
        return product.high ^ product.low
    }

    private mutating func grow() {
        let old = slots
        slots = [Slot](repeating: Slot(), count: 2 * old.count)
        for slot in old where slot.value >= 0 { slots[position(of: slot)] = slot }
    }
}
