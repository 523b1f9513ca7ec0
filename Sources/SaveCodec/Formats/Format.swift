/// A format that documents can be read from and, unless it is read-only, written to.
///
/// Each has a ``FormatDefinition`` with its properties.
public enum Format: String, Sendable, CaseIterable {
    /// The binary property list, `bplist00`.
    case binary
    /// The XML property list.
    case xml
    /// Typed JSON, which includes plain JSON.
    case json
    /// The old text format of NeXTSTEP and OpenStep, including strings files.
    case openStep = "openstep"
    /// GNUstep's dialect of the OpenStep format, which keeps types.
    case gnustep
    /// The typedstream format of NSArchiver, which is read-only.
    case typedStream = "typedstream"
    /// The SQLite database format, which is read-only.
    case sqlite
}

extension Document {
    /// Reads a document in a known format.
    ///
    /// - Throws: The first problem that makes the bytes unreadable, with its location.
    public static func read(_ bytes: [UInt8], as format: Format, limits: Limits = Limits()) throws(Problem) -> Document
    {
        do throws(Problem) {
            return try format.definition.read(bytes, limits: limits).allowing(limits)
        } catch {
            throw error.diagnosed(in: bytes, limits)
        }
    }

    /// Returns the losses of writing the document in a format, one for each value that the format cannot represent.
    ///
    /// The result is empty if nothing is lost, or if the document is too large to be written as a tree. For a read-only
    /// format it consists of a single problem.
    public func losses(as format: Format, limits: Limits = Limits()) -> [Problem] {
        guard let writing = format.writing else { return [.readOnly(format)] }
        guard format.has(.objectTable) || canExpand(limits) else { return [] }
        return writing.losses(in: self)
    }

    /// Returns the number of 32-bit reals that a text format stores as 64-bit reals of the same value, or 0 if the
    /// format has both widths.
    ///
    /// They are not losses, because only the width changes.
    package func widenedReals(as format: Format) -> Int {
        format.widensReals ? shortRealCount : 0
    }

    /// Writes the document in a format.
    ///
    /// Values that the format cannot represent are written as the closest value that it can. Call
    /// ``losses(as:limits:)`` first to find them.
    ///
    /// - Throws: A problem, before anything is written, if the document is too large to be written as a tree, or if the
    ///   format is read-only.
    public func write(
        as format: Format, to output: inout ByteWriter, options: WriteOptions = WriteOptions(),
        limits: Limits = Limits()
    ) throws(Problem) {
        guard let writing = format.writing else { throw .readOnly(format) }
        try writing.write(original, to: &output, options: options, limits: limits)
    }
}

extension Format {
    /// Whether the format stores all reals as 64-bit reals.
    package var widensReals: Bool { writing?.widensReals ?? false }
}

extension Document {
    /// The number of slots with a 32-bit real that every format can store as a 64-bit real. A NaN with unusual bits is
    /// not counted, because some formats lose its bits.
    ///
    /// A slot of a shared container counts once.
    private var shortRealCount: Int {
        // Most documents have none, which a pass over the table detects quickly.
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

/// The options for writing a text format.
public struct WriteOptions: Sendable {
    /// The options that a format may offer.
    package enum Choice: Sendable {
        case sortedKeys, storedKeys, compact, exact, nested, shortTags
    }

    /// The order in which the keys of a dictionary are written.
    public enum KeyOrder: Sendable {
        /// The stored order.
        case stored
        /// The order of the keys' UTF-16 code units.
        case sorted
    }

    /// The order of keys, or nil for the format's default: sorted in XML, as by Core Foundation, and stored elsewhere.
    public var keyOrder: KeyOrder?
    /// Whether JSON is written without white space.
    public var isCompact: Bool
    /// Whether JSON includes the layout data for rebuilding the same binary file.
    public var isExact: Bool
    /// Whether XML has the short element names and the style of Geometry Dash: `<k>gems</k><i>7</i>`.
    public var hasShortTags: Bool
    /// A function that runs parts of the work in parallel, or nil for sequential work. The output is the same either
    /// way.
    public var runner: ParallelRunner?
    /// The opener for nested saves to show in JSON, or nil to write data values as data.
    package var nested: NestedSaveOpener?
    /// Whether graph JSON has attributed strings as text and runs, as in views, instead of their stored fields.
    package var showsRuns = false
    var parts = OutputParts()

    /// Creates options, with defaults for omitted ones.
    public init(
        keyOrder: KeyOrder? = nil, isCompact: Bool = false, isExact: Bool = false, hasShortTags: Bool = false,
        runner: ParallelRunner? = nil
    ) {
        self.keyOrder = keyOrder
        self.isCompact = isCompact
        self.isExact = isExact
        self.hasShortTags = hasShortTags
        self.runner = runner
    }
}
