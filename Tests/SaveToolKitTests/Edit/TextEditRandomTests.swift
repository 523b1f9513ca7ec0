import Foundation
@testable import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// Tests random edits of texts full of comments: bytes outside the edit stay, Foundation reads the expected value, and
/// each comment is kept or reported.
@Suite struct TextEditRandomTests {
    private static let seed: UInt64 = 0x7E87

    @Test(arguments: ["xml", "json", "openstep", "strings"]) func edits(_ format: String) throws {
        let workspace = try Workspace()
        var dice = SeededGenerator(seed: Self.seed)
        var counts: [String: Int] = [:]
        var anew = 0
        let wanted = TestScale.count(100, long: max(TestScale.fuzzIterations / 16, 300))
        while counts.values.reduce(0, +) < wanted {
            let root = Self.root(format, &dice)
            var writer = CommentedText(format, dice)
            let text = writer.text(of: root)
            dice = writer.dice
            let kind = dice.pick(RandomTextEdit.Kind.allCases)
            guard let edit = RandomTextEdit(kind, of: root, &dice, textOnly: Self.isTextOnly(format)) else { continue }
            let result = try TextEditTests.edit(Array(text.utf8), format, edit.command, in: workspace)
            counts[kind.rawValue, default: 0] += 1
            if result.talk.contains("written anew") { anew += 1 }
            if let problem = try Self.problem(of: result, edit, text, format) {
                Issue.record("\(problem)\n\(edit.command)\n\(text)\n-->\n\(result.text)\n\(result.talk)")
                return
            }
        }
        TestScale.report("text edits, \(format): \(wanted), of them written anew: \(anew)")
        #expect(anew == 0 && counts.count == RandomTextEdit.Kind.allCases.count)
    }

