/// XML property lists (see <doc:XMLFormat>): the text form of Core Foundation.
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
/// The reader takes what Core Foundation takes, in order of appearance; the writer writes what it writes, byte for byte,
/// except that a carriage return in a text becomes `&#13;`, as other readers would turn it into a line feed, that negative
/// zero keeps its sign, and that a real of four bytes has the fewest digits.
enum XMLPlist {
    /// Reads an XML property list in UTF-8, UTF-16, UTF-32, ISO-8859-1, windows-1252 or US-ASCII.
    ///
    /// - Throws: the first problem that makes the text no property list, with its line and column.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try XMLReader.read(bytes, limits: limits)
    }

    /// Reads an XML property list and where its values stand.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let recorder = SourceRecorder()
        return (try XMLReader.read(bytes, limits: limits, recorder: recorder), recorder.map)
    }

    /// What writing would lose: one problem for each value that XML cannot hold, with its address.
    ///
    /// A thousand are listed; a last one tells how many more there are.
    static func losses(in document: Document) -> [Problem] {
        XMLLossScan.losses(in: document)
    }

    /// Writes a document as XML, with sorted keys unless the options say otherwise.
    ///
    /// What XML cannot hold becomes the nearest thing that it can: null the string `$null` (as Foundation's encoder has
    /// it), a set an array, an integer beyond 64 bits a string, a date outside the calendar its seconds as a real, a
    /// character that XML forbids U+FFFD, a key that is no string its text. Of a duplicate key the pair is written that a
    /// reader of the document's format would find. A 32-bit real becomes the 64-bit real of the same value, which is no
    /// loss; ``Document/widenedReals(as:)`` counts them.
    ///
    /// - Throws: a problem, before anything is written, if the document is too large to be written as a tree.
    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        try document.checkExpansion(limits)
        var writer = XMLWriter(document, options)
        writer.write(to: &output)
    }
}
