import KeyedArchives
import SaveCodec

/// The state of applying patches to a draft.
///
/// A change in a plain document affects only one address. Containers on the path to the change are therefore split if
/// the file shares them or an operation has copied them, see ``Draft/split(_:)``. A change of an object in an archive
/// is visible through all references to the object.
struct PatchApplication: ~Copyable {
    var draft: Draft
    let limits: Limits
    /// The address of the document in the outer save. Messages use addresses of the outer save.
    let base: JSONPointer
    /// Whether a value may replace one of another type.
    let changesType: Bool
    /// Whether tags in the values of the patch are read, see ``chooseDialect(for:)``.
    var readsTags = true
    var roundings: [RoundedNumber] = []
    private var hasCopies = false

    init(
        _ draft: consuming Draft, _ limits: Limits, changesType: Bool, at base: JSONPointer = .root
    ) throws(Problem) {
        self.limits = limits
        self.changesType = changesType
        self.base = base
        self.draft = draft
    }

    consuming func finish() throws(Problem) -> PatchResult {
        let (hasCopies, limits, roundings) = (hasCopies, limits, roundings)
        guard !draft.isUnchanged else { return PatchResult(edited: nil, roundings: roundings) }
        let namedElements = draft.namedElements
        let edited = try draft.editedView(limits: limits)
        if hasCopies { try edited.document.checkExpansion(limits) }
        return PatchResult(edited: edited, namedElements: namedElements, roundings: roundings)
    }

    // MARK: Operations

    mutating func apply(_ patch: JSONPatch) throws(Problem) {
        chooseDialect(for: patch.usedValues)
        draft.findsPlainNames = true
        var next = 0
        while next < patch.operations.count {
            let operation = patch.operations[next]
            if let entrance = try entrance(of: operation, on: operation.path) {
                next += try apply(patch, from: next, inside: entrance)
                continue
            }
            if let source = operation.source, try entrance(of: operation, on: source) != nil {
                throw .patchCrossing().of(operation)
            }
            do throws(Problem) {
                try apply(operation, of: patch)
            } catch {
                throw error.of(operation)
            }
            next += 1
        }
    }

    private mutating func apply(_ operation: PatchOperation, of patch: JSONPatch) throws(Problem) {
        let path = operation.path
        switch operation.kind {
        case .add, .replace, .test:
            guard let number = operation.value, case let value = patch.values[number] else { return }
            if try isClass(path, replaced: operation.kind != .add) {
                return try applyClass(operation, value: value, in: patch.document)
            }
            let given = try inDialect(PatchValue(value, in: patch.document), at: path)
            let new: ValueReader.Value
            do throws(Problem) {
                new = try read(given, of: operation)
            } catch {
                let address = JSONPointer.root.appending(index: operation.number - 1).appending(key: "value".utf16)
                throw given.inPatch(error, at: address)
            }
            switch operation.kind {
            case .add: try add(new, at: path)
            case .replace: try replace(with: new, at: path)
            default: try test(path, is: new.id)
            }
        case .remove: _ = try remove(at: path)
        case .move: try move(from: operation.source ?? .root, to: path)
        case .copy: try copy(from: operation.source ?? .root, to: path)
        }
    }

    private mutating func read(_ given: PatchValue, of operation: PatchOperation) throws(Problem) -> ValueReader.Value {
        let (path, isAdded) = (operation.path, operation.kind == .add)
        var reader = reader(of: given)
        let template = operation.kind == .test ? nil : try template(at: path, isAdded: isAdded)
        if operation.kind != .test, !operation.changesType, !changesType,
            let present = try present(at: path, isAdded: isAdded)
        {
            return try read(given.id, replacing: present, like: template, at: path, with: &reader)
        }
        return try reader.read(given.id, like: template, isTop: path == .root, in: &draft)
    }

    /// Returns the value that a new value would replace at an address; nil if no value exists there, or if the new
    /// value is inserted between others.
    private mutating func present(at path: JSONPointer, isAdded: Bool) throws(Problem) -> StorageTemplate? {
        guard path != .root else { return StorageTemplate(draft.root, isInPlace: true, isPresent: true) }
        let parent = try container(path, depth: path.tokens.count - 1)
        guard draft.isKeyed(parent) || !isAdded, let position = position(path, in: parent, exactly: isAdded),
            let item = draft.item(position, of: parent)
        else { return nil }
        return StorageTemplate(item.value, isInPlace: item.isInPlace, isPresent: true)
    }

