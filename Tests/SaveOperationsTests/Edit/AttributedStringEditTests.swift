import Foundation
import KeyedArchives
@testable import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

/// Foundation reads edited attributed strings, and their runs cover the text.
@Suite struct AttributedStringEditTests {
    private static func view() throws -> ObjectView {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "attributed/dialogue.save"))
        return try ObjectView(of: Document.read(bytes, as: .binary), limits: Limits(), isRaw: false)
    }

    private static func value(_ address: String, in view: ObjectView) throws -> ViewID? {
        guard case .found(let id, _) = view.find(try #require(JSONPointer(address))) else { return nil }
        return id
    }

    private static func text(_ address: String, in view: ObjectView) throws -> String? {
        try value(address, in: view).flatMap { view.text($0)?.string }
    }

    private static func integer(_ address: String, in view: ObjectView) throws -> Int? {
        guard let id = try value(address, in: view), case .integer(let integer) = view.scalar(id) else { return nil }
        return Int(integer.value)
    }

    /// Returns an attributed string of an archive: `white<Welcome to the >green/24<Swamp>`. If it has several runs,
    /// Foundation must read the same. Foundation on Linux cannot read others, not even its own.
    private static func string(_ view: ObjectView, _ name: String) throws -> String {
        let text = NSString(string: try #require(try Self.text("/root/\(name)/text", in: view)))
        var runs = ""
        var count = 0
        while let location = try integer("/root/\(name)/runs/\(count)/range/location", in: view) {
            let run = "/root/\(name)/runs/\(count)/"
            let range = NSRange(location: location, length: try #require(try integer(run + "range/length", in: view)))
            let size = try integer(run + "attributes/Size", in: view).map { "/\($0)" } ?? ""
            let color = try Self.text(run + "attributes/Color", in: view) ?? "none"
            runs += color + size + "<" + text.substring(with: range) + ">"
            count += 1
        }
        if count > 1 { #expect(try Self.unarchived(view, name) == runs) }
        return count == 0 ? text as String : runs
    }

    /// Graph JSON has the stored fields, which views replace by the text and the runs.
    @Test func graphJSONWithStoredFieldsIsNoChange() throws {
        let view = try Self.view()
        var output = ByteWriter()
        try view.write(as: .json, to: &output, limits: Limits())
        let text = String(decoding: output.takeBytes(), as: UTF8.self)
        #expect(text.contains("NSAttributeInfo"))
        var draft = Draft(view)
        _ = try draft.replaceContents(with: JSON.readTyped(Array((text + "\n").utf8)))
        let isUnchanged = draft.isUnchanged
        #expect(isUnchanged)
        var edited = Draft(view)
        _ = try edited.replaceContents(
            with: JSON.readTyped(Array(text.replacingOccurrences(of: "Swamp", with: "Marsh").utf8)))
        let result = try edited.editedView(limits: Limits())
        #expect(try Self.string(result, "line").contains("Marsh"))
    }

    /// A field named like a shown one keeps the string as it is stored, and edits change the stored fields.
    @Test(arguments: ["text", "runs"])
    func editsStoredFieldsBesideAFieldOfTheSameName(_ name: String) throws {
        let text =
            ##"{"$version":100000,"$archiver":"NSKeyedArchiver","$top":{"root":{"$uid":1}},"$objects":["$null","##
            + ##"{"$class":{"$uid":3},"NSString":{"$uid":2},"\##(name)":"own"},"Hello","##
            + ##"{"$classname":"NSAttributedString","$classes":["NSAttributedString","NSObject"]}]}"##
        let view = try ObjectView(of: Document(Array(text.utf8)), limits: Limits(), isRaw: false)
        #expect(try Self.text("/root/NSString", in: view) == "Hello")
        for address in ["/root/NSString", "/root/\(name)"] {
            var draft = Draft(view)
            let slot = try #require(JSONPointer(address).flatMap { EditSlot($0, in: view) })
            _ = try draft.set(GivenValue(json: Array("\"new\"".utf8)), at: slot, changesType: false)
            let edited = try draft.editedView(limits: Limits())
            #expect(try Self.text(address, in: edited) == "new")
            let other = address == "/root/NSString" ? "/root/\(name)" : "/root/NSString"
            #expect(try Self.text(other, in: edited) == Self.text(other, in: view))
        }
    }

    /// Graph JSON with text and runs, which editors show, describes the same archive, and Foundation reads it.
    @Test func graphJSONWithRunsIsStored() throws {
        let view = try Self.view()
        var output = ByteWriter()
        var options = WriteOptions()
        options.showsRuns = true
        try view.write(as: .json, to: &output, options: options, limits: Limits())
        let text = output.takeBytes()
        #expect(!String(decoding: text, as: UTF8.self).contains("NSAttributeInfo"))
        let document = try JSON.readTyped(text)
        let stored = try ObjectView(of: document, limits: Limits(), isRaw: false).storingRuns()
        #expect(Difference(view, stored).changes.isEmpty)
        #expect(try Self.string(stored, "line") == "white<Welcome to the >green/24<Swamp 🐸>white<, stranger.>")
        let edited = try #require(try view.edited(to: document, from: document))
        #expect(edited.view === view)
    }

    /// Returns an attributed string as Foundation reads it.
    private static func unarchived(_ view: ObjectView, _ name: String) throws -> String {
        var draft = Draft(view)
        let (top, string) = (draft.root, try draft.at("/root/\(name)"))
        draft.replace(at: 0, of: top, with: string)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(draft.finish().bytes(as: .binary)))
        unarchiver.requiresSecureCoding = false
        let root = try #require(unarchiver.decodeObject(forKey: "root") as? NSAttributedString)
        var text = ""
        unsafe root.enumerateAttributes(in: NSRange(location: 0, length: root.length)) { attributes, range, _ in
            let color = attributes[NSAttributedString.Key("Color")].map { "\($0)" } ?? "none"
            let size = attributes[NSAttributedString.Key("Size")].map { "/\($0)" } ?? ""
            text += color + size + "<" + NSString(string: root.string).substring(with: range) + ">"
        }
        return text
    }

    private static func isSound(_ view: ObjectView) -> Bool {
        // Removed objects leave `$null` in their place.
        view.archive?.findings.allSatisfy { $0.id == "archive.null-elsewhere" } ?? false
    }

    @Test(arguments: [
        ("Welcome to the Swamp 🐸, stranger.", "white<Welcome to the >green/24<Swamp 🐸>white<, stranger.>"),
        ("Welcome to the Swamp 🐊, stranger.", "white<Welcome to the >green/24<Swamp 🐊>white<, stranger.>"),
        ("Welcome to the Swamp 🐸🐸, stranger.", "white<Welcome to the >green/24<Swamp 🐸🐸>white<, stranger.>"),
        ("Welcome back to the Swamp 🐸, stranger.", "white<Welcome back to the >green/24<Swamp 🐸>white<, stranger.>"),
        // New characters get the attributes of the character before them.
        ("Welcome to the old Swamp 🐸, stranger.", "white<Welcome to the old >green/24<Swamp 🐸>white<, stranger.>"),
        ("Welcome to the Swamp 🐸, stranger. Go!", "white<Welcome to the >green/24<Swamp 🐸>white<, stranger. Go!>"),
        ("Hi! Welcome to the Swamp 🐸, stranger.", "white<Hi! Welcome to the >green/24<Swamp 🐸>white<, stranger.>"),
        // Words that stay keep their attributes.
        ("Welcome to the old Swamp 🐸, friend.", "white<Welcome to the old >green/24<Swamp 🐸>white<, friend.>"),
        // New characters get the attributes of the first character that they replace.
        ("Welcome to Rome.", "white<Welcome to Rome.>"), ("Swamp 🐸, stranger.", "green/24<Swamp 🐸>white<, stranger.>"),
        ("x", "white<x>"), ("", ""),
    ]) func runsFollowText(_ text: String, _ expected: String) throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/text", "\"\(text)\"")
        let edited = try draft.editedView()
        #expect(try Self.string(edited, "line") == expected)
        #expect(try Self.string(edited, "name") == "purple<Witch>")
        #expect(Self.isSound(edited))
    }

    /// Setting a text and setting it back gives the same values.
    @Test func settingBack() throws {
        let view = try Self.view()
        var draft = Draft(view)
        try draft.set("/root/line/text", #""Welcome to the Swamp 🐸🐸, stranger.""#)
        var again = Draft(try draft.editedView())
        try again.set("/root/line/text", #""Welcome to the Swamp 🐸, stranger.""#)
        #expect(Difference(view, try again.editedView()).changes.isEmpty)
    }

    @Test func attributeOfRun() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/runs/1/attributes/Color", #""red""#)
        let edited = try draft.editedView()
        #expect(
            try Self.string(edited, "line") == "white<Welcome to the >red/24<Swamp 🐸>white<, stranger.>")
        #expect(Self.isSound(edited))
    }

    /// An attribute of a whole text, which has no run table.
    @Test func attributeOfWholeText() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/name/runs/0/attributes/Color", #""red""#)
        try draft.set("/root/name/text", #""Warlock""#)
        #expect(try Self.string(draft.editedView(), "name") == "red<Warlock>")
    }

    @Test func runsAndText() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/name/text", #""The Witch""#)
        try draft.set("/root/name/runs/0/range/length", "9")
        #expect(try Self.string(draft.editedView(), "name") == "purple<The Witch>")
    }

    /// A run that several addresses share is stored once.
    @Test func movedBoundary() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/runs/1/range/location", "11")
        try draft.set("/root/line/runs/1/range/length", "12")
        try draft.set("/root/line/runs/0/range/length", "11")
        let edited = try draft.editedView()
        #expect(
            try Self.string(edited, "line") == "white<Welcome to >green/24<the Swamp 🐸>white<, stranger.>")
        #expect(Self.isSound(edited))
    }

    @Test func removedRuns() throws {
        var draft = Draft(try Self.view())
        let line = try draft.at("/root/line")
        draft.remove(at: 1, of: line)
        let edited = try draft.editedView()
        guard case .missing = edited.find(try #require(JSONPointer("/root/line/runs"))) else {
            Issue.record("the runs are still there")
            return
        }
        #expect(Self.isSound(edited))
    }

    /// The text and the attributes of a run are edited together.
    @Test func textAndAttributes() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/text", #""Welcome to the old Swamp 🐸, stranger.""#)
        let (first, second) = (try draft.at("/root/line/runs/0"), try draft.at("/root/line/runs/1"))
        let position = draft.position(of: Array("attributes".utf16), in: first)
        let item = draft.item(try #require(position), of: first)
        draft.replace(at: try #require(position), of: second, with: try #require(item).value)
        let edited = try draft.editedView()
        // All runs are white now, and therefore one run.
        #expect(try Self.string(edited, "line") == "white<Welcome to the old Swamp 🐸, stranger.>")
        #expect(Self.isSound(edited))
    }

    @Test func removedText() throws {
        let problem = #expect(throws: Problem.self) {
            var draft = Draft(try Self.view())
            let line = try draft.at("/root/line")
            draft.remove(at: 0, of: line)
            _ = try draft.editedView()
        }
        #expect(problem?.message == "an attributed string needs a text")
    }

    @Test(arguments: [
        ("/root/line/runs/0/range/length", "14", "run 1 begins at 15; expected 14, the end of the run before it"),
        (
            "/root/line/runs/2/range/length", "12",
            "the runs end at 35, but the text has 34 UTF-16 code units; runs must "
                + "cover the text"
        ),
        (
            "/root/line/runs/2/range/length", "9223372036854775807",
            "the runs end at 9223372036854775807, but the text has "
                + "34 UTF-16 code units; runs must cover the text"
        ),
        ("/root/line/runs/0/range/length", "0", "run 0 has the length 0; expected at least 1"),
        (
            "/root/line/runs/1/attributes", "5",
            #"run 1 must have the form {"range": {"location": 0, "length": 5}, "#
                + #""attributes": {…}}"#
        ),
        ("/root/line/runs", "5", "the runs of an attributed string must be an array"),
        ("/root/line/text", "5", "an attributed string needs a text"),
    ]) func refused(_ address: String, _ value: String, _ message: String) throws {
        let problem = #expect(throws: Problem.self) {
            var draft = Draft(try Self.view())
            try draft.set(address, value)
            _ = try draft.editedView()
        }
        #expect(problem?.message == message)
        #expect(problem?.address?.description == "/root/line")
        #expect(problem?.id == "edit.runs")
    }

    @Test func sentences() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/text", #""Swamp 🐸!""#)
        #expect(
            draft.adaptedRunSentences().map { "\($0.address): \($0.sentence)" } == [
                "/root/line/runs: the runs follow the new text; run 0 is removed with its characters"
            ])
    }

    /// A difference between two archives with attributed strings can be applied.
    @Test func appliedDifference() throws {
        var draft = Draft(try Self.view())
        try draft.set("/root/line/text", #""Welcome to the Swamp 🐸🐸, stranger.""#)
        try draft.set("/root/line/runs/1/attributes/Color", #""red""#)
        let target = try draft.editedView()
        var applied = Draft(try Self.view())
        try applied.apply(Difference(Self.view(), target))
        let edited = try applied.editedView()
        #expect(Difference(target, edited).changes.isEmpty)
        #expect(Self.isSound(edited))
    }

    /// An attributed string of another archive is imported with its fields.
    @Test func imported() throws {
        let view = try Self.view()
        var draft = Draft(view)
        let source = draft.addSource(try Self.view())
        let line = try #require(view.position(of: AddressToken("line".utf16), in: view.item(0, of: view.root).id))
        let value = try draft.importValue(view.item(line, of: view.item(0, of: view.root).id).id, of: source)
        let root = try draft.at("/root")
        let position = draft.position(of: Array("name".utf16), in: root)
        draft.replace(at: try #require(position), of: root, with: value)
        let edited = try draft.editedView()
        #expect(
            try Self.string(edited, "name") == "white<Welcome to the >green/24<Swamp 🐸>white<, stranger.>")
        #expect(Self.isSound(edited))
    }

    /// Damaged archives are shown and edited, or refused.
    @Test func damagedArchives() throws {
        let bytes = try TestFiles.bytes(TestFiles.fixtures.appending(path: "attributed/dialogue.save"))
        var mutator = Mutator(seeds: [bytes], seed: 0xA77, keepsLength: true)
        var editedCount = 0
        for _ in 0..<TestScale.fuzzIterations {
            guard let document = try? Document.read(mutator.next(), as: .binary),
                let view = try? ObjectView(of: document, limits: Limits(), isRaw: false)
            else { continue }
            var draft = Draft(view)
            try draft.set("/root/line/text", #""Welcome to Rome.""#)
            try draft.set("/root/name/runs/0/attributes/Color", #""red""#)
            if (try? draft.editedView()) != nil { editedCount += 1 }
        }
        #expect(editedCount > 0)
    }

    /// A range of a run is copied like any other value.
    @Test func copiedRange() throws {
        let view = try Self.view()
        var draft = Draft(view)
        let range = try draft.at("/root/line/runs/1/range")
        let root = try draft.at("/root")
        let key = draft.add(string: "range".utf16)
        draft.insert(range, key: key, at: 0, of: root)
        let edited = try draft.editedView()
        let length = try #require(JSONPointer("/root/range/length"))
        guard case .found(let id, _) = edited.find(length), case .integer(let integer) = edited.scalar(id) else {
            Issue.record("the range was not copied")
            return
        }
        #expect(integer.value == 8)
    }
}
