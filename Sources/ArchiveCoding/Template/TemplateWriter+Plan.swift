import KeyedArchives
import SaveCodec

/// The search for the counterpart of each encoded value in the template.
extension TemplateWriter {
    /// The conversion of encoded names to stored names. A field name that begins with `$` has one more `$` than a
    /// dictionary key.
    enum NameChange {
        case none, storing, reading
    }

    mutating func plan(_ uid: UID, _ model: StorageModel) throws(Problem) -> Frame {
        let value = new[new.id(of: uid)]
        let isPresent = model.slot.flatMap { document.uid($0) } != nil
        let candidate = isPresent ? model.slot.map { old.identity(of: $0) } : nil
        var template: ViewID?
        if let candidate, try isCounterpart(candidate, of: uid, value) { template = candidate }
        if template == nil {
            try checkClass(of: uid)
            warnOfMissingModel(model)
        }
        let number = template.flatMap { old.uid($0)?.index }
        let record = number.flatMap { archive.classPosition(of: UID($0)) }.map { archive.classes[$0].uid.index }
        try charge(value.contents.count + (template.map { old[$0].contents.count } ?? 0))
        switch value.variant {
        case .scalar, .array, .set:
            var frame = Frame(source: uid, template: number, kind: .list(record ?? self.record(of: uid)))
            let isSet = [value.variant, template.map { old[$0].variant }].contains {
                if case .set? = $0 { true } else { false }
            }
            frame.slots = try elementSlots(
                value.contents, template: template.map { old[$0].contents }, isSet: isSet)
            return frame
        case .object, .dictionary:
            let target = template.map { old[$0].variant } ?? value.variant
            let isKeyed = isNamed(value)
            let record = record ?? self.record(of: uid)
            if case .dictionary = target, !isKeyed || isExact(uid, value) {
                var frame = Frame(source: uid, template: number, kind: .dictionary(record))
                frame.slots = try pairSlots(value.contents, template: template.map { old[$0].contents })
                return frame
            }
            var change = NameChange.none
            switch (value.variant, target) {
            case (.object, .dictionary): change = .reading
            case (.dictionary, .object): change = .storing
            default: break
            }
            let isDictionary = if case .dictionary = target { true } else { false }
            var frame = Frame(
                source: uid, template: number, kind: isDictionary ? .dictionary(record) : .fields(record))
            frame.slots = try fieldSlots(
                of: frame, value.contents, template: template.map { old[$0].contents }, change: change)
            return frame
        }
    }

    /// Throws an error for a new object of a Foundation type without a known class.
    private func checkClass(of uid: UID) throws(Problem) {
        guard notes[uid]?.isOfUnknownClass ?? false, let position = newArchive.classPosition(of: uid) else { return }
        throw .unknownClass(newArchive.classes[position].name.string, at: address)
    }

    private func isFoundation(_ uid: UID) -> Bool {
        newArchive.classPosition(of: uid).map { newArchive.classes[$0].foundation != nil } ?? false
    }

    /// Whether all keys of a dictionary or object are strings.
    private func isNamed(_ value: ViewValue) -> Bool {
        (0..<value.contents.count).allSatisfy { position in
            new.item(position, of: value.contents).key.flatMap { new.text($0) } != nil
        }
    }

    /// Whether a dictionary was encoded with all its pairs. If so, the program removed the pairs that only the template
    /// has.
    ///
    /// A Swift `Dictionary` encodes all its pairs. A type that encodes into a keyed container writes only the keys that
    /// it knows.
    private func isExact(_ uid: UID, _ value: ViewValue) -> Bool {
        guard case .dictionary = value.variant else { return false }
        return notes[uid]?.keys.isEmpty ?? true
    }

