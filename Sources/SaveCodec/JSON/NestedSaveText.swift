/// A converter of nested saves in a JSON text into files, which become the contents of data. The caller provides the
/// conversion of graph JSON.
package struct NestedSaveConverter: Sendable {
    /// Returns the property list in which a save is stored.
    package typealias Resolver = @Sendable (_ save: Document) throws(Problem) -> Document
    /// Translates an address in the text of a save into one that leads into the stored save.
    package typealias Translator = @Sendable (_ address: JSONPointer, _ save: Document) -> JSONPointer

    /// A converter for saves that are property lists. It rejects archives.
    static let propertyLists = NestedSaveConverter { save throws(Problem) in
        guard !save.isGraphJSON else {
            throw Problem(
                "json.nested-archive",
                "found a nested archive as graph JSON; only a reader of archives can convert it to data")
        }
        return save
    }

    private let resolve: Resolver
    let shownAddress: Translator
    /// Whether a value that the save's format cannot represent is replaced by the nearest one and reported as a loss.
    /// If false, it is an error.
    private(set) var allowsLoss = false

    package init(
        translating shownAddress: @escaping Translator = { address, _ in address }, _ resolve: @escaping Resolver
    ) {
        (self.shownAddress, self.resolve) = (shownAddress, resolve)
    }

    /// The dialect of a text that may contain nested saves.
    private(set) var dialect = JSON.Dialect.detected

    /// Returns a converter for texts in a dialect.
    package func reading(_ dialect: JSON.Dialect) -> NestedSaveConverter {
        var converter = self
        converter.dialect = dialect
        return converter
    }

    /// Returns a converter that allows losses or rejects them.
    package func allowing(loss allowsLoss: Bool) -> NestedSaveConverter {
        var converter = self
        converter.allowsLoss = allowsLoss
        return converter
    }

    /// Writes the file of a save.
    ///
    /// - Returns: The findings about the save, with addresses in its text.
    func write(
        _ save: Document, as format: Format, _ limits: Limits, to output: inout ByteWriter
    ) throws(Problem) -> NestedSaveFindings {
        let stored = try resolve(save)
        try stored.write(as: format, to: &output, options: WriteOptions(keyOrder: .stored), limits: limits)
        func inText(_ problems: [Problem], _ find: (Document) -> [Problem]) -> [Problem] {
            guard save.isGraphJSON, !problems.isEmpty else { return problems }
            // The objects of a stored archive have no address in the text, so `save` is searched for problems of the
            // same kinds.
            let kinds = Set(problems.map(\.kind))
            let found = find(save).filter { kinds.contains($0.kind) }
            return found.isEmpty ? [problems[0].moved(to: .root)] : found
        }
        return NestedSaveFindings(
            losses: inText(stored.losses(as: format, limits: limits)) { $0.losses(as: format, limits: limits) },
            foreignValues: inText(stored.foreignValues(as: format)) { $0.foreignValues(as: format) },
            widenedReals: stored.widenedReals(as: format))
    }
}

/// The findings about the nested saves of a JSON text.
package struct NestedSaveFindings: Sendable {
    /// The values that the saves' formats cannot represent. The data contains the nearest value instead.
    package var losses: [Problem] = []
    /// The values that other readers of the saves' formats reject.
    package var foreignValues: [Problem] = []
    /// The number of 32-bit reals that the saves' formats store as 64-bit reals of the same value.
    package var widenedReals = 0

    var isEmpty: Bool { losses.isEmpty && foreignValues.isEmpty && widenedReals == 0 }

    /// Returns the findings with transformed losses and foreign values.
    func mapped(_ transform: ([Problem]) -> [Problem]) -> NestedSaveFindings {
        NestedSaveFindings(
            losses: transform(losses), foreignValues: transform(foreignValues), widenedReals: widenedReals)
    }

    static func + (a: NestedSaveFindings, b: NestedSaveFindings) -> NestedSaveFindings {
        NestedSaveFindings(
            losses: a.losses + b.losses, foreignValues: a.foreignValues + b.foreignValues,
            widenedReals: a.widenedReals + b.widenedReals)
    }
}

