import KeyedArchives

/// A test that distinguishes system classes from a game's own by the prefixes that Apple reserves and by framework
/// names.
enum SystemClass {
    private static let prefixes = [
        "NS", "UI", "CF", "CG", "CA", "CI", "CL", "CM", "CK", "CN", "AV", "GK", "GC", "MK", "MP", "MDL", "MTL", "PK",
        "SCN", "SK", "WK",
    ].map { Array($0.utf16) }

    /// The module prefixes of Swift class names.
    private static let modules = ["Foundation.", "GameplayKit.", "RealityKit.", "SceneKit.", "SpriteKit.", "Swift."]
        .map { Array($0.utf16) }

    /// Whether a class name is like `NSArray`, a prefix followed by a capital letter, or like `GameplayKit.Component`.
    static func isName(_ name: ShownClassName) -> Bool {
        prefixes.contains { prefix in
            name.count > prefix.count && name.starts(with: prefix) && (0x41...0x5A).contains(name[prefix.count])
        } || modules.contains { name.starts(with: $0) }
    }
}
