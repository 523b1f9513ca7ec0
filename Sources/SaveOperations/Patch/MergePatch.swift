package import KeyedArchives
package import SaveCodec

/// A JSON Merge Patch (RFC 7396) for a view. An object in the patch changes members, null removes a member, and any
/// other value replaces the present one.
///
///     {"root": {"health": 55, "shield": null, "map": {"$class": "Map", "level": "Cave"}}}
///
/// In an archive, `$class` sets the class of an object. An object of graph JSON with other reserved names, such as
/// `{"$class": "NSSet", "$elements": […]}`, replaces the present value.
package struct MergePatch: Sendable {
    let document: Document
    let root: ObjectID

    /// Interprets a JSON document as a patch.
    package init(_ document: Document) {
        self.init(document, at: document.root)
    }

    init(_ document: Document, at root: ObjectID) {
        self.document = document
        self.root = root
    }

    /// Returns the view that results from the patch; nil if nothing changes. Values may change their types.
    package func changed(_ view: ObjectView, limits: Limits = Limits()) throws(Problem) -> ObjectView? {
        try result(on: view, limits: limits, changesType: true).edited
    }

    /// Applies the patch, and returns the resulting save and the rounded reals.
    ///
    /// - Parameter changesType: Whether a value may replace one of another type.
    package func result(
        on view: ObjectView, limits: Limits = Limits(), changesType: Bool
    ) throws(Problem) -> PatchResult {
        var application = try PatchApplication(Draft(view), limits, changesType: changesType)
        try application.apply(self)
        return try application.finish()
    }
}

extension PatchValue {
    /// Returns the members that an object of a merge patch changes; nil if the JSON value is a replacement.
    fileprivate func members(inArchive: Bool) -> Pairs? {
        guard case .dictionary(let pairs) = document[id] else { return nil }
        guard inArchive else { return pairs }
        let isValue = pairs.contains { key, _ in
            guard let name = document.text(key), GraphJSONName.isReserved(name) else { return false }
            return GraphJSONName(name) != .className
        }
        return isValue ? nil : pairs
    }

    /// Whether a member names the class of its object.
    fileprivate func isClass(_ key: ObjectID, inArchive: Bool) -> Bool {
        inArchive && document.text(key)?.elementsEqual("$class".utf16) ?? false
    }
}

extension PatchApplication {
    mutating func apply(_ patch: MergePatch) throws(Problem) {
        let inArchive = draft.view.archive != nil
        let whole = PatchValue(patch.root, in: patch.document)
        chooseDialect(for: CollectionOfOne(whole))
        let root = StorageTemplate(draft.root, isInPlace: true, isPresent: true)
        let change = try tagged(whole, at: .root)
        guard change.members(inArchive: inArchive) != nil else { return try replaceRoot(root, with: change) }
        if let save = try draft.save(in: draft.root) {
            if let value = try self.value(of: save, changedBy: change, at: .root) { draft.replaceRoot(with: value) }
            return
        }
        if !draft.isKeyed(draft.root) {
            let new = try draft.add(.dictionary)
            if !changesType { try checkType(of: new, replacing: root, at: .root) }
            draft.replaceRoot(with: new)
        }
        var pending = [
            (change, target: try container(.root, depth: 0, isChanged: true), address: JSONPointer.root)
        ]
        while let (change, target, container) = pending.popLast() {
            guard let pairs = change.members(inArchive: inArchive) else { continue }
            for (key, id) in pairs {
                if change.isClass(key, inArchive: inArchive) {
                    try setClass(id, of: target, change.document)
                    continue
                }
                var address = container
                if let name = change.document.text(key) { address.append(key: unescaped(name)) }
                let member = try find(key, of: target, change.document)
                let inner = try tagged(PatchValue(id, in: change.document), at: address)
                if try changeSave(in: member, by: inner, at: address) { continue }
                if inner.members(inArchive: inArchive) != nil {
                    pending.append((inner, try self.container(in: member, inner, at: address), address))
                } else {
                    try set(member, to: inner, at: address)
                }
            }
        }
    }

    private mutating func replaceRoot(_ root: StorageTemplate, with value: PatchValue) throws(Problem) {
        let value = try inDialect(value, at: .root)
        var reader = reader(of: value)
        guard !changesType else { return try add(reader.read(value.id, like: nil, in: &draft), at: .root) }
        try add(read(value.id, replacing: root, like: nil, at: .root, with: &reader), at: .root)
    }

    /// Returns a tagged value in the dialect of the save, and any other value unchanged. The members of an object may
    /// change nested saves in other dialects.
    private mutating func tagged(_ value: PatchValue, at address: JSONPointer) throws(Problem) -> PatchValue {
        guard readsTags, value.document.resemblesTaggedValue(value.id) else { return value }
        return try inDialect(value, at: address)
    }

    private struct Member {
        let target: Draft.ID
        /// The patch that names the key.
        let document: Document
        let key: ObjectID
        /// The position in the container; nil if the key does not exist.
        let position: Int?
    }

