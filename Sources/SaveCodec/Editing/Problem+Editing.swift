/// What can be wrong with an edit of a property list.
extension Problem {
    static func editCycle(at address: JSONPointer) -> Problem {
        Problem("edit.cycle", "the container would contain itself, which a property list cannot", address: address)
    }

    static func editKey(at address: JSONPointer) -> Problem {
        Problem("edit.key", "the key is a container, which a property list cannot have as key", address: address)
    }

    static func editOverlap(allowed: Int) -> Problem {
        Problem(
            "edit.overlap",
            "objects of the file overlap, so that written one by one they would take more than \(allowed) bytes")
    }
}
