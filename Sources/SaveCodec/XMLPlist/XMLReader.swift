/// A reader of XML property lists, which loops over tags and keeps a list of open elements.
///
/// It accepts the same input as Core Foundation (see <doc:XMLFormat>), which differs from XML: it skips attributes
/// without checking them, any element may be the root, and text after the root is ignored. Input that an XML parser
/// would reject adds a warning.
struct XMLReader: ~Copyable {
    private struct Frame {
        let name: XMLName
        /// Whether a `plist` element already has its value.
        var hasValue = false
        /// Whether all keys of a `dict` element so far are `CF$UID`.
        var holdsOnlyUID = true

        var element: XMLElement { name.element }
    }

    private var cursor: XMLCursor
    private var builder: DocumentBuilder
    private var warnings: XMLWarnings
    private let limits: Limits
    /// The recorder of the values' locations, if requested.
    private let recorder: SourceRecorder?
    private var frames: [Frame] = []
    private var isComplete = false
    /// The text of the last element that contained references or CDATA sections, which are replaced.
    private var scratch: [UInt8] = []
    /// The number that was just read; nil after any other value. It is the value of a UID if the dictionary ends after
    /// it.
    private var lastNumber: XMLNumber?
    private var names = NameCache()

    private init(_ text: [UInt8], warnings: XMLWarnings, limits: Limits, recorder: SourceRecorder?) {
        cursor = XMLCursor(text, XMLDialect(of: text))
        builder = DocumentBuilder(expectedSize: text.count / 3)
        builder.maxValueCount = limits.maxValueCount(of: text.count)
        self.warnings = warnings
        self.limits = limits
        self.recorder = recorder
    }

    static func read(
        _ bytes: [UInt8], limits: Limits, recorder: SourceRecorder? = nil
    ) throws(Problem) -> Document {
        let declaration = try XMLDeclaration(of: bytes)
        let text = try SourceText(decoding: bytes, declared: declaration.encoding)
        var warnings = XMLWarnings()
        declaration.warn(ifDoubtful: bytes, text.bytes, &warnings)
        var reader = XMLReader(text.bytes, warnings: warnings, limits: limits, recorder: recorder)
        try reader.readDocument()
        recorder?.finish(text.bytes, stored: text.stored)
        return try reader.finish()
    }

    private mutating func readDocument() throws(Problem) {
        warnAboutStart()
        while !isComplete { try readItem() }
        let end = try warnAboutRest()
        warnings.addForbiddenCharacters(of: cursor.text, before: end)
    }

    private consuming func finish() throws(Problem) -> Document {
        builder.warnings = warnings.finished()
        return try builder.finish(format: .xml, sourceSize: cursor.text.count)
    }

    private mutating func warnAboutStart() {
        cursor.skipWhitespace()
        if cursor.position > 0, cursor.isAt("<?xml") { warnings.add(.leadingSpace, at: 0, in: cursor.text) }
    }

    /// Warns about text after the property list.
    ///
    /// - Returns: The end of the text to check for forbidden characters, which excludes trailing zeros.
    /// - Throws: A problem if the text has git's conflict markers, or ends containers that begin before the file.
    private mutating func warnAboutRest() throws(Problem) -> Int {
        while true {
            cursor.skipWhitespace()
            let start = cursor.position
            if cursor.isAtEnd { return start }
            let rest = cursor.text[start...]
            if rest.first == 0, rest.allSatisfy({ $0 == 0 }) {
                warnings.add(.trailingZeros(rest.count), at: start, in: cursor.text)
                return start
            }
            if cursor.isAt("<?xml ") || cursor.isAt("<!DOCTYPE plist") || cursor.isAt("<plist") {
                try ignoreRest(from: start, as: .second)
                return cursor.text.count
            }
            let isMisc = cursor.skip("<!--") ? cursor.skip(past: "-->") : cursor.skip("<?") && cursor.skip(past: "?>")
            guard !isMisc else { continue }
            try ignoreRest(from: start, as: .trailing)
            if lacksBeginning(before: start) { throw RestoredBeginning.problem(nil, of: "an XML property list") }
            return cursor.text.count
        }
    }

