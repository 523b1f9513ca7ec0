import KeyedArchives
import SaveCodec

/// Texts from a file, escaped and shortened for a line.
enum TruncatedText {
    /// The maximum length of a text in UTF-16 code units.
    static let longest = 160

    /// The number of UTF-16 units to which callers may cut a long text before passing it to ``line(_:)``, which always
    /// shows fewer.
    static let scanLimit = 2 * (longest + 1)

    /// Returns a string in quotation marks. A long string is cut, with the count of missing units.
    static func string(_ text: StoredString) -> String {
        guard text.count > longest else { return quoted(text.escaped) }
        let start = beginning(of: text, longest)
        return quoted(SafeText.escaping(start)) + " … \(Phrase.count(text.count - start.count, "more UTF-16 unit"))"
    }

    /// Returns a string like ``string(_:)``, cut so that it shows the units at a position: `81 UTF-16 units … "abc"`.
    static func string(_ text: StoredString, showing shown: Range<Int>) -> String {
        guard text.count > longest, shown.upperBound > longest, shown.upperBound <= text.count else {
            return string(text)
        }
        var first = max(0, min(shown.lowerBound - longest / 4, text.count - longest))
        guard first > 0 else { return string(text) }
        if UTF16.isTrailSurrogate(text[text.index(text.startIndex, offsetBy: first)]) { first += 1 }
        let part = beginning(of: text.dropFirst(first), longest)
        let rest = text.count - first - part.count
        return "\(Phrase.count(first, "UTF-16 unit")) … " + quoted(SafeText.escaping(part))
            + (rest > 0 ? " … \(Phrase.count(rest, "more UTF-16 unit"))" : "")
    }

    /// Returns a key, in quotation marks only if it would be ambiguous without them. A long key is cut.
    static func key(_ text: some RandomAccessCollection<UInt16>) -> String {
        key(text, longest: longest)
    }

    /// Returns a key with at most `longest` units.
    static func key(_ text: some RandomAccessCollection<UInt16>, longest: Int) -> String {
        let start = beginning(of: text, longest)
        let isBare = !start.isEmpty && start.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3A && $0 != 0x5C }
        let safe = SafeText.escaping(start)
        return (isBare ? safe : quoted(safe)) + (start.count < text.count ? "…" : "")
    }

    /// Returns the name of a class, cut if it is long. Swift names are shown without quotation marks.
    static func className(_ name: ShownClassName) -> String {
        className(name, longest: longest)
    }

    /// Returns the name of a class with at most `longest` units.
    static func className(_ name: ShownClassName, longest: Int) -> String {
        guard let swift = name.swift else { return key(name, longest: longest) }
        let start = beginning(of: swift, longest)
        return SafeText.escaping(start) + (start.count < swift.count ? "…" : "")
    }

    /// Returns an address. A long address is cut.
    static func address(_ address: JSONPointer) -> String {
        line(beginning(of: address).description)
    }

    /// Returns the beginning of an address, so that the cost of a line does not depend on the parts that are not shown.
    private static func beginning(of address: JSONPointer) -> JSONPointer {
        var count = 0
        for (depth, token) in address.tokens.enumerated() {
            count += token.count + 1
            if count < scanLimit { continue }
            var start = address.prefix(depth)
            let piece = token.prefix(scanLimit)
            if address.isExtension(at: depth) {
                start.append(extensionToken: String(decoding: piece, as: UTF16.self))
            } else {
                start.append(key: piece)
            }
            return start
        }
        return address
    }

    /// Returns the text, which must be escaped. A long text is cut.
    static func line(_ text: String) -> String {
        guard text.utf16.count > longest else { return text }
        return String(text.unicodeScalars.prefix(longest)) + "…"
    }

    /// Returns data as hexadecimal bytes. Long data is cut.
    static func data(_ bytes: ArraySlice<UInt8>) -> String {
        let digits = bytes.prefix(16).map { Hexadecimal.text($0) }
        return digits.joined(separator: " ") + (bytes.count > 16 ? " …" : "")
    }

    /// Returns a string in quotation marks with at most `longest` units, for a line with several values.
    static func string(_ text: some RandomAccessCollection<UInt16>, longest: Int) -> String {
        let start = beginning(of: text, longest)
        return quoted(SafeText.escaping(start)) + (start.count < text.count ? "…" : "")
    }

    /// Returns the beginning of a text, which does not end within a surrogate pair.
    private static func beginning(of text: some RandomAccessCollection<UInt16>, _ longest: Int) -> [UInt16] {
        var units = Array(text.prefix(longest))
        if text.count > longest, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return units
    }

    /// Returns escaped text in quotation marks. Escaped text has no lone backslash, so a backslash before a quotation
    /// mark is unambiguous.
    private static func quoted(_ safe: String) -> String {
        guard safe.utf8.contains(UInt8(ascii: "\"")) else { return "\"" + safe + "\"" }
        return "\"" + safe.replacingScalar("\"", with: "\\\"") + "\""
    }
}

extension CountText {
    /// Returns a size in bytes, rounded if that is shorter: `779 bytes`, `12 KB`, `3.4 MB`. A KB is 1,000 bytes.
    static func size(_ bytes: Int) -> String {
        guard bytes >= 10_000 else { return Phrase.count(bytes, "byte") }
        var (tenths, unit) = (Double(bytes) / 100, 0)
        while tenths.rounded() >= 10_000, unit + 1 < units.count { (tenths, unit) = (tenths / 1000, unit + 1) }
        let rounded = Int(tenths.rounded())
        // No ".0", and no decimal digit from 10 on.
        let isWhole = rounded >= 100 || rounded % 10 == 0
        let number = isWhole ? of(Int((tenths / 10).rounded())) : "\(rounded / 10).\(rounded % 10)"
        return number + " " + units[unit]
    }

    private static let units = ["KB", "MB", "GB", "TB"]
}
