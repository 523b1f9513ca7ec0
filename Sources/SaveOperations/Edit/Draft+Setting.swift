import KeyedArchives
package import SaveCodec

/// The edits of the commands `set`, `insert` and `remove`, for the slot at an address.
extension Draft {
    /// The result of setting or inserting a value.
    package enum SetResult: Sendable, Equatable {
        /// The slot already has the value.
        case unchanged
        case done
        /// The slot keeps its value, because the given integers only differ by the rounding of another tool.
        case kept([RoundedNumber])
        /// Some numbers were not stored as given.
        case rounded([RoundedNumber])
        /// The address does not exist, and no value can be added there.
        case missing

        /// Whether the slot keeps its value.
        package var isUnchanged: Bool {
            switch self {
            case .unchanged, .kept: true
            case .done, .rounded, .missing: false
            }
        }
    }

    /// Sets the value of a slot. A present value is replaced by a value of the same type. If a key or field is missing,
    /// it is added, together with any missing dictionaries above it.
    ///
    /// - Parameters:
    ///   - unshares: Whether to split a shared object inside the value if it changes, so that the change is not visible
    ///     in other slots.
    ///   - changesType: Whether the value is stored as given and may have any type.
    package mutating func set(
        _ given: GivenValue, at slot: EditSlot, unshares: Bool = false, changesType: Bool
    ) throws(Problem) -> SetResult {
        let result = try setConverting(given, at: slot, unshares: unshares, changesType: changesType)
        if !result.isUnchanged { try checkMember(at: slot) }
        if case .done = result { noteScalar(given, setAt: slot, changesType: changesType) }
        return result
    }

    private mutating func setConverting(
        _ given: GivenValue, at slot: EditSlot, unshares: Bool, changesType: Bool
    ) throws(Problem) -> SetResult {
        let path = slot.path
        let present = changesType ? nil : path.value
        let given = try fitting(given).fitting(present, in: view)
        if case .nothing(let token) = path.end {
            guard path.isNewKey else { return .missing }
            return try add(given, under: token, of: container(of: slot), path)
        }
        guard let present = path.value else { return try setClass(given, at: slot) }
        if !slot.splits.isEmpty,
            let result = try resultIfPresent(given, present, at: path, changesType: changesType)
        {
            return result
        }
        let container = container(of: slot)
        var template = StorageTemplate(id(of: present), isInPlace: isInPlace(present), isPresent: true)
        if case .slot(let position) = path.end, let item = item(position, of: container) {
            template = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
            if isNull(item.value), !given.isNull, let key = item.key, let name = text(key) {
                template = self.template(at: position, key: Array(name), of: container) ?? template
            }
        }
        var reader = ValueReader(
            given.document, at: EnclosingSlots(at: path), rules: given.rules(changesType ? .anyType : .strict),
            for: self)
        var splitSlot: Slot?
        if unshares, case .slot(let position) = path.end { splitSlot = Slot(container: container, position: position) }
        let value = try reader.read(given, like: template, isTop: path.end == .root, splitting: splitSlot, in: &self)
        guard case .slot(let position) = path.end else {
            replaceRoot(with: value.id)
            return result(of: given, reader)
        }
        if value.id == template.value, value.isInPlace ?? template.isInPlace == template.isInPlace, !reader.hasEdited {
            return unchanged(reader)
        }
        replace(at: position, of: container, with: value.id, inPlace: value.isInPlace)
        return result(of: given, reader)
    }

    /// Returns the result of setting a value that reads like the present one, so that no container has to be split; nil
    /// for any other value. The container of the slot is not opened, since a pattern may match all of its slots.
    private mutating func resultIfPresent(
        _ given: GivenValue, _ present: ViewID, at path: ResolvedAddress, changesType: Bool
    ) throws(Problem) -> SetResult? {
        let rules = given.rules(changesType ? .anyType : .strict)
        var reader = ValueReader(given.document, at: EnclosingSlots(at: path), rules: rules, for: self)
        let template = StorageTemplate(id(of: present), isInPlace: isInPlace(present), isPresent: true)
        if view.scalar(present) != nil {
            guard view.isNull(present) == given.isNull else { return nil }
            return try reader.read(given, like: template, in: &self).id == template.value ? unchanged(reader) : nil
        }
        // The present container may be changed in place.
        var trial = Draft(view)
        let value = try reader.read(given, like: template, isTop: path.end == .root, in: &trial)
        guard value.id == template.value, value.isInPlace ?? template.isInPlace == template.isInPlace,
            !reader.hasEdited
        else { return nil }
        return unchanged(reader)
    }

