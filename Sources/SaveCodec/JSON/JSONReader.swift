/// A reader of JSON texts. It has one method per rule of the grammar in RFC 8259 and a list of open containers instead
/// of recursion.
struct JSONReader: ~Copyable {
    enum Container {
        case array, object
        /// The array of `{"$set": […]}`.
        case set
        /// The outer array of `{"$dict": [[key, value], …]}`. While it is open, the position is after the key of a
        /// pair.
        case pairs

        var end: UInt8 { self == .object ? UInt8(ascii: "}") : UInt8(ascii: "]") }
        var isTagged: Bool { self == .set || self == .pairs }
        var isDictionary: Bool { self == .object || self == .pairs }
    }

    let text: JSONText
    var position = 0
    var builder: DocumentBuilder
    private var containers: [Container] = []
    private let limits: Limits
    /// Whether tags are treated as ordinary names.
    private let isPlain: Bool
    private var signs = JSONDialectSigns()
    /// The recorder of the values' locations, if requested.
    private let recorder: SourceRecorder?
    private var nested: NestedSaveConversion
    private var soleMembers: TaggedValueOffsets?
    private var names = NameCache()

    init(
        _ text: JSONText, limits: Limits, isPlain: Bool = false, recorder: SourceRecorder? = nil,
        nested: NestedSaveConverter = .propertyLists
    ) {
        self.text = text
        self.isPlain = isPlain
        self.recorder = recorder
        self.nested = NestedSaveConversion(in: text, nested, limits)
        self.limits = limits
        builder = DocumentBuilder(expectedSize: text.bytes.count)
        builder.maxValueCount = limits.maxValueCount(of: text.bytes.count)
    }

    /// Creates a reader of the nested save at an offset of the text that `outer` reads.
    ///
    /// - Parameter recorder: The recorder of the values' locations, for a reader that only needs these.
    init(at offset: Int, in outer: borrowing JSONReader, recorder: SourceRecorder? = nil) {
        text = outer.text
        isPlain = false
        self.recorder = recorder
        nested = NestedSaveConversion(in: outer.nested, makesFiles: recorder == nil)
        limits = outer.limits
        soleMembers = outer.soleMembers
        builder = DocumentBuilder()
        builder.maxValueCount = outer.builder.maxValueCount
        position = offset
    }

    /// Reads the whole text: one value, surrounded by optional white space (§2).
    mutating func readText() throws(Problem) {
        skipWhiteSpace()
        try readRoot()
        skipWhiteSpace()
        guard position == text.bytes.count else { throw expected("the end of the text") }
    }

    private mutating func readRoot() throws(Problem) {
        repeat {
            if try readValue() { try advance() }
            if builder.overflowed { throw builder.overflow }
        } while !containers.isEmpty
    }

    /// Returns the document that was read. The document in an exact envelope is unwrapped.
    consuming func finish(sourceSize: Int? = nil) throws(Problem) -> Document {
        let (signs, nested, limits, text, recorder) = (signs, nested, limits, text, recorder)
        builder.formatFacts.tagUse = isPlain ? .plain : signs.hasTaggedValues ? .typed : .none
        var document = try builder.finish(format: .json, sourceSize: sourceSize ?? text.bytes.count)
        recorder?.finish(text.written, stored: text.stored, hasComments: text.hasComments)
        let isEnvelope = signs.isEnvelope && ExactEnvelope.isPresent(in: document)
        if signs.isGraph, !isEnvelope, document.hasGraphEnvelope {
            document = document.with { ($0.formatFacts.isGraphJSON, $0.formatFacts.tagUse) = (true, .typed) }
        }
        if let findings = nested.findings(in: document, isEnvelope: isEnvelope) {
            document = document.with { $0.formatFacts.nestedNotes = findings }
        }
        guard isEnvelope else { return document }
        let facts = document.facts
        let value = try ExactEnvelope.open(document, limits: limits).with {
            ($0.formatFacts.losesDigits, $0.formatFacts.nestedNotes, $0.formatFacts.tagUse) = (
                facts.formatFacts.losesDigits, facts.formatFacts.nestedNotes, .typed
            )
        }
        recorder?.map = recorder?.map?.opened(value, in: document)
        return value
    }

    // MARK: Plain JSON

