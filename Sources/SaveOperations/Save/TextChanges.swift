import SaveCodec

/// The changes that make a text read as another document: for each container from the root, the members that stay, get
/// new values, are removed or are new.
///
/// An edited document records the origin of its members. For other documents, pairs are matched by key, and elements by
/// a common subsequence. Unmatched elements between two matched ones are paired in order.
struct TextChanges {
    private let before: Document
    private let after: Document
    private let same: EqualObjects
    /// The changes, each after the change of the enclosing container; empty if the roots are not containers of one
    /// kind.
    private(set) var list: [ContainerChange] = []
    /// The former slots of moved values. A moved value is new in its slot and equal to a value that was removed
    /// elsewhere.
    private(set) var sources: [ObjectID: ContainerChange.Source] = [:]
    /// The slots of data values that are replaced by other data, and the new values.
    private(set) var replacedData: [(old: ContainerChange.Source, new: ObjectID)] = []
    /// Whether a new value, or a value inside one, may equal a removed value.
    private var takesValues = false

    init(_ before: Document, to after: Document) {
        self.before = before
        self.after = after
        same = EqualObjects(before, after)
        let (oldRoot, newRoot) = (before.object(before.root), after.object(after.root))
        guard !isUnchanged, oldRoot.kind.isContainer, oldRoot.kind == newRoot.kind else { return }
        list.reserveCapacity(same.changedCount)
        list.append(ContainerChange(before: before.root, after: after.root, parent: nil))
        var number = 0
        while number < list.count {
            describe(number)
            number += 1
        }
        findSources()
    }

    /// Whether both documents hold the same value.
    var isUnchanged: Bool { same.areSame(before.root, after.root) }

    private mutating func describe(_ number: Int) {
        let change = list[number]
        let (oldID, newID) = (change.before, change.after)
        let (old, new) = (before.object(oldID), after.object(newID))
        var origins = same.memberOrigins(of: newID, new.count, in: oldID) ?? MemberOrigins(matched(old, new))
        if !origins.areUnmoved {
            keepRising(&origins)
            list[number].moved = moved(origins, from: old, to: new).mapValues {
                ContainerChange.Slot(change: number, position: $0)
            }
        }
        list[number].origins = origins
        let isKeyed = new.kind == .dictionary
        for position in origins.indices {
            let value = after.member(position, of: new)
            guard let origin = origins[position] else {
                noteNew(value, after.object(value))
                continue
            }
            let present = before.member(origin, of: old)
            let hasKey = !isKeyed || same.areSame(before.key(origin, of: old), after.key(position, of: new))
            if hasKey, same.areSame(present, value) { continue }
            let (presentObject, object) = (before.object(present), after.object(value))
            if hasKey, object.kind.isContainer, object.kind == presentObject.kind {
                let parent = ContainerChange.Slot(change: number, position: origin)
                list.append(ContainerChange(before: present, after: value, parent: parent))
            } else if !hasKey || !before.sameScalar(presentObject, as: object, in: after) {
                // An edit may set a slot to the value that it already has, so scalars are compared.
                list[number].replaced.append(position)
                noteNew(value, object)
                if presentObject.kind == .data, object.kind == .data {
                    replacedData.append((ContainerChange.Source(container: oldID, position: origin), value))
                }
            }
        }
    }

    private mutating func noteNew(_ value: ObjectID, _ object: StoredObject) {
        takesValues = takesValues || object.kind.isContainer || same.number(ofNew: value) != nil
    }

    /// Treats members that changed their order as new, except for the longest sequence that kept it.
    private func keepRising(_ origins: inout MemberOrigins) {
        guard !origins.areOrdered else { return }
        let known = origins.indices.filter { origins[$0] != nil }
        let numbers = known.compactMap { origins[$0] }
        var kept = Set(LongestIncreasingSubsequence.positions(in: numbers).map { known[$0] })
        for position in known where kept.remove(position) == nil { origins[position] = nil }
    }

    /// Returns the earlier positions of new members that equal removed ones.
    private func moved(_ origins: MemberOrigins, from old: StoredObject, to new: StoredObject) -> [Int: Int] {
        guard origins.haveNew else { return [:] }
        let added = origins.indices.filter { origins[$0] == nil }
        let kept = Set(origins.compactMap(\.self))
        let isKeyed = old.kind == .dictionary
        var gone: [Member: [Int]] = [:]
        for position in (0..<old.count).reversed() where !kept.contains(position) {
            let value = before.member(position, of: old)
            let key = isKeyed ? same.number(ofOld: before.key(position, of: old)) : nil
            gone[Member(key: key, value: same.number(ofOld: value)), default: []].append(position)
        }
        var moved: [Int: Int] = [:]
        for position in added {
            let value = after.member(position, of: new)
            guard let value = same.number(ofNew: value) else { continue }
            let key = isKeyed ? same.number(ofNew: after.key(position, of: new)) : nil
            moved[position] = gone[Member(key: key, value: value)]?.popLast()
        }
        return moved
    }