    private mutating func find(
        _ key: ObjectID, of target: Draft.ID, _ document: Document
    ) throws(Problem) -> Member {
        Member(target: target, document: document, key: key, position: try position(of: key, in: target, document))
    }

    /// Applies an object of the patch to a nested save.
    ///
    /// - Returns: False if the member holds no nested save.
    private mutating func changeSave(
        in member: Member, by patch: PatchValue, at address: JSONPointer
    ) throws(Problem) -> Bool {
        guard case .dictionary = patch.document[patch.id], let position = member.position,
            let item = draft.item(position, of: member.target), let save = try draft.save(in: item.value)
        else { return false }
        if let value = try self.value(of: save, changedBy: patch, at: address) {
            draft.replace(at: position, of: member.target, with: value)
        }
        return true
    }

    /// Returns the value for an edited nested save; nil if nothing changes.
    private mutating func value(
        of save: NestedSave, changedBy patch: PatchValue, at address: JSONPointer
    ) throws(Problem) -> Draft.ID? {
        let patch = MergePatch(patch.document, at: patch.id)
        let result: PatchResult
        do throws(Problem) {
            result = try patch.result(on: save.view, limits: limits, changesType: changesType)
        } catch {
            throw error.within(saveAt: address)
        }
        roundings += result.roundings.map { $0.within(saveAt: address) }
        guard let edited = result.edited else { return nil }
        return try draft.add(save, editedTo: edited, limits: limits)
    }

    /// Sets a member to a value of the patch, or removes it for null.
    private mutating func set(
        _ member: Member, to value: PatchValue, at address: JSONPointer
    ) throws(Problem) {
        let (target, position) = (member.target, member.position)
        if case .null = value.document[value.id] {
            if let position { draft.removeKey(at: position, of: target) }
            return
        }
        let value = try inDialect(value, at: address)
        var reader = reader(of: value)
        let name = member.document.text(member.key).map { unescaped($0) }
        let template = draft.view.archive == nil ? nil : draft.template(at: position, key: name, of: target)
        let new: ValueReader.Value
        do throws(Problem) {
            if !changesType, let position, let item = draft.item(position, of: target) {
                let present = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
                new = try read(value.id, replacing: present, like: template, at: address, with: &reader)
            } else {
                new = try reader.read(value.id, like: template, in: &draft)
            }
        } catch {
            throw value.inPatch(error, at: address)
        }
        put(new.id, inPlace: new.isInPlace, in: member)
    }

    private mutating func put(_ value: Draft.ID, inPlace: Bool?, in member: Member) {
        let target = member.target
        if let position = member.position {
            return draft.replace(at: position, of: target, with: value, inPlace: inPlace)
        }
        let name = member.document.text(member.key).map { draft.add(string: unescaped($0)) }
        let key = name ?? draft.add(member.document[member.key])
        draft.insert(value, key: key, at: draft.value(target).count, of: target, inPlace: inPlace)
    }

    /// Returns the container that an object of the patch changes. Adds a new container if the member has none.
    private mutating func container(
        in member: Member, _ change: PatchValue, at address: JSONPointer
    ) throws(Problem) -> Draft.ID {
        let (target, position) = (member.target, member.position)
        if let position, let item = draft.item(position, of: target), draft.isKeyed(item.value) {
            guard let own = try split(item.value) else { return item.value }
            draft.replace(at: position, of: target, with: own)
            return own
        }
        let new = try newContainer(change)
        if !changesType, let position, let item = draft.item(position, of: target) {
            try checkType(
                of: new, replacing: StorageTemplate(item.value, isInPlace: true, isPresent: true), at: address)
        }
        put(new, inPlace: nil, in: member)
        return new
    }

    private mutating func newContainer(_ change: PatchValue) throws(Problem) -> Draft.ID {
        guard draft.view.archive != nil, case .dictionary(let pairs) = change.document[change.id],
            let value = pairs.value(for: "$class".utf16)
        else { return try draft.add(.dictionary) }
        let className = try draft.readClass(value, of: change.document)
        return try draft.add(Draft.holdsFields(className.name) ? .object : .dictionary, class: className)
    }

    private mutating func setClass(_ value: ObjectID, of target: Draft.ID, _ document: Document) throws(Problem) {
        let className = try draft.readClass(value, of: document)
        guard draft.classOf(target)?.name != className.name else { return }
        try draft.setClass(of: target, to: className)
    }

    private mutating func position(
        of key: ObjectID, in target: Draft.ID, _ document: Document
    ) throws(Problem) -> Int? {
        if let text = document.text(key) { return draft.position(of: unescaped(text), in: target) }
        let node = document[key]
        guard let form = JSONPointer.extensionToken(ofKey: node) else {
            throw Problem(
                "patch.merge-key", "found \(Problem.article(node.kind)) as a key; a merge patch cannot name it")
        }
        return draft.position(of: AddressToken(form.utf16, isExtension: true), at: target)
    }

    /// Returns a name without the additional `$` that graph JSON puts before names that begin with `$`.
    private func unescaped(_ name: StoredString) -> [UInt16] {
        Array((draft.view.archive != nil ? GraphJSONName.unescaped(name) : nil) ?? name[...])
    }
}
