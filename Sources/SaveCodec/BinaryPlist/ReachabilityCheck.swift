/// A check of the reachable objects of a binary property list: their validity, keys, cycles and depth.
///
/// Every object is visited once. The walk keeps its own stack, so depth cannot overflow the call stack.
struct ReachabilityCheck {
    private struct Frame {
        let index: Int
        let container: StoredObject
        var next = 0
    }

    private static let unvisited: Int32 = 0
    private static let open: Int32 = -1

    private let document: Document
    private let maxDepth: Int
    /// The state of each object: unvisited, open (on the path from the root), or its height.
    ///
    /// The height of a scalar is 1. The height of a container is one more than the greatest height of its contents, or
    /// 2 if it is empty.
    private var heights: [Int32]
    private var path: [Frame] = []
    /// The dictionaries with non-string keys.
    private(set) var nonStringKeys = Occurrences()
    /// The number of references that may still be followed. Only overlapping containers can exhaust it.
    private var budget: Int

    init(_ document: Document, limits: Limits) {
        self.document = document
        maxDepth = limits.maxDepth
        budget = limits.maxExpandedSize(of: document)
        heights = [Int32](repeating: Self.unvisited, count: document.count)
    }

    /// Walks from the root.
    ///
    /// - Throws: The first problem, with the byte offset of the object and its address.
    mutating func run() throws(Problem) {
        try enter(document.root.index)
        while let frame = path.last {
            if frame.next < frame.container.referenceCount {
                path[path.count - 1].next += 1
                try follow(frame)
            } else {
                leave(frame)
            }
        }
    }

    private mutating func follow(_ frame: Frame) throws(Problem) {
        let child = document.reference(frame.next, of: frame.container).index
        guard child >= 0, child < document.count else {
            let name = frame.container.referenceName(frame.next)
            let found = child < 0 ? "beyond 2^63" : "\(child)"
            throw Problem(
                "binary.reference-range", "\(name) refers to object \(found); the object count is \(document.count)",
                at: location(of: frame), address: address)
        }
        switch heights[child] {
        case Self.open:
            throw Problem("binary.cycle", "object \(child) contains itself", at: location(of: frame), address: address)
        case Self.unvisited:
            try enter(child)
        default:
            guard path.count + Int(heights[child]) - 1 <= maxDepth else {
                throw .tooDeep(maxDepth, at: location(of: child))
            }
        }
        if frame.container.kind == .dictionary, frame.next < frame.container.count, heights[child] != 1 {
            throw Problem(
                "binary.container-key",
                "dictionary key \(frame.next) is object \(child), a container; expected a string",
                at: location(of: frame),
                address: address)
        }
    }

    private mutating func enter(_ index: Int) throws(Problem) {
        guard let object = document.checkedObject(ObjectID(index)) else { throw unsound(index) }
        guard object.kind.isContainer else {
            heights[index] = 1
            return
        }
        guard path.count < maxDepth else { throw .tooDeep(maxDepth, at: location(of: index)) }
        budget -= object.referenceCount
        guard budget >= 0 else {
            throw Problem(
                "limit.references", "overlapping containers have far more references than the file has bytes",
                at: location(of: index))
        }
        heights[index] = Self.open
        path.append(Frame(index: index, container: object))
    }

    private mutating func leave(_ frame: Frame) {
        path.removeLast()
        var height: Int32 = 1
        for position in 0..<frame.container.referenceCount {
            height = max(height, heights[document.reference(position, of: frame.container).index])
        }
        heights[frame.index] = height + 1
        if frame.container.kind == .dictionary, document.hasNonStringKey(frame.container) {
            nonStringKeys.note(at: frame.index)
        }
    }

    private func unsound(_ index: Int) -> Problem {
        let table = document.table
        guard let offset = document.offset(of: ObjectID(index)) else {
            let entry = table.start + index * table.offsetSize
            let found = document.image.bigEndian(at: entry, width: table.offsetSize)
            return .offsetOutOfRange(found, entry: index, table, at: entry)
        }
        let fault = ObjectMarkerFault(in: document.image, at: offset, table: table)
        return Problem("binary.object", "object \(index) \(fault)", at: .byte(offset), address: address)
    }

    private func location(of frame: Frame) -> SourceLocation? {
        location(of: frame.index)
    }

    private func location(of index: Int) -> SourceLocation? {
        document.offset(of: ObjectID(index)).map(SourceLocation.byte)
    }

    /// The address of the reference that is being followed, or nil for the root, whose location is enough.
    private var address: JSONPointer? {
        var address = JSONPointer.root
        for frame in path where frame.next > 0 {
            document.append(step: frame.next - 1, of: frame.container, to: &address)
        }
        return address == .root ? nil : address
    }
}

/// The count of an unusual condition, and the first object that shows it.
struct Occurrences {
    private(set) var count = 0
    private(set) var first = 0

    mutating func note(at index: Int) {
        if count == 0 { first = index }
        count += 1
    }
}

extension StoredObject {
    /// Returns the name of a reference in a message, such as `dictionary key 3`.
    fileprivate func referenceName(_ position: Int) -> String {
        switch kind {
        case .dictionary: position < count ? "dictionary key \(position)" : "dictionary value \(position - count)"
        case .set: "set element \(position)"
        default: "array element \(position)"
        }
    }
}

