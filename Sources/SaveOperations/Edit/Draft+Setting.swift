import KeyedArchives
package import SaveCodec

/// Edits as people ask for them: a value at an address.
extension Draft {
    /// What came of setting a value.
    package enum SetResult: Sendable, Equatable {
        case done
        /// The real had to be rounded to so many bytes, to the number that this is.
        case rounded(String, byteCount: Int)
        /// Nothing is at the address, and nothing can be put there.
        case nothingThere
    }

    /// Sets the value at the end of a path. One that is there is replaced by one of the same type; a key or field that is
    /// not there is added, and before it the dictionaries that the path misses.
    ///
    /// - Parameters:
    ///   - isSplit: see ``container(of:splitting:)``.
    ///   - changesType: whether the value stands as it was given, of whatever type.
    package mutating func set(
        _ given: GivenValue, at path: SlotPath, splitting isSplit: [Bool], changesType: Bool
    ) throws(Problem) -> SetResult {
        let given = try given.fitting(view.document.sourceFormat)
        if case .nothing(let token, let isForm) = path.end {
            guard path.isNewKey(in: view) else { return .nothingThere }
            let container = container(of: path, splitting: isSplit)
            return try add(given, under: token, isForm: isForm, of: container, path)
        }
        guard let present = path.value(in: view) else { return try setClass(given, at: path, splitting: isSplit) }
        let value = try self.value(of: given, isRoot: path.end == .root)
        let setting = changesType ? .asGiven : try setting(value, given.literal, for: present, at: path.address)
        let isElsewhere = value.isInPlace.map { $0 != isInPlace(present) } ?? false
        guard isElsewhere || !isSame(value.id, as: present, setting: setting) else {
            return result(of: given, setting)
        }
        let fitted = try fitted(value.id, to: present, setting: setting, changesType: changesType)
        guard case .slot(let position) = path.end else {
            replaceRoot(with: fitted)
            return result(of: given, setting)
        }
        let container = container(of: path, splitting: isSplit)
        try refuseNil(fitted, in: container, at: path.address)
        replace(at: position, of: container, with: fitted, inPlace: value.isInPlace)
        return result(of: given, setting)
    }

    private func result(of given: GivenValue, _ setting: Setting) -> SetResult {
        guard case .real32(let real, let isRounded) = setting else { return given.stored }
        return isRounded ? .rounded(ScalarText.real(real), byteCount: 4) : .done
    }

    /// Inserts a value before the element that a path ends at, behind the last where its token is `-`, into a set, or
    /// under a key that is not there.
    package mutating func insert(
        _ given: GivenValue, at path: SlotPath, splitting isSplit: [Bool]
    ) throws(Problem) -> SetResult {
        guard let last = path.containers.last else { throw .editFixed("the root", at: path.address) }
        let form = view[last].form
        if case .className = path.end { throw .editFixed("the class of an object", at: path.address) }
        if form.isKeyed {
            guard case .nothing(let token, let isForm) = path.end else {
                throw Problem(
                    "edit.present-key", "the key is there already, so nothing can be inserted under it",
                    address: path.address)
            }
            let container = container(of: path, splitting: isSplit)
            return try add(given, under: token, isForm: isForm, of: container, path)
        }
        guard let position = insertion(path.end, count: view[last].contents.count) else { return .nothingThere }
        let given = try given.fitting(view.document.sourceFormat)
        let value = try self.value(of: given)
        if case .set = form, hasMember(value.id, in: last) {
            throw Problem("edit.present-member", "the set has this member already", address: path.address)
        }
        let container = container(of: path, splitting: isSplit)
        try refuseNil(value.id, in: container, at: path.address)
        insert(value.id, at: position, of: container, inPlace: value.isInPlace)
        return given.stored
    }

