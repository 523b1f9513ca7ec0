import KeyedArchives
import SaveCodec
import SaveInspection

/// Writes a view as lines with an address and a value, for `grep`:
///
///     /name = "Zoë"
///     /scores/0 = 1200
///     /friends = []
///
/// With several files, each line begins with the file name, `a.plist:/name = "Zoë"`, as in `grep`. With a defaults
/// overlay, lines of registered defaults end in `  # default`, which is never the end of typed JSON.
///
/// Values are typed JSON on one line. An object has a line for its class, at `$class`. Other containers have a line
/// only if they are empty, not opened, or shown before: `/friends/0 = → /player`. To let ``FlatReader`` rebuild a plain
/// document, its sets always have a line, `{"$set": []}`, and so do dictionaries whose keys could all be positions:
/// `{}`.
///
/// An address that could be misread is written as a JSON string, `"/a = b" = 1`, see ``RowAddressText``.
struct FlatRenderer {
    /// The beginning of each line: the file name and a colon, or nothing.
    private let prefix: [UInt8]
    /// The origins of values; nil without a defaults overlay.
    private let origins: DefaultsNotes?
    /// Whether the current row is part of a registered default.
    private var isDefault = false
    private var path: RowAddressText
    private var classes = ClassStrings()

    /// Creates a renderer for an outline that starts at an address.
    ///
    /// - Parameters:
    ///   - file: The file name at the beginning of each line, safe to print; nil for none.
    ///   - origins: The origins of values; nil without a defaults overlay.
    init(from start: JSONPointer, of file: String? = nil, origins: DefaultsNotes? = nil) {
        path = RowAddressText(from: start)
        prefix = file.map { Array(($0 + ":").utf8) } ?? []
        self.origins = origins
    }

    /// Writes the lines of an outline.
    ///
    /// - Throws: A problem if the text exceeds the bound.
    mutating func render(
        _ outline: consuming Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                path.move(to: row)
                noteOrigin(row)
                try bound.check(output, and: path.count)
                try writeLine(row, outline, within: bound, to: &output)
                if row.isOpened { path.enter() }
            case .more(let count):
                path.moveToContainer()
                noteOrigin(nil)
                writePath(to: &output)
                output.write(" … \(count) more")
                endLine(to: &output)
            case .end: path.leave()
            }
            try bound.check(output)
        }
    }

    /// Updates `isDefault` for a row, or for omitted contents (nil). A row below a child of the root keeps the value of
    /// that child.
    private mutating func noteOrigin(_ row: Outline.Row?) {
        guard let origins, path.depth < 2 else { return }
        isDefault = origins.isDefault(row, depth: path.depth)
    }

    private func endLine(to output: inout ByteWriter) {
        output.write(isDefault ? "  # default\n" : "\n")
    }

    /// Writes the file name and the address of the current row, or of a member of it.
    private func writePath(_ member: StaticString = "", to output: inout ByteWriter) {
        output.write(prefix)
        path.write(member, to: &output)
    }

    private mutating func writeLine(
        _ row: Outline.Row, _ outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        switch row.presentation {
        case .scalar, .unreadable: writeScalar(row.id, in: row.level, to: &output)
        case .opened: writeStart(row.value, row.level, to: &output)
        case .nested(let nested):
            if nested.root.isContainer {
                writeStart(nested.root, nested, to: &output)
            } else {
                writeScalar(nested.view.root, in: nested, to: &output)
            }
        case .annotated: writeLine("{…}", to: &output)
        case .closed(let container): writeLine(container.isKeyed ? "{…}" : "[…]", to: &output)
        case .repeated:
            writePath(to: &output)
            output.write(" = → ")
            try path.writeFirst(of: row, in: outline, within: bound, to: &output)
            endLine(to: &output)
        }
    }

    private func writeScalar(_ id: ViewID, in level: OutlineLevel, to output: inout ByteWriter) {
        guard let object = level.view.scalarObject(id) else { return }
        writePath(to: &output)
        output.write(" = ")
        ScalarText.writeTyped(object, of: level.view.document, to: &output)
        endLine(to: &output)
    }

    /// Writes the line of an opened container: the class of an object, or `{}`, `[]` or `{"$set": []}` for a container
    /// that is empty or could be rebuilt as another kind. Writes nothing for other containers.
    private mutating func writeStart(_ value: ViewValue, _ level: OutlineLevel, to output: inout ByteWriter) {
        switch value.variant {
        case .object:
            writePath("/$class", to: &output)
            output.write(" = ")
            output.write(classes.string(value.classPosition, in: level))
            endLine(to: &output)
        case .dictionary where hasNoLine(value, level), .array where value.contents.count > 0: break
        case .set where value.contents.count > 0 && level.view.archive != nil: break
        case .dictionary: writeLine("{}", to: &output)
        case .set: writeLine("{\"$set\": []}", to: &output)
        default: writeLine("[]", to: &output)
        }
    }

    /// Whether a dictionary needs no line, because a key that cannot be a position identifies it as a dictionary.
    private func hasNoLine(_ dictionary: ViewValue, _ level: OutlineLevel) -> Bool {
        let view = level.view
        guard view.archive == nil else { return dictionary.contents.count > 0 }
        return (0..<dictionary.contents.count).contains { position in
            guard let key = view.item(position, of: dictionary.contents).key.flatMap(view.text) else { return true }
            return !AddressToken(key.units).isIndex
        }
    }

    private func writeLine(_ value: StaticString, to output: inout ByteWriter) {
        writePath(to: &output)
        output.write(" = ")
        output.write(value)
        endLine(to: &output)
    }
}
