package import SaveCodec

/// The result of following an address within one view.
///
/// The walk ends at the addressed value, at a token that does not exist, or at a nested save that the remaining tokens
/// lead into.
///
///     /savedGame/root/health     root ─savedGame─▶ data: a nested save; /root/health is the rest of the address in it
package struct AddressWalk {
    /// The reason why the walk ended.
    package enum End {
        /// No token is left.
        case found
        /// The next token does not exist in the value.
        case missing
        /// The value holds a nested save, and tokens remain for it.
        case entering(NestedSave)
        /// The value begins like a nested save but cannot be read as one.
        case unreadable(Problem)
    }

    /// The value at which the walk ended.
    package let id: ViewID
    /// The number of tokens that were followed.
    package let depth: Int
    /// The last step of the walk; nil if no token was followed.
    let step: (target: TokenTarget, container: ViewID)?
    package let end: End
}

extension ObjectView {
    /// Follows an address within the view.
    ///
    /// - Parameters:
    ///   - address: The complete address.
    ///   - start: The value that the first `depth` tokens lead to.
    ///   - depth: The number of tokens that have been followed already.
    package func walk(_ address: JSONPointer, from start: ViewID, depth: Int = 0) -> AddressWalk {
        var (id, depth) = (start, depth)
        var step: (target: TokenTarget, container: ViewID)?
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
            // A class name is a stored string, but its text is never opened as a nested save.
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
package enum TokenTarget: Equatable, Sendable {
    case slot(Int)
    case className
}

extension AddressToken {
    /// The meaning of a token in a container, determined without reading the keys.
    package enum Meaning {
        /// The slot at this position: an element, or a pair that is named by its position.
        case position(Int)
        /// The effective pair with this key.
        case key
        case className
    }

    /// Returns the meaning of the token in a container with this kind and number of slots, or nil if the token is
    /// meaningless there, such as a name in an array.
    package func meaning(in kind: ContainerKind, count: Int) -> Meaning? {
        guard kind.isKeyed else { return position(below: count).map { .position($0) } }
        if isNumberedPair { return pair(below: count).map { .position($0) } }
        return kind == .object && self == .classToken ? .className : .key
    }
}

extension ObjectView {
    /// Returns the target of an address token in a value, or nil if it does not exist.
    ///
    /// Every address walk takes its steps with this function. For a duplicate key, it finds the effective pair.
    package func target(of token: AddressToken, in id: ViewID) -> TokenTarget? {
        target(of: token, in: id, self[id])
    }

    /// Returns the target of a token in a container whose value is known.
    package func target(of token: AddressToken, in id: ViewID, _ value: ViewValue) -> TokenTarget? {
        guard let kind = ContainerKind(value.variant) else { return nil }
        switch token.meaning(in: kind, count: value.contents.count) {
        case .position(let position): return .slot(position)
        case .key: return position(ofKey: token, in: value.contents, of: id).map { .slot($0) }
        case .className: return .className
        case nil: return nil
        }
    }

    /// Returns the value at an address target of a container, or nil if the target is the class of a value that has no
    /// class.
    package func value(at target: TokenTarget, of container: ViewID) -> ViewID? {
        switch target {
        case .slot(let position): item(position, of: container).id
        case .className: classPosition(of: container).flatMap { archive?.storedName(ofClass: $0) }
        }
    }

    /// Returns the position of the slot that a token leads to in a container, or nil if it leads to no slot.
    package func position(of token: AddressToken, in id: ViewID) -> Int? {
        guard case .slot(let position)? = target(of: token, in: id) else { return nil }
        return position
    }

    /// Returns the position of the effective pair with a key: a string, compared by code units, or the scalar that a
    /// token such as `=5` denotes.
    private func position(ofKey token: AddressToken, in contents: ViewContents, of id: ViewID) -> Int? {
        func matches(_ position: Int) -> Bool {
            guard let key = item(position, of: contents).key else { return false }
            if let text = text(key) {
                return !token.isExtension && text.count == token.units.count && text.elementsEqual(token.units)
            }
            return token.isExtension && self.token(ofKey: key, at: position) == token
        }
        guard let positions = keyIndex.positions(of: token, in: contents, of: id, self) else {
            return document.effective(of: 0..<contents.count, where: matches)
        }
        return document.effective(of: positions, where: matches)
    }
}
