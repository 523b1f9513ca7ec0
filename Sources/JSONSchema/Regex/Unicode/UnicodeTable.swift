/// A table of named sets of code points, packed as text.
///
/// An entry is a line with the names, a colon and ranges in hexadecimal. A line that begins with a space continues the
/// entry. A range is written as the number of code points skipped since the previous range and, after a plus sign, the
/// number of code points that follow its first:
///
///     Geor Georgian: 10a0+25 1 5 …     U+10A0…U+10C5, U+10C7, U+10CD, …
///
/// The ranges after `~` contain the code points that belong to the script by only one of the properties Script and
/// Script_Extensions.
struct UnicodeTable: Sendable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// Returns the set with a name, or nil if it does not exist.
    func set(named name: String) -> CodePointSet? {
        entry(named: name).map { CodePointSet(Self.ranges($0.ranges)) }
    }

    /// Returns the set with a name according to Script_Extensions, or nil if it does not exist.
    func extendedSet(named name: String) -> CodePointSet? {
        entry(named: name).map { entry in
            let plain = CodePointSet(Self.ranges(entry.ranges))
            let differing = CodePointSet(Self.ranges(entry.differences))
            return plain.subtracting(differing).union(differing.subtracting(plain))
        }
    }

    /// The names of each entry.
    var names: [[String]] {
        entries().map { $0.names.map(String.init) }
    }

    private struct Entry {
        var names: [Substring]
        var ranges: [Substring] = []
        var differences: [Substring] = []
    }

    private func entry(named name: String) -> Entry? {
        entries().first { $0.names.contains { $0 == name } }
    }

    private func entries() -> [Entry] {
        var entries: [Entry] = []
        for line in text.split(separator: "\n") {
            let halves = line.split(separator: ":")
            if halves.count == 2 { entries.append(Entry(names: halves[0].split(separator: " "))) }
            guard let packed = halves.last, let last = entries.indices.last else { continue }
            entries[last].ranges += packed.split(separator: " ")
        }
        return entries.map(Self.dividing)
    }

    private static func dividing(_ entry: Entry) -> Entry {
        guard let sign = entry.ranges.firstIndex(of: "~") else { return entry }
        return Entry(
            names: entry.names, ranges: Array(entry.ranges[..<sign]), differences: Array(entry.ranges[(sign + 1)...]))
    }

    private static func ranges(_ words: [Substring]) -> [ClosedRange<UInt32>] {
        var next: UInt32 = 0
        return words.map { word in
            let numbers = word.split(separator: "+").map { UInt32($0, radix: 16) ?? 0 }
            let first = next + numbers[0]
            let last = first + (numbers.count > 1 ? numbers[1] : 0)
            next = last + 1
            return first...last
        }
    }
}
