/// A writer of XML property lists in Core Foundation's style (see <doc:XMLFormat>). It loops over the objects and keeps
/// a list of open containers.
struct XMLWriter: DivisibleWriter {
    private struct Frame {
        let container: StoredObject
        /// The indices of a dictionary's pairs in output order.
        let positions: [UInt32]
        /// The number of the dictionary's first label in the ``KeyTextCache``; nil if its keys are written one by one.
        let firstLabel: Int?
        /// The number of elements or pairs to write.
        var count: Int
        var next = 0
    }

    private let document: Document
    private let tags: XMLTags
    private var pairOrder: PairOrder
    private var keyLabels: KeyTextCache
    private var frames: [Frame] = []
    private var lookAhead = ObjectPrefetcher()
    /// The runner that writes parts of wide containers in parallel; nil in a part.
    private var runner: ParallelRunner?
    private let parts: OutputParts
    /// The number of open containers around a part, which the part does not close.
    private var outerCount = 0
    /// Writing stops before the next value if the output, the next scalar or the next key has at least this size in
    /// bytes. It also stops if the output fails.
    private var limit = Int.max
    private var isStopped = false

    init(_ document: Document, _ options: WriteOptions) {
        self.document = document
        tags = options.hasShortTags ? .short : .standard
        self.pairOrder = PairOrder(document, options.keyOrder ?? XMLPlist.usualOrder(options), dropsDuplicates: true)
        keyLabels = KeyTextCache(document)
        runner = options.runner
        parts = options.parts
    }

    /// Writes the whole document. Stops early if the output fails.
    mutating func write(to output: inout ByteWriter) {
        output.write(tags.opening)
        _ = write(document.object(document.root), to: &output)
        write(to: &output, upTo: .max)
        output.write(tags.closing)
    }

    // MARK: Parts

    func part(_ range: Range<Int>) -> XMLWriter {
        var part = self
        part.runner = nil
        part.outerCount = frames.count
        part.frames[frames.count - 1].next = range.lowerBound
        part.frames[frames.count - 1].count = range.upperBound
        // Sharing these caches between threads would cost atomic reference counting, so each part has its own.
        part.pairOrder = pairOrder.emptied()
        part.keyLabels = KeyTextCache(document)
        return part
    }

    mutating func write(to output: inout ByteWriter, upTo size: Int) {
        (limit, isStopped) = (size, false)
        while let frame = frames.last, frames.count > outerCount || frame.next < frame.count, !isStopped {
            writeContents(to: &output)
        }
    }

    // MARK: Containers

    /// Writes the contents of the innermost open container, up to and including the start of a nonempty container in
    /// it, or up to its own end.
    private mutating func writeContents(to output: inout ByteWriter) {
        let last = frames.count - 1
        let frame = frames[last]
        let isDictionary = frame.container.kind == .dictionary
        var next = frame.next
        while next < frame.count {
            if isDictionary, frame.count > ObjectPrefetcher.length, next % ObjectPrefetcher.length == 0 {
                lookAhead.touch(frame.container, frame.positions, from: next, of: document)
            }
            let position = isDictionary ? Int(frame.positions[next]) : next
            let value = document.object(document.member(position, of: frame.container))
            let isLarge = value.count >= limit && !value.kind.isContainer
            if output.count >= limit || isLarge || output.hasFailed || isKeyLarge(position, of: frame) {
                isStopped = true
                frames[last].next = next
                return
            }
            if let first = frame.firstLabel {
                output.write(keyLabels.bytes, in: keyLabels.range(first + next))
            } else if isDictionary {
                let key = document.object(document.key(position, of: frame.container))
                Self.writeLabel(key, of: document, tags, depth: frames.count, to: &output)
            } else {
                indent(to: &output)
            }
            next += 1
            if write(value, to: &output) {
                frames[last].next = next
                return
            }
        }
        guard frames.count > outerCount else {
            frames[last].next = next
            return
        }
        close(frame.container, to: &output)
    }

