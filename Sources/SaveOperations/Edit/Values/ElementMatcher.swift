import KeyedArchives
import SaveCodec

/// A matcher that pairs given array elements with present ones, so that objects keep their identity.
///
///     now     [Ada 100, Bob 200, Cyd 300]
///     given   [Bobby 200, Cyd 300]           Cyd is equal, Bobby is most similar to Bob, and Ada is removed
///
/// An object of an archive without a clear match is new.
struct ElementMatcher {
    let text: Document
    private let inArchive: Bool
    /// Whether a new element is stored like a present element with the same keys.
    private let findsTemplates: Bool
    private var hashes = ContentHashes()
    private var unchanged = UnchangedValues()
    private var matchingContainers = MatchingContainers()

    init(_ text: Document, rules: TypeRules, for draft: borrowing Draft) {
        self.text = text
        inArchive = draft.view.archive != nil
        findsTemplates = inArchive && rules.infersClasses
    }

    /// Prepares for another value, and compares it with the value that it replaces.
    ///
    /// - Parameters:
    ///   - template: The value that is replaced; nil for a new value, and if the rules do not accept the plain JSON of
    ///     present values.
    mutating func begin(_ id: ObjectID, replacing template: ViewID?, in draft: borrowing Draft) {
        hashes = ContentHashes()
        unchanged =
            template.map { UnchangedValues(comparing: text, from: id, with: $0, in: draft) } ?? UnchangedValues()
        matchingContainers = MatchingContainers()
    }

    /// If the text has references, compares its containers with the present values in their slots, and resolves the
    /// references.
    mutating func compareContainers(
        of id: ObjectID, with value: Draft.ID, resolving objects: inout NumberedObjects, rules: TypeRules,
        in draft: inout Draft
    ) {
        guard text.hasReferences else { return }
        matchingContainers = MatchingContainers(
            comparing: id, with: value, resolving: &objects, rules: rules, in: &draft)
    }

    mutating func hash(of id: ObjectID, isRaw: Bool) -> Int { hashes.hash(of: id, in: text, isRaw: isRaw) }

    /// Whether a value of the text only repeats its template, so that it need not be read.
    func isUnchanged(_ id: ObjectID, _ template: StorageTemplate) -> Bool {
        template.isPresent && unchanged.repeats(id, value: template.value)
    }

    /// Matches elements in this order: equal ones at both ends, equal ones anywhere, the most similar ones, then
    /// elements at the same position of an equally long array, and elements of the same kind.
    ///
    /// - Parameter isRaw: Whether names that begin with `$` are stored unchanged.
    mutating func match(
        _ members: inout [OpenContainer.Member], with template: Draft.ID, isRaw: Bool, in draft: inout Draft
    ) {
        let count = draft.value(template).count
        guard count > 0, !members.isEmpty else { return }
        let left = matchEqual(&members, with: template, count, isRaw: isRaw, in: &draft)
        guard !left.isEmpty || members.contains(where: { $0.position == nil }) else { return }
        matchAlike(&members, with: left, of: template, isRaw: isRaw, in: &draft)
        var free = left.subtracting(members.compactMap(\.position))
        for index in members.indices
        where members.count == count && members[index].position == nil && free.contains(index) {
            members[index].position = index
            free.remove(index)
        }
        matchKinds(&members, with: free.sorted(by: >), of: template, in: &draft)
        findTemplates(&members, in: template, count, in: &draft)
    }

    /// Matches equal elements, and returns the unmatched positions.
    private mutating func matchEqual(
        _ members: inout [OpenContainer.Member], with template: Draft.ID, _ count: Int, isRaw: Bool,
        in draft: inout Draft
    ) -> Set<Int> {
        let values = (0..<count).map { draft.item($0, of: template)?.value ?? template }
        let areShown = values.indices.map { index in
            index < members.count
                && (unchanged.repeats(members[index].value, value: values[index])
                    || matchingContainers.shows(members[index].value, values[index]))
        }
        // An element that shows the present value of its position is equal to that value only.
        let given = members.indices.map { index in
            index < count && areShown[index]
                ? ~index : hashes.hash(of: members[index].value, in: text, isRaw: isRaw)
        }
        let present = values.indices.map { areShown[$0] ? ~$0 : hashes.hash(of: values[$0], in: &draft) }
        var start = 0
        while start < min(given.count, count), given[start] == present[start] { start += 1 }
        var end = 0
        while end < min(given.count, count) - start, given[given.count - 1 - end] == present[count - 1 - end] {
            end += 1
        }
        for index in 0..<start { members[index].position = index }
        for index in 0..<end { members[given.count - 1 - index].position = count - 1 - index }
        var positions: [Int: [Int]] = [:]
        for position in (start..<count - end).reversed() { positions[present[position], default: []].append(position) }
        var left = Set(start..<count - end)
        for index in start..<given.count - end {
            guard let position = positions[given[index]]?.popLast() else { continue }
            members[index].position = position
            left.remove(position)
        }
        return left
    }

