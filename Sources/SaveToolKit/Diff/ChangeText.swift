import KeyedArchive
import SaveCodec
import SaveOperations

/// Changes in words.
struct ChangeText {
    private let difference: Difference
    private let places: ObjectPlaces
    private var before: Abbreviation
    private var after: Abbreviation
    private var excerpts: Excerpts
    private var addresses: ChangeAddresses
    /// Where objects were told first that were not compared with another, by identity.
    private var firstAfter: [ViewID: String] = [:]
    private var firstBefore: [ViewID: String] = [:]

    init(_ difference: Difference) {
        self.difference = difference
        places = ObjectPlaces(difference)
        addresses = .shown(difference)
        before = Abbreviation(of: difference.before)
        after = Abbreviation(of: difference.after)
        excerpts = Excerpts(size: difference.before.document.imageSize + difference.after.document.imageSize)
    }

    // MARK: Addresses

    /// What the root is called.
    static let root = "(root)"

    /// Where a change is: `/root/name`, and of what moved `/root/list/1 → /root/list/4`.
    mutating func address(of change: Change) -> String {
        let (x, y) = (addresses.before(change), addresses.after(change))
        guard change.kind == .moved, let x, let y else { return shown(y ?? x ?? [], change) }
        return shown(x, change) + " → " + shown(y, change)
    }

    /// An address of a change; of a long one the beginning. The root is no address, as `/` is that of the empty key.
    private func shown(_ address: [UInt8], _ change: Change) -> String {
        guard !address.isEmpty else { return Self.root }
        let rest = difference.depth(of: change) > Difference.usualSteps ? "/…" : ""
        return String(decoding: address, as: UTF8.self) + rest
    }

    private func shown(_ address: Address, _ change: Change) -> String {
        shown(address == .root ? [] : Array(address.description.utf8), change)
    }

    /// Where the container of a change is: `/root`, and if it moved `/list/1 → /list/4`.
    mutating func container(of change: Change) -> String {
        guard let place = difference.place(of: change) else { return Self.root }
        let isPair = place.node < difference.pairs.count
        guard isPair, place.positionBefore != nil || place.positionAfter != nil else { return address(of: change) }
        let (x, y) = (
            difference.addressBefore(ofPair: place.node, steps: Difference.usualSteps),
            difference.addressAfter(ofPair: place.node, steps: Difference.usualSteps)
        )
        return x == y ? shown(y, change) : shown(x, change) + " → " + shown(y, change)
    }

    // MARK: What happened

    /// What happened there: `100 → 64`, `type integer → real: 42 → 42.0`.
    mutating func words(_ change: Change) -> String {
        switch change.kind {
        case .added: return valueAfter(change)
        case .removed: return valueBefore(change)
        case .changed: return values(change)
        case .type: return types(change) + ": " + values(change)
        case .class: return classes(change)
        case .moved: return change.after.map { after.line($0) } ?? ""
        case .shared: return sharing(change)
        }
    }

    /// The value before, and where its object is if that is still there.
    mutating func valueBefore(_ change: Change) -> String {
        guard let id = change.before else { return "" }
        return before.line(id) + (places.before(change).map { ", the object at \($0)" } ?? "")
    }

    /// The value after, and where its object is if that was there before.
    mutating func valueAfter(_ change: Change) -> String {
        guard let id = change.after else { return "" }
        return after.line(id) + (places.after(change).map { ", the object at \($0)" } ?? "")
    }

    /// What is before and what after, with the last step of the address.
    mutating func columns(_ change: Change) -> (before: String, after: String) {
        let place = difference.place(of: change)
        let (x, y) = (label(place, isAfter: false), label(place, isAfter: true))
        switch change.kind {
        case .added: return ("", y + valueAfter(change))
        case .removed: return (x + valueBefore(change), "")
        case .class:
            guard let a = change.before, let b = change.after else { return ("", "") }
            let names = (TypeName.class(of: a, in: before.view), TypeName.class(of: b, in: after.view))
            return (x + "class " + names.0, y + "class " + names.1)
        case .changed, .type, .moved, .shared:
            guard let strings = strings(of: change) else { return (x + valueBefore(change), y + valueAfter(change)) }
            let (place, before, after) = excerpts.strings(strings.0, strings.1)
            return (x + place + before, y + place + after)
        }
    }

    private func label(_ place: ChangePlace?, isAfter: Bool) -> String {
        guard let place, let position = isAfter ? place.positionAfter : place.positionBefore else { return "" }
        let key = difference.items(of: place, isAfter: isAfter).key(position)
        return (isAfter ? after : before).label(position, key) + ": "
    }

    /// The strings of a change of one.
    private func strings(of change: Change) -> (Text, Text)? {
        guard change.kind == .changed, let a = change.before.flatMap(difference.before.text),
            let b = change.after.flatMap(difference.after.text)
        else { return nil }
        return (a, b)
    }

    /// `100 → 64`; one value if both look the same.
    private mutating func values(_ change: Change) -> String {
        if let excerpt = excerpt(change) { return excerpt }
        let (x, y) = (valueBefore(change), valueAfter(change))
        if x != y { return x + " → " + y }
        return change.kind == .changed ? x + " → another " + y : x
    }

