/// A format that a document can be read from, and that it can be written to unless the format is read only. What is known
/// of each stands in its ``FormatDefinition``.
public enum Format: String, Sendable, CaseIterable {
    /// The binary property list, `bplist00`.
    case binary
    /// The XML property list.
    case xml
    /// Typed JSON, of which plain JSON is a part.
    case json
    /// The old text format of NeXTSTEP and OpenStep, and strings files.
    case openStep = "openstep"
    /// GNUstep's dialect of it, which keeps types.
    case gnustep
    /// The typedstream of NSArchiver, which is read and not written.
    case typedStream = "typedstream"
    /// SQLite's database, of which a document is read, and none is written.
    case sqlite
}

extension Document {
    /// Reads a document of a known format.
    ///
    /// - Throws: the first problem that makes the bytes no sound document, with its place.
    public static func read(_ bytes: [UInt8], as format: Format, limits: Limits = Limits()) throws(Problem) -> Document
    {
        do throws(Problem) {
            return try format.definition.read(bytes, limits: limits).allowing(limits)
        } catch {
            throw error.diagnosed(in: bytes)
        }
    }

    /// What writing the document in a format would lose: one problem for each value that the format cannot hold, with
    /// its address. Empty if nothing is lost, and for a document that is too large to be written as a tree. In a format that
    /// is read only everything would be lost, which is one problem.
    public func losses(as format: Format, limits: Limits = Limits()) -> [Problem] {
        guard let writing = format.writing else { return [.readOnly(format)] }
        guard format.has(.objectTable) || canExpand(limits) else { return [] }
        return writing.losses(in: self)
    }

    /// The number of 32-bit reals that a text in the format has as 64-bit reals of the same value. They are no losses:
    /// every value is kept, and only the width is not. 0 for a format that stores both widths.
    package func widenedReals(as format: Format) -> Int {
        format.widensReals ? shortRealCount : 0
    }

    /// Writes the document in a format. What the format cannot hold is written as the nearest thing that it can; ask
    /// ``losses(as:)`` before.
    ///
    /// - Throws: a problem, before anything is written, if the document is too large to be written as a tree, or if the
    ///   format is read only.
    public func write(
        as format: Format, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        guard let writing = format.writing else { throw .readOnly(format) }
        try writing.write(self, to: &output, options: options, limits: limits)
    }
}

extension Format {
    /// Whether the format has reals of 64 bits only.
    package var widensReals: Bool { writing?.widensReals ?? false }
}

extension Document {
    /// The number of slots that hold a 32-bit real with a value, for which any format has a 64-bit one. A slot of a
    /// shared container counts once.
    private var shortRealCount: Int {
        // Most documents have none, which one look at the table tells.
        guard (0..<count).contains(where: { isShortReal(ObjectID($0)) }) else { return 0 }
        var count = 0
        var walk = DocumentWalk(self)
        while let visit = walk.next() {
            guard visit.object.kind.isContainer else {
                if visit.role == .root, isShortReal(visit.id) { count += 1 }
                continue
            }
            for position in 0..<visit.object.referenceCount
            where isShortReal(reference(position, of: visit.object)) { count += 1 }
        }
        return count
    }

    private func isShortReal(_ id: ObjectID) -> Bool {
        marker(of: id) == ObjectMarker.real32 && !real(object(id)).isUnusualNaN
    }
}

/// How a text format is written, where there is a choice.
public struct WriteOptions: Sendable {
    /// One of the choices, of which a format may have any.
    package enum Choice: Sendable {
        case sortedKeys, storedKeys, compact, exact, nested
    }

    /// The order in which the keys of a dictionary are written.
    public enum KeyOrder: Sendable {
        /// As they are stored.
        case stored
        /// By their UTF-16 code units.
        case sorted
    }

    /// The order of keys; nil for the format's own: sorted in XML, as Core Foundation writes it, stored elsewhere.
    public var keyOrder: KeyOrder?
    /// Whether JSON is written without white space.
    public var isCompact: Bool
    /// Whether JSON carries, beside the value, all that is needed to write the same binary file again.
    public var isExact: Bool
    /// What runs parts of the work side by side; nil to do all of it in turn. The text is the same.
    public var runner: ParallelRunner?
    /// What opens the saves in data that JSON is to show; nil for data as data.
    package var nested: NestedSaveOpener?
    /// How what runs side by side is divided.
    var parts = OutputParts()

    /// Creates options; what is not named has its default.
    public init(
        keyOrder: KeyOrder? = nil, isCompact: Bool = false, isExact: Bool = false, runner: ParallelRunner? = nil
    ) {
        self.keyOrder = keyOrder
        self.isCompact = isCompact
        self.isExact = isExact
        self.runner = runner
    }
}
