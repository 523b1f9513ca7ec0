import KeyedArchives
import SaveCodec

/// The containers of a JSON text that equal the present value of their slot, references included.
///
/// In plain JSON the closing reference of a cycle depends on where the text enters the cycle, so that ``ContentHashes``
/// cannot distinguish its objects:
///
///     now   scenes: [A ⇄ B]     given   [{"next": {"next": {"$ref": "/0"}}}, {"next": {"next": {"$ref": "/1"}}}]
///
/// The given value and the present value are compared slot by slot. References are compared by their targets.
///
/// The walk is iterative and compares each value of the text once.
struct MatchingContainers {
    /// The present value of the slot of each given container.
    private var present: [ObjectID: Draft.ID] = [:]
    /// The given containers that equal the present value of their slot.
    private var same: Set<ObjectID> = []

    /// A container of the text and the value that its slot has before the edit.
    private struct Pair {
        let given: ObjectID
        let present: Draft.ID
        /// Whether the given container is a value of a property list and not graph JSON.
        let isRaw: Bool
        /// The values in the slots that both containers have; nil until the pair is visited.
        var slots: [(given: ObjectID, present: Draft.ID)]?
        var slotsAreRaw = false
    }

    /// Whether a value is the present value of the slot of a given container, and equal to it.
    func shows(_ given: ObjectID, _ value: Draft.ID) -> Bool {
        same.contains(given) && present[given] == value
    }

    init() {}

    /// Compares the value that a reader reads with the present value of its slot.
    init(
        comparing given: ObjectID, with value: Draft.ID, resolving objects: inout NumberedObjects, rules: TypeRules,
        in draft: inout Draft
    ) {
        let text = objects.text
        var pending = [Pair(given: given, present: value, isRaw: draft.view.archive == nil)]
        while var pair = pending.popLast() {
            if let slots = pair.slots {
                let areSame = slots.allSatisfy { slot in
                    switch ContentHashes.Given(slot.given, in: text, isRaw: pair.slotsAreRaw) {
                    case .reference(let reference):
                        leads(reference, to: slot.present, resolving: &objects, rules: rules, in: &draft)
                    case .scalar(let node): node.plainHash == draft.scalar(slot.present)?.plainHash
                    case .container: shows(slot.given, slot.present)
                    }
                }
                if areSame { same.insert(pair.given) }
                continue
            }
            guard present[pair.given] == nil, draft.scalar(pair.present) == nil,
                case .container(let contents) = ContentHashes.Given(pair.given, in: text, isRaw: pair.isRaw)
            else { continue }
            present[pair.given] = pair.present
            let stored = ContentHashes.contents(of: pair.present, in: &draft)
            let slots = Self.slots(contents, stored)
            (pair.slots, pair.slotsAreRaw) = (slots, contents.isRaw)
            // Slots in only one of the two make the containers different. The common slots are still compared.
            if slots.count == contents.members.count, slots.count == stored.count { pending.append(pair) }
            pending += slots.reversed().map { Pair(given: $0.given, present: $0.present, isRaw: contents.isRaw) }
        }
    }

    /// Returns the common slots: by key or, without keys, by position.
    private static func slots(
        _ contents: ContentHashes.Contents, _ stored: [(key: Int, value: Draft.ID)]
    ) -> [(given: ObjectID, present: Draft.ID)] {
        guard contents.isKeyed, !zip(contents.members, stored).allSatisfy({ $0.key == $1.key }) else {
            return zip(contents.members, stored).map { ($0.value, $1.value) }
        }
        let values = Dictionary(stored.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return contents.members.compactMap { member in values[member.key].map { (member.value, $0) } }
    }

    /// Whether a reference of the text leads to a present value.
    private func leads(
        _ reference: ObjectID, to value: Draft.ID, resolving objects: inout NumberedObjects, rules: TypeRules,
        in draft: inout Draft
    ) -> Bool {
        if let pointer = objects.text.text(reference) {
            if rules.trustsReferences { return true }
            return rules.address(from: pointer).flatMap { draft.presentValue(at: $0) } == value
        }
        guard case .integer(let number) = objects.text[reference], let object = objects.object(number.value) else {
            return false
        }
        return present[object] == value
    }
}

extension Document {
    /// Whether a key or another string of the text is `$ref`.
    var hasReferences: Bool {
        (0..<count).contains { number in
            text(ObjectID(number))?.elementsEqual(GraphJSONName.ref.rawValue.utf16) ?? false
        }
    }
}
