/// Lines of `sh`.
package enum Shell {
    /// A text as one word of a line of `sh` that a person may read and copy, in quotation marks only if need be; nil if it
    /// holds what a terminal does not show.
    package static func word(_ text: String) -> String? {
        guard isPrintable(text) else { return nil }
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "-_./:=@%+,".utf8.contains(byte)
            }
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// Whether a terminal shows a text as it is.
    package static func isPrintable(_ text: String) -> Bool {
        let units = text.utf16.filter { $0 != 0x5C }
        return SafeText.escaping(units).utf16.elementsEqual(units)
    }

    /// A text as one word of a line of `sh`.
    package static func quoted(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "'\\''") + "'"
    }
}

extension String {
    /// The text with one code point replaced wherever it stands, even where a mark combines with it.
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { String($0) }
            .joined(separator: text)
    }
}