    /// Whether the file begins with its first value, and the text after that ends containers that do not begin in it. Core
    /// Foundation reads such a part of a file as the first value in it.
    private func lacksBeginning(before rest: Int) -> Bool {
        var cursor = XMLCursor(self.cursor.text, self.cursor.dialect)
        cursor.position = 0
        cursor.skipWhitespace()
        if cursor.isAt("<?") || cursor.isAt("<!") || cursor.isAt("<plist") { return false }
        cursor.position = rest
        var depth = 0
        while depth >= 0, cursor.skip(past: "<") {
            if cursor.skip("!--") {
                _ = cursor.skip(past: "-->")
            } else if cursor.skip("![CDATA[") {
                _ = cursor.skip(past: "]]>")
            } else {
                let change = cursor.skip("/") ? -1 : 1
                guard cursor.skip("dict") || cursor.skip("array") else { continue }
                if cursor.byte == UInt8(ascii: ">") || cursor.byte.isXMLSpace { depth += change }
            }
        }
        return depth < 0
    }

    private mutating func ignoreRest(from start: Int, as kind: XMLWarnings.Kind) throws(Problem) {
        try Problem.checkConflictMarkers(in: cursor.text, from: start)
        warnings.add(kind, at: start, in: cursor.text)
        builder.formatFacts.ignoredTextStart = Document.startOfIgnoredText(in: cursor.text, from: start)
    }

    // MARK: Elements

    private mutating func readItem() throws(Problem) {
        cursor.skipWhitespace()
        let start = cursor.position
        guard cursor.skip("<") else { throw noTag() }
        switch cursor.byte {
        case UInt8(ascii: "/"): try readEnd(start)
        case UInt8(ascii: "!"): try readDeclaration(start)
        case UInt8(ascii: "?"):
            cursor.position += 1
            try cursor.skipInstruction()
        default: try readElement(start)
        }
    }

    private func noTag() -> Problem {
        let location = cursor.location(cursor.position)
        guard cursor.isAtEnd else {
            return Problem(
                "xml.text",
                "found \"\(SafeText.quotingFirst(cursor.text[cursor.position...]))\" between elements; expected a tag",
                at: location)
        }
        return frames.last.map { .xmlTruncated(in: $0.name, at: location) }
            ?? Problem("xml.empty", "found no element; expected a property list", at: location)
    }

    private mutating func readDeclaration(_ start: Int) throws(Problem) {
        if cursor.skip("!--") {
            try cursor.skipComment()
        } else if frames.isEmpty, cursor.skip("!DOCTYPE") {
            try cursor.skipDocumentType()
            if !XMLCursor.isDocumentType(cursor.text[start..<cursor.position]) {
                warnings.add(.documentType, at: start, in: cursor.text)
            }
        } else {
            throw Problem(
                "xml.declaration",
                "found a declaration that begins with <!; expected \(frames.isEmpty ? "a comment or <!DOCTYPE" : "a comment")",
                at: cursor.location(start))
        }
    }

    private mutating func readElement(_ start: Int) throws(Problem) {
        let tag = try cursor.readTag()
        if !tag.isWellFormed { warnings.add(.attributes, at: start, in: cursor.text) }
        try admit(tag.name, start)
        switch tag.element {
        case .plist, .array, .dict: return try open(tag, start)
        case .true, .false: try readBoolean(tag)
        case .key, .string: try readString(tag)
        default:
            guard !tag.isEmpty else {
                throw Problem(
                    "xml.empty-element", "found <\(tag.name.text)/>; expected a value inside <\(tag.name.text)>",
                    at: cursor.location(start))
            }
            try readScalar(tag.name)
        }
        recorder?.add(start..<cursor.position)
    }

    private func emptyPlist(_ start: Int) -> Problem {
        Problem("xml.empty", "<plist> is empty; expected a value", at: cursor.location(start))
    }

    /// Throws a problem if the element is not allowed here.
    private mutating func admit(_ name: XMLName, _ start: Int) throws(Problem) {
        lastNumber = nil
        guard let frame = frames.last else { return }
        if frame.element == .plist, frame.hasValue {
            throw Problem(
                "xml.second-value", "<plist> contains a second value; expected </plist>", at: cursor.location(start))
        }
        if frame.element == .dict, expectsKey, name.element != .key {
            throw Problem(
                "xml.key",
                "found <\(name.text)> in <\(frame.name.text)>; expected <\(cursor.dialect.name(of: .key).text)>",
                at: cursor.location(start))
        }
    }

    private var expectsKey: Bool { builder.pendingCount & 1 == 0 }

