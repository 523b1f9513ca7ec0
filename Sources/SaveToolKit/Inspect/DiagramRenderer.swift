import KeyedArchives
import SaveCodec
import SaveInspection

/// Writes the objects of a view and their references as a diagram, in Graphviz DOT or Mermaid.
///
/// An object of an archive is named by its UID. A container that is stored in place is named by its object number in
/// the property list. A box with several references shows their count.
final class DiagramRenderer {
    private let diagram: ObjectDiagram
    private let address: JSONPointer
    private let notation: any DiagramNotation
    private var labels: [ViewID: String] = [:]

    /// - Parameter address: The address of the value at which the diagram starts.
    init(_ diagram: ObjectDiagram, from address: JSONPointer, as notation: any DiagramNotation) {
        self.diagram = diagram
        self.address = address
        self.notation = notation
    }

    private var view: ObjectView { diagram.view }

    func render(to output: inout ByteWriter) throws(Problem) {
        let bound = OutputBound([view.document], output)
        output.write(notation.opening)
        for (number, start) in diagram.starts.enumerated() {
            let label = start.key.map { self.label($0) } ?? escaping(address.description)
            let value = diagram.isNode(start.id) ? "" : ": " + scalar(start.id)
            let target = diagram.isNode(start.id) ? name(start.id) : nil
            output.write(notation.start("root\(number)", label: label + value, leadingTo: target))
            try bound.check(output)
        }
        if diagram.hiddenRootCount > 0 { output.write(notation.rest("… \(diagram.hiddenRootCount) more")) }
        for node in diagram.nodes where !output.hasFailed { try write(node, bound, to: &output) }
        output.write(notation.closing)
    }

    // MARK: Objects

    private func write(_ id: ViewID, _ bound: OutputBound, to output: inout ByteWriter) throws(Problem) {
        let value = view[id]
        let shown = diagram.shownCount(of: value)
        let box = box(id, value)
        output.write(notation.beginning(of: box))
        var hasLines = false
        for position in 0..<shown {
            let item = view.item(position, of: value.contents)
            guard !diagram.isNode(item.id) else { continue }
            output.write(notation.line(label(item, position) + ": " + scalar(item.id), isFirst: !hasLines))
            hasLines = true
            try bound.check(output)
        }
        if shown < value.contents.count {
            let rest = "… \(CountText.of(value.contents.count - shown)) more"
            output.write(notation.line(rest, isFirst: !hasLines))
        }
        output.write(notation.end(of: box))
        for position in 0..<shown {
            writeEdges(from: box.name, to: view.item(position, of: value.contents), position, to: &output)
            try bound.check(output)
        }
    }

    private func writeEdges(from box: String, to item: ViewItem, _ position: Int, to output: inout ByteWriter) {
        if let key = item.key, diagram.isNode(key) {
            output.write(notation.edge(from: box, to: name(key), label: "key \(position)", isToKey: true))
        }
        guard diagram.isNode(item.id) else { return }
        output.write(notation.edge(from: box, to: name(item.id), label: label(item, position), isToKey: false))
    }

    private func box(_ id: ViewID, _ value: ViewValue) -> DiagramBox {
        let isObject = if case .object = value.variant { true } else { false }
        // All fields of an object are shown, so its title has no count.
        let title = isObject ? view.classOrKind(of: value) : view.caption(value)
        return DiagramBox(
            name: name(id), title: escaping(title), isCollection: !isObject, references: diagram.references(to: id))
    }

    private func name(_ id: ViewID) -> String {
        if let uid = view.uid(id) { return "object\(uid.index)" }
        return "stored\(id.index)"
    }

    // MARK: Labels

    private func scalar(_ id: ViewID) -> String {
        guard case .scalar(let node) = view[id].variant else { return "" }
        return escaping(ValueText.line(node).text)
    }

    private func label(_ item: ViewItem, _ position: Int) -> String {
        item.key.map { self.label($0) } ?? "\(position)"
    }

    private func label(_ key: ViewID) -> String {
        if let label = labels[key] { return label }
        let value = view[key]
        let text =
            switch value.variant {
            case .scalar(.string(let string)): TruncatedText.key(string)
            case .scalar(let node): "(\(ValueText.line(node).text))"
            default: "(\(view.caption(value)))"
            }
        let label = escaping(text)
        labels[key] = label
        return label
    }

    /// The maximum number of Unicode scalars of a text in a diagram.
    private static let longest = 60

    private func escaping(_ text: String) -> String { notation.escaping(Self.cut(text)) }

    /// Returns the text, or its beginning and an ellipsis if it is too long for a diagram.
    static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

/// A box of a diagram: an object or a collection. Its texts are escaped.
struct DiagramBox {
    let name: String
    let title: String
    let isCollection: Bool
    let references: Int

