package import SaveCodec

/// What addresses lead into, with the places in the file: a step down from a value at a time.
package protocol PlacedTree {
    var root: PlacedValue { get }
    /// Whether of a key that repeats the last value counts.
    var lastRepeatedKeyWins: Bool { get }

    func contents(of id: Int) -> PlacedContents
    /// What leads to a member, whatever else its name may be; nil for one that no address leads to.
    func token(to position: Int, of id: Int) -> AddressToken?
    func value(at position: Int, of id: Int) -> PlacedValue
    /// The class of an object, to which `$class` leads.
    func className(of id: Int) -> PlacedValue?
}

/// A value, and where in the file it stands.
package struct PlacedValue {
    /// Its identity. Containers that stand in different places have different ones; equal scalars may share one.
    package let id: Int
    /// Where it begins.
    package let offset: Int
    /// Where its key begins; nil if it has none, or if that is not known.
    package let keyOffset: Int?
}

/// What a value contains.
package enum PlacedContents {
    case none
    case elements(Int)
    case members(Int)
}

extension AddressToken {
    /// The step to the value under a key.
    init(key: Node?, at position: Int) {
        if case .string(let text)? = key {
            self.init(text)
        } else {
            self.init((key.map { JSONPointer.form(ofKey: $0, at: position) } ?? "#\(position)").utf16, isForm: true)
        }
    }
}
