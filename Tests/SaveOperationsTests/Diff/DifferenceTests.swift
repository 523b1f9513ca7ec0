import KeyedArchives
import SaveCodec
import SaveOperations
import Testing

/// The changes between small documents and archives are reported with the right kind and address.
@Suite struct DifferenceTests {
    static let documents: [(before: String, after: String, lines: [String])] = [
        ("{}", "{}", []), ("1", "1", []), ("1", "2", ["changed (root): 1 → 2"]),
        ("[]", "{}", ["type (root): [0] → {0}"]),
        ("[1]", "2", ["type (root): [1] → 2"]), ("42", "42.0", ["type (root): 42 → 42.0"]),
        ("7", "[1]", ["type (root): 7 → [1]"]),
        ("null", "[1]", ["changed (root): null → [1]"]),
        (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 1}"#, []),
        (#"{"a": 1, "b": 2}"#, #"{"b": 2, "a": 3}"#, ["changed /a: 1 → 3"]),
        (#"{"a": 1, "b": 2}"#, #"{"a": 1}"#, ["removed /b: 2"]),
        (#"{"a": 1}"#, #"{"c": [], "a": 1}"#, ["added /c: [0]"]),
        (#"{"a": 1, "k": 0}"#, #"{"k": 0, "b": 1}"#, ["removed /a: 1", "added /b: 1"]),
        (#"{"a": 42, "k": 0}"#, #"{"a": 42.0, "k": 0}"#, ["type /a: 42 → 42.0"]),
        (#"{"a": {"$real32": 0.5}}"#, #"{"a": 0.5}"#, []),
        (#"{"a": {"$real32": 0.5}}"#, #"{"a": 0.75}"#, ["changed /a: 0.5f → 0.75"]),
        (#"{"a": {"$real32": 0.1}}"#, #"{"a": 0.1}"#, ["changed /a: 0.1f → 0.1"]),
        (#"{"a": {"$real32": -0.0}}"#, #"{"a": -0.0}"#, []),
        (#"{"a": {"$real32": -0.0}}"#, #"{"a": 0.0}"#, ["changed /a: -0.0f → 0.0"]),
        (#"{"a": {"$real32": "nan"}}"#, #"{"a": {"$real": "nan"}}"#, []),
        (#"{"a": {"$real32": "0x7fa00001"}}"#, #"{"a": {"$real": "0x7ff4000020000000"}}"#, []),
        (#"{"a": {"$date": 0.0}}"#, #"{"a": {"$date": -0.0}}"#, []),
        (#"{"a": true}"#, #"{"a": 1}"#, ["type /a: true → 1"]),
        (#"{"a": "YQ=="}"#, #"{"a": {"$data": "YQ=="}}"#, ["type /a: YQ== → data [97]"]),
        (#"{"a": null}"#, #"{"a": 1}"#, ["changed /a: null → 1"]),
        (#"{"a": 0.0}"#, #"{"a": -0.0}"#, ["changed /a: 0.0 → -0.0"]),
        (#"{"a": {"$real": "nan"}}"#, #"{"a": {"$real": "nan"}}"#, []),
        (#"{"a": {"$date": 1.0}}"#, #"{"a": {"$date": 2.0}}"#, ["changed /a: date 1.0 → date 2.0"]),
        (#"{"a": "é"}"#, #"{"a": "e\u0301"}"#, ["changed /a: é → e\u{301}"]),
        (#"{"a": "\ud800"}"#, #"{"a": "\ud800"}"#, []),
        (#"{"a": 5}"#, #"{"a": [5]}"#, ["type /a: 5 → [1]"]), (#"{"a": {}}"#, #"{"a": []}"#, ["type /a: {0} → [0]"]),
        // Arrays.
        ("[1, 2, 3]", "[1, 2, 3, 4]", ["added /3: 4"]), ("[1, 2, 3]", "[2, 3]", ["removed /0: 1"]),
        ("[1, 2, 3]", "[0, 1, 2, 3]", ["added /0: 0"]), ("[1, 2, 3]", "[1, 5, 3]", ["changed /1: 2 → 5"]),
        ("[1, 2, 3]", "[2, 3, 1]", ["moved /0 → /2: 1 → 1"]), ("[1, 2]", "[2, 1]", ["moved /0 → /1: 1 → 1"]),
        ("[1, 2, 3, 4]", "[4, 1, 2, 3]", ["moved /3 → /0: 4 → 4"]),
        ("[1, 2, 3]", "[9, 3, 8, 2]", ["changed /0: 1 → 9", "added /2: 8", "moved /1 → /3: 2 → 2"]),
        ("[1, 8, 9, 2]", "[2, 8, 9, 3]", ["changed /0: 1 → 2", "changed /3: 2 → 3"]),
        ("[1, 1, 2]", "[1, 2]", ["removed /1: 1"]), ("[1, 2]", "[3, 4]", ["changed (root): [2] → [2]"]),
        (
            #"[{"n": "a", "x": 1}, {"n": "b", "x": 2}]"#,
            #"[{"n": "z", "x": 9}, {"n": "a", "x": 1}, {"n": "b", "x": 3}]"#, ["added /0: {2}", "changed /2/x: 2 → 3"]
        ),
        (
            #"[{"n": "a", "x": 1}, {"n": "b", "x": 2}, {"n": "c", "x": 2}]"#,
            #"[{"n": "new", "x": 7}, {"n": "a", "x": 5}, {"n": "b", "x": 2}, {"n": "c", "x": 2}]"#,
            ["added /0: {2}", "changed /1/x: 1 → 5"]
        ),
        (#"[{"a": 1, "b": 2}]"#, #"[{"c": 1, "d": 2}]"#, ["changed /0: {2} → {2}"]),
        // A single object with the same fields in the same slot is compared field by field if any value is unchanged.
        (
            #"[{"a": 1, "b": 2, "c": 3, "d": 4}]"#, #"[{"a": 1, "b": 5, "c": 6, "d": 7}]"#,
            ["changed /0/b: 2 → 5", "changed /0/c: 3 → 6", "changed /0/d: 4 → 7"]
        ),
        (#"[{"a": 1, "b": 2, "c": 3, "d": 4}]"#, #"[{"a": 8, "b": 5, "c": 6, "d": 7}]"#, ["changed /0: {4} → {4}"]),
        (
            #"[{"a": 1, "b": 2, "c": 3, "d": 4}, 0]"#, #"[{"a": 1, "b": 5, "c": 6, "d": 7}, 1]"#,
            ["changed (root): [2] → [2]"]
        ),
        (#"{"p": {"x": 1, "y": 2}}"#, #"{"p": {"x": 3, "y": 4}}"#, ["changed /p/x: 1 → 3", "changed /p/y: 2 → 4"]),
        (#"{"p": {"x": 1, "y": 2}}"#, #"{"p": {"u": 3, "v": 4}}"#, ["changed /p: {2} → {2}"]),
        // Sets, non-string keys, duplicate keys.
        (#"{"$set": [1, 2, 3]}"#, #"{"$set": [3, 1, 2]}"#, []),
        (#"{"$set": [1, 2, 3]}"#, #"{"$set": [4, 3, 1]}"#, ["added /0: 4", "removed /1: 2"]),
        (#"{"$set": [1, 1, 3]}"#, #"{"$set": [1, 3]}"#, ["removed /1: 1"]),
        (
            #"{"$set": [[1, 2, 3], 7]}"#, #"{"$set": [7, [1, 2, 4]]}"#, ["changed /1/2: 3 → 4"]
        ),
        (#"{"$dict": [[1, "a"], [2, "b"]]}"#, #"{"$dict": [[2, "b"], [1, "c"]]}"#, ["changed /~=1: a → c"]),
        (
            #"{"$dict": [["k", "a"], ["k", "b"], ["x", 0]]}"#, #"{"$dict": [["x", 0], ["k", "a"], ["k", "c"]]}"#,
            ["changed /k: b → c"]
        ),
    ]

    @Test(arguments: documents)
    func comparesDocuments(_ before: String, _ after: String, _ lines: [String]) throws {
        let difference = Difference(try DiffText.view(before), try DiffText.view(after))
        #expect(DiffText.lines(difference) == lines, "\(before) → \(after)")
    }

    static let archives: [(before: String, after: String, lines: [String])] = [
        (#"{"$class": "A", "x": 1}"#, #"{"$class": "A", "x": 1}"#, []),
        (#"{"$class": "A", "x": 1}"#, #"{"$class": "A", "x": 2}"#, ["changed /root/x: 1 → 2"]),
        (#"{"$class": "A", "x": 1}"#, #"{"$class": "A", "x": {"$object": 1}}"#, ["storage /root/x: 1 → 1"]),
        (
            #"{"$class": "A", "x": {"$inline": "a"}, "y": 1}"#, #"{"$class": "A", "x": "b", "y": {"$object": 2}}"#,
            ["changed /root/x: a → b", "changed /root/y: 1 → 2"]
        ),
        // A value stored in another way is still compared, but is not the same container.
        (
            #"{"$class": "A", "x": {"$inline": ["a", 2]}}"#, #"{"$class": "A", "x": ["a", 2]}"#,
            ["storage /root/x: [2] → [2]"]
        ),
        (
            #"{"$class": "A", "x": {"a": 1, "b": 2}}"#,
            #"{"$class": "A", "x": {"$inline": {"a": {"$object": 1}, "b": {"$object": 3}}}}"#,
            ["storage /root/x: {2} → {2}", "changed /root/x/b: 2 → 3"]
        ),
        (
            #"{"$class": "A", "x": {"a": 1, "b": 2}}"#, #"{"$class": "A", "x": {"$inline": {"c": 1, "d": 2}}}"#,
            ["changed /root/x: {2} → {2}"]
        ),
        (
            #"{"$class": "A", "x": 1, "y": 2, "z": 3}"#, #"{"$class": "B", "x": 1, "y": 2, "z": 4}"#,
            ["class /root: A{3} → B{3}", "changed /root/z: 3 → 4"]
        ),
        (#"{"$class": "A", "x": 1}"#, #"{"$class": "B", "y": 1}"#, ["changed /root: A{1} → B{1}"]),
        (#"[1, 2]"#, #"{"$class": "NSMutableArray", "$elements": [1, 2]}"#, ["class /root: [2] → [2]"]),
        (#""a""#, #"{"$class": "NSMutableString", "NS.string": {"$inline": "a"}}"#, ["class /root: a → a"]),
        // Shared objects.
        (
            #"[{"$id": 1, "$class": "A", "x": 1}, {"$ref": 1}]"#,
            #"[{"$class": "A", "x": 1}, {"$class": "A", "x": 1}]"#, ["shared /root/1: A{1} → A{1}"]
        ),
        (
            #"[{"$class": "A", "x": 1}, {"$class": "A", "x": 1}]"#,
            #"[{"$id": 1, "$class": "A", "x": 1}, {"$ref": 1}]"#, ["shared /root/1: A{1} → A{1}"]
        ),
        (
            #"[{"$id": 1, "$class": "A", "x": 1}, {"$ref": 1}]"#, #"[{"$id": 1, "$class": "A", "x": 2}, {"$ref": 1}]"#,
            ["changed /root/0/x: 1 → 2"]
        ),
        (
            #"{"a": {"$id": 1, "$class": "A", "x": 1, "y": 1}, "b": {"$ref": 1}}"#,
            #"{"a": {"$class": "A", "x": 1, "y": 1}, "b": {"$class": "A", "x": 2, "y": 1}}"#,
            ["changed /root/b/x: 1 → 2"]
        ),
        // One object becomes two, or two become one: the counterpart is the one with the most references.
        (
            #"{"a": {"$id": 1, "$class": "A", "x": 1}, "b": [{"$ref": 1}, {"$ref": 1}]}"#,
            #"{"a": {"$class": "A", "x": 1}, "b": [{"$id": 1, "$class": "A", "x": 1}, {"$ref": 1}]}"#,
            ["shared /root/a: A{1} → A{1}"]
        ),
        (
            #"{"a": {"$class": "A", "x": 1}, "b": [{"$id": 1, "$class": "A", "x": 1}, {"$ref": 1}]}"#,
            #"{"a": {"$id": 1, "$class": "A", "x": 1}, "b": [{"$ref": 1}, {"$ref": 1}]}"#,
            ["shared /root/a: A{1} → A{1}"]
        ),
        // References that change their target and are visited before the objects themselves.
        (
            #"{"$class": "G", "target": {"$id": 1, "$class": "P", "n": "a", "x": 1}, "all": [{"$ref": 1}, {"$id": 2, "$class": "P", "n": "b", "x": 1}]}"#,
            #"{"$class": "G", "target": {"$id": 2, "$class": "P", "n": "b", "x": 1}, "all": [{"$id": 1, "$class": "P", "n": "a", "x": 1}, {"$ref": 2}]}"#,
            ["changed /root/target: P{2} → P{2}"]
        ),
        (
            #"{"$class": "G", "target": {"$id": 1, "$class": "P", "n": "a", "x": 1, "y": 1}, "all": [{"$ref": 1}, {"$id": 2, "$class": "P", "n": "b", "x": 1, "y": 1}]}"#,
            #"{"$class": "G", "target": {"$id": 2, "$class": "P", "n": "b", "x": 5, "y": 1}, "all": [{"$id": 1, "$class": "P", "n": "a", "x": 4, "y": 1}, {"$ref": 2}]}"#,
            ["changed /root/target: P{3} → P{3}", "changed /root/all/0/x: 1 → 4", "changed /root/all/1/x: 1 → 5"]
        ),
        // Cycles.
        (
            #"{"$id": 1, "$class": "N", "v": 1, "next": {"$ref": 1}}"#,
            #"{"$id": 1, "$class": "N", "v": 1, "next": {"$class": "N", "v": 1, "next": {"$ref": 1}}}"#,
            ["shared /root/next: N{2} → N{2}"]
        ),
        (
            #"{"$id": 1, "$class": "N", "v": 1, "kids": [{"$class": "N", "v": 2, "up": {"$ref": 1}}]}"#,
            #"{"$id": 1, "$class": "N", "v": 1, "kids": [{"$class": "N", "v": 3, "up": {"$ref": 1}}]}"#,
            ["changed /root/kids/0/v: 2 → 3"]
        ),
    ]

    @Test(arguments: archives)
    func comparesArchives(_ before: String, _ after: String, _ lines: [String]) throws {
        let classes =
            #", "$classes": {"A": ["A", "NSObject"], "B": ["B", "NSObject"], "N": ["N", "NSObject"], "G": ["G", "NSObject"], "P": ["P", "NSObject"]}"#
        let difference = Difference(
            try DiffText.archive(root: before, more: classes), try DiffText.archive(root: after, more: classes))
        #expect(DiffText.lines(difference) == lines, "\(before) → \(after)")
    }
}
