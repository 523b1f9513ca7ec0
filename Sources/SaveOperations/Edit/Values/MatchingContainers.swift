import KeyedArchives
import SaveCodec

/// Which containers of a JSON text show what stands at their place, references included.
///
/// Where plain JSON closes a circle depends on where it enters it, so that ``ContentHashes`` cannot tell the objects in it:
///
///     there   scenes: [A ⇄ B]     given   [{"next": {"next": {"$ref": "/0"}}}, {"next": {"next": {"$ref": "/1"}}}]
///
/// What is given at a place and what stands there are compared slot by slot, and a reference by where it leads.
///
/// Iterative, and each value of the text is looked at once.
struct MatchingContainers {
    /// What stands where a container is given.
    private var present: [ObjectID: Draft.ID] = [:]
    /// The containers that show it.
    private var same: Set<ObjectID> = []

    /// A container of the text beside what stands there, and what is in both, once it is open.
    private struct Pair {
        let given: ObjectID
        let present: Draft.ID
        /// Whether the given container is no graph JSON but a value of a property list.
        let isRaw: Bool
        var slots: [(given: ObjectID, present: Draft.ID)]?
        var slotsAreRaw = false
    }

    /// Whether a container of the text shows a value that is there.
    func shows(_ given: ObjectID, _ value: Draft.ID) -> Bool {
        same.contains(given) && present[given] == value
    }

    /// Where no container is known to show what is there.
    init() {}

    /// Compares what a reader reads with what stands where it goes.
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
                    case .mention(let reference):
                        mentions(reference, slot.present, resolving: &objects, rules: rules, in: &draft)
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
            // What is only in one of them is compared as far as it goes, and nothing of the whole is the same.
            if slots.count == contents.members.count, slots.count == stored.count { pending.append(pair) }
            pending += slots.reversed().map { Pair(given: $0.given, present: $0.present, isRaw: contents.isRaw) }
        }
    }

    /// The slots that are in both: of arrays by position, of all others by key.
    private static func slots(
        _ contents: ContentHashes.Contents, _ stored: [(key: Int, value: Draft.ID)]
    ) -> [(given: ObjectID, present: Draft.ID)] {
        guard contents.isKeyed, !zip(contents.members, stored).allSatisfy({ $0.key == $1.key }) else {
            return zip(contents.members, stored).map { ($0.value, $1.value) }
        }
        let values = Dictionary(stored.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        return contents.members.compactMap { member in values[member.key].map { (member.value, $0) } }
    }

    /// Whether a reference of the text leads to a value that is there.
    private func mentions(
        _ reference: ObjectID, _ value: Draft.ID, resolving objects: inout NumberedObjects, rules: TypeRules,
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
    /// Whether a key or another string of a text is `$ref`.
    var hasReferences: Bool {
        (0..<count).contains { number in
            text(ObjectID(number))?.elementsEqual(GraphName.ref.rawValue.utf16) ?? false
        }
    }
}
