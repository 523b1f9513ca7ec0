import KeyedArchives
import SaveCodec
import SaveOperations

enum ScoreText {
    /// Returns the records as `name score date`, without missing parts.
    static func lines(_ records: [ScoreRecord]) -> [String] {
        records.map { record in
            let date = record.date.map { " " + text($0) } ?? ""
            return "\(SafeText.escaping(record.name)) \(record.score)\(date)"
        }
    }

    private static func text(_ date: ScoreDate) -> String {
        switch date.stored {
        case .date: date.seconds.map { ScalarText.date($0) ?? ScalarText.real($0) } ?? ""
        case .text(let text): SafeText.escaping(text)
        case .number(let number): "\(number)"
        }
    }

    /// Returns a record as an object of an archive.
    static func record(_ name: String, _ score: String) -> String {
        #"{"$class":"HighScoreRecord","Name":"\#(name)","TotalScore":{"$object":\#(score)}}"#
    }

    static func archive(_ top: String) -> String {
        let classes = ["HighScoreRecord", "Entry", "Level"].map { #""\#($0)":["\#($0)","NSObject"]"# }
        return #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"#
            + classes.joined(separator: ",") + #"},"$top":\#(top)}"#
    }

    /// Returns a document, or the roots of an archive, as JSON.
    static func json(_ document: Document) throws -> String {
        guard KeyedArchive.isArchive(document) else { return try DraftText.json(document) }
        return try DraftText.top(KeyedArchive(document))
    }
}

extension ScoreRecord {
    init(_ name: String, _ score: Number, _ date: Double? = nil) {
        self.init(name: Array(name.utf16), score: score, date: date.map { ScoreDate($0) })
    }
}
