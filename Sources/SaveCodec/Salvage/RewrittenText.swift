/// A text that a mail program or a web page changed in every line, and its contents before:
///
///     > <plist>              ─▶  <plist>      quoted in a reply
///     &lt;plist&gt;          ─▶  <plist>      escaped for a page
///     {&quot;a&quot;: 1}    ─▶  {"a": 1}
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
        let found =
            switch text.first(where: { $0 > 0x20 }) {
            case UInt8(ascii: ">"): unquoted(text)
            case UInt8(ascii: "&"), UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "("): unescaped(text)
            default: nil as RewrittenText?
            }
        // A word alone is not a save.
        guard let found, let format = Format.detected(in: found.bytes),
            let document = try? format.definition.read(found.bytes, limits: limits),
            document.object(document.root).kind.isContainer
        else { return nil }
        return found
    }

    private static func unquoted(_ text: [UInt8]) -> RewrittenText? {
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
