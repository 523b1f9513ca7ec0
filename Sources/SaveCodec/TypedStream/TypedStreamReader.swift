/// A reader that validates a typedstream and converts it into tables (see <doc:TypedStreamFormat>).
///
/// It keeps a stack of frames instead of using recursion, so that a stream cannot overflow the call stack. Values are
/// collected in ``pending`` until the end of their object or list.
struct TypedStreamReader {
    /// The signatures, each preceded by its length byte.
    static let signatures: [(bytes: [UInt8], isBigEndian: Bool)] = [
        ([0x0B] + Array("streamtyped".utf8), false), ([0x0B] + Array("typedstream".utf8), true),
    ]

    private enum Frame {
        /// An object whose values begin at index `start` of ``pending``.
        case object(Int, type: Int, start: Int)
        /// One value of each of these types.
        case values(Range<Int>)
        /// The number of remaining elements of a C array, each with these types.
        case elements(Int, of: Range<Int>)
        /// A struct or C array whose values begin at index `start` of ``pending``.
        case list(type: Int, start: Int)
    }

    /// An entry in the reference table that objects, classes and C strings share.
    private enum Shared {
        case object(Int)
        case classRecord(Int)
        case string(Int)
    }

    private var cursor: StreamCursor
    private let limits: Limits
    private var stream: TypedStream
    private var shared: [Shared] = []
    private var frames: [Frame] = []
    private var pending: [TypedStream.Value] = []
    /// The remaining number of values that may take no bytes.
    private var room: Int
    /// The references in a stream of version 3 that could be to a type or to an object.
    private var ambiguous = Occurrences()

    init(_ bytes: [UInt8], limits: Limits) throws(Problem) {
        // Types and objects have 32-bit numbers, and there are no more of them than bytes.
        guard bytes.count <= Int(UInt32.max) else { throw .imageTooLarge() }
        cursor = StreamCursor(bytes)
        self.limits = limits
        stream = TypedStream(header: try Self.header(&cursor))
        room = limits.maxBytelessValueCount(in: bytes.count)
    }

    private static func header(_ cursor: inout StreamCursor) throws(Problem) -> TypedStream.Header {
        let signature = cursor.bytes.dropFirst()
        guard let found = signatures.first(where: { signature.starts(with: $0.bytes) }) else {
            throw Problem(
                "typedstream.header", "the file does not start with a version and \"typedstream\" or \"streamtyped\"",
                at: .byte(0))
        }
        let version = cursor.bytes[0]
        guard (3...4).contains(version) else {
            throw Problem("typedstream.version", "the streamer version is \(version); expected 3 or 4", at: .byte(0))
        }
        cursor.skip(1 + found.bytes.count)
        cursor.isBigEndian = found.isBigEndian
        return TypedStream.Header(
            version: version, isBigEndian: found.isBigEndian,
            systemVersion: try cursor.integer("the version of the system"))
    }

    mutating func read() throws(Problem) -> TypedStream {
        guard cursor.left > 0 else { throw .streamEnds(expected: "a value", at: cursor.position) }
        while cursor.left > 0 {
            try readGroup()
            while let frame = frames.last { try step(frame) }
        }
        stream.roots = pending
        if ambiguous.count > 0 {
            stream.warnings.append(
                .streamWarning(
                    "typedstream.ambiguous",
                    "version 3 does not say whether a reference is to a type or to an object; it was read as a type",
                    at: ambiguous))
        }
        return stream
    }

    /// Reads the stream up to its end or to its first damage. Objects that are incomplete then keep their values so
    /// far.
    ///
    /// - Returns: The stream and, if it is damaged, the problem, its offset, and the incomplete objects.
    mutating func readUpToDamage() -> (
        stream: TypedStream, damage: (problem: Problem, offset: Int, objects: [Int])?
    ) {
        do throws(Problem) {
            return (try read(), nil)
        } catch {
            var objects: [Int] = []
            while let frame = frames.popLast() {
                switch frame {
                case .object(let object, let type, let start):
                    objects.append(object)
                    stream.objects[object].values = takePending(from: start)
                    add(.object(object), type)
                case .list(let type, let start):
                    // An incomplete list becomes null, because the converters expect all its values.
                    pending.removeLast(pending.count - start)
                    add(.null, type)
                case .values, .elements: break
                }
            }
            stream.roots = pending
            return (stream, (error, cursor.position, objects))
        }
    }

