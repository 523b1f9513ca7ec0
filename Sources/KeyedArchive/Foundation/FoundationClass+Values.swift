/// Values that are objects of a class of their own.
extension FoundationClass {
    static let values = [
        FoundationClass(
            "NSURL", layout: .fields([FieldRule("NS.base", .reference), FieldRule("NS.relative", .reference)], .url))
    ]

    static let frameworks: [FoundationClass] = []
}
