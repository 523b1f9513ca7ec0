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
}