    /// Removes the values at the ends of paths, all of which are taken in the document as it was. Of a key that is
    /// repeated all pairs go.
    package mutating func remove(_ paths: [(path: SlotPath, isSplit: [Bool])]) throws(Problem) {
        var slots: [ID: Set<Int>] = [:]
        var containers: [ID] = []
        for (path, isSplit) in paths {
            switch path.end {
            case .slot(let position):
                let container = container(of: path, splitting: isSplit)
                if slots[container] == nil { containers.append(container) }
                slots[container, default: []].formUnion(
                    path.endsInForm ? [position] : positions(ofKeyAt: position, in: container))
            case .className: throw .editFixed("the class of an object", at: path.address)
            case .root: throw .editFixed("the root", at: path.address)
            case .nothing: break
            }
        }
        for container in containers {
            for position in (slots[container] ?? []).sorted(by: >) { remove(at: position, of: container) }
        }
    }

    // MARK: Places

    private mutating func add(
        _ given: GivenValue, under token: [UInt16], isForm: Bool, of container: ID, _ path: SlotPath
    ) throws(Problem) -> SetResult {
        guard !isForm else {
            throw Problem(
                "edit.form-key", "no key is there; only keys that are strings can be added", address: path.address)
        }
        let given = try given.fitting(view.document.sourceFormat)
        var value = try self.value(of: given)
        for key in path.missing.reversed() {
            let dictionary = try add(.dictionary)
            insert(value.id, key: add(string: key), at: 0, of: dictionary, inPlace: value.isInPlace)
            value = PatchValues.Value(id: dictionary, isInPlace: nil)
        }
        try refuseNil(value.id, in: container, at: path.address)
        let key = add(string: token)
        insert(value.id, key: key, at: self.value(container).count, of: container, inPlace: value.isInPlace)
        return given.stored
    }

    private func insertion(_ end: SlotPath.End, count: Int) -> Int? {
        switch end {
        case .slot(let position): position
        case .nothing(let token, isForm: false):
            token == [UInt16(UInt8(ascii: "-"))] || token.elementsEqual("\(count)".utf16) ? count : nil
        default: nil
        }
    }

    /// Refuses nil in a collection of an archive, which no unarchiver takes.
    private mutating func refuseNil(_ value: ID, in container: ID, at address: JSONPointer) throws(Problem) {
        guard view.archive != nil, case .null? = scalar(value), classOf(value) == nil, classOf(container) != nil else {
            return
        }
        if case .object = self.value(container).form { return }
        throw Problem(
            "edit.nil", "nil cannot stand in a collection of an archive; {\"$class\": \"NSNull\"} can", address: address
        )
    }

    private func hasMember(_ value: ID, in set: ViewID) -> Bool {
        let contents = view[set].contents
        return (0..<contents.count).contains { isSame(value, as: view.item($0, of: contents).id, setting: .asGiven) }
    }

    private mutating func setClass(
        _ given: GivenValue, at path: SlotPath, splitting isSplit: [Bool]
    ) throws(Problem) -> SetResult {
        guard case .string(let name) = given.node else {
            throw Problem(
                "edit.class-name", "found \(TypePhrase.of(given.node)); expected the name of a class, a string",
                address: path.address)
        }
        let className = classNamed(Array(name))
        try setClass(of: container(of: path, splitting: isSplit), to: className)
        return .done
    }

    // MARK: Values

    /// What a given value is in the draft.
    private mutating func value(of given: GivenValue, isRoot: Bool = false) throws(Problem) -> PatchValues.Value {
        let document = given.document
        let values = try PatchValues([document.root], tops: isRoot ? [0] : [], in: document, for: &self)
        return try values.add(0, to: &self)
    }

    /// How a value takes the place of another one.
    ///
    /// - Throws: a problem if it is of another type.
    private mutating func setting(
        _ value: PatchValues.Value, _ literal: String?, for present: ViewID, at address: JSONPointer
    ) throws(Problem) -> Setting {
        let scalar = Setting(scalar(value.id), literal, for: view.scalar(present))
        let setting = scalar ?? (isContainer(value.id, for: present) ? .asGiven : .otherType)
        guard setting != .otherType else {
            throw .editType(typeName(value.id), TypePhrase.of(present, in: view), at: address)
        }
        if let wanted = value.isInPlace, wanted != isInPlace(present) {
            throw .editType(TypePhrase.storage(isInPlace: wanted), TypePhrase.storage(isInPlace: !wanted), at: address)
        }
        return setting
    }

