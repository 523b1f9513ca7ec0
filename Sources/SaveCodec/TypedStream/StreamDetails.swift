/// What a typedstream says of its objects beyond their values, and a keyed archive has no place for: the C types of their
/// fields, and the versions of their classes. Objects and classes have the UIDs of the archive that was made of them.
struct StreamDetails: Sendable {
    private let bytes: [UInt8]
    private let nodes: [TypeEncodings.Node]
    /// The types of the roots, and behind them those of the fields of each object.
    private var types: [UInt32]
    /// Where the types of an object begin; the roots are 0.
    private var starts: [UInt32] = [0]
    private var versions: [Int: [Int64]] = [:]

    init(_ stream: TypedStream, in bytes: [UInt8]) {
        (self.bytes, nodes) = (bytes, stream.types.nodes)
        types = stream.roots.map(\.type)
    }

    /// Notes the types of the next object's fields; none for one whose fields are not what it wrote.
    mutating func addObject(_ values: ArraySlice<TypedStream.Value>) {
        starts.append(UInt32(truncatingIfNeeded: types.count))
        for value in values { types.append(value.type) }
    }

    /// Notes the versions of a class and its ancestors.
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
    /// The C type, as `@encode` writes it, of the field at a position of an object that was read from a typedstream, or of
    /// a root if the UID is 0; nil where none is known.
    package func cType(ofField position: Int, of uid: Int) -> ArraySlice<UInt8>? {
        facts.formatFacts.streamDetails?.type(ofField: position, of: uid)
    }

    /// The versions of a class and its ancestors, as far as a typedstream told them.
    package func versions(ofClass uid: Int) -> [Int64] {
        facts.formatFacts.streamDetails?.versions(ofClass: uid) ?? []
    }
}
