import KeyedArchives
import SaveCodec
import SaveInspection

/// Writes a view as a tree:
///
///     binary keyed archive by NSKeyedArchiver, 1 root, 8 objects, 1,204 bytes; 2 Player, 1 Map
///     └─ root: Map, 2 fields
///        ├─ name: "Swamp"
///        └─ charList: array, 3 elements
///           ├─ 0: Player {health: 100, position: {10.5, 20}}
///           ├─ 1: Boss, 2 fields
///           │  ├─ health: 100
///           │  └─ weapons: ["axe", "hammer"]
///           └─ 2: → same as /root/charList/0
///
/// A container with several references is drawn once; later references appear as `→ same as /root/…`.
final class TreeRenderer {
    private let palette: Palette
    private let showsTypes: Bool
    /// The width of the terminal in columns; nil if standard output is not a terminal.
    private let columns: Int?
    /// The counter of omitted contents; nil if omissions are not reported.
    var omissions: Omissions?
    /// The origins of values; nil without a defaults overlay.
    var origins: DefaultsNotes?
    /// The description of the save on the first line. It replaces the text of the outline's first row if that is a
    /// container, and precedes it otherwise; nil for none.
    var headline: String?
    /// The text before the branch of each row: a line or blanks for every open container except the first.
    private var trunk: [UInt8] = []
    /// For each open container, the length of `trunk` before the container was opened.
    private var lengths: [Int] = []
    private var keys = NestedViewCache<String>()

    /// The number of columns that are left on the line.
    private var room = Int.max

    /// The maximum width of a container on one line if standard output is not a terminal.
    private static let width = 100
    /// The minimum number of columns for a value after a long key.
    private static let valueWidth = 16
    private static let narrowest = 8

    /// - Parameters:
    ///   - showsTypes: Whether each value is followed by its stored kind and width.
    ///   - columns: The width of the terminal, at which lines are cut; nil for no limit.
    init(palette: Palette, showsTypes: Bool, columns: Int? = nil) {
        self.palette = palette
        self.showsTypes = showsTypes
        self.columns = columns
    }

    /// Writes the tree of an outline.
    ///
    /// - Throws: A problem if the text exceeds the bound.
    func render(
        _ outline: consuming Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        while !output.hasFailed, let step = outline.next() {
            room = columns ?? .max
            switch step {
            case .value(let row):
                let label = label(row)
                let origin = origins?.text(row, depth: lengths.count)
                drawLabel(label, row, to: &output)
                if case .start = row.slot, let headline {
                    draw(headline, of: row, outline, to: &output)
                } else if let brief = brief(row, after: label, outline.scope) {
                    outline.close()
                    write(brief, in: .value, to: &output)
                } else {
                    draw(row, outline, to: &output)
                    if row.isOpened { open(isLast: row.isLast) }
                }
                if let origin { write("  " + origin, in: .note, to: &output) }
                if case .closed = row.presentation { omissions?.add(row, of: outline) }
                output.write(UInt8(ascii: "\n"))
            case .more(let count):
                drawRest(count, to: &output)
                omissions?.add(count, of: outline)
            case .end: trunk.removeLast(trunk.count - lengths.removeLast())
            }
            try bound.check(output)
        }
        if let line = omissions?.line { palette.write(line + "\n", in: .note, to: &output) }
    }

    /// Writes a part of the line, cut to the available columns.
    private func write(_ text: String, in textRole: TextRole, to output: inout ByteWriter) {
        guard columns != nil else { return palette.write(text, in: textRole, to: &output) }
        guard room > 0 else { return }
        let shown = DisplayWidth.fit(text, to: room)
        // After a cut, nothing more is written on the line.
        room = shown == text ? room - DisplayWidth.width(of: text) : 0
        palette.write(shown, in: textRole, to: &output)
    }

    // MARK: Branches

    /// Opens a container. Rows in the first container have no text before their branches.
    private func open(isLast: Bool) {
        lengths.append(trunk.count)
        if lengths.count > 1 { trunk += Array((isLast ? "   " : "│  ").utf8) }
    }

    private func drawBranch(isLast: Bool, to output: inout ByteWriter) {
        palette.write(in: .line, to: &output) { output in
            output.write(trunk)
            output.write(isLast ? "└─ " : "├─ ")
        }
        if columns != nil { room = max(room - 3 * lengths.count, Self.narrowest) }
    }

    private func drawRest(_ count: Int, to output: inout ByteWriter) {
        drawBranch(isLast: true, to: &output)
        palette.write("… \(CountText.of(count)) more\n", in: .note, to: &output)
    }

    // MARK: Labels

    private func label(_ row: Outline.Row) -> String? {
        switch row.slot {
        case .start: nil
        case .element(let position): "\(position): "
        case .entry(_, let key): keys.shown(key.index, of: row.level) { Self.label(key, in: $0) }
        }
    }