extension Problem {
    fileprivate func moved(to address: JSONPointer?) -> Problem {
        var problem = self
        problem.address = address
        return problem
    }
}

/// Saves in a JSON text that are written in place of the data that contains them (see <doc:TypedJSON>).
///
///     {"prefs": {"$bplist": {"gems": 7}}}
///                └─ read as a document of its own ─▶ file ─▶ data <62 70 6C 69 73 74 …>
package enum NestedSaveText {
    /// The maximum nesting depth of saves.
    package static let maxLevel = 64

    /// Returns the bytes that `write` writes.
    ///
    /// - Throws: A problem if there are more than `room` bytes.
    package static func bytes(
        within room: Int, _ write: (inout ByteWriter) throws(Problem) -> Void
    ) throws(Problem) -> [UInt8] {
        var bytes = ImageBuffer([])
        var output = ByteWriter { piece in
            guard piece.count <= room - bytes.count else { throw Problem.nestedTooLarge() }
            bytes.append(piece)
        }
        try write(&output)
        guard (try? output.finish()) != nil else { throw .nestedTooLarge() }
        return bytes.takeBytes()
    }
}

extension JSON {
    /// Returns the format and the text range of the nested save in a range of a valid JSON text; nil if the range is
    /// not a nested save.
    package static func save(at range: Range<Int>, of text: [UInt8]) -> (format: Format, contents: Range<Int>)? {
        guard text[range].first == UInt8(ascii: "{") else { return nil }
        return JSONText(commented: Array(text[range])).save(at: 0, startingAt: range.lowerBound)
    }

    /// Returns the format and the text range of the nested save in the value that begins at an offset; nil if the value
    /// is not a nested save. In graph JSON the value may be wrapped in `$inline`.
    package static func save(from offset: Int, of text: [UInt8]) -> (format: Format, contents: Range<Int>)? {
        guard offset < text.count, text[offset] == UInt8(ascii: "{"),
            let end = JSONText(text).endOfContainer(at: offset)
        else { return nil }
        let json = JSONText(commented: Array(text[offset..<end]))
        var start = 0
        let name = json.skippingWhiteSpace(from: 1)
        if json.holds("\"$inline\"", at: name), let end = json.endOfScalar(at: name) {
            start = json.skippingWhiteSpace(from: json.skippingWhiteSpace(from: end) + 1)
        }
        return json.save(at: start, startingAt: offset)
    }
}

extension JSONText {
    /// Returns the format and the text range of the nested save with its object at an offset; nil if no save is there.
    ///
    /// - Parameter start: The offset of this text in the text that the range refers to.
    fileprivate func save(at offset: Int, startingAt start: Int) -> (format: Format, contents: Range<Int>)? {
        guard self[offset] == UInt8(ascii: "{"), let end = endOfContainer(at: offset),
            let (tag, first) = tag(ofObjectAt: offset), let format = tag.nestedFormat
        else { return nil }
        // The closing brace of the tag and the white space before it are not part of the save.
        let last = bytes[first..<end - 1].lastIndex { !$0.isXMLSpace }
        return last.map { (format, start + first..<start + $0 + 1) }
    }

    /// Returns the offset after the container that starts at `offset` in a valid text, which may have comments; nil if
    /// none starts there.
    fileprivate func endOfContainer(at offset: Int) -> Int? {
        var (depth, position) = (0, offset)
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "\""): position = endOfString(from: position + 1) ?? bytes.count
            case UInt8(ascii: "/"): position = (SourceComments.endOfJSON(at: position, of: bytes) ?? position + 1) - 1
            case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            position += 1
            if depth <= 0 { return position > offset + 1 ? position : nil }
        }
        return nil
    }
}

