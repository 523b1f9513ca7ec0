import Synchronization

/// Where string keys are in the containers that many are looked up in, as each look through all keys takes as long as
/// there are many.
package final class KeyIndex: Sendable {
    /// What is known of one container.
    private struct Entry {
        var lookups = 0
        /// The hash of each key above its position, in order; nil while few keys have been looked up.
        var keys: [UInt64]?
    }

    private static let fewKeys = 16
    private static let fewLookups = 8

    private let entries = Mutex<[ViewID: Entry]>([:])

    /// The positions, in order, at which a key may be in a container; nil while it takes less to look at all of them. It
    /// takes no longer to find very many.
    package func positions(
        of key: [UInt16], in container: ViewID, of view: ObjectView
    ) -> (some BidirectionalCollection<Int>)? {
        let hash = Self.hash(key)
        return keys(of: container, in: view).map { keys in
            let range = Self.first(in: keys, from: hash)..<Self.first(in: keys, from: hash | UInt64(UInt32.max))
            return keys[range].lazy.map { Int(UInt32(truncatingIfNeeded: $0)) }
        }
    }

    /// The keys of a container in which some have been looked up.
    private func keys(of container: ViewID, in view: ObjectView) -> [UInt64]? {
        let contents = view[container].contents
        guard contents.count > Self.fewKeys else { return nil }
        return entries.withLock { entries in
            entries[container, default: Entry()].lookups += 1
            guard let entry = entries[container], entry.lookups > Self.fewLookups else { return nil }
            let keys = entry.keys ?? Self.keys(of: contents, in: view)
            if entry.keys == nil { entries[container]?.keys = keys }
            return keys
        }
    }

    private static func keys(of contents: ViewContents, in view: ObjectView) -> [UInt64] {
        var keys: [UInt64] = []
        for position in 0..<contents.count {
            guard let key = view.item(position, of: contents).key.flatMap(view.text) else { continue }
            keys.append(hash(key) | UInt64(UInt32(truncatingIfNeeded: position)))
        }
        return keys.sorted()
    }

    /// The index of the first key with a hash and position from this one on.
    private static func first(in keys: [UInt64], from key: UInt64) -> Int {
        var (low, high) = (0, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The hash of a key, in the upper half.
    private static func hash(_ key: some Collection<UInt16>) -> UInt64 {
        var hasher = Hasher()
        for unit in key { hasher.combine(unit) }
        return UInt64(truncatingIfNeeded: hasher.finalize()) << 32
    }
}
