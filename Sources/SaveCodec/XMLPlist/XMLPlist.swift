/// The XML property list format of Core Foundation (see <doc:XMLFormat>).
///
///     <?xml version="1.0" encoding="UTF-8"?>
///     <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
///     <plist version="1.0">
///     <dict>                                               #0 dictionary {#1: #2, #3: #4}
///     	<key>health</key>                                #1 "health"
///     	<integer>100</integer>                           #2 100
///     	<key>position</key>                              #3 "position"
///     	<dict>                                           #4 UID 7
///     		<key>CF$UID</key>
///     		<integer>7</integer>
///     	</dict>
///     </dict>
///     </plist>
///
/// The reader accepts the same input as Core Foundation and keeps the order of values. The writer produces the same
/// bytes as Core Foundation, with three exceptions:
///
/// - A carriage return in a string becomes `&#13;`, because other readers would convert it to a line feed.
/// - Negative zero keeps its sign.
/// - A 32-bit real has the fewest digits that identify it.
///
/// Both the reader and the writer also know the short element names of Geometry Dash (see ``XMLDialect``).
enum XMLPlist {
    /// Reads an XML property list in UTF-8, UTF-16, UTF-32, ISO-8859-1, windows-1252 or US-ASCII.
    ///
    /// - Throws: The first problem that makes the property list invalid, with its line and column.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try XMLReader.read(bytes, limits: limits)
    }

    /// Reads an XML property list and the locations of its values.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let recorder = SourceRecorder()
        return (try XMLReader.read(bytes, limits: limits, recorder: recorder), recorder.map)
    }

    /// Returns the losses of writing a document: one for each value that XML cannot represent, with its address.
    ///
    /// After 1,000 losses, a last problem counts the rest.
    static func losses(in document: Document) -> [Problem] {
        XMLLossScan.losses(in: document)
    }

    /// Whether the keys of a document are already in the order that the options ask for.
    static func hasOrder(_ document: Document, _ options: WriteOptions) -> Bool {
        switch options.keyOrder ?? usualOrder(options) {
        case .stored: true
        case .sorted: document.hasSortedKeys
        }
    }

    /// Returns the order of keys for options without one.
    static func usualOrder(_ options: WriteOptions) -> WriteOptions.KeyOrder {
        options.hasShortTags ? .stored : .sorted
    }

    /// Writes a document as XML, with sorted keys unless the options specify another order. With short tags, the usual
    /// order is the stored one.
    ///
    /// A value that XML cannot represent becomes the nearest value that it can:
    ///
    /// - Null becomes the string `$null`, as in Foundation's encoder.
    /// - A set becomes an array.
    /// - An integer that exceeds 64 bits becomes a string.
    /// - A date outside the calendar becomes a real, its seconds since 2001.
    /// - A character that XML forbids becomes U+FFFD.
    /// - A key that is not a string becomes its text.
    ///
    /// Only the effective value of a duplicate key is written. A 32-bit real becomes the 64-bit real of the same value,
    /// which is not a loss; ``Document/widenedReals(as:)`` counts them.
    ///
    /// - Throws: A problem, before writing anything, if the document is too large when written as a tree.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try document.checkExpansion(limits)
        var writer = XMLWriter(document, options)
        writer.write(to: &output)
    }
}
