public import SaveCodec

/// Something that checking a file found.
public struct Finding: Sendable, Equatable {
    /// What it is, and where it stands in the file: in an archive, in the property list that it is stored as.
    public let problem: Problem
    /// In an archive, the address of the object in question as ``KeyedArchive/ObjectView`` has it, if a root leads there.
    public let path: Address?

    /// Creates a finding.
    public init(_ problem: Problem, path: Address? = nil) {
        self.problem = problem
        self.path = path
    }
}