    /// Whether the key of a pair is too large for a part. Keys with labels never are.
    @inline(__always)
    private func isKeyLarge(_ position: Int, of frame: Frame) -> Bool {
        guard limit < .max, frame.firstLabel == nil, frame.container.kind == .dictionary else { return false }
        return document.object(document.key(position, of: frame.container)).count >= limit
    }

    /// Opens a container, or writes it if it is empty.
    ///
    /// - Returns: Whether it has contents, which the caller writes next.
    private mutating func open(_ container: StoredObject, to output: inout ByteWriter) -> Bool {
        let isDictionary = container.kind == .dictionary
        let tag = tag(of: container)
        guard container.count > 0 else {
            output.write(short: tag.empty)
            return false
        }
        output.write(short: tag.start)
        let positions = isDictionary ? pairOrder.positions(of: container) : []
        let count = isDictionary ? positions.count : container.count
        let label = isDictionary ? firstLabel(of: container, positions) : nil
        frames.append(Frame(container: container, positions: positions, firstLabel: label, count: count))
        if let runner, count >= OutputParts.minCount {
            parts.write(count, of: self, by: runner, to: &output)
            frames[frames.count - 1].next = count
        }
        return true
    }

    /// Returns the number of the first label of a dictionary; nil if its keys are written one by one.
    @inline(__always)
    private mutating func firstLabel(of dictionary: StoredObject, _ positions: [UInt32]) -> Int? {
        switch keyLabels.lookUp(dictionary, depth: frames.count + 1) {
        case .labels(let first): first
        case .isNone: nil
        case .isSecond: makeLabels(of: dictionary, positions)
        }
    }

    @inline(never)
    private mutating func makeLabels(of dictionary: StoredObject, _ positions: [UInt32]) -> Int? {
        let (document, tags, depth) = (document, tags, frames.count + 1)
        return keyLabels.make(dictionary, count: positions.count) { position, output in
            let key = document.object(document.key(Int(positions[position]), of: dictionary))
            Self.writeLabel(key, of: document, tags, depth: depth, to: &output)
        }
    }

    @inline(__always)
    private mutating func close(_ container: StoredObject, to output: inout ByteWriter) {
        frames.removeLast()
        indent(to: &output)
        output.write(short: tag(of: container).end)
    }

    /// Returns the tags of a container or a UID. A container must not be among the open ones.
    @inline(__always)
    private func tag(of container: StoredObject) -> XMLTags.Container {
        switch container.kind {
        case .dictionary, .uid: frames.isEmpty ? tags.rootDictionary : tags.dictionary
        default: frames.isEmpty ? tags.rootArray : tags.array
        }
    }

    @inline(__always)
    private func indent(to output: inout ByteWriter) {
        Self.indent(frames.count, tags, to: &output)
    }

    @inline(__always)
    private static func indent(_ depth: Int, _ tags: XMLTags, to output: inout ByteWriter) {
        if tags.hasLines { output.write(UInt8(ascii: "\t"), times: depth) }
    }

    /// Writes a key and the indentation of its value.
    private static func writeLabel(
        _ key: StoredObject, of document: Document, _ tags: XMLTags, depth: Int, to output: inout ByteWriter
    ) {
        indent(depth, tags, to: &output)
        output.write(short: tags.key.start)
        XMLScalarWriter.writeText(of: key, in: document, to: &output)
        output.write(short: tags.key.end)
        indent(depth, tags, to: &output)
    }

    // MARK: Values

    /// Writes a value after its indentation, or opens it if it is a nonempty container.
    ///
    /// - Returns: Whether it has contents, which the caller writes next.
    @inline(__always)
    private mutating func write(_ object: StoredObject, to output: inout ByteWriter) -> Bool {
        if object.kind.isContainer { return open(object, to: &output) }
        writeScalar(object, to: &output)
        return false
    }

