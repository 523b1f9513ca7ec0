import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// Writes a view as plain JSON, for `jq` and similar tools. The conversion loses types: dates and data become strings,
/// sets become arrays, objects become JSON objects with their class at `$class`, and NaN and infinities become null.
struct PlainJSONRenderer {
    /// Whether white space is left out.
    private let style: JSONOutput.Style
    private let isCompact: Bool
    private var json: JSONOutput
    /// The names for keys that are containers or objects.
    private var names = NestedViewCache<[UInt8]?>()
    private var classes = ClassStrings()
    private var references = ReferencePointers()
    /// The ranges of the containers in the text that is written; nil if they are not recorded.
    fileprivate var ranges: ContainerRanges?

    init(isCompact: Bool) {
        self.isCompact = isCompact
        style = isCompact ? .compact : .indented
        json = JSONOutput(style)
    }

    /// Writes an outline and a line feed.
    ///
    /// - Throws: A problem if the text exceeds the bound.
    mutating func render(
        _ outline: inout Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        json = JSONOutput(style)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                if case .entry(_, let key) = row.slot { writeName(key, row.level, to: &output) }
                try write(row, outline, within: bound, to: &output)
                if ranges != nil, row.isOpened { ranges?.open(row.id, at: output.count - 1) }
            case .more: break
            case .end:
                json.close(to: &output)
                ranges?.close(at: output.count)
            }
            try bound.check(output)
        }
        output.write(UInt8(ascii: "\n"))
    }

    // MARK: Names

    private mutating func writeName(_ key: ViewID, _ level: OutlineLevel, to output: inout ByteWriter) {
        let document = level.view.document
        let object = document.object(level.view.stored(key))
        if !object.kind.isContainer {
            return json.name(to: &output) { ScalarText.writeName(object, of: document, to: &$0) }
        }
        let name = names.shown(key.index, of: level) { Self.name(key, in: $0) } ?? []
        json.name(to: &output) { $0.write(name) }
    }

    /// Returns the name for a key that is an object with a class, or a container.
    private static func name(_ key: ViewID, in view: ObjectView) -> [UInt8] {
        guard let object = view.scalarObject(key) else {
            return JSONString.quoted(
                Array((view.annotation(of: key) ?? ValueText.line(view[key], key, in: view).text).utf16))
        }
        var output = ByteWriter()
        ScalarText.writeName(object, of: view.document, to: &output)
        return output.takeBytes()
    }

    // MARK: Values

    private mutating func write(
        _ row: Outline.Row, _ outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        switch row.presentation {
        case .scalar, .unreadable: writeScalar(row.id, in: row.level, to: &output)
        case .opened(let container): writeStart(container, row.id, in: row.level, to: &output)
        case .nested(let nested):
            let root = nested.view.root
            if let container = ContainerKind(nested.root.variant) {
                writeStart(container, root, in: nested, to: &output)
            } else {
                writeScalar(root, in: nested, to: &output)
            }
        case .closed, .annotated, .repeated:
            let pointer = try references.pointer(to: row, of: outline, within: bound, after: output)
            json.tag("$ref", to: &output)
            json.write(to: &output) { $0.write(pointer) }
        }
    }

    private mutating func writeScalar(_ id: ViewID, in level: OutlineLevel, to output: inout ByteWriter) {
        guard let object = level.view.scalarObject(id) else { return }
        json.write(to: &output) {
            ScalarText.writePlain(object, of: level.view.document, isCompact: isCompact, to: &$0)
        }
    }

    /// Writes the bracket that opens a container, and the class of an object.
    private mutating func writeStart(
        _ container: ContainerKind, _ id: ViewID, in level: OutlineLevel, to output: inout ByteWriter
    ) {
        switch container {
        case .array, .set: json.open(.array, to: &output)
        case .dictionary: json.open(.object, to: &output)
        case .object:
            json.open(.object, to: &output)
            json.name("$class", to: &output)
            let name = classes.string(level.view.classPosition(of: id), in: level)
            json.write(to: &output) { $0.write(name) }
        }
    }
}

