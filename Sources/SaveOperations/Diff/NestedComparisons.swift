import KeyedArchives
import SaveCodec

/// The comparisons of saves that are stored in values, each made once.
///
///     before  /savedGame  data ─▶ the save in it  ─┐
///                                                  ├─▶ what is different, at /savedGame/root/health
///     after   /savedGame  data ─▶ the save in it  ─┘
struct NestedComparisons {
    /// Where two views are within others.
    struct Place {
        /// The patterns, and how far they have come.
        let patterns: PointerPatternMatcher
        let state: Int
        let room: Room
    }

    /// How many bytes of nested saves may still be compared: one may be referred to from everywhere, and differ from
    /// another everywhere.
    final class Room {
        private var left: Int

        init(_ before: ObjectView, _ after: ObjectView) {
            left = 64 << 20 + 16 * (before.document.imageSize + after.document.imageSize)
        }

        fileprivate func take(_ bytes: Int) -> Bool {
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
    }

    fileprivate struct Pair: Hashable {
        let before: ViewID
        let after: ViewID
        let state: Int
    }

    fileprivate let room: Room
    fileprivate var numbers: [Pair: Int?] = [:]
    fileprivate(set) var differences: [Difference] = []
    /// The slots at which saves are the same by meaning and other data holds them.
    fileprivate(set) var sameSaves: [Comparison.Record] = []

    init(_ room: Room) {
        self.room = room
    }
}

extension Comparison {
    /// Compares the saves that two different data hold. False if they do not hold one each.
    mutating func compareSaves(_ x: ViewID, _ y: ViewID, _ candidate: CandidatePair) -> Bool {
        guard let number = nestedDifference(x, y, candidate.state) else { return false }
        // Containers that hold versions of a save have that in common.
        nodeFacts[candidate.node].kept &+= 1
        if nested.differences[number].isEmpty {
            nested.sameSaves.append(
                Record(node: candidate.node, order: candidate.order, kind: .changed, slots: candidate.slots))
        } else {
            note(candidate, .changed, nested: number)
            addEdit(.set(before: Int(candidate.slots.before), after: Int(candidate.slots.after)), to: candidate.node)
        }
        return true
    }

    /// The number of the difference between the saves that two data hold; nil if they do not hold one each, or are stored
    /// otherwise.
    mutating func nestedDifference(_ x: ViewID, _ y: ViewID, _ state: Int) -> Int? {
        let (before, after) = (sides.before.view, sides.after.view)
        guard before.nesting != nil, after.nesting != nil, before.scalarObject(x)?.kind == .data,
            scalars.areStoredAlike(x, y)
        else { return nil }
        let pair = NestedComparisons.Pair(before: x, after: y, state: patterns.isEmpty ? 0 : state)
        if let known = nested.numbers[pair] { return known }
        nested.numbers[pair] = .some(nil)
        guard let a = try? before.nestedSave(in: x), let b = try? after.nestedSave(in: y),
            options.opensReadOnly || a.format.writing != nil && b.format.writing != nil,
            nested.room.take(a.bytes.count + b.bytes.count)
        else { return nil }
        let inside = patterns.isEmpty ? PointerPatternMatcher.start : patterns.entered(state)
        let place = NestedComparisons.Place(patterns: patterns, state: inside, room: nested.room)
        nested.differences.append(
            Difference(a.view, b.view, options: options, keepsAlignments: options.keepsAlignments, at: place))
        nested.numbers[pair] = nested.differences.count - 1
        return nested.differences.count - 1
    }
}
