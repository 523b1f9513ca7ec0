import KeyedArchives
import SaveCodec
import SaveOperations

/// Changes in words.
final class ChangeText {
    private let difference: Difference
    private let places: ComparedAddresses
    private let abbreviations: Sides<Abbreviation>
    private let addresses: ChangeAddresses
    private var excerpts: Excerpts
    /// Where objects were told first that were not compared with another, by identity.
    private var first = Sides { _ in [ViewID: String]() }

    init(_ difference: Difference) {
        self.difference = difference
        places = ComparedAddresses(difference)
        addresses = .shown(difference)
        abbreviations = Sides { Abbreviation(of: difference.view($0)) }
        excerpts = Excerpts(size: difference.before.document.imageSize + difference.after.document.imageSize)
    }

    // MARK: Addresses

    /// Where a change is: `/root/name`, of what moved `/root/list/1 → /root/list/4`, and of what was elsewhere before, as
    /// something around it moved up or down, `/root/list/0/name (was at /root/list/1/name)`.
    func address(of change: Change) -> String {
        let (x, y) = (addresses.address(of: change, .before), addresses.address(of: change, .after))
        guard let x, let y, x != y else { return shown(y ?? x ?? [], change) }
        guard change.kind != .moved else { return shown(x, change) + " → " + shown(y, change) }
        return shown(y, change) + " (was at \(shown(x, change)))"
    }

    /// An address of a change; of a long one the beginning.
    private func shown(_ address: [UInt8], _ change: Change) -> String {
        guard !address.isEmpty else { return JSONPointer.root.description }
        let rest = difference.depth(of: change) > Difference.usualSteps ? "/…" : ""
        return String(decoding: address, as: UTF8.self) + rest
    }

    private func shown(_ address: JSONPointer, _ change: Change) -> String {
        shown(address == .root ? [] : Array(address.description.utf8), change)
    }

    /// Where the container of a change is: `/root`, and if it moved `/list/1 → /list/4`.
    func container(of change: Change) -> String {
        guard let place = difference.place(of: change) else { return address(of: change) }
        let isPair = place.node < difference.pairs.count
        guard isPair, place.positionBefore != nil || place.positionAfter != nil else { return address(of: change) }
        let container = Sides { difference.address(ofPair: place.node, $0) }
        if container.before == container.after { return shown(container.after, change) }
        return shown(container.before, change) + " → " + shown(container.after, change)
    }

    // MARK: What happened

    /// What happened there: `100 → 64`, `type integer → real: 42 → 42.0`, `stored in place → as an object: 42`.
    func words(_ change: Change) -> String {
        switch change.kind {
        case .added: value(change, .after)
        case .removed: value(change, .before)
        case .changed: values(change) + (storage(change).map { ", " + $0 } ?? "")
        case .type: types(change) + ": " + values(change) + (storage(change).map { ", " + $0 } ?? "")
        case .storage: (storage(change) ?? "stored") + ": " + values(change)
        case .class: classes(change)
        case .moved: change.after.map { abbreviations.after.line($0) } ?? ""
        case .shared: sharing(change)
        }
    }

    /// The value on a side, and where its object is if that is on the other side, too.
    private func value(_ change: Change, _ side: Side) -> String {
        guard let id = change.value(side) else { return "" }
        return abbreviations[side].line(id) + (places.place(change, side).map { ", the object at \($0)" } ?? "")
    }