/// The texts of single values of a view as plain JSON. Shared values are repeated if their expansion is small enough.
///
/// In compact text, a container looks the same alone and inside another one:
///
///     {"a":[{"v":1},{"v":2}]}      the root
///          [{"v":1},{"v":2}]       /a, copied from the text of the root
///           {"v":1}                /a/0
struct PlainJSONValues {
    let view: ObjectView
    private let limits: Limits
    /// Whether the view is a property list whose shared values can all be repeated.
    private let repeatsAll: Bool
    private var renderer: PlainJSONRenderer
    /// The outline of the value written last. Values of a property list use it again.
    private var outline: Outline
    /// The text that was written last.
    private var text: [UInt8] = []

    init(of view: ObjectView, isCompact: Bool, _ limits: Limits) {
        self.view = view
        self.limits = limits
        renderer = PlainJSONRenderer(isCompact: isCompact)
        repeatsAll = view.archive == nil && view.document.isExpandable(limits)
        if isCompact, repeatsAll { renderer.ranges = ContainerRanges(count: view.count) }
        outline = Outline(of: view, scope: Outline.Scope(repeatsShared: repeatsAll))
    }

    /// Returns the text of a value, without a line feed at its end.
    ///
    /// - Parameter address: The address of the value. Only references need it.
    /// - Throws: A problem if the text exceeds the bound.
    mutating func text(
        of id: ViewID, at address: @autoclosure () throws(Problem) -> JSONPointer
    ) throws(Problem) -> ArraySlice<UInt8> {
        if let range = renderer.ranges?[id] { return text[range] }
        if view.archive != nil {
            let scope = Outline.Scope(repeatsShared: view.isExpandable(from: id, limits))
            outline = Outline(of: view, from: id, at: try address(), scope: scope)
        } else {
            outline.restart(from: id, at: repeatsAll ? .root : try address())
        }
        renderer.ranges?.removeAll()
        var output = ByteWriter()
        do throws(Problem) {
            try renderer.render(&outline, within: OutputBound(keeping: view.document), to: &output)
        } catch {
            renderer.ranges?.removeAll()
            throw error
        }
        text = output.takeBytes()
        return text.dropLast()
    }
}

/// The ranges of the containers inside the container that a text shows.
private struct ContainerRanges {
    private struct Entry {
        let id: UInt32
        let start: UInt32
        /// The end of the range; 0 while the container is open.
        var end: UInt32 = 0
    }

    private var entries: [Entry] = []
    /// The index in ``entries`` of each container, by ``ViewID/index``. It may be from an earlier text.
    private var numbers: NumberTable
    /// The indices in ``entries`` of the open containers; nil for the outermost one, which has no entry.
    private var path: [Int?] = []

    init(count: Int) {
        numbers = NumberTable(count: count)
    }

    subscript(id: ViewID) -> Range<Int>? {
        guard let number = numbers[id.index], number < entries.count, case let entry = entries[number],
            entry.id == id.index, entry.end > 0
        else { return nil }
        return Int(entry.start)..<Int(entry.end)
    }

    mutating func removeAll() {
        entries.removeAll(keepingCapacity: true)
        path.removeAll(keepingCapacity: true)
    }

    mutating func open(_ id: ViewID, at start: Int) {
        guard !path.isEmpty else { return path.append(nil) }
        path.append(entries.count)
        numbers[id.index] = entries.count
        entries.append(Entry(id: UInt32(truncatingIfNeeded: id.index), start: UInt32(truncatingIfNeeded: start)))
    }

    mutating func close(at end: Int) {
        guard let number = path.popLast() ?? nil, end <= UInt32.max else { return }
        entries[number].end = UInt32(truncatingIfNeeded: end)
    }
}

/// The JSON strings of the addresses at which values were first shown: `"/root/charList/0"`.
///
/// The tokens of keys are cached, because in a chain of objects the addresses are as long as the chain.
struct ReferencePointers {
    private var tokens = NestedViewCache<[UInt8]?>()

