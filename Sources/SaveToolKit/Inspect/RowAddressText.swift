import KeyedArchives
import SaveCodec
import SaveInspection
import SaveOperations

/// The address of the outline's current row, as text. The text for a container is computed once for all of its
/// contents.
///
///     {"a": {"b": 1}}     come to a    path           name  /a
///                         enter        path  /a
///                         come to b    path  /a       name  /b     written  /a/b
///
/// Each address has a different text, and no text can be misread as a longer or shorter address. A text that contains
/// ` = ` or an escape is written as a JSON string, which commands accept as an address. The empty key in the root is
/// also written as a JSON string, because `/` is the root.
struct RowAddressText {
    private let start: JSONPointer
    private let root: StaticString
    /// The text of the innermost open container's address.
    private var path: [UInt8] = []
    /// The rest of the current row's address, after `path`.
    private var name: [UInt8] = []
    /// For each open container, the length of `path` before the container was opened.
    private var lengths: [Int] = []
    /// The length of `path` before the first part that requires a JSON string; nil if no part does.
    private var quotedFrom: Int?
    /// The last part of an address, for each key.
    private var keys = NestedViewCache<[UInt8]?>()
    /// The current row, or the root of its nested save.
    private var row: (view: ObjectView, id: ViewID)?
    /// The open containers, and whether each may have duplicate keys.
    private var containers: [(view: ObjectView, id: ViewID, mayHaveDuplicateKeys: Bool)] = []

    /// Creates the path of an outline that starts at an address.
    ///
    /// - Parameter root: The text of the root's address. Flat lines use `/`, because they are read back.
    init(from start: JSONPointer = .root, root: StaticString = "/") {
        self.start = start
        self.root = root
    }

    /// The number of open containers.
    var depth: Int { lengths.count }

    /// The length of the current row's address.
    var count: Int { path.count + name.count }

    /// Makes a row the current row.
    mutating func move(to row: Outline.Row) {
        self.row =
            if case .nested(let nested) = row.presentation {
                (nested.view, nested.view.root)
            } else {
                (row.level.view, row.id)
            }
        name =
            switch row.slot {
            case .start: start == .root ? [] : Array(start.description.utf8)
            case .element(let position): Self.name(position)
            case .entry(let position, let key):
                if isShadowed(key, at: position) {
                    Array("/~#\(position)".utf8)
                } else {
                    name(PathStep(key: key, position: position), in: row.level)
                }
            }
    }

    /// Whether looking up a key in the innermost open container finds a pair other than the one at `position`.
    private func isShadowed(_ key: ViewID, at position: Int) -> Bool {
        guard let (view, container, mayHaveDuplicateKeys) = containers.last, mayHaveDuplicateKeys else { return false }
        return view.leadsElsewhere(key, at: position, of: container)
    }

    /// Makes the innermost open container the current row.
    mutating func moveToContainer() { name = [] }

    mutating func enter() {
        lengths.append(path.count)
        if let (view, id) = row {
            containers.append((view, id, view.mayHaveDuplicateKeys(in: view[id])))
        }
        if quotedFrom == nil, Self.needsQuotes(name) { quotedFrom = path.count }
        path += name
    }

    mutating func leave() {
        path.removeLast(path.count - lengths.removeLast())
        _ = containers.popLast()
        if let length = quotedFrom, path.count <= length { quotedFrom = nil }
    }

    // MARK: Writing

    /// Writes the address of the current row, or of a member of it.
    func write(_ member: StaticString = "", to output: inout ByteWriter) {
        write(path, name, member: member, needsQuotes: quotedFrom != nil || Self.needsQuotes(name), to: &output)
    }

    /// Writes the address at which a container was first shown.
    ///
    /// - Throws: A problem if the address exceeds the bound.
    mutating func writeFirst(
        of row: Outline.Row, in outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        let (start, steps) = outline.firstPath(of: row.id)
        // Each step takes at least two bytes.
        try bound.check(output, and: 2 * steps.count)
        var address = start == .root ? [] : Array(start.description.utf8)
        for step in steps {
            address += name(step, in: row.level)
            try bound.check(output, and: address.count)
        }
        write(address, [], needsQuotes: Self.needsQuotes(address), to: &output)
    }

    private func write(
        _ path: [UInt8], _ name: [UInt8], member: StaticString = "", needsQuotes: Bool, to output: inout ByteWriter
    ) {
        let isEmptyKey = path.count + name.count == 1 && member.utf8CodeUnitCount == 0
        guard needsQuotes || isEmptyKey else {
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

    /// Writes a part of an address in a JSON string. Only quotation marks remain to be escaped.
    private static func writeQuoted(_ part: [UInt8], to output: inout ByteWriter) {
        for byte in part {
            if byte == UInt8(ascii: "\"") { output.write(UInt8(ascii: "\\")) }
            output.write(byte)
        }
    }

    // MARK: Parts

    private mutating func name(_ step: PathStep, in level: OutlineLevel) -> [UInt8] {
        guard let key = step.key else { return Self.name(step.position) }
        if let word = level.view.text(key)?.unescapedBytes { return [UInt8(ascii: "/")] + word }
        let name = keys.shown(key.index, of: level) { view in
            view.text(key) == nil ? nil : Array(view.step(step).description.utf8)
        }
        return name ?? Array(level.view.step(step).description.utf8)
    }

    /// Returns a slash and a position. This is much faster than `description`.
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

    /// Whether a part of an address could be read as the end of the address, or contains an escape.
    private static func needsQuotes(_ name: [UInt8]) -> Bool {
        name.indices.contains { index in
            switch name[index] {
            case UInt8(ascii: "\\"): true
            // A `=` at the end counts, because a space follows the address.
            case UInt8(ascii: "="):
                name[..<index].last == UInt8(ascii: " ")
                    && name[(index + 1)...].first.map { $0 == UInt8(ascii: " ") } ?? true
            default: false
            }
        }
    }
}
