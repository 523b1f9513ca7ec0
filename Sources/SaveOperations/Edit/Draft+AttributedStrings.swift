import KeyedArchives
package import SaveCodec

/// Edits of attributed strings, which views show as a text and its runs.
///
/// Edits change the shown containers. Before the draft is written, the stored fields of each edited attributed string
/// are rebuilt from these containers. If the text has another length and the ranges of the runs were not edited, the
/// runs follow the text: words that stay keep their attributes, and new characters get the attributes of the first
/// character that they replace, or else of the character before them, as in NSMutableAttributedString.
///
///     text "Hello world" → "Hello, big world"     runs {0, 5} {5, 6} → {0, 10} {10, 6}
extension Draft {
    private typealias Name = AttributedStrings.Field

    /// A run of an attributed string.
    private struct Run {
        /// The start as given, in UTF-16 code units; 0 for a run whose length was adapted to an edited text.
        let location: Int
        var length: Int
        /// The slot with the attributes in the shown run.
        let attributes: DraftContainer.Slot
    }

    /// Stores the edited attributed strings in the fields that unarchivers read.
    ///
    /// - Throws: A problem if the edited runs of an attributed string do not cover its text.
    mutating func packAttributedStrings() throws(Problem) {
        var reachable: [Int: Int]?
        var comparisons = TextComparisons()
        for id in editedAttributedStrings() {
            do throws(Problem) {
                try pack(id, &comparisons)
            } catch {
                // Reading a value may make copies that are not part of the result. Their faults do not count.
                if reachable == nil { reachable = countReferences() }
                if reachable?[id.index] != nil { throw error }
            }
        }
    }

    /// Returns a sentence for each attributed string whose runs follow an edit of its text, with the address of its
    /// runs.
    package mutating func adaptedRunSentences() -> [(address: JSONPointer, sentence: String)] {
        var sentences: [(address: JSONPointer, sentence: String)] = []
        var comparisons = TextComparisons()
        for id in editedAttributedStrings() where sentences.count < Self.maximumAdapted {
            guard let number = open(id), let slots = shownSlots(of: number), let list = slots.runs,
                let text = slots.text.flatMap({ self.text(ID(index: Int($0.value))) }),
                let runs = try? readRuns(ID(index: Int(list.value)), of: id),
                let (change, lengths) = textChange(of: id, to: text, runs, &comparisons)
            else { continue }
            let address = (address(of: id) ?? .root).appending(key: Name.runs.utf16)
            sentences.append((address, change.sentence(lengths: lengths)))
        }
        return sentences
    }

    private static let maximumAdapted = 10

    /// Marks as edited each attributed string that graph JSON gives as a text and runs, so that it is stored in the
    /// fields that unarchivers read.
    mutating func editGivenRuns() {
        guard let archive = view.archive else { return }
        let classes = archive.classes.indices.filter { AttributedStrings.isClass(archive.classes[$0].name) }
        guard !classes.isEmpty else { return }
        for index in 0..<archive.count {
            guard let position = archive.classPosition(of: UID(index)), classes.contains(position),
                case let id = id(of: view.id(of: UID(index))), let number = open(id),
                shownSlots(of: number)?.text != nil
            else { continue }
            values.containers[number].isEdited = true
        }
    }

    /// Opens an attributed string with its stored fields instead of the shown ones, unless it is edited already. Graph
    /// JSON may give the stored fields.
    mutating func openStoredFields(of id: ID) {
        guard let viewID = viewID(of: id), view.showsRuns(of: viewID), let uid = view.uid(viewID),
            let archive = view.archive, let number = open(id), !values.containers[number].isEdited
        else { return }
        let stored = archive.stored(uid)
        let classMember = archive.classMember(of: uid)
        let slots = (0..<stored.count).filter { $0 != classMember }.map { position in
            let key = view.document.key(position, of: stored)
            var slot = slot(stored: view.document.value(position, of: stored))
            slot.key = UInt32(truncatingIfNeeded: view.identity(of: key).index)
            slot.storedKey = UInt32(truncatingIfNeeded: key.index)
            return slot
        }
        values.containers[number] = DraftContainer(
            .object, classNumber: values.containers[number].classNumber, slots: slots)
    }