    private mutating func step(_ frame: Frame) throws(Problem) {
        switch frame {
        case .object(let object, let type, let start):
            if cursor.skip(ifNext: StreamCursor.Tag.end) {
                frames.removeLast()
                stream.objects[object].values = takePending(from: start)
                add(.object(object), type)
            } else if cursor.left > 0 {
                try readGroup()
            } else {
                throw .streamEnds(expected: "the end of an object", at: cursor.position)
            }
        case .values(let types):
            guard let type = types.first else { return frames.removeLast(1) }
            frames[frames.count - 1] = .values(stream.types.nodes[type].end..<types.upperBound)
            try readValue(type)
        case .elements(let count, let types):
            guard count > 0 else { return frames.removeLast(1) }
            frames[frames.count - 1] = .elements(count - 1, of: types)
            // Elements of several types are unnamed structs, as NeXTSTEP wrote them.
            if stream.types.nodes[types.lowerBound].end < types.upperBound {
                try open(types.lowerBound - 1)
            }
            frames.append(.values(types))
        case .list(let type, let start):
            frames.removeLast()
            add(.list(takePending(from: start)), type)
        }
    }

    private mutating func add(_ content: TypedStream.Value.Content, _ type: Int) {
        pending.append(TypedStream.Value(content: content, type: UInt32(truncatingIfNeeded: type)))
    }

    /// Moves the pending values of an object or list to ``TypedStream/values``.
    private mutating func takePending(from start: Int) -> Range<Int> {
        let first = stream.values.count
        stream.values += pending[start...]
        pending.removeLast(pending.count - start)
        return first..<stream.values.count
    }

    // MARK: Types and values

    /// Reads the types of the next values. An object in a stream of version 3 may follow without a type.
    private mutating func readGroup() throws(Problem) {
        if stream.header.isOldVersion, try beginsObject() {
            return frames.append(.values(TypeEncodings.object..<TypeEncodings.object + 1))
        }
        let start = cursor.position
        guard let string = try sharedString("the type of a value") else {
            throw Problem("typedstream.type", "the type of a value is nil", at: .byte(start))
        }
        frames.append(.values(try list(ofString: string).types))
    }

    private mutating func list(ofString number: Int) throws(Problem) -> TypeEncodings.List {
        try stream.types.list(
            ofString: number, at: stream.strings[number].range, in: cursor.bytes, maxDepth: limits.maxDepth)
    }

    private mutating func readValue(_ type: Int) throws(Problem) {
        let code = stream.types.nodes[type].code
        switch code {
        case UInt8(ascii: "c"): add(.integer(Int64(Int8(bitPattern: try cursor.byte("a char")))), type)
        case UInt8(ascii: "C"): add(.integer(Int64(try cursor.byte("a char"))), type)
        case UInt8(ascii: "B"): try readBoolean(type)
        case UInt8(ascii: "f"): add(.real32(try cursor.real32()), type)
        case UInt8(ascii: "d"): add(.real64(try cursor.real64()), type)
        case UInt8(ascii: "*"): try readCString(type)
        case UInt8(ascii: "%"), UInt8(ascii: ":"):
            let string = try sharedString(code == UInt8(ascii: ":") ? "a selector" : "an atom")
            add(string.map { .string($0) } ?? .null, type)
        case UInt8(ascii: "+"):
            let isNull = cursor.skip(ifNext: StreamCursor.Tag.null)
            add(isNull ? .null : .bytes(try cursor.text("a byte string")), type)
        case UInt8(ascii: "#"):
            let record = try readClass()
            add(record.map { .string(stream.classes[$0].name) } ?? .null, type)
        case UInt8(ascii: "@"): try readObject(type)
        case UInt8(ascii: "!"):
            try takeRoom()
            add(.null, type)
        case UInt8(ascii: "["): try readArray(type)
        case UInt8(ascii: "{"):
            try open(type)
            frames.append(.values(type + 1..<stream.types.nodes[type].end))
        default: try readInteger(code, type)
        }
    }

    private mutating func readBoolean(_ type: Int) throws(Problem) {
        let value = try cursor.byte("a boolean")
        guard value < 2 else {
            throw Problem(
                "typedstream.boolean", "the boolean is \(value); expected 0 or 1", at: .byte(cursor.position - 1))
        }
        add(.boolean(value == 1), type)
    }

    /// Reads an integer. Unsigned integers are stored as the signed integer with the same bits.
    private mutating func readInteger(_ code: UInt8, _ type: Int) throws(Problem) {
        let start = cursor.position
        let value = try cursor.integer("an integer")
        let isUnsigned = code < UInt8(ascii: "a")
        let width = Self.width(of: code)
        let bound: Int64 = width < 64 ? 1 << Int64(width) : .max
        guard width == 64 || (-bound / 2..<(isUnsigned ? bound : bound / 2)).contains(value) else {
            throw Problem(
                "typedstream.integer-range",
                "the integer \(value) is out of range for its type, \(Unicode.Scalar(code))", at: .byte(start))
        }
        if isUnsigned, value < 0 {
            add(width < 64 ? .integer(value + bound) : .unsigned(UInt64(bitPattern: value)), type)
        } else {
            add(.integer(value), type)
        }
    }