extension Problem {
    static func offsetOutOfRange(_ found: UInt64, entry: Int, _ table: OffsetTable, at offset: Int) -> Problem {
        Problem(
            "binary.offset-range",
            "offset table entry \(entry) is \(Hexadecimal.prefixed(found)); "
                + "expected 0x08 to \(Hexadecimal.prefixed(table.start - 1))",
            at: .byte(offset))
    }
}

/// The reason why ``ObjectMarker/object(in:at:table:)`` found no object at an offset.
private enum ObjectMarkerFault {
    /// The marker has no meaning in `bplist00`.
    case unknownMarker(UInt8)
    /// The marker belongs to one of the later formats with a similar header (`bplist15` to `bplist17`).
    case streamMarker(UInt8, String)
    /// The marker requires a count, but none follows.
    case noCount
    /// The UID exceeds 32 bits.
    case largeUID
    /// The object extends beyond the end of the objects.
    case tooLong(kind: String, count: UInt64, left: Int)

    init(in image: [UInt8], at offset: Int, table: OffsetTable) {
        let marker = image[offset]
        if let name = Self.streamMarkers[marker] ?? Self.streamMarkers[marker | 0x0F] {
            self = .streamMarker(marker, name)
        } else if let kind = Self.kinds[marker >> 4], Self.isKnown(marker) {
            let name = marker >> 4 == 0x6 ? Self.utf16String : kind.rawValue
            self = Self.extent(of: name, in: image, at: offset, table: table)
        } else {
            self = .unknownMarker(marker)
        }
    }

    fileprivate static let utf16String = "UTF-16 string"

    private static let kinds: [UInt8: ValueKind] = [
        0x1: .integer, 0x2: .real, 0x3: .date, 0x4: .data, 0x5: .string, 0x6: .string, 0x8: .uid, 0xA: .array,
        0xC: .set, 0xD: .dictionary,
    ]

    private static let streamMarkers: [UInt8: String] = [
        0x0C: "URL", 0x0D: "URL with base", 0x0E: "UUID", 0x7F: "UTF-8 string", 0xBF: "ordered set",
    ]

    private static func isKnown(_ marker: UInt8) -> Bool {
        switch marker >> 4 {
        case 0x1: marker & 0x0F <= 4
        case 0x2: marker == ObjectMarker.real32 || marker == ObjectMarker.real64
        case 0x3: marker == ObjectMarker.date
        default: true
        }
    }

    private static func extent(
        of kind: String, in image: [UInt8], at offset: Int, table: OffsetTable
    ) -> ObjectMarkerFault {
        let marker = image[offset]
        let isCounted = marker >> 4 >= 0x4 && marker >> 4 != 0x8
        guard isCounted else {
            let size = marker >> 4 == 0x8 ? Int(marker & 0x0F) + 1 : 1 << Int(marker & 0x0F)
            if offset + 1 + size <= table.start { return .largeUID }
            return .tooLong(kind: kind, count: UInt64(size), left: table.start - offset - 1)
        }
        guard marker & 0x0F == ObjectMarker.countFollows else {
            return .tooLong(kind: kind, count: UInt64(marker & 0x0F), left: table.start - offset - 1)
        }
        guard offset + 1 < table.start, image[offset + 1] & 0xF0 == ObjectMarker.integer, image[offset + 1] & 0x0F <= 4
        else { return .noCount }
        let width = 1 << Int(image[offset + 1] & 0x0F)
        guard width <= table.start - offset - 2 else { return .noCount }
        let count = image.bigEndian(at: offset + 2, width: width)
        return .tooLong(kind: kind, count: count, left: table.start - offset - 2 - width)
    }
}

extension ObjectMarkerFault: CustomStringConvertible {
    /// The predicate of a sentence about the object.
    var description: String {
        switch self {
        case .unknownMarker(let marker):
            "has the marker \(Hexadecimal.prefixed(marker)), which bplist00 does not define"
        case .streamMarker(let marker, let name):
            "has the marker \(Hexadecimal.prefixed(marker)) (\(name)), which bplist00 does not define"
        case .largeUID:
            "is a UID beyond 2^32 - 1"
        case .noCount:
            "has no count; expected an integer after its marker"
        case .tooLong(let kind, let count, let left):
            "is \(Self.title(of: kind, count)), but only \(Phrase.count(max(left, 0), "byte", "is")) left before the "
                + "offset table"
        }
    }

    /// Returns a kind with its article and its size: `an array of 5 elements`.
    private static func title(of kind: String, _ count: UInt64) -> String {
        let unit =
            switch kind {
            case ValueKind.array.rawValue, ValueKind.set.rawValue: "element"
            case ValueKind.dictionary.rawValue: "pair"
            case utf16String: "code unit"
            default: "byte"
            }
        let noun = ValueKind(rawValue: kind)?.withArticle ?? "a " + kind
        return "\(noun) of \(count) \(Phrase.noun(unit, for: Int(clamping: count)))"
    }
}
