/// Whether a file that was found in a folder is one of those that are checked: by the ending of its name, or by how it
/// begins.
///
/// Nearly every text is an OpenStep string to a reader, and every number JSON, so that a file without a telling name is
/// taken only if it is a property list in binary or XML form and says so. The ending `.xml` does not tell: XML can be
/// anything.
enum FoundFile {
    /// How much of a file is looked at.
    static let headSize = 4096

    private static let endings: Set<String> = [
        "archive", "bplist", "gnustep", "json", "openstep", "plist", "sav", "save", "sks", "strings",
    ]

    static func hasTellingName(_ name: String) -> Bool {
        FileSystem.ending(of: name).map { endings.contains($0.lowercased()) } ?? false
    }

    static func hasTellingHead(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: "bplist".utf8) { return true }
        // Without its zeros a text in UTF-16 reads like one in UTF-8, but for the mark at its beginning.
        let text = String(decoding: bytes.prefix(headSize).filter { $0 != 0 }, as: UTF8.self)
        let isMark = { (scalar: Unicode.Scalar) in scalar == "\u{FEFF}" || scalar == "\u{FFFD}" }
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && !isMark($0) }
        guard first == "<" else { return false }
        return text.contains("<plist") || text.contains("<!DOCTYPE plist")
    }
}
