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
