import SaveCodec
import SaveOperations

/// Two conditions in the value of one `--where`, joined as in other languages:
///
///     health<10 and type==3      a condition follows the word
///     health<10 or 20            a number precedes the word, so it cannot be part of a string
///     name == Salt and Pepper    one condition, whose value is a string
struct JoinedConditions {
    fileprivate enum Joint: String, CaseIterable {
        case and, or
        case twoAmpersands = "&&"
        case twoBars = "||"

        /// Whether it can be part of an unquoted string.
        var isWord: Bool { self == .and || self == .or }
        var meansAll: Bool { self == .and || self == .twoAmpersands }
    }

    private let text: String
    private let joint: Joint
    private let first: Half
    private let second: String
    /// Whether the joint may be meant as part of a name or a string.
    private let isAmbiguous: Bool

    /// The part before a joint: a field and an operator, and the value after them.
    private struct Half {
        let text: String
        private let valueStart: String.Index
        let isRegex: Bool

        /// Nil for a text without an operator.
        init?(_ text: String) {
            let text = FieldCondition.withDoubleEquals(text)
            guard let start = FieldCondition.signs(in: text.unicodeScalars) else { return nil }
            let signs = text.unicodeScalars[start...].prefix { "=!<>~".unicodeScalars.contains($0) }
            self.text = text
            isRegex = signs.elementsEqual("=~".unicodeScalars)
            valueStart = text.unicodeScalars[signs.endIndex...].firstIndex { $0 != " " } ?? text.endIndex
        }

        /// Whether the value is an unquoted string, to which the word may belong.
        var hasPlainString: Bool {
            let value = String(text[valueStart...])
            guard FieldCondition.string(value) == nil else { return false }
            return (try? ComparedValue(value))?.isString ?? false
        }

        /// The same with another value.
        func with(value: String) -> String { text[..<valueStart] + value }
    }

    /// Fails for a text that is a single condition.
    init?(_ text: String) {
        for (joint, before, after) in Self.joints(in: text) {
            guard !before.isEmpty, !after.isEmpty else { continue }
            let isSecond = Self.isCondition(after)
            // Without an operator before it, the joint is part of a field's name.
            guard let first = Half(before) ?? (isSecond ? Half(before + "==true") : nil) else { continue }
            let isMeantAsOne = first.isRegex || joint.isWord && first.hasPlainString
            guard isSecond || !isMeantAsOne else { continue }
            (self.text, self.joint, self.first) = (text, joint, first)
            second = isSecond ? FieldCondition.withDoubleEquals(after) : first.with(value: after)
            isAmbiguous = joint.isWord && (Half(before)?.hasPlainString ?? true)
            return
        }
        return nil
    }

    /// The joints outside quotation marks, and the text on both sides of each.
    private static func joints(in text: String) -> [(Joint, before: String, after: String)] {
        let scalars = Array(text.unicodeScalars)
        var found: [(Joint, before: String, after: String)] = []
        var isQuoted = false
        var isEscaped = false
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && !isEscaped && scalar == "\\"
            guard !isQuoted, let joint = Joint.allCases.first(where: { $0.isPresent(at: index, of: scalars) }) else {
                continue
            }
            let end = index + joint.rawValue.unicodeScalars.count
            found.append((joint, Self.text(scalars[..<index]), Self.text(scalars[end...])))
        }
        return found
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars)
        return String(text).trimmed
    }

    /// Whether a text begins with a field, quoted if it contains blanks, and an operator.
    private static func isCondition(_ text: String) -> Bool {
        guard let start = FieldCondition.signs(in: text.unicodeScalars) else { return false }
        let field = String(text[..<start]).trimmed
        return !field.isEmpty && (field.hasPrefix("\"") || !field.unicodeScalars.contains(" "))
    }

    /// The error for a joined condition, with how to write it.
    var error: UsageError {
        UsageError(
            "\(Option.where.shown) \(UsageError.quoted(text)) joins conditions by '\(joint.rawValue)'; \(advice)")
    }

    /// The conditions as options.
    var advice: String {
        let options = [first.text, second].map { "\(Option.where.shown) \(Shell.word($0) ?? FileName.shown($0))" }
        let advice =
            joint.meansAll
            ? "if all must hold, repeat the option: \(options[0]) \(options[1])"
            : "if one of them is enough, run the command once with each: \(options[0]), then \(options[1])"
        let quotation =
            isAmbiguous ? "; a field or a string with \(joint.rawValue) in it belongs in quotation marks" : ""
        return advice + quotation
    }
}

extension JoinedConditions.Joint {
    fileprivate func isPresent(at index: Int, of scalars: [Unicode.Scalar]) -> Bool {
        let signs = Array(rawValue.unicodeScalars)
        let end = index + signs.count
        guard end <= scalars.count else { return false }
        guard isWord else { return scalars[index..<end].elementsEqual(signs) }
        // Words are in small or in capital letters, and between blanks.
        return index > 0 && scalars[index - 1] == " " && end < scalars.count && scalars[end] == " "
            && zip(scalars[index..<end], signs).allSatisfy { $0.value | 0x20 == $1.value }
    }
}
