import KeyedArchives
import SaveCodec
import SaveOperations

/// The parts of the text that describes a change.
struct ChangeDescription {
    /// The text before the values: `type integer → real: `, or the whole text if no values are compared.
    var prefix = ""
    /// The values that are shown.
    var values: Sides<String?> = Sides { _ in nil }
    /// The text after the values: `, stored in place → as an object`.
    var suffix = ""

    var text: String { prefix + [values.before, values.after].compactMap(\.self).joined(separator: " → ") + suffix }

    /// Returns the values with `mark` applied to their parts: the words in which two values differ, and the words
    /// between them. Other values are one part.
    func marked(_ mark: (_ part: String, _ isDifferent: Bool, Side) -> String) -> Sides<String?> {
        if let before = values.before, let after = values.after {
            let difference = WordDifference(before, after)
            if difference.haveCommonWords {
                return Sides { side in
                    difference.pieces[side].map { mark($0.text, $0.isChanged, side) }.joined()
                }
            }
        }
        return Sides { side in values[side].map { mark($0, false, side) } }
    }

    fileprivate init(_ prefix: String = "") {
        self.prefix = prefix
    }

    /// Creates the description of a value on one side.
    fileprivate init(_ value: String?, on side: Side) {
        values[side] = value
    }

    /// Returns the same description with a text before it.
    fileprivate func prefixed(by text: String) -> ChangeDescription {
        var description = self
        description.prefix = text + prefix
        return description
    }

    /// Returns the same description with a comma and a text after it; unchanged if the text is nil.
    fileprivate func appending(_ text: String?) -> ChangeDescription {
        var description = self
        description.suffix += text.map { ", " + $0 } ?? ""
        return description
    }
}

/// The text that describes changes.
final class ChangeText {
    /// The maximum number of code units that are shown of a string that differs.
    static let longestExcerpt = 60

    private let difference: Difference
    private let locations: ComparedAddresses
    private let abbreviators: Sides<ValueAbbreviator>
    private let addresses: ChangeAddresses
    private var excerpts: Excerpts
    /// The latest address of a container, with the number of its node.
    private var latestContainer: (node: Int, address: String)?
    /// The address at which each unpaired object was first mentioned, by identity.
    private var first = Sides { _ in [ViewID: String]() }

    init(_ difference: Difference) {
        self.difference = difference
        locations = ComparedAddresses(difference)
        addresses = .shown(difference)
        abbreviators = Sides { ValueAbbreviator(of: difference.view($0)) }
        excerpts = Excerpts(size: difference.before.document.imageSize + difference.after.document.imageSize)
    }

    // MARK: Addresses

    /// Returns the address of a change:
    ///
    ///     /root/name                                       of most changes
    ///     /root/list/1 → /root/list/4                      of a value that moved
    ///     /root/list/0/name (was at /root/list/1/name)     of a value in a container that moved
    func address(of change: Change) -> String {
        let (x, y) = (addresses.address(of: change, .before), addresses.address(of: change, .after))
        guard let x, let y, x != y else { return shown(y ?? x ?? [], change) }
        guard change.kind != .moved else { return shown(x, change) + " → " + shown(y, change) }
        return shown(y, change) + " (was at \(shown(x, change)))"
    }

    /// Returns the text of an address, followed by `/…` if the address was cut.
    private func shown(_ address: [UInt8], _ change: Change) -> String {
        guard !address.isEmpty else { return JSONPointer.root.description }
        let rest = difference.depth(of: change) > Difference.defaultMaxTokens ? "/…" : ""
        return String(decoding: address, as: UTF8.self) + rest
    }

    private func shown(_ address: JSONPointer, _ change: Change) -> String {
        shown(address == .root ? [] : Array(address.description.utf8), change)
    }