    /// Whether a value of the template is the counterpart of an encoded one: both are collections of the same kind, or
    /// objects of the same class.
    private mutating func isCounterpart(_ id: ViewID, of uid: UID, _ value: ViewValue) throws(Problem) -> Bool {
        // Some archivers store collections without a class.
        guard old[id].classPosition != nil else { return false }
        switch (value.variant, old[id].variant) {
        case (.array, .array), (.array, .set), (.set, .array), (.set, .set), (.dictionary, .dictionary): return true
        case (.dictionary, .object): return !(notes[uid]?.keys.isEmpty ?? true)
        case (.object, .dictionary): return notes[uid]?.hasImpliedClass ?? false
        case (.object, .object): return try isSameClass(id, as: uid, value)
        default: return false
        }
    }

    /// Whether an object of the template counts as an instance of the encoded object's class.
    ///
    /// A class name that was derived from the Swift type need not match. It is enough that the template has no class of
    /// that name, and that the two objects have a field in common or both have none.
    private mutating func isSameClass(_ id: ViewID, as uid: UID, _ value: ViewValue) throws(Problem) -> Bool {
        guard let position = old[id].classPosition, let newPosition = value.classPosition else { return false }
        let encoded = newArchive.classes[newPosition]
        if try isMatch(of: position, with: newPosition) { return true }
        guard notes[uid]?.hasImpliedClass ?? (encoded.foundation != nil) else { return false }
        guard classes.position(ofName: encoded.name.units) == nil else { return false }
        let contents = old[id].contents
        guard contents.count > 0, value.contents.count > 0 else { return contents.count == value.contents.count }
        let names = Set(
            (0..<value.contents.count).compactMap { new.item($0, of: value.contents).key.flatMap(new.text)?.units })
        return (0..<contents.count).contains {
            old.item($0, of: contents).key.flatMap(old.text).map { names.contains($0.units) } ?? false
        }
    }

    /// Whether a class in the template or an ancestor is an encoded class, see ``ClassRecordNames/contains(_:in:)``.
    /// Computed once per pair.
    ///
    /// A class chain may be as long as the file, so its length is charged.
    private mutating func isMatch(of position: Int, with newPosition: Int) throws(Problem) -> Bool {
        if let known = classMatches[[position, newPosition]] { return known }
        let record = archive.classes[position]
        try charge(record.nameCount)
        let isMatch = ClassRecordNames.contains(newArchive.classes[newPosition].name.string, in: record.allNames)
        classMatches[[position, newPosition]] = isMatch
        return isMatch
    }

    /// Warns that the template does not determine the storage of a value, because the value has no counterpart.
    mutating func warnOfMissingModel(_ model: StorageModel) {
        if let lack = model.lack {
            warn(lack, once: lack)
        } else if model.slot.map({ !old.isNil($0) }) ?? false {
            warn("the template has a value of another kind here; the encoded value is stored unchanged")
        }
    }

    // MARK: Fields

