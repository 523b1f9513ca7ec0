/// A spelling of a JSON value by one of the usual libraries:
///
///     {"b": 1, "a": "é"}        the text
///     {"b":1,"a":"é"}           plain: JSON.stringify of JavaScript
///     {"b": 1, "a": "é"}        isSpaced
///     {"a":"é","b":1}           isSorted
///     {"b":1,"a":"\u00e9"}      isASCII
///
/// Python's `json.dumps` is spaced and ASCII unless its arguments say otherwise.
package struct JSONSpelling: Sendable, Equatable {
    /// Whether a space follows each comma and colon.
    var isSpaced = false
    /// Whether the keys of objects are sorted.
    var isSorted = false
    /// Whether characters outside ASCII, and the control character U+007F, are escaped.
    package var isASCII = false

    package init(isSpaced: Bool = false, isSorted: Bool = false, isASCII: Bool = false) {
        (self.isSpaced, self.isSorted, self.isASCII) = (isSpaced, isSorted, isASCII)
    }

    /// Returns a valid JSON text in this spelling, without comments and trailing commas. Numbers and escapes stay as
    /// they are written, unless the keys are sorted.
    ///
    /// - Throws: A problem if the text cannot be read.
    package func text(of json: [UInt8], limits: Limits) throws(Problem) -> [UInt8] {
        var text = try JSONText(decoding: json)
        if let plain = text.withoutComments() { text = plain.text }
        if isSorted {
            let document = try JSON.readPlain(text.bytes, limits: limits)
            var output = ByteWriter()
            try document.write(
                as: .json, to: &output, options: WriteOptions(keyOrder: .sorted, isCompact: true), limits: limits)
            text = JSONText(output.takeBytes())
        }
        let result = spaced(text)
        return isASCII ? Self.escaped(result) : result
    }

    /// Returns a text with other white space between its tokens.
    private func spaced(_ text: JSONText) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.bytes.count)
        var position = text.skippingWhiteSpace(from: 0)
        while position < text.bytes.count {
            let end = text.endOfScalar(at: position) ?? position + 1
            result += text.bytes[position..<end]
            let isSeparator = [UInt8(ascii: ","), UInt8(ascii: ":")].contains(text[position])
            if isSpaced, isSeparator { result.append(0x20) }
            position = text.skippingWhiteSpace(from: end)
        }
        return result
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        if text.allSatisfy({ $0 < 0x7F }) { return text }
        var result = ""
        for unit in String(decoding: text, as: UTF8.self).utf16 {
            if unit < 0x7F {
                result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
            } else {
                result += "\\u" + Hexadecimal.text(unit, digits: 4, uppercase: false)
            }
        }
        return Array(result.utf8)
    }
}