    private struct Member: Hashable {
        let key: UInt32?
        let value: UInt32
    }

    /// Finds the removed values that equal new ones, so that the new ones keep their spelling.
    private mutating func findSources() {
        guard takesValues else { return }
        var gone: [UInt32: ContainerChange.Source] = [:]
        for change in list {
            let old = before.object(change.before)
            for position in removedPositions(of: change, orReplaced: true) {
                let value = before.member(position, of: old)
                gone[same.number(ofOld: value)] = ContainerChange.Source(container: change.before, position: position)
            }
        }
        guard !gone.isEmpty else { return }
        findTransfers()
        for (number, change) in list.enumerated() {
            let new = after.object(change.after)
            let added = change.origins.indices.lazy.filter {
                change.origins[$0] == nil && change.moved[$0]?.change != number
            }
            findSources(for: (Array(change.replaced) + added).map { after.member($0, of: new) }, among: gone)
        }
    }

    /// Returns the previous positions of the members that a container loses, and of members that move within it.
    ///
    /// - Parameter orReplaced: Whether to include the positions of members that get new values.
    private func removedPositions(of change: ContainerChange, orReplaced: Bool = false) -> [Int] {
        if change.origins.areUnmoved { return orReplaced ? Array(change.replaced) : [] }
        var removed: [Int] = []
        var replaced = orReplaced ? Array(change.replaced)[...] : []
        var next = 0
        for (position, origin) in change.origins.enumerated() {
            guard let origin else { continue }
            removed += next..<origin
            if replaced.first == position {
                replaced.removeFirst()
                removed.append(origin)
            }
            next = origin + 1
        }
        return removed + (next..<before.object(change.before).count)
    }

    /// Finds the new members that were in other containers: elements that were elements, and pairs with the same key.
    private mutating func findTransfers() {
        var gone: [Member: [ContainerChange.Slot]] = [:]
        for (number, change) in list.enumerated().reversed() {
            let old = before.object(change.before)
            let moved = Set(change.moved.values.lazy.filter { $0.change == number }.map(\.position))
            for position in removedPositions(of: change).reversed() where !moved.contains(position) {
                let key = old.kind == .dictionary ? same.number(ofOld: before.key(position, of: old)) : nil
                let value = same.number(ofOld: before.member(position, of: old))
                gone[Member(key: key, value: value), default: []].append(
                    ContainerChange.Slot(change: number, position: position))
            }
        }
        guard !gone.isEmpty else { return }
        for (number, change) in list.enumerated() where change.origins.haveNew {
            let new = after.object(change.after)
            for position in change.origins.indices
            where change.origins[position] == nil && change.moved[position] == nil {
                guard let value = same.number(ofNew: after.member(position, of: new)) else { continue }
                let key = new.kind == .dictionary ? same.number(ofNew: after.key(position, of: new)) : nil
                guard key != nil || new.kind != .dictionary else { continue }
                list[number].moved[position] = gone[Member(key: key, value: value)]?.popLast()
            }
        }
    }

    private mutating func findSources(for values: [ObjectID], among gone: [UInt32: ContainerChange.Source]) {
        var pending = values
        while let value = pending.popLast() {
            guard sources[value] == nil else { continue }
            if let source = same.number(ofNew: value).flatMap({ gone[$0] }) {
                sources[value] = source
                continue
            }
            let object = after.object(value)
            for position in 0..<(object.kind == .dictionary ? object.count : object.referenceCount) {
                pending.append(after.member(position, of: object))
            }
        }
    }

    // MARK: Matching

    private func matched(_ old: StoredObject, _ new: StoredObject) -> [Int?] {
        new.kind == .dictionary ? matchedPairs(old, new) : matchedElements(old, new)
    }

    /// Matches pairs by key. Duplicate keys are matched in order.
    private func matchedPairs(_ old: StoredObject, _ new: StoredObject) -> [Int?] {
        var positions: [UInt32: [Int]] = [:]
        for position in (0..<old.count).reversed() {
            positions[same.number(ofOld: before.key(position, of: old)), default: []].append(position)
        }
        return (0..<new.count).map { position in
            same.number(ofNew: after.key(position, of: new)).flatMap { positions[$0]?.popLast() }
        }
    }