    /// Reads a value that replaces another one and must have its type. A scalar is read as in an edit; a container must
    /// have the same kind, and the patch decides its contents.
    mutating func read(
        _ value: ObjectID, replacing present: StorageTemplate, like template: StorageTemplate?, at path: JSONPointer,
        with reader: inout ValueReader
    ) throws(Problem) -> ValueReader.Value {
        let isScalar = draft.scalar(present.value) != nil && !reader.document.object(value).kind.isContainer
        guard isScalar, !draft.isNull(present.value) else {
            let new = try reader.read(value, like: template, isTop: path == .root, in: &draft)
            try checkType(of: new.id, replacing: present, at: path)
            return new
        }
        let (rules, enclosingSlots) = (reader.rules, reader.enclosingSlots)
        (reader.rules, reader.enclosingSlots) = (TypeRules.patchedScalar.within(saveAt: base), EnclosingSlots(at: path))
        defer { (reader.rules, reader.enclosingSlots) = (rules, enclosingSlots) }
        let new = try reader.read(value, like: present, in: &draft)
        roundings += reader.roundings
        reader.roundings = []
        return new
    }

    /// Throws if the kind of a value differs from the kind of the value that it replaces. Scalars of one
    /// ``ScalarGroup`` may have different kinds, since the patch states the storage of numbers.
    mutating func checkType(of new: Draft.ID, replacing present: StorageTemplate, at path: JSONPointer) throws(Problem)
    {
        let (old, form) = (draft.value(present.value).variant, draft.value(new).variant)
        guard draft.changesType(from: old, to: form) else { return }
        if case .scalar(let old) = old, case .scalar(let new) = form, ScalarGroup(old) == ScalarGroup(new) { return }
        throw .editType(
            found: TypePhrase.of(form, draft.classOf(new)?.name),
            expected: TypePhrase.of(old, draft.classOf(present.value)?.name), at: path)
    }

    private mutating func move(from source: JSONPointer, to path: JSONPointer) throws(Problem) {
        guard source != path else {
            _ = try value(at: source)
            return
        }
        guard !source.isAbove(path) else { throw Problem("patch.inside", "a value cannot be moved into itself") }
        try add(try remove(at: source), at: path)
    }

    private mutating func copy(from source: JSONPointer, to path: JSONPointer) throws(Problem) {
        let original = try value(at: source)
        hasCopies = true
        if draft.view.archive == nil {
            draft.noteShared(original)
            return try add((original, nil), at: path)
        }
        let before = draft.values.added.count
        let copy = draft.copy(original, from: draft.path(of: source) ?? [])
        draft.values.addedSize += draft.values.size(ofAddedFrom: before)
        try checkAddedSize()
        try add((copy, nil), at: path)
    }

    private mutating func test(_ path: JSONPointer, is expected: Draft.ID) throws(Problem) {
        let found = try value(at: path)
        guard !draft.isSame(found, expected) else { return }
        throw .patchTest(found: draft.brief(found), expected: draft.brief(expected, besides: found))
    }

    // MARK: Places

    /// Returns the template for a value at an address: the value that it replaces, or the same field of other objects.
    private mutating func template(at path: JSONPointer, isAdded: Bool) throws(Problem) -> StorageTemplate? {
        guard draft.view.archive != nil, let token = path.tokens.last else { return nil }
        let parent = try container(path, depth: path.tokens.count - 1)
        guard draft.isKeyed(parent) || !isAdded else { return nil }
        return draft.template(at: position(path, in: parent, exactly: isAdded), key: token, of: parent)
    }

    /// Replaces the value at an address, or adds it if the address does not exist.
    mutating func set(_ value: ObjectID, at path: JSONPointer, with reader: inout ValueReader) throws(Problem) {
        let isThere = draft.find(path) != nil
        let template = try template(at: path, isAdded: !isThere)
        let new = try reader.read(value, like: template, isTop: path == .root, in: &draft)
        if isThere { try replace(with: new, at: path) } else { try add(new, at: path) }
    }

    /// Adds a value at an address. An existing value with the same key is replaced.
    mutating func add(_ new: ValueReader.Value, at path: JSONPointer) throws(Problem) {
        guard let token = path.lastToken else { return try replaceRoot(with: new.id) }
        let parent = try parent(of: path)
        let count = draft.value(parent).count
        guard draft.isKeyed(parent) else {
            guard draft.isContainer(parent), let position = token.insertion(among: count) else {
                throw missing(parent, path)
            }
            return draft.insert(new.id, at: position, of: parent, inPlace: new.isInPlace)
        }
        if let position = draft.position(of: token, at: parent, exactly: true) {
            return draft.replace(at: position, of: parent, with: new.id, inPlace: new.isInPlace)
        }
        guard let key = token.isExtension ? draft.add(keyOfExtension: token.units) : draft.add(string: token.units)
        else {
            throw missing(parent, path)
        }
        draft.insert(new.id, key: key, at: count, of: parent, inPlace: new.isInPlace)
    }

