import KeyedArchives
import SaveCodec
import SaveOperations

/// Conflicts as lines with their address and the value of each side:
///
///     game.save: /root/health: conflict: was 100, ours 64, theirs 80
///     game.save: /root/enemies/2: conflict: was Enemy {health: 10}, ours removed, theirs Enemy {health: 4}
final class ConflictLines {
    private let merge: ThreeWayMerge
    private let name: String
    private let base: ValueAbbreviator?
    private let ours: ValueAbbreviator
    private let theirs: ValueAbbreviator
    private let commands: ConflictCommands?
    /// The number of values that may still be compared to find differences.
    private var comparable = 10_000

    /// - Parameter commands: The commands that resolve each conflict; nil for none.
    convenience init(_ merge: ThreeWayMerge, in name: String, settledBy commands: ConflictCommands? = nil) {
        self.init(merge, shownName: Invocation.shownName(name), commands)
    }

    private init(_ merge: ThreeWayMerge, shownName: String, _ commands: ConflictCommands?) {
        self.merge = merge
        self.commands = commands
        name = shownName
        base = merge.base.map { ValueAbbreviator(of: $0) }
        ours = ValueAbbreviator(of: merge.ours)
        theirs = ValueAbbreviator(of: merge.theirs)
    }

    /// Prints all conflicts, up to a byte limit. A small hostile file can cause gigabytes of text, for example with a
    /// long key above many conflicts. After the limit, the remaining conflicts are only counted.
    ///
    /// - Parameter room: The maximum byte count.
    func print(within room: Int = 64 << 20, _ invocation: Invocation) {
        var room = room
        // Lines are printed together, because there may be hundreds of thousands.
        var text = ""
        for (position, conflict) in merge.conflicts.enumerated() {
            guard room > 0 else {
                text += "\(name): … and \(Phrase.count(merge.conflicts.count - position, "more conflict"))\n"
                break
            }
            for line in lines(conflict) {
                room -= line.utf8.count
                text += line + "\n"
            }
            if text.utf8.count > Self.pieceSize {
                invocation.printError(String(text.dropLast()))
                text = ""
            }
        }
        if !text.isEmpty { invocation.printError(String(text.dropLast())) }
    }

    private static let pieceSize = 1 << 14

    /// Prints changes of one side that a rule overrules: the first few of them, and the count of the others.
    static func printOverruled(in merge: ThreeWayMerge, of name: String, _ invocation: Invocation) {
        let overruled = merge.allOverruled
        for (merge, change) in overruled.prefix(maxOverruled) {
            let lines = ConflictLines(merge, in: name)
            invocation.printError("\(lines.location(of: change)): \(lines.overruling(change))")
        }
        let rest = overruled.count - maxOverruled
        guard rest > 0 else { return }
        invocation.printError(
            "\(Invocation.shownName(name)): … and \(Phrase.count(rest, "more change")) of one side that a rule undoes"
        )
    }

    private static let maxOverruled = 10

    private func overruling(_ change: MergeConflict) -> String {
        func text(_ id: ViewID?, _ abbreviator: ValueAbbreviator?) -> String {
            id.flatMap { id in abbreviator?.line(id) } ?? "nothing"
        }
        let (was, x, y) = (text(change.base, base), text(change.ours, ours), text(change.theirs, theirs))
        let (side, value) = x == was ? ("theirs", y) : ("ours", x)
        return "only \(side) changed this, \(was) → \(value); the rule undoes it, but higher and lower would keep it"
    }

    /// Returns the lines of a conflict, or of the conflicts within nested saves.
    func lines(_ conflict: MergeConflict) -> [String] {
        if let inner = inside(conflict) { return inner.merge.conflicts.flatMap(inner.lines) }
        return [line(conflict)] + (commands?.lines(for: conflict) ?? [])
    }

    private func inside(_ conflict: MergeConflict) -> ConflictLines? {
        merge.nestedMerge(of: conflict).map { ConflictLines($0, shownName: name, commands?.inside(conflict, $0)) }
    }

    private func line(_ conflict: MergeConflict) -> String {
        "\(location(of: conflict)): conflict: " + sides(conflict) + (difference(in: conflict) ?? "")
            + (conflict.rule.map { "; the rule \($0.name) needs \($0.requirement)" } ?? "")
    }

    private func location(of conflict: MergeConflict) -> String {
        let address = merge.address(of: conflict)
        let text = SafeText.escaping(address.description.utf16)
        return "\(name): \(text)\(address.isCut ? "/…" : "")"
    }