    // MARK: Finding

    /// Returns the attributed strings that are edited or new. One with an edited run is marked as edited itself.
    private mutating func editedAttributedStrings() -> [ID] {
        guard let archive = view.archive else { return [] }
        let known = archive.classes.indices.filter { AttributedStrings.isClass(archive.classes[$0].name) }
        let new = self.classes.new.indices.filter { AttributedStrings.isClass(self.classes.new[$0].name) }
        let classes = Set(known + new.map { $0 + archive.classes.count })
        guard !classes.isEmpty else { return [] }
        for (index, _) in values.editedContainers where index < view.document.count {
            guard let owner = archive.attributedStrings.owner(of: ObjectID(index)),
                let number = open(id(of: view.id(of: owner)))
            else { continue }
            values.containers[number].isEdited = true
        }
        func isAttributed(_ number: Int) -> Bool {
            values.containers[number].kind == .object
                && values.containers[number].classNumber.map(classes.contains) ?? false
        }
        // A container that was an attributed string before its class changed also needs its stored fields.
        let edited = values.editedContainers.map { (id: ID(index: $0.index), number: $0.number) }
            .filter { id, number in isAttributed(number) || viewID(of: id).map(view.showsRuns) ?? false }.map(\.id)
        let created = values.added.indices.filter { index in
            if case .container(let number) = values.added[index] { isAttributed(number) } else { false }
        }
        return edited + created.map { ID(index: view.count + $0) }
    }

    /// Returns the slots of the text and the runs if the attributed string has the form that views show; nil if it has
    /// the fields of the archive, such as `NSString`.
    private func shownSlots(of number: Int) -> (text: DraftContainer.Slot?, runs: DraftContainer.Slot?)? {
        guard slot("NSString", of: number) == nil else { return nil }
        return (slot(Name.text, of: number), slot(Name.runs, of: number))
    }

    private func slot(_ name: String, of number: Int) -> DraftContainer.Slot? {
        values.containers[number].contents.first { text(ID(index: Int($0.key)))?.elementsEqual(name.utf16) ?? false }
    }

    /// Returns the change from the stored text of an attributed string to `text`, and the lengths of the runs, which
    /// must be adapted to that change. Returns nil if the length of the text is the same, or if the ranges of the runs
    /// were edited.
    private func textChange(
        of id: ID, to text: StoredString, _ runs: [Run], _ comparisons: inout TextComparisons
    ) -> (change: TextDifference, lengths: [Int])? {
        guard let id = viewID(of: id), let (textID, ranges) = view.runs(of: id), let old = view.text(textID),
            old.count != text.count,
            ranges.elementsEqual(runs, by: { $0.lowerBound == $1.location && $0.count == $1.length }),
            let change = comparisons.change(of: textID, old, to: text)
        else { return nil }
        return (change, runs.map(\.length))
    }

    private func address(of id: ID) -> JSONPointer? {
        viewID(of: id).flatMap(view.uid).flatMap { StoredAddressTranslator(view).ofObjects([$0])[$0] }
    }

    // MARK: Packing

    private mutating func pack(_ id: ID, _ comparisons: inout TextComparisons) throws(Problem) {
        guard let number = open(id), !hasOwnText(id) else { return }
        let isShown = slot(Name.text, of: number) != nil || slot(Name.runs, of: number) != nil
        let storedNames = ["NSString", "NSAttributes", "NSAttributeInfo"]
        if isShown, let name = storedNames.first(where: { slot($0, of: number) != nil }) {
            throw .runs(
                "the field \(name) is made from the text and the runs of the attributed string; set these instead",
                at: address(of: id))
        }
        guard let slots = shownSlots(of: number) else { return }
        guard let text = slots.text.flatMap({ self.text(ID(index: Int($0.value))) }) else {
            throw .runs("an attributed string needs a text", at: address(of: id))
        }
        let runs =
            try slots.runs.map { (slot) throws(Problem) in try self.runs(in: slot, of: id, text, &comparisons) } ?? []
        let stored = viewID(of: id).flatMap { view.uid($0) }
        var packed: [DraftContainer.Slot] = []
        for slot in values.containers[number].contents {
            let name = self.text(ID(index: Int(slot.key)))
            if name?.elementsEqual(Name.text.utf16) ?? false {
                packed.append(named("NSString", slot, of: stored))
            } else if name?.elementsEqual(Name.runs.utf16) ?? false {
                packed += attributeSlots(runs, of: stored)
            } else {
                packed.append(slot)
            }
        }
        var container = DraftContainer(
            .object, classNumber: values.containers[number].classNumber, slots: inStoredOrder(packed, of: stored))
        container.isEdited = true
        values.containers[number] = container
        referenceCounts = nil
    }