    private mutating func replace(with new: ValueReader.Value, at path: JSONPointer) throws(Problem) {
        guard path != .root else { return try replaceRoot(with: new.id) }
        let (parent, position) = try slot(at: path)
        draft.replace(at: position, of: parent, with: new.id, inPlace: new.isInPlace)
    }

    /// Replaces the value at an address, which must exist.
    mutating func put(_ value: Draft.ID, at path: JSONPointer) throws(Problem) {
        try replace(with: (value, nil), at: path)
    }

    /// Removes a value, which stays in the draft for reuse. A duplicate key is removed with all its pairs, since
    /// otherwise another pair would become effective. A token such as `#3` removes one pair.
    mutating func remove(at path: JSONPointer) throws(Problem) -> ValueReader.Value {
        guard path != .root else { throw Problem("patch.root", "the whole document cannot be removed") }
        if try isClass(path, replaced: false) { throw .patchFixedClass() }
        let (parent, position) = try slot(at: path)
        guard let item = draft.item(position, of: parent) else { throw missing(parent, path) }
        if path.lastToken?.isExtension ?? false {
            draft.remove(at: position, of: parent)
        } else {
            draft.removeKey(at: position, of: parent)
        }
        return (item.value, item.isInPlace)
    }

    private mutating func replaceRoot(with new: Draft.ID) throws(Problem) {
        if draft.view.archive != nil {
            guard case .dictionary = draft.value(new).variant, draft.classOf(new) == nil else { throw .patchTop() }
        }
        draft.replaceRoot(with: new)
    }

    private mutating func value(at path: JSONPointer) throws(Problem) -> Draft.ID {
        guard path != .root else { return draft.root }
        if try isClass(path, replaced: false) { throw .patchFixedClass() }
        let parent = try container(path, depth: path.tokens.count - 1)
        guard let position = position(path, in: parent), let item = draft.item(position, of: parent) else {
            throw missing(parent, path)
        }
        return item.value
    }

    /// Returns the slot at an address. The caller may change its container, see ``container(_:depth:isChanged:)``.
    private mutating func slot(at path: JSONPointer) throws(Problem) -> (parent: Draft.ID, position: Int) {
        let parent = try parent(of: path)
        guard let position = position(path, in: parent) else { throw missing(parent, path) }
        return (parent, position)
    }

    private mutating func position(_ path: JSONPointer, in parent: Draft.ID, exactly isExact: Bool = false) -> Int? {
        path.lastToken.flatMap { draft.position(of: $0, at: parent, exactly: isExact) }
    }

    /// Returns the container of the slot at an address. The caller may change the container, because a shared one is
    /// copied first.
    private mutating func parent(of path: JSONPointer) throws(Problem) -> Draft.ID {
        try container(path, depth: path.tokens.count - 1, isChanged: true)
    }

    /// Returns the container after the first `depth` tokens of an address.
    ///
    /// - Parameter isChanged: Whether the container will be changed and is therefore split from other references to it.
    mutating func container(
        _ path: JSONPointer, depth: Int, isChanged: Bool = false
    ) throws(Problem) -> Draft.ID {
        var id = draft.root
        if isChanged, let own = try split(id) {
            draft.replaceRoot(with: own)
            id = own
        }
        for level in 0..<depth {
            guard let position = draft.position(of: path.token(at: level), at: id),
                let item = draft.item(position, of: id)
            else { throw missing(id, path, depth: level) }
            let parent = id
            id = item.value
            guard isChanged, let own = try split(id) else { continue }
            draft.replace(at: position, of: parent, with: own)
            id = own
        }
        return id
    }

    /// Copies a container that is referred to more than once; returns nil if it is not shared.
    mutating func split(_ id: Draft.ID) throws(Problem) -> Draft.ID? {
        guard draft.view.archive == nil, let copy = draft.split(id) else { return nil }
        try checkAddedSize()
        return copy
    }

    /// Throws if the copies exceed the limit on the expanded size of a document.
    private func checkAddedSize() throws(Problem) {
        do {
            try limits.check(
                expandedSize: draft.values.addedByteCount, of: draft.view.document)
        } catch {
            throw Problem("patch.size", "the copied values make the document far too large")
        }
    }

