/// A comment or a trailing comma in a JSON text, as in `.jsonc` files.
///
/// Both are replaced by spaces before the text is read, so that all offsets stay the same:
///
///     {"a": [1, 2,], // both     written
///     {"a": [1, 2 ],             read
private enum JSONExtra {
    case comment(Range<Int>)
    case trailingComma(Int)
}

extension JSONText {
    /// Calls a closure for each comment and trailing comma. A comma without a value before it is not a trailing comma,
    /// and a comment that is not closed ends the search.
    fileprivate func forEachExtra(_ body: (JSONExtra) -> Void) {
        var position = 0
        // The last byte that is neither white space nor in a comment. If it is a comma after a value, `comma` is its
        // offset.
        var previous: UInt8 = 0
        var comma: Int?
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                position += 1
                continue
            case UInt8(ascii: "/"):
                guard let end = SourceComments.endOfJSON(at: position, of: bytes) else { return }
                body(.comment(position..<end))
                position = end
                continue
            case UInt8(ascii: "\""): position = endOfString(from: position + 1) ?? bytes.count
            case UInt8(ascii: ","):
                switch previous {
                case 0, UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "{"): comma = nil
                default: comma = position
                }
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if previous == UInt8(ascii: ","), let comma { body(.trailingComma(comma)) }
            default: break
            }
            previous = byte
            position += 1
        }
    }

    /// Returns the text without comments and trailing commas, and a warning for each of the two; nil if it has neither.
    func withoutComments() -> (text: JSONText, warnings: [Problem])? {
        var plain = bytes
        var comments = (count: 0, first: 0)
        var commas = (count: 0, first: 0)
        forEachExtra { extra in
            switch extra {
            case .comment(let range):
                if comments.count == 0 { comments.first = range.lowerBound }
                comments.count += 1
                for position in range where plain[position] != 0x0A && plain[position] != 0x0D {
                    plain[position] = 0x20
                }
            case .trailingComma(let position):
                if commas.count == 0 { commas.first = position }
                commas.count += 1
                plain[position] = 0x20
            }
        }
        func warning(_ kind: Problem.Kind, _ noun: String, of found: (count: Int, first: Int)) -> Problem? {
            guard found.count > 0 else { return nil }
            let subject = found.count == 1 ? "a \(noun)" : Phrase.count(found.count, noun)
            return .jsonExtra(kind, subject, at: location(found.first))
        }
        let warnings = [
            warning(.jsonComment, "comment", of: comments), warning(.jsonTrailingComma, "trailing comma", of: commas),
        ].compactMap(\.self)
        return warnings.isEmpty ? nil : (JSONText(plain, writtenAs: self), warnings)
    }

    /// Creates a text from valid UTF-8 that was read before and may have comments and trailing commas.
    init(commented sound: [UInt8]) {
        let text = JSONText(sound)
        // Most texts have no comments, and trailing commas do not matter for the tokens.
        let mayHaveComments = sound.span.firstIndex(from: 0) { $0.marks(of: UInt8(ascii: "/")) } < sound.count
        self = mayHaveComments ? text.withoutComments()?.text ?? text : text
    }
}

extension JSON {
    /// Whether a text has comments or trailing commas.
    package static func hasComments(_ bytes: [UInt8]) -> Bool {
        (try? JSONText(decoding: bytes))?.withoutComments() != nil
    }
}

extension Problem.Kind {
    fileprivate static let jsonComment = Problem.Kind("json.comment")
    fileprivate static let jsonTrailingComma = Problem.Kind("json.trailing-comma")
}

extension Problem {
    fileprivate static func jsonExtra(_ kind: Kind, _ subject: String, at location: SourceLocation?) -> Problem {
        Problem(kind, extraBeginning + subject + extraEnd, severity: .warning, at: location)
    }

    private static let extraBeginning = "the text has "
    private static let extraEnd = ", which JSON does not allow; many programs reject it"

    /// Returns the warnings about the comments and the trailing commas of a JSON text as one warning for people, and
    /// the positions of both in the list. Returns nil if the list does not have both.
    package static func joinedJSONExtras(
        in problems: [Problem]
    ) -> (warning: Problem, comments: Int, commas: Int)? {
        guard let comments = problems.firstIndex(where: { $0.kind == .jsonComment }),
            let commas = problems.firstIndex(where: { $0.kind == .jsonTrailingComma })
        else { return nil }
        func subject(_ position: Int) -> String {
            let message = problems[position].message.utf8
            return String(
                decoding: message.dropFirst(extraBeginning.utf8.count).dropLast(extraEnd.utf8.count), as: UTF8.self)
        }
        let kind = Kind([comments, commas].map { problems[$0].id }.joined(separator: ", "))
        let subject = "\(subject(comments)) and \(subject(commas))"
        return (.jsonExtra(kind, subject, at: problems[comments].location), comments, commas)
    }
}

extension SourceComments {
    /// Returns the ranges of the comments in a JSON text.
    static func ofJSON(_ text: [UInt8]) -> [Range<Int>] {
        var comments: [Range<Int>] = []
        JSONText(text).forEachExtra { extra in
            if case .comment(let range) = extra { comments.append(range) }
        }
        return comments
    }
}
