public import SaveCodec

extension Document {
    /// Refuses reals that are not finite, which plain JSON has no literal for.
    ///
    /// - Throws: a problem at the address of the first one.
    public func checkFinite(from start: ObjectID, at address: Address) throws(Problem) {
        var outline = Outline(of: self, from: start, at: address)
        while let step = outline.next() {
            guard case .value(let row) = step, let text = row.node.notFinite else { continue }
            throw Problem(
                "json.not-finite", "the real is \(text); JSON has no such number", address: outline.address(of: row))
        }
    }
}

extension Node {
    /// The text of a real or a date that is not finite.
    fileprivate var notFinite: String? {
        switch self {
        case .real32(let value) where !value.isFinite: value.description
        case .real64(let value) where !value.isFinite: value.description
        case .date(let seconds) where !seconds.isFinite: seconds.description
        default: nil
        }
    }
}