    /// Returns the address of a change's container: `/root`, or `/list/1 → /list/4` if the container moved.
    func container(of change: Change) -> String {
        guard let place = difference.site(of: change) else { return address(of: change) }
        let isPair = place.node < difference.pairs.count
        guard isPair, place.positionBefore != nil || place.positionAfter != nil else { return address(of: change) }
        // Many changes may be in a container with a long address.
        if let latest = latestContainer, latest.node == place.node { return latest.address }
        let container = Sides { difference.address(ofPair: place.node, $0) }
        let isMoved = container.before != container.after
        let address = (isMoved ? shown(container.before, change) + " → " : "") + shown(container.after, change)
        latestContainer = (place.node, address)
        return address
    }

    /// Returns the last step of a change's address: `health`, or `1 → 4` for a value that moved. Empty for the root.
    func label(of change: Change) -> String {
        guard let place = difference.site(of: change) else { return "" }
        let labels = Sides { side in place.position(side).map { label($0, of: place, side, isWhole: true) } }
        let distinct = change.kind == .moved && labels.before != labels.after
        return distinct
            ? [labels.before, labels.after].compactMap(\.self).joined(separator: " → ")
            : labels.after ?? labels.before ?? ""
    }

    // MARK: Descriptions

    /// Describes a change: `100 → 64`, `type integer → real: 42 → 42.0`, `stored in place → as an object: 42`.
    func words(_ change: Change) -> String { description(change).text }

    /// Returns the parts of the description of a change.
    func description(_ change: Change) -> ChangeDescription {
        switch change.kind {
        case .added: ChangeDescription(value(change, .after), on: .after)
        case .removed: ChangeDescription(value(change, .before), on: .before)
        case .changed: values(change).appending(storage(change))
        case .type: values(change).prefixed(by: types(change) + ": ").appending(storage(change))
        case .storage: values(change).prefixed(by: (storage(change) ?? "stored") + ": ")
        case .class: classes(change)
        case .moved: ChangeDescription(change.after.map { abbreviators.after.line($0) }, on: .after)
        case .shared: ChangeDescription(sharing(change))
        }
    }

    /// Returns the value on one side, and the address of its object if the other side has that object, too.
    private func value(_ change: Change, _ side: Side) -> String {
        guard let id = change.value(side) else { return "" }
        return abbreviators[side].line(id)
            + (locations.otherAddress(of: change, side).map { ", the object at \($0)" } ?? "")
    }

    /// Returns the values before and after, each with the last step of its address.
    func columns(_ change: Change) -> Sides<String> {
        let place = difference.site(of: change)
        let strings = change.kind == .changed ? strings(of: change).map { excerpts.strings($0, $1) } : nil
        return Sides { side in
            guard let id = change.value(side) else { return "" }
            let label = label(place, side)
            if change.kind == .class { return label + "class " + difference.view(side).classOrType(of: id) }
            let storage = difference.changesStorage(change) ? ", " + difference.view(side).storageName(of: id) : ""
            guard let strings else { return label + type(change, side) + value(change, side) + storage }
            return label + strings.place + strings.values[side] + storage
        }
    }

    /// Returns the type of a value that looks like the other side's, but differs in type or width: `real32 0.5`.
    private func type(_ change: Change, _ side: Side) -> String {
        guard change.kind == .type || change.kind == .storage, value(change, .before) == value(change, .after),
            let types = names(change, ObjectView.typeName(of:)), types.before != types.after
        else { return "" }
        return types[side] + " "
    }

    private func label(_ site: ChangeSite?, _ side: Side) -> String {
        guard let site, let position = site.position(side) else { return "" }
        return label(position, of: site, side) + ": "
    }

    private func label(_ position: Int, of site: ChangeSite, _ side: Side, isWhole: Bool = false) -> String {
        let key = difference.view(side).item(position, of: site.container(side)).key
        return abbreviators[side].label(position, key, isWhole: isWhole)
    }

