import Testing

@testable import SaveCodec

/// Every row of the table in the article TypedJSON is read and written.
@Suite struct TypedJSONTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let json: String
        let build: @Sendable (inout DocumentBuilder) -> Void

        init(_ name: String, _ json: String, build: @escaping @Sendable (inout DocumentBuilder) -> Void) {
            (testDescription, self.json, self.build) = (name, json, build)
        }

        static func utf16(_ name: String, _ json: String, _ units: [UInt16]) -> Row {
            Row(name, json) { $0.add(utf16: units.span) }
        }

        static func real(_ json: String, _ value: Double) -> Row {
            Row("real \(value)", json) { $0.add(real64: value) }
        }

        static func real32(_ json: String, _ value: Float) -> Row {
            Row("real32 \(value)", json) { $0.add(real32: value) }
        }

        static func date(_ json: String, _ seconds: Double) -> Row {
            Row("date \(seconds)", json) { $0.add(date: seconds) }
        }

        static func data(_ json: String, _ bytes: [UInt8]) -> Row {
            Row("data \(bytes)", json) { $0.add(data: bytes.span) }
        }

        static func pairs(_ name: String, _ json: String, fill: @escaping @Sendable (inout DocumentBuilder) -> Void)
            -> Row
        {
            Row(name, json) {
                $0.open(.dictionary)
                fill(&$0)
                $0.close()
            }
        }
    }

    static let scalars: [Row] = [
        Row("null", "null") { $0.addNull() },
        Row("true", "true") { $0.add(boolean: true) },
        Row("false", "false") { $0.add(boolean: false) },
        Row("empty string", "\"\"") { $0.add(string: "") },
        Row("string", "\"Zoë / 😀\"") { $0.add(string: "Zoë / 😀") },
        Row("escapes", #""\"\\/\b\f\n\r\t\u0000\u001b""#) { $0.add(string: "\"\\/\u{8}\u{C}\n\r\t\0\u{1B}") },
        Row("DEL, C1 and line separators", #""\u007f\u0080\u009f\#u{A0}\u2028\u2029""#) {
            $0.add(string: "\u{7F}\u{80}\u{9F}\u{A0}\u{2028}\u{2029}")
        },
        .utf16("lone lead", #""\uD83D""#, [0xD83D]),
        .utf16("lone trail", #""a\uDE00b""#, [0x61, 0xDE00, 0x62]),
        .utf16("pair the wrong way round", #""\uDE00\uD83D""#, [0xDE00, 0xD83D]),
        Row("integer", "5") { $0.add(integer: 5) },
        Row("negative", "-1") { $0.add(integer: -1) },
        Row("beyond a real's precision", "9007199254740993") { $0.add(integer: 9_007_199_254_740_993) },
        Row("18 digits", "999999999999999999") { $0.add(integer: 999_999_999_999_999_999) },
        Row("19 digits", "-9999999999999999999") { $0.add(integer: -9_999_999_999_999_999_999) },
        Row("greatest", "170141183460469231731687303715884105727") { $0.add(integer: .max) },
        Row("least", "-170141183460469231731687303715884105728") { $0.add(integer: .min) },
        .real("1.0", 1), .real("-0.0", -0.0), .real("1e+20", 1e20), .real("0.1", 0.1),
        .real("5e-324", .leastNonzeroMagnitude),
        .real(#"{"$real":"nan"}"#, Double(bitPattern: 0x7FF8_0000_0000_0000)),
        .real(#"{"$real":"inf"}"#, .infinity), .real(#"{"$real":"-inf"}"#, -.infinity),
        .real(#"{"$real":"0x7ff8000000000001"}"#, Double(bitPattern: 0x7FF8_0000_0000_0001)),
        .real(#"{"$real":"0xfff8000000000000"}"#, Double(bitPattern: 0xFFF8_0000_0000_0000)),
        .real(#"{"$real":"0x7ff0000000000001"}"#, Double(bitPattern: 0x7FF0_0000_0000_0001)),
        .real32(#"{"$real32":0.1}"#, 0.1), .real32(#"{"$real32":1.0}"#, 1), .real32(#"{"$real32":-0.0}"#, -0.0),
        .real32(#"{"$real32":"nan"}"#, Float(bitPattern: 0x7FC0_0000)),
        .real32(#"{"$real32":"inf"}"#, .infinity), .real32(#"{"$real32":"-inf"}"#, -.infinity),
        .real32(#"{"$real32":"0x7fa00001"}"#, Float(bitPattern: 0x7FA0_0001)),
        .date(#"{"$date":"2009-09-06T12:34:56Z"}"#, 273_933_296),
        .date(#"{"$date":"2001-01-01T00:00:00.5Z"}"#, 0.5),
        .date(#"{"$date":-0.0}"#, -0.0),
        .date(#"{"$date":1e+300}"#, 1e300),
        .date(#"{"$date":{"$real":"nan"}}"#, Double(bitPattern: 0x7FF8_0000_0000_0000)),
        .date(#"{"$date":{"$real":"-inf"}}"#, -.infinity),
        .data(#"{"$data":""}"#, []), .data(#"{"$data":"3q0="}"#, [0xDE, 0xAD]),
        .data(#"{"$data":"AQIDBA=="}"#, [1, 2, 3, 4]),
        Row("UID", #"{"$uid":5}"#) { $0.add(StoredUID(5)) },
        Row("greatest UID", #"{"$uid":4294967295}"#) { $0.add(StoredUID(.max)) },
    ]

    static let containers: [Row] = [
        Row("empty array", "[]") {
            $0.open(.array)
            $0.close()
        },
        Row("array", "[1,[null]]") {
            $0.open(.array)
            $0.add(integer: 1)
            $0.open(.array)
            $0.addNull()
            $0.close()
            $0.close()
        },
        Row("empty set", #"{"$set":[]}"#) {
            $0.open(.set)
            $0.close()
        },
        Row("set", #"{"$set":[1,{"$set":[2]}]}"#) {
            $0.open(.set)
            $0.add(integer: 1)
            $0.open(.set)
            $0.add(integer: 2)
            $0.close()
            $0.close()
        },
        .pairs("empty dictionary", "{}") { _ in },
        .pairs("dictionary", #"{"b":1,"a":2}"#) {
            $0.add(string: "b")
            $0.add(integer: 1)
            $0.add(string: "a")
            $0.add(integer: 2)
        },
        .pairs("repeated key", #"{"$dict":[["k",1],["k",2]]}"#) {
            $0.add(string: "k")
            $0.add(integer: 1)
            $0.add(string: "k")
            $0.add(integer: 2)
        },
        .pairs("canonically equivalent keys", "{\"\u{E9}\":1,\"e\u{301}\":2}") {
            $0.add(string: "\u{E9}")
            $0.add(integer: 1)
            $0.add(string: "e\u{301}")
            $0.add(integer: 2)
        },
        .pairs(
            "keys of every scalar kind",
            #"{"$dict":[[null,1],[true,1],[7,1],[1.0,1],[{"$uid":1},1],[{"$real32":1.0},1]]}"#
        ) {
            $0.addNull()
            let one = $0.add(integer: 1)
            $0.add(boolean: true)
            $0.add(one)
            $0.add(integer: 7)
            $0.add(one)
            $0.add(real64: 1)
            $0.add(one)
            $0.add(StoredUID(1))
            $0.add(one)
            $0.add(real32: 1)
            $0.add(one)
        },
        .pairs("container in a pair", #"{"$dict":[[1,{"a":[]}],[2,{"$set":[]}]]}"#) {
            $0.add(integer: 1)
            $0.open(.dictionary)
            $0.add(string: "a")
            $0.open(.array)
            $0.close()
            $0.close()
            $0.add(integer: 2)
            $0.open(.set)
            $0.close()
        },
        .pairs("a tag beside another key", #"{"$uid":5,"b":1}"#) {
            $0.add(string: "$uid")
            $0.add(integer: 5)
            $0.add(string: "b")
            $0.add(integer: 1)
        },
        .pairs("a container tag beside another key", #"{"$set":[1],"$dict":[]}"#) {
            $0.add(string: "$set")
            $0.open(.array)
            $0.add(integer: 1)
            $0.close()
            $0.add(string: "$dict")
            $0.open(.array)
            $0.close()
        },
        .pairs("exact envelope", #"{"$dict":[["a",1],["$savetool",1]]}"#) {
            $0.add(string: "a")
            let one = $0.add(integer: 1)
            $0.add(string: "$savetool")
            $0.add(one)
        },
        .pairs("graph envelope", #"{"$dict":[["$top",1],["$archiver",1]]}"#) {
            $0.add(string: "$top")
            let one = $0.add(integer: 1)
            $0.add(string: "$archiver")
            $0.add(one)
        },
        .pairs("keyed archive", #"{"$archiver":1,"$objects":1,"$top":1}"#) {
            $0.add(string: "$archiver")
            let one = $0.add(integer: 1)
            $0.add(string: "$objects")
            $0.add(one)
            $0.add(string: "$top")
            $0.add(one)
        },
    ]

    static let likeTagged: [Row] = JSONTag.allCases.map { tag in
        .pairs("shaped like \(tag)", #"{"$dict":[["\#(tag.rawValue)",1]]}"#) {
            $0.add(string: tag.rawValue)
            $0.add(integer: 1)
        }
    }

    @Test(arguments: scalars + containers + likeTagged)
    func roundTrips(row: Row) throws {
        var builder = DocumentBuilder()
        row.build(&builder)
        let document = try builder.finish()
        #expect(try JSONCases.write(document) == row.json + "\n")
        let read = try JSONCases.read(row.json)
        #expect(read.image == document.image)
        #expect(read.root == document.root)
        #expect(read.sourceFormat == .json)
    }

    @Test(arguments: scalars + containers + likeTagged)
    func prettyPrintingKeepsValues(row: Row) throws {
        let pretty = try JSONCases.rewrite(row.json, WriteOptions())
        #expect(try JSONCases.rewrite(pretty) == row.json + "\n")
    }

    /// Forms that the writer never chooses, and the form that it writes for each.
    static let variants: [(String, String)] = [
        ("-0", "-0.0"), ("1E2", "100.0"), ("1e-400", "0.0"), ("-1e-400", "-0.0"), ("0.10", "0.1"), ("-0.0e5", "-0.0"),
        (#""\u00e9\/\ud83d\ude00""#, "\"é/😀\""), (#""\ud83d\u0041""#, #""\uD83DA""#),
        (#" { "\u0024uid" : 5 } "#, #"{"$uid":5}"#), (#"{"\u0024set":[]}"#, #"{"$set":[]}"#),
        (#"{"$real32":10}"#, #"{"$real32":10.0}"#), (#"{"$real32":-0}"#, #"{"$real32":-0.0}"#),
        (#"{"$real32":1.00000017881393432617187499}"#, #"{"$real32":1.0000001}"#),
        (#"{"$real":"\u006ean"}"#, #"{"$real":"nan"}"#),
        (#"{"$date":273933296}"#, #"{"$date":"2009-09-06T12:34:56Z"}"#),
        (#"{"$data":"AQ\u0049D"}"#, #"{"$data":"AQID"}"#),
        (#"{"$dict":[["a",1],["b",2]]}"#, #"{"a":1,"b":2}"#), (#"{"$dict":[]}"#, "{}"),
        (#"{"a":1,"a":2}"#, #"{"$dict":[["a",1],["a",2]]}"#),
        (#"{"$uid":5,"$uid":5}"#, #"{"$dict":[["$uid",5],["$uid",5]]}"#),
        (#"{"$date":{"$real":"nan"},"b":1}"#, #"{"$date":{"$real":"nan"},"b":1}"#),
        (
            #"{"$dict":[1,[2]],"b":{"$set":[{"$set":[],"c":1}]}}"#,
            #"{"$dict":[1,[2]],"b":{"$set":[{"$set":[],"c":1}]}}"#
        ),
        (#"{"$uid ":5}"#, #"{"$uid ":5}"#), (#"{"\u0000$uid":5}"#, #"{"\u0000$uid":5}"#),
        (#"{"$object":5}"#, #"{"$object":5}"#),
    ]

    @Test(arguments: variants)
    func readsOtherSpellings(text: String, written: String) throws {
        #expect(try JSONCases.rewrite(text) == written + "\n")
    }

    @Test func keepsDuplicateNamesAndUsesLast() throws {
        let document = try JSONCases.read(#"{"a":1,"a":2}"#)
        #expect(document.facts.dictionariesWithDuplicates == [document.root])
        guard case .dictionary(let pairs) = document[document.root] else {
            Issue.record("the root is no dictionary")
            return
        }
        let value = try #require(pairs.value(for: "a".utf16))
        guard case .integer(let two) = document[value] else {
            Issue.record("the value is no integer")
            return
        }
        #expect(two.value == 2)
    }
}
