package import SaveCodec

/// The result of following an address within one view: its value, a token that leads nowhere, or a value with a nested
/// save, in which the rest of the address goes on.
///
///     /savedGame/root/health     root ─savedGame─▶ data: a nested save; /root/health is the rest of the address in it
package struct AddressWalk {
    /// The reason why the walk ended.
    package enum End {
        /// No token is left.
        case found
        /// The next token leads nowhere.
        case missing
        /// The value holds a nested save, and tokens are left for it.
        case entering(NestedSave)
        /// The value begins like a nested save that cannot be read.
        case unreadable(Problem)
    }

    /// The value at which the walk ended.
    package let id: ViewID
    /// The number of tokens that lead there.
    package let depth: Int
    /// The last step to it; nil at the start.
    let step: (target: AddressTarget, container: ViewID)?
    package let end: End
}

extension ObjectView {
    /// Follows an address within the view, from the value that its first `depth` tokens lead to.
    package func walk(_ address: JSONPointer, from start: ViewID, depth: Int = 0) -> AddressWalk {
        var (id, depth) = (start, depth)
        var step: (target: AddressTarget, container: ViewID)?
        func ending(_ end: AddressWalk.End) -> AddressWalk { AddressWalk(id: id, depth: depth, step: step, end: end) }
        while depth < address.tokens.count {
            do throws(Problem) {
                if let save = try nestedSave(enteredAt: id) { return ending(.entering(save)) }
            } catch {
                return ending(.unreadable(error))
            }
            guard let target = target(of: address.token(at: depth), in: id), let next = value(at: target, of: id) else {
                return ending(.missing)
            }
            step = (target, id)
            (id, depth) = (next, depth + 1)
            // The name of a class is a stored string, but holds nothing, whatever it reads like.
            if target == .className, depth < address.tokens.count { return ending(.missing) }
        }
        return ending(.found)
    }
}

// MARK: One step

/// The target of an address token in a container: a slot or the class.
///
///     Map {$class: …, name: "Swamp", list: …}     name     slot 0
///                                                 $class   the class
package enum AddressTarget: Equatable, Sendable {
    /// The slot at a position.
    case slot(Int)
    /// The class of an object.
    case className
}

extension AddressToken {
    /// The meaning of a token in a container, before its keys are looked at.
    package enum Meaning {
        /// The slot at a position: of an element, or of a pair that is named by its position.
        case position(Int)
        /// The effective pair with this key.
        case key
        /// The class of an object.
        case className
    }

    /// Returns the meaning of the token in a container, or nil if it leads nowhere whatever the keys are.
    package func meaning(in kind: ContainerKind, count: Int) -> Meaning? {
        guard kind.isKeyed else { return position(below: count).map { .position($0) } }
        if isNumberedPair { return pair(below: count).map { .position($0) } }
        return kind == .object && self == .className ? .className : .key
    }
}

extension ObjectView {
    /// Returns what a token of an address leads to in a value, or nil if it leads nowhere.
    ///
    /// Every walk along an address takes its steps by this. Of a duplicate key it finds the effective pair.
    package func target(of token: AddressToken, in id: ViewID) -> AddressTarget? {
        let value = self[id]
        guard let kind = ContainerKind(value.form) else { return nil }
        switch token.meaning(in: kind, count: value.contents.count) {
        case .position(let position): return .slot(position)
        case .key: return position(ofKey: token, in: value.contents, of: id).map { .slot($0) }
        case .className: return .className
        case nil: return nil
        }
    }

    /// The value that a target of an address in a container is; nil for a class without a name.
    package func value(at target: AddressTarget, of container: ViewID) -> ViewID? {
        switch target {
        case .slot(let position): item(position, of: container).id
        case .className: classPosition(of: container).flatMap { archive?.storedName(ofClass: $0) }
        }
    }

    /// The position of the slot that a token of an address leads to in a container; nil if it leads to none.
    package func position(of token: AddressToken, in id: ViewID) -> Int? {
        guard case .slot(let position)? = target(of: token, in: id) else { return nil }
        return position
    }

    /// Returns the position of the effective pair with a key: a string, compared by code units, or what a form such as `=5`
    /// stands for.
    private func position(ofKey token: AddressToken, in contents: ViewContents, of id: ViewID) -> Int? {
        func matches(_ position: Int) -> Bool {
            guard let key = item(position, of: contents).key else { return false }
            if let text = text(key) {
                return !token.isForm && text.count == token.units.count && text.elementsEqual(token.units)
            }
            return token.isForm && self.token(ofKey: key, at: position) == token
        }
        guard let positions = keyIndex.positions(of: token, in: id, of: self) else {
            return effective(matches, in: 0..<contents.count)
        }
        return effective(matches, in: positions)
    }

    /// Returns the position of the effective pair among those that match.
    private func effective(_ matches: (Int) -> Bool, in positions: some BidirectionalCollection<Int>) -> Int? {
        document.lastRepeatedKeyWins ? positions.last(where: matches) : positions.first(where: matches)
    }
}
