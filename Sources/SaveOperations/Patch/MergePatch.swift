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

    // MARK: Members

    /// Returns the members that an object of the patch changes; nil if the JSON value is a replacement.
    func members(_ id: ObjectID, inArchive: Bool) -> Pairs? {
        guard case .dictionary(let pairs) = document[id] else { return nil }
        guard inArchive else { return pairs }
        let isValue = pairs.contains { key, _ in
            guard let name = document.text(key), GraphJSONName.isReserved(name) else { return false }
            return GraphJSONName(name) != .className
        }
        return isValue ? nil : pairs
    }

    /// Whether a member names the class of its object.
    func isClass(_ key: ObjectID, inArchive: Bool) -> Bool {
        inArchive && document.text(key)?.elementsEqual("$class".utf16) ?? false
    }
}

extension PatchApplication {
    mutating func apply(_ patch: MergePatch) throws(Problem) {
        let inArchive = draft.view.archive != nil
        var reader = ValueReader(patch.document, rules: .patch, for: draft)
        let root = StorageTemplate(draft.root, isInPlace: true, isPresent: true)
        guard patch.members(patch.root, inArchive: inArchive) != nil else {
            guard !changesType else { return try add(reader.read(patch.root, like: nil, in: &draft), at: .root) }
            return try add(read(patch.root, replacing: root, like: nil, at: .root, with: &reader), at: .root)
        }
        if let save = try draft.save(in: draft.root) {
            if let value = try self.value(of: save, changedBy: patch, at: .root) { draft.replaceRoot(with: value) }
            return
        }
        if !draft.isKeyed(draft.root) {
            let new = try draft.add(.dictionary)
            if !changesType { try checkType(of: new, replacing: root, at: .root) }
            draft.replaceRoot(with: new)
        }
        var pending = [
            (id: patch.root, target: try container(.root, depth: 0, isChanged: true), address: JSONPointer.root)
        ]
        while let (id, target, container) = pending.popLast() {
            guard let pairs = patch.members(id, inArchive: inArchive) else { continue }
            for (key, value) in pairs {
                if patch.isClass(key, inArchive: inArchive) {
                    try setClass(value, of: target, patch)
                    continue
                }
                var address = container
                if let name = patch.document.text(key) { address.append(key: unescaped(name)) }
                let member = try find(key, of: target, patch)
                if try changeSave(in: member, by: MergePatch(patch.document, at: value), at: address) { continue }
                if patch.members(value, inArchive: inArchive) != nil {
                    pending.append((value, try self.container(in: member, value: value, at: address, patch), address))
                } else {
                    try set(member, to: value, at: address, with: &reader, patch)
                }
            }
        }
    }

    private struct Member {
        let target: Draft.ID
        /// The key, in the patch.
        let key: ObjectID
        /// The position in the container; nil if the key does not exist.
        let position: Int?
    }

    private mutating func find(_ key: ObjectID, of target: Draft.ID, _ patch: MergePatch) throws(Problem) -> Member {
        Member(target: target, key: key, position: try position(of: key, in: target, patch))
    }

    /// Applies an object of the patch to a nested save.
    ///
    /// - Returns: False if the member holds no nested save.
    private mutating func changeSave(
        in member: Member, by patch: MergePatch, at address: JSONPointer
    ) throws(Problem) -> Bool {
        guard case .dictionary = patch.document[patch.root], let position = member.position,
            let item = draft.item(position, of: member.target), let save = try draft.save(in: item.value)
        else { return false }
        if let value = try self.value(of: save, changedBy: patch, at: address) {
            draft.replace(at: position, of: member.target, with: value)
        }
        return true
    }

    /// Returns the value for an edited nested save; nil if nothing changes.
    private mutating func value(
        of save: NestedSave, changedBy patch: MergePatch, at address: JSONPointer
    ) throws(Problem) -> Draft.ID? {
        let result: PatchResult
        do throws(Problem) {
            result = try patch.result(on: save.view, limits: limits, changesType: changesType)
        } catch {
            guard error.kind == .editType else { throw error }
            throw error.within(saveAt: address)
        }
        roundings += result.roundings.map { $0.within(saveAt: address) }
        guard let edited = result.edited else { return nil }
        return try draft.add(save, editedTo: edited, limits: limits)
    }

