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
        /// The number of the value; -1 in a free slot.
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
            value: application.value.number, schema: Int32(truncatingIfNeeded: application.schema),
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
