/// A type whose values are archived as objects of a class of a chosen name.
///
///     struct Player: Codable, ArchivedClass {
///         static let archivedClassName = "SwampPlayer"
///         static let archivedClassChain = ["SwampPlayer", "GameCharacter", "NSObject"]
///     }
///
/// Other types have their own name, without that of the module, and descend from their superclasses and `NSObject`.
public protocol ArchivedClass {
    /// The name of the class; if it is not given, that of the type without its module.
    static var archivedClassName: String { get }
    /// The class and its ancestors, from the class up; if it is not given, the class, its superclasses and `NSObject`.
    static var archivedClassChain: [String] { get }
}

extension ArchivedClass {
    /// The name of the type without its module.
    public static var archivedClassName: String { String(describing: Self.self) }
    /// The class, its superclasses and `NSObject`.
    public static var archivedClassChain: [String] {
        [archivedClassName] + ArchivedClassName.ancestors(of: Self.self, names: [:])
    }
}

/// What the record of a class holds.
struct ArchivedClassName: Hashable {
    let name: String
    let chain: [String]

    /// - Parameter chain: the class and its ancestors; nil for what Foundation's class of this name has, or else for the
    ///   class and those given.
    init(_ name: String, chain: [String]? = nil, ancestors: [String] = ["NSObject"]) {
        self.name = name
        self.chain = chain ?? FoundationClass.named(name)?.chain ?? [name] + ancestors
    }

    /// - Parameter names: those that were chosen for types.
    init(of type: Any.Type, names: [ObjectIdentifier: ArchivedClassName] = [:]) {
        if let chosen = names[ObjectIdentifier(type)] {
            self = chosen
        } else if let type = type as? any ArchivedClass.Type {
            self.init(type.archivedClassName, chain: type.archivedClassChain)
        } else {
            self.init(String(describing: type), ancestors: Self.ancestors(of: type, names: names))
        }
    }

    /// The superclasses of a class, from the nearest up, and `NSObject`, which all descend from.
    static func ancestors(of type: Any.Type, names: [ObjectIdentifier: ArchivedClassName]) -> [String] {
        guard let above = (type as? AnyClass).flatMap(_getSuperclass), FoundationForms.foundationName(of: above) == nil
        else { return ["NSObject"] }
        return ArchivedClassName(of: above, names: names).chain
    }
}

/// What the values of a type become where the type does not say so by what it encodes.
enum TypeKind {
    /// Objects of a class, where the type encodes fields.
    ///
    /// - isImplied: whether the class merely has the name of the type.
    case object(ArchivedClassName, isImplied: Bool)
    /// An object of Foundation's.
    case foundation(any FoundationForm.Type)
    /// Foundation's `Date`, which encodes its seconds.
    case date
    /// Foundation's `Data`, which encodes its bytes as elements.
    case data
    /// Fields without a type of their own: a dictionary.
    case dictionary

    init(_ type: Any.Type, names: [ObjectIdentifier: ArchivedClassName]) {
        // The library does without Foundation, programs do not; its most common types are known by name.
        let isChosen = names[ObjectIdentifier(type)] != nil
        if !isChosen, let form = FoundationForms.form(of: type) {
            self = .foundation(form)
            return
        }
        switch isChosen ? nil : FoundationForms.foundationName(of: type) {
        case "Date": self = .date
        case "Data": self = .data
        default:
            self = .object(
                ArchivedClassName(of: type, names: names), isImplied: !isChosen && !(type is any ArchivedClass.Type))
        }
    }

    /// The class of an object; nil for a dictionary.
    var className: ArchivedClassName? {
        switch self {
        case .object(let name, _): name
        default: nil
        }
    }
}
