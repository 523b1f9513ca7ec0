/// What the values of a type become where the type does not say so by what it encodes.
enum TypeKind {
    /// Objects of a class, where the type encodes fields.
    case object(ArchivedClassName)
    /// Foundation's `Date`, which encodes its seconds.
    case date
    /// Foundation's `Data`, which encodes its bytes as elements.
    case data
    /// Fields without a type of their own: a dictionary.
    case dictionary

    init(_ type: Any.Type, name: ArchivedClassName?) {
        if let name {
            self = .object(name)
        } else {
            // The library does without Foundation, programs do not; its two most common types are known by name.
            switch String(reflecting: type) {
            case "Foundation.Date", "FoundationEssentials.Date": self = .date
            case "Foundation.Data", "FoundationEssentials.Data": self = .data
            default: self = .object(ArchivedClassName(of: type))
            }
        }
    }
}