    /// A text can be edited to match a document from elsewhere, such as from an editor or a merge, without knowing
    /// which objects correspond.
    @Test(arguments: ["xml", "json", "openstep"]) func documentsFromElsewhere(_ format: String) throws {
        var dice = SeededGenerator(seed: Self.seed + 1)
        let codec: Format = format == "xml" ? .xml : format == "json" ? .json : .openStep
        for _ in 0..<TestScale.count(60, long: 200) {
            let root = Self.root(format, &dice)
            var writer = CommentedText(format, dice)
            let text = writer.text(of: root)
            dice = writer.dice
            var after = root
            for _ in 0..<3 {
                let kind = dice.pick(RandomTextEdit.Kind.allCases)
                after = RandomTextEdit(kind, of: after, &dice, textOnly: Self.isTextOnly(format))?.after ?? after
            }
            let document = try JSON.read(Array(after.json.utf8))
            let edit = try #require(
                try TextEditing.edited(Array(text.utf8), as: codec, to: document), "\(text)\n\(after)")
            let result = String(decoding: edit.bytes, as: UTF8.self)
            let read = try Self.read(edit.bytes, format)
            #expect(read == after.canonical, "\(text)\n-->\n\(result)")
            let comments =
                Self.comments(in: result)
                + edit.removedComments.flatMap {
                    Self.comments(in: String(decoding: $0.text, as: UTF8.self))
                }
            #expect(comments.sorted() == Self.comments(in: text).sorted(), "\(text)\n-->\n\(result)")
        }
    }

    /// An edit of a damaged text results in a text with the expected values, or fails. Foundation is not consulted
    /// here.
    @Test(arguments: [Format.xml, .json, .openStep, .gnustep]) func damagedTexts(_ format: Format) throws {
        var dice = SeededGenerator(seed: Self.seed + 2)
        let name = format == .xml ? "xml" : format == .json ? "json" : "openstep"
        let seeds = try TextEditCase.all().filter { $0.format == name }.flatMap {
            [Array($0.before.utf8), Array($0.after.utf8)]
        }
        var mutator = Mutator(seeds: seeds, seed: Self.seed)
        var (readCount, editedCount, anewCount) = (0, 0, 0)
        for _ in 0..<max(TestScale.fuzzIterations / 8, 500) {
            let text = mutator.next()
            guard let document = try? Document.read(text, as: format) else { continue }
            readCount += 1
            let targets = seeds.shuffled(using: &dice).prefix(3).compactMap { try? Document.read($0, as: format) }
            for target in targets {
                guard let edit = try TextEditing.edited(text, as: format, to: target) else { continue }
                editedCount += 1
                let back = try TextEditing.edited(edit.bytes, as: format, to: document)
                if back == nil { anewCount += 1 }
            }
        }
        TestScale.report(
            "edits of damaged texts, \(format): \(readCount) read, \(editedCount) edited, \(anewCount) written anew")
        #expect(readCount > 0 && editedCount > 0 && anewCount <= 3 + editedCount / 50)
    }

    // MARK: Judging

    private static func isTextOnly(_ format: String) -> Bool { format == "openstep" || format == "strings" }

    private static func root(_ format: String, _ dice: inout SeededGenerator) -> SampleValue {
        let isArray = format != "strings" && dice.happens(20)
        let values = (0..<Int.random(in: 1...6, using: &dice)).map { _ in
            SampleValue.random(&dice, textOnly: isTextOnly(format))
        }
        return isArray
            ? .array(values) : .dictionary(Array(zip(SampleValue.keys.shuffled(using: &dice), values)).map { ($0, $1) })
    }

    private static func problem(
        of result: TextEditTests.Edit, _ edit: RandomTextEdit, _ text: String, _ format: String
    ) throws -> String? {
        guard result.status == 0 else { return "status \(result.status)" }
        guard try read(result.output, format) == edit.after.canonical else { return "not what was meant" }
        let (before, after) = (comments(in: text), comments(in: result.text))
        let named = result.talk.split(separator: "\n").flatMap { comments(in: String($0)) }
        if (after + named).sorted() != before.sorted() { return "comments that are neither there nor named" }
        let isMoving = edit.kind == .move || edit.kind == .patch
        if !isMoving, after != before.filter({ !named.contains($0) }) { return "comments in another order" }
        if text.contains("\r\n"), hasLineFeed(result.text, format) { return "line ends are mixed" }
        if !isMoving, edit.kind != .removeSome, let problem = try outside(result, edit, text, format) {
            return problem
        }
        return try untouched(result, edit, text, format)
    }

    /// Returns a text that is the same for equal values that Foundation reads.
    private static func read(_ bytes: [UInt8], _ format: String) throws -> String {
        // Foundation does not read a property list from a strings file without pairs.
        if format == "strings", !bytes.contains(UInt8(ascii: "=")) { return "{}" }
        let data = Data(bytes)
        let value =
            format == "json"
            ? try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            : try unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return SampleValue(value).canonical
    }

    static func comments(in text: String) -> [String] {
        text.matches(of: /(?:<!-- |\/\* |\/\/ )(c[0-9]+)\b/).map { String($0.output.1) }
    }

    /// Whether a text has an LF without CR outside of XML strings, whose line breaks belong to the value.
    private static func hasLineFeed(_ text: String, _ format: String) -> Bool {
        let text = format == "xml" ? text.replacing(/<string>[^<]*<\/string>/, with: "") : text
        return text.replacingOccurrences(of: "\r\n", with: "").utf8.contains(0x0A)
    }

    // MARK: Places

    /// Checks that the bytes before and after the edited member stay.
    private static func outside(
        _ result: TextEditTests.Edit, _ edit: RandomTextEdit, _ text: String, _ format: String
    ) throws -> String? {
        let places = try TextPlaces(text, format)
        let region = edit.kind == .set ? places.value(edit.paths[0]) : places.surroundings(edit.paths[0])
        let bytes = Array(text.utf8)
        let isKept =
            result.output.starts(with: bytes[..<region.lowerBound])
            && result.output.suffix(bytes.count - region.upperBound).elementsEqual(bytes[region.upperBound...])
            && result.output.count >= region.lowerBound + bytes.count - region.upperBound
        return isKept ? nil : "bytes outside of \(region) are others"
    }

    /// Checks that the other members of the root keep their text and their order.
    private static func untouched(
        _ result: TextEditTests.Edit, _ edit: RandomTextEdit, _ text: String, _ format: String
    ) throws -> String? {
        let places = try TextPlaces(text, format)
        guard places.isKeyed else { return nil }
        var rest = result.output[...]
        for (key, range) in places.members where !edit.paths.contains(where: { $0.first == key }) {
            let member = Array(text.utf8)[range]
            guard let found = rest.firstRange(of: member) else { return "the member \(key) has another text" }
            rest = rest[found.upperBound...]
        }
        return nil
    }
}
