import SaveCodec

/// Tells the classes of the system from those of a game, by the prefixes that Apple reserves for its frameworks and by
/// the names of these.
enum SystemClass {
    private static let prefixes = [
        "NS", "UI", "CF", "CG", "CA", "CI", "CL", "CM", "CK", "CN", "AV", "GK", "GC", "MK", "MP", "MDL", "MTL", "PK",
        "SCN", "SK", "WK",
    ].map { Array($0.utf16) }

    /// What the names of Swift classes begin with.
    private static let modules = ["Foundation.", "GameplayKit.", "RealityKit.", "SceneKit.", "SpriteKit.", "Swift."]
        .map { Array($0.utf16) }

    /// Whether a class has a name such as `NSArray`, a prefix and then a capital letter, or `GameplayKit.Component`.
    static func isName(_ name: StoredString) -> Bool {
        prefixes.contains { prefix in
            name.count > prefix.count && name.starts(with: prefix) && (0x41...0x5A).contains(name[prefix.count])
        } || modules.contains { name.starts(with: $0) }
    }
}