    /// The reason why a completely read text is plain JSON, or nil, see ``JSONDialectSigns/contradiction(in:)``.
    var contradiction: Problem? { signs.contradiction(in: text) }

    /// Returns the problem that ended the reading, with its address, if the text may still be plain JSON because a tag
    /// has invalid contents. Returns nil for all other problems.
    mutating func contradiction(_ problem: Problem) -> Problem? {
        guard signs.hasTagNames, problem.kind.isOf(.json), problem.id != "json.nested-archive" else { return nil }
        var problem = problem
        var unfinished = DocumentBuilder()
        swap(&unfinished, &builder)
        let next = unfinished.nextAddress()?.address
        if problem.address == nil { problem.address = next }
        return problem
    }

    // MARK: Nested saves

    /// Reads the object at the position as data. Its only member is a nested save at offset `value`.
    private mutating func readNested(_ tag: JSONTag, as format: Format, contentsAt value: Int) throws(Problem) {
        let start = position
        guard nested.mayNest else { throw .nestedTooDeep(at: text.location(start)) }
        do throws(Problem) {
            let (file, notes) = try nestedFile(as: format, contentsAt: value)
            // Data with findings is not shared, so that it has its own address.
            let data = builder.add(data: file.span, shared: notes.isEmpty)
            nested.add(notes, about: data)
        } catch {
            throw located(error, inNestedAt: start)
        }
        skipWhiteSpace()
        try skip(UInt8(ascii: "}"), "\"}\" after the only member")
        recorder?.add(start..<position)
    }

    /// Converts the save at an offset into a file and moves the position to the end of the save.
    private mutating func nestedFile(
        as format: Format, contentsAt value: Int
    ) throws(Problem) -> ([UInt8], NestedSaveFindings) {
        var inner = JSONReader(at: value, in: self)
        try inner.readRoot()
        position = inner.position
        nested.takeRoom(of: inner.nested)
        let save = try inner.finish(sourceSize: position - value)
        builder.formatFacts.losesDigits = builder.formatFacts.losesDigits || save.facts.formatFacts.losesDigits
        for warning in save.warnings {
            builder.warnings.append(warning.located(at: nested.locations.location(of: value)))
        }
        do throws(Problem) {
            let (file, notes) = try nested.file(of: save, as: format, limits)
            return (file, save.nestedNotes + notes.mapped { located($0, in: save, at: value) })
        } catch {
            throw located([error], in: save, at: value)[0]
        }
    }

    /// Adds locations to the problems of a nested save, and translates their addresses if the save is graph JSON.
    ///
    /// - Parameter start: The offset of the save's text.
    private func located(_ problems: [Problem], in save: Document, at start: Int) -> [Problem] {
        guard problems.contains(where: { $0.address != nil && $0.location == nil }) else { return problems }
        // The text is read again, because documents do not keep locations.
        let recorder = SourceRecorder()
        var reader = JSONReader(at: start, in: self, recorder: recorder)
        let document = (try? reader.readRoot()) == nil ? nil : try? reader.finish()
        return problems.map { problem in
            guard let address = problem.address, problem.location == nil else { return problem }
            var problem = problem
            if let document, let map = recorder.map {
                problem.location = nested.locations.location(of: address, in: document, map)
            }
            if save.isGraphJSON { problem.address = nested.shownAddress(address, save) }
            return problem
        }
    }

    /// Adds the address of the enclosing data to a problem. A syntax error, which has a location but no address, is
    /// unchanged.
    private mutating func located(_ problem: Problem, inNestedAt start: Int) -> Problem {
        guard problem.location == nil || problem.address != nil else { return problem }
        var problem = problem
        if problem.location == nil { problem.location = text.location(start) }
        var unfinished = DocumentBuilder()
        swap(&unfinished, &builder)
        guard let (address, document) = unfinished.nextAddress() else { return problem }
        let outer = signs.isGraph ? nested.shownAddress(address, document) ?? address : address
        problem.address = problem.address.map(outer.appending) ?? outer
        if problem.address == .root { problem.address = nil }
        return problem
    }

    // MARK: Values

