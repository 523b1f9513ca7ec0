import KeyedArchives
import SaveCodec

/// What can be said of a sound archive.
extension Problem {
    private static let top = JSONPointer(tokens: [Array("$top".utf16)])

    static func topEmpty(_ place: SourceLocation?) -> Problem {
        Problem(
            "archive.top-empty", "$top is empty, so that nothing can be read from the archive", severity: .info,
            at: place, address: top)
    }

    static func rootMissing(_ names: [StoredString], _ place: SourceLocation?) -> Problem {
        Problem(
            "archive.root-name", "no object has the name root; there is \(list(names))", severity: .info, at: place,
            address: top)
    }

    static func unreferenced(_ count: Int, _ place: SourceLocation?, _ address: JSONPointer) -> Problem {
        Problem(
            "archive.unreferenced",
            count == 1
                ? "no root leads to this object" : "no root leads to \(count) objects, of which this is the first",
            severity: .warning, at: place, address: address)
    }

    static func unknownClasses(_ names: [StoredString]) -> Problem {
        Problem(
            "archive.classes",
            "objects have \(names.count == 1 ? "a class" : "\(names.count) classes") that only the game knows: \(list(names))",
            severity: .info)
    }

    static func unexpectedClass(_ use: ClassUse) -> Problem {
        let objects = use.count == 1 ? "1 object is" : "\(use.count) objects are"
        return Problem(
            "class.unexpected", "\(objects) of class \(use.record.name.shownAsClass), which is not allowed",
            at: use.place, address: .object(use.first))
    }

    static func moreUnexpectedClasses(_ count: Int) -> Problem {
        Problem(
            "class.more",
            count == 1 ? "1 more class is not allowed" : "\(count) more classes are not allowed", severity: .info)
    }

    /// An archive that is not sound has no values that a schema could look at.
    static let valuesUnchecked = Problem(
        "archive.values-unchecked", "the values were not checked, as the archive is not sound", severity: .info)

    private static let longestList = 20

    private static func list(_ names: [StoredString]) -> String {
        let rest = names.count - longestList
        return names.prefix(longestList).map(\.shownAsClass).joined(separator: ", ")
            + (rest > 0 ? " and \(rest) more" : "")
    }
}
