import SaveCodec

/// What can be said of a sound archive.
extension Problem {
    private static let top = Address(tokens: [Array("$top".utf16)])

    static func topEmpty(_ place: Place?) -> Problem {
        Problem(
            "archive.top-empty", "$top is empty, so that nothing can be read from the archive", severity: .warning,
            at: place, address: top)
    }

    static func rootMissing(_ names: [Text], _ place: Place?) -> Problem {
        Problem(
            "archive.root-name", "no object has the name root; there is \(list(names))", severity: .info, at: place,
            address: top)
    }

    static func unreferenced(_ count: Int, _ place: Place?, _ address: Address) -> Problem {
        Problem(
            "archive.unreferenced",
            count == 1
                ? "no root leads to this object" : "no root leads to \(count) objects, of which this is the first",
            severity: .info, at: place, address: address)
    }

    static func unknownClasses(_ names: [Text]) -> Problem {
        Problem(
            "archive.classes",
            "objects have \(names.count == 1 ? "a class" : "\(names.count) classes") that only the game knows: \(list(names))",
            severity: .info)
    }

    static func unexpectedClass(_ name: Text, _ count: Int, _ place: Place?, _ address: Address) -> Problem {
        Problem(
            "class.unexpected",
            "\(count == 1 ? "1 object is" : "\(count) objects are") of class \(shown(name)), which is not allowed",
            at: place, address: address)
    }

    private static let longestList = 20

    private static func list(_ names: [Text]) -> String {
        let rest = names.count - longestList
        return names.prefix(longestList).map(shown).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func shown(_ name: Text) -> String {
        SafeText.escaping(name.prefix(80)) + (name.count > 80 ? "…" : "")
    }
}
