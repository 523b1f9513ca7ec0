/// Reads a JSON text into a document: one method for each rule of RFC 8259's grammar, and a list of open containers
/// instead of recursion.
struct JSONReader: ~Copyable {
    /// A container whose contents are being read.
    enum Container {
        case array, object
        /// The array of `{"$set": […]}`.
        case set
        /// The array of `{"$dict": [[key, value], …]}`, within a pair, behind its key.
        case pairs

        var end: UInt8 { self == .object ? UInt8(ascii: "}") : UInt8(ascii: "]") }
        var isTagged: Bool { self == .set || self == .pairs }
        var isDictionary: Bool { self == .object || self == .pairs }
    }

    let text: JSONText
    var position = 0
    var builder: DocumentBuilder
    private var containers: [Container] = []
    private var maxDepth: Int
    private let limits: Limits
    /// Whether objects named like tags are objects.
    private let isPlain: Bool
    /// Whether the name of a tag was met, and whether a tagged value was.
    private var hasTagNames = false
    private var hasTaggedValues = false
    /// The offset of the first name that begins with `$` and is unknown: `{"$oid": …}`.
    private var foreignName: Int?
    /// Records where values stand, if that is asked for.
    private let recorder: SourceRecorder?
    /// What makes files of the saves that stand in place of data; nil where only the places of values are of interest.
    private let nested: NestedSaveWriter?
    private let places: NestedPlaces
    /// What is to be told of such saves, and the data that they are.
    private var notes: [(data: ObjectID, notes: NestedNotes)] = []
    /// How many such saves the value stands in.
    private let level: Int
    /// How many bytes those may still take that are in it.
    private var room: Int
    private var soleMembers: SoleMembers?
    private var names = NameCache()
    /// Whether the root is an object with a member `$savetool`: the envelope of an exact document (see <doc:ExactJSON>). A
    /// list of pairs with such a key is none.
    private var isEnvelope = false
    /// Which members of an archive the root has. A list of pairs with such keys has none.
    private var archiveMembers: Set<String> = []
    /// Whether the root is graph JSON (see <doc:GraphJSON>).
    private var isGraph: Bool { archiveMembers == ["$archiver", "$top"] }

    init(
        _ text: JSONText, limits: Limits, isPlain: Bool = false, recorder: SourceRecorder? = nil,
        nested: NestedSaveWriter = .propertyLists
    ) {
        self.text = text
        places = NestedPlaces(in: text)
        self.isPlain = isPlain
        self.recorder = recorder
        self.nested = nested
        self.limits = limits
        level = 0
        room = limits.mostRead(of: text.bytes.count)
        maxDepth = limits.maxDepth
        builder = DocumentBuilder(expectedSize: text.bytes.count)
    }

    /// A reader of the value at an offset, a save in the text that another one reads.
    ///
    /// - Parameter recorder: records where values stand, if that is all that is of interest.
    init(at offset: Int, in outer: borrowing JSONReader, recorder: SourceRecorder? = nil) {
        text = outer.text
        isPlain = false
        self.recorder = recorder
        places = outer.places
        nested = recorder == nil ? outer.nested : nil
        limits = outer.limits
        level = outer.level + 1
        room = outer.room
        soleMembers = outer.soleMembers
        maxDepth = limits.maxDepth
        builder = DocumentBuilder()
        position = offset
    }

    /// Reads the whole text: one value, and white space around it (§2).
    mutating func readText() throws(Problem) {
        skipWhiteSpace()
        try readRoot()
        skipWhiteSpace()
        guard position == text.bytes.count else { throw expected("the end of the text") }
    }

    /// Reads the value at the position, with all that is in it.
    private mutating func readRoot() throws(Problem) {
        repeat {
            if try readValue() { try advance() }
        } while !containers.isEmpty
    }