    /// Sets a member to a value of the patch, or removes it for null.
    private mutating func set(
        _ member: Member, to value: ObjectID, at address: JSONPointer, with reader: inout ValueReader,
        _ patch: MergePatch
    ) throws(Problem) {
        let (target, position) = (member.target, member.position)
        if case .null = patch.document[value] {
            if let position { draft.removeKey(at: position, of: target) }
            return
        }
        let name = patch.document.text(member.key).map { unescaped($0) }
        let template = draft.view.archive == nil ? nil : draft.template(at: position, key: name, of: target)
        let new: ValueReader.Value
        if !changesType, let position, let item = draft.item(position, of: target) {
            let present = StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
            new = try read(value, replacing: present, like: template, at: address, with: &reader)
        } else {
            new = try reader.read(value, like: template, in: &draft)
        }
        try put(new.id, inPlace: new.isInPlace, in: member, patch)
    }

    private mutating func put(
        _ value: Draft.ID, inPlace: Bool?, in member: Member, _ patch: MergePatch
    ) throws(Problem) {
        if draft.view.archive == nil { try draft.accept(patch.document) }
        let target = member.target
        if let position = member.position {
            return draft.replace(at: position, of: target, with: value, inPlace: inPlace)
        }
        let document = patch.document
        let name = document.text(member.key).map { draft.add(string: unescaped($0)) }
        let key = name ?? draft.add(document[member.key])
        draft.insert(value, key: key, at: draft.value(target).count, of: target, inPlace: inPlace)
    }

    /// Returns the container that an object of the patch changes. Adds a new container if the member has none.
    private mutating func container(
        in member: Member, value: ObjectID, at address: JSONPointer, _ patch: MergePatch
    ) throws(Problem) -> Draft.ID {
        let (target, position) = (member.target, member.position)
        if let position, let item = draft.item(position, of: target), draft.isKeyed(item.value) {
            guard let own = try split(item.value) else { return item.value }
            draft.replace(at: position, of: target, with: own)
            return own
        }
        let new = try newContainer(value, patch)
        if !changesType, let position, let item = draft.item(position, of: target) {
            try checkType(
                of: new, replacing: StorageTemplate(item.value, isInPlace: true, isPresent: true), at: address)
        }
        try put(new, inPlace: nil, in: member, patch)
        return new
    }

    private mutating func newContainer(_ id: ObjectID, _ patch: MergePatch) throws(Problem) -> Draft.ID {
        guard draft.view.archive != nil, case .dictionary(let pairs) = patch.document[id],
            let value = pairs.value(for: "$class".utf16)
        else { return try draft.add(.dictionary) }
        let className = try draft.readClass(value, of: patch.document)
        return try draft.add(Draft.holdsFields(className.name) ? .object : .dictionary, class: className)
    }

    private mutating func setClass(_ value: ObjectID, of target: Draft.ID, _ patch: MergePatch) throws(Problem) {
        let className = try draft.readClass(value, of: patch.document)
        guard draft.classOf(target)?.name != className.name else { return }
        try draft.setClass(of: target, to: className)
    }

    private mutating func position(
        of key: ObjectID, in target: Draft.ID, _ patch: MergePatch
    ) throws(Problem) -> Int? {
        if let text = patch.document.text(key) { return draft.position(of: unescaped(text), in: target) }
        let node = patch.document[key]
        guard let form = JSONPointer.extensionToken(ofKey: node) else { throw .patchMergeKey(node.kind) }
        return draft.position(of: AddressToken(form.utf16, isExtension: true), at: target)
    }

    /// Returns a name without the additional `$` that graph JSON puts before names that begin with `$`.
    private func unescaped(_ name: StoredString) -> [UInt16] {
        Array((draft.view.archive != nil ? GraphJSONName.unescaped(name) : nil) ?? name[...])
    }
}
