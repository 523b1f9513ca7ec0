package import SaveCodec

/// What checking a file found.
package struct Report: Sendable {
    /// The format that the file is in; nil if it is none of ours.
    package internal(set) var format: Format?
    /// Whether the file presents itself as a keyed archive.
    package internal(set) var isArchive = false
    /// All that was found: first of the property list, then of the archive in the order of its objects.
    package internal(set) var findings: [Finding] = []
}

/// Something that checking a file found.
package struct Finding: Sendable, Equatable {
    /// What it is, and where it stands in the file: in an archive, in the property list that it is stored as.
    package let problem: Problem
    /// In an archive, the address of the object in question as ``KeyedArchive/ObjectView`` has it, if a root leads there.
    package let path: JSONPointer?

    /// Creates a finding.
    package init(_ problem: Problem, path: JSONPointer? = nil) {
        self.problem = problem
        self.path = path
    }
}
