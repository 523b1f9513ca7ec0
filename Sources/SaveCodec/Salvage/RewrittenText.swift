/// A text that a mail program, a forum or a web page changed as a whole, and its contents before:
///
///     > <plist>              ─▶  <plist>      quoted in a reply
///     ```json … ```          ─▶  …            pasted as code
///     &lt;plist&gt;          ─▶  <plist>      escaped for a page
///     {&quot;a&quot;: 1}    ─▶  {"a": 1}
///     {“a”: 1}               ─▶  {"a": 1}     typeset
///
/// The result has to be a complete save.
package struct RewrittenText {
    /// The text before the change.
    package let bytes: [UInt8]
    /// The cause of the damage.
    let problem: Problem
    /// The repair, for the report of a salvage.
    package let repair: Problem

    /// Undoes the change of a text; nil if the result is not a save.
    package static func find(for text: [UInt8], limits: Limits) -> RewrittenText? {
        [unquoted, unfenced, unescaped, untypeset].lazy.compactMap { $0(text) }.first { found in
            // A word alone is not a save.
            guard let format = Format.detected(in: found.bytes),
                let document = try? format.definition.read(found.bytes, limits: limits)
            else { return false }
            return document.object(document.root).kind.isContainer
        }
    }

    private static func unquoted(_ text: [UInt8]) -> RewrittenText? {
        guard text.first(where: { $0 > 0x20 }) == UInt8(ascii: ">") else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        for line in text.split(separator: 0x0A, omittingEmptySubsequences: false) {
            // Some mail programs do not quote empty lines.
            guard line.first == UInt8(ascii: ">") || line.allSatisfy({ $0 <= 0x20 }) else { return nil }
            if line.startIndex > 0 { bytes.append(0x0A) }
            let rest = line.first == UInt8(ascii: ">") ? line.dropFirst() : line
            bytes += line.first == UInt8(ascii: ">") && rest.first == 0x20 ? rest.dropFirst() : rest
        }
        return RewrittenText(
            bytes: bytes,
            problem: Problem("damage.quoted", "each line begins with >, as in the reply to a mail", at: .byte(0)),
            repair: Problem("salvage.quoted", "> was removed from each line", severity: .info, at: .byte(0)))
    }

    /// Removes the fences of Markdown around a text. One of them may be missing.
    private static func unfenced(_ text: [UInt8]) -> RewrittenText? {
        let fence = "```".utf8
        let whole = text.drop { $0.isSpace }
        var rest = whole
        if rest.starts(with: fence) {
            // The name of a language may follow.
            rest = rest.drop { $0 == UInt8(ascii: "`") }.drop { $0 > 0x20 && !"{[(<\"".utf8.contains($0) }
            if rest.first == 0x0D { rest.removeFirst() }
            if rest.first == 0x0A { rest.removeFirst() }
        }
        let end = rest.lastIndex { !$0.isSpace }.map { $0 + 1 } ?? rest.startIndex
        if rest[..<end].suffix(3).elementsEqual(fence) { rest = rest[..<(end - 3)] }
        guard rest.count < whole.count else { return nil }
        let start = whole.startIndex
        return RewrittenText(
            bytes: Array(rest),
            problem: Problem(
                "damage.fenced", "``` precedes or follows the text, as around code in a forum", at: .byte(start)),
            repair: Problem("salvage.fenced", "``` was removed around the text", severity: .info, at: .byte(start)))
    }

    /// Replaces typographic quotation marks and non-breaking spaces by plain ones.
    private static func untypeset(_ text: [UInt8]) -> RewrittenText? {
        let characters: [(typeset: String, plain: UInt8)] = [
            ("\u{A0}", 0x20), ("“", UInt8(ascii: "\"")), ("”", UInt8(ascii: "\"")), ("„", UInt8(ascii: "\"")),
        ]
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var first: (offset: Int, character: String)?
        var position = 0
        while position < text.count {
            let isWide = text[position] >= 0xC2
            if isWide, let found = characters.first(where: { text[position...].starts(with: $0.typeset.utf8) }) {
                first = first ?? (position, found.plain == 0x20 ? "a space" : "a quotation mark")
                bytes.append(found.plain)
                position += found.typeset.utf8.count
            } else {
                bytes.append(text[position])
                position += 1
            }
        }
        guard let first else { return nil }
        return RewrittenText(
            bytes: bytes,
            problem: Problem(
                "damage.typeset", "\(first.character) was replaced as in typeset text",
                at: .inText(text, at: first.offset)),
            repair: Problem(
                "salvage.typeset", "typographic quotation marks and non-breaking spaces became plain ones",
                severity: .info, at: .byte(first.offset)))
    }

    private static let entities: [(name: StaticString, character: StaticString)] = [
        ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"),
        ("&apos;", "'"),
    ]

    private static func unescaped(_ text: [UInt8]) -> RewrittenText? {
        let entities = Self.entities.map { (Array($0.name.description.utf8), Array($0.character.description.utf8)) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var first: (name: [UInt8], character: [UInt8])?
        var position = 0
        while position < text.count {
            guard text[position] == UInt8(ascii: "&") else {
                bytes.append(text[position])
                position += 1
                continue
            }
            guard let (name, character) = entities.first(where: { text[position...].starts(with: $0.0) }) else {
                return nil
            }
            first = first ?? (name, character)
            bytes += character
            position += name.count
        }
        guard let first else { return nil }
        let change = [first.character, first.name].map { String(decoding: $0, as: UTF8.self) }
        return RewrittenText(
            bytes: bytes,
            problem: Problem(
                "damage.escaped", "the text was escaped for a web page: \(change[0]) became \(change[1])", at: .byte(0)),
            repair: Problem(
                "salvage.escaped", "the characters that were escaped for a web page were restored", severity: .info,
                at: .byte(0)))
    }
}