    private func sides(_ conflict: MergeConflict) -> String {
        if case .className = conflict.subject { return classes(conflict) }
        let sides: [(name: String, id: ViewID?, abbreviator: ValueAbbreviator?)] = [
            ("was", conflict.base, base), ("ours", conflict.ours, ours), ("theirs", conflict.theirs, theirs),
        ]
        let values = sides.map { side in side.id.flatMap { id in side.abbreviator.map { SideValue(id, in: $0) } } }
        return zip(sides, SideValue.texts(values)).compactMap { side, text in
            text.map { "\(side.name) \($0)" } ?? (side.name == "was" ? nil : "\(side.name) removed")
        }.joined(separator: ", ")
    }

    /// Returns the first difference between two containers whose short texts are equal:
    ///
    ///     ours [{x, y}, … 1 more], theirs [{x, y}, … 1 more]; they differ at /enemies/1/y: ours 4, theirs 2
    private func difference(in conflict: MergeConflict) -> String? {
        guard let x = conflict.ours, let y = conflict.theirs,
            merge.ours.scalar(x) == nil || merge.theirs.scalar(y) == nil, ours.line(x) == theirs.line(y)
        else { return nil }
        // Each pair is compared once. It has the number of the pair around it, and its position there.
        var pairs = [(values: ValuePair(x: x, y: y), container: 0, position: 0)]
        var seen: Set<ValuePair> = [pairs[0].values]
        var pending = [0]
        while let number = pending.popLast() {
            let (x, y) = (pairs[number].values.x, pairs[number].values.y)
            var (mine, other) = (ours.line(x), theirs.line(y))
            if mine == other, merge.ours.scalar(x) != nil { continue }
            let (a, b) = (merge.ours[x].contents, merge.theirs[y].contents)
            guard mine == other, a.count == b.count else {
                if mine == other { (mine, other) = (size(a), size(b)) }
                var positions: [Int] = []
                var step = number
                while step > 0 {
                    positions.append(pairs[step].position)
                    step = pairs[step].container
                }
                var address = merge.address(of: conflict)
                guard address.tokens.count + positions.count < Difference.defaultMaxTokens else { return nil }
                var id = pairs[0].values.x
                for position in positions.reversed() {
                    merge.ours.append(position, of: id, to: &address)
                    id = merge.ours.item(position, of: merge.ours[id].contents).id
                }
                let text = SafeText.escaping(address.description.utf16)
                return "; they differ at \(text): ours \(mine), theirs \(other)"
            }
            comparable -= a.count
            guard comparable >= 0 else { return nil }
            for position in (0..<a.count).reversed() {
                let (mine, other) = (merge.ours.item(position, of: a), merge.theirs.item(position, of: b))
                let pair = ValuePair(x: mine.id, y: other.id)
                guard areSame(mine.key, other.key, at: position), seen.insert(pair).inserted else { continue }
                pairs.append((pair, number, position))
                pending.append(pairs.count - 1)
            }
        }
        return nil
    }

    /// A value of ours and the one of theirs in its place.
    private struct ValuePair: Hashable {
        let x: ViewID
        let y: ViewID
    }

    private func areSame(_ key: ViewID?, _ other: ViewID?, at position: Int) -> Bool {
        if let a = key.flatMap(merge.ours.text), let b = other.flatMap(merge.theirs.text) {
            return a.count == b.count && a.elementsEqual(b)
        }
        return ours.label(position, key) == theirs.label(position, other)
    }

    private func size(_ contents: ViewContents) -> String { Phrase.count(contents.count, "value") }

    private func classes(_ conflict: MergeConflict) -> String {
        guard let base = merge.base, let was = conflict.base, let x = conflict.ours, let y = conflict.theirs else {
            return "class"
        }
        return "was class \(base.classOrType(of: was)), ours \(merge.ours.classOrType(of: x)), "
            + "theirs \(merge.theirs.classOrType(of: y))"
    }
}

/// The value of one side as text. Its type is included if another side has the same text with another type, and its
/// storage if the sides differ in it:
///
///     was 5 in place, ours 6 in place, theirs 6 as an object
///     was 0.5, ours real32 0.75, theirs real 0.75
private struct SideValue {
    private let view: ObjectView
    private let id: ViewID
    private let line: String
    /// The storage in an archive; nil for values with only one storage.
    private let storage: String?

    init(_ id: ViewID, in abbreviator: ValueAbbreviator) {
        (view, self.id) = (abbreviator.view, id)
        line = abbreviator.line(id)
        let isNull = if case .null? = view.scalar(id) { true } else { false }
        storage = view.archive == nil || isNull ? nil : view.storageName(of: id)
    }

    private var types: [String] { [view.typeName(of: id), view.classOrType(of: id)] }

