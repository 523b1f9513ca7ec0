import KeyedArchives
import SaveCodec
import SaveOperations

/// The address of the row at hand of an outline, as lines have it: what a container's contents have in common is made
/// once.
///
///     {"a": {"b": 1}}     come to a    path           name  /a
///                         enter        path  /a
///                         come to b    path  /a       name  /b     written  /a/b
///
/// No two addresses have one text, and none can be taken for more than it is: one with ` = ` in it, or with what is shown
/// as a number, is a JSON string, which commands take for an address, too; so is that of the empty key in the root, as `/`
/// is the root.
struct FlatPath {
    private let start: JSONPointer
    /// The text for the root.
    private let root: StaticString
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
    /// The row at hand, or the save that it holds, as a container.
    private var row: (view: ObjectView, id: ViewID)?
    /// The open containers, and whether keys may repeat in them.
    private var containers: [(view: ObjectView, id: ViewID, mayRepeatKeys: Bool)] = []
    private var repeatedKeys = RepeatedKeys()

    /// The path of an outline that starts at an address.
    ///
    /// - Parameter root: the text for the root; `/` in flat lines, which are read back.
    init(from start: JSONPointer = .root, root: StaticString = "/") {
        self.start = start
        self.root = root
    }

    /// How many containers are open.
    var depth: Int { lengths.count }

    /// How long the address of the row at hand is.
    var count: Int { path.count + name.count }

    /// Goes on to a row.
    mutating func come(to row: Outline.Row) {
        self.row =
            if case .nested(let nested) = row.showing {
                (nested.view, nested.view.root)
            } else {
                (row.layer.view, row.id)
            }
        name =
            switch row.label {
            case .start: start == .root ? [] : Array(start.description.utf8)
            case .element(let position): Self.name(position)
            case .entry(let position, let key):
                if repeats(key, at: position) {
                    Array("/~#\(position)".utf8)
                } else {
                    name(Outline.PathStep(key: key, position: position), in: row.layer)
                }
            }
    }

    /// Whether a key of the innermost open container leads to another pair.
    private func repeats(_ key: ViewID, at position: Int) -> Bool {
        guard let (view, container, mayRepeatKeys) = containers.last, mayRepeatKeys else { return false }
        return view.leadsElsewhere(key, at: position, of: container)
    }

    /// Goes back to the innermost open container.
    mutating func comeToContainer() { name = [] }

    /// Opens the row at hand.
    mutating func enter() {
        lengths.append(path.count)
        if let (view, id) = row {
            containers.append((view, id, repeatedKeys.mayOccur(in: view[id], of: view)))
        }
        if oddLength == nil, Self.isOdd(name) { oddLength = path.count }
        path += name
    }

    /// Closes the innermost open container.
    mutating func leave() {
        path.removeLast(path.count - lengths.removeLast())
        _ = containers.popLast()
        if let length = oddLength, path.count <= length { oddLength = nil }
    }

    // MARK: Writing

    /// Writes the address of the row at hand, or of something in it.
    func write(_ member: StaticString = "", to output: inout ByteWriter) {
        write(path, name, member: member, isOdd: oddLength != nil || Self.isOdd(name), to: &output)
    }

    /// Writes the address at which a container was shown first, as long as there is room for it.
    mutating func writeFirst(
        of row: Outline.Row, in outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        let (start, steps) = outline.firstPath(of: row.id)
        // Each step takes two bytes or more.
        try bound.check(output, and: 2 * steps.count)
        var address = start == .root ? [] : Array(start.description.utf8)
        for step in steps {
            address += name(step, in: row.layer)
            try bound.check(output, and: address.count)
        }
        write(address, [], isOdd: Self.isOdd(address), to: &output)
    }

    /// Writes an address that consists of some parts.
    private func write(
        _ path: [UInt8], _ name: [UInt8], member: StaticString = "", isOdd: Bool, to output: inout ByteWriter
    ) {
        let isEmptyKey = path.count + name.count == 1 && member.utf8CodeUnitCount == 0
        guard isOdd || isEmptyKey else {
            if path.isEmpty, name.isEmpty, member.utf8CodeUnitCount == 0 { return output.write(root) }
            output.write(path)
            output.write(name)
            return output.write(member)
        }
        output.write(UInt8(ascii: "\""))
        Self.writeQuoted(path, to: &output)
        Self.writeQuoted(name, to: &output)
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

    // MARK: Parts

    private mutating func name(_ step: Outline.PathStep, in layer: NestedView) -> [UInt8] {
        guard let key = step.key else { return Self.name(step.position) }
        if let word = layer.view.text(key)?.word { return [UInt8(ascii: "/")] + word }
        let name = keys.shown(key.index, of: layer) { view in
            view.text(key) == nil ? nil : Array(view.step(step).description.utf8)
        }
        return name ?? Array(layer.view.step(step).description.utf8)
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
}
