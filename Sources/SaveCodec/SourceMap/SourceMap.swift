/// Where the keys and values of a text file stand.
///
///     {"a": [10, {"$uid": 7}]}        #0 "a"   #1 10   #2 UID 7   #3 array   #4 dictionary
///      ‾‾‾                            key(0, of: #4)
///           ‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾‾         value(0, of: #4)
///            ‾‾                       value(0, of: #3)
///                ‾‾‾‾‾‾‾‾‾‾‾          value(1, of: #3)
///
/// A place belongs to a position in a container, not to an object: equal scalars are one object that stands in many
/// places, while a container of a text file stands in one. (Containers that a document in an exact envelope shares are
/// found where they stand first.) A range takes in whole tokens: quotation marks, brackets, tags of XML, and the braces
/// of a tagged value.
package final class SourceMap: Sendable {
    /// The text in UTF-8, without byte order mark: what offsets lead into.
    package let text: [UInt8]
    /// The range of the root value. (Strings file without braces: the whole text.)
    package let root: Range<Int>
    /// How the file stored the text.
    let stored: StoredEncoding
    private let slots: SourceSlots

    init(text: [UInt8], root: Range<Int>, stored: StoredEncoding, slots: SourceSlots) {
        self.text = text
        self.root = root
        self.stored = stored
        self.slots = slots
    }

    /// The element at a position of an array or set, or the value of the pair at a position of a dictionary.
    package func value(_ position: Int, of container: ObjectID) -> Range<Int> {
        slots.value(position, of: container)
    }

    /// The key of the pair at a position.
    package func key(_ position: Int, of dictionary: ObjectID) -> Range<Int> {
        slots.key(position, of: dictionary)
    }

    /// The bytes of a file that holds another text as this one is stored: in the same encoding, with a byte order mark
    /// if there was one. Nil if the encoding has no bytes for a character.
    package func fileBytes(of text: [UInt8]) -> [UInt8]? {
        stored.encode(text)
    }
}

extension SourceMap {
    /// The map of the document that an exact envelope held, made from that of the envelope; nil if the envelope holds no
    /// value but only the bytes of a file.
    ///
    /// That document is a part of the envelope, or a file that was laid out anew and numbers its objects in its own way.
    func opened(_ document: Document, in envelope: Document) -> SourceMap? {
        guard case .dictionary(let members) = envelope[envelope.root],
            let position = members.firstIndex(where: { envelope.text($0.key)?.string == "value" })
        else { return nil }
        let value = members[position].value
        return SourceMap(
            text: text, root: self.value(position, of: envelope.root), stored: stored,
            slots: document.isFile ? slots.renumbered(for: document, from: envelope.rooted(at: value)) : slots)
    }
}

extension Document {
    /// Reads a document and where its values stand. The map is nil for a binary file, and for a text over 4 GiB.
    static func readMapped(
        _ bytes: [UInt8], as format: Format, limits: Limits = Limits()
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        let read = try format.definition.readMapped(bytes, limits: limits)
        return (read.document.allowing(limits), read.map)
    }
}

// MARK: Ranges

/// The ranges of keys and values in flat arrays: those of a container one after the other, in a dictionary key, value,
/// key, value ….
struct SourceSlots {
    /// Where the slots of a container begin, and how many a position takes: one, or two in a dictionary.
    private struct Container {
        var first: UInt32 = 0
        var width: UInt32 = 0
    }

    private var ranges: [SourceRange] = []
    /// By the number of the object; scalars have none.
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

    /// The range in a slot of a container; an empty one for an object of which nothing is known.
    private func range(of id: ObjectID, slot: (Int) -> Int) -> Range<Int> {
        guard id.index < containers.count, case let container = containers[id.index], container.width > 0 else {
            return 0..<0
        }
        let index = Int(container.first) + slot(Int(container.width))
        return ranges.indices.contains(index) ? ranges[index].range : 0..<0
    }

    /// The slots under the numbers that a file with the same value gives its containers. Of one that it shares, the
    /// first place is kept.
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

/// A range of a text in eight bytes.
struct SourceRange {
    private let start: UInt32
    private let end: UInt32

    init(_ range: Range<Int>) {
        start = UInt32(truncatingIfNeeded: range.lowerBound)
        end = UInt32(truncatingIfNeeded: range.upperBound)
    }

    var range: Range<Int> { Int(start)..<Int(end) }
}
