/// A converter of a typedstream's tables into the property list that NSKeyedArchiver would store.
///
///     object 0  Player             $objects 0 "$null"
///               @ object 1                  1 {Player.0: UID 2, Player.1: 100, $class: UID 3}
///               i 100                       2 "Ada"
///     object 1  NSString                    3 {$classes: ["Player", "NSObject"], $classname: "Player"}
///               + "Ada"            $top     {root: UID 1}
///
/// Numbers and Booleans are stored in place, and so are structs and C arrays, which become arrays. All other values are
/// references. `$objects` contains the objects in stream order, followed by the classes, strings and data that they
/// need.
struct TypedStreamConverter: ~Copyable {
    /// An element of `$objects` that follows the objects of the stream.
    private enum Addition {
        case classRecord(Int)
        case string(Int)
        case data(Range<Int>)
        case utf16([UInt16])
    }

    private let stream: TypedStream
    private let bytes: [UInt8]
    private let limits: Limits
    private var builder: DocumentBuilder
    private var additions: [Addition] = []
    /// The references to the added class records, by class.
    private var classReferences: [Int: ObjectID] = [:]
    /// The references to the added shared strings, by string.
    private var stringReferences: [Int: ObjectID] = [:]
    /// The strings that are class names, by shared string.
    private var classNames: [Int: ObjectID] = [:]
    /// The strings that are field names such as `Player.1`, by class and position.
    private var fieldNames: [Int: [ObjectID?]] = [:]
    private var details: TypedStreamMetadata
    private var oddTexts = Occurrences()

    init(_ stream: TypedStream, of bytes: [UInt8], limits: Limits) {
        (self.stream, self.bytes, self.limits) = (stream, bytes, limits)
        builder = DocumentBuilder(expectedSize: 4 * bytes.count)
        details = TypedStreamMetadata(stream, in: bytes)
    }

    consuming func convert() throws(Problem) -> Document {
        builder.open(.dictionary)
        builder.add(string: "$version")
        builder.add(integer: 100_000)
        builder.add(string: "$archiver")
        builder.add(string: "NSArchiver")
        builder.add(string: "$top")
        addTop()
        builder.add(string: "$objects")
        builder.open(.array)
        builder.add(string: "$null")
        let classes = KnownClassConverter(stream, in: bytes)
        for object in stream.objects { try add(object, classes.converted(object)) }
        // No addition needs another one.
        for (position, addition) in additions.enumerated() {
            try add(addition, uid: stream.objects.count + 1 + position)
        }
        builder.close()
        builder.close()
        builder.formatFacts.typedStreamMetadata = details
        builder.warnings = stream.warnings
        if oddTexts.count > 0 {
            builder.warnings.append(
                .streamWarning("typedstream.text", "a text is not UTF-8; it was read as data", at: oddTexts))
        }
        return try builder.finish(format: .typedStream, sourceSize: bytes.count)
    }

    /// Whether a text would represent nil in `$objects`.
    static func isNull(_ text: ArraySlice<UInt8>) -> Bool { text.elementsEqual("$null".utf8) }

    /// Adds `$top`. The only value of a stream is named `root`; several values are named `root.0`, `root.1` and so on.
    private mutating func addTop() {
        builder.open(.dictionary)
        for (position, value) in stream.roots.enumerated() {
            builder.add(string: "root" + (stream.roots.count == 1 ? "" : ".\(position)"))
            add(value)
        }
        builder.close()
    }

    // MARK: Objects

    private mutating func add(_ object: TypedStream.Object, _ converted: ConvertedObject) throws(Problem) {
        let values = stream.values[object.values]
        if case .values = converted { details.addObject(values) } else { details.addObject([]) }
        switch converted {
        case .plain(let content): add(content, of: values)
        case .fields(let fields):
            builder.open(.dictionary)
            for (name, content) in fields {
                builder.add(string: name.description)
                add(content, of: values)
            }
            endInstance(of: object)
        case .values(let names):
            builder.open(.dictionary)
            for (position, value) in values.enumerated() {
                if position < names.count {
                    builder.add(string: names[position].description)
                } else {
                    addFieldName(position, of: object.classIndex)
                }
                add(value)
                try checkSize()
            }
            endInstance(of: object)
        }
        try checkSize()
    }

    private mutating func endInstance(of object: TypedStream.Object) {
        builder.add(string: "$class")
        if let known = classReferences[object.classIndex] {
            builder.add(known)
        } else {
            classReferences[object.classIndex] = refer(to: .classRecord(object.classIndex))
        }
        builder.close()
    }

    /// Adds the name of a field without a known name: the class name and the field's position.
    private mutating func addFieldName(_ position: Int, of classIndex: Int) {
        var known = fieldNames.removeValue(forKey: classIndex) ?? []
        defer { fieldNames[classIndex] = known }
        if position < known.count, let id = known[position] { return builder.add(id) }
        let name = bytes[stream.strings[stream.classes[classIndex].name].range] + Array(".\(position)".utf8)
        known += Array(repeating: nil, count: max(position + 1 - known.count, 0))
        known[position] = builder.add(utf8: Array(name).span)
    }