    /// The reference count as shown in the title; nil for at most one reference.
    var note: String? { references > 1 ? Phrase.count(references, "reference") : nil }
}

/// A language for diagrams. All labels that it receives are escaped.
protocol DiagramNotation {
    /// The text before the diagram.
    var opening: String { get }
    var closing: String { get }

    /// Returns the text with special characters escaped.
    func escaping(_ text: String) -> String
    /// Returns a starting point of the diagram, with an arrow to a box.
    ///
    /// - Parameter box: The name of the box; nil for a scalar, which has none.
    func start(_ name: String, label: String, leadingTo box: String?) -> String
    /// Returns a node that says how many starting points are left out.
    func rest(_ label: String) -> String
    func beginning(of box: DiagramBox) -> String
    func line(_ label: String, isFirst: Bool) -> String
    func end(of box: DiagramBox) -> String
    func edge(from box: String, to other: String, label: String, isToKey: Bool) -> String
}

// MARK: DOT

/// The Graphviz DOT language:
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
/// Collections have round corners; boxes with several references are filled.
struct GraphvizNotation: DiagramNotation {
    let opening = "digraph objects {\n  rankdir=LR\n  node [shape=record]\n"
    let closing = "}\n"

    func start(_ name: String, label: String, leadingTo box: String?) -> String {
        "  \(name) [shape=box, style=bold, label=\"\(label)\"]\n" + (box.map { "  \(name) -> \($0)\n" } ?? "")
    }

    func rest(_ label: String) -> String {
        "  roots [shape=box, style=dashed, label=\"\(label)\"]\n"
    }

    func beginning(of box: DiagramBox) -> String {
        "  \(box.name) [" + (box.isCollection ? "shape=Mrecord, " : "")
            + (box.note == nil ? "" : "style=filled, fillcolor=lightyellow, ")
            + "label=\"\(box.title)" + (box.note.map { "\\n" + $0 } ?? "")
    }

    func line(_ label: String, isFirst: Bool) -> String { (isFirst ? "|" : "") + label + "\\l" }

    func end(of box: DiagramBox) -> String { "\"]\n" }

    func edge(from box: String, to other: String, label: String, isToKey: Bool) -> String {
        "  \(box) -> \(other) [\(isToKey ? "style=dashed, " : "")label=\"\(label)\"]\n"
    }

    /// Returns the text with all special characters of labels and records escaped: quotation marks, backslashes,
    /// braces, bars, angle brackets, spaces at the beginning or after a space, and ampersands, which begin an HTML
    /// entity.
    func escaping(_ text: String) -> String {
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
}

// MARK: Mermaid

/// The Mermaid language, which GitHub and GitLab render in Markdown:
///
///     flowchart LR
///       root0(["root"]) --> object1
///       object1["Map<br>currentLevelName: #34;Swamp#34;"]
///       object1 -->|"charList"| object4
///       object4("NSArray, 3 elements")
///       classDef shared stroke-width:3px
///
/// Collections have round corners; boxes with several references have a thick border.
struct MermaidNotation: DiagramNotation {
    let opening = "flowchart LR\n"
    let closing = "  classDef shared stroke-width:3px\n"

    func start(_ name: String, label: String, leadingTo box: String?) -> String {
        "  \(name)([\"\(label)\"])" + (box.map { " --> \($0)" } ?? "") + "\n"
    }

    func rest(_ label: String) -> String { "  roots([\"\(label)\"])\n" }

    func beginning(of box: DiagramBox) -> String {
        "  \(box.name)\(box.isCollection ? "(" : "[")\"\(box.title)" + (box.note.map { "<br>" + $0 } ?? "")
    }

    func line(_ label: String, isFirst: Bool) -> String { "<br>" + label }

    func end(of box: DiagramBox) -> String {
        "\"" + (box.isCollection ? ")" : "]") + (box.note == nil ? "" : ":::shared") + "\n"
    }

    func edge(from box: String, to other: String, label: String, isToKey: Bool) -> String {
        "  \(box) \(isToKey ? "-.->" : "-->")|\"\(label)\"| \(other)\n"
    }

    /// Returns the text with every ASCII character that could be special in Mermaid, Markdown or HTML written as its
    /// number. This includes a space after a character that could begin a list item.
    func escaping(_ text: String) -> String {
        var result = ""
        var previous: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            let isPlain =
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", ",", ":", "/", "(", ")", "'", ".", "-", "+": true
                case " ": previous != "." && previous != "-" && previous != "+"
                default: !scalar.isASCII
                }
            if isPlain { result.unicodeScalars.append(scalar) } else { result += "#\(scalar.value);" }
            previous = scalar
        }
        return result
    }
}