    /// The document that was read, out of the envelope that it may be in.
    consuming func finish(sourceSize: Int? = nil) throws(Problem) -> Document {
        let (hasEnvelope, hasGraph, limits, text, recorder) = (isEnvelope, isGraph && !isPlain, limits, text, recorder)
        let (notes, nested) = (notes, nested)
        builder.formatFacts.tagUse = isPlain ? .plain : hasTaggedValues ? .typed : .none
        var document = try builder.finish(format: .json, sourceSize: sourceSize ?? text.bytes.count)
        recorder?.finish(text.bytes, stored: text.stored)
        let isEnvelope = hasEnvelope && ExactEnvelope.isPresent(in: document)
        if hasGraph, !isEnvelope, document.hasGraphEnvelope {
            document = document.noting { ($0.formatFacts.isGraphJSON, $0.formatFacts.tagUse) = (true, .typed) }
        }
        if let nested, !notes.isEmpty {
            let told = NestedNotes(notes, in: document, isEnvelope: isEnvelope, nested.shownAddress)
            document = document.noting { $0.formatFacts.nestedNotes = told }
        }
        guard isEnvelope else { return document }
        let facts = document.facts
        let value = try ExactEnvelope.open(document, limits: limits).noting {
            ($0.formatFacts.losesDigits, $0.formatFacts.nestedNotes, $0.formatFacts.tagUse) = (
                facts.formatFacts.losesDigits, facts.formatFacts.nestedNotes, .typed
            )
        }
        recorder?.map = recorder?.map?.opened(value, in: document)
        return value
    }

    // MARK: Plain JSON

    /// The reason why a completely read text is plain JSON, not typed JSON: beside tagged values it has a name that
    /// resembles a tag. Nil for typed JSON, for archives, and for a text without tagged values, which reads the same
    /// either way.
    var contradiction: Problem? {
        let isArchive = archiveMembers.isSuperset(of: ["$archiver", "$top"])
        guard hasTaggedValues, let foreignName, !isArchive, !isEnvelope else { return nil }
        let name = text.endOfString(from: foreignName).flatMap { try? text.unescaped(foreignName..<$0) } ?? []
        return Problem(
            "json.tag", "\"\(SafeText.escaping(name.prefix(40)))\" is not a tag of typed JSON",
            at: text.place(foreignName - 1))
    }

    /// A problem that ended the reading, with the address of the value in question, if the text may be plain JSON all the
    /// same: a tag has other contents than it should. Nil for all other problems.
    mutating func contradiction(_ problem: Problem) -> Problem? {
        guard hasTagNames, problem.id.hasPrefix("json."), problem.id != "json.nested-archive" else { return nil }
        var problem = problem
        var unfinished = DocumentBuilder()
        swap(&unfinished, &builder)
        let next = unfinished.nextAddress()?.address
        if problem.address == nil { problem.address = next }
        return problem
    }

    // MARK: Saves in data

    /// Reads the object at the position as the data that it stands for: its one member is a save, at an offset.
    private mutating func readNested(_ tag: JSONTag, as format: Format, contentsAt value: Int) throws(Problem) {
        let start = position
        guard level < NestedSaveText.maxLevel else { throw .nestedTooDeep(at: text.place(start)) }
        do throws(Problem) {
            let (file, notes) = try nestedFile(as: format, contentsAt: value)
            // What something is told of is an object of its own, with its own address.
            let data = builder.add(data: file.span, shared: notes.isEmpty)
            if !notes.isEmpty { self.notes.append((data, notes)) }
        } catch {
            throw located(error, inNestedAt: start)
        }
        skipWhiteSpace()
        try skip(UInt8(ascii: "}"), "\"}\" after the only member")
        recorder?.add(start..<position)
    }

