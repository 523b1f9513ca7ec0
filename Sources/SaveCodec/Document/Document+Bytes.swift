/// The short ways in and out, for programs that read one file and look up a few values.
extension Document {
    /// Reads a document in whatever format it is.
    ///
    ///     let document = try Document(bytes)
    ///     if case .integer(let gems) = document["gems"] { print(gems.value) }
    ///
    /// - Throws: the first problem that makes the bytes no sound document, with its place.
    public init(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) {
        self = try Document.read(bytes, as: Format.recognize(bytes), limits: limits)
    }

    /// The document as a file in a format, written as ``write(as:to:options:limits:)`` writes it.
    ///
    /// - Throws: a problem if the document is too large to be written as a tree.
    public func bytes(
        as format: Format, options: WriteOptions = WriteOptions(), limits: Limits = Limits()
    ) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        try write(as: format, to: &output, options: options, limits: limits)
        return output.takeBytes()
    }

    /// The value under a key of the dictionary that the document is; nil if there is none, or if it is no dictionary.
    public subscript(key: String) -> Node? {
        guard case .dictionary(let pairs) = self[root] else { return nil }
        return pairs[key]
    }
}

extension Pairs {
    /// The value under a key, as ``value(for:)`` finds it; nil if there is none.
    public subscript(key: String) -> Node? {
        value(for: key.utf16).map { document[$0] }
    }
}
