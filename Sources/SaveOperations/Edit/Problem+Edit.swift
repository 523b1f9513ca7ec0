import SaveCodec

/// What can be wrong with an edit through the view.
extension Problem {
    static func editForm() -> Problem {
        Problem("edit.form", "a scalar where a container is expected")
    }

    static func editClassInPlain(_ className: ArchiveClass?) -> Problem {
        Problem(
            "edit.class-plain", "an object of class \(name(className)), which a plain property list cannot hold")
    }

    static func editClassForm(_ className: ArchiveClass?) -> Problem {
        guard let className else {
            return Problem("edit.class-missing", "an object without a class; expected its name")
        }
        return Problem(
            "edit.class-form", "objects of class \(name(className)) do not hold contents of this form")
    }

    static func editNoClass(_ className: ArchiveClass) -> Problem {
        Problem("edit.class", "the value has no class, so it cannot get the class \(name(className))")
    }

    static func editSharedInPlain() -> Problem {
        Problem(
            "edit.shared-plain",
            "a container that is referred to more than once, which a plain property list cannot say")
    }

    static func editKeyInPlain() -> Problem {
        Problem("edit.key", "the key is a container, which a property list cannot have as key")
    }

    static func editUIDValue() -> Problem {
        Problem("edit.uid", "a UID as a value, which would be a reference in an archive")
    }

    static func editRawContents() -> Problem {
        Problem(
            "edit.raw",
            "an object within a container that stands in an archive without a class, and cannot refer to objects")
    }

    static func editRoot() -> Problem {
        Problem("edit.root", "the roots of an archive are a dictionary; found something else")
    }

    private static func name(_ className: ArchiveClass?) -> String {
        SafeText.escaping((className?.name ?? []).prefix(80))
    }
}
