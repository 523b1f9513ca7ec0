import SaveCodec

/// Follows addresses from value to value. To find a member takes as long as the object is large, and many references
/// may lead to one object: each step from a large value is made once.
struct AddressFinder {
    private struct Step: Hashable {
        let value: InstanceID
        let token: [UInt16]
    }

    private let instance: Instance
    private var known: [Step: InstanceID?] = [:]

    init(_ instance: Instance) {
        self.instance = instance
    }

    /// What an address leads to from a value; nil for nothing.
    mutating func find(_ address: Address, from start: InstanceID) -> InstanceID? {
        var id = start
        for token in address.tokens {
            guard let next = step(by: token, from: id) else { return nil }
            id = next
        }
        return id
    }

    private mutating func step(by token: [UInt16], from id: InstanceID) -> InstanceID? {
        guard instance.weight(id) > 16 || instance.classPosition(of: id) != nil else {
            return instance.step(by: token, from: id)
        }
        let step = Step(value: id, token: token)
        if let found = known[step] { return found }
        let found = instance.step(by: token, from: id)
        known[step] = .some(found)
        return found
    }
}
