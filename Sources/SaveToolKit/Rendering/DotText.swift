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
