/// The binary property list, `bplist00` (see <doc:BinaryFormat>).
///
/// A file is a header, objects one after the other, a table of their offsets, and a trailer that says how to read the
/// table. The smallest dictionary with something in it, `{"k": 5}`:
///
///     62 70 6C 69 73 74 30 30    "bplist00"
///     D1 01 02                   object 0: dictionary of 1 pair, key is object 1, value is object 2
///     51 6B                      object 1: string of 1 byte, "k"
///     10 05                      object 2: integer of 1 byte, 5
///     08 0B 0D                   offsets of objects 0, 1 and 2
///     00 00 00 00 00             unused
///     00                         sort version
///     01 01                      bytes per offset, bytes per reference
///     00 00 00 00 00 00 00 03    number of objects
///     00 00 00 00 00 00 00 00    the root is object 0
///     00 00 00 00 00 00 00 0F    the offset table starts here
///
/// ``BinaryPlistReader`` checks such bytes and keeps them as a document's image. ``BinaryPlistWriter`` makes them from any
/// document: ``ObjectOrder`` decides which object comes where, as one of the known writers would.
enum BinaryPlist {
    /// Reads a binary property list.
    ///
    /// The bytes are checked, not copied: every check of Core Foundation's reader is made, and takes a few bytes of memory
    /// per object. Objects that the root does not reach need not be sound.
    ///
    /// - Throws: the first problem found, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try BinaryPlistReader(bytes, limits: limits).read()
    }

    /// What writing a document as a binary property list would lose: where a key of a text format repeats, its last value
    /// counts, whereas readers of binary files take the first.
    static func losses(in document: Document) -> [Problem] {
        RepeatedTextKeys.losses(in: document)
    }

    /// Writes a document as a binary property list.
    ///
    /// A document read from a binary file is written as it was read, byte for byte. Any other is laid out as Core
    /// Foundation does; scalars keep the width and encoding that they have in the document.
    ///
    /// - Throws: a problem if keys repeat and the document without them would exceed 4 GiB.
    static func write(_ document: Document, to output: inout ByteWriter) throws(Problem) {
        if document.isFile {
            output.write(document.image)
        } else {
            let sound = try RepeatedTextKeys.removed(from: document)
            BinaryPlistWriter(sound, in: ObjectOrder(sound)).write(to: &output)
        }
    }
}