    /// Reads a scalar or an empty container, or the part of a container before its first value.
    ///
    /// - Returns: Whether the value is complete.
    private mutating func readValue() throws(Problem) -> Bool {
        switch text[position] {
        case UInt8(ascii: "["):
            return try open(.array, as: .array, contentsAt: position + 1)
        case UInt8(ascii: "{"):
            guard !isPlain, let (tag, value) = text.tag(ofObjectAt: position) else {
                return try open(.object, as: .textDictionary, contentsAt: position + 1)
            }
            return try readTagged(tag, contentsAt: value)
        default:
            try readScalar()
            return true
        }
    }

    /// Reads the object at the position, or the part of it before its first value.
    ///
    /// - Parameter value: The offset of the value of the first member, whose name is `tag`.
    /// - Returns: Whether the object is complete.
    private mutating func readTagged(_ tag: JSONTag, contentsAt value: Int) throws(Problem) -> Bool {
        signs.hasTagNames = true
        if let format = tag.nestedFormat, isSoleMember(ofObjectAt: position) {
            signs.hasTaggedValues = true
            try readNested(tag, as: format, contentsAt: value)
            return true
        }
        let start = position
        guard try readTaggedScalar(tag, contentsAt: value) else { return try openObject(tag, contentsAt: value) }
        signs.hasTaggedValues = true
        recorder?.add(start..<position)
        return true
    }

    private mutating func readScalar() throws(Problem) {
        let start = position
        switch text[position] {
        case UInt8(ascii: "\""): try readString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
        default: try readLiteral()
        }
        recorder?.add(start..<position)
    }

    private mutating func readLiteral() throws(Problem) {
        let end = text.endOfScalar(at: position) ?? position
        switch end - position {
        case 4 where text.holds("true", at: position): builder.add(boolean: true)
        case 5 where text.holds("false", at: position): builder.add(boolean: false)
        case 4 where text.holds("null", at: position): builder.addNull()
        default: throw unknownWord()
        }
        position = end
    }

    /// Returns the problem for a word that resembles a value but is not valid JSON.
    private func unknownWord() -> Problem {
        let word = text.token(at: position)
        let location = text.location(position)
        switch text[position] {
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            return Problem(
                "json.number", "the number \(word) begins with neither a digit nor a minus sign", at: location)
        case _ where ["\"nan\"", "\"inf\"", "\"infinity\""].contains(word.lowercased()):
            return Problem(
                "json.number", "found \(word), which is not a JSON number; expected {\"$real\": …}", at: location)
        default: return expected("a value")
        }
    }

    // MARK: Containers

    /// Opens the object at the position.
    ///
    /// - Parameter value: The offset of the value of the first member, whose name is `tag`.
    /// - Returns: Whether the object is empty, and therefore complete.
    private mutating func openObject(_ tag: JSONTag, contentsAt value: Int) throws(Problem) -> Bool {
        guard isSoleMember(ofObjectAt: position) else {
            return try open(.object, as: .textDictionary, contentsAt: position + 1)
        }
        guard text[value] == UInt8(ascii: "[") else { throw wrongContents(of: tag, at: value) }
        signs.hasTaggedValues = true
        switch tag {
        case .set: return try open(.set, as: .set, contentsAt: value + 1)
        case .dict: return try open(.pairs, as: .dictionary, contentsAt: value + 1)
        default: throw wrongContents(of: tag, at: value)
        }
    }

    /// Whether the object with its brace at `offset` has only one member.
    private mutating func isSoleMember(ofObjectAt offset: Int) -> Bool {
        if soleMembers == nil { soleMembers = TaggedValueOffsets(in: text, from: offset) }
        return soleMembers?.contains(objectAt: offset) ?? false
    }

    /// Opens a container and moves to its first value, or past its end if it is empty.
    ///
    /// - Returns: Whether the container is empty, and therefore complete.
    private mutating func open(
        _ container: Container, as kind: DocumentBuilder.Container, contentsAt start: Int
    ) throws(Problem) -> Bool {
        guard builder.depth < maxDepth else { throw .tooDeep(maxDepth, at: text.location(position)) }
        builder.open(kind)
        recorder?.open(at: position)
        position = start
        skipWhiteSpace()
        if text[position] == container.end {
            try close(container)
            return true
        }
        containers.append(container)
        try beginElement(of: container)
        return false
    }

    /// The maximum nesting depth. The envelope of an exact document does not count.
    private var maxDepth: Int { limits.maxDepth.addingSaturated(signs.isEnvelope ? 1 : 0) }

