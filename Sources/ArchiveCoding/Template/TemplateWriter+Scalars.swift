import KeyedArchives
import SaveCodec

/// Writes scalars with the storage of their counterparts: in place or as objects, the kind and width of numbers,
/// mutable classes.
extension TemplateWriter {
    /// Returns the reference to a scalar, or nil if a field that is stored in place has become nil.
    mutating func reference(toScalar node: Node, _ id: ObjectID, _ model: StorageModel) throws(Problem) -> Reference? {
        if case .null = node { return nilReference(model) }
        guard let slot = model.slot, !old.isNil(slot) else {
            if let example = model.example, let stored = old.scalar(example.value),
                let reference = store(
                    convert(node, like: stored, model.isElement ? .neighbour : .sameField),
                    like: old.uid(example.value), replacing: nil,
                    isInPlace: example.isInPlace && !model.isElement)
            {
                return reference
            }
            warnOfMissingModel(model)
            return defaultReference(id, model)
        }
        let present = old.identity(of: slot)
        guard let stored = old.scalar(present) else {
            if let reference = value(ofGeometryText: node, instead: present) { return reference }
            warnOfMissingModel(model)
            return defaultReference(id, model)
        }
        if isSameGeometry(node, at: id, as: stored) { return objects.reference(slot) }
        let conversion = convert(node, like: stored, .counterpart)
        if case .same = conversion { return objects.reference(slot) }
        let uid = document.uid(slot).map { UID(Int($0)) }
        if let reference = store(conversion, like: uid, replacing: uid, isInPlace: uid == nil) { return reference }
        warnOfMissingModel(model)
        return defaultReference(id, model)
    }

    private mutating func nilReference(_ model: StorageModel) -> Reference? {
        guard let slot = model.slot else { return .object(model.isElement ? objects.findNullObject(in: classes) : 0) }
        if old.isNil(slot) { return objects.reference(slot) }
        if document.uid(slot) == nil { return nil }
        return .object(model.isElement ? objects.findNullObject(in: classes) : 0)
    }

    /// Stores a scalar in place, in an object of the class of `uid`, or as a plain object if `uid` is nil or a plain
    /// object. Returns nil if that is impossible.
    private mutating func store(
        _ conversion: ScalarConversion, like uid: UID?, replacing replaced: UID?, isInPlace: Bool
    ) -> Reference? {
        guard case .scalar(let value, _) = conversion else { return nil }
        var scalar = objects.editor.add { $0.add(value) }
        if isInPlace { return .inPlace(scalar) }
        guard let uid, case .scalar(let kind, let stored) = archive.encoding(of: uid) else {
            return .object(objects.object(of: scalar, replacing: replaced?.index))
        }
        if case .date(let seconds) = value { scalar = objects.editor.add { $0.add(real64: seconds) } }
        guard case .members(let keys, var members) = objects.original(uid.index),
            let position = members.firstIndex(of: .reference(.inPlace(stored)))
        else { return nil }
        // A string value cannot replace UTF-8 that is stored as data.
        if case .string = kind, document.object(stored).kind == .data { return nil }
        members[position] = .reference(.inPlace(scalar))
        return .object(objects.add(.members(keys: keys, members), replacing: replaced?.index))
    }

    /// Returns the reference to a scalar that is stored as it was encoded.
    private mutating func defaultReference(_ id: ObjectID, _ model: StorageModel) -> Reference {
        let source = new.document
        guard let uid = source.uid(id).map({ UID(Int($0)) }) else {
            let scalar = objects.editor.add(source.object(id), of: source)
            return model.isElement ? .object(objects.object(of: scalar)) : .inPlace(scalar)
        }
        guard case .scalar(_, let value) = newArchive.encoding(of: uid),
            case let stored = newArchive.stored(uid), stored.count == 2
        else { return .object(objects.object(of: objects.editor.add(newArchive.stored(uid), of: source))) }
        let member = newArchive.classMember(of: uid)
        let key = objects.editor.add(source.object(source.key(1 - member, of: stored)), of: source)
        let scalar = objects.editor.add(source.object(value), of: source)
        let record = record(of: uid)
        return .object(
            objects.add(
                .members(
                    keys: [key, objects.string("$class")], [.reference(.inPlace(scalar)), .reference(.object(record))]))
        )
    }

    /// Converts an encoded scalar to the kind of a stored one, with a warning if it is rounded.
    private mutating func convert(
        _ node: Node, like stored: Node, _ relation: ScalarConversion.Relation
    ) -> ScalarConversion {
        guard let scalar = Scalar(node) else { return .impossible }
        let conversion = ScalarConversion(scalar, like: stored, relation, in: source)
        if case .scalar(_, isRounded: true) = conversion { warn(ScalarConversion.rounding) }
        // A plain object with this text would be read as nil.
        if case .scalar(.string(PlainOutput.nilText), _) = conversion { return .impossible }
        return conversion
    }

    // MARK: Points, sizes and rectangles

    /// Whether both texts contain the same numbers, and the encoded text is a point, a size or a rectangle.
    private func isSameGeometry(_ node: Node, at id: ObjectID, as stored: Node) -> Bool {
        guard case .string(let text) = node, case .string(let before) = stored,
            let uid = new.uid(new.identity(of: id)), notes[uid]?.isGeometry ?? false
        else { return false }
        return Self.isSameGeometry(text, before)
    }

    private static func isSameGeometry(_ a: StoredString, _ b: StoredString) -> Bool {
        a.hasSameUnits(as: b) || VectorText.text(of: a).map { $0 == VectorText.text(of: b) } ?? false
    }

    /// Returns the reference for a geometry text such as `{1, 2.5}` whose counterpart is an NSValue.
    private mutating func value(ofGeometryText node: Node, instead id: ViewID) -> Reference? {
        guard case .string(let text) = node, let uid = old.uid(id), let field = geometryField(uid, of: archive),
            VectorText.text(of: text) != nil,
            case .members(let keys, var members) = objects.original(uid.index)
        else { return nil }
        let stored = document.value(field, of: archive.stored(uid))
        if old.text(old.identity(of: stored)).map({ Self.isSameGeometry(text, $0) }) ?? false {
            return .object(uid.index)
        }
        let isInPlace = document.uid(stored) == nil
        members[field] = .reference(
            isInPlace
                ? .inPlace(objects.editor.add { $0.add(utf16: text.units.span) })
                : .object(objects.object(ofText: text.units)))
        return .object(objects.add(.members(keys: keys, members), replacing: uid.index))
    }

    /// Returns the reference for an NSValue whose counterpart is a geometry text such as `{1, 2.5}`.
    mutating func text(ofGeometryValue uid: UID, _ model: StorageModel) -> Reference? {
        guard let slot = model.slot, let before = old.text(old.identity(of: slot)),
            let field = geometryField(uid, of: newArchive),
            case let stored = new.document.value(field, of: newArchive.stored(uid)),
            let text = new.text(new.identity(of: stored))
        else { return nil }
        if Self.isSameGeometry(before, text) { return objects.reference(slot) }
        return .object(objects.object(ofText: text.units))
    }

    /// Returns the position of the text in an NSValue of a point, a size or a rectangle.
    private func geometryField(_ uid: UID, of archive: KeyedArchive) -> Int? {
        guard let position = archive.classPosition(of: uid),
            archive.classes[position].foundation?.chain.contains("NSValue") ?? false
        else { return nil }
        let stored = archive.stored(uid)
        return (0..<stored.count).first { position in
            let key = archive.document.text(archive.document.key(position, of: stored))?.string
            return ["NS.pointval", "NS.sizeval", "NS.rectval"].contains(key)
        }
    }
}
