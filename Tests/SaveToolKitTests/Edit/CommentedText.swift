import Foundation
import TestSupport

/// A random value that a text can hold.
indirect enum SampleValue {
    case string(String), integer(Int), real(Double), boolean(Bool)
    case array([SampleValue])
    case dictionary([(key: String, value: SampleValue)])

    init(_ value: Any) {
        switch value {
        case let text as String: self = .string(text)
        case let elements as [Any]: self = .array(elements.map(SampleValue.init))
        case let pairs as [String: Any]: self = .dictionary(pairs.map { ($0.key, SampleValue($0.value)) })
        case let number as NSNumber:
            let isBoolean = unsafe String(cString: number.objCType) == "c"
            self = isBoolean ? .boolean(number.boolValue) : .real(number.doubleValue)
        // The description of a UID contains a memory address.
        default: self = .string("\(value)".replacing(/0x[0-9a-f]+/, with: ""))
        }
    }

    var json: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .array(let elements): "[" + elements.map(\.json).joined(separator: ",") + "]"
        case .dictionary(let pairs):
            "{" + pairs.map { Self.quoted($0.key) + ":" + $0.value.json }.joined(separator: ",") + "}"
        }
    }

    /// A text that is the same for equal values, regardless of the order of their keys.
    var canonical: String {
        switch self {
        case .string(let text): Self.quoted(text)
        case .integer(let number): "\(Double(number))"
        case .real(let number): "\(number)"
        case .boolean(let value): "\(value)"
        case .array(let elements): "[" + elements.map(\.canonical).joined(separator: ",") + "]"
        case .dictionary(let pairs):
            "{" + pairs.map { Self.quoted($0.key) + ":" + $0.value.canonical }.sorted().joined(separator: ",") + "}"
        }
    }

    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\\(scalar)"
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Writes values in a random style, with comments `c1`, `c2` … if the format allows them.
struct CommentedText {
    private(set) var dice: SeededGenerator
    private let format: String
    private let lineBreak: String
    private let unit: String
    private let keyGap: String
    private let memberGap: String
    private let isOneLine: Bool
    private let hasTrailingCommas: Bool
    private let isSpaced: Bool
    private let hasComments: Bool
    private let isCommaFirst: Bool
    private var commentCount = 0

    init(_ format: String, _ dice: SeededGenerator) {
        var dice = dice
        self.format = format
        lineBreak = dice.pick(["\n", "\n", "\r\n"])
        unit = dice.pick(["\t", "  ", "    "])
        keyGap = dice.pick(
            ["xml": ["", "", " "], "json": [": ", ":", " : "], "openstep": [" = ", "="]][format] ?? [" = "])
        memberGap = format == "openstep" || format == "strings" ? " " : dice.pick(["", " "])
        isOneLine = dice.happens(15)
        hasTrailingCommas = dice.happens(50)
        isSpaced = dice.happens(15)
        hasComments = format != "json" && dice.happens(85)
        isCommaFirst = (format == "json" || format == "openstep") && dice.happens(15)
        self.dice = dice
    }

    mutating func text(of value: SampleValue) -> String {
        switch format {
        case "xml":
            "<?xml version=\"1.0\"?>\(lineBreak)<plist version=\"1.0\">\(lineBreak)"
                + write(value, indentation: "") + "\(lineBreak)</plist>\(lineBreak)"
        case "strings": container(value, indentation: "", isBare: true)
        default: write(value, indentation: "") + dice.pick(["", lineBreak])
        }
    }

    private mutating func comment() -> String {
        guard hasComments else { return "" }
        commentCount += 1
        return format == "xml" ? "<!-- c\(commentCount) -->" : "/* c\(commentCount) */"
    }

    /// Returns a comment, which in some formats may extend to the end of its line.
    private mutating func lineComment() -> String {
        guard hasComments, format != "xml", dice.happens(50) else { return comment() }
        commentCount += 1
        return "// c\(commentCount)"
    }

