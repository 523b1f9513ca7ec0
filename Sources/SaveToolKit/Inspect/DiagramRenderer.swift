import KeyedArchives
import SaveCodec
import SaveOperations

/// Writes the objects of a view and their references as a picture, in a language for diagrams.
///
/// An object of an archive is named by its UID, a container that stands in place by its number in the property list. What
/// is referred to more than once says how often.
final class DiagramRenderer {
    private let diagram: ObjectDiagram
    private let address: JSONPointer
    private let notation: any DiagramNotation
    /// Keys as they are shown.
    private var labels: [ViewID: String] = [:]

    /// Creates a renderer for a picture that starts at an address.
    init(_ diagram: ObjectDiagram, from address: JSONPointer, as notation: any DiagramNotation) {
        self.diagram = diagram
        self.address = address
        self.notation = notation
    }

    private var view: ObjectView { diagram.view }

    /// Writes the picture.
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
        if diagram.hiddenStarts > 0 { output.write(notation.rest("… \(diagram.hiddenStarts) more")) }
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
            let rest = "… \(Grouped.of(value.contents.count - shown)) more"
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
        let isObject = if case .object = value.form { true } else { false }
        // The fields of an object are all to be seen.
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
        guard case .scalar(let node) = view[id].form else { return "" }
        return escaping(ValueText.line(node).text)
    }

    private func label(_ item: ViewItem, _ position: Int) -> String {
        item.key.map { self.label($0) } ?? "\(position)"
    }

    private func label(_ key: ViewID) -> String {
        if let label = labels[key] { return label }
        let value = view[key]
        let text =
            switch value.form {
            case .scalar(.string(let string)): Shortened.key(string)
            case .scalar(let node): "(\(ValueText.line(node).text))"
            default: "(\(view.caption(value)))"
            }
        let label = escaping(text)
        labels[key] = label
        return label
    }

    /// How many characters of a text a picture shows.
    private static let longest = 60

    /// The text in the language of the picture, cut where it is too long for one.
    private func escaping(_ text: String) -> String { notation.escaping(Self.cut(text)) }

    /// The beginning of a text that is too long for a picture.
    static func cut(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: longest, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

/// An object or a collection of a picture. Its texts are escaped.
struct DiagramBox {
    let name: String
    let title: String
    let isCollection: Bool
    /// How often it is referred to.
    let references: Int

    /// What the title says of that, if it is more than once.
    var note: String? { references > 1 ? Grouped.of(references, "reference") : nil }
}

/// A language for diagrams. All labels that it is given are escaped.
protocol DiagramNotation {
    /// What stands before and behind everything.
    var opening: String { get }
    var closing: String { get }

    /// Text to stand in a label.
    func escaping(_ text: String) -> String
    /// Where the picture starts, and an arrow to the box that stands there; nil for a scalar.
    func start(_ name: String, label: String, leadingTo box: String?) -> String
    /// What is said of starts that are left out.
    func rest(_ label: String) -> String
    func beginning(of box: DiagramBox) -> String
    /// A line in a box.
    func line(_ label: String, isFirst: Bool) -> String
    func end(of box: DiagramBox) -> String
    /// An arrow from one box to another.
    func edge(from box: String, to other: String, label: String, isToKey: Bool) -> String
}

// MARK: DOT

/// The language of Graphviz:
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
/// Collections have round corners; what is referred to more than once is filled.
struct DotNotation: DiagramNotation {
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

    /// The text with everything that means something in a label or in a record set apart: quotation marks, backslashes,
    /// braces, bars, angle brackets, the second of two blanks, and ampersands, which begin an entity of HTML.
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

/// The language of Mermaid, which GitHub and GitLab draw in Markdown:
///
///     flowchart LR
///       root0(["root"]) --> object1
///       object1["Map<br>currentLevelName: #34;Swamp#34;"]
///       object1 -->|"charList"| object4
///       object4("NSArray, 3 elements")
///       classDef shared stroke-width:3px
///
/// Collections have round corners; what is referred to more than once has a thick border.
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

    /// The text with every character of ASCII that could mean something, to Mermaid, Markdown or HTML, as its number; so is
    /// the blank behind what could begin an item of a list.
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