    private func matchedElements(_ old: StoredObject, _ new: StoredObject) -> [Int?] {
        let x = (0..<old.count).map { UInt64(same.number(ofOld: before.reference($0, of: old))) }
        let y = (0..<new.count).map { position in
            same.number(ofNew: after.reference(position, of: new)).map(UInt64.init) ?? 1 << 32 + UInt64(position)
        }
        var origins = [Int?](repeating: nil, count: new.count)
        let partners = CommonSubsequence(x, y).partners
        // Elements that moved are not paired with others.
        let gone = Set(x.indices.lazy.filter { partners[$0] < 0 }.map { x[$0] })
        let taken = Set(partners)
        let moved = gone.intersection(y.indices.lazy.filter { !taken.contains($0) }.map { y[$0] })
        var (start, next) = (0, 0)
        for (position, partner) in (partners + [y.count]).enumerated() where partner >= 0 {
            let removed = (start..<position).lazy.filter { !moved.contains(x[$0]) }
            let added = (next..<partner).lazy.filter { !moved.contains(y[$0]) }
            for (old, new) in zip(removed, added) { origins[new] = old }
            if partner < y.count { origins[partner] = position }
            (start, next) = (position + 1, partner + 1)
        }
        return origins
    }
}

/// A table of the objects that hold the same value in two documents. Equal objects of the first document count as one.
private struct EqualObjects {
    /// The relation of the second document to the first one; nil for unrelated documents. With it, equal objects of the
    /// first document are not merged, and the tables are empty.
    private let derivation: Derivation?
    /// For each object of the first document, the first object with the same value.
    private var oldNumbers: [UInt32] = []
    /// For each object of the second document, the object of the first one with the same value; ``none`` if the first
    /// document has no such object.
    private var newNumbers: [UInt32] = []
    private static let none = UInt32.max

    init(_ before: Document, _ after: Document) {
        derivation = after.derivation?.isFrom(before) == true ? after.derivation : nil
        if derivation == nil { match(before, after) }
    }

    func number(ofOld id: ObjectID) -> UInt32 {
        oldNumbers.isEmpty ? UInt32(truncatingIfNeeded: id.index) : oldNumbers[id.index]
    }

    func number(ofNew id: ObjectID) -> UInt32? {
        guard newNumbers.isEmpty else { return newNumbers[id.index] == Self.none ? nil : newNumbers[id.index] }
        return derivation?.uneditedOrigin(of: id).map { UInt32(truncatingIfNeeded: $0.index) }
    }

    /// The number of changed containers; 0 if it is unknown.
    var changedCount: Int { derivation?.changedCount ?? 0 }

    func areSame(_ old: ObjectID, _ new: ObjectID) -> Bool { number(ofNew: new) == number(ofOld: old) }

    /// Returns the positions of a container's members in another container, if they are known.
    func memberOrigins(of new: ObjectID, _ count: Int, in old: ObjectID) -> MemberOrigins? {
        derivation?.origin(of: new) == old ? derivation?.memberOrigins(of: new, count: count) : nil
    }

    private mutating func match(_ before: Document, _ after: Document) {
        var table: [UInt64: [UInt32]] = [:]
        let seed = UInt64.random(in: 0...UInt64.max)
        oldNumbers = [UInt32](repeating: Self.none, count: before.count)
        newNumbers = [UInt32](repeating: Self.none, count: after.count)
        for id in before.contentsFirst {
            let object = before.object(id)
            let hash = before.hash(of: object, seed: seed) { UInt64(oldNumbers[$0.index]) }
            let known = table[hash]?.first { isEqual(object, of: before, oldNumbers, to: $0, in: before) }
            oldNumbers[id.index] = known ?? UInt32(truncatingIfNeeded: id.index)
            if known == nil { table[hash, default: []].append(UInt32(truncatingIfNeeded: id.index)) }
        }
        for id in after.contentsFirst {
            let object = after.object(id)
            let hash = after.hash(of: object, seed: seed) { UInt64(newNumbers[$0.index]) }
            let known = table[hash]?.first { isEqual(object, of: after, newNumbers, to: $0, in: before) }
            newNumbers[id.index] = known ?? Self.none
        }
    }

    private func isEqual(
        _ object: StoredObject, of document: Document, _ numbers: [UInt32], to number: UInt32, in before: Document
    ) -> Bool {
        let other = before.object(ObjectID(Int(number)))
        guard object.kind.isContainer else { return document.sameScalar(object, as: other, in: before) }
        guard object.kind == other.kind, object.count == other.count else { return false }
        return (0..<object.referenceCount).allSatisfy {
            let mine = numbers[document.reference($0, of: object).index]
            return mine != Self.none && mine == oldNumbers[before.reference($0, of: other).index]
        }
    }
}

extension Document {
    /// Returns the hash of a scalar, or of a container and the hashes or numbers of its contents. Reals of different
    /// widths are different values.
    func hash(of object: StoredObject, seed: UInt64, contents: (ObjectID) -> UInt64) -> UInt64 {
        let width = object.kind == .real ? UInt64(object.count) : 0
        return (0..<object.referenceCount).reduce(ScalarHash.mix(hash(ofScalar: object, seed: seed), width)) {
            ScalarHash.mix($0, contents(reference($1, of: object)))
        }
    }
}