    private func writeScalar(_ object: StoredObject, to output: inout ByteWriter) {
        switch object.kind {
        case .array, .set, .dictionary: break
        case .true: output.write(short: tags.true)
        case .false: output.write(short: tags.false)
        case .integer where fits(object): writeElement(tags.integer, of: object, to: &output)
        case .oneByteString, .utf16String, .null, .integer: writeElement(tags.string, of: object, to: &output)
        case .date where XMLDate.fits(document.real64(object)): writeElement(tags.date, of: object, to: &output)
        case .real where tags.hasShortReals && document.real(object).isFinite:
            output.write(short: tags.real.start)
            XMLScalarWriter.writeShortest(document.real(object), to: &output)
            output.write(short: tags.real.end)
        case .real, .date: writeElement(tags.real, of: object, to: &output)
        case .data: writeData(object, to: &output)
        case .uid: writeUID(object, to: &output)
        }
    }

    private func fits(_ integer: StoredObject) -> Bool {
        integer.count < 16 || TextLoss.integers.contains(document.integer(integer))
    }

    @inline(__always)
    private func writeElement(_ tag: XMLTags.Scalar, of object: StoredObject, to output: inout ByteWriter) {
        output.write(short: tag.start)
        XMLScalarWriter.writeText(of: object, in: document, to: &output)
        output.write(short: tag.end)
    }

    /// Writes data in lines of its own. Lines get shorter with increasing depth, down to 12 characters.
    private func writeData(_ data: StoredObject, to output: inout ByteWriter) {
        guard tags.hasLines else { return writeElement(tags.data, of: data, to: &output) }
        let indentation = min(frames.count, 8)
        output.write("<data>\n")
        Base64.writeLines(
            document.image, in: data.start..<data.start + data.count, lineLength: 76 - 8 * indentation,
            indent: indentation, to: &output)
        indent(to: &output)
        output.write("</data>\n")
    }

    private func writeUID(_ uid: StoredObject, to output: inout ByteWriter) {
        let tag = tag(of: uid)
        output.write(short: tag.start)
        Self.indent(frames.count + 1, tags, to: &output)
        output.write(short: tags.key.start)
        output.write("CF$UID")
        output.write(short: tags.key.end)
        Self.indent(frames.count + 1, tags, to: &output)
        output.write(short: tags.integer.start)
        NumberText.write(Int128(document.uid(uid)), to: &output)
        output.write(short: tags.integer.end)
        indent(to: &output)
        output.write(short: tag.end)
    }
}

/// Functions that write the text of scalars without their tags.
enum XMLScalarWriter {
    /// Writes the text of an object. Every kind has one, because any scalar may be a key.
    static func writeText(of object: StoredObject, in document: Document, to output: inout ByteWriter) {
        switch object.kind {
        case .oneByteString: writeOneByte(object, document.image, to: &output)
        case .utf16String: writeUTF16(object, document, to: &output)
        default: writeOther(object, document, to: &output)
        }
    }

    private static func writeOther(_ object: StoredObject, _ document: Document, to output: inout ByteWriter) {
        switch object.kind {
        case .integer: NumberText.write(document.integer(object), to: &output)
        case .real: writeReal(object, of: document, to: &output)
        case .date: writeDate(document.real64(object), to: &output)
        case .data: Base64.write(document.image, in: object.start..<object.start + object.count, to: &output)
        case .uid: NumberText.write(Int128(document.uid(object)), to: &output)
        case .true: output.write("true")
        case .false: output.write("false")
        default: output.write("$null")
        }
    }

    // MARK: Numbers and dates

    /// Writes a 64-bit real with 17 digits, as Core Foundation does, and a 32-bit real with the fewest digits that read
    /// back as the same value.
    private static func writeReal(_ real: StoredObject, of document: Document, to output: inout ByteWriter) {
        let value = document.real(real)
        if real.count == 4, value.isFinite, value != 0 {
            writeShortest(value, to: &output)
        } else {
            writeReal(value, to: &output)
        }
    }