    private mutating func close(_ container: Container) throws(Problem) {
        position += 1
        let object = builder.close()
        if container.isTagged {
            skipWhiteSpace()
            try skip(UInt8(ascii: "}"), "\"}\" after the only member")
        }
        recorder?.close(object, isDictionary: container.isDictionary, end: position)
    }

    /// Continues after a complete value: closes the containers that end here, up to one with a further value.
    private mutating func advance() throws(Problem) {
        while let container = containers.last {
            skipWhiteSpace()
            if container == .pairs {
                try skip(UInt8(ascii: "]"), "\"]\" after the key and value of a pair")
                skipWhiteSpace()
            }
            if text[position] == UInt8(ascii: ",") {
                position += 1
                skipWhiteSpace()
                if text[position] == container.end {
                    throw Problem(
                        "json.syntax", "nothing follows the comma; expected another value, or no comma",
                        at: text.location(position))
                }
                return try beginElement(of: container)
            }
            guard text[position] == container.end else {
                throw expected(container == .object ? "\",\" or \"}\"" : "\",\" or \"]\"")
            }
            containers.removeLast()
            try close(container)
        }
    }

    /// Reads the part of an element before its value: a name, or the key of a pair.
    private mutating func beginElement(of container: Container) throws(Problem) {
        switch container {
        case .array, .set: break
        case .object: try readName()
        case .pairs: try beginPair()
        }
    }

    /// Reads the name of a member and the colon after it (§4).
    private mutating func readName() throws(Problem) {
        let start = position
        guard text[position] == UInt8(ascii: "\"") else { throw expected("a name in quotation marks") }
        try readNameText()
        recorder?.add(start..<position)
        if containers.count == 1, !isPlain { signs.noteRootMember(at: start, in: text) }
        skipWhiteSpace()
        try skip(UInt8(ascii: ":"), "\":\" after a name")
        skipWhiteSpace()
    }

    private mutating func readNameText() throws(Problem) {
        let (start, quote) = (position + 1, UInt8(ascii: "\""))
        if let name = names.key(in: text.bytes.span, at: start, before: quote) {
            builder.add(name.object, isShared: false)
            position = start + name.count + 1
            return
        }
        signs.noteName(at: start, in: text)
        let end = text.endOfRun(from: start)
        guard text[end] == quote else { return try readString() }
        let bytes = text.bytes
        let name = builder.add(utf8: bytes.span, in: start..<end)
        names.keep(name, in: bytes.span, start..<end, before: quote)
        position = end + 1
    }

    /// Reads the opening bracket of a pair, its key and the comma after it.
    private mutating func beginPair() throws(Problem) {
        try skip(UInt8(ascii: "["), "a pair [key, value]")
        skipWhiteSpace()
        try readKey()
        skipWhiteSpace()
        try skip(UInt8(ascii: ","), "\",\" after the key of a pair")
        skipWhiteSpace()
    }

    /// Reads the key of a pair, which is any scalar or tagged scalar.
    private mutating func readKey() throws(Problem) {
        switch text[position] {
        case UInt8(ascii: "["):
            throw expected("a key that is neither an array nor an object")
        case UInt8(ascii: "{"):
            let start = position
            guard let (tag, value) = text.tag(ofObjectAt: position), try readTaggedScalar(tag, contentsAt: value) else {
                throw expected("a key that is neither an array nor an object")
            }
            recorder?.add(start..<position)
        default:
            try readScalar()
        }
    }

    // MARK: Cursor

    @inline(__always)
    private mutating func skipWhiteSpace() {
        if text[position] <= 0x20 { position = text.skippingWhiteSpace(from: position) }
    }

    private mutating func skip(_ byte: UInt8, _ expectation: StaticString) throws(Problem) {
        guard text[position] == byte else { throw expected(expectation) }
        position += 1
    }

    func expected(_ expectation: StaticString) -> Problem {
        Problem(
            "json.syntax", "found \(text.found(at: position)); expected \(expectation)", at: text.location(position))
    }
}

extension Problem {
    /// Returns this problem with `location` as its location, unless it has one.
    fileprivate func located(at location: SourceLocation) -> Problem {
        var problem = self
        problem.location = problem.location ?? location
        return problem
    }
}