    /// The file of a save at an offset, behind which the reader goes on.
    private mutating func nestedFile(
        as format: Format, contentsAt value: Int
    ) throws(Problem) -> ([UInt8], NestedNotes) {
        var inner = JSONReader(at: value, in: self)
        try inner.readRoot()
        (position, room) = (inner.position, inner.room)
        let save = try inner.finish(sourceSize: position - value)
        builder.formatFacts.losesDigits = builder.formatFacts.losesDigits || save.facts.formatFacts.losesDigits
        for warning in save.warnings { builder.warnings.append(warning.located(at: places.location(of: value))) }
        guard let nested else { return ([], NestedNotes()) }
        var notes = NestedNotes()
        do throws(Problem) {
            // XML may be far longer than JSON, and longer again where it holds XML as data.
            let file = try NestedSaveText.bytes(within: room) { [limits] output throws(Problem) in
                notes = try nested.write(save, as: format, limits, to: &output)
            }
            room -= file.count
            notes = notes.mapped { located($0, in: save, at: value) }
            if !nested.allowsLoss, let loss = notes.losses.first { throw loss }
            return (file, save.nestedNotes + notes)
        } catch {
            throw located([error], in: save, at: value)[0]
        }
    }

    /// Problems of a save, whose text begins at an offset, with their places there, and the addresses of those that lead
    /// into the save.
    private func located(_ problems: [Problem], in save: Document, at start: Int) -> [Problem] {
        guard problems.contains(where: { $0.address != nil && $0.place == nil }) else { return problems }
        // The text is read again: documents do not keep the places of their values.
        let recorder = SourceRecorder()
        var reader = JSONReader(at: start, in: self, recorder: recorder)
        let document = (try? reader.readRoot()) == nil ? nil : try? reader.finish()
        return problems.map { problem in
            guard let address = problem.address, problem.place == nil else { return problem }
            var problem = problem
            if let document, let map = recorder.map {
                problem.place = places.location(of: address, in: document, map)
            }
            if save.isGraphJSON { problem.address = nested?.shownAddress(address, save) }
            return problem
        }
    }

    /// A problem with the address that the data in question has; what the text itself is found to be has a place enough.
    private mutating func located(_ problem: Problem, inNestedAt start: Int) -> Problem {
        guard problem.place == nil || problem.address != nil else { return problem }
        var problem = problem
        if problem.place == nil { problem.place = text.place(start) }
        var unfinished = DocumentBuilder()
        swap(&unfinished, &builder)
        guard let (address, document) = unfinished.nextAddress() else { return problem }
        let outer = isGraph ? nested?.shownAddress(address, document) ?? address : address
        problem.address = problem.address.map(outer.entering) ?? outer
        if problem.address == .root { problem.address = nil }
        return problem
    }

    // MARK: Values

    /// Reads a value (§3), or as much of it as comes before the first value in it.
    ///
    /// Returns whether the value is complete.
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

    /// Reads the object at the position, whose first member has the name of a tag and the value at an offset, or as much
    /// of it as comes before the first value in it.
    private mutating func readTagged(_ tag: JSONTag, contentsAt value: Int) throws(Problem) -> Bool {
        hasTagNames = true
        if let format = tag.nestedFormat, isSoleMember(ofObjectAt: position) {
            hasTaggedValues = true
            try readNested(tag, as: format, contentsAt: value)
            return true
        }
        let start = position
        guard try readTaggedScalar(tag, contentsAt: value) else { return try openObject(tag, contentsAt: value) }
        hasTaggedValues = true
        recorder?.add(start..<position)
        return true
    }

    /// Reads a value that is neither array nor object.
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

    /// The problem that what stands at the position begins no value, but may look like one.
    private func unknownWord() -> Problem {
        let word = text.token(at: position)
        let place = text.place(position)
        switch text[position] {
        case UInt8(ascii: "+"), UInt8(ascii: "."):
            return Problem("json.number", "the number \(word) begins with neither a digit nor a minus sign", at: place)
        case _ where ["\"nan\"", "\"inf\"", "\"infinity\""].contains(word.lowercased()):
            return Problem(
                "json.number", "found \(word), which JSON has no number for; expected {\"$real\": …}", at: place)
        default: return expected("a value")
        }
    }

    // MARK: Containers

    /// Opens the object at the position, whose first member has the name of a tag and the value at an offset.
    private mutating func openObject(_ tag: JSONTag, contentsAt value: Int) throws(Problem) -> Bool {
        guard isSoleMember(ofObjectAt: position) else {
            return try open(.object, as: .textDictionary, contentsAt: position + 1)
        }
        guard text[value] == UInt8(ascii: "[") else { throw wrongContents(of: tag, at: value) }
        hasTaggedValues = true
        switch tag {
        case .set: return try open(.set, as: .set, contentsAt: value + 1)
        case .dict: return try open(.pairs, as: .dictionary, contentsAt: value + 1)
        default: throw wrongContents(of: tag, at: value)
        }
    }