    /// Whether a stored attributed string has a field named like a shown one, so that views show its stored fields.
    private func hasOwnText(_ id: ID) -> Bool {
        guard let viewID = viewID(of: id), let uid = view.uid(viewID), storedField("NSString", of: uid) != nil else {
            return false
        }
        return storedField("text", of: uid) != nil || storedField("runs", of: uid) != nil
    }

    /// Returns runs that cover the text.
    private mutating func runs(
        in slot: DraftContainer.Slot, of id: ID, _ text: StoredString, _ comparisons: inout TextComparisons
    ) throws(Problem) -> [Run] {
        let runs = try readRuns(ID(index: Int(slot.value)), of: id)
        guard let (change, lengths) = textChange(of: id, to: text, runs, &comparisons) else {
            if let fault = fault(in: runs, of: text) { throw .runs(fault, at: address(of: id)) }
            return runs
        }
        var adapted: [Run] = []
        for (run, length) in zip(runs, change.adapted(lengths)) where length > 0 {
            // Runs that become neighbours are one run if their attributes are the same.
            if adapted.last?.attributes.value == run.attributes.value {
                adapted[adapted.count - 1].length += length
            } else {
                adapted.append(Run(location: 0, length: length, attributes: run.attributes))
            }
        }
        return adapted
    }

    /// Returns the reason why runs do not cover a text; nil if they do.
    private func fault(in runs: [Run], of text: StoredString) -> String? {
        var end = 0
        for (position, run) in runs.enumerated() {
            guard run.length > 0 else { return "run \(position) has the length \(run.length); expected at least 1" }
            guard run.location == end else {
                return "run \(position) begins at \(run.location); expected \(end), the end of the run before it"
            }
            let (next, isBeyond) = end.addingReportingOverflow(run.length)
            end = isBeyond ? .max : next
        }
        guard end != text.count, !runs.isEmpty else { return nil }
        return "the runs end at \(end), but the text has \(text.count) UTF-16 code units; runs must cover the text"
    }

    private mutating func readRuns(_ list: ID, of id: ID) throws(Problem) -> [Run] {
        guard let number = open(list), values.containers[number].kind == .array else {
            throw .runs("the runs of an attributed string must be an array", at: address(of: id))
        }
        var runs: [Run] = []
        for (position, slot) in values.containers[number].contents.enumerated() {
            guard let range = slotValue(Name.range, of: ID(index: Int(slot.value))),
                value(ID(index: Int(slot.value))).count == 2, value(ID(index: Int(range.value))).count == 2,
                let location = integer(Name.location, of: ID(index: Int(range.value))),
                let length = integer(Name.length, of: ID(index: Int(range.value))),
                let attributes = slotValue(Name.attributes, of: ID(index: Int(slot.value))),
                value(ID(index: Int(attributes.value))).variant.kind == .dictionary
            else {
                throw .runs(
                    "run \(position) must have the form "
                        + #"{"range": {"location": 0, "length": 5}, "attributes": {…}}"#,
                    at: address(of: id))
            }
            runs.append(Run(location: location, length: length, attributes: attributes))
        }
        return runs
    }

    private mutating func slotValue(_ name: String, of id: ID) -> DraftContainer.Slot? {
        guard let position = position(of: name.utf16, in: id), let number = open(id) else { return nil }
        return values.containers[number][position]
    }

    private mutating func integer(_ name: String, of id: ID) -> Int? {
        guard let slot = slotValue(name, of: id), case .integer(let integer) = scalar(ID(index: Int(slot.value))) else {
            return nil
        }
        return Int(exactly: integer.value)
    }

