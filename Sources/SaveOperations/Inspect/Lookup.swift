public import SaveCodec

/// What looking up an address in a document finds.
public enum Lookup: Sendable {
    /// The object there.
    case found(ObjectID)
    /// Nothing, and how far the address leads.
    case missing(MissingValue)
}

/// How far an address leads that leads nowhere.
public struct MissingValue: Sendable {
    /// The longest beginning of the address that leads somewhere.
    public let prefix: Address
    /// The value there.
    public let node: Node
    /// Keys that are there and look like the one asked for, the nearest first; none where the value has no keys.
    public let nearKeys: [Text]
}

extension Document {
    /// Looks up an address: keys of dictionaries, positions of arrays and sets. A pair whose key is no string is found
    /// by its position.
    public func find(_ address: Address) -> Lookup {
        var id = root
        for (depth, token) in address.tokens.enumerated() {
            guard let next = step(from: self[id], by: token) else {
                let prefix = Address(tokens: Array(address.tokens.prefix(depth)))
                return .missing(MissingValue(prefix: prefix, node: self[id], nearKeys: keys(of: self[id], near: token)))
            }
            id = next
        }
        return .found(id)
    }

    private func step(from node: Node, by token: [UInt16]) -> ObjectID? {
        switch node {
        case .array(let elements), .set(let elements):
            return position(token, below: elements.count).map { elements[$0] }
        case .dictionary(let pairs):
            if let value = pairs.value(for: token) { return value }
            guard let position = position(token, below: pairs.count), text(pairs[position].key) == nil else {
                return nil
            }
            return pairs[position].value
        default: return nil
        }
    }

    /// A position as RFC 6901 writes it: decimal digits without a leading zero.
    private func position(_ token: [UInt16], below count: Int) -> Int? {
        guard token.count == 1 || token.first != 0x30, token.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(String(decoding: token, as: UTF16.self)).flatMap { $0 < count ? $0 : nil }
    }

    private func keys(of node: Node, near token: [UInt16]) -> [Text] {
        guard case .dictionary(let pairs) = node else { return [] }
        // A large dictionary is not searched to the end for the sake of a message.
        let keys = pairs.prefix(1000).compactMap { text($0.key) }
        return keys.map { (key: $0, distance: EditDistance.between($0, token)) }
            .sorted { $0.distance < $1.distance }
            .prefix(5).map(\.key)
    }
}
