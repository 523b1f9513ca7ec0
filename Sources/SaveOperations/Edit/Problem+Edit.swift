import SaveCodec

extension Problem {
    static func editForm() -> Problem {
        Problem("edit.form", "found a scalar; expected a container")
    }

    static func editClassInPlain(_ className: ArchiveClass?) -> Problem {
        Problem(
            "edit.class-plain",
            "found an object of class \(className?.shownName ?? ""); a plain property list cannot represent it")
    }

    static func editClassForm(_ className: ArchiveClass?) -> Problem {
        guard let className else {
            return Problem("edit.class-missing", "found an object without a class; expected a class name")
        }
        return Problem(
            "edit.class-form", "class \(className.shownName) does not fit a value with this kind of contents")
    }

    // MARK: References and classes in values

    /// - Parameter nearest: An existing address for a suggestion.
    static func patchReference(_ found: StoredString, nearest: JSONPointer?) -> Problem {
        Problem(
            "patch.pointer",
            "\"$ref\" is \"\(shown(found))\"; expected a number, or an address such as /root/name"
                + Suggestion.sentence(nearest))
    }

    static func patchNoObject(_ address: JSONPointer, _ advice: String) -> Problem {
        let shown = SafeText.escaping("\(address)".utf16.prefix(200))
        return Problem(.missingTarget, "\"$ref\" is \(shown), which does not exist" + advice)
    }

    static func patchClassValue(_ found: ValueKind) -> Problem {
        Problem(
            "patch.class",
            "found \(article(found)) as a class; expected its name, its class chain such as [\"Hero\", \"NSObject\"], or its record"
        )
    }

    static func patchUnknownClass(_ name: StoredString, _ advice: String) -> Problem {
        let name = shown(name)
        return Problem(
            "patch.class",
            "unknown class \"\(name)\"; expected its class chain such as [\"\(name)\", \"NSObject\"]"
                + advice)
    }

    // MARK: Words

    static func shown(_ text: StoredString?) -> String {
        text.map { Phrase.name($0) } ?? ""
    }

    /// Returns the name of a kind in JSON, with an article. A dictionary is `an object`.
    static func article(_ kind: ValueKind) -> String {
        (kind == .dictionary ? .object : kind).withArticle
    }
}

extension Problem.Kind {
    /// An address in a patch does not exist.
    static let missingTarget = Problem.Kind("patch.missing")
}
