import KeyedArchives
import SaveCodec

/// Edits of containers. An edit at a position that does not exist has no effect.
extension Draft {
    /// Replaces the value of a slot.
    ///
    /// - Parameter inPlace: Whether the value is stored in place. If nil, a reference stays a reference; a value in
    ///   place stays in place if both values are in the same ``ScalarGroup``, and otherwise gets its default storage.
    mutating func replace(at position: Int, of container: ID, with value: ID, inPlace: Bool? = nil) {
        guard let number = open(container), position >= 0, position < values.containers[number].count else { return }
        var slot = values.containers[number][position]
        guard slot.value != value.index || (inPlace ?? slot.isInPlace) != slot.isInPlace else { return }
        let old = ID(index: Int(slot.value))
        let value = inPlace == nil ? keepingClass(of: old, value) : value
        if values.containers[number].isRaw { makeRaw(value) }
        slot.isInPlace = isInPlace(value, inPlace ?? keepsStorage(slot, replacing: old, with: value), in: number)
        countReference(slot, by: -1)
        if slot.replaced == DraftContainer.Slot.none { slot.replaced = slot.storedValue }
        slot.value = UInt32(truncatingIfNeeded: value.index)
        slot.storedValue = DraftContainer.Slot.none
        countReference(slot, by: 1)
        values.containers[number][position] = slot
        values.containers[number].isEdited = true
    }

    mutating func insert(
        _ value: ID, key: ID? = nil, at position: Int, of container: ID, inPlace: Bool? = nil
    ) {
        guard let number = open(container), position >= 0, position <= values.containers[number].count,
            (key != nil) == values.containers[number].kind.isKeyed
        else { return }
        if values.containers[number].isRaw { makeRaw(value) }
        var slot = DraftContainer.Slot(
            value: UInt32(truncatingIfNeeded: value.index), isInPlace: isInPlace(value, inPlace, in: number))
        if let key { slot.key = UInt32(truncatingIfNeeded: key.index) }
        countReference(slot, by: 1)
        values.containers[number].insert(slot, at: position, keyHash: keyHash(slot))
        values.containers[number].isEdited = true
    }

    mutating func remove(at position: Int, of container: ID) {
        guard let number = open(container), position >= 0, position < values.containers[number].count else { return }
        countReference(values.containers[number][position], by: -1)
        let hash = keyHash(values.containers[number][position])
        values.containers[number].remove(at: position, keyHash: hash)
        values.containers[number].isEdited = true
    }

    /// Removes the pair at a position and all others with the same string key.
    mutating func removeKey(at position: Int, of container: ID) {
        let positions = positions(ofKeyAt: position, in: container)
        // A key may have any number of duplicates.
        if positions.count > 1, let number = open(container) { values.containers[number].dropIndex() }
        for position in positions.sorted(by: >) { remove(at: position, of: container) }
    }

    /// Changes the key of the pair at a position, and of all others with the same string key. The values keep their
    /// storage.
    mutating func renameKey(at position: Int, of container: ID, to key: ID) {
        let positions = positions(ofKeyAt: position, in: container)
        guard let number = open(container), values.containers[number].kind.isKeyed else { return }
        values.containers[number].dropIndex()
        for position in positions {
            values.containers[number][position].key = UInt32(truncatingIfNeeded: key.index)
            values.containers[number][position].storedKey = DraftContainer.Slot.none
        }
        values.containers[number].isEdited = true
    }

    /// Moves an element or a pair.
    ///
    /// - Parameter position: The position after the move.
    mutating func move(from: Int, to position: Int, of container: ID) {
        guard let number = open(container), from != position, from >= 0, position >= 0,
            max(from, position) < values.containers[number].count
        else { return }
        values.containers[number].move(from: from, to: position)
        values.containers[number].isEdited = true
    }

    /// Changes the class of an object or a collection of an archive.
    ///
    /// - Throws: A problem if the value has no class, or if objects of the new class have contents of another kind.
    mutating func setClass(of container: ID, to className: ArchiveClass) throws(Problem) {
        guard let number = open(container), let old = values.containers[number].classNumber else {
            throw Problem(
                "edit.class", "the value has no class; it cannot get the class \(className.shownName)")
        }
        guard classes[old] != className else { return }
        let kind = values.containers[number].kind
        if kind == .object {
            guard Self.holdsFields(className.name) else { throw .editClassForm(className) }
        } else {
            guard let new = Self.kind(of: className.name), new.isKeyed == kind.isKeyed else {
                throw .editClassForm(className)
            }
            values.containers[number].kind = new
        }
        values.containers[number].classNumber = classes.number(adding: className)
        values.containers[number].isEdited = true
    }

