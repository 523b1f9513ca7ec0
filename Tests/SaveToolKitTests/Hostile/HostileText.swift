import Foundation
import SaveCodec

@testable import SaveToolKit

/// Texts that would do harm if they were printed unescaped.
enum HostileText {
    /// Characters that act on a terminal or change how other characters look, without the line feed.
    static let characters: [Unicode.Scalar] = (1...0x10FFFF as ClosedRange<UInt32>).lazy.filter(isActive)
        .compactMap(Unicode.Scalar.init)

    /// A sample with at least one character of each kind.
    static let samples: [Unicode.Scalar] =
        characters.filter { $0.value < 0x3000 || $0.value >> 8 >= 0xFE && $0.value < 0x10000 }
        + ["\u{110BD}", "\u{1D173}", "\u{E0001}", "\u{E0041}"]

    private static func isActive(_ value: UInt32) -> Bool {
        if value < 0x7F { return value < 0x20 && value != 0x0A }
        guard let properties = Unicode.Scalar(value)?.properties else { return false }
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isDefaultIgnorableCodePoint
        }
    }

    /// A name of a class, a key or a string that would clear the screen, reverse the line, hide text and begin a new
    /// line.
    static let text =
        "\u{1B}[2J\u{202E}\u{9B}1m\u{200B}\u{AD}\u{2066}\u{61C}\u{FEFF}\u{E0041}\u{2028}\u{7}\r\n::error::x\u{7F}"
        + markup
    /// The same without characters that XML cannot hold.
    static let xmlText = "\u{202E}\u{9B}1m\u{200B}\u{AD}\u{2066}\u{61C}\u{E0041}\u{2028}\n::error::x\u{7F}" + markup
    /// A shorter form for file names and parts of addresses.
    static let name = "\u{1B}[2J\u{202E}\u{9B}1m\u{200B}\u{2066}\u{E0041}\u{2028}\u{7}\n<img src=x onerror=alert(1)>"
    /// Markup that would run a script in a page.
    static let markup = "\"'><img src=x onerror=alert(1)></script><script>alert(1)</script>"
    /// Texts that a spreadsheet would calculate.
    static let formulas = [
        "=1+1", "+1", "-1+1", "@SUM(1)", "\t=1", "\r=1", "\n=1", "x;=1", "x\t@A", "\u{FF1D}1", " =1", "\u{A0}=1",
        "\u{202E}=1",
    ]

    static func json(_ text: String) -> String {
        "\""
            + text.unicodeScalars.map { scalar in
                switch scalar {
                case "\"": "\\\""
                case "\\": "\\\\"
                case "\0"..." ": "\\u" + String(format: "%04X", scalar.value)
                default: String(scalar)
                }
            }.joined() + "\""
    }

    static func xml(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }

    /// Returns a description of the first active character, or nil if the text has no such character.
    ///
    /// - Parameter kind: The rule for active characters.
    static func violation(in bytes: [UInt8], _ kind: Kind) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "no UTF-8" }
        let scalars = Array(text.unicodeScalars)
        let index = scalars.indices.first { index in
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            return kind.forbids(scalars[index], before: next)
        }
        return index.map { index in
            let line = String(String.UnicodeScalarView(scalars[max(0, index - 60)..<min(scalars.count, index + 20)]))
            return "U+" + String(scalars[index].value, radix: 16, uppercase: true) + " in " + line.debugDescription
        }
    }

    enum Kind {
        /// Text for people.
        case shown
        /// Text for people in which a file's line breaks and tabs may stay.
        case source

        func forbids(_ scalar: Unicode.Scalar, before next: Unicode.Scalar?) -> Bool {
            switch self {
            case .shown: isActive(scalar.value)
            case .source: isActive(scalar.value) && scalar != "\t" && !(scalar == "\r" && next == "\n")
            }
        }
    }

    /// Returns a text without the color sequences of the tool itself.
    static func withoutColors(_ bytes: [UInt8]) -> [UInt8] {
        var rest = bytes[...]
        var result: [UInt8] = []
        while let byte = rest.first {
            if byte == 0x1B, let color = colors.first(where: { rest.starts(with: $0) }) {
                rest = rest.dropFirst(color.count)
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    private static let colors: [[UInt8]] =
        ["0", "1", "2", "31", "32", "33", "35", "36", "1;31", "1;33", "7;31", "7;32"].map {
            Array("\u{1B}[\($0)m".utf8)
        }
}
