/// The text of an element with references and CDATA sections.
///
///     a &lt; b &#x1F600; <![CDATA[<raw>]]>     →     a < b 😀 <raw>
///
/// All other text is unchanged. Like Core Foundation, the reader does not normalize line ends. A `&` that begins no
/// reference is an error. Texts with short tags are an exception: the `&` is kept, as in Geometry Dash.
enum XMLText {
    /// Reads up to the `<` of a tag.
    static func read(
        _ cursor: inout XMLCursor, into text: inout [UInt8], _ warnings: inout XMLWarnings
    ) throws(Problem) {
        text.removeAll(keepingCapacity: true)
        while true {
            let start = cursor.position
            cursor.skipText()
            text += cursor.text[start..<cursor.position]
            if cursor.byte == UInt8(ascii: "&") {
                try readReference(&cursor, into: &text, &warnings)
            } else if cursor.skip("<![CDATA[") {
                try readSection(&cursor, into: &text)
            } else {
                return
            }
        }
    }

    private static func readSection(_ cursor: inout XMLCursor, into text: inout [UInt8]) throws(Problem) {
        let start = cursor.position
        guard cursor.skip(past: "]]>") else {
            throw .xmlUnclosed("character data section", expected: "]]>", at: cursor.location(start - 9))
        }
        text += cursor.text[start..<cursor.position - 3]
    }

    private static func readReference(
        _ cursor: inout XMLCursor, into text: inout [UInt8], _ warnings: inout XMLWarnings
    ) throws(Problem) {
        if cursor.skip("&#") { return try readCharacter(&cursor, into: &text, &warnings) }
        if cursor.skip("&lt;") {
            text.append(UInt8(ascii: "<"))
        } else if cursor.skip("&gt;") {
            text.append(UInt8(ascii: ">"))
        } else if cursor.skip("&amp;") {
            text.append(UInt8(ascii: "&"))
        } else if cursor.skip("&apos;") {
            text.append(UInt8(ascii: "'"))
        } else if cursor.skip("&quot;") {
            text.append(UInt8(ascii: "\""))
        } else if cursor.dialect == .short {
            warnings.add(.ampersand, at: cursor.position, in: cursor.text)
            text.append(UInt8(ascii: "&"))
            cursor.position += 1
        } else {
            throw Problem(
                "xml.entity",
                "found \"\(SafeText.quotingReference(cursor.text[cursor.position...]))\"; expected &lt;, &gt;, &amp;, &apos;, &quot; or a character reference such as &#65;",
                at: cursor.location(cursor.position))
        }
    }

    /// Reads the rest of `&#65;` or `&#x41;`, with at most eight digits. As in Core Foundation, no digits mean zero.
    private static func readCharacter(
        _ cursor: inout XMLCursor, into text: inout [UInt8], _ warnings: inout XMLWarnings
    ) throws(Problem) {
        let start = cursor.position - 2
        let radix: UInt64 = cursor.skip("x") ? 16 : 10
        let digits = cursor.position
        var value: UInt64 = 0
        while let digit = XMLNumber.digit(cursor.byte, radix: radix), cursor.position - digits < 8 {
            value = value * radix + digit
            cursor.position += 1
        }
        guard cursor.skip(";"), let scalar = UInt32(exactly: value), Unicode.Scalar(scalar) != nil else {
            throw Problem(
                "xml.character-reference",
                "\"\(SafeText.quotingReference(cursor.text[start...]))\" is not a character; expected &# or &#x and the number of a Unicode character",
                at: cursor.location(start))
        }
        if XMLWarnings.isForbidden(scalar) { warnings.add(.character, at: start, in: cursor.text) }
        SourceText.append(scalar, to: &text)
    }

    static func isUIDKey(_ text: Span<UInt8>) -> Bool {
        let name: StaticString = "CF$UID"
        guard text.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { buffer in
            // Sound: a literal is never freed, and every index is below its count, which the guard compares with the
            // text's.
            for index in text.indices where unsafe buffer[index] != text[index] { return false }
            return true
        }
    }
}