    /// Returns the width of an integer in bits. `i` and `l` have 32 bits, as on the machines that wrote them.
    private static func width(of code: UInt8) -> Int {
        switch code {
        case UInt8(ascii: "s"), UInt8(ascii: "S"): 16
        case UInt8(ascii: "q"), UInt8(ascii: "Q"): 64
        default: 32
        }
    }

    // MARK: Arrays and structs

    private mutating func readArray(_ type: Int) throws(Problem) {
        let node = stream.types.nodes[type]
        let types = type + 1..<node.end
        let element = stream.types.nodes[type + 1].code
        if types.count == 1, element == UInt8(ascii: "c") || element == UInt8(ascii: "C") {
            if node.count == 0 { try takeRoom() }
            return add(.bytes(try cursor.bytes(node.count, "an array", from: cursor.position)), type)
        }
        // Elements of these types may take no bytes.
        guard node.count <= cursor.left || "!{[".utf8.contains(element) else {
            throw .cutOff("an array", count: node.count, left: cursor.left, at: cursor.position)
        }
        try open(type)
        frames.append(.elements(node.count, of: types))
    }

    private mutating func open(_ type: Int) throws(Problem) {
        try takeRoom()
        frames.append(.list(type: type, start: pending.count))
    }

    /// Counts a value that takes no bytes, because a short type can describe any number of such values.
    private mutating func takeRoom() throws(Problem) {
        guard room > 0 else {
            throw Problem(
                "limit.stream",
                "more than \(limits.maxBytelessValueCount(in: cursor.bytes.count)) values take no bytes in the stream",
                at: .byte(cursor.position))
        }
        room -= 1
    }

    // MARK: Strings, classes and objects

    /// Reads a string that is stored once and later referred to; nil for no string.
    private mutating func sharedString(_ what: String) throws(Problem) -> Int? {
        if cursor.skip(ifNext: StreamCursor.Tag.null) { return nil }
        guard cursor.skip(ifNext: StreamCursor.Tag.new) else {
            return try cursor.reference(what, count: stream.strings.count)
        }
        stream.strings.append(TypedStream.Text(try cursor.text(what), in: cursor.bytes))
        return stream.strings.count - 1
    }

    private mutating func readCString(_ type: Int) throws(Problem) {
        if cursor.skip(ifNext: StreamCursor.Tag.null) { return add(.null, type) }
        let start = cursor.position
        guard cursor.skip(ifNext: StreamCursor.Tag.new) else {
            guard case .string(let string) = try sharedReference("a C string") else {
                throw .referenceKind(expected: "a C string", at: start)
            }
            return add(.string(string), type)
        }
        guard let string = try sharedString("a C string") else {
            throw .nilInside("a C string", at: cursor.position - 1)
        }
        shared.append(.string(string))
        add(.string(string), type)
    }

    private mutating func sharedReference(_ expected: String) throws(Problem) -> Shared {
        shared[try cursor.reference(expected, count: shared.count)]
    }

    private mutating func readObject(_ type: Int) throws(Problem) {
        if cursor.skip(ifNext: StreamCursor.Tag.null) { return add(.null, type) }
        let start = cursor.position
        guard cursor.skip(ifNext: StreamCursor.Tag.new) else {
            guard case .object(let object) = try sharedReference("an object") else {
                throw .referenceKind(expected: "an object", at: start)
            }
            return add(.object(object), type)
        }
        let object = stream.objects.count
        shared.append(.object(object))
        guard let record = try readClass() else { throw .nilInside("the class of an object", at: cursor.position - 1) }
        stream.objects.append(TypedStream.Object(classIndex: record))
        if stream.header.isOldVersion { _ = try cursor.integer("the size of an object") }
        frames.append(.object(object, type: type, start: pending.count))
    }

    /// Reads a class and its ancestors, up to nil or a class that was read before.
    private mutating func readClass() throws(Problem) -> Int? {
        let known = stream.classes.count
        while cursor.skip(ifNext: StreamCursor.Tag.new) { try readClassRecord() }
        let last = try readClassReference(before: known)
        guard stream.classes.count > known else { return last }
        for position in known..<stream.classes.count {
            stream.classes[position].superclass = position + 1 < stream.classes.count ? position + 1 : last
        }
        return known
    }

