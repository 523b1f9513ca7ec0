import KeyedArchives
import SaveCodec

/// The containers of a JSON text that only repeat the present value of their slot, so that they need not be read.
///
///     now   scores: [{Ada, 100}, {Bob, 200}]   given   {"scores": [{Ada, 100}, {Bob, 201}]}   scores/0 is unchanged
///
/// Only obvious cases count: members in the present order, no `$id`, `$ref` or similar, and no shared containers, which
/// the text may show differently elsewhere.
///
/// The walk is iterative and compares each value of the text once.
struct UnchangedValues {
    /// The index of the present value of each unchanged container of the text, by the index of the container.
    private var present: NumberTable

    /// A container of the text and the present container of its slot.
    private struct Pair {
        let given: ObjectID
        let stored: StoredObject
        let present: ViewID
        let contents: ViewContents
        /// The position of the given `$class`; `stored.count` if no class is given.
        let classMember: Int
        /// Whether the present container or one around it is shared, so that the text may also show it elsewhere.
        let isShared: Bool
        var next = 0
        var isUnchanged = true

        /// The number of members to compare.
        var count: Int { min(stored.count - (classMember < stored.count ? 1 : 0), contents.count) }
    }

    init() {
        present = NumberTable(count: 0)
    }

    /// Compares a text with the present value of its slot in a draft.
    init(comparing text: Document, from root: ObjectID, with value: ViewID, in draft: borrowing Draft) {
        let view = draft.view
        present = NumberTable(count: text.count)
        var path: [Pair] = []
        if let pair = Self.pair(root, of: text, with: value, in: draft, isShared: false) { path.append(pair) }
        while var pair = path.popLast() {
            if pair.next == pair.count {
                pair.isUnchanged = pair.isUnchanged && !pair.isShared
                if pair.isUnchanged { present[pair.given.index] = pair.present.index }
                if let last = path.indices.last, !pair.isUnchanged { path[last].isUnchanged = false }
                continue
            }
            let position = pair.next < pair.classMember ? pair.next : pair.next + 1
            let item = view.item(pair.next, of: pair.contents)
            pair.next += 1
            let hasKey =
                item.key.map { key in
                    Self.isSame(text.key(position, of: pair.stored), of: text, as: key, in: view)
                } ?? true
            guard hasKey, case let given = text.member(position, of: pair.stored) else {
                pair.isUnchanged = false
                path.append(pair)
                continue
            }
            var child: Pair?
            if view.scalar(item.id) != nil {
                pair.isUnchanged = pair.isUnchanged && Self.isSame(given, of: text, as: item.id, in: view)
            } else {
                child = Self.pair(given, of: text, with: item.id, in: draft, isShared: pair.isShared)
                pair.isUnchanged = pair.isUnchanged && child != nil
            }
            path.append(pair)
            if let child { path.append(child) }
        }
    }

    /// Whether a container of the text only repeats a present value.
    func repeats(_ given: ObjectID, value: Draft.ID) -> Bool { present[given.index] == value.index }

    /// Returns the pair of a container of the text and a present value; nil if the kinds or classes differ, or if the
    /// value was edited.
    private static func pair(
        _ given: ObjectID, of text: Document, with value: ViewID, in draft: borrowing Draft, isShared: Bool
    ) -> Pair? {
        let view = draft.view
        let stored = text.object(given)
        guard !draft.isEdited(value), let container = view.container(value), mayBe(stored.kind, container.variant)
        else {
            return nil
        }
        var classMember = stored.count
        if view.archive != nil, stored.kind == .dictionary {
            let object = GraphJSONObject(given, in: text)
            if object.dataCount < object.count {
                guard object.hasOnly([.className]), object.dataCount == object.count - 1,
                    let label = object[.className].flatMap(text.text), let position = object.position(of: .className),
                    let name = container.classPosition.flatMap({ view.archive?.classes[$0].name }),
                    label.elementsEqual(name)
                else { return nil }
                classMember = position
            }
        }
        var pair = Pair(
            given: given, stored: stored, present: value, contents: container.contents, classMember: classMember,
            isShared: isShared || view.graph.isShared(value))
        let count = stored.count - (classMember < stored.count ? 1 : 0)
        pair.isUnchanged = count == container.contents.count
        return pair
    }

    /// Whether a container of the text may represent a present container. Plain JSON represents sets as arrays.
    private static func mayBe(_ kind: StoredObject.Kind, _ variant: ViewValue.Variant) -> Bool {
        switch (kind, variant) {
        case (.array, .array), (.array, .set), (.set, .set), (.dictionary, .dictionary), (.dictionary, .object): true
        default: false
        }
    }

    /// Whether a scalar of the text equals a present one, exactly or in plain JSON.
    private static func isSame(
        _ given: ObjectID, of text: Document, as value: ViewID, in view: ObjectView
    ) -> Bool {
        guard !text.object(given).kind.isContainer, let present = view.scalar(value) else { return false }
        let node = text[given]
        return node.isIdentical(to: present) || node.isPlain(of: present)
    }
}
