package import KeyedArchives
import SaveCodec

/// The inference of a schema that all samples satisfy. It is a starting point for a handwritten schema.
///
///     {"name": "Ada", "lives": 3}           {"type": "object", "required": ["name"],
///     {"name": "Bob", "seen": date}    ──▶   "properties": {"lives": {"type": "integer"},
///                                                           "name": {"type": "string"},
///                                                           "seen": {"type": "string", "x-type": "date"}}}
///
/// Archived objects are described by class, under `$defs`, so lists and graphs of objects can be of any depth. A value
/// that is too deeply nested, or that takes too much work to read, is not described: the schema accepts anything there.
package struct SchemaInference {
    private struct Visit: Hashable {
        let slot: Int
        let id: ViewID
    }

    private static let maxDepth = 64
    private static let maxSlots = 10_000
    private static let maxNames = 256

    /// The properties of the values in each slot. The first slot is the root.
    private(set) var slots = [InferredSlot(depth: 0)]
    /// The slot of each class.
    private(set) var classes: [[UInt16]: Int] = [:]
    /// The member names, and the number of each.
    private var names: [[UInt16]] = []
    private var numbers: [[UInt16]: Int32] = [:]
    /// For each key in the current sample, the number of its name; -1 for a key that has not been read.
    private var known: [Int32] = []
    private var pending: [Visit] = []
    /// The saves nested in data of the current sample, and the slots of their roots.
    private var contents: [(slot: Int, view: ObjectView)] = []
    private var work = 0

    /// Returns a schema as JSON, ending with a line feed.
    ///
    /// The order of the samples does not matter unless they reach the limits on slots, names or work. The schema then
    /// accepts anything in the slots of values that came too late to be read.
    package static func schema(of samples: [ObjectView]) -> String {
        var inference = SchemaInference()
        for sample in samples { inference.add(sample) }
        var writer = InferredSchemaWriter(inference)
        return writer.text()
    }

    private mutating func add(_ sample: ObjectView) {
        var room = 64 << 20 + 16 * sample.document.imageSize
        contents = [(0, sample)]
        while let (slot, view) = contents.popLast() {
            guard view.document.imageSize <= room else {
                slots[slot].isOpen = true
                continue
            }
            room -= view.document.imageSize
            add(view, at: slot)
        }
    }

    private mutating func add(_ view: ObjectView, at slot: Int) {
        var seen: Set<Visit> = []
        work = 1_000_000 + 20 * view.count
        known = Array(repeating: -1, count: view.count)
        pending = [Visit(slot: slot, id: view.root)]
        while let visit = pending.popLast() {
            guard !slots[visit.slot].isOpen else { continue }
            // Small values are as fast to read as to look up, and are included in the work of their container.
            if view.isLarge(visit.id) {
                guard seen.insert(visit).inserted else { continue }
                work -= 1
                guard work > 0 else {
                    slots[visit.slot].isOpen = true
                    continue
                }
            }
            note(visit, in: view)
        }
    }

    private mutating func note(_ visit: Visit, in view: ObjectView) {
        let viewValue = view[visit.id]
        let value = JSONValue(viewValue)
        if !slots[visit.slot].isClass, case .object = viewValue.variant,
            let name = viewValue.classPosition.flatMap({ view.archive?.classes[$0].name })
        {
            slots[visit.slot].classes.insert(Array(name))
            return pending.append(Visit(slot: slot(ofClass: Array(name)), id: visit.id))
        }
        slots[visit.slot].note(value, ValueKinds(viewValue.variant))
        switch value {
        case .array(let contents): noteElements(contents, of: visit, view)
        case .object(let members): noteMembers(members, of: visit, view)
        case .scalar(.string(.data)): noteContent(of: visit, view)
        default: break
        }
    }

    private mutating func noteContent(of visit: Visit, _ view: ObjectView) {
        slots[visit.slot].dataCount += 1
        guard let content = view.content(of: visit.id) else { return }
        slots[visit.slot].saveCount += 1
        if slots[visit.slot].content == nil { slots[visit.slot].content = newSlot(below: visit.slot) }
        if let slot = slots[visit.slot].content { contents.append((slot, content)) }
    }

    private mutating func noteElements(_ contents: ViewContents, of visit: Visit, _ view: ObjectView) {
        let slot = visit.slot
        if slots[slot].items == nil { slots[slot].items = newSlot(below: slot) }
        guard let items = slots[slot].items, !slots[items].isOpen else { return }
        work -= contents.count
        guard work > 0 else {
            slots[items].isOpen = true
            return
        }
        for position in 0..<contents.count {
            pending.append(Visit(slot: items, id: view.element(position, of: contents)))
        }
    }

    private mutating func noteMembers(_ members: JSONMembers, of visit: Visit, _ view: ObjectView) {
        let slot = visit.slot
        slots[slot].objectCount += 1
        work -= members.count
        guard work > 0 else {
            slots[slot].isOpen = true
            return
        }
        for position in 0..<members.contents.count where !slots[slot].isMap {
            let member = view.item(position, of: members.contents)
            guard let key = member.key else { continue }
            let number = number(of: key, in: view)
            let name = names[Int(number)]
            work -= name.count / 8
            var next = slots[slot].count(number)
            if next == nil {
                next = InferredSlot.Member(
                    name: name, slot: newSlot(below: slot), count: 1, last: slots[slot].objectCount)
                slots[slot].members[number] = next
                slots[slot].isMap = slots[slot].members.count > Self.maxNames
            }
            if let next = next?.slot { pending.append(Visit(slot: next, id: member.id)) }
        }
    }

    /// Returns the number of a key's name. Each key is read once.
    private mutating func number(of key: ViewID, in view: ObjectView) -> Int32 {
        if known[key.index] < 0 { known[key.index] = number(of: view.name(of: key).units) }
        return known[key.index]
    }

    private mutating func number(of name: [UInt16]) -> Int32 {
        if let known = numbers[name] { return known }
        let number = Int32(truncatingIfNeeded: names.count)
        numbers[name] = number
        names.append(name)
        return number
    }

    private mutating func slot(ofClass name: [UInt16]) -> Int {
        if let known = classes[name] { return known }
        slots.append(InferredSlot(depth: 0, isClass: true))
        classes[name] = slots.count - 1
        return slots.count - 1
    }

    /// Creates a slot below another one. Returns nil if there are too many slots, or if it would be too deep.
    private mutating func newSlot(below slot: Int) -> Int? {
        guard slots.count < Self.maxSlots, slots[slot].depth < Self.maxDepth else { return nil }
        slots.append(InferredSlot(depth: slots[slot].depth + 1))
        return slots.count - 1
    }
}