    // MARK: Similarity

    /// The maximum number of present elements with an equal slot. A slot that more elements contain says nothing about
    /// similarity and is ignored.
    private static let maxAlike = 16

    /// Matches containers that are most similar to each other, if they have at least half of their slots in common.
    private mutating func matchAlike(
        _ members: inout [OpenContainer.Member], with left: Set<Int>, of template: Draft.ID, isRaw: Bool,
        in draft: inout Draft
    ) {
        var present: [Int: [Int]] = [:]
        var positions: [Int: [Int]] = [:]
        for position in left.sorted() {
            guard let value = draft.item(position, of: template)?.value, draft.isContainer(value) else { continue }
            let parts = hashes.parts(of: value, in: &draft)
            present[position] = parts
            for part in Set(parts) { positions[part, default: []].append(position) }
        }
        guard !present.isEmpty else { return }
        var claims: [Int: [(index: Int, likeness: Int)]] = [:]
        for index in members.indices where members[index].position == nil {
            let parts = hashes.parts(of: members[index].value, in: text, isRaw: isRaw)
            var likeness: [Int: Int] = [:]
            for part in Set(parts) {
                guard let candidates = positions[part], candidates.count <= Self.maxAlike else { continue }
                for position in candidates { likeness[position, default: 0] += 1 }
            }
            guard let most = likeness.values.max() else { continue }
            let best = likeness.filter { $0.value == most }.keys
            guard let position = best.contains(index) ? index : best.count == 1 ? best.first : nil,
                let others = present[position], Self.isHalf(parts, of: others)
            else { continue }
            claims[position, default: []].append((index, most))
        }
        for (position, claims) in claims {
            guard let most = claims.map(\.likeness).max() else { continue }
            let best = claims.filter { $0.likeness == most }.map(\.index)
            if best.contains(position) {
                members[position].position = position
            } else if best.count == 1 {
                members[best[0]].position = position
            }
        }
    }

    private static func isHalf(_ parts: [Int], of others: [Int]) -> Bool {
        var counts: [Int: Int] = [:]
        for part in others { counts[part, default: 0] += 1 }
        var common = 0
        for part in parts where counts[part, default: 0] > 0 {
            counts[part, default: 0] -= 1
            common += 1
        }
        return common * 2 >= max(parts.count, others.count)
    }

    // MARK: Kinds

    /// Matches the remaining elements with present ones of the same kind. Objects of an archive are excluded, since
    /// other slots may refer to them.
    private func matchKinds(
        _ members: inout [OpenContainer.Member], with free: [Int], of template: Draft.ID, in draft: inout Draft
    ) {
        var positions: [Int: [Int]] = [:]
        for position in free {
            guard let value = draft.item(position, of: template)?.value, !inArchive || !draft.isContainer(value) else {
                continue
            }
            positions[draft.rank(of: value), default: []].append(position)
        }
        for index in members.indices where members[index].position == nil && !positions.isEmpty {
            members[index].position = positions[rank(of: members[index].value)]?.popLast()
        }
    }

    /// Finds a template for each new object: a present element with the same keys.
    private func findTemplates(
        _ members: inout [OpenContainer.Member], in template: Draft.ID, _ count: Int, in draft: inout Draft
    ) {
        guard findsTemplates else { return }
        var models: [Set<[UInt16]>: Int]?
        for index in members.indices where members[index].position == nil {
            let stored = text.object(members[index].value)
            guard stored.kind == .dictionary else { continue }
            let names = (0..<stored.count).compactMap { text.text(text.key($0, of: stored)).map { Array($0) } }
            let known = models ?? draft.keySets(in: template, count)
            models = known
            members[index].model = known[Set(names)]
        }
    }

    /// Returns a number that is equal for values that may replace each other.
    private func rank(of id: ObjectID) -> Int {
        switch text.object(id).kind {
        case .array, .set: 1
        case .dictionary: 2
        default: text[id].rank
        }
    }
}

extension Node {
    fileprivate var rank: Int {
        switch self {
        case .null: 3
        case .boolean: 4
        case .integer, .real32, .real64: 5
        case .string, .date, .data: 6
        case .uid, .array, .set, .dictionary: 7
        }
    }
}

extension Draft {
    fileprivate mutating func rank(of id: ID) -> Int {
        if let node = scalar(id) { return node.rank }
        return isKeyed(id) ? 2 : 1
    }

    /// Returns the sets of keys of elements, each with the first element that has it.
    fileprivate mutating func keySets(in container: ID, _ count: Int) -> [Set<[UInt16]>: Int] {
        var sets: [Set<[UInt16]>: Int] = [:]
        for position in 0..<count {
            guard let element = item(position, of: container)?.value, isKeyed(element) else { continue }
            var names: Set<[UInt16]> = []
            for slot in 0..<value(element).count {
                if let key = item(slot, of: element)?.key, let text = text(key) { names.insert(Array(text)) }
            }
            if sets[names] == nil { sets[names] = position }
        }
        return sets
    }
}

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
