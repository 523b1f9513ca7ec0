import KeyedArchive

/// Looks up which names of a schema the keys of an instance are; each key object is read once.
struct NameReader {
    private let names: [[UInt16]: Int32]
    private let instance: Instance
    /// The number of the name by key; -1 for names that mean nothing to the schema, -2 for those not read yet.
    private var known: [Int32]

    init(_ names: [[UInt16]: Int32], _ instance: Instance) {
        self.names = names
        self.instance = instance
        known = [Int32](repeating: -2, count: instance.view.count)
    }

    /// The number of a name, or -1.
    mutating func number(_ name: InstanceID) -> Int32 {
        switch name {
        case .value(let key), .name(let key):
            if known[key.index] == -2 { known[key.index] = read(name) }
            return known[key.index]
        case .className, .classKey: return read(name)
        }
    }

    private func read(_ name: InstanceID) -> Int32 {
        names[instance.units(ofName: name)] ?? -1
    }
}
