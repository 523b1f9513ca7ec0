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
        try edited(Self.view(of: view, setting: values, limits))
    }

    /// The view in which values have been set; nil if none has become another. Calls itself for saves in values, of
    /// which only so many are opened within each other.
    private static func view(
        of view: ObjectView, setting values: [(address: JSONPointer, value: SaveValue)], _ limits: Limits
    ) throws(Problem) -> ObjectView? {
        var draft = Draft(view)
        var entrances: [(entrance: ObjectView.Entrance, place: EditPlace)] = []
        var rests: [EditPlace.Identity: [(address: JSONPointer, value: SaveValue)]] = [:]
        for (address, value) in values {
            guard let entrance = view.entrance(on: address), let place = EditPlace(entrance.address, in: view) else {
                try draft.set(value, at: address)
                continue
            }
            if rests[place.identity] == nil { entrances.append((entrance, place)) }
            rests[place.identity, default: []].append((entrance.rest, value))
        }
        for (entrance, place) in entrances {
            do throws(Problem) {
                let values = rests[place.identity] ?? []
                guard let edited = try self.view(of: entrance.save.view, setting: values, limits) else { continue }
                let bytes = try entrance.save.bytes(of: edited, limits: limits)
                draft.replace(entrance.save, at: place, with: bytes)
            } catch {
                var problem = error
                problem.address = entrance.address.appending(error.address ?? .root)
                throw problem
            }
        }
        return draft.isUnchanged ? nil : try draft.editedView(limits: limits)
    }
}

extension Draft {
    fileprivate mutating func set(_ value: SaveValue, at address: JSONPointer) throws(Problem) {
        let given = try GivenValue { value.add(to: &$0) }
        guard let place = EditPlace(address, in: view), place.path.value != nil else {
            throw Problem("set.missing", "nothing is there" + advice(for: address), address: address)
        }
        _ = try set(given, at: place, changesType: false)
    }
}