/// A lookup of locations for the addresses in nested saves of a JSON text, at any nesting level.
final class NestedLocations {
    private let text: JSONText
    private lazy var lines = LineTable(text.written)
    /// The number of members that may still be visited. If there were no limit, a small file with a thousand problems
    /// in large containers would take far too long.
    private var budget = 20_000_000

    init(in text: JSONText) {
        self.text = text
    }

    func location(of offset: Int) -> SourceLocation { lines.location(of: offset) }

    /// Returns the location of an address in a save, or of its closest existing ancestor.
    func location(of address: JSONPointer, in save: Document, _ map: SourceMap) -> SourceLocation {
        var (id, offset) = (save.root, map.root.lowerBound)
        for depth in address.tokens.indices {
            guard let position = position(of: address, at: depth, in: id, of: save) else { break }
            offset = map.value(position, of: id).lowerBound
            id = save.member(position, of: save.object(id))
        }
        return location(of: offset)
    }

    private func position(
        of address: JSONPointer, at depth: Int, in container: ObjectID, of save: Document
    ) -> Int? {
        let object = save.object(container)
        guard object.kind.isContainer else { return nil }
        let wanted = JSONPointer.root.appending(address.prefix(depth + 1), from: depth)
        // The last of several duplicate keys is the effective one.
        for position in (0..<object.count).reversed() where budget > 0 {
            budget -= 1
            var step = JSONPointer.root
            save.append(step: position, of: object, to: &step)
            if step == wanted { return position }
        }
        return nil
    }
}

/// Opens data that JSON shows as a nested save; nil for data that stays data.
package typealias NestedSaveOpener = @Sendable (_ data: ArraySlice<UInt8>) -> OpenedNestedSave?

/// A save that was found in data, ready to be written as JSON.
package struct OpenedNestedSave {
    /// Writes the save without surrounding white space, as a value inside `indentation` containers.
    package typealias Writer = (_ indentation: Int, _ output: inout ByteWriter) -> Void

    fileprivate let tag: JSONTag
    fileprivate let write: Writer

    /// - Returns: Nil for a save whose format has no tag.
    package init?(as format: Format, _ write: @escaping Writer) {
        guard let tag = JSONTag.allCases.first(where: { $0.nestedFormat == format }) else { return nil }
        (self.tag, self.write) = (tag, write)
    }
}

extension JSONOutput {
    /// Writes data as a nested save.
    ///
    /// - Returns: False, without writing anything, if the value is not data or stays data.
    package mutating func writeNested(
        _ value: StoredObject, of document: Document, _ options: WriteOptions, to output: inout ByteWriter
    ) -> Bool {
        guard let open = options.nested, value.kind == .data,
            let save = open(document.image[value.start..<value.start + value.count])
        else { return false }
        tag(save.tag, to: &output)
        write(to: &output) { [indentation] in save.write(indentation, &$0) }
        return true
    }
}

extension Problem {
    package static func nestedTooLarge() -> Problem {
        Problem("limit.nested", "the nested saves are far larger than the file")
    }

    static func nestedTooDeep(at location: SourceLocation) -> Problem {
        Problem("limit.nested-depth", "saves are nested more than \(NestedSaveText.maxLevel) levels deep", at: location)
    }
}

extension NestedSaveFindings {
    /// Combines the findings about several nested saves. Their addresses become addresses in `document`.
    init(
        _ notes: [(data: ObjectID, notes: NestedSaveFindings)], in document: Document, isEnvelope: Bool,
        _ shownAddress: NestedSaveConverter.Translator
    ) {
        let addresses = document.addresses(of: Set(notes.map(\.data)))
        var (losses, foreignValues) = (LossList(), LossList())
        for (data, notes) in notes {
            // Addresses begin at the document inside the envelope.
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
    /// Returns this problem of a nested save with an address that begins at the enclosing document.
    ///
    /// - Parameter data: The address of the data that contains the save.
    fileprivate func within(_ data: JSONPointer) -> Problem {
        var problem = self
        problem.address = data.appending(nested: address ?? .root)
        return problem
    }
}
