import KeyedArchives
import SaveCodec
import SaveOperations
import TestSupport
import Testing

/// Three-way merges of JSON documents, with results and conflicts.
@Suite struct MergeTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let base: String?
        let ours: String
        let theirs: String
        var rules: [String] = []
        /// The result, or nil if there are conflicts.
        var result: String?
        /// The addresses of the conflicts.
        var conflicts: [String] = []

        var testDescription: String { name }
    }

    static let plain: [Row] = [
        Row(
            name: "each side another key", base: #"{"gems":5,"gold":10}"#, ours: #"{"gems":7,"gold":10}"#,
            theirs: #"{"gems":5,"gold":12}"#, result: #"{"gems":7,"gold":12}"#),
        Row(
            name: "both the same", base: #"{"a":1}"#, ours: #"{"a":2,"b":[1]}"#, theirs: #"{"b":[1],"a":2}"#,
            result: #"{"a":2,"b":[1]}"#),
        Row(
            name: "both another value", base: #"{"a":1}"#, ours: #"{"a":2}"#, theirs: #"{"a":3}"#, conflicts: ["/a"]),
        Row(
            name: "changed and removed", base: #"{"a":1,"b":1}"#, ours: #"{"a":2,"b":1}"#, theirs: #"{"b":1}"#,
            conflicts: ["/a"]),
        Row(name: "both removed", base: #"{"a":1,"b":1}"#, ours: #"{"b":1}"#, theirs: #"{"b":1}"#, result: #"{"b":1}"#),
        Row(
            name: "removed, and changed within", base: #"{"a":{"x":1,"y":2}}"#, ours: "{}",
            theirs: #"{"a":{"x":1,"y":3}}"#, conflicts: ["/a"]),
        Row(
            name: "removed, and changed far within", base: #"{"a":{"x":[{"y":2,"z":0}],"w":1}}"#,
            ours: "{}", theirs: #"{"a":{"x":[{"y":3,"z":0}],"w":1}}"#, conflicts: ["/a"]),
        Row(
            name: "replaced, and changed within", base: #"{"a":{"x":1,"y":2}}"#, ours: #"{"a":5}"#,
            theirs: #"{"a":{"x":1,"y":3}}"#, conflicts: ["/a"]),
        Row(
            name: "another type", base: #"{"a":1,"b":2}"#, ours: #"{"a":1.0,"b":2}"#, theirs: #"{"a":1,"b":3}"#,
            result: #"{"a":1.0,"b":3}"#),
        Row(
            name: "an enemy gone, another one hurt", base: #"[{"name":"orc","hp":9},{"name":"elf","hp":7}]"#,
            ours: #"[{"name":"elf","hp":7}]"#, theirs: #"[{"name":"orc","hp":9},{"name":"elf","hp":3}]"#,
            result: #"[{"name":"elf","hp":3}]"#),
        Row(
            name: "inserted on both sides", base: "[1,2,3]", ours: "[1,10,2,3,4]", theirs: "[0,1,20,2,3,5]",
            result: "[0,1,10,20,2,3,4,5]"),
        Row(
            name: "the same inserted on both sides", base: "[1,2]", ours: "[1,7,8,9,2]", theirs: "[1,6,8,2]",
            result: "[1,7,6,8,9,2]"),
        Row(
            name: "one of equal neighbors removed on both sides", base: "[1,4,4,1]", ours: "[1,4,1]",
            theirs: "[25,1,4,1]", result: "[25,1,4,1]"),
        Row(
            name: "one of equal neighbors removed, another changed", base: "[1,4,4,1]", ours: "[4,4,1]",
            theirs: "[1,4,1,9]", result: "[4,1,9]"),
        Row(
            name: "two of equal elements changed", base: "[0,0,0,0]", ours: "[1,0,0,0]", theirs: "[0,0,5,0]",
            result: "[1,0,5,0]"),
        Row(
            name: "each of two Booleans changed", base: "[true,false]", ours: "[false,false]", theirs: "[true,true]",
            result: "[false,true]"),
        Row(name: "removed around", base: "[1,2,3,4]", ours: "[1,4]", theirs: "[1,2,9,3,4]", result: "[1,9,4]"),
        Row(
            name: "moved, and another removed", base: "[1,2,3,4]", ours: "[4,1,2,3]", theirs: "[1,3,4]",
            result: "[4,1,3]"),
        Row(
            name: "moved by theirs", base: "[1,2,3,4]", ours: "[1,2,3,4,5]", theirs: "[4,1,2,3]", result: "[4,1,2,3,5]"),
        Row(
            name: "moved by theirs behind what it inserted", base: "[1,2,3,4]", ours: "[1,9,2,3,4]",
            theirs: "[1,8,4,2,3]", result: "[1,9,8,4,2,3]"),
        Row(
            name: "replaced by both with what is much alike", base: #"[1,{"g":1},2]"#, ours: "[1,{},2]",
            theirs: #"[1,{"g":1,"c":[{"x":1},{"x":2}]},2]"#, conflicts: ["/1"]),
        Row(
            name: "new on both sides, and different", base: "{}", ours: #"{"a":{"x":1,"y":1}}"#,
            theirs: #"{"a":{"y":1,"z":1}}"#, result: #"{"a":{"x":1,"y":1,"z":1}}"#),
        Row(
            name: "new on both sides, and not to be joined", base: "{}", ours: #"{"a":[1]}"#, theirs: #"{"a":[2]}"#,
            conflicts: ["/a"]),
        Row(name: "another root", base: "[1]", ours: "[1]", theirs: #"{"a":1}"#, result: #"{"a":1}"#),
        Row(name: "both another root", base: "[1]", ours: "[1,2]", theirs: #"{"a":1}"#, conflicts: ["(root)"]),
        Row(name: "scalars", base: "1", ours: "1", theirs: "2", result: "2"),
        Row(
            name: "a sum that stands alone", base: "1", ours: "3", theirs: "2", rules: ["=sum-of-changes"],
            conflicts: ["(root)"]),
        Row(name: "scalars in conflict", base: "1", ours: "3", theirs: "2", conflicts: ["(root)"]),
        Row(
            name: "strings of the same characters", base: #"{"é":1}"#, ours: #"{"é":1,"e\u0301":2}"#,
            theirs: #"{"é":3}"#, result: #"{"é":3,"é":2}"#),
    ]

    static let ruled: [Row] = [
        Row(
            name: "ours", base: #"{"a":1}"#, ours: #"{"a":2}"#, theirs: #"{"a":3,"b":1}"#, rules: ["/a=ours"],
            result: #"{"a":2,"b":1}"#),
        Row(
            name: "theirs", base: #"{"a":1}"#, ours: #"{"a":2}"#, theirs: #"{"a":3}"#, rules: ["/a=theirs"],
            result: #"{"a":3}"#),
        Row(
            name: "theirs removed", base: #"{"a":1}"#, ours: #"{"a":2}"#, theirs: "{}", rules: ["/a=theirs"],
            result: "{}"),
        Row(
            name: "ours removed, and theirs is right", base: #"{"a":1,"b":0}"#, ours: #"{"b":0}"#,
            theirs: #"{"a":2,"b":0}"#,
            rules: ["=theirs"], result: #"{"a":2,"b":0}"#),
        Row(
            name: "the last rule counts", base: #"{"a":1,"b":1}"#, ours: #"{"a":2,"b":2}"#, theirs: #"{"a":3,"b":3}"#,
            rules: ["=theirs", "/b=fail"], conflicts: ["/b"]),
        Row(
            name: "everything below", base: #"{"a":{"x":1,"y":1}}"#, ours: #"{"a":{"x":2,"y":2}}"#,
            theirs: #"{"a":{"x":3,"y":3}}"#, rules: ["/a=theirs"], result: #"{"a":{"x":3,"y":3}}"#),
        Row(
            name: "greatest", base: #"{"level":1}"#, ours: #"{"level":6}"#, theirs: #"{"level":2}"#,
            rules: ["/level=max"],
            result: #"{"level":6}"#),
        Row(
            name: "greatest, though only theirs changed it", base: #"{"level":6}"#, ours: #"{"level":6}"#,
            theirs: #"{"level":2}"#, rules: ["/level=max"], result: #"{"level":6}"#),
        Row(
            name: "greatest, though only ours changed it", base: #"{"level":6}"#, ours: #"{"level":2}"#,
            theirs: #"{"level":6}"#, rules: ["/level=max"], result: #"{"level":6}"#),
        Row(
            name: "the higher of both", base: #"{"a":5,"b":5,"c":5,"d":5}"#, ours: #"{"a":9,"b":1,"c":1,"d":5}"#,
            theirs: #"{"a":7,"b":3,"c":5,"d":1}"#, rules: ["=higher"], result: #"{"a":9,"b":3,"c":1,"d":1}"#),
        Row(
            name: "the lower of both", base: #"{"a":5,"b":5,"c":5,"d":5}"#, ours: #"{"a":9,"b":1,"c":7,"d":5}"#,
            theirs: #"{"a":7,"b":3,"c":5,"d":8}"#, rules: ["=lower"], result: #"{"a":7,"b":1,"c":7,"d":8}"#),
        Row(
            name: "the higher, which has none", base: #"{"a":"x","b":1}"#, ours: #"{"a":"y"}"#,
            theirs: #"{"a":"z","b":2}"#, rules: ["=higher"], conflicts: ["/a", "/b"]),
        Row(
            name: "the base", base: #"{"a":5,"b":"x","c":{"$date":"2009-09-06T12:34:56Z"},"d":[1],"e":1}"#,
            ours: #"{"a":9,"b":"y","c":{"$date":"2009-09-07T12:34:56Z"},"d":[2],"e":7}"#,
            theirs: #"{"a":7,"b":3,"c":1,"d":[1,3],"e":1}"#, rules: ["=base"],
            result: #"{"a":5,"b":"x","c":{"$date":"2009-09-06T12:34:56Z"},"d":[2,3],"e":7}"#),
        Row(
            name: "the base, which has no value or no single one", base: #"{"a":1,"b":{"c":1}}"#,
            ours: #"{"a":2,"b":1,"d":1}"#, theirs: #"{"b":2,"d":2}"#, rules: ["=base"], conflicts: ["/a", "/b", "/d"]),
        Row(
            name: "greatest of integer and real", base: #"{"a":0}"#, ours: #"{"a":9007199254740993}"#,
            theirs: #"{"a":9007199254740992.0}"#, rules: ["=max"], result: #"{"a":9007199254740993}"#),
        Row(
            name: "greatest, though removed", base: #"{"a":3}"#, ours: #"{}"#, theirs: #"{"a":3}"#, rules: ["=max"],
            result: #"{"a":3}"#),
        Row(
            name: "greatest, and an element removed", base: "[1,2,3]", ours: "[1,2]", theirs: "[1,2,3]",
            rules: ["=max"],
            result: "[1,2]"),
        Row(
            name: "least", base: #"{"best":60}"#, ours: #"{"best":50.5}"#, theirs: #"{"best":42}"#,
            rules: ["/best=min"],
            result: #"{"best":42}"#),
        Row(
            name: "dates", base: #"{"d":{"$date":"2009-09-06T12:34:56Z"}}"#,
            ours: #"{"d":{"$date":"2010-01-01T00:00:00Z"}}"#,
            theirs: #"{"d":{"$date":"2010-01-02T00:00:00Z"}}"#, rules: ["=max"],
            result: #"{"d":{"$date":"2010-01-02T00:00:00Z"}}"#),
        Row(
            name: "no order", base: #"{"a":"x"}"#, ours: #"{"a":"y"}"#, theirs: #"{"a":"z"}"#, rules: ["=max"],
            conflicts: ["/a"]),
        Row(
            name: "sum", base: #"{"gems":10}"#, ours: #"{"gems":15}"#, theirs: #"{"gems":7}"#,
            rules: ["/gems=sum-of-changes"],
            result: #"{"gems":12}"#),
        Row(
            name: "sum of reals", base: #"{"gold":1.5}"#, ours: #"{"gold":2.0}"#, theirs: #"{"gold":4.5}"#,
            rules: ["/gold=sum-of-changes"], result: #"{"gold":5.0}"#),
        Row(
            name: "sum of reals of which one side changed", base: #"{"gold":1e16}"#, ours: #"{"gold":1e16}"#,
            theirs: #"{"gold":0.1}"#, rules: ["/gold=sum-of-changes"], result: #"{"gold":0.1}"#),
        Row(
            name: "sum of reals that is too large", base: #"{"gold":1e308}"#, ours: #"{"gold":1.5e308}"#,
            theirs: #"{"gold":-1.5e308}"#, rules: ["/gold=sum-of-changes"], conflicts: ["/gold"]),
        Row(
            name: "sum of a whole number and a real", base: #"{"gold":5}"#, ours: #"{"gold":7}"#,
            theirs: #"{"gold":7.5}"#, rules: ["/gold=sum-of-changes"], conflicts: ["/gold"]),
        Row(
            name: "sum of a real and a whole number", base: #"{"gold":5}"#, ours: #"{"gold":7.5}"#,
            theirs: #"{"gold":7}"#, rules: ["/gold=sum-of-changes"], conflicts: ["/gold"]),
        Row(
            name: "sum without a base", base: "{}", ours: #"{"gems":15}"#, theirs: #"{"gems":7}"#,
            rules: ["/gems=sum-of-changes"], result: #"{"gems":22}"#),
        Row(
            name: "sum that is too large", base: #"{"gems":0}"#, ours: #"{"gems":18446744073709551615}"#,
            theirs: #"{"gems":1}"#, rules: ["/gems=sum-of-changes"], conflicts: ["/gems"]),
        Row(
            name: "sum of what is no number", base: #"{"gems":0}"#, ours: #"{"gems":1}"#, theirs: #"{"gems":"2"}"#,
            rules: ["/gems=sum-of-changes"], conflicts: ["/gems"]),
        Row(
            name: "union", base: #"{"levels":["A","B"]}"#, ours: #"{"levels":["A","C"]}"#,
            theirs: #"{"levels":["A","B","C","D"]}"#,
            rules: ["/levels=union"], result: #"{"levels":["A","C","B","D"]}"#),
        Row(
            name: "union of new arrays", base: "{}", ours: #"{"levels":["A","C"]}"#, theirs: #"{"levels":["B","C"]}"#,
            rules: ["/levels=union"], result: #"{"levels":["A","C","B"]}"#),
        Row(
            name: "newest by a field", base: #"{"a":{"v":1,"t":1}}"#, ours: #"{"a":{"v":2,"t":5}}"#,
            theirs: #"{"a":{"v":3,"t":9}}"#,
            rules: ["=newest:t"], result: #"{"a":{"v":3,"t":9}}"#),
        Row(
            name: "newest by an address", base: #"{"v":1,"at":"2026-01-01T00:00:00Z"}"#,
            ours: #"{"v":2,"at":"2026-01-03T00:00:00Z"}"#,
            theirs: #"{"v":3,"at":"2026-01-02T00:00:00Z"}"#, rules: ["=newest:/at"],
            result: #"{"v":2,"at":"2026-01-03T00:00:00Z"}"#),
        Row(
            name: "newest, and none is", base: #"{"v":1,"t":4}"#, ours: #"{"v":2,"t":4}"#, theirs: #"{"v":3,"t":4}"#,
            rules: ["=newest:t"], conflicts: ["/v"]),
        Row(
            name: "newest by file, and no dates", base: #"{"v":1}"#, ours: #"{"v":2}"#, theirs: #"{"v":3}"#,
            rules: ["=newest"],
            conflicts: ["/v"]),
    ]

    static let withoutBase: [Row] = [
        Row(name: "each has its own", base: nil, ours: #"{"a":1}"#, theirs: #"{"b":2}"#, result: #"{"a":1,"b":2}"#),
        Row(name: "the same", base: nil, ours: #"{"a":[1,2]}"#, theirs: #"{"a":[1,2]}"#, result: #"{"a":[1,2]}"#),
        Row(
            name: "level 6 and a later 2", base: nil, ours: #"{"level":6}"#, theirs: #"{"level":2}"#,
            rules: ["/level=max"],
            result: #"{"level":6}"#),
        Row(
            name: "a later 2 and level 6", base: nil, ours: #"{"level":2}"#, theirs: #"{"level":6}"#,
            rules: ["/level=max"],
            result: #"{"level":6}"#),
        Row(
            name: "in conflict", base: nil, ours: #"{"level":6,"x":{"y":1}}"#, theirs: #"{"level":2,"x":{"y":2}}"#,
            conflicts: ["/level", "/x/y"]),
        Row(name: "roots of two kinds", base: nil, ours: "{}", theirs: "[]", conflicts: ["(root)"]),
    ]

    @Test(arguments: plain + ruled + withoutBase) func mergesThreeFiles(_ row: Row) throws {
        let merge = try ThreeWayMerge(
            base: row.base.map(Self.view), ours: Self.view(row.ours), theirs: Self.view(row.theirs),
            Self.options(row.rules))
        #expect(merge.conflicts.map { merge.address(of: $0).description } == row.conflicts)
        if let result = row.result { #expect(try Self.text(merge.result()) == result) }
    }

    private static func view(_ text: String) throws -> ObjectView { ObjectView(try JSON.readTyped(Array(text.utf8))) }

    private static func text(_ view: ObjectView) throws -> String {
        let bytes = try view.document.bytes(as: .json, options: WriteOptions(isCompact: true))
        return String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }
    }

    private static func options(_ rules: [String]) throws -> MergeOptions {
        var options = MergeOptions()
        for rule in rules {
            let sign = try #require(rule.lastIndex(of: "="))
            options.rules.append(
                .init(
                    try PointerPattern(String(rule[..<sign])),
                    try #require(MergeRule(String(rule[rule.index(after: sign)...])))))
        }
        return options
    }

    @Test func addsEqualElementsOfUnorderedArrayOnce() throws {
        var options = MergeOptions()
        options.unordered = [try PointerPattern("/levels")]
        let merge = try ThreeWayMerge(
            base: Self.view(#"{"levels":[1,2]}"#), ours: Self.view(#"{"levels":[2,1,3]}"#),
            theirs: Self.view(#"{"levels":[1,2,3,4]}"#), options)
        #expect(try Self.text(merge.result()) == #"{"levels":[2,4,1,3]}"#)
    }

    // MARK: Properties that JSON does not show

    @Test func mergesObjectsAddedByBoth() throws {
        let plain =
            #"{"$archiver":"NSKeyedArchiver","$version":100000,"$classes":{"A":["A","NSObject"]},"$top":{"root":{"$class":"A","x":1"#
        func view(_ rest: String) throws -> ObjectView {
            let document = try JSON.readTyped(Array((plain + rest + "}}}").utf8))
            return ObjectView(try KeyedArchive(GraphJSON.archive(from: document)))
        }
        let new = #","p":{"$class":"A","$id":1,"y":2}"#
        let merge = try ThreeWayMerge(
            base: view(""), ours: view(new + #","q":{"$ref":1}"#), theirs: view(new + #","r":{"$ref":1}"#))
        let expected = try view(new + #","q":{"$ref":1},"r":{"$ref":1}"#)
        #expect(DiffText.lines(Difference(expected, try merge.result())).isEmpty)
    }

    @Test func sumsKeepWidthOfReals() throws {
        let views = try [Float(0.1), 0.3, 0.7].map { value in
            var builder = DocumentBuilder()
            builder.open(.array)
            builder.add(real32: value)
            builder.close()
            return ObjectView(try builder.finish())
        }
        let merge = try ThreeWayMerge(
            base: views[0], ours: views[1], theirs: views[2], Self.options(["=sum-of-changes"]))
        let result = try merge.result()
        let sum = result.scalar(result.item(0, of: result[result.root].contents).id)
        guard case .real32(let value)? = sum else {
            Issue.record("\(String(describing: sum))")
            return
        }
        #expect(value == 0.9)
    }

    /// The rule `newest:time` compares the two values of each slot. Ours has one object in both slots; theirs has an
    /// older object in the first slot and a newer one in the second. Only the second slot takes theirs.
    @Test func newestComparesEachPair() throws {
        let times = [[], [5], [1, 9]]
        let views = try times.map { times in
            var archive = KeyedArchiveBuilder()
            let uids = times.map { _ in archive.reserve() }
            for (uid, time) in zip(uids, times) {
                archive.begin(uid, of: archive.addClass("At\(time)", chain: ["At\(time)", "NSObject"]))
                archive.contents.add(string: "time")
                archive.contents.add(integer: Int128(time))
                archive.end()
            }
            archive.beginTop()
            for (key, uid) in zip(["a", "b"], [uids.first, uids.last]) {
                guard let uid else { continue }
                archive.contents.add(string: key)
                archive.refer(to: uid)
            }
            archive.contents.add(string: "n")
            archive.contents.add(integer: 1)
            archive.end()
            return ObjectView(try KeyedArchive(archive.finish()))
        }
        let merge = try ThreeWayMerge(
            base: views[0], ours: views[1], theirs: views[2], Self.options(["=newest:time"]))
        let lines = DiffText.lines(Difference(views[1], try merge.result()))
        #expect(lines.count == 1 && lines[0].contains("/b"), "\(lines)")
    }

    @Test func appliesRulesToClasses() throws {
        let views = try ["Orc", "Elf", "Troll"].map { name in
            var archive = KeyedArchiveBuilder()
            let uid = archive.reserve()
            archive.begin(uid, of: archive.addClass(name, chain: [name, "NSObject"]))
            archive.contents.add(string: "health")
            archive.contents.add(integer: 5)
            archive.end()
            archive.addTop(root: uid)
            return ObjectView(try KeyedArchive(archive.finish()))
        }
        let merge = try ThreeWayMerge(base: views[0], ours: views[1], theirs: views[2])
        #expect(merge.conflicts.map { merge.address(of: $0).description } == ["/root/$class"])
        let settled = try ThreeWayMerge(
            base: views[0], ours: views[1], theirs: views[2], Self.options(["/root/$class=theirs"]))
        #expect(settled.conflicts.isEmpty)
        #expect(Difference(views[2], try settled.result()).isEmpty)
    }

    @Test func changesSharedObjectAtOneAddress() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        builder.open(.array)
        builder.add(integer: 1)
        let shared = builder.close()
        builder.add(shared)
        builder.close()
        let ours = ObjectView(try builder.finish())
        let merge = try ThreeWayMerge(
            base: Self.view("[[1],[1]]"), ours: ours, theirs: Self.view("[[1],[1,2]]"))
        #expect(merge.conflicts.isEmpty)
        #expect(try Self.text(merge.result()) == "[[1],[1,2]]")
    }

    @Test func rejectsArchiveWithPlainDocument() throws {
        var dice = SeededGenerator(seed: 1)
        let archive = try RandomGraph(&dice, isArchive: true).view()
        #expect {
            _ = try ThreeWayMerge(base: nil, ours: archive, theirs: Self.view("{}"))
        } throws: { ($0 as? Problem)?.id == "merge.kinds" }
    }
}
