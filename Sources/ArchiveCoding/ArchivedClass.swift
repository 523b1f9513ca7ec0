import KeyedArchives

/// A type whose values are archived as objects of a class with a chosen name.
///
///     struct Player: Codable, ArchivedClass {
///         static let archivedClassName = "SwampPlayer"
///         static let archivedClassChain = ["SwampPlayer", "GameCharacter", "NSObject"]
///     }
///
/// Any other type uses its own name, without the module, and descends from its superclasses and `NSObject`.
public protocol ArchivedClass {
    /// The name of the class. The default is the name of the type without its module.
    static var archivedClassName: String { get }
    /// The class and its ancestors, starting with the class. The default is the class, its superclasses and `NSObject`.
    static var archivedClassChain: [String] { get }
}

extension ArchivedClass {
    /// The name of the type without its module.
    public static var archivedClassName: String { String(describing: Self.self) }
    /// The class, its superclasses and `NSObject`.
    public static var archivedClassChain: [String] {
        [archivedClassName] + ClassRecordNames.ancestors(of: Self.self, names: [:])
    }
}

/// The name and the chain of a class record.
struct ClassRecordNames: Hashable {
    let name: String
    let chain: [String]

    /// Creates the names in the record of a class.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - chain: The class and its ancestors; nil for the chain of the Foundation class with this name. If Foundation
    ///     has no such class, nil stands for the class and `ancestors`.
    ///   - ancestors: The ancestors of a class without a chain.
    init(_ name: String, chain: [String]? = nil, ancestors: [String] = ["NSObject"]) {
        self.name = name
        self.chain = chain ?? FoundationClass.named(name)?.chain ?? [name] + ancestors
    }

    /// Creates the names in the record of a type's class.
    ///
    /// - Parameter names: The names chosen for types.
    init(of type: Any.Type, names: [ObjectIdentifier: ClassRecordNames] = [:]) {
        if let chosen = names[ObjectIdentifier(type)] {
            self = chosen
        } else if let type = type as? any ArchivedClass.Type {
            self.init(type.archivedClassName, chain: type.archivedClassChain)
        } else {
            self.init(String(describing: type), ancestors: Self.ancestors(of: type, names: names))
        }
    }

    /// Whether a class is among the names of a chain. A module is ignored if the other name has none: `Game.Player` is
    /// `Player`, but not `Swamp.Player`.
    static func contains(_ name: String, in chain: [String]) -> Bool {
        let bare = withoutModule(name)
        if bare.utf8.count < name.utf8.count { return chain.contains { $0 == name || $0[...] == bare } }
        // A name of the chain is not searched for its module, because it may be as long as the file.
        let suffix = "." + name
        return chain.contains { $0 == name || $0.hasSuffix(suffix) }
    }

    /// Returns `Player` for `Game.Player`, and `Box<Game.Key>` for `Game.Box<Game.Key>`.
    static func withoutModule(_ name: String) -> Substring {
        let end = name.firstIndex(of: "<") ?? name.endIndex
        return name[..<end].lastIndex(of: ".").map { name[name.index(after: $0)...] } ?? name[...]
    }

    /// Returns the superclasses of a class, starting with the direct one, and `NSObject`.
    static func ancestors(of type: Any.Type, names: [ObjectIdentifier: ClassRecordNames]) -> [String] {
        guard let above = (type as? AnyClass).flatMap(_getSuperclass),
            FoundationValueTypes.foundationName(of: above) == nil
        else { return ["NSObject"] }
        return ClassRecordNames(of: above, names: names).chain
    }
}

/// The representation of a type's values in an archive.
enum ArchivedRepresentation {
    /// Objects of a class, if the type encodes fields.
    ///
    /// - isImplied: Whether the class name was derived from the type name.
    case object(ClassRecordNames, isImplied: Bool)
    case foundation(any FoundationValue.Type)
    /// Foundation's `Date`, which encodes its seconds.
    case date
    /// Foundation's `Data`, which encodes its bytes as elements.
    case data
    /// A type of Foundation whose class has other fields than the type, such as `TimeZone`.
    case unknown(ClassRecordNames)
    /// A dictionary, for fields that are grouped in a nested container and have no type of their own.
    case dictionary

    init(_ type: Any.Type, names: [ObjectIdentifier: ClassRecordNames]) {
        // The library does not use Foundation, but programs do. Foundation's common types are therefore recognized by
        // name.
        let isChosen = names[ObjectIdentifier(type)] != nil
        if !isChosen, let form = FoundationValueTypes.valueType(of: type) {
            self = .foundation(form)
            return
        }
        switch isChosen ? nil : FoundationValueTypes.swiftName(of: type) {
        case "Date": self = .date
        case "Data": self = .data
        case _?: self = .unknown(ClassRecordNames(of: type))
        case nil:
            self = .object(
                ClassRecordNames(of: type, names: names), isImplied: !isChosen && !(type is any ArchivedClass.Type))
        }
    }

    var className: ClassRecordNames? {
        switch self {
        case .object(let name, _), .unknown(let name): name
        default: nil
        }
    }
}
