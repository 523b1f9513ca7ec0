package import KeyedArchives
package import SaveCodec

/// Where an address leads in a view: the containers that it leads through, and what it names in the last of them.
///
///     /root/charList/0     containers  $top, Map, charList     positions  0, 2     end  slot 0
package struct SlotPath: Sendable {
    /// What the last token of an address names.
    package enum End: Sendable, Equatable {
        /// The address has no token.
        case root
        /// A slot of the last container, by position.
        case slot(Int)
        /// The class of the last container, an object.
        case className
        /// Nothing that is there.
        case nothing(AddressToken)
    }

    /// The address.
    package let address: JSONPointer
    /// The containers from the root to the one that the last token is looked up in; none for the root.
    package let containers: [ViewID]
    /// In each container but the last the position of the slot that the address leads on through.
    package let positions: [Int]
    /// What the last token names.
    package let end: End
    /// The keys that the address has behind a key that is not there.
    package let missing: [[UInt16]]

    /// The way of an address; nil if it leads nowhere before its last token.
    ///
    /// - Parameter makesDictionaries: whether a property list may miss dictionaries on the way. Where a token could be
    ///   the position of an element, an array may be what is missing, so it is not guessed.
    package init?(_ address: JSONPointer, in view: ObjectView, makingDictionaries makesDictionaries: Bool = false) {
        self.address = address
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

    /// The same way with the container at its end as the last of the containers; nil if no container is there.
    package func entering(_ view: ObjectView) -> SlotPath? {
        guard case .slot(let position) = end, let id = value(in: view), view.container(id) != nil else { return nil }
        return SlotPath(self, containers: containers + [id], positions: positions + [position])
    }

    private init(_ path: SlotPath, containers: [ViewID], positions: [Int]) {
        (address, end, missing) = (path.address, path.end, path.missing)
        (self.containers, self.positions) = (containers, positions)
    }

    /// The tokens of an address from a depth on if dictionaries can be made for them.
    private static func missingKeys(
        of address: JSONPointer, from depth: Int, below container: ViewID?, in view: ObjectView
    ) -> [[UInt16]]? {
        guard view.archive == nil, let container, case .dictionary = view[container].form else { return nil }
        let isKeyed = (depth - 1..<address.tokens.count).allSatisfy { depth in
            let token = address.token(at: depth)
            return !token.isForm && !token.isEnd
                && (token.units.isEmpty || !token.units.allSatisfy { (0x30...0x39).contains($0) })
        }
        return isKeyed ? Array(address.tokens[depth...]) : nil
    }

    /// What tells the places in a view apart, if edits are made at several: of an archive the slots; of a property list the
    /// addresses, as what it has stored once for two places is no object that they share.
    package struct Place: Hashable, Sendable {
        private let address: JSONPointer?
        private let container: ViewID?
        private let position: Int?

        fileprivate init(_ path: SlotPath, isSplit: Bool) {
            if !isSplit, case .slot(let position) = path.end {
                (address, container, self.position) = (nil, path.containers.last, position)
            } else {
                (address, container, position) = (path.address, nil, nil)
            }
        }
    }

    /// The place that the way leads to.
    ///
    /// - Parameter unshares: whether objects of an archive are split from what others see of them, too.
    package func place(in view: ObjectView, unsharing unshares: Bool = false) -> Place {
        Place(self, isSplit: view.archive == nil || unshares)
    }

    /// Whether the last token is a form, such as `#3`, that leads to one slot and no other.
    package var endsInForm: Bool { address.lastToken?.isForm ?? false }

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

    /// The value at the address; nil if there is none that takes a slot.
    package func value(in view: ObjectView) -> ViewID? {
        Self.next(containers, end, in: view)
    }

    /// Whether the last token names a field that an object does not have.
    package func isNewField(in view: ObjectView) -> Bool {
        guard isNewKey(in: view), let last = containers.last, case .object = view[last].form else { return false }
        return true
    }

    /// Whether the last token is the place behind the last element of an array or a set: `-`, or its number.
    package func isBehindLast(in view: ObjectView) -> Bool {
        guard case .nothing(let token) = end, let last = containers.last else { return false }
        let value = view[last]
        return value.isContainer && !value.form.isKeyed && token.insertion(among: value.contents.count) != nil
    }

    /// The address of a value inserted at `-`: the number of the position after the last element.
    package func insertion(in view: ObjectView) -> JSONPointer {
        guard isBehindLast(in: view), let last = containers.last else { return address }
        var address = address.prefix(address.tokens.count - 1)
        address.append(index: view[last].contents.count)
        return address
    }

    /// Whether a key that is not there could be added at the end.
    package func isNewKey(in view: ObjectView) -> Bool {
        guard case .nothing = end, let last = containers.last else { return false }
        return view[last].form.isKeyed
    }
}

extension ViewValue.Form {
    /// Whether the contents have keys.
    package var isKeyed: Bool {
        switch self {
        case .dictionary, .object: true
        case .scalar, .array, .set: false
        }
    }
}

extension Draft {
    /// The container that holds what a path ends at. Containers on the way are copied if they are to be split from what
    /// others see, see ``Sharing``.
    ///
    /// - Parameter isSplit: for each container of the path whether it is.
    package mutating func container(of path: SlotPath, splitting isSplit: [Bool]) -> ID {
        var id = root
        for (depth, position) in path.positions.enumerated() {
            guard let item = item(position, of: id) else { return id }
            var next = item.value
            let original = self.id(of: path.containers[depth + 1])
            // A copy of the container around it took this one along, for all of its slots that refer to it.
            let isCopied = splitCopies[original.index]?.index == next.index
            if isSplit[depth + 1], next.index == original.index || isCopied {
                let copies = copies(of: [next])
                splitCopies.merge(copies) { $1 }
                next = copies[next.index] ?? next
                splitCopies[original.index] = next
                replace(at: position, of: id, with: next, inPlace: item.isInPlace)
            }
            id = next
        }
        return id
    }

    /// Whether a container of the view has been edited where it is.
    package func isEdited(_ id: ViewID) -> Bool {
        opened[id.index].map { containers[$0].isEdited } ?? false
    }

    /// Whether no edit has changed anything.
    package var isUnchanged: Bool {
        root.index == view.root.index && changedClasses.isEmpty && !containers.contains(where: \.isEdited)
    }
}
