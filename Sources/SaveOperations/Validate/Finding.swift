package import SaveCodec

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
