import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes the objects of a view and their references as a graph for Graphviz:
///
///     digraph objects {
///       rankdir=LR
///       node [shape=record]
///       root0 [shape=box, style=bold, label="root"]
///       root0 -> object1
///       object1 [label="Map|currentLevelName: \"Swamp\"\l"]
///       object1 -> object4 [label="charList"]
///       object4 [shape=Mrecord, label="NSArray, 3 elements"]
///     }
///
/// An object of an archive is named by its UID, a container that stands in place by its number in the property list.
/// Collections have round corners; what is referred to more than once is filled, and says how often.
final class DotRenderer {
    private let diagram: ObjectDiagram
    private let address: JSONPointer
    /// Keys as they are shown.
    private var labels: [ViewID: String] = [:]

    /// Creates a renderer for a picture that starts at an address.
    init(_ diagram: ObjectDiagram, from address: JSONPointer) {
        self.diagram = diagram
        self.address = address
    }

    private var view: ObjectView { diagram.view }

    /// Writes the graph.
    func render(to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound([view.document], output)
        output.write("digraph objects {\n  rankdir=LR\n  node [shape=record]\n")
        for (number, start) in diagram.starts.enumerated() {
            write(start, number, to: &output)
            try bound.check(output)
        }
        if diagram.hiddenStarts > 0 {
            output.write("  roots [shape=box, style=dashed, label=\"… \(diagram.hiddenStarts) more\"]\n")
        }
        for node in diagram.nodes where !output.hasFailed {
            try write(node, bound, to: &output)
        }
        output.write("}\n")
    }

    // MARK: Starts

    private func write(_ start: ObjectDiagram.Start, _ number: Int, to output: inout ByteWriter) {
        let label = start.key.map { self.label($0) } ?? DotText.escaping(DotText.cut(address.description))
        let value = diagram.isNode(start.id) ? "" : ": " + scalar(start.id)
        output.write("  root\(number) [shape=box, style=bold, label=\"\(label)\(value)\"]\n")
        guard diagram.isNode(start.id) else { return }
        output.write("  root\(number) -> \(name(start.id))\n")
    }

    // MARK: Objects

    private func write(_ id: ViewID, _ bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        let value = view[id]
        let shown = diagram.shownCount(of: value)
        output.write(
            "  \(name(id)) [\(style(value, references: diagram.references(to: id)))label=\"\(title(id, value))")
        var hasLines = false
        for position in 0..<shown {
            let item = view.item(position, of: value.contents)
            guard !diagram.isNode(item.id) else { continue }
            output.write((hasLines ? "" : "|") + label(item, position) + ": " + scalar(item.id) + "\\l")
            hasLines = true
            try bound.check(output)
        }
        if shown < value.contents.count {
            output.write((hasLines ? "" : "|") + "… \(Grouped.of(value.contents.count - shown)) more\\l")
        }
        output.write("\"]\n")
        for position in 0..<shown {
            writeEdges(from: id, to: view.item(position, of: value.contents), position, to: &output)
            try bound.check(output)
        }
    }

    private func writeEdges(
        from id: ViewID, to item: ViewItem, _ position: Int, to output: inout ByteWriter
    ) {
        if let key = item.key, diagram.isNode(key) {
            output.write("  \(name(id)) -> \(name(key)) [style=dashed, label=\"key \(position)\"]\n")
        }
        guard diagram.isNode(item.id) else { return }
        output.write("  \(name(id)) -> \(name(item.id)) [label=\"\(label(item, position))\"]\n")
    }

    private func style(_ value: ViewValue, references: Int) -> String {
        var style = ""
        if case .object = value.form {} else { style += "shape=Mrecord, " }
        if references > 1 { style += "style=filled, fillcolor=lightyellow, " }
        return style
    }

    private func title(_ id: ViewID, _ value: ViewValue) -> String {
        let references = diagram.references(to: id)
        let title = DotText.escaping(DotText.cut(text(value)))
        return references > 1 ? title + "\\n\(Grouped.of(references, "reference"))" : title
    }

    /// The fields of an object are all to be seen.
    private func text(_ value: ViewValue) -> String {
        if case .object = value.form { return view.classOrKind(of: value) }
        return view.caption(value)
    }

    private func name(_ id: ViewID) -> String {
        if let uid = view.uid(id) { return "object\(uid.index)" }
        return "stored\(id.index)"
    }

    // MARK: Labels

    private func scalar(_ id: ViewID) -> String {
        guard case .scalar(let node) = view[id].form else { return "" }
        return DotText.escaping(DotText.cut(ValueText.line(node).text))
    }

    private func label(_ item: ViewItem, _ position: Int) -> String {
        item.key.map { self.label($0) } ?? "\(position)"
    }

    private func label(_ key: ViewID) -> String {
        if let label = labels[key] { return label }
        let value = view[key]
        let text: String
        switch value.form {
        case .scalar(.string(let string)): text = Shortened.key(string)
        case .scalar(let node): text = "(\(ValueText.line(node).text))"
        default: text = "(\(view.caption(value)))"
        }
        labels[key] = DotText.escaping(DotText.cut(text))
        return labels[key] ?? ""
    }
}

/// Text in the language of Graphviz, to stand between quotation marks.
enum DotText {
    /// How many characters of a text a picture shows.
    private static let longest = 60

    /// The text with everything that means something in a label or in a record set apart: quotation marks, backslashes,
    /// braces, bars, angle brackets, the second of two blanks, and ampersands, which begin an entity of HTML.
    static func escaping(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\", "{", "}", "|", "<", ">": result += "\\"
            case " " where previous == nil || previous == " ": result += "\\"
            default: break
            }
            if scalar == "&" { result += "&amp;" } else { result.unicodeScalars.append(scalar) }
            previous = scalar
        }
        return result
    }

    /// The beginning of a text that is too long for a picture.
    static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}
