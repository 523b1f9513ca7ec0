import KeyedArchive
import SaveCodec

/// Pieces of sentences about values, safe to print and of bounded length.
enum SchemaText {
    /// How many code units of a text are shown.
    private static let limit = 40

    /// A text in quotation marks, cut where it is long.
    static func quoted(_ units: some Sequence<UInt16>) -> String {
        let beginning = Array(units.prefix(limit + 1))
        guard beginning.count > limit else { return "\"\(SafeText.escaping(beginning))\"" }
        return "\"\(SafeText.escaping(beginning.prefix(limit)))…\""
    }

    /// A text in quotation marks, cut where it is long.
    static func quoted(_ text: String) -> String { quoted(text.utf16) }

    /// A text without quotation marks; long ones are URIs, whose end tells as much as their beginning.
    static func escaped(_ text: String) -> String { SafeText.escaping(text.utf16.prefix(200)) }

    /// What a value is, with the value itself if it is short: `the string "abc"`, `an array of 3 elements`.
    static func phrase(_ value: InstanceValue, in instance: Instance) -> String {
        switch value {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): "the number \(number)"
        case .string(let text): "the string \(quoted(shown(text)))"
        case .array(let contents): "an array of \(count(contents.count, "element"))"
        case .object(let contents, let position):
            if let name = position.flatMap(instance.className) {
                "an object of class \(quoted(name))"
            } else {
                "an object of \(count(contents.count, "member"))"
            }
        }
    }

    /// As much of a text as is shown; data are not turned into text as a whole.
    private static func shown(_ text: InstanceText) -> [UInt16] {
        switch text {
        case .text(let text): Array(text.prefix(limit + 1))
        case .units(let units): units
        case .data(let bytes): InstanceText.data(bytes.prefix(limit)).units
        }
    }

    /// `1 element`, `2 elements`.
    static func count(_ count: Int, _ noun: String) -> String {
        switch noun {
        case _ where count == 1: "1 \(noun)"
        case _ where noun.hasSuffix("y"): "\(count) \(noun.dropLast())ies"
        default: "\(count) \(noun)s"
        }
    }

    /// `a, b or c`.
    static func alternatives(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
