/// Sets of code points by name, packed as text.
///
/// An entry is a line (lines that begin with a space go on with it): its names, a colon, and ranges in hexadecimal. A
/// range is the gap since the end of the range before it and, after a plus sign, how many code points follow its
/// first:
///
///     Geor Georgian: 10a0+25 2 6 …     U+10A0…U+10C5, U+10C7, U+10CD, …
///
/// After `~` stand the ranges in which the script's Script_Extensions differ from its Script.
struct UnicodeTable: Sendable {
    private let text: String

    init(_ text: String) {
        self.text = text
    }

    /// The set of that name; nil if there is none.
    func set(named name: String) -> CodePointSet? {
        entry(named: name).map { CodePointSet(Self.ranges($0.ranges)) }
    }

    /// The set of that name with what its extensions add and take away.
    func extendedSet(named name: String) -> CodePointSet? {
        entry(named: name).map { entry in
            let plain = CodePointSet(Self.ranges(entry.ranges))
            let differing = CodePointSet(Self.ranges(entry.differences))
            return plain.subtracting(differing).union(differing.subtracting(plain))
        }
    }

    /// The names of all entries.
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
