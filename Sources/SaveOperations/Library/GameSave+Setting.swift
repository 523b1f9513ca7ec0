import KeyedArchives
public import SaveCodec

/// A plain value that a program puts into a save.
///
///     let healed = try save.setting(player["health"].address, to: 100)
public enum SaveValue: Sendable, Equatable, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// A boolean.
    case boolean(Bool)
    /// An integer.
    case integer(Int)
    /// A real number.
    case real(Double)
    /// A string.
    case string(String)
    /// Data.
    case data([UInt8])
    /// A date, in seconds since 2001-01-01T00:00:00Z, as Foundation's `timeIntervalSinceReferenceDate`.
    case date(Double)

    /// A boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// An integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// A real.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }

    fileprivate func add(to builder: inout DocumentBuilder) {
        switch self {
        case .boolean(let value): builder.add(boolean: value)
        case .integer(let value): builder.add(integer: Int128(value))
        case .real(let value): builder.add(real64: value)
        case .string(let value): builder.add(string: value)
        case .data(let bytes): builder.add(data: bytes.span)
        case .date(let seconds): builder.add(date: seconds)
        }
    }
}

extension GameSave {
    /// The save with another value in the place of one, see ``setting(_:)``.
    ///
    /// - Throws: a problem if nothing is at the address, or a value of another type.
    public func setting(_ address: JSONPointer, to value: SaveValue) throws(Problem) -> GameSave {
        try setting([(address, value)])
    }

    /// The save with other values in the places of some, all of them or none. Each is stored as what it replaces: an
    /// integer in the place of a real is a real of that size, a number that is an object stays one. An object that several
    /// fields refer to changes for all of them. To add and to remove, apply a patch.
    ///
    /// - Throws: a problem if nothing is at one of the addresses, or a value of another type.
    public func setting(_ values: [(address: JSONPointer, value: SaveValue)]) throws(Problem) -> GameSave {
        let edit = MultiEdit(ValueSetter(values: values.map(\.value)))
        var number = 0
        let edited = try edit.view(of: save) {
            guard number < values.count else { return nil }
            defer { number += 1 }
            return EditTarget(.address(values[number].address), number: number)
        }
        return try self.edited(edited)
    }
}

/// Sets values by their numbers. The first that cannot be set is an error.
private struct ValueSetter: MultiEditor {
    let values: [SaveValue]

    var isSuccessful: Bool { true }

    func edit(_ number: Int, at place: EditSlot, of save: Save, in draft: inout Draft) throws(Problem) {
        guard place.path.value != nil else { return try handleMissing(place.path.address, in: save) }
        do throws(Problem) {
            let value = try GivenValue { values[number].add(to: &$0) }
            _ = try draft.set(value, at: place, changesType: false)
        } catch {
            throw save.based(error)
        }
    }

    func handleMissing(_ address: JSONPointer, in save: Save) throws(Problem) {
        let advice = Draft(save.view).advice(for: address)
        throw save.based(Problem("set.missing", "nothing is there" + advice, address: address))
    }

    func accepts(_ result: EditedSave, _ edited: ObjectView, of save: Save) throws(Problem) -> Bool {
        do throws(Problem) {
            try result.checkValues()
        } catch {
            throw save.based(error)
        }
        return true
    }

    func reportHolder(_ place: EditSlot, of save: Save, in draft: borrowing Draft) {}
    func report(_ places: MultiEditSlots, of save: Save, in draft: inout Draft) {}

    func failure(_ problem: Problem, in save: Save) -> Problem { save.based(problem) }
}
