package import KeyedArchives
package import SaveCodec

/// A JSON Patch (RFC 6902) for a view. Its values are typed JSON for a plain document, and graph JSON for an archive.
///
///     [{"op": "test", "path": "/root/health", "value": 100},
///      {"op": "add", "path": "/root/friends/-", "value": {"$class": "Player", "map": {"$ref": "/root/map"}}},
///      {"op": "replace", "path": "/root/$class", "value": "Hero"}]
///
/// Paths are addresses, see ``JSONPointer``. `$class` after an object names its class. In an archive, `{"$ref":
/// "/pointer"}` refers to the object at that address, see ``ValueReader``.
///
/// An operation may replace a value by one of another type only if it has the member `"change-type": true`, which other
/// programs ignore.
package struct JSONPatch: Sendable {
    let document: Document
    private(set) var operations: [PatchOperation] = []
    /// The values of the operations, in ``document``.
    private(set) var values: [ObjectID] = []

    /// Interprets a JSON document as a patch. Unknown members of operations are ignored.
    ///
    /// - Throws: The first violation of RFC 6902.
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
        if let repeated = document.firstDuplicateKey(of: stored) {
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

    /// The values of the operations, without values that only other operations of the file's patch use.
    var usedValues: some Sequence<PatchValue> {
        operations.lazy.compactMap(\.value).map { PatchValue(values[$0], in: document) }
    }

    func with(_ operations: [PatchOperation]) -> JSONPatch {
        var patch = self
        patch.operations = operations
        return patch
    }

    /// Returns the view that results from all operations; nil if nothing changes. Values may change their types.
    package func changed(_ view: ObjectView, limits: Limits = Limits()) throws(Problem) -> ObjectView? {
        try result(on: view, limits: limits, changesType: true).edited
    }

    /// Applies all operations, and returns the resulting save and the rounded numbers.
    ///
    /// - Parameters:
    ///   - base: The address of the view's save in the outer save; messages use addresses of the outer save.
    ///   - changesType: Whether a value may replace one of another type.
    package func result(
        on view: ObjectView, limits: Limits = Limits(), changesType: Bool, at base: JSONPointer = .root
    ) throws(Problem) -> PatchResult {
        var application = try PatchApplication(Draft(view), limits, changesType: changesType, at: base)
        try application.apply(self)
        return try application.finish()
    }
}

package struct PatchResult: Sendable {
    /// The edited save; nil if nothing changed.
    package let edited: ObjectView?
    /// The elements that the patch removed or inserted, see ``DifferenceOptions/namedElements``.
    package var namedElements: [ViewID: Sides<Set<Int>>] = [:]
    /// The numbers that were not stored as given.
    package let roundings: [RoundedNumber]
}

struct PatchOperation: Sendable {
    /// The kinds of operations (RFC 6902 §4).
    enum Kind: String, Sendable, CaseIterable {
        case add, remove, replace, move, copy, test

        var takesValue: Bool { self == .add || self == .replace || self == .test }
        var takesSource: Bool { self == .move || self == .copy }
    }

    let kind: Kind
    /// The number of the operation in the patch, from 1.
    let number: Int
    /// The address to change or to test.
    let path: JSONPointer
    /// The address of the value to move or copy.
    let source: JSONPointer?
    /// The index of the value in ``JSONPatch/values``.
    let value: Int?
    /// Whether the value may replace one of another type.
    let changesType: Bool

    func at(_ path: JSONPointer, from source: JSONPointer?) -> PatchOperation {
        PatchOperation(
            kind: kind, number: number, path: path, source: source, value: value, changesType: changesType)
    }
}