    /// Returns both values of a change if they are strings.
    private func strings(of change: Change) -> (StoredString, StoredString)? {
        guard change.kind == .changed, let a = change.before.flatMap(difference.before.text),
            let b = change.after.flatMap(difference.after.text)
        else { return nil }
        return (a, b)
    }

    /// Returns both values, as in `100 → 64`, or one value if both look the same.
    private func values(_ change: Change) -> ChangeDescription {
        if let excerpt = excerpt(change) { return excerpt }
        let (x, y) = (value(change, .before), value(change, .after))
        if x == y, change.kind != .changed { return ChangeDescription(x, on: .after) }
        var description = ChangeDescription(x, on: .before)
        description.values.after = x == y ? "another " + y : y
        return description
    }

    /// Returns the part in which two strings or data values differ, or nil for other values.
    private func excerpt(_ change: Change) -> ChangeDescription? {
        if let strings = strings(of: change) {
            let excerpt = excerpts.strings(strings.0, strings.1)
            var description = ChangeDescription(excerpt.place)
            description.values = Sides { excerpt.values[$0] }
            if Self.areEquivalent(strings.0, strings.1) {
                description = description.appending("differs only in Unicode normalization")
            }
            return description
        }
        guard change.kind == .changed, let x = change.before, let y = change.after,
            case .data(let a)? = difference.before.scalar(x), case .data(let b)? = difference.after.scalar(y)
        else { return nil }
        return ChangeDescription(excerpts.data(a, b))
    }

    /// Whether two strings look the same, because they differ only in the code points of characters such as é. Long
    /// strings are not compared.
    private static func areEquivalent(_ a: StoredString, _ b: StoredString) -> Bool {
        guard max(a.count, b.count) <= maxCompared, !a.hasSameUnits(as: b),
            let x = String(validating: Array(a), as: UTF16.self),
            let y = String(validating: Array(b), as: UTF16.self)
        else { return false }
        // `String` compares characters, not code units.
        return x == y
    }

    private static let maxCompared = 1000

    /// Returns the name of each value of a change, such as its type, or nil if the change has only one value.
    private func names(_ change: Change, _ name: (ObjectView) -> (ViewID) -> String) -> Sides<String>? {
        guard change.before != nil, change.after != nil else { return nil }
        return Sides { side in change.value(side).map(name(difference.view(side))) ?? "" }
    }

    /// Returns `type integer → real`.
    private func types(_ change: Change) -> String {
        names(change, ObjectView.typeName(of:)).map { "type \($0.before) → \($0.after)" } ?? "type"
    }

    /// Returns `stored in place → as an object`, `stored real32 → real`, or nil if the storage is the same.
    private func storage(_ change: Change) -> String? {
        guard difference.changesStorage(change) else {
            guard change.kind == .storage else { return nil }
            return names(change, ObjectView.typeName(of:)).map { "stored \($0.before) → \($0.after)" }
        }
        return names(change, ObjectView.storageName(of:)).map { "stored \($0.before) → \($0.after)" }
    }

    /// Returns `class Player → Boss`, followed by the values if the objects represent single values.
    private func classes(_ change: Change) -> ChangeDescription {
        guard var classes = names(change, ObjectView.classOrType(of:)) else { return ChangeDescription("class") }
        // Two spellings of one Swift class look the same except for their stored names.
        if classes.before == classes.after { classes = names(change, ObjectView.storedClassOrType(of:)) ?? classes }
        let isScalar = change.after.flatMap(difference.after.scalar) != nil
        let words = "class \(classes.before) → \(classes.after)"
        return isScalar ? values(change).prefixed(by: words + ": ") : ChangeDescription(words)
    }

    /// Describes the object that a slot refers to now, and the one that it referred to before.
    private func sharing(_ change: Change) -> String {
        let object = Sides { self.object(of: change, $0) }
        return "now " + (object.after.map { "the object at \($0)" } ?? "an object of its own") + ", was "
            + (object.before.map { "the object at \($0)" } ?? "an object of its own")
    }