    private mutating func add(_ content: ConvertedObject.Content, of values: ArraySlice<TypedStream.Value>) {
        switch content {
        case .value(let value): add(value)
        case .text(let text): add(text: text)
        // As an element of `$objects`, it would represent nil.
        case .utf16(let units) where units.elementsEqual("$null".utf16): builder.add(utf16: units.span)
        case .utf16(let units): refer(to: .utf16(units))
        case .data(let data): add(data: data)
        case .oddText(let text):
            oddTexts.note(at: text.lowerBound)
            add(data: text)
        case .list(let first, let step):
            builder.open(.array)
            for position in stride(from: values.startIndex + first, to: values.endIndex, by: step) {
                add(values[position])
            }
            builder.close()
        }
    }

    // MARK: Values

    private mutating func add(_ value: TypedStream.Value) {
        // The remaining values of the open lists.
        var open: [Range<Int>] = []
        var next: TypedStream.Value? = value
        while true {
            if case .list(let values)? = next?.content {
                builder.open(.array)
                open.append(values)
            } else if let next {
                add(scalar: next.content)
            }
            guard let rest = open.popLast() else { return }
            next = rest.first.map { stream.values[$0] }
            if next == nil { builder.close() } else { open.append(rest.dropFirst()) }
        }
    }

    private mutating func add(scalar content: TypedStream.Value.Content) {
        switch content {
        case .null, .list: refer(to: 0)
        case .boolean(let value): builder.add(boolean: value)
        case .integer(let value): builder.add(integer: Int128(value))
        case .unsigned(let value): builder.add(integer: Int128(value))
        case .real32(let value): builder.add(real32: value)
        case .real64(let value): builder.add(real64: value)
        case .string(let string): add(string: string)
        case .bytes(let data): refer(to: .data(data))
        case .object(let object): refer(to: object + 1)
        }
    }

    private mutating func add(string: Int) {
        let text = stream.strings[string]
        if let known = stringReferences[string] {
            builder.add(known)
        } else if Self.isNull(bytes[text.range]) {
            add(text: text.range)
        } else {
            if !text.isUTF8 { oddTexts.note(at: text.range.lowerBound) }
            stringReferences[string] = refer(to: text.isUTF8 ? .string(string) : .data(text.range))
        }
    }

    @discardableResult
    private mutating func add(text: Range<Int>) -> ObjectID {
        let bytes = bytes
        return builder.add(utf8: bytes.span, in: text)
    }

    private mutating func add(data: Range<Int>) {
        let bytes = bytes
        builder.add(data: bytes.span.extracting(data))
    }

    // MARK: References

    /// Adds a reference. Equal references are not merged, because most objects have only one.
    @discardableResult
    private mutating func refer(to uid: Int) -> ObjectID {
        builder.add(StoredUID(UInt32(truncatingIfNeeded: uid)), shared: false)
    }

    /// Adds an object that is not in the stream, and a reference to it.
    @discardableResult
    private mutating func refer(to addition: Addition) -> ObjectID {
        additions.append(addition)
        return refer(to: stream.objects.count + additions.count)
    }

    private mutating func add(_ addition: Addition, uid: Int) throws(Problem) {
        switch addition {
        case .string(let string): add(text: stream.strings[string].range)
        case .utf16(let units): builder.add(utf16: units.span)
        case .data(let data): add(data: data)
        case .classRecord(let record): addRecord(record, uid: uid)
        }
        try checkSize()
    }

    private mutating func addRecord(_ record: Int, uid: Int) {
        var versions: [Int64] = []
        builder.open(.dictionary)
        builder.add(string: "$classes")
        builder.open(.array)
        var ancestor: Int? = record
        while let current = ancestor {
            addClassName(stream.classes[current].name)
            versions.append(stream.classes[current].version)
            ancestor = stream.classes[current].superclass
        }
        builder.close()
        builder.add(string: "$classname")
        addClassName(stream.classes[record].name)
        builder.close()
        details.addClass(uid, versions: versions)
    }

    private mutating func addClassName(_ string: Int) {
        if let name = classNames[string] { return builder.add(name) }
        classNames[string] = add(text: stream.strings[string].range)
    }

    /// Throws a problem if the archive is far larger than the stream. The names of fields, and the ancestors written
    /// out for each class, can cause this.
    private func checkSize() throws(Problem) {
        let allowed = limits.maxArchiveByteCount(of: bytes.count)
        guard builder.imageSize > allowed else { return }
        throw Problem(
            "limit.stream",
            "the objects, with field and class names, take \(builder.imageSize) bytes; the limit for this file is "
                + "\(allowed)")
    }
}