    /// What is before and what after, with the last step of the address.
    func columns(_ change: Change) -> Sides<String> {
        let place = difference.place(of: change)
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

    /// The type of a value that looks like another of another type or width: `real32 0.5`.
    private func type(_ change: Change, _ side: Side) -> String {
        guard change.kind == .type || change.kind == .storage, value(change, .before) == value(change, .after),
            let types = names(change, ObjectView.typeName(of:)), types.before != types.after
        else { return "" }
        return types[side] + " "
    }

    private func label(_ place: ComparedSlots?, _ side: Side) -> String {
        guard let place, let position = place.position(side) else { return "" }
        let key = difference.view(side).item(position, of: place.container(side)).key
        return abbreviations[side].label(position, key) + ": "
    }

    /// The strings of a change of one.
    private func strings(of change: Change) -> (StoredString, StoredString)? {
        guard change.kind == .changed, let a = change.before.flatMap(difference.before.text),
            let b = change.after.flatMap(difference.after.text)
        else { return nil }
        return (a, b)
    }

    /// `100 → 64`; one value if both look the same.
    private func values(_ change: Change) -> String {
        if let excerpt = excerpt(change) { return excerpt }
        let (x, y) = (value(change, .before), value(change, .after))
        if x != y { return x + " → " + y }
        return change.kind == .changed ? x + " → another " + y : x
    }

    /// Of two strings, or data, where they differ.
    private func excerpt(_ change: Change) -> String? {
        if let strings = strings(of: change) {
            let excerpt = excerpts.strings(strings.0, strings.1)
            return excerpt.place + excerpt.values.before + " → " + excerpt.values.after
        }
        guard change.kind == .changed, let x = change.before, let y = change.after,
            case .data(let a)? = difference.before.scalar(x), case .data(let b)? = difference.after.scalar(y)
        else { return nil }
        return excerpts.data(a, b)
    }

    /// What both sides of a change are called; nil where it has one side only.
    private func names(_ change: Change, _ name: (ObjectView) -> (ViewID) -> String) -> Sides<String>? {
        guard change.before != nil, change.after != nil else { return nil }
        return Sides { side in change.value(side).map(name(difference.view(side))) ?? "" }
    }

    /// `type integer → real`.
    private func types(_ change: Change) -> String {
        names(change, ObjectView.typeName(of:)).map { "type \($0.before) → \($0.after)" } ?? "type"
    }

    /// `stored in place → as an object`, `stored real32 → real`; nil if it is stored as before.
    private func storage(_ change: Change) -> String? {
        guard difference.changesStorage(change) else {
            guard change.kind == .storage else { return nil }
            return names(change, ObjectView.typeName(of:)).map { "stored \($0.before) → \($0.after)" }
        }
        return names(change, ObjectView.storageName(of:)).map { "stored \($0.before) → \($0.after)" }
    }

    /// `class Player → Boss`, and of what stands for a single value that.
    private func classes(_ change: Change) -> String {
        guard let classes = names(change, ObjectView.classOrType(of:)) else { return "class" }
        let isScalar = change.after.flatMap(difference.after.scalar) != nil
        return "class \(classes.before) → \(classes.after)" + (isScalar ? ": " + values(change) : "")
    }

    /// Which object a slot refers to now, and which it did.
    private func sharing(_ change: Change) -> String {
        let object = Sides { self.object(of: change, $0) }
        return "now " + (object.after.map { "the object at \($0)" } ?? "an object of its own") + ", was "
            + (object.before.map { "that at \($0)" } ?? "one of its own")
    }

    /// Where the object of a side is, or was shown before; nil if this is the first time.
    private func object(of change: Change, _ side: Side) -> String? {
        if let place = places.place(change, side) { return place.description }
        guard let id = change.value(side) else { return nil }
        if let first = first[side][id] { return first }
        first[side][id] = address(of: change)
        return nil
    }
}

extension Change.Kind {
    /// What stands before a change of this kind.
    var marker: Character {
        switch self {
        case .added: "+"
        case .removed: "-"
        case .changed, .type, .storage, .class: "~"
        case .moved: ">"
        case .shared: "="
        }
    }

    var ink: Ink {
        switch self {
        case .added: .added
        case .removed: .removed
        case .changed, .type, .storage, .class: .changed
        case .moved, .shared: .key
        }
    }
}

/// Two long values, where they differ.
///
///     at 1204: …"the quick brown fox"… → …"the quick red fox"…
///     data, 20 bytes → data, 24 bytes, from byte 12 on 0A 0B → 0F 10 …
private struct Excerpts {
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
    mutating func strings(_ a: StoredString, _ b: StoredString) -> (place: String, values: Sides<String>) {
        guard max(a.count, b.count) > Self.longest else {
            return ("", Sides { Shortened.string($0 == .before ? a : b) })
        }
        let same = commonPrefix(min(a.count, b.count)) { a[$0] == b[$0] }
        let start = same <= Self.surroundings + 1 ? 0 : same - Self.surroundings
        let place = start > 0 ? "at \(same): " : ""
        return (place, Sides { Self.window($0 == .before ? a : b, from: start) })
    }

    /// Data that differs.
    mutating func data(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> String {
        let same = commonPrefix(min(a.count, b.count)) { a[a.startIndex + $0] == b[b.startIndex + $0] }
        let sizes = [a, b].map { "data, " + Counted.of($0.count, "byte") }
        let octets = [a, b].map { $0.count > same ? Shortened.data($0.dropFirst(same)) : "end" }
        return sizes.joined(separator: " → ") + ", from byte \(same) on " + octets.joined(separator: " → ")
    }

    /// How far two values are known to be the same.
    private mutating func commonPrefix(_ count: Int, _ isSame: (Int) -> Bool) -> Int {
        let most = min(count, max(allowed, 0))
        var same = 0
        while same < most, isSame(same) { same += 1 }
        allowed -= same
        return same
    }

    /// A part of a string, which does not begin within a surrogate pair.
    private static func window(_ text: StoredString, from start: Int) -> String {
        var start = min(start, text.count)
        if start > 0, start < text.count, UTF16.isTrailSurrogate(text[start]) { start -= 1 }
        return (start > 0 ? "…" : "") + Shortened.string(text.dropFirst(start), longest: longest)
    }
}
