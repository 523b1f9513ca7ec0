import KeyedArchives
import SaveCodec

/// The comparisons of nested saves. Each pair of values is compared once per state of the patterns.
///
///     before  /savedGame  data ─▶ nested save  ─┐
///                                               ├─▶ difference at /savedGame/root/health
///     after   /savedGame  data ─▶ nested save  ─┘
struct NestedComparisons {
    /// The context of two views in the comparison around them.
    struct Context {
        /// The pattern matcher, and its state at the roots of the views.
        let patterns: PointerPatternMatcher
        let state: Int
        let budget: ByteBudget
    }

    /// The number of bytes of nested saves that may still be compared. The limit is necessary because every slot may
    /// refer to the same save and compare it with a different one.
    final class ByteBudget {
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

    fileprivate let budget: ByteBudget
    fileprivate var numbers: [Pair: Int?] = [:]
    fileprivate(set) var differences: [Difference] = []
    /// The slots whose nested saves are equal by meaning although the bytes of their data differ.
    fileprivate(set) var equalNestedSaves: [Comparison.Record] = []

    init(_ budget: ByteBudget) {
        self.budget = budget
    }
}

extension Comparison {
    /// Compares the saves nested in two different values. Returns false if the values themselves must be compared, for
    /// example because one of them holds no save.
    mutating func compareSaves(_ x: ViewID, _ y: ViewID, at candidate: SlotCandidate) -> Bool {
        guard let number = nestedDifference(x, y, in: candidate.state) else { return false }
        // Two versions of a save count as something that their containers have in common.
        tree.countKept(of: candidate.node)
        if nested.differences[number].isEmpty {
            nested.equalNestedSaves.append(
                Record(node: candidate.node, order: candidate.order, kind: .changed, slots: candidate.positions))
        } else {
            note(candidate, .changed, nested: number)
            addEdit(
                .set(before: Int(candidate.positions.before), after: Int(candidate.positions.after)), to: candidate.node
            )
        }
        return true
    }

    /// Returns the index of the difference between the saves nested in two values; nil if the values themselves must be
    /// compared: one holds no save, they are stored in different ways, their texts differ only in white space and
    /// spellings, or the saves exceed the ``NestedComparisons/ByteBudget``.
    mutating func nestedDifference(_ x: ViewID, _ y: ViewID, in state: Int) -> Int? {
        let (before, after) = (sides.before.view, sides.after.view)
        guard before.nesting != nil, after.nesting != nil, before.mayHoldSave(x), scalars.areStoredAlike(x, y) else {
            return nil
        }
        let pair = NestedComparisons.Pair(before: x, after: y, state: patterns.isEmpty ? 0 : state)
        if let known = nested.numbers[pair] { return known }
        nested.numbers[pair] = .some(nil)
        guard let a = try? before.nestedSave(in: x), let b = try? after.nestedSave(in: y), a.isComparable(to: b),
            options.comparesReadOnlySaves || a.format.writing != nil && b.format.writing != nil,
            nested.budget.take(a.bytes.count + b.bytes.count)
        else { return nil }
        let inside = patterns.isEmpty ? PointerPatternMatcher.start : patterns.entered(state)
        let context = NestedComparisons.Context(patterns: patterns, state: inside, budget: nested.budget)
        let difference = Difference(
            a.view, b.view, options: options, keepsAlignments: options.keepsAlignments, in: context)
        if a.isJSON, !describes(difference, of: a, b) { return nil }
        nested.differences.append(difference)
        nested.numbers[pair] = nested.differences.count - 1
        return nested.differences.count - 1
    }

    /// Whether the difference between two JSON texts is reported value by value. It is not if they differ only in white
    /// space and spellings, or if they have nothing in common.
    private func describes(_ difference: Difference, of a: NestedSave, _ b: NestedSave) -> Bool {
        if difference.isEmpty, difference.equalNestedSaves.isEmpty {
            // If the texts differ with default options, the options of this comparison ignore all their differences.
            return options.ignoresValues && !Difference(a.view, b.view).isEmpty
        }
        guard !difference.replacesRoot else { return false }
        return options.acceptsTexts?(difference, a, b) ?? true
    }
}

extension Difference {
    /// Whether the two views have nothing in common.
    fileprivate var replacesRoot: Bool { changes.contains { $0.kind == .changed && $0.slots == .none } }
}
