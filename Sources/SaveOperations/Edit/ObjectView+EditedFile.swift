import KeyedArchives
import SaveCodec

extension ObjectView {
    /// The file that an edited save becomes: a text keeps its white space and comments, a binary file the bytes of what
    /// is not touched.
    ///
    /// - Parameters:
    ///   - file: the file before.
    ///   - isGraphJSON: whether that is JSON that describes the objects of an archive.
    /// - Throws: a problem for what the format cannot hold.
    func bytes(
        inPlaceOf file: [UInt8], as format: Format, isGraphJSON: Bool, limits: Limits
    ) throws(Problem) -> [UInt8] {
        let target = if isGraphJSON, let archive { try archive.graphJSON(limits) } else { document }
        if let loss = target.losses(as: format, limits: limits).first { throw loss }
        if format.has(.text), let edited = try TextEditing.edited(file, as: format, to: target, limits: limits) {
            if let loss = edited.losses.first { throw loss }
            return edited.bytes
        }
        return try target.bytes(as: format, limits: limits)
    }
}

extension KeyedArchive {
    /// The JSON that describes the objects of the archive.
    func graphJSON(_ limits: Limits) throws(Problem) -> Document {
        if let loss = GraphJSON.losses(in: self).first { throw loss }
        var output = ByteWriter()
        try GraphJSON.write(self, to: &output, limits: limits)
        return try Document.readSave(output.takeBytes(), as: .json, limits: limits, dialect: .typed)
    }
}

extension NestedSave {
    /// The bytes of the save as it has been edited.
    ///
    /// - Throws: a problem for what its format cannot hold.
    func bytes(of edited: ObjectView, limits: Limits) throws(Problem) -> [UInt8] {
        try edited.bytes(
            inPlaceOf: bytes, as: format, isGraphJSON: format.has(.objectGraphs) && view.archive != nil, limits: limits)
    }
}
