import SaveCodec

/// Laws that several commands must satisfy together.
extension Operation {
    static let laws = [
        sameAsItself, graphJSON, exact, patched, merged, setAgain, flat,
        roundTrip([]), roundTrip(["--via", "json"]), roundTrip(["--raw"]), salvaged,
    ]

    /// A file does not differ from itself.
    private static let sameAsItself = Operation { run in
        let result = run.run(["diff", "--sharing", "a", "a"], reading: [.viewed])
        guard result.status != 1, result.output.isEmpty else { violation("diff x x is empty", result.text) }
    }

    /// Graph JSON of an archive converts to an archive with the same graph, and back to the same graph JSON.
    private static let graphJSON = Operation { run in
        guard run.run(["convert", "--to", "json", "a", "-o", "j"]).status == 0 else { return }
        let headline = run.run(["inspect", "a"]).output.prefix { $0 != UInt8(ascii: "\n") }
        guard String(decoding: headline, as: UTF8.self).contains("keyed archive by NSKeyedArchiver,") else { return }
        run.expect(["convert", "--to", "archive", "j", "-o", "k"], "graph JSON is read")
        run.expect(["diff", "--sharing", "a", "k"], "graph JSON and back is isomorphic")
        run.expect(["convert", "--to", "json", "k", "-o", "l"], "graph JSON is written again")
        if format(of: run.input.files[0]) == .json { return }
        run.expectSame("j", "l", "graph JSON and back is the same graph JSON")
    }

    /// Exact JSON converts back to the same binary file.
    private static let exact = Operation { run in
        guard (try? Format.recognize(run.input.files[0])) == .binary,
            run.run(["convert", "--to", "json", "--exact", "a", "-o", "j"]).status == 0
        else { return }
        run.expect(["convert", "--to", "binary", "j", "-o", "k"], "exact JSON is read")
        run.expectSame("a", "k", "exact JSON and back is identical")
    }

    /// The patch from one file to another turns the first into the second.
    private static let patched = Operation { run in
        guard run.isOneFormat else { return }
        let difference = run.run(["diff", "-f", "json-patch", "a", "b"])
        guard difference.status < 2 else { return }
        Sandbox.shared.write(difference.output, to: "p")
        let patch = run.run(["patch", "a", "p", "-o", "r"])
        guard patch.status != 1 else { violation("a patch fits the file that it was made of", patch.text) }
        // A result that cannot be written is refused with a reason.
        if patch.status == 0 { run.expect(["diff", "r", "b"], "patch(a, diff(a, b)) = b", difference.output) }
    }

    /// A merge with changes on only one side gives that side.
    private static let merged = Operation { run in
        guard run.isOneFormat, run.run(["diff", "a", "b"]).status < 2 else { return }
        for sides in [["a", "a", "b"], ["a", "b", "a"]] {
            let merge = run.run(["merge"] + sides + ["-o", "r"])
            guard merge.status != 1 else { violation("changes of one side are no conflict", merge.text) }
            if merge.status == 0 { run.expect(["diff", "r", "b"], "merge(\(sides.joined(separator: ", "))) = b") }
        }
    }

    /// Setting a value to its printed text changes nothing.
    private static let setAgain = Operation { run in
        guard let address = run.address() else { return }
        for form in ["typed", "json"] {
            let value = run.run(["get", "a", address, "-f", form])
            guard value.status == 0 else { return }
            Sandbox.shared.write(value.output, to: "v")
            let set = run.run(["set", "a", address, "--json-file", "v"])
            guard set.status != 0 || set.output == run.input.files[0] else {
                violation("get | set changes nothing", "\(address) \(form)\n\(value.text)\n\(set.text)")
            }
            guard form == "json" || set.status == 0 || set.text.contains("can be read but not written") else {
                violation("what get prints can be set", "\(address)\n\(value.text)\n\(set.text)")
            }
        }
    }

    /// The flat lines of a plain file convert to the same values.
    private static let flat = Operation { run in
        let lines = run.run(["inspect", "-f", "flat", "--raw", "a"])
        guard lines.status == 0 else { return }
        Sandbox.shared.write(lines.output, to: "f")
        guard run.run(["convert", "--from", "flat", "--to", "json", "--raw", "f", "-o", "r"]).status == 0 else {
            return
        }
        run.expect(["diff", "--raw", "a", "r"], "flat lines keep the values", lines.output)
    }

    /// What is salvaged from a file can be read.
    private static let salvaged = Operation { run in
        for options in [[], ["--like", "b", "--fill"]] {
            guard run.run(["salvage", "a", "-o", "r"] + options).status < 2 else { return }
            run.expect(["inspect", "--raw", "--depth", "0", "r"], "a salvaged file is read")
        }
    }

    /// Reading and writing gives the same values, or reports losses.
    private static func roundTrip(_ options: [String]) -> Operation {
        Operation { run in
            let result = run.run(["roundtrip", "a"] + options)
            if result.text.contains("a: different: ") { violation("reading and writing keeps the values", result.text) }
        }
    }

    /// Returns the format of the contents of a file's layers.
    fileprivate static func format(of bytes: [UInt8]) -> Format? {
        try? Format.recognize(Layers.unwrap(bytes).contents)
    }
}

extension ToolRun {
    /// Whether the first two files have the same format.
    fileprivate var isOneFormat: Bool {
        Operation.format(of: input.files[0]) == Operation.format(of: input.files[1])
    }

    /// Runs a command that must succeed.
    fileprivate func expect(_ arguments: [String], _ law: String, _ details: [UInt8] = []) {
        let result = run(arguments)
        guard result.status == 0 || result.text.contains("written out in full") else {
            violation(
                law, "\(arguments): \(result.status)\n\(result.text)\n\(String(decoding: details, as: UTF8.self))")
        }
    }

    fileprivate func expectSame(_ a: String, _ b: String, _ law: String) {
        guard Sandbox.shared.bytes(of: a) == Sandbox.shared.bytes(of: b) else { violation(law) }
    }
}
