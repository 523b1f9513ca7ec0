#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs lines of `sh`.
enum Shell {
    /// What a line of `sh` writes to standard output, without the line ends behind it; nil if it fails.
    static func output(of line: String, in folder: String = "") -> String? {
        let line = folder.isEmpty ? line : "cd \(quoted(folder)) && \(line)"
        guard let stream = unsafe popen(line, "r") else { return nil }
        var bytes: [UInt8] = []
        while case let byte = unsafe getc(stream), byte != EOF { bytes.append(UInt8(truncatingIfNeeded: byte)) }
        guard unsafe pclose(stream) == 0 else { return nil }
        while bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A text as one word of a line of `sh`.
    static func quoted(_ text: String) -> String {
        "'" + text.replacingScalar("'", with: "'\\''") + "'"
    }
}

extension String {
    /// The text with one code point replaced wherever it stands, even where a mark combines with it.
    func replacingScalar(_ scalar: Unicode.Scalar, with text: String) -> String {
        unicodeScalars.split(separator: scalar, omittingEmptySubsequences: false).map { String($0) }
            .joined(separator: text)
    }
}