    private func unchanged(_ reader: ValueReader) -> SetResult {
        reader.roundings.isEmpty ? .unchanged : .kept(reader.roundings)
    }

    private func result(of given: GivenValue, _ reader: ValueReader) -> SetResult {
        reader.roundings.isEmpty ? given.stored(at: reader.address) : .rounded(reader.roundings)
    }

    /// Inserts a value: into an array before the element at the address, or after the last element if the last token is
    /// `-`; into a set; or under a new key.
    ///
    /// - Parameter allowsPartial: Whether a record may lack fields that all other records of its list have.
    package mutating func insert(
        _ given: GivenValue, at slot: EditSlot, allowsPartial: Bool = false
    ) throws(Problem) -> SetResult {
        let path = slot.path
        guard let last = path.containers.last else { throw .editFixed("the root", at: path.address) }
        let form = view[last].variant
        if case .className = path.end { throw .editFixed("the class of an object", at: path.address) }
        if form.isKeyed {
            guard case .nothing(let token) = path.end else {
                throw presentKey(at: path)
            }
            return try add(given, under: token, of: container(of: slot), path)
        }
        guard let position = insertion(path.end, count: view[last].contents.count) else { return .missing }
        let contents = view[last].contents
        let model = contents.count == 0 ? nil : view.item(max(position - 1, 0), of: contents).id
        let given = try fitting(given).fitting(model, in: view)
        var reader = ValueReader(given.document, at: EnclosingSlots(at: path), rules: given.rules(.strict), for: self)
        let neighbour = neighbour(at: position, of: id(of: last))
        if let neighbour, isKeyed(neighbour.value) {
            let classNumber = classNumber(of: neighbour.value)
            reader.hints.recordFields = RecordFields(of: id(of: last), classNumber: classNumber, in: &self)
        }
        let value = try reader.read(given, like: neighbour, in: &self)
        if !allowsPartial { try checkIsWhole(value.id, among: last, at: path.address) }
        let container = container(of: slot)
        if hasMember(value.id, in: container) { throw .editMember(at: path.address) }
        insert(value.id, at: position, of: container, inPlace: value.isInPlace)
        return result(of: given, reader)
    }

    /// Returns the problem of an insertion under an existing key. If the key has an array, the message names the
    /// address of a new element.
    private func presentKey(at path: ResolvedAddress) -> Problem {
        var message = "the key already exists; inserting needs a new key"
        if let present = path.value, view[present].isContainer, !view[present].variant.isKeyed {
            var end = path.address
            end.append(key: "-".utf16)
            message += "; the address of a new element is \(end)"
        }
        return Problem("edit.present-key", message, address: path.address)
    }

    /// Marks the value of a slot for removal when the draft is finished, so that positions stay valid until then. For a
    /// duplicate key all pairs are removed, unless the address ends in a token such as `#3`, which names one of them.
    package mutating func noteRemoval(at slot: EditSlot) throws(Problem) {
        switch slot.path.end {
        case .slot(let position):
            let container = container(of: slot)
            if hasUniqueKeys(container) || slot.path.endsInExtension {
                slotEdits.addRemoval(at: position, of: container)
            } else {
                for position in positions(ofKeyAt: position, in: container) {
                    slotEdits.addRemoval(at: position, of: container)
                }
            }
        case .className: throw .editFixed("the class of an object", at: slot.path.address)
        case .root: throw .editFixed("the root", at: slot.path.address)
        case .nothing: break
        }
    }

    private mutating func fitting(_ given: GivenValue) throws(Problem) -> GivenValue {
        let value = try given.fitting(view.document)
        try accept(value.document)
        return value
    }

    /// Checks the tags in a document whose values the draft takes.
    ///
    /// - Throws: A problem if a tag has contents of the wrong kind and the save cannot be plain JSON.
    mutating func accept(_ values: Document) throws(Problem) {
        guard let contradiction = values.tagContradiction else { return }
        guard view.document.asPlainJSON() != nil else {
            throw Problem(contradiction.kind, "in the value, \(contradiction.message)")
        }
        becomesPlainJSON = true
    }

    // MARK: Slots

