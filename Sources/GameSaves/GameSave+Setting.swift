import KeyedArchives
public import SaveCodec
import SaveOperations

/// A plain value to set in a save.
///
///     let healed = try save.setting(player["health"].address, to: 100)
public enum SaveValue: Sendable, Equatable, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    /// A Boolean.
    case boolean(Bool)
    /// An integer.
    case integer(Int)
    /// A real.
    case real(Double)
    /// A string.
    case string(String)
    /// Data.
    case data([UInt8])
    /// A date, in seconds since 2001-01-01T00:00:00Z, as in Foundation's `timeIntervalSinceReferenceDate`.
    case date(Double)

    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates a real.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates a string.
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
    /// Returns the save with the value at an address replaced, see ``setting(_:)``.
    ///
    /// - Throws: A problem if the address does not exist or holds a value of another type.
    public func setting(_ address: JSONPointer, to value: SaveValue) throws(Problem) -> GameSave {
        try setting([(address, value)])
    }

    /// Returns the save with the values at some addresses replaced, either all of them or none.
    ///
    /// Each value is stored like the one it replaces: an integer that replaces a real becomes a real of that real's
    /// width, and a number that replaces one stored as an object is stored as an object. Changing a shared object
    /// changes it for all fields that refer to it. To add or remove values, apply a patch.
    ///
    /// - Throws: A problem if an address does not exist or holds a value of another type.
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

/// An editor that sets values by number, and fails at the first one that cannot be set.
private struct ValueSetter: MultiEditDelegate {
    let values: [SaveValue]

    var isSuccessful: Bool { true }

    func edit(_ number: Int, at slot: EditSlot, of save: Save, in draft: inout Draft) throws(Problem) {
        guard slot.path.value != nil else { return try handleMissing(slot.path.address, in: save) }
        do throws(Problem) {
            let value = try GivenValue { values[number].add(to: &$0) }
            _ = try draft.set(value, at: slot, changesType: false)
        } catch {
            throw save.based(error)
        }
    }

    func handleMissing(_ address: JSONPointer, in save: Save) throws(Problem) {
        let advice = Draft(save.view).advice(for: address)
        throw save.based(Problem("set.missing", "no such value" + advice, address: address))
    }

    func accepts(_ result: EditedSave, _ edited: ObjectView, of save: Save) throws(Problem) -> Bool {
        do throws(Problem) {
            try result.checkValues()
        } catch {
            throw save.based(error)
        }
        return true
    }

    func reportHolder(_ slot: EditSlot, of save: Save, in draft: borrowing Draft) {}
    func report(_ slots: MultiEditSlots, of save: Save, in draft: inout Draft) {}

    func failure(_ problem: Problem, in save: Save) -> Problem { save.based(problem) }
}