    /// Whether the first member of the object whose brace stands at `offset` has no other beside it.
    private mutating func isSoleMember(ofObjectAt offset: Int) -> Bool {
        if soleMembers == nil { soleMembers = SoleMembers(in: text, from: offset) }
        return soleMembers?.contains(objectAt: offset) ?? false
    }

    /// Opens a container and goes to its first value, or behind its end if it is empty.
    ///
    /// Returns whether it is empty, and so complete.
    private mutating func open(
        _ container: Container, as kind: DocumentBuilder.Container, contentsAt start: Int
    ) throws(Problem) -> Bool {
        guard builder.depth < maxDepth else { throw .tooDeep(maxDepth, at: text.place(position)) }
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

    /// Closes a container at its bracket or brace.
    private mutating func close(_ container: Container) throws(Problem) {
        position += 1
        let object = builder.close()
        if container.isTagged {
            skipWhiteSpace()
            try skip(UInt8(ascii: "}"), "\"}\" after the only member")
        }
        recorder?.close(object, isDictionary: container.isDictionary, end: position)
    }

    /// Goes on from behind a complete value: closes the containers that end here, up to one that has another value.
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
                        at: text.place(position))
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

    /// Reads what stands before a value in a container: a name, or the start of a pair.
    private mutating func beginElement(of container: Container) throws(Problem) {
        switch container {
        case .array, .set: break
        case .object: try readName()
        case .pairs: try beginPair()
        }
    }

    /// Reads the name of a member and the colon behind it (§4).
    private mutating func readName() throws(Problem) {
        let start = position
        guard text[position] == UInt8(ascii: "\"") else { throw expected("a name in quotation marks") }
        try readNameText()
        recorder?.add(start..<position)
        if containers.count == 1, !isEnvelope, !isPlain, text.holds("\"$savetool\"", at: start) {
            // The envelope of an exact document is no container of the document.
            isEnvelope = true
            maxDepth = min(maxDepth, .max - 1) + 1
        }
        if containers.count == 1 { noteArchiveMember(at: start) }
        skipWhiteSpace()
        try skip(UInt8(ascii: ":"), "\":\" after a name")
        skipWhiteSpace()
    }

    /// Reads the string that is a name.
    private mutating func readNameText() throws(Problem) {
        let (start, quote) = (position + 1, UInt8(ascii: "\""))
        let bytes = text.bytes
        if let name = names.key(in: bytes.span, at: start, before: quote) {
            builder.add(name.object, isShared: false)
            position = start + name.count + 1
            return
        }
        if foreignName == nil, text[start] == UInt8(ascii: "$"), text.isForeignName(at: start) { foreignName = start }
        let end = text.endOfRun(from: start)
        guard text[end] == quote else { return try readString() }
        let name = builder.add(utf8: bytes.span, in: start..<end)
        names.keep(name, in: bytes.span, start..<end, before: quote)
        position = end + 1
    }

    private mutating func noteArchiveMember(at offset: Int) {
        guard text[offset + 1] == UInt8(ascii: "$") else { return }
        for member in ["$archiver", "$top", "$objects"] where text.holds("\"\(member)\"", at: offset) {
            archiveMembers.insert(member)
        }
    }

    /// Reads the bracket of a pair, its key and the comma behind it.
    private mutating func beginPair() throws(Problem) {
        try skip(UInt8(ascii: "["), "a pair [key, value]")
        skipWhiteSpace()
        try readKey()
        skipWhiteSpace()
        try skip(UInt8(ascii: ","), "\",\" after the key of a pair")
        skipWhiteSpace()
    }