    /// Returns the address at which a value of the innermost view was first shown.
    ///
    /// - Throws: A problem if the address exceeds the bound after `output`.
    mutating func pointer(
        to row: Outline.Row, of outline: borrowing Outline, within bound: OutputBound,
        after output: borrowing ByteWriter
    ) throws(Problem) -> [UInt8] {
        let (start, steps) = outline.firstPath(of: row.id)
        // Each step takes at least two bytes.
        try bound.check(output, and: 2 * steps.count)
        var pointer = [UInt8(ascii: "\"")] + JSONString.escaped(start.operand)
        for step in steps {
            pointer += token(step, of: row.level)
            try bound.check(output, and: pointer.count)
        }
        return pointer + [UInt8(ascii: "\"")]
    }

    private mutating func token(_ step: PathStep, of level: OutlineLevel) -> [UInt8] {
        func made(_ view: ObjectView) -> [UInt8] { JSONString.escaped(view.step(step).operand) }
        guard let key = step.key else { return Array("/\(step.position)".utf8) }
        // The token of a key that is not a string may contain the position, so it is not cached.
        return tokens.shown(key.index, of: level) { $0.text(key) == nil ? nil : made($0) } ?? made(level.view)
    }
}

/// The description of a save as one line of JSON. The schema is `Fixtures/schemas/inspect-row.schema.json`.
///
///     {"file":"a.save","format":"binary","archive":true,"size":2113,"classes":{"Player":3},"values":{"/root/gems":7}}
///     {"file":"b.save","error":{"id":"bplist.trailer","message":"byte 0x20: …"}}
struct SaveJSONLine: FileResult {
    let text: [UInt8]
    var size: Int { text.count }
    /// The error that prevented reading the file; nil for none.
    let error: (any Error)?
    /// Whether the address `/` was treated as the root.
    private(set) var readsAsRoot = false

    /// - Parameter addresses: The addresses whose values are included, if they exist.
    init(
        of bytes: Result<[UInt8], SystemError>, _ file: InputFile, at addresses: [JSONPointer],
        _ reading: FileReadOptions
    ) {
        let members: JSONMembers
        do {
            let save = try reading.open(bytes, of: file)
            members = try Self.members(of: save, at: addresses)
            readsAsRoot = addresses.contains(where: save.view.readsAsRoot)
            error = nil
        } catch let problem as Problem {
            members = [("error", .object([("id", .string(problem.id)), ("message", .string(problem.description))]))]
            error = FileProblem(name: file.name, problem: problem)
        } catch {
            let sentence = (error as? FileError)?.sentence ?? "\(error)"
            members = [("error", .object([("message", .string(sentence))]))]
            self.error = error
        }
        var output = ByteWriter()
        var json = JSONOutput(.compact)
        json.write(.object(FileName.members(file.name == "-" ? "<stdin>" : file.name) + members), to: &output)
        output.write(UInt8(ascii: "\n"))
        text = output.takeBytes()
    }

    private static func members(of save: Save, at addresses: [JSONPointer]) throws(Problem) -> JSONMembers {
        var values: JSONMembers = []
        for address in addresses {
            let target = save.view.readsAsRoot(address) ? .root : address
            guard case .found(let id, let view) = save.view.find(target) else { continue }
            let value = SingleValue(view: view, id: id, address: address, limits: save.limits)
            let name = String(decoding: address.pointer, as: UTF16.self)
            values.append((name, .written(try value.json(isCompact: true).dropLast())))
        }
        return [
            ("format", .string(save.format.rawValue)), ("archive", .boolean(save.view.archive != nil)),
            ("size", .integer(save.file.count)), ("in", save.layers.isEmpty ? nil : .string(save.layers.title)),
            ("classes", save.view.archive.map(classes)),
            ("values", addresses.isEmpty ? nil : .object(values)),
        ]
    }

    /// Returns the object count of each class, ordered by class name.
    private static func classes(of archive: KeyedArchive) -> ReportJSON {
        var counts: [String: Int] = [:]
        for row in ArchiveSummary(of: archive).rows {
            switch row.subject {
            case .gameClass(let name), .systemClass(let name): counts[name.string, default: 0] += row.tally.objects
            case .value, .names, .classRecords: break
            }
        }
        let rows = counts.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        return .object(rows.map { ($0.key, .integer($0.value)) })
    }
}
