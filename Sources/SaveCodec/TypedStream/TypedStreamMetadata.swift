/// The properties of objects in a typedstream that keyed archives do not store: the C types of their fields and the
/// versions of their classes. Objects and classes are identified by their UIDs in the resulting archive.
struct TypedStreamMetadata: Sendable {
    private let bytes: [UInt8]
    private let nodes: [TypeEncodings.Node]
    /// The types of the roots, followed by the types of each object's fields.
    private var types: [UInt32]
    /// The start of each object's types. Index 0 is for the roots.
    private var starts: [UInt32] = [0]
    private var versions: [Int: [Int64]] = [:]

    init(_ stream: TypedStream, in bytes: [UInt8]) {
        (self.bytes, nodes) = (bytes, stream.types.nodes)
        types = stream.roots.map(\.type)
    }

    /// Adds the types of the next object's fields. They are empty for an object whose fields differ from the values
    /// that it wrote.
    mutating func addObject(_ values: ArraySlice<TypedStream.Value>) {
        starts.append(UInt32(truncatingIfNeeded: types.count))
        for value in values { types.append(value.type) }
    }

    mutating func addClass(_ uid: Int, versions: [Int64]) {
        self.versions[uid] = versions
    }

    fileprivate func type(ofField position: Int, of uid: Int) -> ArraySlice<UInt8>? {
        guard uid < starts.count else { return nil }
        let end = uid + 1 < starts.count ? Int(starts[uid + 1]) : types.count
        guard position < end - Int(starts[uid]) else { return nil }
        let node = nodes[Int(types[Int(starts[uid]) + position])]
        return node.text.isEmpty ? [node.code] : bytes[node.text]
    }

    fileprivate func versions(ofClass uid: Int) -> [Int64] { versions[uid] ?? [] }
}

extension Document {
    /// Returns the C type of a field in the notation of `@encode`, or of a root if the UID is 0; nil if the type is
    /// unknown.
    package func cType(ofField position: Int, of uid: Int) -> ArraySlice<UInt8>? {
        facts.formatFacts.typedStreamMetadata?.type(ofField: position, of: uid)
    }

    /// Returns the versions of a class and its ancestors; empty if they are unknown.
    package func versions(ofClass uid: Int) -> [Int64] {
        facts.formatFacts.typedStreamMetadata?.versions(ofClass: uid) ?? []
    }
}
