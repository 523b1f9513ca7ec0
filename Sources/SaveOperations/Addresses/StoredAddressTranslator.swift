package import KeyedArchives
package import SaveCodec

/// A translator of addresses in the stored property list of an archive into addresses in its object view.
///
///     /$objects/7/health         /root/charList/1/health      a field
///     /$objects/9/NS.objects/2   /root/charList/2             an element
///     /$objects/12               /root/charList/1/name        an object
///     /$top/root/x               /root/x
package struct StoredAddressTranslator {
    private let view: ObjectView

    package init(_ view: ObjectView) {
        self.view = view
    }

    /// Translates the stored addresses of values into addresses in the view. If a value is not in the view, the result
    /// is the address of its nearest ancestor there.
    ///
    /// - Returns: An address for each value; nil for a value outside of `$top` and of all objects, or in an object that
    ///   no root reaches within 200 steps.
    package func ofValues(at stored: [JSONPointer?]) -> [JSONPointer?] {
        let objects = stored.map { $0.flatMap(object) }
        let addresses = ofObjects(objects.compactMap { $0 })
        return zip(stored, objects).map { stored, object in
            guard let stored else { return nil }
            if !stored.tokens.isEmpty, stored.token(at: 0) == Self.top {
                return existing(.root, stored, from: 1, at: view.root)
            }
            return object.flatMap { uid in
                addresses[uid].map { existing($0, stored, from: 2, at: view.id(of: uid)) }
            }
        }
    }

    /// Returns the addresses of objects. Omits objects that no root reaches within 200 steps.
    package func ofObjects(_ objects: [UID]) -> [UID: JSONPointer] {
        guard !objects.isEmpty else { return [:] }
        let paths = view.graph.paths(to: Set(objects.map(view.id(of:))), longest: Self.longest)
        return Dictionary(
            uniqueKeysWithValues: Set(objects).compactMap { uid in
                paths[view.id(of: uid)].flatMap(address).map { (uid, $0) }
            })
    }

    /// Returns the archived object that contains the value at a stored address.
    package func object(at stored: JSONPointer) -> UID? {
        guard let archive = view.archive, stored.tokens.count > 1, stored.token(at: 0) == Self.objects else {
            return nil
        }
        return stored.token(at: 1).position(below: archive.count).map { UID($0) }
    }

    private static let top = AddressToken("$top".utf16)
    private static let objects = AddressToken("$objects".utf16)

    /// Appends to an address as many of the remaining tokens of a stored address as exist in the view.
    private func existing(
        _ start: JSONPointer, _ stored: JSONPointer, from depth: Int, at id: ViewID
    ) -> JSONPointer {
        var (address, id) = (start, id)
        var isStorage = false
        for depth in depth..<max(depth, stored.tokens.count) {
            let token = stored.token(at: depth)
            let contents = view[id].contents
            let position = isStorage ? token.position(below: contents.count) : view.position(of: token, in: id)
            guard let position else {
                // The containers in which a class stores its elements or pairs are not in the view.
                isStorage = !isStorage && Self.storage.contains(token)
                if isStorage { continue }
                break
            }
            isStorage = false
            let item = view.item(position, of: contents)
            view.append(PathStep(key: item.key, position: position), longest: Self.longestKey, to: &address)
            id = item.id
        }
        return address
    }

    private static let storage = [AddressToken("NS.objects".utf16), AddressToken("NS.keys".utf16)]
    /// The largest number of steps of an address.
    private static let longest = 200
    /// The largest length of a key in an address, in code units.
    private static let longestKey = 200
    /// The largest total length of the keys in an address, in code units. The limit bounds memory, since each of many
    /// values may get an address.
    private static let longestKeys = 4000

    /// Returns the address at the end of a path from the root; nil if its keys are too long.
    package func address(_ steps: [ContainerGraph.Step]) -> JSONPointer? {
        let graph = view.graph
        var address = JSONPointer.root
        var length = 0
        for step in steps {
            let (container, position) = (graph.containers[Int(step.container)], Int(step.position))
            let key = container.kind.isKeyed ? graph.key(position, of: container) : nil
            view.append(PathStep(key: key, position: position), longest: Self.longestKey, to: &address)
            length += address.tokens.last?.count ?? 0
            guard length <= Self.longestKeys else { return nil }
        }
        return address
    }
}

extension ObjectView {
    /// Returns problems of the stored property list with their addresses in the view.
    ///
    /// Problems that have no address in the view, and all problems of a raw view, keep their stored address.
    package func inView(_ problems: [Problem]) -> [Problem] {
        guard archive != nil, !problems.isEmpty else { return problems }
        return zip(problems, StoredAddressTranslator(self).ofValues(at: problems.map(\.address))).map {
            problem, address in
            var problem = problem
            problem.address = address ?? problem.address
            return problem
        }
    }
}