    private mutating func add(
        _ given: GivenValue, under token: AddressToken, of container: ID, _ path: ResolvedAddress
    ) throws(Problem) -> SetResult {
        guard !token.isExtension else {
            throw Problem(
                "edit.form-key", "the key does not exist; only string keys can be added", address: path.address)
        }
        let given = try fitting(given)
        var reader = ValueReader(given.document, at: EnclosingSlots(at: path), rules: given.rules(.strict), for: self)
        if path.missing.isEmpty, let number = classNumber(of: container) { reader.hints.field = (token.units, number) }
        var value = try reader.read(
            given, like: template(at: nil, key: path.missing.isEmpty ? token.units : nil, of: container), in: &self)
        for key in path.missing.reversed() {
            let dictionary = try add(.dictionary)
            insert(value.id, key: add(string: key), at: 0, of: dictionary, inPlace: value.isInPlace)
            value = (dictionary, nil)
        }
        let key = add(string: token.units)
        insert(value.id, key: key, at: self.value(container).count, of: container, inPlace: value.isInPlace)
        return result(of: given, reader)
    }

    /// Throws if a new record lacks fields that all records of its class in the list have.
    private mutating func checkIsWhole(_ record: ID, among list: ViewID, at address: JSONPointer) throws(Problem) {
        guard isKeyed(record),
            let records = RecordFields(of: id(of: list), classNumber: classNumber(of: record), in: &self)
        else { return }
        let missing = records.missing(in: record, of: &self)
        guard !missing.isEmpty else { return }
        let others = records.count == 1 ? "the record next to it has" : "all \(records.count) records next to it have"
        let names = Self.list(missing)
        throw Problem(
            .editPartial, "the record lacks \(missing.count == 1 ? "a field" : "fields") that \(others): \(names)",
            address: address)
    }

    private func insertion(_ end: ResolvedAddress.End, count: Int) -> Int? {
        switch end {
        case .slot(let position): position
        case .nothing(let token): token.insertion(among: count)
        case .root, .className: nil
        }
    }

    /// Throws if a member of a set is now equal to another one. Readers keep only one of them.
    private mutating func checkMember(at slot: EditSlot) throws(Problem) {
        guard case .slot(let position) = slot.path.end, let last = slot.path.containers.last,
            case .set = view[last].variant
        else { return }
        let set = container(of: slot)
        if let member = item(position, of: set)?.value, hasMember(member, in: set, besides: position) {
            throw .editMember(at: slot.path.address)
        }
    }

    /// Whether a value is equal to a scalar in a set.
    private mutating func hasMember(_ value: ID, in set: ID, besides own: Int? = nil) -> Bool {
        guard case .set = self.value(set).variant, let node = scalar(value) else { return false }
        for position in 0..<self.value(set).count where position != own {
            let member = item(position, of: set).flatMap { scalar($0.value) }
            if member?.isSame(as: node) ?? false { return true }
        }
        return false
    }

    private mutating func setClass(
        _ given: GivenValue, at slot: EditSlot
    ) throws(Problem) -> SetResult {
        guard case .string(let name) = given.node else {
            throw Problem(
                "edit.class-name", "found \(TypePhrase.of(given.node)); expected a class name (a string)",
                address: slot.path.address)
        }
        let container = container(of: slot)
        // If several class records have the same name, the object keeps its record.
        guard !(classOf(container)?.name.elementsEqual(name) ?? false) else { return .unchanged }
        try setClass(of: container, to: classes.named(Array(name)))
        return .done
    }

    // MARK: Values

    private func isInPlace(_ present: ViewID) -> Bool { view.uid(present) == nil }
}

extension Problem {
    static func editType(found: String, expected: String, at address: JSONPointer) -> Problem {
        Problem(.editType, "found \(found); expected \(expected), like the present value", address: address)
    }

    fileprivate static func editMember(at address: JSONPointer) -> Problem {
        Problem(.editMember, "the set already has this member", address: address)
    }

    fileprivate static func editFixed(_ what: String, at address: JSONPointer) -> Problem {
        Problem("edit.fixed", "\(what) can be set, but neither inserted nor removed", address: address)
    }
}

extension Problem.Kind {
    /// The problem kind for a scalar that would be a second time in a set.
    static let editMember = Problem.Kind("edit.present-member")
    /// The problem kind for a value that would replace one of another type.
    package static let editType = Problem.Kind("edit.type")
    /// The problem kind for a record that lacks fields of all other records in its list.
    package static let editPartial = Problem.Kind("edit.partial")
}
