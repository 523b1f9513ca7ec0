import SaveCodec

extension Problem {
    static func editForm() -> Problem {
        Problem("edit.form", "a scalar where a container is expected")
    }

    static func editClassInPlain(_ className: ArchiveClass?) -> Problem {
        Problem(
            "edit.class-plain",
            "an object of class \(className?.shownName ?? ""), which a plain property list cannot hold")
    }

    static func editClassForm(_ className: ArchiveClass?) -> Problem {
        guard let className else {
            return Problem("edit.class-missing", "an object without a class; expected its name")
        }
        return Problem(
            "edit.class-form", "objects of class \(className.shownName) do not hold contents of this form")
    }
}