    /// Returns the slots of an object: the existing ones in the template's order, followed by new ones.
    ///
    /// - Parameters:
    ///   - encoded: The contents of the object as it was encoded.
    ///   - template: The contents of the counterpart in the template.
    mutating func fieldSlots(
        of frame: Frame, _ encoded: ViewContents, template: ViewContents?, change: NameChange
    ) throws(Problem) -> [Slot] {
        // The class's position in the template; nil for a dictionary, for the roots, and for a new class.
        var position: Int?
        var warns = true
        if case .fields(let record) = frame.kind {
            position = classes.position(ofRecord: record)
            warns = frame.source.map { !isFoundation($0) } ?? true
        }
        let values = encodedFields(encoded, change)
        // With duplicate keys, only the effective pair is changed. The other pairs are kept, unless the field is
        // removed.
        let effective = template.map { effectiveSlots(of: $0) } ?? [:]
        let metadata = frame.source.flatMap { notes[$0] }
        let hasField = { metadata?.hasField(Self.name($0, .reading)) ?? false }
        let isAlternative = isAlternative(values, to: effective)
        let isRemoved = { isAlternative || metadata?.readsAnyField(Self.name($0, .reading)) ?? false }
        var isWritten: Set<[UInt16]> = []
        var slots: [Slot] = []
        for slot in 0..<(template?.count ?? 0) {
            guard let template else { break }
            let item = old.storedItem(slot, of: template)
            guard let key = item.key else { continue }
            let name = old.text(old.identity(ofKey: key, in: template))?.units ?? []
            let reference = objects.reference(item.value)
            let slotKey = template.hasStoredKeys ? Slot.Key.name(key) : .object(objects.reference(key))
            var new = Slot(key: slotKey, source: .kept, token: AddressToken(name), result: reference)
            if let value = values[name], effective[name] == slot {
                isWritten.insert(name)
                var model = StorageModel(slot: item.value, isElement: !template.hasStoredKeys)
                if old.isNil(item.value) { model = self.model(ofField: name, of: position, slot: item.value, model) }
                new = Slot(key: slotKey, source: .encoded(value.value, model), token: new.token)
            } else if values[name] == nil, hasField(name), !old.isNil(item.value) {
                // The type has the field, but did not encode a value for it.
                guard case .object = reference, template.hasStoredKeys, !isRemoved(name) else { continue }
                new.result = .object(0)
            }
            slots.append(new)
        }
        for (name, value) in values.sorted(by: { $0.value.order < $1.value.order })
        where !isWritten.contains(name) {
            let isNil =
                new.scalar(new.identity(of: value.value)).map { if case .null = $0 { true } else { false } } ?? false
            // An unarchiver reads a missing field as nil.
            if isNil, template != nil { continue }
            let isDictionary =
                template.map { !$0.hasStoredKeys } ?? (!encoded.hasStoredKeys && change != .storing)
            let key: Slot.Key
            if isDictionary {
                key = .object(.object(objects.object(ofText: name)))
            } else {
                key = .name(objects.editor.add { $0.add(utf16: name.span) })
            }
            var model = model(ofField: name, of: position, slot: nil, StorageModel(isElement: isDictionary))
            if !warns { model.lack = nil }
            slots.append(Slot(key: key, source: .encoded(value.value, model), token: AddressToken(name)))
        }
        return slots
    }

    /// Whether the fields of the type that were not encoded must be removed. Usually they become nil, which an
    /// unarchiver reads in the same way.
    ///
    /// The decoder of an enumeration finds its case by the only field. A value is of another case if it has none of the
    /// template's fields.
    private func isAlternative(
        _ values: [[UInt16]: (value: ObjectID, order: Int)], to template: [[UInt16]: Int]
    ) -> Bool {
        !values.isEmpty && values.keys.allSatisfy { template[$0] == nil }
    }

    /// Returns the encoded fields by their names in the template.
    private func encodedFields(
        _ contents: ViewContents, _ change: NameChange
    ) -> [[UInt16]: (value: ObjectID, order: Int)] {
        var fields: [[UInt16]: (value: ObjectID, order: Int)] = [:]
        for slot in 0..<contents.count {
            let item = new.storedItem(slot, of: contents)
            guard let key = item.key, let name = new.text(new.identity(ofKey: key, in: contents)) else { continue }
            fields[Self.name(name.units, change)] = (item.value, slot)
        }
        return fields
    }

    /// Returns the effective slot of each name in an object of the template.
    private func effectiveSlots(of contents: ViewContents) -> [[UInt16]: Int] {
        document.effective(
            (0..<contents.count).compactMap { slot in
                old.item(slot, of: contents).key.flatMap(old.text).map { ($0.units, slot) }
            })
    }

    private static func name(_ units: [UInt16], _ change: NameChange) -> [UInt16] {
        switch change {
        case .none: units
        case .storing: Array(FieldNameEscaping.stored(String(decoding: units, as: UTF16.self)).utf16)
        case .reading: Array(FieldNameEscaping.read(String(decoding: units, as: UTF16.self)).utf16)
        }
    }

