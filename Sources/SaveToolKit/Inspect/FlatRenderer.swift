import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes a view as lines that `grep` finds values and their addresses in:
///
///     /name = "Zoë"
///     /scores/0 = 1200
///     /friends = []
///
/// With registered defaults under the preferences, the lines of what comes from them end in `  # default`, as no typed JSON
/// does.
///
/// Of several files each line begins with the name of its file, `a.plist:/name = "Zoë"`, as `grep` has it.
///
/// Values are typed JSON on one line. An object has a line for its class, at `$class`; other containers have one only if
/// they are empty, not opened, or shown before: `/friends/0 = → /player`. So that a plain document can be made of its lines
/// again, see ``FlatReader``, sets of it have a line, `{"$set": []}`, and dictionaries whose keys could be positions, `{}`.
///
/// No two addresses have one text, and none can be taken for more than it is: one with ` = ` in it, or with what is shown
/// as a number, is a JSON string, `"/a = b" = 1`, which commands take for an address, too; so is that of the empty key in
/// the root, as `/` is the root.
struct FlatRenderer {
    /// What each line begins with: the name of the file and a colon, or nothing.
    private let prefix: [UInt8]
    /// Tells what comes from registered defaults; nil if there are none.
    private let origins: OriginNote?
    /// Whether the row at hand does.
    private var isDefault = false
    private var path: FlatPath
    private var classes = ClassStrings()

    /// Creates a renderer for an outline that starts at an address.
    ///
    /// - Parameters:
    ///   - file: the name of the file that each line begins with, safe to print; nil for none.
    ///   - origins: tells what comes from registered defaults; nil if there are none.
    init(from start: JSONPointer, of file: String? = nil, origins: OriginNote? = nil) {
        path = FlatPath(from: start)
        prefix = file.map { Array(($0 + ":").utf8) } ?? []
        self.origins = origins
    }

    /// Writes the lines of an outline.
    mutating func render(
        _ outline: consuming Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        var outline = outline
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                path.come(to: row)
                noteOrigin(row)
                try bound.check(output, and: path.count)
                try writeLine(row, outline, within: bound, to: &output)
                if row.isOpened { path.enter() }
            case .more(let count):
                path.comeToContainer()
                noteOrigin(nil)
                writePath(to: &output)
                output.write(" … \(count) more")
                endLine(to: &output)
            case .end: path.leave()
            }
            try bound.check(output)
        }
    }

    /// Notes where a row comes from, or what is left out. Deeper rows come from where the one of the root does.
    private mutating func noteOrigin(_ row: Outline.Row?) {
        guard let origins, path.depth < 2 else { return }
        isDefault = origins.isDefault(row, depth: path.depth)
    }

    private func endLine(to output: inout ByteWriter) {
        output.write(isDefault ? "  # default\n" : "\n")
    }

    /// Writes the address of the row at hand, or of something in it.
    private func writePath(_ member: StaticString = "", to output: inout ByteWriter) {
        output.write(prefix)
        path.write(member, to: &output)
    }

    /// Writes the line of a row, if it has one.
    private mutating func writeLine(
        _ row: Outline.Row, _ outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        switch row.showing {
        case .scalar, .unreadable: writeScalar(row.id, in: row.layer, to: &output)
        case .opened: writeStart(row.value, row.layer, to: &output)
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

    private func writeScalar(_ id: ViewID, in layer: NestedView, to output: inout ByteWriter) {
        guard let object = layer.view.scalarObject(id) else { return }
        writePath(to: &output)
        output.write(" = ")
        ScalarText.writeTyped(object, of: layer.view.document, to: &output)
        endLine(to: &output)
    }

    /// Writes what a container has a line for: the class of an object, or that there is nothing in it.
    private mutating func writeStart(_ value: ViewValue, _ layer: NestedView, to output: inout ByteWriter) {
        switch value.form {
        case .object:
            writePath("/$class", to: &output)
            output.write(" = ")
            output.write(classes.string(value.classPosition, in: layer))
            endLine(to: &output)
        case .dictionary where hasNoLine(value, layer), .array where value.contents.count > 0: break
        case .set where value.contents.count > 0 && layer.view.archive != nil: break
        case .dictionary: writeLine("{}", to: &output)
        case .set: writeLine("{\"$set\": []}", to: &output)
        default: writeLine("[]", to: &output)
        }
    }

    /// Whether the keys of a dictionary tell that it is one: not all of them could be positions.
    private func hasNoLine(_ dictionary: ViewValue, _ layer: NestedView) -> Bool {
        let view = layer.view
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
