#if os(Linux)
    import Foundation
    import TestSupport
    import Testing

    /// A fault that is injected into one system call of a run.
    private struct Fault {
        enum Kind {
            case error, short, signal
        }

        let name: String
        let kind: Kind
        /// The environment variables for `faults.c`.
        let settings: [String: String]

        private init(_ name: String, _ kind: Kind, _ settings: [String: String]) {
            self.name = name
            self.kind = kind
            self.settings = settings
        }

        static let all = [
            Fault("ENOSPC", .error, ["FAULT_ERROR": "\(ENOSPC)"]),
            Fault("SIGKILL before", .signal, ["FAULT_SIGNAL": "\(SIGKILL)"]),
            Fault("EINTR", .error, ["FAULT_ERROR": "\(EINTR)"]),
            Fault("SIGTERM before", .signal, ["FAULT_SIGNAL": "\(SIGTERM)"]),
            Fault("EIO", .error, ["FAULT_ERROR": "\(EIO)"]),
            Fault("short", .short, ["FAULT_SHORT": "1"]),
            Fault("SIGKILL after", .signal, ["FAULT_SIGNAL": "\(SIGKILL)", "FAULT_LATE": "1"]),
            Fault("EDQUOT", .error, ["FAULT_ERROR": "\(EDQUOT)"]),
            Fault("SIGINT after", .signal, ["FAULT_SIGNAL": "\(SIGINT)", "FAULT_LATE": "1"]),
            Fault("EXDEV", .error, ["FAULT_ERROR": "\(EXDEV)"]),
            Fault("SIGHUP before", .signal, ["FAULT_SIGNAL": "\(SIGHUP)"]),
        ]

        var isKill: Bool { name.hasPrefix("SIGKILL") }

        /// The calls that are repeated after EINTR.
        static let repeated: Set<String> = [
            "open", "create", "read", "pread", "write", "fsync", "fchmod", "fchown", "flock",
        ]
    }

    /// The library of `faults.c`, which makes system calls of the tool fail.
    private enum FaultLibrary {
        /// The path of the library, or nil without the built tool or a C compiler.
        static let path: String? = {
            guard let tool = Programs.savetool, let compiler = Programs.cc?.path(percentEncoded: false) else {
                return nil
            }
            let library = tool.deletingLastPathComponent().appending(path: "savetool-faults.so")
                .path(percentEncoded: false)
            let source = TestFiles.package.appending(path: "Tests/Faults/faults.c").path(percentEncoded: false)
            let line = "\(compiler) -shared -fPIC -O1 -o '\(library)' '\(source)' -ldl && echo made"
            let said = try? Programs.outputOfShell(line, in: URL(filePath: "/"))
            return said == "made\n" ? library : nil
        }()
    }

    /// Tests every command that writes while each of its system calls fails in turn. Afterwards the file is the
    /// complete old or new one, the exit status says which, and no temporary file remains.
    @Suite(.enabled(if: FaultLibrary.path != nil, "needs cc or clang, and the built tool beside the tests"))
    struct FaultTests {
        struct Case: Sendable, CustomTestStringConvertible {
            let name: String
            let arguments: [String]
            var testDescription: String { name }
            /// The file that the command writes.
            var file = "a.json"
            var input = ""
            /// Whether the command does more after it has written the file.
            var hasLaterSteps = false
        }

        static let cases = [
            Case(name: "set", arguments: ["set", "-i", "a.json", "/a", "2"]),
            Case(name: "backup", arguments: ["set", "-i", "--backup", "a.json", "/a", "2"]),
            Case(name: "new", arguments: ["set", "-o", "new.json", "a.json", "/a", "2"], file: "new.json"),
            Case(name: "convert", arguments: ["convert", "-i", "--to", "xml", "a.json"]),
            Case(name: "merge", arguments: ["merge", "-i", "base.json", "a.json", "theirs.json"]),
            Case(name: "patch", arguments: ["patch", "-i", "a.json", "patch.json"]),
            Case(
                name: "scores",
                arguments: [
                    "scores", "add", "scores.json", "--name", "Bob", "--score", "9", "--date", "2010-01-01T00:00:00Z",
                ],
                file: "scores.json"),
            Case(name: "edit", arguments: ["edit", "a.json"]),
            Case(name: "migrate", arguments: ["migrate", "-i", "rules.json", "old.json"], file: "old.json"),
            Case(name: "insert", arguments: ["insert", "-i", "a.json", "/b/0", "2"]),
            Case(name: "remove", arguments: ["remove", "-i", "a.json", "/b"]),
            Case(
                name: "rename-class", arguments: ["rename-class", "-i", "Map", "Level", "graph.json"],
                file: "graph.json"),
            Case(
                name: "scores remove", arguments: ["scores", "remove", "scores.json", "--name", "Ada"],
                file: "scores.json"),
            Case(
                name: "scores merge", arguments: ["scores", "merge", "-i", "scores.json", "others.json"],
                file: "scores.json"),
            Case(
                name: "scores submit", arguments: ["scores", "submit", "feed.plist", "--salt-file", "salt"],
                file: "feed.plist",
                input: "high_score[auth_token]=947e02c938c3edd8a19c798838e05ff2&high_score[player_name]=Bob"
                    + "&high_score[total_score]=5&high_score[iphone_udid]=d"),
            Case(
                name: "git-setup", arguments: ["git-setup", "--apply", "*.save"], file: ".gitattributes",
                hasLaterSteps: true),
        ]

        private static let files = [
            "a.json": #"{"a": 1, "b": [true]}"#,
            "base.json": #"{"a": 1}"#,
            "theirs.json": #"{"a": 3}"#,
            "patch.json": #"[{"op": "add", "path": "/c", "value": 4}]"#,
            "scores.json": #"[{"playerName": "Ada", "score": 5, "date": {"$date": "2009-09-06T12:34:56Z"}}]"#,
            "others.json": #"[{"playerName": "Bob", "score": 7, "date": {"$date": "2009-09-07T12:34:56Z"}}]"#,
            "feed.plist": "<plist version=\"1.0\">\n<array/>\n</plist>\n",
            "salt": "pepper",
            "graph.json":
                #"{"$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": {"Map": ["Map", "NSObject"]}, "$top": {"root": {"$class": "Map"}}}"#,
            "old.json": #"{"a": 1, "version": 1}"#,
            "rules.json": #"{"version": "/version", "from": 1, "to": 2, "rules": [{"replace": "/a", "value": 9}]}"#,
        ]

        private let workspace: Workspace

        init() throws {
            workspace = try Workspace()
        }

        private struct Ending {
            let status: Int32
            let signal: Int32?
            let talk: String
        }

        private func run(_ row: Case, _ settings: [String: String] = [:]) throws -> Ending {
            let process = Process()
            process.executableURL = Programs.savetool
            process.arguments = row.arguments
            process.currentDirectoryURL = workspace.folder
            let own = [
                "EDITOR": "sed -i s/1/2/", "TMPDIR": workspace.path(of: ""), "LD_PRELOAD": FaultLibrary.path ?? "",
            ]
            process.environment = Programs.environment.merging(own) { $1 }.merging(settings) { $1 }
            let (talk, input) = (Pipe(), Pipe())
            process.standardError = talk
            process.standardOutput = FileHandle.nullDevice
            process.standardInput = input
            try process.run()
            // A pipe holds the whole input, even if the program ends without reading it.
            try input.fileHandleForWriting.write(contentsOf: Data(row.input.utf8))
            try input.fileHandleForWriting.close()
            let text = String(decoding: talk.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            let status = process.terminationStatus
            let isSignal = process.terminationReason == .uncaughtSignal
            return Ending(status: isSignal ? -1 : status, signal: isSignal ? status : nil, talk: text)
        }

        /// Restores the files. Temporary files of earlier runs stay.
        private func restore(_ row: Case) throws {
            for name in workspace.names where !name.hasPrefix(".savetool-") {
                try FileManager.default.removeItem(at: workspace.folder.appending(path: name))
            }
            for (name, text) in Self.files { try workspace.write(text, to: name) }
            if row.name == "git-setup" { _ = try Programs.outputOfShell("git init -q", in: workspace.folder) }
        }

        /// Returns the bytes of a file, without the times that a command takes from the clock.
        private func bytes(of name: String) -> [UInt8]? {
            guard let bytes = try? workspace.bytes(of: name) else { return nil }
            guard name == "feed.plist" else { return bytes }
            return Array(String(decoding: bytes, as: UTF8.self).replacing(/[-0-9]+T[:.0-9]+Z/, with: "").utf8)
        }

        private var leftovers: [String] {
            workspace.names.filter { $0.hasPrefix(".savetool-") }
        }

        @Test(arguments: cases) func fileIsOldOrNewAfterFault(_ row: Case) throws {
            try restore(row)
            let old = bytes(of: row.file)
            let log = workspace.path(of: "log")
            #expect(try run(row, ["FAULT_LOG": log]).status == 0)
            let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
            let new = bytes(of: row.file)
            try #require(new != nil && new != old && calls.contains("rename"))
            let count = TestScale.count(1, long: Fault.all.count)
            // The calls differ between commands, but the last ones are the same. Unless all calls are tested, each
            // command takes a different third of them.
            let distance = min(TestScale.step, 3)
            let offset = row.name.utf8.count % distance
            for position in calls.indices where position % distance == offset {
                for step in 0..<count {
                    let fault = Fault.all[(position * count + step + row.name.utf8.count) % Fault.all.count]
                    try check(row, fault, at: position + 1, old: old, new: new)
                }
            }
        }

        private func check(
            _ row: Case, _ fault: Fault, at position: Int, old: [UInt8]?, new: [UInt8]?
        ) throws {
            try restore(row)
            let log = workspace.path(of: "log")
            let ending = try run(row, fault.settings.merging(["FAULT_AT": "\(position)", "FAULT_LOG": log]) { $1 })
            // If files are read in parallel, the order of the calls changes from run to run.
            let lines = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            guard let call = lines.first(where: { $0.hasSuffix(" !") })?.dropLast(2).description else {
                #expect(ending.status == 0 && bytes(of: row.file) == new, "\(row.name): no fault, and \(ending)")
                return
            }
            let what: Comment = "\(row.name): \(fault.name) at call \(position), \(call): \(ending)"
            let present = bytes(of: row.file)
            let isWritten = ending.talk.contains(" is written; ") || ending.talk.contains("entered as rank ")
            switch fault.kind {
            case .short: #expect(ending.status == 0, what)
            case .error where fault.name == "EINTR" && Fault.repeated.contains(call): #expect(ending.status == 0, what)
            case .error: #expect(ending.status == 0 || ending.status == 2, what)
            case .signal: #expect(ending.signal == Int32(fault.settings["FAULT_SIGNAL"] ?? ""), what)
            }
            if fault.kind == .signal || row.hasLaterSteps && ending.status != 0 {
                #expect(present == old || present == new, what)
            } else {
                #expect(present == (ending.status == 0 || isWritten ? new : old), what)
            }
            if row.name == "backup", let backup = bytes(of: "a.json~") { #expect(backup == old, what) }
            // If the removal itself failed, the temporary file stays until the next run.
            guard fault.isKill || call == "unlink" && fault.kind == .error else {
                #expect(leftovers.isEmpty, what)
                return
            }
            try restore(row)
            #expect(try run(row).status == 0, what)
            #expect(bytes(of: row.file) == new, what)
            #expect(leftovers.isEmpty, what)
        }

        /// The last call flushes the folder entry to the device. If it fails, the file is already the new one.
        @Test(arguments: [cases[0], cases[6]]) func reportsFailedFolderSync(_ row: Case) throws {
            try restore(row)
            let log = workspace.path(of: "log")
            #expect(try run(row, ["FAULT_LOG": log]).status == 0)
            let new = bytes(of: row.file)
            let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
            let last = try #require(calls.lastIndex(of: "fsync"))
            try restore(row)
            let ending = try run(row, ["FAULT_AT": "\(last + 1)", "FAULT_ERROR": "\(EIO)"])
            #expect(
                ending.talk
                    == "\(row.file) is written; it may be lost if power fails now: the device reported an error\n"
            )
            #expect(ending.status == 2)
            #expect(bytes(of: row.file) == new)
        }
    }
#endif
