import SaveCodec
import SaveOperations
import Testing

/// Options decide which changes are ignored and how elements are aligned.
@Suite struct DifferenceOptionsTests {
    struct Row: Sendable {
        let before: String
        let after: String
        let options: @Sendable (inout DifferenceOptions) throws(Problem) -> Void
        let lines: [String]

        init(
            _ before: String, _ after: String, _ lines: [String],
            _ options: @escaping @Sendable (inout DifferenceOptions) throws(Problem) -> Void
        ) {
            (self.before, self.after, self.options, self.lines) = (before, after, options, lines)
        }
    }

    static let rows: [Row] = [
        Row(#"{"a": 1, "b": {"t": 1}}"#, #"{"a": 2, "b": {"t": 2}}"#, ["changed /a: 1 → 2"]) {
            options throws(Problem) in
            options.ignored = [try PointerPattern("/**/t")]
        },
        Row(#"{"a": 1, "b": {"t": 1}}"#, #"{"a": 2, "c": 3, "b": {}}"#, ["changed /a: 1 → 2"]) {
            options throws(Problem) in
            options.ignored = [try PointerPattern("/b/*"), try PointerPattern("/c")]
        },
        Row(#"{"a": 1, "b": {"t": 1}}"#, #"{"a": 2, "b": {"t": 2}}"#, ["changed /b/t: 1 → 2"]) {
            options throws(Problem) in
            options.only = [try PointerPattern("/b")]
        },
        Row(
            #"{"$dict": [[5, 1], ["=5", 1]]}"#, #"{"$dict": [[5, 2], ["=5", 2]]}"#, ["changed /=5: 1 → 2"]
        ) { options throws(Problem) in
            options.ignored = [try PointerPattern("/~=5")]
        },
        Row(
            #"{"$dict": [[5, 1], ["=5", 1]]}"#, #"{"$dict": [[5, 2], ["=5", 2]]}"#, ["changed /~=5: 1 → 2"]
        ) { options throws(Problem) in
            options.ignored = [try PointerPattern("/=5")]
        },
        Row(
            #"{"$dict": [["a", 1], ["a", 1], ["b", 1]]}"#, #"{"$dict": [["a", 2], ["a", 2], ["b", 2]]}"#,
            ["changed /a: 1 → 2", "changed /b: 1 → 2"]
        ) { options throws(Problem) in
            options.ignored = [try PointerPattern("/~#0")]
        },
        Row("[1.0, 2.0]", "[1.05, 2.5]", ["changed /1: 2.0 → 2.5"]) { options throws(Problem) in
            options.tolerance.absolute = 0.1
        },
        Row("[100.0, 2.0]", "[105.0, 2.5]", ["changed /1: 2.0 → 2.5"]) { options throws(Problem) in
            options.tolerance.relative = 0.06
        },
        Row(#"{"a": [1.0], "b": 1.0}"#, #"{"a": [1.5], "b": 1.5}"#, ["changed /b: 1.0 → 1.5"]) {
            options throws(Problem) in
            options.tolerances = [.init(try PointerPattern("/a"), .init(absolute: 1))]
        },
        Row("[1, 2, 3]", #"[1.0, {"$real32": 2.0}, 3.5]"#, ["changed /2: 3 → 3.5"]) { options throws(Problem) in
            options.looseNumbers = true
        },
        Row(
            #"[9007199254740993, {"$real": "nan"}, 0, 7]"#, #"[9007199254740992.0, 5, -0.0, {"$real": "nan"}]"#,
            ["changed /0: 9007199254740993 → 9007199254740992.0", "changed /1: nan → 5", "changed /3: 7 → nan"]
        ) { options throws(Problem) in
            options.looseNumbers = true
        },
        Row(
            #"[1.0, {"$real32": 2.0}, 3]"#, #"[{"$real32": 1.0}, 2.5, 3]"#,
            ["storage /0: 1.0 → 1.0f", "changed /1: 2.0f → 2.5"]
        ) { options throws(Problem) in
            options.distinguishesWidths = true
        },
        Row("[1, 2, 3]", "[3, 1, 2]", []) { options throws(Problem) in
            options.unordered = [try PointerPattern("")]
        },
        Row(
            #"{"l": [{"n": "a", "x": 1, "y": 1, "z": 1}, {"n": "b", "x": 2, "y": 2, "z": 2}]}"#,
            #"{"l": [{"n": "b", "x": 2, "y": 2, "z": 2}, {"n": "a", "x": 5, "y": 6, "z": 7}]}"#,
            [
                "moved /l/0 → /l/1: {4} → {4}", "changed /l/1/x: 1 → 5", "changed /l/1/y: 1 → 6",
                "changed /l/1/z: 1 → 7",
            ]
        ) { options throws(Problem) in
            options.identities = [.init(try PointerPattern("/l"), key: "n")]
        },
    ]

    @Test(arguments: rows.indices) func optionsIgnoreDifferences(_ index: Int) throws {
        let row = Self.rows[index]
        var options = DifferenceOptions()
        try row.options(&options)
        let difference = Difference(try DiffText.view(row.before), try DiffText.view(row.after), options: options)
        let lines = DiffText.lines(difference)
        #expect(lines == row.lines, "\(row.before) → \(row.after)")
    }

    static let faults: [(pattern: String, message: String)] = [
        ("a/b", #"the pattern "a/b" does not begin with a slash; expected one such as /root/*/name"#),
        ("/a~2", #"the pattern "/a~2" has a ~ that begins no escape; write ~0 for a ~"#),
    ]

    @Test(arguments: faults) func faultyPatterns(_ pattern: String, _ message: String) {
        let problem = #expect(throws: Problem.self) { try PointerPattern(pattern) }
        #expect(problem?.message == message)
    }

    static let mixed: [(archive: String, plain: String, lines: [String])] = [
        (
            #"{"$class": "Map", "name": "Swamp", "list": [{"$object": 1}, 2]}"#,
            #"{"$class": "Map", "list": [1, 2], "name": "Swamp"}"#, []
        ),
        (#"{"$class": "Map", "name": "Swamp"}"#, #"{"name": "Bog"}"#, ["changed /root/name: Swamp → Bog"]),
        (
            #"{"$class": "Map", "name": "Swamp"}"#, #"{"$class": "Level", "name": "Swamp"}"#,
            ["class /root: Map{1} → {2}"]
        ),
        (#"{"$class": "NSSet", "$elements": ["a", "b"]}"#, #"["b", "a"]"#, []),
    ]

    @Test(arguments: mixed) func comparesArchivesWithPlainDocuments(
        _ archive: String, _ plain: String, _ lines: [String]
    ) throws {
        let classes = #", "$classes": {"Map": ["Map", "NSObject"]}"#
        let difference = Difference(
            try DiffText.archive(root: archive, more: archive.contains("Map") ? classes : ""),
            try DiffText.view(#"{"root": \#(plain)}"#))
        #expect(DiffText.lines(difference) == lines)
    }
}
