/// The ranges of keys and values in a text file.
///
///     {"a": [10, {"$uid": 7}]}        #0 "a"   #1 10   #2 UID 7   #3 array   #4 dictionary
///      ‾‾‾                            key(0, of: #4)
///           ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾         value(0, of: #4)
///            ‾‾                       value(0, of: #3)
///                ‾‾‾‾‾‾‾‾‾‾‾          value(1, of: #3)
///
/// A range belongs to a slot, not to an object, because equal scalars share one object. A container in a text file has
/// one slot. (If several slots of an exact JSON envelope share a container, the first slot gives its range.) Ranges
/// cover whole tokens, including quotation marks, brackets, XML tags, and the braces of tagged values.
package final class SourceMap: Sendable {
    /// The text in UTF-8 without a byte order mark, to which the offsets refer.
    package let text: [UInt8]
    /// The range of the root value. In a strings file without braces, this is the text without the part that the
    /// reader ignores.
    package let root: Range<Int>
    /// The encoding of the text in the file.
    let stored: StoredEncoding
    private let slots: SourceSlots
    /// Whether the text is JSON with comments or trailing commas.
    let hasComments: Bool

    init(text: [UInt8], root: Range<Int>, stored: StoredEncoding, slots: SourceSlots, hasComments: Bool) {
        self.hasComments = hasComments
        self.text = text
        self.root = root
        self.stored = stored
        self.slots = slots
    }

    /// Returns the range of an element of an array or set, or of the value of a dictionary's pair.
    package func value(_ position: Int, of container: ObjectID) -> Range<Int> {
        slots.value(position, of: container)
    }

    /// Returns the range of a pair's key.
    package func key(_ position: Int, of dictionary: ObjectID) -> Range<Int> {
        slots.key(position, of: dictionary)
    }

    /// Returns the bytes of a file with another text, in this file's encoding and with its byte order mark. Returns nil
    /// if the encoding lacks a character.
    package func fileBytes(of text: [UInt8]) -> [UInt8]? {
        stored.encode(text)
    }

    /// Returns the map of the document inside an exact JSON envelope, based on this map of the envelope. Returns nil if
    /// the envelope has only the bytes of a file and no value.
    ///
    /// The document is either a part of the envelope, or a rebuilt binary file that numbers its objects differently.
    func opened(_ document: Document, in envelope: Document) -> SourceMap? {
        guard case .dictionary(let members) = envelope[envelope.root],
            let position = members.firstIndex(where: { envelope.text($0.key)?.string == "value" })
        else { return nil }
        let value = members[position].value
        return SourceMap(
            text: text, root: self.value(position, of: envelope.root), stored: stored,
            slots: document.isFile ? slots.renumbered(for: document, from: envelope.rooted(at: value)) : slots,
            hasComments: hasComments)
    }
}

extension Document {
    /// Reads a document and the locations of its values. The map is nil for a binary file and for a text over 4 GiB.
    static func readMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits()
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let read = try format.definition.readMapped(bytes, limits: limits)
        return (try read.document.allowing(limits), read.map)
    }
}

// MARK: Ranges

/// The ranges of keys and values in flat arrays. The ranges of a container are adjacent. In a dictionary, the ranges of
/// keys and values alternate.
struct SourceSlots {
    /// The first range of a container, and the number of ranges per position: one, or two in a dictionary.
    private struct Container {
        var first: UInt32 = 0
        var width: UInt32 = 0
    }

    private var ranges: [SourceRange] = []
    /// The containers by object number. Scalars have no ranges.
    private var containers: [Container] = []

    mutating func add(_ contents: ArraySlice<SourceRange>, of container: ObjectID, isDictionary: Bool) {
        let first = UInt32(truncatingIfNeeded: ranges.count)
        ranges += contents
        set(Container(first: first, width: isDictionary ? 2 : 1), of: container)
    }

    private mutating func set(_ container: Container, of id: ObjectID) {
        while containers.count <= id.index { containers.append(Container()) }
        containers[id.index] = container
    }

