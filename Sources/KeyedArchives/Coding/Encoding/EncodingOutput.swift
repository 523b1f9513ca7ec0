import SaveCodec

/// What the values of a program become when they are encoded: an archive, or a plain property list.
protocol EncodingOutput: AnyObject {
    /// A number under which an object can be referred to before it is complete; nil where nothing can be referred to.
    func reserve() -> UID?
    /// A plain value.
    func part(_ scalar: Scalar, _ style: ValueEncoder.Style) -> Part
    /// Fields: an object of a class, or a dictionary where there is none.
    func fields(
        _ fields: [(name: String, part: Part)], of name: ArchivedClassName?, as uid: UID?, _ style: ValueEncoder.Style
    ) -> Part
    /// Notes facts about an object that was encoded.
    func note(_ facts: EncodedObject, of part: Part)
    /// The elements of an array or a set.
    func elements(_ elements: [Part], isSet: Bool, as uid: UID?, _ style: ValueEncoder.Style) -> Part
    /// A dictionary; nil where keys are names, so that it is what it encodes.
    func pairs(_ pairs: () throws -> [(key: Part, value: Part)], _ style: ValueEncoder.Style) rethrows -> Part?
    /// The document of the roots.
    func finish(_ roots: [(key: String?, part: Part)], keepingUnreachable: Bool) throws(Problem) -> Document
}

/// What a value becomes as a field.
enum Part {
    /// nil.
    case null
    /// A number in place.
    case number(Scalar.Number)
    /// Another value in place.
    case scalar(Scalar)
    /// A reference to an object, in an archive.
    case reference(UID)
    /// A dictionary, in a property list, and its number among those. Two lists, as the compiler of Swift 6.3 takes one of
    /// pairs for a circle.
    case fields(names: [String], parts: [Part], number: Int)
    /// An array, in a property list.
    case elements([Part])
}

extension DocumentBuilder {
    mutating func add(_ scalar: Scalar) {
        switch scalar {
        case .number(.boolean(let value)): add(boolean: value)
        case .number(.integer(let value)): add(integer: value)
        case .number(.real32(let value)): add(real32: value)
        case .number(.real64(let value)): add(real64: value)
        case .string(let text): add(string: text)
        case .data(let bytes): add(data: bytes.span)
        case .date(let seconds): add(date: seconds)
        }
    }
}