    /// Returns the model of a field that the template's object lacks or has as nil: the same field in other objects of
    /// the class.
    private mutating func model(
        ofField name: [UInt16], of position: Int?, slot: ObjectID?, _ model: StorageModel
    ) -> StorageModel {
        var model = model
        let shown = Phrase.name(name)
        guard let position else {
            model.lack =
                slot == nil && !model.isElement
                ? "the template has no \(shown); the encoded value is stored unchanged" : nil
            return model
        }
        let className = Phrase.name(archive.classes[position].name)
        let storage = storages.fields(ofClass: position, in: old).storages[name]
        if let storage, storage.isUniform {
            model.example = (storage.value, storage.isInPlace)
        } else if storage != nil {
            model.lack =
                "objects of class \(className) store \(shown) in several ways; the encoded value is stored unchanged"
        } else {
            model.lack = "no \(className) in the template has the field \(shown); the encoded value is stored unchanged"
        }
        return model
    }

    // MARK: Collections

    /// Returns the slots of an array or a set.
    ///
    /// - Parameter isSet: Whether the elements are unordered, so that the order of the template is kept.
    private mutating func elementSlots(
        _ encoded: ViewContents, template: ViewContents?, isSet: Bool
    ) throws(Problem) -> [Slot] {
        let pairs = try template.map { template throws(Problem) in try align(encoded, with: template) } ?? []
        var order = Array(0..<encoded.count)
        if isSet, !pairs.isEmpty { order.sort { (pairs[$0] ?? .max, $0) < (pairs[$1] ?? .max, $1) } }
        return order.enumerated().map { position, index in
            var model = StorageModel(isElement: true)
            if let template {
                if let position = pairs[index] {
                    model.slot = old.storedItem(position, of: template).value
                } else if template.count > 0 {
                    model.example = (old.item(0, of: template).id, false)
                }
            }
            return Slot(
                key: .none, source: .encoded(new.storedItem(index, of: encoded).value, model),
                token: AddressToken(String(position).utf16))
        }
    }

    /// Returns the pairs of a dictionary, in the order of the template. A pair that was not encoded is removed.
    private mutating func pairSlots(_ encoded: ViewContents, template: ViewContents?) throws(Problem) -> [Slot] {
        var positions: [ScalarKey: Int] = [:]
        for position in 0..<(template?.count ?? 0) {
            guard let template, let key = old.item(position, of: template).key.flatMap(old.scalar) else { continue }
            if case .string(let text) = key { try charge(text.count) }
            if let key = ScalarKey(key), document.lastDuplicateWins || positions[key] == nil {
                positions[key] = position
            }
        }
        var kept: [(position: Int, slots: [Slot])] = []
        var added: [[Slot]] = []
        for index in 0..<encoded.count {
            let item = new.storedItem(index, of: encoded)
            guard let key = item.key else { continue }
            let keyNode = new.scalar(new.identity(of: key))
            let token = AddressToken(key: keyNode, at: index)
            if let template, let position = keyNode.flatMap({ ScalarKey($0) }).flatMap({ positions[$0] }) {
                let stored = old.storedItem(position, of: template)
                let model = StorageModel(slot: stored.value, isElement: true)
                kept.append(
                    (
                        position,
                        [
                            Slot(
                                key: .object(objects.reference(stored.key ?? stored.value)),
                                source: .encoded(item.value, model),
                                token: token)
                        ]
                    ))
                continue
            }
            var model = StorageModel(isElement: true)
            if let template, template.count > 0 { model.example = (old.item(0, of: template).id, false) }
            added.append([
                Slot(key: .isKey, source: .encoded(key, StorageModel(isElement: true)), token: token),
                Slot(key: .slotBefore, source: .encoded(item.value, model), token: token),
            ])
        }
        return kept.sorted { $0.position < $1.position }.flatMap(\.slots) + added.flatMap { $0 }
    }

    /// Returns the number of the class record for an encoded object.
    mutating func record(of uid: UID) -> Int {
        guard let position = newArchive.classPosition(of: uid) else { return 0 }
        return classes.record(of: newArchive.classes[position], in: &objects)
    }
}

extension ObjectView {
    /// Whether a stored value is nil or a reference to nil.
    func isNil(_ stored: ObjectID) -> Bool {
        guard case .null? = scalar(identity(of: stored)) else { return false }
        return true
    }
}
