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
/// they are empty, not opened, or shown before: `/friends/0 = → /player`.
///
/// No two addresses have one text, and none can be taken for more than it is: one with ` = ` in it, or with what is shown
/// as a number, is a JSON string, `"/a = b" = 1`, which commands take for an address, too.
struct FlatRenderer {
    private let start: JSONPointer
    /// What each line begins with: the name of the file and a colon, or nothing.
    private let prefix: [UInt8]
    /// Tells what comes from registered defaults; nil if there are none.
    private let origins: OriginNote?
    /// Whether the row at hand does.
    private var isDefault = false
    /// The address of the innermost open container, as it is shown.
    private var path: [UInt8] = []
    /// What the address of the row at hand has beyond that.
    private var name: [UInt8] = []
    /// How much of the path belongs to what is around each open container.
    private var lengths: [Int] = []
    /// The length from which on the path has something that makes it a JSON string; nil if it has nothing.
    private var oddLength: Int?
    /// The last part of an address that ends with a key.
    private var keys = NestedViewCache<[UInt8]?>()
    private var classes = ClassStrings()

    /// Creates a renderer for an outline that starts at an address.
    ///
    /// - Parameters:
    ///   - file: the name of the file that each line begins with, safe to print; nil for none.
    ///   - origins: tells what comes from registered defaults; nil if there are none.
    init(from start: JSONPointer, of file: String? = nil, origins: OriginNote? = nil) {
        self.start = start
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
                name = name(of: row)
                noteOrigin(row)
                try bound.check(output, and: path.count + name.count)
                try writeLine(row, outline, within: bound, to: &output)
                if row.isOpened { enter() }
            case .more(let count):
                name = []
                noteOrigin(nil)
                writePath(to: &output)
                output.write(" … \(count) more")
                endLine(to: &output)
            case .end: leave()
            }
            try bound.check(output)
        }
    }

    private mutating func enter() {
        lengths.append(path.count)
        if oddLength == nil, Self.isOdd(name) { oddLength = path.count }
        path += name
    }

    private mutating func leave() {
        path.removeLast(path.count - lengths.removeLast())
        if let length = oddLength, path.count <= length { oddLength = nil }
    }

    // MARK: Addresses

    /// What the address of a row has beyond that of its container.
    private mutating func name(of row: Outline.Row) -> [UInt8] {
        switch row.label {
        case .start: start == .root ? [] : Array(start.description.utf8)
        case .element(let position): Self.name(position)
        case .entry(let position, let key): name(Outline.PathStep(key: key, position: position), in: row.layer)
        }
    }

    private mutating func name(_ step: Outline.PathStep, in layer: NestedView) -> [UInt8] {
        guard let key = step.key else { return Self.name(step.position) }
        if let word = layer.view.text(key)?.word { return [UInt8(ascii: "/")] + word }
        let name = keys.shown(key.index, of: layer) { view in
            view.text(key) == nil ? nil : Array(view.step(step).description.utf8)
        }
        return name ?? Array(layer.view.step(step).description.utf8)
    }

    /// The address at which a container was shown first, as long as there is room for it.
    private mutating func firstAddress(
        of row: Outline.Row, in outline: borrowing Outline, within bound: OutputBound, to output: borrowing ByteWriter
    ) throws(Problem) -> [UInt8] {
        let (start, steps) = outline.firstPath(of: row.id)
        // Each step takes two bytes or more.
        try bound.check(output, and: 2 * steps.count)
        var address = start == .root ? [] : Array(start.description.utf8)
        for step in steps {
            address += name(step, in: row.layer)
            try bound.check(output, and: address.count)
        }
        return address
    }

    /// Whether a part of an address could be taken for the end of it, or has what is shown as a number.
    private static func isOdd(_ name: [UInt8]) -> Bool {
        name.indices.contains { index in
            switch name[index] {
            case UInt8(ascii: "\\"): true
            // Behind the address stands a blank, too.
            case UInt8(ascii: "="):
                name[..<index].last == UInt8(ascii: " ")
                    && name[(index + 1)...].first.map { $0 == UInt8(ascii: " ") } ?? true
            default: false
            }
        }
    }

    /// A slash and a position, which `description` would take longer for than the rest of a line takes.
    private static func name(_ position: Int) -> [UInt8] {
        var name: [UInt8] = []
        var rest = position
        repeat {
            name.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        name.append(UInt8(ascii: "/"))
        return name.reversed()
    }

    /// Notes where a row comes from, or what is left out. Deeper rows come from where the one of the root does.
    private mutating func noteOrigin(_ row: Outline.Row?) {
        guard let origins, lengths.count < 2 else { return }
        isDefault = origins.isDefault(row, depth: lengths.count)
    }

    private func endLine(to output: inout ByteWriter) {
        output.write(isDefault ? "  # default\n" : "\n")
    }

    /// Writes the address of the row at hand, or of something in it.
    private func writePath(_ member: StaticString = "", to output: inout ByteWriter) {
        output.write(prefix)
        Self.write(path, name, member, isOdd: oddLength != nil || Self.isOdd(name), to: &output)
    }

    /// Writes an address that consists of some parts.
    private static func write(
        _ path: [UInt8], _ name: [UInt8], _ member: StaticString = "", isOdd: Bool, to output: inout ByteWriter
    ) {
        guard isOdd else {
            if path.isEmpty, name.isEmpty, member.utf8CodeUnitCount == 0 { return output.write(UInt8(ascii: "/")) }
            output.write(path)
            output.write(name)
            return output.write(member)
        }
        output.write(UInt8(ascii: "\""))
        writeQuoted(path, to: &output)
        writeQuoted(name, to: &output)
        output.write(member)
        output.write(UInt8(ascii: "\""))
    }

    /// Writes a part of an address, in which all but quotation marks is escaped as JSON has it.
    private static func writeQuoted(_ part: [UInt8], to output: inout ByteWriter) {
        for byte in part {
            if byte == UInt8(ascii: "\"") { output.write(UInt8(ascii: "\\")) }
            output.write(byte)
        }
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
            let first = try firstAddress(of: row, in: outline, within: bound, to: output)
            Self.write(first, [], isOdd: Self.isOdd(first), to: &output)
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
        case _ where value.contents.count > 0: break
        case .dictionary: writeLine("{}", to: &output)
        case .set: writeLine("{\"$set\": []}", to: &output)
        default: writeLine("[]", to: &output)
        }
    }

    private func writeLine(_ value: StaticString, to output: inout ByteWriter) {
        writePath(to: &output)
        output.write(" = ")
        output.write(value)
        endLine(to: &output)
    }
}
