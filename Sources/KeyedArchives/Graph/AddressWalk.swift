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