    /// Of two strings, or data, where they differ.
    private mutating func excerpt(_ change: Change) -> String? {
        if let strings = strings(of: change) {
            let (place, before, after) = excerpts.strings(strings.0, strings.1)
            return place + before + " → " + after
        }
        guard change.kind == .changed, let x = change.before, let y = change.after,
            case .data(let a)? = difference.before.scalar(x), case .data(let b)? = difference.after.scalar(y)
        else { return nil }
        return excerpts.data(a, b)
    }

    /// `type integer → real`, `type integer in place → integer object`.
    private func types(_ change: Change) -> String {
        guard let x = change.before, let y = change.after else { return "type" }
        let types = (TypeName.type(of: x, in: difference.before), TypeName.type(of: y, in: difference.after))
        if types.0 != types.1 { return "type \(types.0) → \(types.1)" }
        let storage = (TypeName.storage(of: x, in: difference.before), TypeName.storage(of: y, in: difference.after))
        return "type \(types.0) \(storage.0) → \(types.1) \(storage.1)"
    }

    /// `class Player → Boss`, and of what stands for a single value that.
    private mutating func classes(_ change: Change) -> String {
        guard let x = change.before, let y = change.after else { return "class" }
        let (a, b) = (TypeName.class(of: x, in: difference.before), TypeName.class(of: y, in: difference.after))
        let isScalar = difference.after.scalar(y) != nil
        return "class \(a) → \(b)" + (isScalar ? ": " + values(change) : "")
    }

    /// Which object a slot refers to now, and which it did.
    private mutating func sharing(_ change: Change) -> String {
        let before = places.before(change)?.description ?? Self.first(change.before, address(of: change), &firstBefore)
        let after = places.after(change)?.description ?? Self.first(change.after, address(of: change), &firstAfter)
        return "now " + (after.map { "the object at \($0)" } ?? "an object of its own") + ", was "
            + (before.map { "that at \($0)" } ?? "one of its own")
    }

    /// Where an object was shown before, if it was.
    private static func first(_ id: ViewID?, _ address: String, _ known: inout [ViewID: String]) -> String? {
        guard let id else { return nil }
        if let first = known[id] { return first }
        known[id] = address
        return nil
    }
}

extension Change.Kind {
    /// What stands before a change of this kind.
    var marker: Character {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed, .type, .class: "~"
        case .moved: ">"
        case .shared: "="
        }
    }

    var ink: Ink {
        switch self {
        case .added: .added
        case .removed: .removed
        case .changed, .type, .class: .changed
        case .moved, .shared: .key
        }
    }
}

/// Two long values, where they differ.
///
///     at 1204: …"the quick brown fox"… → …"the quick red fox"…
///     data, 20 bytes → data, 24 bytes, from byte 12 on 0A 0B → 0F 10 …
struct Excerpts {
    /// As many units of a string are shown, and so many of them that are the same.
    private static let longest = 60
    private static let surroundings = 16

    /// How much may be compared. A hostile file refers to a few long strings from everywhere.
    private var allowed: Int

    /// - Parameter size: the size of what is compared, in bytes.
    init(size: Int) {
        allowed = (64 << 20) + 16 * size
    }

    /// Two strings that differ, and where the excerpts are from if not from the beginning.
    mutating func strings(_ a: Text, _ b: Text) -> (place: String, before: String, after: String) {
        guard max(a.count, b.count) > Self.longest else { return ("", Shortened.string(a), Shortened.string(b)) }
        let same = commonPrefix(a.count, b.count) { a[$0] == b[$0] }
        let start = same <= Self.surroundings + 1 ? 0 : same - Self.surroundings
        let place = start > 0 ? "at \(same): " : ""
        return (place, Self.window(a, from: start), Self.window(b, from: start))
    }

    /// Data that differs.
    mutating func data(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> String {
        let same = commonPrefix(a.count, b.count) { a[a.startIndex + $0] == b[b.startIndex + $0] }
        let sizes = [a, b].map { "data, " + Counted.of($0.count, "byte") }
        let octets = [a, b].map { $0.count > same ? Shortened.data($0.dropFirst(same)) : "end" }
        return sizes.joined(separator: " → ") + ", from byte \(same) on " + octets.joined(separator: " → ")
    }

    /// How far two values are known to be the same.
    private mutating func commonPrefix(_ a: Int, _ b: Int, _ isSame: (Int) -> Bool) -> Int {
        let most = min(a, b, max(allowed, 0))
        var same = 0
        while same < most, isSame(same) { same += 1 }
        allowed -= same
        return same
    }

    /// A part of a string, which does not begin within a surrogate pair.
    private static func window(_ text: Text, from start: Int) -> String {
        var start = min(start, text.count)
        if start > 0, start < text.count, UTF16.isTrailSurrogate(text[start]) { start -= 1 }
        return (start > 0 ? "…" : "") + Shortened.string(text.dropFirst(start), longest: longest)
    }
}