    /// Reads a key of a pair: any value but a container.
    private mutating func readKey() throws(Problem) {
        switch text[position] {
        case UInt8(ascii: "["):
            throw expected("a key, which is neither array nor object")
        case UInt8(ascii: "{"):
            let start = position
            guard let (tag, value) = text.tag(ofObjectAt: position), try readTaggedScalar(tag, contentsAt: value) else {
                throw expected("a key, which is neither array nor object")
            }
            recorder?.add(start..<position)
        default:
            try readScalar()
        }
    }

    // MARK: Cursor

    private mutating func skipWhiteSpace() {
        position = text.skippingWhiteSpace(from: position)
    }

    private mutating func skip(_ byte: UInt8, _ expectation: StaticString) throws(Problem) {
        guard text[position] == byte else { throw expected(expectation) }
        position += 1
    }

    /// The problem that something else stands at the position.
    func expected(_ expectation: StaticString) -> Problem {
        Problem("json.syntax", "found \(text.found(at: position)), expected \(expectation)", at: text.place(position))
    }
}

/// Which objects that begin with a tag have no second member, and so are tagged values.
///
/// Of an array that may be deep and long it is known only at its end whether it was the contents of a tag, too late for
/// a reader that builds as it goes. Hence one look ahead over all of the text, made when the first such object is met.
/// Malformed text does no harm here, as the reader will come to it.
struct SoleMembers {
    private struct Candidate {
        let offset: Int
        let depth: Int
        var hasComma = false
    }

    private var offsets: Set<Int> = []

    /// Looks ahead from the brace of the first object in question.
    init(in text: JSONText, from start: Int) {
        var candidates: [Candidate] = []
        var depth = 0
        var offset = start
        while offset < text.bytes.count {
            switch text.bytes[offset] {
            case UInt8(ascii: "\""):
                offset = text.endOfString(from: offset + 1) ?? text.bytes.count
            case UInt8(ascii: "["):
                depth += 1
            case UInt8(ascii: "{"):
                depth += 1
                if text.tag(ofObjectAt: offset) != nil { candidates.append(Candidate(offset: offset, depth: depth)) }
            case UInt8(ascii: ","):
                if let last = candidates.last, last.depth == depth { candidates[candidates.count - 1].hasComma = true }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let last = candidates.last, last.depth == depth {
                    candidates.removeLast()
                    if !last.hasComma { offsets.insert(last.offset) }
                }
                depth -= 1
            default:
                break
            }
            offset += 1
        }
    }

    /// Whether the first member of the object whose brace stands at `offset`, a tag, is its only one.
    func contains(objectAt offset: Int) -> Bool {
        offsets.contains(offset)
    }
}

extension NestedNotes {
    /// What is to be told of data of a document, with the addresses that it has there.
    fileprivate init(
        _ notes: [(data: ObjectID, notes: NestedNotes)], in document: Document, isEnvelope: Bool,
        _ shownAddress: NestedSaveWriter.Translator
    ) {
        let addresses = document.addresses(of: Set(notes.map(\.data)))
        var (losses, foreignValues) = (LossList(), LossList())
        for (data, notes) in notes {
            // What an envelope holds is a document of its own.
            let stored = addresses[data].map { isEnvelope ? JSONPointer.root.appending($0, from: 1) : $0 } ?? .root
            let address = document.isGraphJSON ? shownAddress(stored, document) : stored
            for loss in notes.losses { losses.add(loss.kind, count: loss.count) { loss.within(address) } }
            for value in notes.foreignValues {
                foreignValues.add(value.kind, count: value.count) { value.within(address) }
            }
        }
        self.init(
            losses: losses.problems, foreignValues: foreignValues.problems,
            widenedReals: notes.reduce(0) { $0 + $1.notes.widenedReals })
    }
}

extension Problem {
    /// The same with a place in the text, if it has none.
    fileprivate func located(at place: SourceLocation) -> Problem {
        var problem = self
        problem.place = problem.place ?? place
        return problem
    }

    /// A problem of a save in data that has an address.
    fileprivate func within(_ data: JSONPointer) -> Problem {
        var problem = self
        problem.address = data.entering(address ?? .root)
        return problem
    }
}
