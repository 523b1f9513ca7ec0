import SaveCodec

/// A demand on a value that needs no other schema: one keyword of the validation vocabulary, of formats, or of ours.
enum Assertion: Sendable {
    case type(JSONTypes)
    case const(SchemaValues)
    case enumeration(SchemaValues)
    case multipleOf(Number, Decimal)
    case maximum(Number)
    case exclusiveMaximum(Number)
    case minimum(Number)
    case exclusiveMinimum(Number)
    case maxLength(Int)
    case minLength(Int)
    case pattern(SchemaPattern)
    case maxItems(Int)
    case minItems(Int)
    case uniqueItems
    case maxProperties(Int)
    case minProperties(Int)
    case required(NameTable<Void>)
    case dependentRequired([(name: Int32, required: NameTable<Void>)])
    case format(SchemaFormat)
    case xClass(ClassNames)
    case xType(ViewTypes)
    case xOrder(OrderRule)
    case xUniqueBy([Address])
    case xMaxBytes(Int)

    /// The keyword.
    var keyword: Keyword {
        switch self {
        case .type: .type
        case .const: .const
        case .enumeration: .enumeration
        case .multipleOf: .multipleOf
        case .maximum: .maximum
        case .exclusiveMaximum: .exclusiveMaximum
        case .minimum: .minimum
        case .exclusiveMinimum: .exclusiveMinimum
        case .maxLength: .maxLength
        case .minLength: .minLength
        case .pattern: .pattern
        case .maxItems: .maxItems
        case .minItems: .minItems
        case .uniqueItems: .uniqueItems
        case .maxProperties: .maxProperties
        case .minProperties: .minProperties
        case .required: .required
        case .dependentRequired: .dependentRequired
        case .format: .format
        case .xClass: .xClass
        case .xType: .xType
        case .xOrder: .xOrder
        case .xUniqueBy: .xUniqueBy
        case .xMaxBytes: .xMaxBytes
        }
    }
}

/// A regular expression and how it was written; a class, since a pattern is much larger than other demands.
final class SchemaPattern: Sendable {
    let regex: ECMARegex
    let source: [UInt16]
    /// A number from zero, for tables.
    let number: Int

    init(regex: ECMARegex, source: [UInt16], number: Int) {
        self.regex = regex
        self.source = source
        self.number = number
    }
}

/// The names of classes of `x-class`.
final class ClassNames: Sendable {
    /// In the order of the schema.
    let list: [[UInt16]]
    let names: Set<[UInt16]>
    /// A number from zero, for tables.
    let number: Int

    init(_ list: [[UInt16]], number: Int) {
        self.list = list
        names = Set(list)
        self.number = number
    }
}

/// Values in a schema that an instance is compared with.
struct SchemaValues: Sendable {
    /// The position of their document.
    let document: Int
    let ids: [InstanceID]
    /// The positions of the values by their hashes.
    let positions: [Int: [Int]]
}

/// The demand of `x-order`: how neighbours follow each other.
struct OrderRule: Sendable {
    /// What is compared, below each element.
    let by: Address
    let isDescending: Bool
}

/// Names that mean something to a schema, each with what it means.
struct NameTable<Meaning: Sendable>: Sendable {
    /// The names in the order of the schema, by their numbers.
    let names: [Int32]
    private let meanings: [Meaning]
    private let positions: [Int32: Int]

    init(_ entries: [(name: Int32, meaning: Meaning)]) {
        names = entries.map(\.name)
        meanings = entries.map(\.meaning)
        positions = Dictionary(zip(names, 0...), uniquingKeysWith: { _, last in last })
    }

    /// How many names there are.
    var count: Int { names.count }

    /// The position of a name.
    func position(_ name: Int32) -> Int? {
        guard names.count > 8 else { return names.firstIndex(of: name) }
        return positions[name]
    }

    /// What a name means; nil for other names.
    func meaning(_ name: Int32) -> Meaning? {
        position(name).map { meanings[$0] }
    }

    /// What the name at a position means.
    subscript(position: Int) -> Meaning { meanings[position] }
}