/// The properties of all values that the samples have in one slot.
struct InferredSlot {
    /// All members with the same name in the objects of a slot.
    struct Member {
        let name: [UInt16]
        /// The slot of the values, or nil if they are not described.
        let slot: Int?
        /// The number of objects with such a member.
        var count = 0
        /// The ordinal of the last object with such a member.
        var last = 0
    }

    let depth: Int
    /// Whether the slot describes the objects of one class.
    let isClass: Bool
    /// Whether some values have not been read, so that the schema accepts anything.
    var isOpen = false
    var types: JSONTypes = []
    var valueKinds: ValueKinds = []
    var classes: Set<[UInt16]> = []
    /// The slot of the elements.
    var items: Int?
    /// The number of objects and dictionaries.
    var objectCount = 0
    /// The members by the numbers of their names.
    var members: [Int32: Member] = [:]
    /// Whether there are so many names that the schema does not list them.
    var isMap = false
    /// The slot of the roots of nested saves.
    var content: Int?
    var dataCount = 0
    /// The number of data values that contain a save.
    var saveCount = 0

    init(depth: Int, isClass: Bool = false) {
        self.depth = depth
        self.isClass = isClass
    }

    var isEmpty: Bool { !isOpen && types.isEmpty && classes.isEmpty }

    /// The members, sorted by the code units of their names; empty if ``isMap`` is true.
    var namedMembers: [Member] {
        isMap ? [] : members.values.sorted { $0.name.lexicographicallyPrecedes($1.name) }
    }

    /// Adds the type of a value.
    mutating func note(_ value: JSONValue, _ valueKind: ValueKinds) {
        valueKinds.formUnion(valueKind)
        switch value {
        case .scalar(.null): types.insert(.null)
        case .scalar(.boolean): types.insert(.boolean)
        case .scalar(.number(.integer)): types.insert(.integer)
        case .scalar(.number): types.insert(.number)
        case .scalar(.string): types.insert(.string)
        case .array: types.insert(.array)
        case .object: types.insert(.object)
        }
    }

    /// Counts the current object for the member with this name, and returns the member. A duplicate name in the same
    /// object is not counted again. Returns nil, without counting, if the slot has no such member yet.
    mutating func count(_ name: Int32) -> Member? {
        guard let position = members.index(forKey: name) else { return nil }
        if members.values[position].last < objectCount {
            members.values[position].count += 1
            members.values[position].last = objectCount
        }
        return members.values[position]
    }
}
