package import SaveCodec

/// What can be wrong with a value that is set, or with the place that it is to have.
extension Problem {
    static func editType(_ given: String, _ present: String, at address: JSONPointer) -> Problem {
        Problem(.editType, "found \(given); expected \(present), which is what stands there", address: address)
    }

    static func editClassName(_ given: String, at address: JSONPointer) -> Problem {
        Problem("edit.class-name", "found \(given); expected the name of a class, a string", address: address)
    }

    static func editPresentKey(at address: JSONPointer) -> Problem {
        Problem("edit.present-key", "the key is there already, so nothing can be inserted under it", address: address)
    }

    static func editPresentMember(at address: JSONPointer) -> Problem {
        Problem("edit.present-member", "the set has this member already", address: address)
    }

    static func editFixed(_ what: String, at address: JSONPointer) -> Problem {
        Problem("edit.fixed", "\(what) can be set, but neither inserted nor removed", address: address)
    }

    static func editFormKey(at address: JSONPointer) -> Problem {
        Problem("edit.form-key", "no key is there; only keys that are strings can be added", address: address)
    }

    static func editNil(at address: JSONPointer) -> Problem {
        Problem(
            "edit.nil", "nil cannot stand in a collection of an archive; {\"$class\": \"NSNull\"} can", address: address
        )
    }
}

extension Problem.Kind {
    /// The problem of a value of another type than the one that it is to replace.
    package static let editType = Problem.Kind("edit.type")
}
