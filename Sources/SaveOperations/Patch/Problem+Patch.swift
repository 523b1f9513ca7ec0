import KeyedArchives
package import SaveCodec

/// Problems of patches and of their application.
extension Problem {
    /// Whether a patch cannot be applied because a test failed or an address does not exist.
    package var isTargetMismatch: Bool { kind == .failedTest || kind == .missingTarget }

    // MARK: Reading

    static func patchForm(_ found: ValueKind) -> Problem {
        Problem("patch.form", "the patch is \(article(found)); expected an array of operations")
    }

    static func patchOperationForm(_ number: Int, _ found: ValueKind) -> Problem {
        Problem("patch.operation", "operation \(number) is \(article(found)); expected an object")
    }

    static func patchRepeated(_ number: Int, _ name: StoredString?) -> Problem {
        Problem("patch.member-twice", "operation \(number) has two members named \"\(shown(name))\"")
    }

    static func patchUnknown(_ number: Int, _ name: StoredString) -> Problem {
        let names = PatchOperation.Kind.allCases.map(\.rawValue)
        return Problem(
            "patch.operation-name",
            "operation \(number) is \"\(shown(name))\"; expected "
                + names.dropLast().joined(separator: ", ") + " or " + (names.last ?? ""))
    }

    static func patchMember(_ name: String, number: Int, kind: PatchOperation.Kind?) -> Problem {
        Problem("patch.member", "\(operation(number, kind)) has no member \"\(name)\"")
    }

    static func patchMemberKind(
        _ name: String, found: ValueKind, number: Int, kind: PatchOperation.Kind?
    ) -> Problem {
        Problem(
            "patch.member", "\(operation(number, kind)): the member \"\(name)\" is \(article(found)); expected a string"
        )
    }

    static func patchPointer(_ found: StoredString, number: Int, kind: PatchOperation.Kind) -> Problem {
        Problem(
            "patch.pointer",
            "\(operation(number, kind)): \"\(shown(found))\" is not an address; expected one such as /root/name"
                + Suggestion.sentence(Suggestion.address(withSlashBefore: found.string)))
    }

    // MARK: Applying

    static func patchMissing(_ what: String, at prefix: JSONPointer, _ advice: String) -> Problem {
        Problem(.missingTarget, "no such value; \(prefix) is \(what)" + advice)
    }

    static func patchTest(found: String, expected: String) -> Problem {
        Problem(.failedTest, "found \(found); expected \(expected)")
    }

    static func patchRoot() -> Problem {
        Problem("patch.root", "the whole document cannot be removed")
    }

    static func patchTop() -> Problem {
        Problem("patch.root", "only a dictionary of values can replace the roots of an archive")
    }

    static func patchInside() -> Problem {
        Problem("patch.inside", "a value cannot be moved into itself")
    }

    static func patchFixedClass() -> Problem {
        Problem("patch.class", "the class of an object can only be replaced or tested")
    }

    static func patchTooLarge() -> Problem {
        Problem("patch.size", "the copied values make the document far too large")
    }

    static func patchMergeKey(_ found: ValueKind) -> Problem {
        Problem("patch.merge-key", "found \(article(found)) as a key; a merge patch cannot name it")
    }

    // MARK: Writing

    static func patchTooLong() -> Problem {
        Problem("patch.length", "the patch would be far larger than the documents; it is not written")
    }

    static func patchDepth() -> Problem {
        Problem("patch.depth", "a patch cannot represent this value: its keys or in-place values are too deeply nested")
    }

    static func patchKey(at address: JSONPointer?) -> Problem {
        Problem("patch.key", "a patch cannot add a pair whose key has no address", address: address)
    }

    static func patchRepeatedKey(at address: JSONPointer) -> Problem {
        Problem("patch.key", "a patch cannot add a duplicate key", address: address)
    }

    static func patchClassKey(at address: JSONPointer) -> Problem {
        Problem(
            "patch.class", "a patch cannot change the class of a dictionary that has the key \"$class\"",
            address: address)
    }

    static func patchUnreachable() -> Problem {
        Problem("patch.key", "a patch cannot refer to an object inside a key")
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
