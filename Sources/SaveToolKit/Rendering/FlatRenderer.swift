import SaveCodec
import SaveOperations

/// Writes a document as lines that `grep` finds values and their addresses in:
///
///     /name = "Zoë"
///     /scores/0 = 1200
///     /friends = []
///
/// Values are typed JSON on one line; containers have a line only if they are empty, not opened, or shown before.
struct FlatRenderer {
    private let document: Document
    private let start: Address
    /// The address of the row at hand, as it is shown.
    private var path: [UInt8] = []
    /// How much of the path belongs to each open container.
    private var lengths: [Int] = []
    /// The last part of an address that ends with a key, by key.
    private var keys: [ObjectID: [UInt8]] = [:]

    /// Creates a renderer for an outline that starts at an address.
    init(_ document: Document, from start: Address) {
        self.document = document
        self.start = start
    }

    /// Writes the lines of an outline.
    mutating func render(_ outline: consuming Outline, to output: inout ByteWriter) throws(Problem) {
        var outline = outline
        let bound = OutputBound(document, output)
        while !output.hasFailed, let step = outline.next() {
            switch step {
            case .value(let row):
                extendPath(by: row.label)
                try bound.check(output, and: path.count)
                if row.showing == .opened { lengths.append(path.count) }
                if row.showing != .opened || row.node.contentCount == 0 { writeLine(row, outline, to: &output) }
            case .more(let count):
                path.removeLast(path.count - (lengths.last ?? path.count))
                writePath(to: &output)
                output.write(" … \(count) more\n")
            case .end: lengths.removeLast()
            }
            try bound.check(output)
        }
    }

    private mutating func extendPath(by label: Outline.Label) {
        if let length = lengths.last { path.removeLast(path.count - length) }
        switch label {
        case .start: path = start == .root ? [] : Array(start.description.utf8)
        case .element(let position): path += Array("/\(position)".utf8)
        case .entry(let position, let key):
            guard let text = document.text(key) else { return path += Array("/\(position)".utf8) }
            if keys[key] == nil { keys[key] = Array(Address(tokens: [Array(text)]).description.utf8) }
            path += keys[key] ?? []
        }
    }

    private func writePath(to output: inout ByteWriter) {
        if path.isEmpty { output.write(UInt8(ascii: "/")) } else { output.write(path) }
    }

    private func writeLine(_ row: Outline.Row, _ outline: borrowing Outline, to output: inout ByteWriter) {
        writePath(to: &output)
        output.write(" = ")
        switch (row.showing, row.node) {
        case (.scalar, _): ScalarText.writeTyped(row.id, of: document, to: &output)
        case (.repeated, _):
            output.write("{\"$ref\": ")
            ScalarText.writeString(outline.firstAddress(of: row.id).pointer, to: &output)
            output.write("}")
        case (.closed, .dictionary): output.write("{…}")
        case (.closed, _): output.write("[…]")
        case (.opened, .dictionary): output.write("{}")
        case (.opened, .set): output.write("{\"$set\": []}")
        case (.opened, _): output.write("[]")
        }
        output.write(UInt8(ascii: "\n"))
    }
}
