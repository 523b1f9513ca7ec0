/// Whether a file that was found in a folder is one of those that are checked: by the ending of its name, or by how it
/// begins.
///
/// Nearly every text is an OpenStep string to a reader, and every number JSON, so that a file without a telling name is
/// taken only if it is a property list in binary or XML form and says so.
enum FoundFile {
    /// How much of a file is looked at.
    static let headSize = 512

    private static let endings: Set<String> = [
        "archive", "bplist", "gnustep", "json", "openstep", "plist", "sav", "save", "sks", "strings", "xml",
    ]

    static func hasTellingName(_ name: String) -> Bool {
        FileSystem.ending(of: name).map { endings.contains($0.lowercased()) } ?? false
    }

    static func hasTellingHead(_ bytes: [UInt8]) -> Bool {
        if bytes.starts(with: "bplist".utf8) { return true }
        let text = String(decoding: bytes.prefix(headSize), as: UTF8.self)
        guard text.drop(while: { $0.isWhitespace || $0 == "\u{FEFF}" }).hasPrefix("<") else { return false }
        return text.contains("<plist") || text.contains("<!DOCTYPE plist")
    }
}