    /// Replaces the root. The root of an archive, `$top`, must be a dictionary.
    mutating func replaceRoot(with value: ID) {
        referenceCounts = nil
        root = value
    }

    // MARK: Storage in place

    /// Marks a new container and the new containers in it as raw. A container without a class stores all of its
    /// contents in place.
    private mutating func makeRaw(_ value: ID) {
        var pending = [value.index]
        while let index = pending.popLast() {
            guard index >= view.count, let number = openedNumber(index), values.containers[number].classNumber == nil,
                !values.containers[number].isRaw
            else { continue }
            values.containers[number].isRaw = true
            for position in 0..<values.containers[number].count {
                values.containers[number][position].isInPlace = true
                pending.append(Int(values.containers[number][position].value))
            }
        }
    }

    /// Whether a value would be stored in place if it were written without an explicit storage.
    ///
    /// - Parameter position: The slot whose value it replaces; nil for a new slot.
    mutating func isInPlaceByDefault(_ value: ID, at position: Int?, of container: ID) -> Bool {
        guard let number = open(container) else { return false }
        guard let position, position < values.containers[number].count else { return isInPlace(value, nil, in: number) }
        let slot = values.containers[number][position]
        return isInPlace(value, keepsStorage(slot, replacing: ID(index: Int(slot.value)), with: value), in: number)
    }

    /// Returns a scalar with the class of the value that it replaces. An object that represents a scalar, such as an
    /// NSMutableString, keeps its class if a plain scalar of the same group replaces it, and a date without a class
    /// stays without one.
    mutating func keepingClass(of old: ID, _ value: ID) -> ID {
        guard var scalar = values.newScalar(value.index), scalar.classNumber == nil, let before = self.scalar(old),
            ScalarGroup(before) == ScalarGroup(scalar.node)
        else { return value }
        scalar.classNumber = classNumber(of: old)
        scalar.isRaw = isRawDate(old)
        return scalar.classNumber == nil && !scalar.isRaw ? value : add(scalar)
    }

    /// Returns the storage that a value takes over from the value that it replaces: true for in place, false for a
    /// reference, nil if their groups differ, so that the default applies.
    private func keepsStorage(_ slot: DraftContainer.Slot, replacing old: ID, with value: ID) -> Bool? {
        guard slot.isInPlace else { return false }
        guard let before = scalar(old), let after = scalar(value) else { return nil }
        return ScalarGroup(before) == ScalarGroup(after) ? true : nil
    }

    /// Whether a value is stored in place in a container.
    ///
    /// - Parameter wanted: The requested storage, or nil for the default. A container that accepts only one storage
    ///   ignores it.
    private func isInPlace(_ value: ID, _ wanted: Bool?, in number: Int) -> Bool {
        guard let archive = view.archive else { return true }
        let container = values.containers[number]
        if container.isRaw { return true }
        if container.classNumber != nil, container.kind != .object { return false }
        guard let node = scalar(value) else {
            let isObject = value.index >= view.document.count && value.index < view.count
            return !isObject && (wanted ?? isPlainInPlace(value)) && archive.count > 0
        }
        if let wanted { return wanted }
        if value.index < view.count, value.index >= view.document.count { return false }
        switch node {
        case .boolean, .integer, .real32, .real64, .uid: break
        default: return false
        }
        guard container.kind != .object, openedNumber(root.index) != number, container.count > 0 else {
            return container.kind == .object || openedNumber(root.index) == number
        }
        return container[0].isInPlace
    }

    /// Whether a container is stored in place in the document.
    private func isPlainInPlace(_ value: ID) -> Bool {
        value.index < view.document.count
    }
}

/// The groups of kinds for storage. A new value takes over the storage of the value that it replaces only if both are
/// in the same group.
enum ScalarGroup {
    case null, number, date, data, string, uid, container

    init(_ node: Node) {
        switch node {
        case .null: self = .null
        case .boolean, .integer, .real32, .real64: self = .number
        case .date: self = .date
        case .data: self = .data
        case .string: self = .string
        case .uid: self = .uid
        case .array, .set, .dictionary: self = .container
        }
    }
}

extension Draft {
    func isEdited(_ id: ID) -> Bool {
        openedNumber(id.index).map { values.containers[$0].isEdited } ?? slotEdits.isSet(in: id)
    }

    func isEdited(_ id: ViewID) -> Bool { isEdited(self.id(of: id)) }

    /// Whether no edit has changed anything.
    package var isUnchanged: Bool {
        root.index == view.root.index && slotEdits.isEmpty && classes.changed.isEmpty
            && !values.containers.contains(where: \.isEdited)
    }
}
