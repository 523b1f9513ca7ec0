public import SaveCodec

/// What checking a file found.
public struct Report: Sendable {
    /// The format that the file is in; nil if it is none of ours.
    public internal(set) var format: Format?
    /// Whether the file presents itself as a keyed archive.
    public internal(set) var isArchive = false
    /// All that was found: first of the property list, then of the archive in the order of its objects.
    public internal(set) var findings: [Finding] = []
}
