import Foundation
import SaveCodec
import TestSupport
import Testing

struct HostileInput: Sendable, CustomTestStringConvertible {
    enum Verdict: String {
        case accept = "A"
        case warn = "W"
        case refuse = "R"
    }

    /// A verdict and the printed text of the problems that explain it.
    struct Judgement: Equatable {
        let verdict: Verdict
        let message: String
    }

    static let table = TestFiles.fixtures.appending(path: "hostile.tsv")
    static let archives = TestFiles.fixtures.appending(path: "archives-tricky")
    static var isRecording: Bool { ProcessInfo.processInfo.environment["RECORD"] == "1" }

    let file: String
    let judgement: Judgement?

    var testDescription: String { file }

    static func all() throws -> [HostileInput] {
        try SeparatedTable(table).rows.map { row in
            let verdict = Verdict(rawValue: row["verdict", default: ""])
            return HostileInput(
                file: row["file", default: ""],
                judgement: verdict.map { Judgement(verdict: $0, message: row["message", default: ""]) })
        }
    }

    /// Reads the file in the format of its extension, or else in the recognized format.
    func judge() throws -> Judgement {
        let url = TestFiles.fixtures.appending(path: file)
        let bytes = try TestFiles.bytes(url)
        do throws(Problem) {
            let named = Format(rawValue: url.pathExtension)
            let format = if let named { named } else { try Format.recognize(bytes) }
            let warnings = try Document.read(bytes, as: format).warnings
            return Judgement(
                verdict: warnings.isEmpty ? .accept : .warn,
                message: warnings.map(\.description).joined(separator: "; "))
        } catch {
            return Judgement(verdict: .refuse, message: error.description)
        }
    }
}