    private mutating func readClassRecord() throws(Problem) {
        let start = cursor.position
        guard let name = try sharedString("the name of a class") else {
            throw .nilInside("the name of a class", at: start)
        }
        let text = stream.strings[name]
        guard text.isUTF8, !text.range.isEmpty else {
            throw Problem(
                "typedstream.class-name", "the name of a class is \(text.range.isEmpty ? "empty" : "not UTF-8")",
                at: .byte(start))
        }
        stream.classes.append(TypedStream.Class(name: name, version: try cursor.integer("the version of a class")))
        shared.append(.classRecord(stream.classes.count - 1))
    }

    /// Reads nil or a reference to a class that was read before.
    private mutating func readClassReference(before known: Int) throws(Problem) -> Int? {
        if cursor.skip(ifNext: StreamCursor.Tag.null) { return nil }
        let start = cursor.position
        guard case .classRecord(let record) = try sharedReference("a class") else {
            throw .referenceKind(expected: "a class", at: start)
        }
        guard record < known else {
            throw Problem("typedstream.class-cycle", "a class is its own ancestor", at: .byte(start))
        }
        return record
    }
}

// MARK: Version 3

extension TypedStreamReader {
    /// Whether an object follows, rather than the type of values. The stream does not say so; the possible meanings of
    /// the next bytes decide.
    private mutating func beginsObject() throws(Problem) -> Bool {
        var ahead = cursor
        ahead.skip(1)
        switch cursor.next {
        case StreamCursor.Tag.null: return true
        case StreamCursor.Tag.new:
            // A new class, a reference to a class, or the length of a text follows.
            var next = ahead
            if let text = try? next.text("a type"),
                TypeEncodings.areTypes(text, in: cursor.bytes, maxDepth: limits.maxDepth)
            {
                return false
            }
            return ahead.next == StreamCursor.Tag.new || refersToClass(ahead)
        default: return try refersToObject()
        }
    }

    private func refersToClass(_ cursor: StreamCursor) -> Bool {
        var cursor = cursor
        guard let index = try? cursor.reference("", count: shared.count), case .classRecord = shared[index] else {
            return false
        }
        return true
    }

    /// Whether a reference is to an object rather than to a type. If both are possible, the bytes after it decide.
    private mutating func refersToObject() throws(Problem) -> Bool {
        var ahead = cursor
        let index = try ahead.reference("a type or an object", count: max(stream.strings.count, shared.count))
        guard index < shared.count, case .object = shared[index] else { return false }
        guard index < stream.strings.count, let list = try? list(ofString: index) else { return true }
        let isType = list.firstStored.map { canBegin($0, ahead) } ?? true
        let isObject = canFollowObject(ahead)
        if isType && isObject { ambiguous.note(at: cursor.position) }
        return !isType && isObject
    }

    /// Whether a value of a type that takes bytes could begin here.
    private func canBegin(_ type: Int, _ cursor: StreamCursor) -> Bool {
        var ahead = cursor
        switch stream.types.nodes[type].code {
        case UInt8(ascii: "c"), UInt8(ascii: "C"), UInt8(ascii: "B"): return cursor.left > 0
        case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "*"): return refers(cursor, to: shared.count)
        case UInt8(ascii: "%"), UInt8(ascii: ":"): return refers(cursor, to: stream.strings.count)
        case UInt8(ascii: "+"): return cursor.next == StreamCursor.Tag.null || (try? ahead.text("")) != nil
        case UInt8(ascii: "f"), UInt8(ascii: "d"): return (try? ahead.real32()) != nil
        default: return (try? ahead.integer("")) != nil
        }
    }

    /// Whether another value, or the end of the enclosing object, could follow an object that ends here.
    private func canFollowObject(_ cursor: StreamCursor) -> Bool {
        guard let next = cursor.next else { return frames.isEmpty }
        return next == StreamCursor.Tag.end || refers(cursor, to: max(stream.strings.count, shared.count))
    }

    /// Whether nil, something new, or a reference below `count` follows.
    private func refers(_ cursor: StreamCursor, to count: Int) -> Bool {
        var cursor = cursor
        if cursor.next == StreamCursor.Tag.null || cursor.next == StreamCursor.Tag.new { return true }
        return (try? cursor.reference("", count: count)) != nil
    }
}

extension Problem {
    fileprivate static func referenceKind(expected: String, at offset: Int) -> Problem {
        Problem(
            "typedstream.reference-kind", "found a reference to something else; expected \(expected)", at: .byte(offset)
        )
    }

    fileprivate static func nilInside(_ what: String, at offset: Int) -> Problem {
        Problem("typedstream.nil", "\(what) is nil", at: .byte(offset))
    }
}