    // MARK: Stored fields

    /// Returns the slots of `NSAttributes` and `NSAttributeInfo`: for a single run only a dictionary, for several an
    /// array of dictionaries and the run table.
    private mutating func attributeSlots(_ runs: [Run], of uid: UID?) -> [DraftContainer.Slot] {
        guard let first = runs.first else { return [] }
        guard runs.count > 1 else { return [named("NSAttributes", first.attributes, of: uid)] }
        var (numbers, list) = attributeNumbers(runs, of: uid)
        for run in runs where numbers[run.attributes.value] == nil {
            numbers[run.attributes.value] = list.count
            list.append(run.attributes)
        }
        let bytes = AttributedStrings.runTable(runs.map { ($0.length, numbers[$0.attributes.value] ?? 0) })
        return [
            named("NSAttributeInfo", dataSlot(bytes, of: uid), of: uid),
            named("NSAttributes", arraySlot(list, of: uid), of: uid),
        ]
    }

    /// Returns the attributes in the stored array that runs still use, in the order of the array, and the new number of
    /// each.
    private func attributeNumbers(
        _ runs: [Run], of uid: UID?
    ) -> (numbers: [UInt32: Int], list: [DraftContainer.Slot]) {
        var numbers: [UInt32: Int] = [:]
        var list: [DraftContainer.Slot] = []
        let used = Dictionary(
            runs.map { ($0.attributes.value, $0.attributes) }, uniquingKeysWith: { first, _ in first })
        guard let array = storedField("NSAttributes", of: uid), case .array = view[view.identity(of: array)].variant
        else { return (numbers, list) }
        let contents = view[view.identity(of: array)].contents
        for position in 0..<contents.count {
            let value = UInt32(truncatingIfNeeded: view.item(position, of: contents).id.index)
            guard numbers[value] == nil, let slot = used[value] else { continue }
            numbers[value] = list.count
            list.append(slot)
        }
        return (numbers, list)
    }

    /// Returns a slot with an array of attributes: the stored array if it has the same elements, or a new one.
    private mutating func arraySlot(_ list: [DraftContainer.Slot], of uid: UID?) -> DraftContainer.Slot {
        let old = storedField("NSAttributes", of: uid)
        let oldID = old.map { view.identity(of: $0) }
        if let old, let oldID, case .array = view[oldID].variant, case let contents = view[oldID].contents,
            contents.count == list.count,
            list.indices.allSatisfy({ view.item($0, of: contents).id.index == Int(list[$0].value) })
        {
            return slot(stored: old)
        }
        var className: Int?
        if let oldID, case .array = view[oldID].variant { className = view.classPosition(of: oldID) }
        let elements = list.map { attributes in
            var slot = attributes
            (slot.key, slot.storedKey, slot.isInPlace) = (DraftContainer.Slot.none, DraftContainer.Slot.none, false)
            return slot
        }
        let array = DraftContainer(
            .array, classNumber: className ?? classes.number(addingNamed: "NSMutableArray"), slots: elements)
        return DraftContainer.Slot(value: UInt32(truncatingIfNeeded: add(array).index), isInPlace: false)
    }

    /// Returns a slot with a run table: the stored one if it has the same bytes, or a new one.
    private mutating func dataSlot(_ bytes: [UInt8], of uid: UID?) -> DraftContainer.Slot {
        let old = storedField("NSAttributeInfo", of: uid)
        let oldID = old.map { view.identity(of: $0) }
        if let old, let oldID, case .data(let stored) = view.scalar(oldID), stored.elementsEqual(bytes) {
            return slot(stored: old)
        }
        var builder = DocumentBuilder()
        builder.add(data: bytes.span)
        // This cannot fail: a document with one object is never too large.
        let node = (try? builder.finish()).map { $0[$0.root] } ?? .null
        let className = oldID == nil ? classes.number(addingNamed: "NSMutableData") : oldID.flatMap(view.classPosition)
        let data = add(DraftScalar(node: node, classNumber: className))
        return DraftContainer.Slot(value: UInt32(truncatingIfNeeded: data.index), isInPlace: false)
    }

