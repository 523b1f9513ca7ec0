import SaveCodec

/// Texts from a file as a line shows them: safe, and not longer than a line should be.
enum Shortened {
    /// The longest text, in UTF-16 code units, that a line shows in full.
    private static let longest = 160

    /// As many units of an address as ``address(_:)`` can show, and more.
    static let enough = 2 * (longest + 1)

    /// A string in quotation marks; of a long one the beginning, and how much is missing.
    static func string(_ text: StoredString) -> String {
        guard text.count > longest else { return quoted(text.escaped) }
        let start = beginning(of: text, longest)
        return quoted(SafeText.escaping(start)) + " … \(Counted.of(text.count - start.count, "more UTF-16 unit"))"
    }

    /// A key: bare where that is unambiguous, else in quotation marks; of a long one the beginning.
    static func key(_ text: some RandomAccessCollection<UInt16>) -> String {
        key(text, longest: longest)
    }

    /// A key of which the line shows no more units than given.
    static func key(_ text: some RandomAccessCollection<UInt16>, longest: Int) -> String {
        let start = beginning(of: text, longest)
        let isBare = !start.isEmpty && start.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3A && $0 != 0x5C }
        let safe = SafeText.escaping(start)
        return (isBare ? safe : quoted(safe)) + (start.count < text.count ? "…" : "")
    }

    /// An address; of a long one the beginning.
    static func address(_ address: JSONPointer) -> String {
        line(beginning(of: address).description)
    }

    /// As much of an address as can be shown, so that the cost of a line does not depend on what is not.
    private static func beginning(of address: JSONPointer) -> JSONPointer {
        var count = 0
        for (depth, token) in address.tokens.enumerated() {
            count += token.count + 1
            if count < enough { continue }
            var start = address.prefix(depth)
            let piece = token.prefix(enough)
            if address.isForm(at: depth) {
                start.append(form: String(decoding: piece, as: UTF16.self))
            } else {
                start.append(key: piece)
            }
            return start
        }
        return address
    }

    /// A line that is safe already; of a long one the beginning.
    static func line(_ text: String) -> String {
        guard text.utf16.count > longest else { return text }
        return String(text.unicodeScalars.prefix(longest)) + "…"
    }

    /// Data as octets in hexadecimal; of long data the beginning.
    static func data(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
        return digits.joined(separator: " ") + (bytes.count > 16 ? " …" : "")
    }

    /// A string in quotation marks as one of several things on a line; of a long one the beginning.
    static func string(_ text: some RandomAccessCollection<UInt16>, longest: Int) -> String {
        let start = beginning(of: text, longest)
        return quoted(SafeText.escaping(start)) + (start.count < text.count ? "…" : "")
    }

    /// As much of a text as a line shows, not ending within a surrogate pair.
    private static func beginning(of text: some RandomAccessCollection<UInt16>, _ longest: Int) -> [UInt16] {
        var units = Array(text.prefix(longest))
        if text.count > longest, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return units
    }

    /// Safe text has no lone backslash, so one before a quotation mark can only be ours.
    private static func quoted(_ safe: String) -> String {
        guard safe.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + safe + "\"" }
        var result = "\""
        for scalar in safe.unicodeScalars {
            if scalar == "\"" { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}

/// A number and a noun.
enum Counted {
    /// `1 key`, `2 keys`, `3 dictionaries`, `4 classes`.
    static func of(_ count: Int, _ noun: String) -> String { Phrase.count(count, noun) }
}

extension Grouped {
    /// The number and a noun: `1 object`, `2,113 objects`.
    static func of(_ number: Int, _ noun: String) -> String {
        of(number) + " " + Counted.of(number, noun).split(separator: " ", maxSplits: 1)[1]
    }

    /// A size in bytes, rounded where that is shorter: `779 bytes`, `12 KB`, `3.4 MB`. A KB is 1,000 bytes.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 10_000 else { return of(bytes, "byte") }
        var (tenths, unit) = (Double(bytes) / 100, 0)
        while tenths.rounded() >= 10_000, unit + 1 < units.count { (tenths, unit) = (tenths / 1000, unit + 1) }
        let rounded = Int(tenths.rounded())
        // No ".0", and no decimal from 10 on.
        let isWhole = rounded >= 100 || rounded % 10 == 0
        let number = isWhole ? of(Int((tenths / 10).rounded())) : "\(rounded / 10).\(rounded % 10)"
        return number + " " + units[unit]
    }

    private static let units = ["KB", "MB", "GB", "TB"]
}
