/// The binary property list format, `bplist00` (see <doc:BinaryFormat>).
///
/// A file consists of a header, the objects, a table of their offsets, and a trailer that describes the table. The
/// dictionary `{"k": 5}`:
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
/// ``BinaryPlistReader`` checks the bytes of a file and keeps them as a document's image. ``BinaryPlistWriter`` writes
/// any document. ``ObjectOrder`` arranges the objects as one of the known writers would.
package enum BinaryPlist {
    /// The first bytes of every file, without the version.
    static let header = "bplist".utf8

    /// Whether a file begins like a binary property list of any version.
    package static func begins(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.first == header.first && bytes.starts(with: header)
    }

    /// Whether the last bytes of a file are the end of a binary property list. The beginning may be damaged or lost.
    ///
    /// - Parameter size: The size of the file in bytes.
    package static func ends(_ bytes: ArraySlice<UInt8>, ofFile size: Int) -> Bool {
        guard bytes.count >= Trailer.size, case let trailer = Trailer(of: Array(bytes)) else { return false }
        return trailer.unused.dropLast().allSatisfy { $0 == 0 } && trailer.missingSize(in: size) != nil
    }

    /// Reads a binary property list.
    ///
    /// The bytes are checked, not copied. The reader makes every check that Core Foundation's reader makes, and needs a
    /// few bytes of memory per object. Objects that are unreachable from the root may be damaged.
    ///
    /// - Throws: The first problem found, with its byte offset.
    static func read(_ bytes: [UInt8], limits: Limits = Limits()) throws(Problem) -> Document {
        try BinaryPlistReader(bytes, limits: limits).read()
    }

    /// Returns the losses of writing a document as a binary property list.
    ///
    /// The only loss is a duplicate key in a document read from a text format, in which the last value is the effective
    /// one. Readers of binary files use the first.
    static func losses(in document: Document) -> [Problem] {
        DuplicateTextKeys.losses(in: document)
    }

    /// Writes a document as a binary property list.
    ///
    /// A document read from a binary file is written back byte for byte. Any other document gets the layout of Core
    /// Foundation's writer. Scalars keep their width and encoding.
    ///
    /// - Throws: A problem if the document has duplicate keys, and its copy without them would exceed 4 GiB.
    static func write(_ document: Document, to output: inout ByteWriter) throws(Problem) {
        if document.isFile {
            output.write(document.image)
        } else {
            let sound = try DuplicateTextKeys.removed(from: document)
            BinaryPlistWriter(sound, in: ObjectOrder(sound)).write(to: &output)
        }
    }
}