    private mutating func open(_ tag: XMLCursor.Tag, _ start: Int) throws(Problem) {
        if tag.element == .plist {
            if tag.isEmpty { throw emptyPlist(start) }
            return frames.append(Frame(name: tag.name))
        }
        guard builder.depth < limits.maxDepth else { throw .tooDeep(limits.maxDepth, at: cursor.location(start)) }
        if tag.element == .dict, !tag.isEmpty, let uid = cursor.skipUID() {
            builder.add(StoredUID(uid))
            recorder?.add(start..<cursor.position)
            return endValue()
        }
        builder.open(tag.element == .array ? .array : .textDictionary)
        recorder?.open(at: start)
        if tag.isEmpty {
            close(tag.element)
            endValue()
        } else {
            frames.append(Frame(name: tag.name))
        }
    }

    private mutating func readEnd(_ start: Int) throws(Problem) {
        cursor.position = start
        guard let frame = frames.last else {
            throw Problem(
                "xml.end", "found an end tag where no element is open; expected an element", at: cursor.location(start))
        }
        try cursor.readEnd(frame.name)
        switch frame.element {
        case .plist:
            guard frame.hasValue else { throw emptyPlist(start) }
        case .dict:
            guard expectsKey else {
                throw Problem(
                    "xml.value",
                    "the last <\(cursor.dialect.name(of: .key).text)> of <\(frame.name.text)> has no value; "
                        + "expected one before </\(frame.name.text)>",
                    at: cursor.location(start))
            }
            closeDictionary(frame, start)
        default:
            close(frame.element)
            lastNumber = nil
        }
        frames.removeLast()
        endValue()
    }

    private mutating func close(_ element: XMLElement) {
        let container = builder.close()
        recorder?.close(container, isDictionary: element == .dict, end: cursor.position)
    }

    /// Closes a dictionary, and replaces it by a UID if its only key is `CF$UID` and its value is a number. The UID has
    /// the dictionary's range in the source map, so nothing is recorded.
    private mutating func closeDictionary(_ frame: Frame, _ start: Int) {
        let isUID = frame.holdsOnlyUID && builder.pendingCount > 0
        close(.dict)
        if isUID, let number = lastNumber {
            if !number.isUID { warnings.add(.uid, at: start, in: cursor.text) }
            _ = builder.takeLast()
            builder.add(StoredUID(number.uid))
        }
        lastNumber = nil
    }

    private mutating func endValue() {
        guard let frame = frames.last else {
            isComplete = true
            return
        }
        if frame.element == .plist { frames[frames.count - 1].hasValue = true }
    }

    // MARK: Scalars

    private mutating func readBoolean(_ tag: XMLCursor.Tag) throws(Problem) {
        if !tag.isEmpty { try cursor.readEnd(tag.name) }
        builder.add(boolean: tag.element == .true)
        endValue()
    }

    private mutating func readString(_ tag: XMLCursor.Tag) throws(Problem) {
        let start = cursor.position
        if tag.isEmpty {
            addString(tag.element, 0..<0, of: [])
        } else if tag.element == .key, let key = keptKey() {
            let text = start..<start + key.count
            cursor.position = text.upperBound
            try cursor.readEnd(tag.name)
            noteKey(.key, text, of: cursor.text)
            builder.add(key.object, isShared: false)
        } else {
            cursor.skipText()
            if cursor.isAt("</") {
                let text = start..<cursor.position
                try cursor.readEnd(tag.name)
                let source = cursor.text
                let object = addString(tag.element, text, of: source)
                if tag.element == .key { names.keep(object, in: source.span, text, before: UInt8(ascii: "<")) }
            } else {
                try readText(tag.name, from: start)
                addString(tag.element, scratch.indices, of: scratch)
            }
        }
        endValue()
    }

    /// Returns the key at the position if it is in the cache and its end tag follows.
    @inline(__always)
    private func keptKey() -> (object: ObjectID, count: Int)? {
        let start = cursor.position
        guard let key = names.key(in: cursor.text.span, at: start, before: UInt8(ascii: "<")),
            start + key.count + 1 < cursor.text.count, cursor.text[start + key.count + 1] == UInt8(ascii: "/")
        else { return nil }
        return key
    }

    @discardableResult
    private mutating func addString(_ element: XMLElement, _ range: Range<Int>, of source: [UInt8]) -> ObjectID {
        noteKey(element, range, of: source)
        return builder.add(utf8: source.span, in: range)
    }