    private static func label(_ key: ViewID, in view: ObjectView) -> String {
        if let text = view.text(key) { return TruncatedText.key(text) + ": " }
        return "(\(view.annotation(of: key) ?? ValueText.line(view[key], key, in: view).text)): "
    }

    private func drawLabel(_ label: String?, _ row: Outline.Row, to output: inout ByteWriter) {
        guard let label else { return }
        drawBranch(isLast: row.isLast, to: &output)
        let shown = columns == nil ? label : DisplayWidth.fit(label, to: max(room - Self.valueWidth, Self.narrowest))
        write(shown == label ? label : shown + ": ", in: .key, to: &output)
    }

    // MARK: Values

    /// Returns a small container with its contents on one line; nil if it does not fit, and for the outline's first
    /// row.
    private func brief(_ row: Outline.Row, after label: String?, _ scope: Outline.Scope) -> String? {
        guard let label, !showsTypes, case .opened = row.presentation, case let value = row.value,
            value.contents.count <= scope.limit ?? .max
        else { return nil }
        let column = 3 * lengths.count + DisplayWidth.width(of: label)
        var extent = OneLineContainer.Extent.arrays
        if case .element = row.slot { extent = .arraysAndRecords }
        if row.level.view.databasePart(value, row.id) == .row { extent = .arraysAndRecords }
        return OneLineContainer.render(
            value, row.id, in: row.level.view, for: extent, room: (columns ?? Self.width) - column)
    }

    /// Writes the first line of a save: its headline, followed by the root if that is a scalar.
    private func draw(
        _ headline: String, of row: Outline.Row, _ outline: borrowing Outline, to output: inout ByteWriter
    ) {
        write(headline, in: .plain, to: &output)
        switch row.presentation {
        case .opened: open(isLast: row.isLast)
        case .closed: write(" …", in: .note, to: &output)
        case .scalar, .annotated, .repeated, .nested, .unreadable:
            write(": ", in: .plain, to: &output)
            draw(row, outline, to: &output)
            if row.isOpened { open(isLast: row.isLast) }
        }
    }

    private func draw(_ row: Outline.Row, _ outline: borrowing Outline, to output: inout ByteWriter) {
        let view = row.level.view
        switch row.presentation {
        case .scalar:
            if let vector = vector(row, in: outline.container) {
                draw((ValueText.size(of: row) + ": " + vector, .plain), to: &output)
            } else if let save = NestedSaveLine(row, of: outline) {
                draw((ValueText.size(of: row) + ": " + save.title, .plain), to: &output)
                write(save.hint, in: .note, to: &output)
            } else {
                draw(ValueText.line(row.value, row.id, in: view), to: &output)
            }
        case .opened:
            drawContainer(row.value, row.id, in: view, to: &output)
        case .closed:
            drawContainer(row.value, row.id, in: view, to: &output)
            write(" …", in: .note, to: &output)
        case .annotated(let text):
            let name = view.classPosition(of: row.id).map(view.className) ?? "object"
            draw((name + ", " + TruncatedText.line(text), .value), to: &output)
        case .repeated:
            let address = TruncatedText.address(outline.firstAddress(of: row.id, longest: TruncatedText.scanLimit))
            return write("→ same as \(address)", in: .note, to: &output)
        case .nested(let nested):
            write(ValueText.size(of: row) + ": ", in: .plain, to: &output)
            draw(ValueText.line(nested), to: &output)
        case .unreadable(let problem):
            if view.text(row.id) == nil {
                write(ValueText.size(of: row), in: .plain, to: &output)
            } else {
                draw(ValueText.line(row.value, row.id, in: view), to: &output)
            }
            write(", not opened: " + TruncatedText.line(problem.description), in: .note, to: &output)
        }
        if showsTypes { drawType(row, in: outline.container(around: row), to: &output) }
    }

    /// Writes a description of a container and its annotation.
    private func drawContainer(_ value: ViewValue, _ id: ViewID, in view: ObjectView, to output: inout ByteWriter) {
        draw(ValueText.line(value, id, in: view), to: &output)
        guard let text = view.annotation(of: id) else { return }
        write(", " + TruncatedText.line(text), in: .plain, to: &output)
    }

    /// Returns the components of a vector that is stored as data; nil for other data.
    private func vector(_ row: Outline.Row, in container: ViewID?) -> String? {
        guard case .entry(_, let key) = row.slot, let container else { return nil }
        return row.level.view.annotation(of: row.id, under: key, in: container)
    }

    private func draw(_ line: (text: String, textRole: TextRole), to output: inout ByteWriter) {
        write(line.text, in: line.textRole, to: &output)
    }

