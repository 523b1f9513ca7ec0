extension KeyedArchive {
    /// The names of Foundation's classes for collections and values: those that a secure unarchiver is told to expect
    /// beside the classes of a game.
    package static let foundationNames: [String] =
        (FoundationClass.collections + FoundationClass.values + FoundationClass.measurements).map(\.name)
}
