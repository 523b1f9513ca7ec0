import SaveCodec
import Synchronization

/// An index of key positions for containers in which many keys are looked up.
///
/// Without the index, each lookup scans all keys. Only strings and scalars with a token such as `=5` are indexed.
final class KeyIndex: Sendable {
    private struct Entry {
        var lookups = 0
        /// For each key, its hash in the upper half and its position in the lower half, sorted; nil until the index is
        /// built.
        var keys: [UInt64]?
    }

    private static let fewKeys = 16
    private static let fewLookups = 8
    /// The lookup of a key longer than this, in code units, builds the index at once. A scan would compare long keys,
    /// and a small file can refer to one long key a million times.
    private static let longKey = 64

    /// A type of its own, because the runtime would look up the type of a bare dictionary to release it, which takes
    /// longer than reading a small file.
    private struct Entries {
        var byContainer: [ViewID: Entry] = [:]
    }

    private let entries = Mutex(Entries())

    /// Returns the positions of the keys that may equal `key`, in ascending order. Returns nil while a linear scan is
    /// cheaper than an index.
    ///
    /// A hash collision can add positions, so the caller compares the keys. Takes logarithmic time once the index is
    /// built.
    ///
    /// - Parameter key: The token of the key: its text for a string, or a token such as `=5` for another scalar.
    func positions(
        of key: AddressToken, in contents: ViewContents, of container: ViewID, _ view: ObjectView
    ) -> (some BidirectionalCollection<Int>)? {
        let isLong = key.units.count > Self.longKey
        return keys(in: contents, of: container, view, afterFewLookups: !isLong).map { keys in
            let hash = Self.hash(key)
            let range = Self.first(in: keys, from: hash)..<Self.first(in: keys, from: hash | UInt64(UInt32.max))
            return keys[range].lazy.map { Int(UInt32(truncatingIfNeeded: $0)) }
        }
    }

    /// Returns the index of a container, or nil while there are too few keys or lookups to build one.
    private func keys(
        in contents: ViewContents, of container: ViewID, _ view: ObjectView, afterFewLookups: Bool
    ) -> [UInt64]? {
        guard contents.count > Self.fewKeys else { return nil }
        return entries.withLock { entries in
            entries.byContainer[container, default: Entry()].lookups += 1
            guard let entry = entries.byContainer[container], !afterFewLookups || entry.lookups > Self.fewLookups else {
                return nil
            }
            let keys = entry.keys ?? Self.keys(of: contents, in: view)
            if entry.keys == nil { entries.byContainer[container]?.keys = keys }
            return keys
        }
    }

    private static func keys(of contents: ViewContents, in view: ObjectView) -> [UInt64] {
        var keys: [UInt64] = []
        var longKeys: [ViewID: UInt64] = [:]
        for position in 0..<contents.count {
            guard let key = view.item(position, of: contents).key,
                let hash = longKeys[key] ?? hash(ofKey: key, in: view)
            else { continue }
            if view.text(key)?.count ?? 0 > longKey { longKeys[key] = hash }
            keys.append(hash | UInt64(UInt32(truncatingIfNeeded: position)))
        }
        return keys.sorted()
    }

    /// Returns the hash of a key that addresses can name, or nil for any other key.
    private static func hash(ofKey key: ViewID, in view: ObjectView) -> UInt64? {
        view.scalar(key).flatMap { AddressToken(key: $0) }.map(hash)
    }

    /// Returns the index of the first element that is not less than `key`.
    private static func first(in keys: [UInt64], from key: UInt64) -> Int {
        keys.partitioningIndex { $0 >= key }
    }

    /// Returns the hash of a key, shifted into the upper 32 bits. The string `=5` and the number 5, whose token is also
    /// `=5`, have different tokens and, as a rule, different hashes.
    private static func hash(_ key: AddressToken) -> UInt64 {
        UInt64(truncatingIfNeeded: key.hashValue) << 32
    }
}
