package import KeyedArchive
import SaveCodec

/// Makes a schema that all of some samples satisfy: a start for one written by hand.
///
///     {"name": "Ada", "lives": 3}           {"type": "object", "required": ["name"],
///     {"name": "Bob", "seen": date}    ──▶   "properties": {"lives": {"type": "integer"},
///                                                           "name": {"type": "string"},
///                                                           "seen": {"type": "string", "x-type": "date"}}}
///
/// Objects of an archive are described by class, under `$defs`, and so is every list or graph of them. What is nested
/// too deep, or takes too much work to look at, is not described: it may be anything.
package struct SchemaInference {
    private struct Visit: Hashable {
        let slot: Int
        let id: ViewID
    }

    private static let maxDepth = 64
    private static let maxSlots = 10_000
    private static let maxNames = 256

    /// What is known of the values that stand in one place; the first is that of the root.
    private(set) var slots = [InferredSlot(depth: 0)]
    /// The slots of classes.
    private(set) var classes: [[UInt16]: Int] = [:]
    private var pending: [Visit] = []
    private var work = 0

    /// A schema as JSON, ending with a line feed. The order of the samples does not matter, unless they are so large that
    /// the bounds on places, names and work are met: what comes later is then left open.
    package static func schema(of samples: [ObjectView]) -> String {
        var inference = SchemaInference()
        for sample in samples { inference.add(sample) }
        var writer = InferredSchemaWriter(inference)
        return writer.text()
    }

    private mutating func add(_ view: ObjectView) {
        let instance = Instance(view)
        var seen: Set<Visit> = []
        work = 1_000_000 + 20 * view.count
        pending = [Visit(slot: 0, id: view.root)]
        while let visit = pending.popLast() {
            guard !slots[visit.slot].isOpen, seen.insert(visit).inserted else { continue }
            work -= 1
            guard work > 0 else {
                slots[visit.slot].isOpen = true
                continue
            }
            note(visit, in: instance)
        }
    }

    private mutating func note(_ visit: Visit, in instance: Instance) {
        let value = instance.view[visit.id]
        if case .object = value.form, let name = value.classPosition.flatMap(instance.className),
            !slots[visit.slot].isClass
        {
            slots[visit.slot].classes.insert(Array(name))
            return pending.append(Visit(slot: slot(ofClass: Array(name)), id: visit.id))
        }
        let seen = instance.value(.value(visit.id))
        slots[visit.slot].note(seen, ViewTypes(value))
        switch seen {
        case .array(let contents): noteElements(contents, visit.slot, instance)
        case .object(let contents, _): noteMembers(contents, visit.slot, instance)
        default: break
        }
    }

    private mutating func noteElements(_ contents: ViewContents, _ slot: Int, _ instance: Instance) {
        if slots[slot].items == nil { slots[slot].items = newSlot(below: slot) }
        guard let items = slots[slot].items, !slots[items].isOpen else { return }
        work -= contents.count
        guard work > 0 else {
            slots[items].isOpen = true
            return
        }
        for position in 0..<contents.count {
            pending.append(Visit(slot: items, id: instance.view.item(position, of: contents).id))
        }
    }

    private mutating func noteMembers(_ contents: ViewContents, _ slot: Int, _ instance: Instance) {
        slots[slot].objectCount += 1
        work -= contents.count
        guard work > 0 else {
            slots[slot].isOpen = true
            return
        }
        for position in 0..<contents.count where !slots[slot].isMap {
            let item = instance.view.item(position, of: contents)
            let name = instance.units(ofName: instance.member(position, of: contents, nil).name)
            work -= name.count / 8
            if slots[slot].members[name] == nil {
                slots[slot].members[name] = .init(slot: newSlot(below: slot))
            }
            slots[slot].isMap = slots[slot].members.count > Self.maxNames
            if let member = slots[slot].count(name) { pending.append(Visit(slot: member, id: item.id)) }
        }
    }

    private mutating func slot(ofClass name: [UInt16]) -> Int {
        if let known = classes[name] { return known }
        slots.append(InferredSlot(depth: 0, isClass: true))
        classes[name] = slots.count - 1
        return slots.count - 1
    }

    /// A slot within another one; nil where there are too many, or it would be too deep.
    private mutating func newSlot(below slot: Int) -> Int? {
        guard slots.count < Self.maxSlots, slots[slot].depth < Self.maxDepth else { return nil }
        slots.append(InferredSlot(depth: slots[slot].depth + 1))
        return slots.count - 1
    }
}
