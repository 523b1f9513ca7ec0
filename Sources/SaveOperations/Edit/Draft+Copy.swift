import KeyedArchives
import SaveCodec

extension Draft {
    /// Copies a container and all containers that are only reachable through it. Containers with references from
    /// elsewhere stay shared. A scalar is returned as it is.
    ///
    /// - Parameter path: The containers on a path from the root to the value, or none. They are neither copied nor
    ///   searched.
    mutating func copy(_ id: ID, from path: [ID] = []) -> ID {
        copies(of: [id], from: path)[id.index] ?? id
    }

    /// Copies several containers and all containers that are only reachable through them. Returns the copies by the
    /// index of the original.
    mutating func copies(of ids: [ID], from path: [ID] = []) -> [Int: ID] {
        var starts: Set<Int> = []
        for id in ids where isContainer(id) { starts.insert(id.index) }
        guard !starts.isEmpty else { return [:] }
        if referenceCounts == nil { referenceCounts = countReferences() }
        let outer = Set(path.map(\.index)).subtracting(starts)
        let inner = innerContainers(of: starts, above: outer)
        var copies: [Int: ID] = [:]
        for index in inner { copies[index] = add(DraftContainer(.array, classNumber: nil)) }
        for index in inner {
            guard let original = open(ID(index: index)), let copy = copies[index],
                let new = openedNumber(copy.index)
            else { continue }
            values.containers[new] = copied(values.containers[original], copies)
        }
        return copies
    }

    private mutating func copied(_ original: DraftContainer, _ copies: [Int: ID]) -> DraftContainer {
        var slots: [DraftContainer.Slot] = []
        for var slot in original.contents {
            slot.replaced = DraftContainer.Slot.none
            if let key = copies[Int(slot.key)] {
                slot.key = UInt32(truncatingIfNeeded: key.index)
                slot.storedKey = DraftContainer.Slot.none
            }
            if let value = copies[Int(slot.value)] {
                slot.value = UInt32(truncatingIfNeeded: value.index)
                slot.storedValue = DraftContainer.Slot.none
            }
            countReference(slot, by: 1)
            slots.append(slot)
        }
        var copy = DraftContainer(original.kind, classNumber: original.classNumber, slots: slots)
        copy.isRaw = original.isRaw
        copy.isEdited = true
        return copy
    }

    /// Returns the given containers and all containers that are only reachable through them.
    private func innerContainers(of starts: Set<Int>, above outer: Set<Int>) -> [Int] {
        var inside = Dictionary(uniqueKeysWithValues: starts.map { ($0, 0) })
        let order = reachable(from: starts.sorted(by: >)) { child in
            guard !outer.contains(child) else { return false }
            let count = inside[child]
            inside[child] = (count ?? 0) + 1
            return count == nil
        }
        // A container with references from elsewhere stays shared, with all containers that it refers to.
        let outside = order.filter { !starts.contains($0) && referenceCounts?[$0] ?? 0 > inside[$0, default: 0] }
        var shared = Set(outside)
        reachable(from: outside) { !starts.contains($0) && inside[$0] != nil && shared.insert($0).inserted }
        return order.filter { !shared.contains($0) }
    }

    /// Returns the number of references to each container that is reachable from the root.
    func countReferences() -> [Int: Int] {
        var counts: [Int: Int] = [root.index: 1]
        reachable(from: [root.index]) { child in
            counts[child, default: 0] += 1
            return counts[child] == 1
        }
        return counts
    }

    /// Returns the containers that are reachable from the root without passing through a slot.
    func containers(reachedWithout slot: Slot) -> Set<Int> {
        var reached: Set = [root.index]
        reachable(from: [root.index], without: slot) { reached.insert($0).inserted }
        return reached
    }

    /// Visits all references from the given containers, and from each container that `isNew` accepts.
    ///
    /// - Parameters:
    ///   - slot: A slot of an opened container to leave out.
    ///   - isNew: Called for each reference to a container. Returns whether to visit the references from it.
    /// - Returns: The containers whose references were visited, in order.
    @discardableResult
    private func reachable(from starts: [Int], without slot: Slot? = nil, _ isNew: (Int) -> Bool) -> [Int] {
        var order: [Int] = []
        var pending = starts
        while let index = pending.popLast() {
            order.append(index)
            let position = index == slot?.container.index ? slot?.position : nil
            for child in containersIn(index, without: position) where isNew(child) { pending.append(child) }
        }
        return order
    }

    /// Returns the containers that a container refers to.
    ///
    /// - Parameter position: A slot of an opened container to leave out.
    func containersIn(_ index: Int, without position: Int? = nil) -> [Int] {
        if let number = openedNumber(index) {
            var slots = values.containers[number].contents
            if let position { slots.remove(at: position) }
            return slots.flatMap { [$0.key, $0.value] }
                .filter { $0 != DraftContainer.Slot.none && isContainer(ID(index: Int($0))) }.map { Int($0) }
        }
        guard let id = viewID(of: ID(index: index)) else { return [] }
        let contents = view[id].contents
        var found: [Int] = []
        for position in 0..<contents.count {
            let item = view.item(position, of: contents)
            if let key = item.key, view.scalar(key) == nil { found.append(key.index) }
            if view.scalar(item.id) == nil { found.append(item.id.index) }
        }
        return found
    }

    /// Updates the reference counts after a slot was added or removed. A removal may make containers unreachable, so it
    /// discards all counts.
    mutating func countReference(_ slot: DraftContainer.Slot, by change: Int) {
        guard referenceCounts != nil else { return }
        for index in [slot.key, slot.value]
        where index != DraftContainer.Slot.none && isContainer(ID(index: Int(index))) {
            if change < 0 {
                referenceCounts = nil
                return
            }
            referenceCounts?[Int(index), default: 0] += change
        }
    }
}