    private mutating func string(_ text: String) -> String {
        switch format {
        case "xml":
            return text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
        case "openstep":
            let isBare =
                !text.isEmpty && !text.contains("//")
                && text.utf8.allSatisfy {
                    ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39)
                }
            return isBare && dice.happens(80) ? text : SampleValue.quoted(text)
        default: return SampleValue.quoted(text)
        }
    }

    private mutating func write(_ value: SampleValue, indentation: String, onOneLine: Bool = false) -> String {
        let text: (name: String, text: String)
        switch value {
        case .array, .dictionary: return container(value, indentation: indentation, onOneLine: onOneLine)
        case .string(let string): text = ("string", self.string(string))
        case .integer(let number): text = ("integer", "\(number)")
        case .real(let number): text = ("real", "\(number)")
        case .boolean(let value): return format == "xml" ? "<\(value)/>" : "\(value)"
        }
        return format == "xml" ? "<\(text.name)>\(text.text)</\(text.name)>" : text.text
    }

    private mutating func container(
        _ value: SampleValue, indentation: String, onOneLine: Bool = false, isBare: Bool = false
    ) -> String {
        let pairs: [(key: String?, value: SampleValue)]
        let isKeyed: Bool
        switch value {
        case .dictionary(let members): (pairs, isKeyed) = (members.map { ($0.key, $0.value) }, true)
        case .array(let elements): (pairs, isKeyed) = (elements.map { (nil, $0) }, false)
        default: return ""
        }
        let brackets = isBare ? ("", "") : self.brackets(isKeyed: isKeyed)
        if pairs.isEmpty, !isBare {
            return format == "xml" ? (isKeyed ? "<dict/>" : "<array/>") : brackets.0 + brackets.1
        }
        let inLines = isBare || !(onOneLine || isOneLine || dice.happens(15))
        let inner = isBare ? "" : indentation + unit
        let leads = isCommaFirst && inLines && (format == "json" || !isKeyed)
        let separator = format == "xml" ? "" : format == "json" || !isKeyed ? "," : ";"
        var result = brackets.0
        if inLines, !isBare, dice.happens(20) { result += blank(comment()) }
        for (number, member) in pairs.enumerated() {
            if inLines {
                result += isBare && number == 0 ? "" : lineBreak
                result += gap(isFirst: number == 0, inner)
                result += inner + (leads ? (number == 0 ? "  " : "\(separator) ") : "")
            } else if number > 0 {
                result += memberGap
            }
            if let key = member.key { result += self.key(key, inLines ? inner : nil) }
            result += write(member.value, indentation: inner, onOneLine: !inLines)
            if dice.happens(10) { result += blank(comment()) }
            let ends = number == pairs.count - 1 && (format == "json" || !isKeyed && !hasTrailingCommas)
            if !leads, !ends {
                if inLines, format != "json", format != "xml", hasComments, dice.happens(5) {
                    commentCount += 1
                    result += " // c\(commentCount)" + lineBreak + inner
                }
                result += separator
            }
            if inLines, dice.happens(25) { result += blank(lineComment()) }
        }
        guard inLines else { return result + brackets.1 }
        result += lineBreak
        if dice.happens(15), case let comment = lineComment(), !comment.isEmpty {
            result += inner + comment + lineBreak
        }
        return result + indentation + brackets.1
    }

    private func blank(_ comment: String) -> String { comment.isEmpty ? "" : " " + comment }

    /// Returns blank lines, and comments on their own lines.
    private mutating func gap(isFirst: Bool, _ inner: String) -> String {
        var result = isSpaced && !isFirst || dice.happens(10) ? lineBreak : ""
        while dice.happens(25), case let comment = lineComment(), !comment.isEmpty {
            result += inner + comment + lineBreak + (dice.happens(25) ? lineBreak : "")
        }
        return result
    }

    private mutating func key(_ key: String, _ indentation: String?) -> String {
        guard format == "xml" else {
            let comment = dice.happens(5) ? self.comment() : ""
            return string(key) + keyGap + comment + (comment.isEmpty ? "" : " ")
        }
        let comment = dice.happens(5) ? self.comment() : ""
        return "<key>\(key)</key>" + comment + (keyGap.isEmpty ? indentation.map { lineBreak + $0 } ?? "" : keyGap)
    }

    private func brackets(isKeyed: Bool) -> (String, String) {
        switch format {
        case "xml": isKeyed ? ("<dict>", "</dict>") : ("<array>", "</array>")
        case "json": isKeyed ? ("{", "}") : ("[", "]")
        default: isKeyed ? ("{", "}") : ("(", ")")
        }
    }
}

extension SeededGenerator {
    /// Returns true with the given probability in percent.
    mutating func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &self)]
    }
}