    func key(_ position: Int, of dictionary: ObjectID) -> Range<Int> {
        range(of: dictionary) { width in width * position }
    }

    func value(_ position: Int, of container: ObjectID) -> Range<Int> {
        range(of: container) { width in width * position + width - 1 }
    }

    /// Returns one of the ranges of a container, or an empty range if the container or the range is not recorded. The
    /// closure converts the number of ranges per position into the index of the range within the container.
    private func range(of id: ObjectID, slot: (Int) -> Int) -> Range<Int> {
        guard id.index < containers.count, case let container = containers[id.index], container.width > 0 else {
            return 0..<0
        }
        let index = Int(container.first) + slot(Int(container.width))
        return ranges.indices.contains(index) ? ranges[index].range : 0..<0
    }

    /// Returns the same ranges for the object numbers of `file`.
    ///
    /// Both documents have the same value. If several containers of `value` are one shared container in `file`, it gets
    /// the ranges of the first.
    func renumbered(for file: Document, from value: Document) -> SourceSlots {
        var result = SourceSlots()
        result.ranges = ranges
        result.containers = Array(repeating: Container(), count: file.count)
        var pairs = [(old: value.root, new: file.root)]
        while let (old, new) = pairs.popLast() {
            let (contents, copies) = (value.object(old), file.object(new))
            guard contents.kind.isContainer, result.containers[new.index].width == 0,
                contents.referenceCount == copies.referenceCount
            else { continue }
            result.containers[new.index] = containers[old.index]
            for position in (0..<contents.referenceCount).reversed() {
                pairs.append((value.reference(position, of: contents), file.reference(position, of: copies)))
            }
        }
        return result
    }
}

/// A range of a text, stored in eight bytes.
struct SourceRange {
    private let start: UInt32
    private let end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}

// MARK: Recording

/// A recorder of the values' ranges, called by a reader next to each call of its ``DocumentBuilder``.
///
/// A reader only has a recorder if locations are requested. It is a class so that its methods are not inlined into the
/// reader's loops. A loop without a recorder then only checks for nil.
final class SourceRecorder {
    /// The ranges recorded so far. A structure, because each access to a property of a class is checked.
    private struct Ranges {
        var slots = SourceSlots()
        var pending: [SourceRange] = []
        private var frames: [Frame] = []

        private struct Frame {
            /// The offset of the container in the text.
            let offset: Int
            /// The index of the container's first range in the pending ranges.
            let contents: Int
        }

        mutating func open(at offset: Int) {
            frames.append(Frame(offset: offset, contents: pending.count))
        }

        mutating func close(_ container: ObjectID, isDictionary: Bool, end: Int) {
            guard let frame = frames.popLast() else { return }
            slots.add(pending[frame.contents...], of: container, isDictionary: isDictionary)
            pending.removeSubrange(frame.contents...)
            pending.append(SourceRange(frame.offset..<end))
        }
    }

    private var ranges = Ranges()
    /// The map, which is created after reading; nil before that, and for a text too large for 32-bit offsets.
    var map: SourceMap?

    @inline(never)
    func add(_ range: Range<Int>) {
        ranges.pending.append(SourceRange(range))
    }

    @inline(never)
    func open(at offset: Int) {
        ranges.open(at: offset)
    }

    /// Records the end of the innermost open container, which the builder has made into an object.
    @inline(never)
    func close(_ container: ObjectID, isDictionary: Bool, end: Int) {
        ranges.close(container, isDictionary: isDictionary, end: end)
    }

    func takeLast() {
        _ = ranges.pending.popLast()
    }

    /// Creates the map after the whole text was read.
    ///
    /// - Parameter hasComments: Whether a JSON text has comments or trailing commas.
    func finish(_ text: [UInt8], stored: StoredEncoding, hasComments: Bool = false) {
        guard let root = ranges.pending.last, text.count <= Int(UInt32.max) else { return }
        map = SourceMap(text: text, root: root.range, stored: stored, slots: ranges.slots, hasComments: hasComments)
    }
}