    /// Returns the texts of the values, in order; nil for sides without a value.
    static func texts(_ values: [SideValue?]) -> [String?] {
        let present = values.compactMap(\.self)
        let showsStorage = Set(present.compactMap(\.storage)).count > 1
        return values.map { value in
            guard let value else { return nil }
            let alike = present.filter { $0.line == value.line }
            let types = alike.count > 1 ? alike.map(\.types) : []
            let kind = types.first?.indices.first { kind in Set(types.map { $0[kind] }).count > 1 }
            let type = kind.map { value.types[$0] + " " } ?? ""
            return type + value.line + (showsStorage ? value.storage.map { " " + $0 } ?? "" : "")
        }
    }
}

/// Writes the conflicts of a merge as one JSON document with one line per conflict. If there are no conflicts, the
/// array is empty. The schema of the document is `Fixtures/schemas/merge.schema.json`:
///
///     {"tool":"savetool","version":"1.0.0","base":{"file":"base.save",…},"ours":{…},"theirs":{…},"conflicts":[
///     {"kind":"value","address":"/root/gems","base":{"type":"integer","value":5},"ours":{…},"theirs":{…}},
///     …
///     ]}
final class ConflictJSONRenderer {
    private let merge: ThreeWayMerge
    private let comments: [LostComment]
    private let files: JSONMembers
    /// The abbreviator of the base's values; unused without a base.
    private let base: ValueAbbreviator
    private let ours: ValueAbbreviator
    private let theirs: ValueAbbreviator

    /// - Parameter comments: The comments in conflict.
    convenience init(_ merge: ThreeWayMerge, _ comments: [LostComment], of saves: MergeSources) {
        let files: JSONMembers = [("base", saves.base), ("ours", saves.ours), ("theirs", saves.theirs)].map {
            side, file in (side, file.map { .file($0.name, $0.format, view: $0.view) } ?? .null)
        }
        self.init(merge, comments, files)
    }

    private init(_ merge: ThreeWayMerge, _ comments: [LostComment], _ files: JSONMembers) {
        (self.merge, self.comments, self.files) = (merge, comments, files)
        self.base = ValueAbbreviator(of: merge.base ?? merge.ours)
        self.ours = ValueAbbreviator(of: merge.ours)
        self.theirs = ValueAbbreviator(of: merge.theirs)
    }

    func render(to output: inout ByteWriter) throws(Problem) {
        let documents = [merge.base?.document, merge.ours.document, merge.theirs.document].compactMap(\.self)
        let bound = OutputBound(documents, output)
        var rows = JSONRows()
        rows.begin(files, to: &output)
        rows.beginRows("conflicts", to: &output)
        try writeRows(within: bound, &rows, to: &output)
        for comment in comments where !output.hasFailed { rows.add(comment.row, to: &output) }
        rows.endRows(to: &output)
        rows.end(to: &output)
    }

    private func writeRows(
        within bound: OutputBound, _ rows: inout JSONRows, to output: inout ByteWriter
    ) throws(Problem) {
        for conflict in merge.conflicts where !output.hasFailed {
            if let inner = merge.nestedMerge(of: conflict) {
                try ConflictJSONRenderer(inner, [], files).writeRows(within: bound, &rows, to: &output)
            } else {
                rows.add(row(conflict), to: &output)
            }
            try bound.check(output)
        }
    }

    private func row(_ conflict: MergeConflict) -> ReportJSON {
        let address = merge.address(of: conflict)
        var kind = "value"
        if case .className = conflict.subject { kind = "class" }
        return .object([
            ("kind", .string(kind)), ("address", .address(address)), ("cut", address.isCut ? .boolean(true) : nil),
            ("rule", conflict.rule.map { .string($0.name) }), ("base", value(conflict.base, in: base)),
            ("ours", value(conflict.ours, in: ours)),
            ("theirs", value(conflict.theirs, in: theirs)),
        ])
    }

    private func value(_ id: ViewID?, in abbreviator: ValueAbbreviator) -> ReportJSON? {
        id.map { .object(abbreviator.members(of: $0, showsStorage: merge.ours.archive != nil)) }
    }
}

extension MergeRule {
    /// The values that the rule needs to settle a conflict, for a message.
    fileprivate var requirement: String {
        switch self {
        case .higher, .lower, .maximum, .minimum: "two numbers or dates"
        case .sumOfChanges: "numbers of one type"
        case .union: "two arrays, sets or dictionaries"
        case .newest(.file): "files with different dates"
        case .newest: "two dates or numbers that differ"
        case .base: "single values that all three files have"
        case .ours, .theirs, .fail: "nothing"
        }
    }
}

extension JSONPointer {
    /// Whether the address of a conflict is cut at its maximum length.
    fileprivate var isCut: Bool { tokens.count >= Difference.defaultMaxTokens }
}