    /// Returns the value of a stored field of an attributed string; nil if the string is new or has no such field.
    private func storedField(_ name: StaticString, of uid: UID?) -> ObjectID? {
        guard let uid, let archive = view.archive else { return nil }
        let stored = archive.stored(uid)
        return storedPosition(name, in: stored).map { view.document.value($0, of: stored) }
    }

    private func storedPosition(_ name: StaticString, in stored: StoredObject) -> Int? {
        (0..<stored.count).first {
            view.document.text(view.document.object(view.document.key($0, of: stored)), equals: name)
        }
    }

    /// Returns fields in the order in which they are stored, with new ones at the end.
    private func inStoredOrder(_ slots: [DraftContainer.Slot], of uid: UID?) -> [DraftContainer.Slot] {
        guard let uid, let archive = view.archive else { return slots }
        let stored = archive.stored(uid)
        let positions = Dictionary(
            (0..<stored.count).map { (UInt32(truncatingIfNeeded: view.document.key($0, of: stored).index), $0) },
            uniquingKeysWith: { first, _ in first })
        let order = slots.enumerated().sorted {
            let (a, b) = (positions[$0.element.storedKey] ?? .max, positions[$1.element.storedKey] ?? .max)
            return a == b ? $0.offset < $1.offset : a < b
        }
        return order.map(\.element)
    }

    private func slot(stored value: ObjectID) -> DraftContainer.Slot {
        var slot = DraftContainer.Slot(
            value: UInt32(truncatingIfNeeded: view.identity(of: value).index),
            isInPlace: view.document.object(value).kind != .uid)
        slot.storedValue = UInt32(truncatingIfNeeded: value.index)
        return slot
    }

    /// Returns the slot with a field name as its key.
    ///
    /// - Parameter uid: The object that stores the field. If it has a field of this name, its stored key is reused.
    private mutating func named(
        _ name: StaticString, _ slot: DraftContainer.Slot, of uid: UID?
    ) -> DraftContainer.Slot {
        var slot = slot
        if let uid, let archive = view.archive, case let stored = archive.stored(uid),
            let position = storedPosition(name, in: stored)
        {
            let key = view.document.key(position, of: stored)
            slot.key = UInt32(truncatingIfNeeded: key.index)
            slot.storedKey = slot.key
        } else {
            slot.key = UInt32(truncatingIfNeeded: add(string: name.description.utf16).index)
            slot.storedKey = DraftContainer.Slot.none
        }
        return slot
    }
}

/// A cache of the changes of texts, since many attributed strings may share a long text.
private struct TextComparisons {
    private var known: [ViewID: (new: StoredString, change: TextDifference?)] = [:]

    /// Returns the change of a text to another one; nil if they are equal.
    mutating func change(of id: ViewID, _ old: StoredString, to new: StoredString) -> TextDifference? {
        if let known = known[id], known.new.count == new.count, known.new.elementsEqual(new) { return known.change }
        let change = TextDifference(from: old, to: new)
        known[id] = (new, change)
        return change
    }
}

extension ObjectView {
    /// Returns the text and the ranges of the runs of a shown attributed string; nil for one without runs.
    fileprivate func runs(of id: ViewID) -> (text: ViewID, ranges: [Range<Int>])? {
        typealias Name = AttributedStrings.Field
        guard showsRuns(of: id), let text = field(Name.text, of: id), let runs = field(Name.runs, of: id)
        else { return nil }
        let contents = self[runs].contents
        var ranges: [Range<Int>] = []
        for position in 0..<contents.count {
            let range = field(Name.range, of: item(position, of: contents).id)
            guard case .integer(let length)? = range.flatMap({ field(Name.length, of: $0) }).flatMap(scalar),
                let length = Int(exactly: length.value)
            else { return nil }
            let start = ranges.last?.upperBound ?? 0
            ranges.append(start..<start + length)
        }
        return (text, ranges)
    }

    private func field(_ name: String, of id: ViewID) -> ViewID? {
        position(of: AddressToken(name.utf16), in: id).map { item($0, of: id).id }
    }
}

extension Problem {
    static let runsID = "edit.runs"

    fileprivate static func runs(_ message: String, at address: JSONPointer?) -> Problem {
        Problem(runsID, message, address: address)
    }
}
