package import KeyedArchives
package import SaveCodec

/// A JSON Patch (RFC 6902) on a view: of a plain document the values are typed JSON, of an archive graph JSON.
///
///     [{"op": "test", "path": "/root/health", "value": 100},
///      {"op": "add", "path": "/root/friends/-", "value": {"$class": "Player", "map": {"$ref": "/root/map"}}},
///      {"op": "replace", "path": "/root/$class", "value": "Hero"}]
///
/// Addresses are those of ``JSONPointer``. `$class` behind an object is its class. In an archive `{"$ref": "/pointer"}` is an
/// object that is there when the operation is done, see ``ValueReader``.
///
/// A value that replaces one of another type is refused unless the operation says that it is meant, by a member that other
/// programs pass over: `"change-type": true`.
package struct JSONPatch: Sendable {
    let document: Document
    /// What is done, in order.
    private(set) var operations: [PatchOperation] = []
    /// The values of the operations, where they stand in the document.
    private(set) var values: [ObjectID] = []

    /// Reads a patch that has been read as JSON.
    ///
    /// - Throws: the first thing that RFC 6902 does not allow. Members that it does not know are passed over.
    package init(_ document: Document) throws(Problem) {
        self.document = document
        guard case .array(let elements) = document[document.root] else {
            throw .patchForm(document[document.root].kind)
        }
        for (index, element) in elements.enumerated() { try read(element, number: index + 1) }
    }

    private mutating func read(_ id: ObjectID, number: Int) throws(Problem) {
        let stored = document.object(id)
        guard stored.kind == .dictionary else { throw .patchOperationForm(number, document[id].kind) }
        if let repeated = document.firstRepeatedKey(of: stored) {
            throw .patchRepeated(number, document.text(document.key(repeated.first, of: stored)))
        }
        let name = try text("op", of: id, number: number)
        guard let kind = PatchOperation.Kind(rawValue: name.string) else { throw .patchUnknown(number, name) }
        let path = try address("path", of: id, number: number, kind: kind)
        var value: Int?
        if kind.takesValue {
            guard let member = member("value", of: id) else { throw .patchMember("value", number: number, kind: kind) }
            value = values.count
            values.append(member)
        }
        var changesType = false
        if let member = member("change-type", of: id), case .boolean(true) = document[member] { changesType = true }
        let source = kind.takesSource ? try address("from", of: id, number: number, kind: kind) : nil
        operations.append(
            PatchOperation(
                kind: kind, number: number, path: path, source: source, value: value, changesType: changesType))
    }

    private func member(_ name: String, of id: ObjectID) -> ObjectID? {
        guard case .dictionary(let pairs) = document[id] else { return nil }
        return pairs.value(for: name.utf16)
    }

    private func text(
        _ name: String, of id: ObjectID, number: Int, kind: PatchOperation.Kind? = nil
    ) throws(Problem) -> StoredString {
        guard let member = member(name, of: id) else { throw .patchMember(name, number: number, kind: kind) }
        guard let text = document.text(member) else {
            throw .patchMemberKind(name, found: document[member].kind, number: number, kind: kind)
        }
        return text
    }

    private func address(
        _ name: String, of id: ObjectID, number: Int, kind: PatchOperation.Kind
    ) throws(Problem) -> JSONPointer {
        let text = try text(name, of: id, number: number, kind: kind)
        guard let address = JSONPointer(units: text) else { throw .patchPointer(text, number: number, kind: kind) }
        return address
    }

    /// The patch with other operations.
    func with(_ operations: [PatchOperation]) -> JSONPatch {
        var patch = self
        patch.operations = operations
        return patch
    }

    /// The document that a view becomes by all operations.
    ///
    /// - Throws: a problem if one cannot be done, with its number; none has been done then. See ``Problem/isUnmet``.
    func applied(to view: ObjectView, limits: Limits = Limits()) throws(Problem) -> Document {
        try (changed(view, limits: limits) ?? view).document
    }

    /// The same; nil where nothing is changed. Types may change.
    func changed(_ view: ObjectView, limits: Limits = Limits()) throws(Problem) -> ObjectView? {
        try result(on: view, limits: limits, changesType: true).edited
    }

    /// Applies all operations. Returns the resulting save and the reals that were rounded.
    ///
    /// - Parameters:
    ///   - base: where the view is in the one that the patch is for; messages have the addresses of that.
    ///   - changesType: whether a value may replace one of another type.
    package func result(
        on view: ObjectView, limits: Limits = Limits(), changesType: Bool, at base: JSONPointer = .root
    ) throws(Problem) -> PatchResult {
        var application = try PatchApplication(Draft(view), limits, changesType: changesType, at: base)
        try application.apply(self)
        return try application.finish()
    }
}

/// The result of a patch.
package struct PatchResult: Sendable {
    /// The save as edited; nil if nothing was.
    package let edited: ObjectView?
    /// The reals that had to be rounded to the bytes that they take.
    package let roundings: [Rounding]
}

/// One operation of a JSON Patch.
struct PatchOperation: Sendable {
    /// What an operation does (RFC 6902 §4).
    enum Kind: String, Sendable, CaseIterable {
        case add, remove, replace, move, copy, test

        var takesValue: Bool { self == .add || self == .replace || self == .test }
        var takesSource: Bool { self == .move || self == .copy }
    }

    /// What it does.
    let kind: Kind
    /// Where it stands in the patch, from one.
    let number: Int
    /// The address of what is changed.
    let path: JSONPointer
    /// The address of what is moved or copied.
    let source: JSONPointer?
    /// The value, by its number among those of the patch.
    let value: Int?
    /// Whether the value may replace one of another type.
    let changesType: Bool

    /// The same operation at other addresses.
    func at(_ path: JSONPointer, from source: JSONPointer?) -> PatchOperation {
        PatchOperation(
            kind: kind, number: number, path: path, source: source, value: value, changesType: changesType)
    }
}