    /// Notes whether a string is the key of a UID.
    private mutating func noteKey(_ element: XMLElement, _ range: Range<Int>, of source: [UInt8]) {
        if element == .key, let last = frames.indices.last, frames[last].holdsOnlyUID, frames[last].element == .dict,
            expectsKey
        {
            frames[last].holdsOnlyUID = XMLText.isUIDKey(source.span.extracting(range))
        }
    }

    /// Reads text with references and CDATA sections into `scratch`, and the end tag.
    private mutating func readText(_ name: XMLName, from start: Int) throws(Problem) {
        cursor.position = start
        try XMLText.read(&cursor, into: &scratch, &warnings)
        try cursor.readEnd(name)
    }

    private mutating func readScalar(_ name: XMLName) throws(Problem) {
        switch name.element {
        case .integer: try readInteger(name)
        case .real: try readReal(name)
        case .date: try readDate(name)
        default: try readData(name)
        }
        endValue()
    }

    /// Reads text without references and CDATA sections, and the end tag.
    private mutating func readPlain(_ name: XMLName) throws(Problem) -> Range<Int> {
        let start = cursor.position
        cursor.position = cursor.text.span.firstIndex(from: start) { $0.marks(of: UInt8(ascii: "<")) }
        let text = start..<cursor.position
        try cursor.readEnd(name)
        return text
    }

    private mutating func readInteger(_ name: XMLName) throws(Problem) {
        let text = try readPlain(name)
        switch XMLNumber.integer(cursor.text.span.extracting(text)) {
        case .value(let value):
            builder.add(integer: value)
            lastNumber = .integer(value)
        case .malformed:
            throw Problem(
                "xml.integer",
                "\"\(SafeText.quoting(cursor.text[text]))\" is not an integer; expected decimal digits, or 0x and hexadecimal digits",
                at: cursor.location(text.lowerBound))
        case .outOfRange:
            throw Problem(
                "xml.integer-range",
                "the integer \(SafeText.quoting(cursor.text[text])) is out of range; expected -2^63 to 2^64-1",
                at: cursor.location(text.lowerBound))
        }
    }

    private mutating func readReal(_ name: XMLName) throws(Problem) {
        let start = cursor.position
        let text = try readTextOfReal(name)
        guard let value = XMLNumber.real(text.span) else {
            throw Problem(
                "xml.real",
                "\"\(SafeText.quoting(text))\" is not a number; expected decimal digits, nan, infinity or -infinity",
                at: cursor.location(start))
        }
        if value.isInfinite, XMLNumber.hasDigits(text.span) {
            warnings.add(.realRange, at: start, in: cursor.text)
        }
        builder.add(real64: value)
        lastNumber = .real(value)
    }

    private mutating func readTextOfReal(_ name: XMLName) throws(Problem) -> ArraySlice<UInt8> {
        let start = cursor.position
        cursor.skipText()
        if cursor.isAt("</") {
            let text = cursor.text[start..<cursor.position]
            try cursor.readEnd(name)
            return text
        }
        try readText(name, from: start)
        return scratch[...]
    }

    private mutating func readDate(_ name: XMLName) throws(Problem) {
        let text = try readPlain(name)
        guard let date = XMLDate.read(cursor.text.span.extracting(text)) else {
            throw Problem(
                "xml.date",
                "\"\(SafeText.quoting(cursor.text[text]))\" is not a date; expected a date such as 2009-09-06T12:34:56Z",
                at: cursor.location(text.lowerBound))
        }
        if !date.isExact { warnings.add(.dateRange, at: text.lowerBound, in: cursor.text) }
        builder.add(date: date.seconds)
    }

    private mutating func readData(_ name: XMLName) throws(Problem) {
        let text = try readPlain(name)
        switch Base64.decodeLenient(cursor.text.span.extracting(text)) {
        case .success(let result):
            if result.dropped > 0 {
                warnings.add(.cutData(result.dropped), at: text.lowerBound, in: cursor.text)
            } else if !result.isClean {
                warnings.add(.data, at: text.lowerBound, in: cursor.text)
            }
            builder.add(data: result.bytes.span)
        case .failure(let fault):
            let offset = text.lowerBound + fault.offset
            throw Problem(
                "xml.data", "found \"\(SafeText.quotingFirst(cursor.text[offset...]))\" in <data>; expected base64",
                at: cursor.location(offset))
        }
    }
}
