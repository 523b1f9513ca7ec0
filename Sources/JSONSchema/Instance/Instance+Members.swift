import SaveCodec

extension Instance {
    /// The code units of a name.
    package func units(ofName id: InstanceID) -> [UInt16] {
        if case .string(let text) = value(id) { text.units } else { [] }
    }

    /// What a step of an address leads to from a value; nil for nothing.
    package func step(by token: [UInt16], from id: InstanceID) -> InstanceID? {
        switch value(id) {
        case .array(let count):
            guard let position = Int(String(decoding: token, as: UTF16.self)), position >= 0, position < count else {
                return nil
            }
            return element(position, of: id)
        case .object(let count):
            let positions = 0..<count
            func hasName(_ position: Int) -> Bool { isName(member(position, of: id).name, token) }
            let found = lastRepeatedKeyWins ? positions.last(where: hasName) : positions.first(where: hasName)
            return found.map { member($0, of: id).value }
        default: return nil
        }
    }

    private func isName(_ id: InstanceID, _ units: [UInt16]) -> Bool {
        guard case .string(let name) = value(id) else { return false }
        if case .text(let text) = name { return text.elementsEqual(units) }
        return name.units == units
    }

    /// How many elements an array has.
    func elementCount(_ id: InstanceID) -> Int {
        if case .array(let count) = value(id) { count } else { 0 }
    }

    /// How many members an object has.
    func memberCount(_ id: InstanceID) -> Int {
        if case .object(let count) = value(id) { count } else { 0 }
    }

    /// The class that an object of so many members has as its member `$class`; nil for dictionaries.
    func className(of id: InstanceID, count: Int) -> StoredString? {
        guard count > 0, case .className(let number) = member(count - 1, of: id).value else { return nil }
        return classNames(number).first
    }
}
