#if os(Linux)
    import Foundation
    import FoundationXML
    import SaveCodec
    import TestSupport
    import Testing

    @testable import SaveToolKit

    /// Tests that every command accepts files whose names are random bytes. Only Linux allows such names.
    @Suite struct ByteNameTests {
        private let workspace: Workspace
        private let content: [UInt8]
        /// The names of the files, in the folder `d`.
        private let names: [String]

        init() throws {
            workspace = try Workspace()
            try workspace.write(
                #"{"HighScores": [{"playerName": "Ada", "score": 5, "date": {"$date": "2009-09-06T12:34:56Z"}}],"#
                    + #" "gems": 7, "list": [1]}"#, to: "a.json")
            #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", "a.bplist"]).status == 0)
            content = try workspace.bytes(of: "a.bplist")
            try FileManager.default.createDirectory(
                atPath: workspace.path(of: "d"), withIntermediateDirectories: false)
            var random = SeededGenerator(seed: 5)
            var seen: Set<[UInt8]> = []
            var names: [String] = []
            while names.count < TestScale.count(30, long: 100) {
                let bytes = (0...random.roll(40)).map { _ in UInt8(random.roll(255) + 1) }.filter { $0 != 0x2F }
                guard ![[], [0x2E], [0x2E, 0x2E]].contains(bytes), seen.insert(bytes).inserted else { continue }
                names.append("d/" + FileName.text(bytes))
            }
            self.names = names
            for name in names { try write(content, to: name) }
        }

        private func path(_ name: String) -> String { FileSystem.path(name, from: workspace.path(of: "")) }

        private func write(_ bytes: [UInt8], to name: String) throws {
            FileSystem.remove(path(name))
            try Descriptor(opening: path(name), for: .creating(permissions: 0o600)).write(bytes.span)
        }

        private func read(_ name: String) throws -> [UInt8] {
            try Descriptor(opening: path(name), for: .reading).readToEnd()
        }

        /// Returns the names of the existing files, as bytes.
        private func present(in folder: String = "d") throws -> Set<[UInt8]> {
            Set(try FileSystem.names(inFolder: path(folder)).map { FileName.bytes(folder + "/" + $0) })
        }

        private var expected: Set<[UInt8]> { Set(names.map { FileName.bytes($0) }) }

        @Test func namesCoverManyCases() {
            #expect(names.count { FileName.plainText($0) == nil } > names.count / 2)
            #expect(names.contains { $0.contains("\n") })
        }

        // MARK: Reading

        @Test func readsEveryFile() throws {
            try workspace.write(#"[{"op": "test", "path": "/gems", "value": 7}]"#, to: "patch")
            for name in names {
                let commands: [(arguments: [String], output: String?)] = [
                    (["inspect", name], nil), (["inspect", "-f", "flat", name, "a.bplist"], nil),
                    (["inspect", "--defaults", name, "a.bplist"], nil), (["get", name, "/gems"], "7\n"),
                    (["diff", "a.bplist", name], ""), (["diff", name, "a.bplist"], ""),
                    (["roundtrip", name], FileName.shown(name) + ": same bytes (\(content.count))\n"),
                    (["textconv", name], nil), (["schema", "infer", name], nil), (["scores", "list", name], nil),
                    (["scores", "convert", "--form", "feed", "--allow-loss", name], nil),
                    (["scores", "merge", "a.bplist", name], nil), (["merge", name, name, name], nil),
                    (["merge", "--base", name, name, name], nil), (["patch", name, "patch"], nil),
                    (["set", "a.json", "/b", "--data-file", name], nil), (["validate", name], ""),
                    (["convert", "--to", "json", name], nil),
                    (["scores", "token", "--score", "1", "--device", "x", "--salt-file", name], nil),
                ]
                for command in commands {
                    let result = workspace.run(command.arguments)
                    #expect(result.status == 0, "\(command.arguments): \(result.talk)")
                    if let output = command.output { #expect(result.output == output) }
                }
            }
            #expect(try present() == expected)
        }

        @Test func readsFilesNamedByOptions() throws {
            for name in names {
                try write(Array(#"{"properties": {"gems": {"const": 7}}}"#.utf8), to: name)
                #expect(workspace.run(["validate", "--schema", name, "a.bplist"]).status == 0)
                try write(Array(#"[{"op": "replace", "path": "/gems", "value": 8}]"#.utf8), to: name)
                #expect(workspace.run(["patch", "--dry-run", "a.bplist", name]).output == "~ /gems: 7 → 8\n")
                try write(Array(#"{"validate": [{"files": ["**"], "strict": true}]}"#.utf8), to: name)
                let result = workspace.run(["validate", "--project", name, "a.bplist"])
                #expect(result.status == 0, "\(result.talk)")
            }
        }

        // MARK: Writing

        @Test func editsEveryFile() throws {
            try workspace.write(#"[{"op": "add", "path": "/list/-", "value": 4}]"#, to: "patch")
            try workspace.write(
                #"{"HighScores": [], "gems": 7, "list": [1], "theirs": 1}"#, to: "theirs.json")
            try workspace.write(#"{"HighScores": [], "gems": 7, "list": [1]}"#, to: "base.json")
            let editor = ["EDITOR": #"sed -i 's/"gems": 8/"gems": 9/'"#, "TMPDIR": workspace.path(of: "")]
            for name in names {
                let commands = [
                    ["set", "-i", name, "/gems", "8"], ["insert", "-i", "--backup", name, "/list/-", "2"],
                    ["remove", "-o", name, name, "/list/0"], ["patch", "-i", name, "patch"], ["edit", name],
                    ["scores", "add", "--name", "Eve", "--score", "9", name],
                    ["scores", "merge", "-i", name, "a.bplist"],
                    ["merge", "-i", "--conflicts", "left.json", "base.json", name, "theirs.json", "--rule", "ours"],
                    ["convert", "-i", "--to", "json", "--compact", name],
                ]
                for arguments in commands {
                    let result = workspace.run(arguments, environment: editor)
                    #expect(result.status == 0, "\(arguments): \(result.talk)")
                }
                let text = String(decoding: try read(name), as: UTF8.self)
                #expect(text.contains(#""gems":9,"#) && text.contains(#""list":[2,4]"#), "\(text)")
                #expect(text.contains(#""theirs":1"#) && text.contains(#""Eve""#), "\(text)")
            }
            #expect(try present() == expected.union(names.map { FileName.bytes($0 + "~") }))
        }

        @Test func writesEveryFile() throws {
            for name in names {
                FileSystem.remove(path(name))
                #expect(workspace.run(["convert", "--to", "binary", "a.json", "-o", name]).status == 0)
                #expect(try read(name) == content)
                #expect(workspace.run(["set", "a.json", "/gems", "8", "-o", name]).status == 0)
            }
            #expect(try present() == expected)
            try FileManager.default.createDirectory(
                atPath: workspace.path(of: "o"), withIntermediateDirectories: false)
            // Names that differ only in the extension would be written to the same file.
            let stems = Dictionary(names.map { (FileName.bytes(FileSystem.stem(of: $0)), $0) }) { first, _ in first }
            let extensions = FileName.text([0xFF])
            let result = workspace.run(
                ["convert", "--to", "xml", "--output-dir", "o", "--extension", extensions] + stems.values)
            #expect(result.status == 0, "\(result.talk)")
            #expect(try present(in: "o") == Set(stems.keys.map { Array("o/".utf8) + $0 + [0x2E, 0xFF] }))
        }

        // MARK: Reports

        private static func bytes(ofURI uri: String) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = Array(uri.utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            }
            return bytes
        }

        private func report(_ format: String, _ arguments: [String] = ["d"]) throws -> Data {
            // Truncated files, so that each one has a finding.
            for name in names { try write(Array("bplist00".utf8), to: name) }
            let result = workspace.run(["validate", "-f", format] + arguments)
            #expect(result.status == 1)
            #expect(result.talk.hasPrefix("\(names.count) files: \(names.count) invalid;"), "\(result.talk)")
            return Data(result.output.utf8)
        }

        private static func object(_ data: Data) throws -> [String: Any] {
            try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        }

        /// Returns the bytes of the file name in a JSON report.
        private static func name(_ file: [String: Any]) throws -> [UInt8] {
            if let uri = file["uri"] as? String { return bytes(ofURI: uri) }
            return Array(try #require(file["file"] as? String).utf8)
        }

        @Test func jsonReportsHaveFullName() throws {
            let report = try report("json")
            let files = try #require(Self.object(report)["files"] as? [[String: Any]])
            #expect(Set(try files.map(Self.name)) == expected)
            try report.write(to: workspace.folder.appending(path: "report"))
            let schema = TestFiles.fixtures.appending(path: "schemas/validate-report.schema.json").path
            #expect(workspace.run(["validate", "--schema", schema, "report"]).talk == "1 file: 1 valid\n")
            let lines = try self.report("ndjson").split(separator: UInt8(ascii: "\n")).map(Self.object)
            for type in ["finding", "file"] {
                let rows = lines.filter { $0["type"] as? String == type }
                #expect(Set(try rows.map(Self.name)) == expected)
            }
        }

        @Test func sarifHasFullName() throws {
            let run = try #require((try Self.object(report("sarif"))["runs"] as? [[String: Any]])?.first)
            let results = try #require(run["results"] as? [[String: Any]])
            let uris = results.compactMap { result in
                let location = (result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any]
                return (location?["artifactLocation"] as? [String: Any])?["uri"] as? String
            }
            #expect(Set(uris.map(Self.bytes(ofURI:))) == expected)
            #expect(uris.allSatisfy { URL(string: $0) != nil })
        }

        @Test func textReportsShowNameOnOneLine() throws {
            #expect(XMLParser(data: try report("junit")).parse())
            for format in ["text", "github"] {
                let lines = String(decoding: try report(format), as: UTF8.self).split(separator: "\n")
                #expect(lines.count == names.count)
                for line in lines where format == "github" { #expect(line.utf8.starts(with: "::error file=d/".utf8)) }
            }
            let shown = Set(names.map { FileName.shown($0) })
            let lines = String(decoding: try report("text"), as: UTF8.self).split(separator: "\n")
            #expect(Set(lines.map { $0.components(separatedBy: ": byte ")[0] }) == shown)
        }

        @Test func comparisonsHaveFullName() throws {
            for name in names {
                let report = workspace.run(["diff", "-f", "json", "a.json", name]).output
                let difference = try Self.object(Data(report.utf8))
                #expect(try Self.name(#require(difference["after"] as? [String: Any])) == FileName.bytes(name))
                let merge = workspace.run(["merge", "--conflicts", "left", "-o", "m", "a.json", "a.json", name])
                #expect(merge.status == 0, "\(merge.talk)")
                let conflicts = try Self.object(Data(workspace.bytes(of: "left")))
                #expect(try Self.name(#require(conflicts["theirs"] as? [String: Any])) == FileName.bytes(name))
            }
        }

        // MARK: Processes

        /// Names from shell patterns, from lists, and as git passes them.
        @Test(.enabled(if: Programs.savetool != nil, "needs the built tool beside the tests"))
        func childProcessesReceiveSameNames() throws {
            let script = """
                set -e
                export LC_ALL=C
                for name in d/* d/.*; do
                    test -f "$name" || continue
                    test "$(savetool get "$name" /gems)" = 7
                    savetool set -i "$name" /gems 8
                    savetool convert --to json --compact "$name" -o "$name.json"
                done
                find d -type f ! -name '*.json' -print0 | savetool validate --quiet --files-from - -0
                cat d/*.json d/.*.json 2>/dev/null | grep -c '"gems":8'
                """
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.currentDirectoryURL = workspace.folder
            process.environment = Programs.environment
            process.arguments = ["-c", script]
            let output = Pipe()
            (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
            try process.run()
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0)
            #expect(text == "\(names.count)\n")
            #expect(try present() == expected.union(names.map { FileName.bytes($0 + ".json") }))
        }
    }
#endif
