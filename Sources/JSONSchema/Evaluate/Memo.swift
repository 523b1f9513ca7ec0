/// A schema applied to a value or a name, in a dynamic scope.
struct Application: Hashable, Sendable {
    let schema: Int
    let scope: Int
    let subject: Subject
}

/// What is known of applications: answers, and those that are being worked out.
///
/// An application that is met again while it is being worked out is taken to hold: a cycle of objects breaks no rule by
/// being one. What holds on that assumption is provisional until the application assumed is done: then it is settled if
/// that holds, and forgotten if not.
struct Memo {
    /// An answer, or that there is none yet.
    enum Entry: Hashable {
        case holds
        case fails
        /// Holds if the application at this depth does.
        case provisional(depth: Int)
        /// Is being worked out, at this depth.
        case open(depth: Int)
    }

    private var table: ApplicationTable
    /// What is provisional, in the order of completion.
    private var provisional: [Application] = []

    /// Nothing is known yet, of so many values.
    init(values: Int) {
        table = ApplicationTable(values: values)
    }

    /// What is known of an application.
    subscript(application: Application) -> Entry? { Entry(number: table[application]) }

    /// How many applications something is known of, or was.
    var count: Int { table.count }

    /// How many entries are provisional, to be given back to ``close(_:holds:lowest:depth:mark:)``.
    var mark: Int { provisional.count }

    mutating func open(_ application: Application, depth: Int) {
        table[application] = Entry.open(depth: depth).number
    }

    /// Notes an answer that rests on nothing else.
    mutating func note(_ application: Application, holds: Bool) {
        table[application] = (holds ? Entry.holds : .fails).number
    }

    /// Notes the answer of an application that rests on assumptions down to the depth `lowest`.
    mutating func close(_ application: Application, holds: Bool, lowest: Int, depth: Int, mark: Int) {
        if !holds {
            note(application, holds: false)
            forget(from: mark)
        } else if lowest >= depth {
            note(application, holds: true)
            settle(from: mark)
        } else {
            table[application] = Entry.provisional(depth: lowest).number
            provisional.append(application)
        }
    }

    private mutating func settle(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { note(application, holds: true) }
        provisional.removeSubrange(mark...)
    }

    private mutating func forget(from mark: Int) {
        guard mark < provisional.count else { return }
        for application in provisional[mark...] { table[application] = 0 }
        provisional.removeSubrange(mark...)
    }
}

extension Memo.Entry {
    /// The entry as a number, which is not zero.
    fileprivate var number: Int {
        switch self {
        case .holds: 1
        case .fails: 2
        case .provisional(let depth): 2 * depth + 3
        case .open(let depth): 2 * depth + 4
        }
    }

    /// The entry that a number stands for; nil for zero.
    fileprivate init?(number: Int) {
        switch number {
        case 0: return nil
        case 1: self = .holds
        case 2: self = .fails
        default: self = number & 1 == 1 ? .provisional(depth: (number - 3) / 2) : .open(depth: (number - 4) / 2)
        }
    }
}

/// Numbers by application, zero where none was set: a hash table with open addressing.
///
///     slot    value  schema  scope  number
///       0        12       3      0       1
///       1        -1                            free
///       2         7       3      0       0     was forgotten
///
/// The hash is seeded at random, so that no file can be made to collide. A dictionary does the same, at several times
/// the cost; this is where the evaluation of schemas spends its time.
struct ApplicationTable {
    private struct Slot {
        /// The number of the subject; -1 in a free slot.
        var value = -1
        var schema: Int32 = 0
        var scope: Int32 = 0
        var number = 0
    }

    private var slots: [Slot]
    /// How many applications have a number, or had one.
    private(set) var count = 0
    private let seed = UInt64.random(in: .min ... .max)
    private let factor = UInt64.random(in: .min ... .max) | 1

    /// A table for applications to so many values, of which most are small and need none.
    init(values: Int) {
        let size = max(64, min(values / 2, 4096))
        slots = [Slot](repeating: Slot(), count: 1 << (Int.bitWidth - (size - 1).leadingZeroBitCount))
    }

    /// The number of an application.
    subscript(application: Application) -> Int {
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

    private static func key(_ application: Application) -> Slot {
        Slot(
            value: application.subject.number, schema: Int32(truncatingIfNeeded: application.schema),
            scope: Int32(truncatingIfNeeded: application.scope))
    }

    /// Where a key is, or would be.
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