    /// Returns the C type of a typedstream's field or root; nil for objects, which have a class.
    private func cType(_ row: Outline.Row, in container: ViewID?) -> String? {
        let view = row.level.view
        guard view.archive != nil, case .entry(let position, _) = row.slot, let container,
            !view.showsRuns(of: container),
            let type = view.document.cType(
                ofField: position, of: container == view.root ? 0 : view.uid(container)?.index ?? .max),
            !type.elementsEqual("@".utf8)
        else { return nil }
        // The rest would be cut anyway.
        let text = String(decoding: type.prefix(TruncatedText.scanLimit), as: UTF8.self)
        return "type " + TruncatedText.line(SafeText.escaping(Array(text.utf16)))
    }

    private func drawType(_ row: Outline.Row, in container: ViewID?, to output: inout ByteWriter) {
        let form = cType(row, in: container) ?? row.scalar.flatMap(ValueText.storedForm)
        let parts = [form, row.level.view.storage(of: row.id)].compactMap { $0 }
        guard !parts.isEmpty else { return }
        write("  (\(parts.joined(separator: ", ")))", in: .note, to: &output)
    }
}

/// A small container on one line, without nested containers: an array of scalars, or a list element with only scalars.
///
///     [1200, 900.5]
///     Player {position: {10.5, 20}, health: 100}
private enum OneLineContainer {
    /// The containers that may be written on one line.
    enum Extent {
        case arrays
        case arraysAndRecords
    }

    /// The maximum number of fields of a record.
    private static let longestRecord = 12

    /// Returns the line, or nil if the container has other contents or the line is too wide.
    static func render(
        _ value: ViewValue, _ id: ViewID, in view: ObjectView, for extent: Extent, room: Int
    ) -> String? {
        switch value.variant {
        case .array:
            let word = view.word(for: .array, value.classPosition)
            return contents(value, in: view, room: room).map { (word == "array" ? "" : word + " ") + "[\($0)]" }
        case .dictionary, .object:
            guard extent == .arraysAndRecords, value.contents.count <= longestRecord else { return nil }
            let word = view.word(of: value, id)
            let isClear = word == "dictionary" || word == "row"
            return contents(value, in: view, room: room).map { (isClear ? "" : word + " ") + "{\($0)}" }
        case .scalar, .set: return nil
        }
    }

    private static func contents(_ value: ViewValue, in view: ObjectView, room: Int) -> String? {
        guard (1...max(room / 3, 1)).contains(value.contents.count) else { return nil }
        var line = ""
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let text = scalar(item.id, in: view) else { return nil }
            line += position == 0 ? "" : ", "
            if let key = item.key {
                guard let name = view.text(key) else { return nil }
                line += TruncatedText.key(name) + ": "
            }
            line += text
            guard DisplayWidth.width(of: line) + 2 < room else { return nil }
        }
        return line
    }

    /// Returns the text of a scalar, or of an object that represents a single value; nil for other values.
    private static func scalar(_ id: ViewID, in view: ObjectView) -> String? {
        switch view.scalar(id) {
        case nil, .data?: view.brief(id)
        case let node?: ValueText.line(node).text
        }
    }
}

// MARK: Omissions

/// A counter of the contents that a tree omits although no option limits it, and the options that show them:
///
///     … at least 1,052 more rows: --depth 6, --at /root/x, --all
struct Omissions {
    /// The number of levels of containers that the tree opens; nil for all.
    let depth: Int?
    private var count = 0
    /// Whether any container is not opened because of its depth.
    private var isTooDeep = false
    private var first: JSONPointer?

    init(depth: Int?) {
        self.depth = depth
    }

    /// Counts the contents of a container that is not opened.
    mutating func add(_ row: Outline.Row, of outline: borrowing Outline) {
        count += row.value.contents.count
        isTooDeep = true
        first = first ?? outline.address(of: row, longest: TruncatedText.scanLimit)
    }

    /// Counts omitted contents of the innermost open container.
    mutating func add(_ contents: Int, of outline: borrowing Outline) {
        count += contents
        first = first ?? outline.containerAddress(longest: TruncatedText.scanLimit)
    }

    /// The last line of the tree; nil if nothing is omitted.
    var line: String? {
        guard let first else { return nil }
        var ways: [String] = []
        if isTooDeep, let depth { ways.append("\(Option.depth.shown) \(depth + 2)") }
        if first != .root, first.description.utf8.count < TruncatedText.scanLimit,
            let word = Shell.word(first.description)
        {
            ways.append("\(Option.inspectAt.shown) \(word)")
        }
        ways.append(Option.everything.shown)
        return "… at least " + Phrase.count(count, "more row") + ": " + ways.joined(separator: ", ")
    }
}
