/// A type whose values are archived as objects of a class of a chosen name.
///
///     struct Player: Codable, ArchivedClass {
///         static let archivedClassName = "SwampPlayer"
///         static let archivedClassChain = ["SwampPlayer", "GameCharacter", "NSObject"]
///     }
///
/// Other types have their own name, without that of the module, and descend from `NSObject`.
public protocol ArchivedClass {
    /// The name of the class; if it is not given, that of the type without its module.
    static var archivedClassName: String { get }
    /// The class and its ancestors, from the class up; if it is not given, the class and `NSObject`.
    static var archivedClassChain: [String] { get }
}

extension ArchivedClass {
    /// The name of the type without its module.
    public static var archivedClassName: String { String(describing: Self.self) }
    /// The class and `NSObject`.
    public static var archivedClassChain: [String] { [archivedClassName, "NSObject"] }
}

/// What the record of a class holds.
struct ArchivedClassName: Hashable {
    let name: String
    let chain: [String]

    init(_ name: String, chain: [String]? = nil) {
        self.name = name
        self.chain = chain ?? FoundationClass.named(name)?.chain ?? [name, "NSObject"]
    }

    init(of type: Any.Type) {
        if let type = type as? any ArchivedClass.Type {
            self.init(type.archivedClassName, chain: type.archivedClassChain)
        } else {
            self.init(String(describing: type))
        }
    }
}

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