    /// Returns the problem of an address that does not exist.
    ///
    /// - Parameters:
    ///   - container: The container that lacks the next token.
    ///   - depth: The number of tokens that lead to the container; nil for all tokens except the last.
    private mutating func missing(_ container: Draft.ID, _ path: JSONPointer, depth: Int? = nil) -> Problem {
        let prefix = base.appending(path.prefix(depth ?? path.tokens.count - 1))
        return Problem(
            .missingTarget,
            "no such value; \(prefix) is \(draft.brief(container))" + draft.advice(for: path, within: base))
    }
}

// MARK: Classes

extension PatchApplication {
    /// Whether the last token of an address is `$class` and names the class of the container, not a key.
    ///
    /// In a dictionary, `$class` names the class only if the operation replaces or tests it and the dictionary has no
    /// such key.
    ///
    /// - Parameter replaced: Whether the operation replaces or tests a value.
    private mutating func isClass(_ path: JSONPointer, replaced: Bool) throws(Problem) -> Bool {
        guard draft.view.archive != nil, let token = path.lastToken, token == .classToken else { return false }
        let object = try container(path, depth: path.tokens.count - 1)
        guard draft.classOf(object) != nil else { return false }
        switch draft.value(object).variant {
        case .object, .array, .set: return true
        case .dictionary: return replaced && draft.position(of: token, at: object) == nil
        case .scalar: return false
        }
    }

    private mutating func applyClass(
        _ operation: PatchOperation, value: ObjectID, in document: Document
    ) throws(Problem) {
        let object = try container(operation.path, depth: operation.path.tokens.count - 1)
        guard operation.kind == .test else {
            return try draft.setClass(of: object, to: try draft.readClass(value, of: document))
        }
        let present = draft.classOf(object)
        let name = present?.name ?? []
        if let text = document.text(value) {
            if text.elementsEqual(name) { return }
        } else if try draft.readClass(value, of: document) == present {
            return
        }
        throw .patchTest(
            found: Phrase.quoted(name), expected: document.text(value).map { Phrase.quoted($0) } ?? "another class")
    }
}

extension Draft {
    /// Adds the non-string key that a token such as `=5` describes; nil for a token such as `#3`, which describes no
    /// key.
    fileprivate mutating func add(keyOfExtension form: [UInt16]) -> ID? {
        JSONPointer.key(ofExtension: form).map { add($0[$0.root]) }
    }
}

extension JSONPointer {
    /// Whether another address is inside this one.
    fileprivate func isAbove(_ other: JSONPointer) -> Bool {
        other.tokens.count > tokens.count && other.prefix(tokens.count) == self
    }
}

/// Operations in nested saves. Consecutive operations in one save are applied to that save as a separate patch. The
/// resulting bytes are then stored in the value that holds the save.
extension PatchApplication {
    /// Returns the outermost nested save that an address of an operation enters; nil if it enters none.
    mutating func entrance(
        of operation: PatchOperation, on address: JSONPointer
    ) throws(Problem) -> ObjectView.Entrance? {
        do throws(Problem) {
            return try draft.entrance(on: address)
        } catch {
            var problem = error
            problem.address = address
            throw problem.of(operation)
        }
    }

    /// Applies the consecutive operations from `first` on that enter a nested save, and returns their number.
    mutating func apply(
        _ patch: JSONPatch, from first: Int, inside entrance: ObjectView.Entrance
    ) throws(Problem) -> Int {
        var operations: [PatchOperation] = []
        for operation in patch.operations[first...] {
            guard let path = operation.path.within(saveAt: entrance.address) else { break }
            let source = operation.source?.within(saveAt: entrance.address)
            guard operation.source == nil || source != nil else { throw .patchCrossing().of(operation) }
            operations.append(operation.at(path, from: source))
        }
        let inner = patch.with(operations)
        let base = base.appending(entrance.address)
        let changesType = changesType
        try change(entrance) { view, limits throws(Problem) in
            try inner.result(on: view, limits: limits, changesType: changesType, at: base)
        }
        return operations.count
    }

    /// Edits a nested save, and sets the value to the resulting bytes.
    mutating func change(
        _ entrance: ObjectView.Entrance, _ edit: (ObjectView, Limits) throws(Problem) -> PatchResult
    ) throws(Problem) {
        do throws(Problem) {
            let result = try edit(entrance.save.view, limits)
            roundings += result.roundings.map { $0.within(saveAt: entrance.address) }
            guard let edited = result.edited else { return }
            try put(draft.add(entrance.save, editedTo: edited, limits: limits), at: entrance.address)
        } catch {
            throw error.within(saveAt: entrance.address)
        }
    }
}
