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