    private func isInPlace(_ present: ViewID) -> Bool { view.uid(present) == nil }

    /// Whether a container may take the place of a value: one of the same form, and of the same class if it has one that
    /// a collection does not have anyway.
    private mutating func isContainer(_ value: ID, for present: ViewID) -> Bool {
        switch (self.value(value).form, view[present].form) {
        case (.array, .array), (.set, .set), (.dictionary, .dictionary), (.object, .object):
            let className = classOf(value)?.name
            return Self.isUsual(className) || className == classOf(id(of: present))?.name
        default: return false
        }
    }

    /// Whether a class is none, or Foundation's for collections of which no class is told.
    private static func isUsual(_ className: [UInt16]?) -> Bool {
        guard let className else { return true }
        return TypePhrase.usualClasses.contains { className.elementsEqual($0.utf16) }
    }

    private mutating func typeName(_ value: ID) -> String {
        TypePhrase.of(self.value(value).form, classOf(value)?.name)
    }

    /// Whether a scalar stands there already, as it is to be stored.
    private func isSame(_ value: ID, as present: ViewID, setting: Setting) -> Bool {
        guard let old = view.scalar(present), let new = scalar(value) else { return false }
        switch (setting, old) {
        case (.real64(let new), .real64(let old)): return new.bitPattern == old.bitPattern
        case (.real32(let new, _), .real32(let old)): return new.bitPattern == old.bitPattern
        default: return new.isIdentical(to: old)
        }
    }

    private mutating func fitted(
        _ value: ID, to present: ViewID, setting: Setting, changesType: Bool
    ) throws(Problem) -> ID {
        switch setting {
        case .integer(let integer): add { $0.add(integer, shared: false) }
        case .real64(let value): add { $0.add(real64: value, shared: false) }
        case .real32(let value, _): add { $0.add(real32: value, shared: false) }
        case .asGiven, .otherType: changesType ? value : try keepingCollection(present, value)
        }
    }

    /// A collection with the contents of a new one and the class of the one that it replaces.
    private mutating func keepingCollection(_ present: ViewID, _ value: ID) throws(Problem) -> ID {
        let form = self.value(value).form
        if case .scalar = form { return value }
        guard Self.isUsual(classOf(value)?.name), let className = classOf(id(of: present)) else { return value }
        let collection = try add(form, class: className)
        for position in 0..<self.value(value).count {
            guard let item = item(position, of: value) else { continue }
            insert(item.value, key: item.key, at: position, of: collection)
        }
        return collection
    }
}

extension Node {
    /// Whether two scalars are the same to the bit, however many bytes take them.
    fileprivate func isIdentical(to other: Node) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.boolean(let a), .boolean(let b)): a == b
        case (.integer(let a), .integer(let b)): a.value == b.value
        case (.real32(let a), .real32(let b)): a.bitPattern == b.bitPattern
        case (.real64(let a), .real64(let b)), (.date(let a), .date(let b)): a.bitPattern == b.bitPattern
        case (.data(let a), .data(let b)): a == b
        case (.string(let a), .string(let b)): a.hasSameUnits(as: b)
        case (.uid(let a), .uid(let b)): a.value == b.value
        default: false
        }
    }
}

extension Problem {
    fileprivate static func editType(_ given: String, _ present: String, at address: JSONPointer) -> Problem {
        Problem(.editType, "found \(given); expected \(present), which is what stands there", address: address)
    }

    fileprivate static func editFixed(_ what: String, at address: JSONPointer) -> Problem {
        Problem("edit.fixed", "\(what) can be set, but neither inserted nor removed", address: address)
    }
}

extension Problem.Kind {
    /// The problem of a value of another type than the one that it is to replace.
    package static let editType = Problem.Kind("edit.type")
}
