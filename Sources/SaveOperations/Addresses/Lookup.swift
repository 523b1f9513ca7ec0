package import KeyedArchives
package import SaveCodec

/// The result of looking up an address in a view.
package enum Lookup: Sendable {
    /// The value, and the view that contains it: a nested view if the address leads into a nested save.
    case found(ViewID, in: ObjectView)
    /// The address does not exist.
    case missing(MissingValue)
}

/// The result of looking up an address that does not exist.
package struct MissingValue: Sendable {
    let address: JSONPointer
    /// The longest prefix of the address that exists.
    package let prefix: JSONPointer
    /// The view that contains the value at the prefix.
    package let view: ObjectView
    /// The value at the prefix.
    package let id: ViewID
    /// The problem of an unreadable nested save at the prefix, which ends the lookup there; nil without one.
    package let problem: Problem?
    /// Existing keys that resemble the missing one, nearest first, spelled as in an address; empty if the value has no
    /// keys.
    package let nearKeys: [[UInt16]]

    /// The value at the prefix.
    package var value: ViewValue { view[id] }

    /// Returns the same result for the file around a nested save, given the address of the value that holds the save.
    package func within(_ base: JSONPointer) -> MissingValue {
        MissingValue(
            address: base.appending(address), prefix: base.appending(prefix), view: view, id: id, problem: problem,
            nearKeys: nearKeys)
    }
}

extension ObjectView {
    /// Looks up an address: keys of dictionaries, fields of objects, `$class`, positions in arrays and sets, tokens
    /// such as `=5` and `#3`, and values in nested saves (see ``JSONPointer``).
    package func find(_ address: JSONPointer) -> Lookup {
        find(address, from: root, depth: 0)
    }

    /// Looks up the rest of an address, from the value at its first `depth` tokens.
    func find(_ address: JSONPointer, from start: ViewID, depth: Int) -> Lookup {
        var (view, id, depth) = (self, start, depth)
        while true {
            let walk = view.walk(address, from: id, depth: depth)
            switch walk.end {
            case .found: return .found(walk.id, in: view)
            case .missing: return view.missing(address, below: walk.id, at: walk.depth)
            case .unreadable(let problem): return view.missing(address, below: walk.id, at: walk.depth, problem)
            case .entering(let save):
                (view, id, depth) = (save.view, save.view.root, address.depthInSave(at: walk.depth))
            }
        }
    }

    private func missing(
        _ address: JSONPointer, below id: ViewID, at depth: Int, _ problem: Problem? = nil
    ) -> Lookup {
        let keys = keys(of: self[id].contents, near: address.tokens[depth])
        return .missing(
            MissingValue(
                address: address, prefix: address.prefix(depth), view: self, id: id, problem: problem, nearKeys: keys))
    }

    /// The point at which an address enters a nested save.
    package struct Entrance: Sendable {
        /// The address of the value that holds the save.
        let address: JSONPointer
        let save: NestedSave
        /// The address in the save.
        let rest: JSONPointer

        /// Creates the entrance to a save in the value at the first `depth` tokens of an address.
        init(_ save: NestedSave, on address: JSONPointer, at depth: Int) {
            (self.address, self.save, rest) = (address.prefix(depth), save, address.inSave(at: depth))
        }
    }

    /// Returns the first nested save that an address enters; nil if it enters none.
    func entrance(on address: JSONPointer) -> Entrance? {
        let walk = walk(address, from: root)
        guard case .entering(let save) = walk.end else { return nil }
        return Entrance(save, on: address, at: walk.depth)
    }

    private func keys(of contents: ViewContents, near token: [UInt16]) -> [[UInt16]] {
        // A large dictionary is not searched completely for a message.
        let keys = (0..<min(contents.count, 1000)).compactMap { position -> [UInt16]? in
            guard let key = item(position, of: contents).key else { return nil }
            let token = self.token(ofKey: key, at: position)
            return (token.isExtension ? Array("~".utf16) : []) + token.units
        }
        return keys.map { (key: $0, distance: EditDistance.between($0, token)) }
            .sorted { $0.distance < $1.distance }
            .prefix(5).map(\.key)
    }
}
