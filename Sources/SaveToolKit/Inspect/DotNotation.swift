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