    private static func writeReal(_ value: Double, to output: inout ByteWriter) {
        if value.isNaN {
            output.write("nan")
        } else if value.isInfinite {
            output.write(value > 0 ? "+infinity" : "-infinity")
        } else if value == 0 {
            output.write(value.sign == .minus ? "-0.0" : "0.0")
        } else {
            NumberText.writeSeventeenDigits(value, to: &output)
        }
    }

    /// Writes the fewest digits that read back as the same value. Whole numbers have no point.
    static func writeShortest(_ value: Double, to output: inout ByteWriter) {
        var text = ByteWriter()
        NumberText.writeShortest(value, to: &text)
        var digits = text.takeBytes()
        if digits.suffix(2).elementsEqual(".0".utf8) { digits.removeLast(2) }
        output.write(digits)
    }

    private static func writeDate(_ seconds: Double, to output: inout ByteWriter) {
        if XMLDate.fits(seconds) {
            XMLDate.write(seconds, to: &output)
        } else {
            writeReal(seconds, to: &output)
        }
    }

    // MARK: Strings

    private static func writeOneByte(_ string: StoredObject, _ image: [UInt8], to output: inout ByteWriter) {
        let end = string.start + string.count
        var position = string.start
        while true {
            position = output.write(image.span, from: position, upTo: end) { bytes in
                // "<" and ">" differ in one bit.
                bytes.marks(below: 0x20) | bytes.nonASCII | bytes.marks(of: UInt8(ascii: "&"))
                    | bytes.setting(0x02).marks(of: UInt8(ascii: ">"))
            }
            guard position < end else { return }
            writeSpecial(UInt32(image[position]), to: &output)
            position += 1
        }
    }

    private static func writeUTF16(_ string: StoredObject, _ document: Document, to output: inout ByteWriter) {
        var position = 0
        while position < string.count {
            let unit = document.codeUnit(position, of: string)
            position += 1
            if unit & 0xF800 != 0xD800 {
                writeSpecial(UInt32(unit), to: &output)
            } else if unit < 0xDC00, position < string.count,
                case let low = document.codeUnit(position, of: string), low & 0xFC00 == 0xDC00
            {
                position += 1
                output.write(codePoint: 0x10000 + (UInt32(unit & 0x3FF) << 10 | UInt32(low & 0x3FF)))
            } else {
                output.write(codePoint: 0xFFFD)
            }
        }
    }

    private static func writeSpecial(_ scalar: UInt32, to output: inout ByteWriter) {
        switch scalar {
        case 0x3C: output.write("&lt;")
        case 0x3E: output.write("&gt;")
        case 0x26: output.write("&amp;")
        case 0x0D: output.write("&#13;")
        case 0x09, 0x0A, 0x20..<0xFFFE: output.write(codePoint: scalar)
        default: output.write(codePoint: 0xFFFD)
        }
    }
}

// MARK: Reading ahead

/// A prefetcher of the objects to write next.
///
/// The pairs of a wide dictionary in key order are scattered over the image, so the processor waits for the reference,
/// the offset and the object of each pair. If many pairs are read independently, these waits overlap.
private struct ObjectPrefetcher {
    /// The number of pairs per step. Their memory should still be in the nearest cache when they are written.
    static let length = 16

    private var offsets = [Int](repeating: 0, count: 2 * length)
    /// The sum of the bytes read, which prevents the compiler from removing the reads.
    private var sum: UInt8 = 0

    /// Reads the first bytes of the next keys and values.
    @inline(never)
    mutating func touch(_ dictionary: StoredObject, _ positions: [UInt32], from start: Int, of document: Document) {
        let count = min(Self.length, positions.count - start)
        for index in 0..<count {
            let position = Int(positions[start + index])
            offsets[2 * index] = document.key(position, of: dictionary).index
            offsets[2 * index + 1] = document.value(position, of: dictionary).index
        }
        for index in 0..<2 * count { offsets[index] = document.offset(of: ObjectID(offsets[index])) ?? 0 }
        for index in 0..<2 * count { sum &+= document.image[offsets[index]] }
    }
}
