package import KeyedArchives
package import SaveCodec

/// An address resolved in a view: the containers on its path, and the target of its last token in the last container.
///
///     /root/charList/0     containers  $top, Map, charList     positions  0, 2     end  slot 0
package struct ResolvedAddress: Sendable {
    /// The target of the last token of an address.
    package enum End: Sendable, Hashable {
        case root
        /// A slot of the last container, by position.
        case slot(Int)
        /// The class of the last container, an object.
        case className
        /// The target does not exist.
        case nothing(AddressToken)
    }

    let view: ObjectView
    /// The containers from the root to the one that contains the target; empty for the root.
    package let containers: [ViewID]
    /// For each container except the last, the position of the slot that contains the next one.
    let positions: [Int]
    package let end: End
    /// The keys of the address after the first missing key.
    let missing: [[UInt16]]
    /// The given address; nil for an address made from the slots on the path.
    private let given: JSONPointer?

    /// Resolves an address; nil if a token before the last one has no target.
    ///
    /// - Parameter makesDictionaries: Whether dictionaries of a property list may be missing on the path. If one of the
    ///   missing keys could be an index, the missing container could be an array, so the result is nil.
    package init?(_ address: JSONPointer, in view: ObjectView, makingDictionaries makesDictionaries: Bool = false) {
        (self.view, given) = (view, address)
        var containers: [ViewID] = []
        var positions: [Int] = []
        var end = End.root
        var missing: [[UInt16]] = []
        for depth in address.tokens.indices {
            if makesDictionaries, case .nothing = end,
                let keys = Self.missingKeys(of: address, from: depth, below: containers.last, in: view)
            {
                missing = keys
                break
            }
            let id = Self.next(containers, end, in: view)
            guard let id, view.scalar(id) == nil else { return nil }
            if case .slot(let position) = end { positions.append(position) }
            containers.append(id)
            end = Self.end(address.token(at: depth), in: id, view)
        }
        (self.containers, self.positions, self.end, self.missing) = (containers, positions, end, missing)
    }

    /// Creates the path through the slots of containers to a target in the last one.
    init(through containers: [ViewID], at positions: [Int], to end: End, in view: ObjectView) {
        (self.view, self.containers, self.positions, self.end) = (view, containers, positions, end)
        (missing, given) = ([], nil)
    }

    /// Returns the path extended by the container at its end; nil if the end is not a container.
    func entering() -> ResolvedAddress? {
        guard case .slot(let position) = end, let id = value, view.container(id) != nil else { return nil }
        return ResolvedAddress(self, containers: containers + [id], positions: positions + [position])
    }

    private init(_ path: ResolvedAddress, containers: [ViewID], positions: [Int]) {
        (view, given, end, missing) = (path.view, path.given, path.end, path.missing)
        (self.containers, self.positions) = (containers, positions)
    }

    /// The given address, or the usual address of the path.
    package var address: JSONPointer {
        if let given { return given }
        var address = JSONPointer.root
        for (container, position) in zip(containers, positions) {
            view.append(slot: position, of: container, to: &address)
        }
        guard let last = containers.last else { return address }
        switch end {
        case .slot(let position): view.append(slot: position, of: last, to: &address)
        case .className: address.append(.classToken)
        case .nothing(let token): address.append(token)
        case .root: break
        }
        return address
    }

    /// Returns the keys after the first missing key, which is token `depth - 1`; nil if dictionaries cannot be created
    /// for them.
    private static func missingKeys(
        of address: JSONPointer, from depth: Int, below container: ViewID?, in view: ObjectView
    ) -> [[UInt16]]? {
        guard view.archive == nil, let container, case .dictionary = view[container].variant else { return nil }
        let isKeyed = (depth - 1..<address.tokens.count).allSatisfy { depth in
            let token = address.token(at: depth)
            return !token.isExtension && !token.isEnd
                && (token.units.isEmpty || !token.units.allSatisfy(\.isDigit))
        }
        return isKeyed ? Array(address.tokens[depth...]) : nil
    }

    /// Whether the path leads through the target of another one.
    func leads(through other: ResolvedAddress) -> Bool {
        guard case .slot(let position) = other.end else { return other.end == .root && !containers.isEmpty }
        let depth = other.positions.count
        return positions.count > depth && positions.starts(with: other.positions) && positions[depth] == position
    }

    /// Whether the last token is one such as `#3`, which names a single slot.
    package var endsInExtension: Bool {
        if let given { return given.lastToken?.isExtension ?? false }
        guard case .slot(let position) = end, let last = containers.last,
            let key = view.item(position, of: view[last].contents).key
        else { return false }
        return view.text(key) == nil || view.leadsElsewhere(key, at: position, of: last)
    }

    private static func next(_ containers: [ViewID], _ end: End, in view: ObjectView) -> ViewID? {
        switch (containers.last, end) {
        case (_, .root): view.root
        case (let id?, .slot(let position)): view.item(position, of: view[id].contents).id
        default: nil
        }
    }

    private static func end(_ token: AddressToken, in id: ViewID, _ view: ObjectView) -> End {
        switch view.target(of: token, in: id) {
        case .slot(let position): .slot(position)
        case .className: .className
        case nil: .nothing(token)
        }
    }

    /// The value at the address; nil if the target is not a slot with a value.
    package var value: ViewID? { Self.next(containers, end, in: view) }

    /// Whether the last token names a field that an object does not have, or a new root of an archive.
    package var isNewFieldOrRoot: Bool {
        guard isNewKey, let last = containers.last else { return false }
        if case .object = view[last].variant { return true }
        return view.archive != nil && last == view.root
    }

    /// Whether the last token is the position after the last element of an array or a set, given as `-` or as an index.
    package var isAfterLast: Bool {
        guard case .nothing(let token) = end, let last = containers.last else { return false }
        let value = view[last]
        return value.isContainer && !value.variant.isKeyed && token.insertion(among: value.contents.count) != nil
    }

    /// The address of a value inserted at `-`, with the index of the new element.
    package var insertion: JSONPointer {
        guard isAfterLast, let last = containers.last else { return address }
        return address.prefix(address.tokens.count - 1).appending(index: view[last].contents.count)
    }

    /// Whether the last token is a missing key that could be added.
    package var isNewKey: Bool {
        guard case .nothing = end, let last = containers.last else { return false }
        return view[last].variant.isKeyed
    }

    /// Whether the target is a missing key of an existing dictionary.
    package var isNewMember: Bool { isNewKey && missing.isEmpty && !isNewFieldOrRoot }
}

extension ViewValue.Variant {
    /// Whether the slots have keys.
    package var isKeyed: Bool {
        switch self {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }
}
