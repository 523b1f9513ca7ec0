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
            throw Problem(
                "patch.form",
                "the patch is \(Problem.article(document[document.root].kind)); expected an array of operations")
        }
        for (index, element) in elements.enumerated() { try read(element, number: index + 1) }
    }

    private mutating func read(_ id: ObjectID, number: Int) throws(Problem) {
        let stored = document.object(id)
        guard stored.kind == .dictionary else {
            throw Problem(
                "patch.operation", "operation \(number) is \(Problem.article(document[id].kind)); expected an object")
        }
        if let repeated = document.firstDuplicateKey(of: stored) {
            let name = Problem.shown(document.text(document.key(repeated.first, of: stored)))
            throw Problem("patch.member-twice", "operation \(number) has two members named \"\(name)\"")
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

// MARK: Problems

/// Problems of patches and of their application.
extension Problem {
    /// Whether a patch cannot be applied because a test failed or an address does not exist.
    package var isTargetMismatch: Bool { kind == .failedTest || kind == .missingTarget }

    fileprivate static func patchUnknown(_ number: Int, _ name: StoredString) -> Problem {
        let names = PatchOperation.Kind.allCases.map(\.rawValue)
        return Problem(
            "patch.operation-name",
            "operation \(number) is \"\(shown(name))\"; expected "
                + names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
    }

    fileprivate static func patchMember(_ name: String, number: Int, kind: PatchOperation.Kind?) -> Problem {
        Problem("patch.member", "\(operation(number, kind)) has no member \"\(name)\"")
    }

    fileprivate static func patchMemberKind(
        _ name: String, found: ValueKind, number: Int, kind: PatchOperation.Kind?
    ) -> Problem {
        Problem(
            "patch.member", "\(operation(number, kind)): the member \"\(name)\" is \(article(found)); expected a string"
        )
    }

    fileprivate static func patchPointer(_ found: StoredString, number: Int, kind: PatchOperation.Kind) -> Problem {
        Problem(
            "patch.pointer",
            "\(operation(number, kind)): \"\(shown(found))\" is not an address; expected one such as /root/name"
                + Suggestion.sentence(Suggestion.address(withSlashBefore: found.string)))
    }

    static func patchTest(found: String, expected: String) -> Problem {
        Problem(.failedTest, "found \(found); expected \(expected)")
    }

    static func patchTop() -> Problem {
        Problem("patch.root", "only a dictionary of values can replace the roots of an archive")
    }

    static func patchFixedClass() -> Problem {
        Problem("patch.class", "the class of an object can only be replaced or tested")
    }

    static func patchKey(at address: JSONPointer?) -> Problem {
        Problem("patch.key", "a patch cannot add a pair whose key has no address", address: address)
    }

    static func patchMixed(at address: JSONPointer) -> Problem {
        Problem(
            "patch.mixed",
            "one file is an archive and the other is not; a patch cannot state the class of the changed container",
            address: address)
    }

    static func patchCrossing() -> Problem {
        Problem(
            "patch.crossing",
            "a value cannot be moved or copied into or out of a nested save")
    }

    /// Returns the problem with the number and kind of its operation.
    func of(_ operation: PatchOperation) -> Problem {
        Problem(
            id, "\(Self.operation(operation.number, operation.kind)): \(message)", address: address ?? operation.path)
    }

    private static func operation(_ number: Int, _ kind: PatchOperation.Kind?) -> String {
        kind.map { "operation \(number) (\($0.rawValue))" } ?? "operation \(number)"
    }
}

extension Problem.Kind {
    /// A test of a patch failed.
    static let failedTest = Problem.Kind("patch.test")
}