    /// Returns the address of a side's object, or of its first mention; nil if this is the first mention.
    private func object(of change: Change, _ side: Side) -> String? {
        if let place = locations.otherAddress(of: change, side) { return place.description }
        guard let id = change.value(side) else { return nil }
        if let first = first[side][id] { return first }
        first[side][id] = address(of: change)
        return nil
    }
}

extension Change.Kind {
    /// The character before a change of this kind.
    var marker: Character {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed, .type, .storage, .class: "~"
        case .moved: ">"
        case .shared: "="
        }
    }

    var textRole: TextRole {
        switch self {
        case .added: .added
        case .removed: .removed
        case .changed, .type, .storage, .class: .changed
        case .moved, .shared: .key
        }
    }
}

/// Excerpts of two long values, from the point where they differ:
///
///     at 1204: …"the quick brown fox"… → …"the quick red fox"…
///     data, 20 bytes → data, 24 bytes, from byte 12: 0A 0B → 0F 10 …
private struct Excerpts {
    private static let longest = ChangeText.longestExcerpt
    /// The number of equal code units that an excerpt of a string shows before the difference.
    private static let surroundings = 16

    /// The number of units that may still be compared. A hostile file can refer to a few long strings many times.
    private var allowed: Int

    /// - Parameter size: The size of the compared documents, in bytes.
    init(size: Int) {
        allowed = (64 << 20) + 16 * size
    }

    /// Returns excerpts of two different strings. If the excerpts do not begin at the start of the strings, also
    /// returns a note of the offset. If the strings are equal from some point on and the excerpts reach it, both end at
    /// the same point, so that the difference of their words is only in the text that differs.
    mutating func strings(_ a: StoredString, _ b: StoredString) -> (place: String, values: Sides<String>) {
        guard max(a.count, b.count) > Self.longest else {
            return ("", Sides { TruncatedText.string($0 == .before ? a : b) })
        }
        let same = commonPrefix(min(a.count, b.count)) { a[$0] == b[$0] }
        let start = same <= Self.surroundings + 1 ? 0 : same - Self.surroundings
        let place = start > 0 ? "at \(same): " : ""
        let tail = commonPrefix(min(a.count, b.count) - same) { a[a.count - 1 - $0] == b[b.count - 1 - $0] }
        let room = Self.longest - (max(a.count, b.count) - tail - start)
        return (
            place,
            Sides { side in
                let text = side == .before ? a : b
                let end = room > 0 ? text.count - tail + min(room, tail) : start + Self.longest
                return Self.window(text, from: start, to: end)
            }
        )
    }

    /// Describes two different data values.
    mutating func data(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> String {
        let same = commonPrefix(min(a.count, b.count)) { a[a.startIndex + $0] == b[b.startIndex + $0] }
        let sizes = [a, b].map { "data, " + Phrase.count($0.count, "byte") }
        let octets = [a, b].map { $0.count > same ? TruncatedText.data($0.dropFirst(same)) : "end" }
        return sizes.joined(separator: " → ") + ", from byte \(same): " + octets.joined(separator: " → ")
    }

    /// Returns the length of the common prefix. Stops comparing when the budget is used up.
    private mutating func commonPrefix(_ count: Int, _ isSame: (Int) -> Bool) -> Int {
        let most = min(count, max(allowed, 0))
        var same = 0
        while same < most, isSame(same) { same += 1 }
        allowed -= same
        return same
    }

    /// Returns an excerpt of a string that does not begin within a surrogate pair.
    private static func window(_ text: StoredString, from start: Int, to end: Int) -> String {
        var start = min(start, text.count)
        if start > 0, start < text.count, UTF16.isTrailSurrogate(text[start]) { start -= 1 }
        return (start > 0 ? "…" : "") + TruncatedText.string(text.dropFirst(start), longest: end - start)
    }
}
