import KeyedArchives
import SaveCodec

/// Classes and fields, as migrations change them. What is changed is counted in records and objects.
extension Draft {
    // MARK: Classes

    /// Gives a class another name wherever records speak of it. A chain or a list of hints that has the new name already
    /// has it once.
    mutating func renameClass(_ old: [UInt16], to new: [UInt16]) -> Int {
        func renamed(_ names: [[UInt16]]) -> [[UInt16]] {
            guard names.contains(old) else { return names }
            var isThere = false
            return names.map { $0 == old ? new : $0 }.filter { name in
                guard name == new else { return true }
                defer { isThere = true }
                return !isThere
            }
        }
        return changeClasses { record in
            ArchiveClass(
                name: record.name == old ? new : record.name, chain: record.chain.map(renamed),
                hints: record.hints.map(renamed))
        }
    }

    /// Gives a class other ancestors, and with it the classes that are derived from it.
    mutating func setAncestors(of name: [UInt16], to ancestors: [[UInt16]]) -> Int {
        changeClasses { record in
            guard let chain = record.chain, let position = chain.firstIndex(of: name) else {
                guard record.name == name else { return record }
                return ArchiveClass(name: name, chain: [name] + ancestors, hints: record.hints)
            }
            return ArchiveClass(name: record.name, chain: chain[...position] + ancestors, hints: record.hints)
        }
    }

    /// The objects of a class and of those derived from it that are stored as fields: those of the archive by their UIDs,
    /// reached or not, and then new ones.
    mutating func objects(ofClass name: [UInt16]) -> [ID] {
        let isMeant = (0..<classCount).map { number in
            let record = archiveClass(number)
            return record.name == name || record.chain?.contains(name) ?? false
        }
        guard isMeant.contains(true) else { return [] }
        let stored = (0..<(view.archive?.count ?? 0)).map { view.document.count + $0 }
        let new = added.indices.map { view.count + $0 }
        return (stored + new).map { ID(index: $0) }.filter { id in
            guard let number = classNumber(of: id), isMeant[number] else { return false }
            if let number = openedNumber(id.index) { return containers[number].kind == .object }
            guard let viewID = viewID(of: id), case .object = view[viewID].form else { return false }
            return true
        }
    }

    // MARK: Fields

    /// The position of a field or a key; nil if there is none. What is not edited is not taken out of the view for it.
    mutating func slot(named name: [UInt16], of container: ID) -> Int? {
        if openedNumber(container.index) == nil, let id = viewID(of: container),
            view.position(of: AddressToken(name), in: id) == nil
        {
            return nil
        }
        return position(of: name, in: container)
    }

    /// Gives a field or a key another name; of a repeated one all pairs. False if there is none.
    ///
    /// - Throws: ``NameTaken`` if the new name is there already.
    mutating func rename(_ old: [UInt16], to new: ID, named name: [UInt16], in container: ID) throws(NameTaken) -> Bool
    {
        guard let position = slot(named: old, of: container) else { return false }
        if slot(named: name, of: container) != nil { throw NameTaken() }
        renameKey(at: position, of: container, to: new)
        return true
    }

    struct NameTaken: Error {}
}
