package import KeyedArchives
package import SaveCodec

/// What looking up an address in a view finds.
package enum Lookup: Sendable {
    /// The value there, and the view that it is part of: that of a property list in data if the address leads into one.
    case found(ViewID, in: ObjectView)
    /// Nothing, and how far the address leads.
    case missing(MissingValue)
}

/// How far an address leads that leads nowhere.
package struct MissingValue: Sendable {
    /// The address.
    let address: JSONPointer
    /// The longest beginning of the address that leads somewhere.
    package let prefix: JSONPointer
    /// The view that is there.
    package let view: ObjectView
    /// The value there.
    package let id: ViewID
    /// What is wrong with a save in the value, so that the address leads no further.
    package let problem: Problem?
    /// Keys that are there and look like the one asked for, the nearest first, as an address has them; none where the
    /// value has no keys.
    package let nearKeys: [[UInt16]]

    /// The value there.
    package var value: ViewValue { view[id] }

    /// The same, of a save that is at an address of another one.
    package func within(_ base: JSONPointer) -> MissingValue {
        MissingValue(
            address: base.appending(address), prefix: base.appending(prefix), view: view, id: id, problem: problem,
            nearKeys: nearKeys)
    }
}

extension ObjectView {
    /// Looks up an address: keys of dictionaries, fields of objects, the class of an object, positions of arrays and sets,
    /// pairs that no key of JSON leads to, and what is in saves that are stored in values (see ``JSONPointer``).
    package func find(_ address: JSONPointer) -> Lookup {
        find(address, from: root, depth: 0)
    }

    /// Looks up the rest of an address, from the value that its first `depth` tokens lead to.
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

    /// Where an address leads out of a view into a save that is stored in one of its values.
    package struct Entrance: Sendable {
        /// The address of the value.
        package let address: JSONPointer
        /// The save in it.
        package let save: NestedSave
        /// The address in the save.
        package let rest: JSONPointer

        /// The entrance to a save in the value that the first `depth` tokens of an address lead to.
        init(_ save: NestedSave, on address: JSONPointer, at depth: Int) {
            (self.address, self.save, rest) = (address.prefix(depth), save, address.inSave(at: depth))
        }
    }

    /// The first save in a value that an address leads into; nil if it leads into none.
    package func entrance(on address: JSONPointer) -> Entrance? {
        let walk = walk(address, from: root)
        guard case .entering(let save) = walk.end else { return nil }
        return Entrance(save, on: address, at: walk.depth)
    }

    private func keys(of contents: ViewContents, near token: [UInt16]) -> [[UInt16]] {
        // A large dictionary is not searched to the end for the sake of a message.
        let keys = (0..<min(contents.count, 1000)).compactMap { position -> [UInt16]? in
            guard let key = item(position, of: contents).key else { return nil }
            let token = self.token(ofKey: key, at: position)
            return (token.isForm ? Array("~".utf16) : []) + token.units
        }
        return keys.map { (key: $0, distance: EditDistance.between($0, token)) }
            .sorted { $0.distance < $1.distance }
            .prefix(5).map(\.key)
    }
}
