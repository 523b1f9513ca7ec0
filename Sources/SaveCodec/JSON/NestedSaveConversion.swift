/// The conversion of the nested saves in a JSON text into files.
struct NestedSaveConversion {
    let locations: NestedLocations
    /// The converter of saves into files; nil if only the locations of values are needed.
    private let converter: NestedSaveConverter?
    /// The number of saves that enclose the text.
    private let level: Int
    /// The byte count that the files may still have.
    private var room: Int
    /// The findings about the saves, with the data that contains each save.
    private var findings: [(data: ObjectID, notes: NestedSaveFindings)] = []

    init(in text: JSONText, _ converter: NestedSaveConverter, _ limits: Limits) {
        self.converter = converter
        locations = NestedLocations(in: text)
        level = 0
        room = limits.maxReadByteCount(of: text.bytes.count)
    }

    /// Creates the conversion of the saves in a nested save.
    ///
    /// - Parameter makesFiles: Whether files are made, and not only the locations of values needed.
    init(in outer: NestedSaveConversion, makesFiles: Bool) {
        converter = makesFiles ? outer.converter : nil
        locations = outer.locations
        level = outer.level + 1
        room = outer.room
    }

    /// Whether the text may contain nested saves.
    var mayNest: Bool { level < NestedSaveText.maxLevel }

    /// Takes over the room that the saves in a nested save have left.
    mutating func takeRoom(of inner: NestedSaveConversion) { room = inner.room }

    /// Returns the file of a save, and the findings about the save, with addresses in its text.
    mutating func file(
        of save: Document, as format: Format, _ limits: Limits
    ) throws(Problem) -> (bytes: [UInt8], findings: NestedSaveFindings) {
        guard let converter else { return ([], NestedSaveFindings()) }
        var notes = NestedSaveFindings()
        // XML may be far longer than JSON, and grows further with each level of XML in data.
        let file = try NestedSaveText.bytes(within: room) { output throws(Problem) in
            notes = try converter.write(save, as: format, limits, to: &output)
        }
        room -= file.count
        if !converter.allowsLoss, let loss = notes.losses.first { throw loss }
        return (file, notes)
    }

    mutating func add(_ notes: NestedSaveFindings, about data: ObjectID) {
        if !notes.isEmpty { findings.append((data, notes)) }
    }

    /// Returns the findings with addresses in the document that was read; nil without any.
    func findings(in document: Document, isEnvelope: Bool) -> NestedSaveFindings? {
        guard let converter, !findings.isEmpty else { return nil }
        return NestedSaveFindings(findings, in: document, isEnvelope: isEnvelope, converter.shownAddress)
    }

    /// Translates an address in the text of a save; nil without a converter.
    func shownAddress(_ address: JSONPointer, _ save: Document) -> JSONPointer? {
        converter?.shownAddress(address, save)
    }
}
