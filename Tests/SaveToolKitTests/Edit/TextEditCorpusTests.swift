import Foundation
import SaveCodec
import TestSupport
import Testing

/// Tests random edits of the text files in the fixtures and the corpus, by comparing what Foundation reads before and
/// after.
@Suite struct TextEditCorpusTests {
    private static let largest = 100_000

    @Test func edits() throws {
        let folders = [TestFiles.fixtures, TestFiles.folder("SAVETOOL_CORPUS")].compactMap(\.self)
        let files = try TestScale.sample(of: folders.flatMap(TestFiles.files))
        let workspace = try Workspace()
        var dice = SeededGenerator(seed: 0xC0)
        var (edited, anew, fileCount) = (0, [String](), 0)
        for file in files {
            let bytes = try TestFiles.bytes(file.url)
            guard bytes.count <= Self.largest, let format = try? Format.recognize(bytes), format != .binary,
                let value = Self.value(bytes, format), let places = try? TextPlaces(bytes, as: format)
            else { continue }
            fileCount += 1
            for _ in 0..<TestScale.count(2, long: 4) {
                guard let edit = Self.edit(places, value, &dice) else { continue }
                try Data(bytes).write(to: workspace.current.appending(path: "file"))
                let output = Collector()
                let talk = Collector()
                let status = workspace.run(
                    [edit.command[0], "--raw", "--from", format.rawValue, "file"] + edit.command.dropFirst(),
                    output: output.channel(), talk: talk.channel())
                if talk.text.contains("written anew") {
                    anew.append(file.name)
                    continue
                }
                // Removing a pair beside CF$UID leaves a dictionary that XML readers read as a UID, so the edit is
                // refused.
                if talk.text.contains("readers treat") { continue }
                #expect(status == 0, "\(file.name) \(edit.command) \(talk.text)")
                guard status == 0 else { continue }
                edited += 1
                #expect(
                    Self.value(output.bytes, format)?.canonical == edit.after.canonical,
                    "\(file.name): \(edit.command) is not what was meant")
                let after = try TextPlaces(output.bytes, as: format).text
                let (start, end) = (edit.region.lowerBound, places.text.count - edit.region.upperBound)
                #expect(
                    after.count >= start + end && after.starts(with: places.text[..<start])
                        && after.suffix(end).elementsEqual(places.text.suffix(end)),
                    "\(file.name): \(edit.command) changes bytes outside of \(edit.region)")
            }
        }
        TestScale.report("text edits of \(fileCount) files: \(edited), written anew: \(anew)")
        #expect(edited > 0 && anew.isEmpty)
    }

    /// Returns the value that Foundation reads, or nil if it cannot. Typed JSON is left out, because Foundation does
    /// not know its tags.
    private static func value(_ bytes: [UInt8], _ format: Format) -> SampleValue? {
        if format == .json, bytes.contains(UInt8(ascii: "$")) { return nil }
        let data = Data(bytes)
        let value =
            format == .json
            ? try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
            : try? unsafe PropertyListSerialization.propertyList(from: data, format: nil)
        return value.map(SampleValue.init)
    }

    private struct Edit {
        let command: [String]
        let after: SampleValue
        /// The range that the edit may change.
        let region: Range<Int>
    }

    private static func edit(_ places: TextPlaces, _ value: SampleValue, _ dice: inout SeededGenerator) -> Edit? {
        guard let (path, kind) = places.path(&dice), value.value(at: path) != nil else { return nil }
        if dice.happens(40), !path.isEmpty {
            return Edit(
                command: ["remove", pointer(path)], after: value.removing(path), region: places.surroundings(path))
        }
        if kind == .dictionary {
            let path = path + ["savetool new"]
            return Edit(
                command: ["set", pointer(path), "--string", "new"], after: value.setting(path, to: .string("new")),
                region: places.surroundings(path))
        }
        guard !path.isEmpty else { return nil }
        let text = dice.pick(["", "new", "a \"b\" \\ c", "<&>"])
        return Edit(
            command: ["set", "--change-type", pointer(path), "--string", text],
            after: value.setting(path, to: .string(text)), region: places.value(path))
    }

    private static func pointer(_ path: [String]) -> String {
        path.map { "/" + $0.replacingOccurrences(of: "~", with: "~0").replacingOccurrences(of: "/", with: "~1") }
            .joined()
    }
}
