/// Quoting for `sh` command lines.
package enum Shell {
    /// Returns a text as one word of a command line that users may read and copy, quoted only if necessary.
    ///
    /// A text with line feeds or tabs is written as `$'a\nb'`, as bash and zsh read it. Returns nil if the text contains
    /// other characters that a terminal does not show.
    package static func word(_ text: String) -> String? {
        guard isPrintable(text) else {
            let quoted = text.replacingScalar("\\", with: "\\\\").replacingScalar("'", with: "\\'")
                .replacingScalar("\n", with: "\\n").replacingScalar("\t", with: "\\t")
            return isPrintable(quoted) ? "$'\(quoted)'" : nil
        }
        let isPlain = text.utf8.allSatisfy { byte in
            byte.isLetterOrDigit || "-_./:=@%+,".utf8.contains(byte)
        }
        return isPlain && !text.isEmpty ? text : quoted(text)
    }

    /// Whether a terminal shows a text unchanged.
    package static func isPrintable(_ text: String) -> Bool {
        let units = text.utf16.filter { $0 != 0x5C }
        return SafeText.escaping(units).utf16.elementsEqual(units)
    }

    /// Returns a text as one quoted word of a command line.
    package static func quoted(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "'\\''") + "'"
    }

    /// Splits a command line into its words. Only the quotation marks and backslashes of ``quoted(_:)`` have a meaning.
    package static func words(of line: String) -> [String] {
        var words: [String.UnicodeScalarView] = [.init()]
        var (isQuoted, isEscaped) = (false, false)
        for scalar in line.unicodeScalars {
            if isEscaped {
                isEscaped = false
            } else if scalar == "'" {
                isQuoted.toggle()
                continue
            } else if !isQuoted, scalar == " " {
                words.append(.init())
                continue
            } else if !isQuoted, scalar == "\\" {
                isEscaped = true
                continue
            }
            words[words.count - 1].append(scalar)
        }
        return words.map { String($0) }
    }
}

extension String {
    /// Returns the text with every occurrence of a code point replaced, even if a combining mark follows it.
    package func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map(Substring.init)
            .joined(separator: text)
    }
}
