import Testing

@testable import SaveCodec

/// A document and its text in the two dialects.
struct OpenStepWritten: Sendable, CustomTestStringConvertible {
    let name: String
    let document: Document
    let openStep: String
    let gnustep: String

    init(_ name: String, openStep: String, gnustep: String, _ build: (inout DocumentBuilder) -> Void) {
        self.name = name
        self.openStep = openStep
        self.gnustep = gnustep
        document = OpenStepText.document(build)
    }

    /// Expects the same text in both dialects.
    init(_ name: String, _ text: String, _ build: (inout DocumentBuilder) -> Void) {
        self.init(name, openStep: text, gnustep: text, build)
    }

    var testDescription: String { name }
}

extension DocumentBuilder {
    fileprivate mutating func add(bytes: [UInt8]) { add(data: bytes.span) }
    fileprivate mutating func add(units: [UInt16]) { add(utf16: units.span) }
}

@Suite struct OpenStepWriterTests {
    static let kept: [OpenStepWritten] = [
        OpenStepWritten(
            "a save",
            """
            {
                name = "Zo";
                state = <0fbd771c 0a>;
                "grid size" = (
                    2,
                    "0 1",
                    (),
                    {}
                );
                none = {};
                more = {
                    a = b;
                };
            }

            """.replacing("\"Zo\"", with: "Zo")
        ) {
            $0.open(.dictionary)
            $0.add(string: "name")
            $0.add(string: "Zo")
            $0.add(string: "state")
            $0.add(bytes: [0x0F, 0xBD, 0x77, 0x1C, 0x0A])
            $0.add(string: "grid size")
            $0.open(.array)
            $0.add(string: "2")
            $0.add(string: "0 1")
            $0.open(.array)
            $0.close()
            $0.open(.dictionary)
            $0.close()
            $0.close()
            $0.add(string: "none")
            $0.open(.dictionary)
            $0.close()
            $0.add(string: "more")
            $0.open(.dictionary)
            $0.add(string: "a")
            $0.add(string: "b")
            $0.close()
            $0.close()
        },
        OpenStepWritten("a root string", "\"bplist00\"\n") { $0.add(string: "bplist00") },
        OpenStepWritten("no data", "<>\n") { $0.add(bytes: []) },
        OpenStepWritten(
            "quotes",
            """
            (
                "",
                "//x",
                "/*x",
                "/path",
                "http://x",
                "a//b",
                a/b_1.c,
                "a-b",
                "a:b",
                "$a",
                "a b",
                "a+b",
                "<*I5>",
                "'",
                "\\"\\\\"
            )

            """
        ) {
            list(
                [
                    "", "//x", "/*x", "/path", "http://x", "a//b", "a/b_1.c", "a-b", "a:b", "$a", "a b", "a+b", "<*I5>",
                    "'", "\"\\",
                ], &$0)
        },
        OpenStepWritten(
            "controls",
            "\"\\U0007\\U0008\\t\\n\\U000B\\U000C\\r\\U0000\\U0001\\U001B\\U007F\\U0085\\U2028\\U2029\"\n"
        ) {
            $0.add(string: "\u{7}\u{8}\t\n\u{B}\u{C}\r\0\u{1}\u{1B}\u{7F}\u{85}\u{2028}\u{2029}")
        },
        OpenStepWritten(
            "beyond ASCII", openStep: "\"éߐ€\u{FEFF}😀\"\n", gnustep: "\"\\U00E9\\U07D0\\U20AC\\UFEFF\\UD83D\\UDE00\"\n"
        ) {
            $0.add(string: "éߐ€\u{FEFF}😀")
        },
        OpenStepWritten("a lone surrogate", openStep: "\"\\UDE00\\UD83DA\"\n", gnustep: "\"\\UFFFD\\UFFFDA\"\n") {
            $0.add(units: [0xDE00, 0xD83D, 0x41])
        },
        OpenStepWritten(
            "integers", openStep: "(\n    5,\n    \"-5\",\n    18446744073709551615,\n    18446744073709551616\n)\n",
            gnustep: "(\n    <*I5>,\n    <*I-5>,\n    <*I18446744073709551615>,\n    18446744073709551616\n)\n"
        ) {
            $0.open(.array)
            for value: Int128 in [5, -5, 18_446_744_073_709_551_615, 18_446_744_073_709_551_616] {
                $0.add(integer: value)
            }
            $0.close()
        },
        OpenStepWritten(
            "reals",
            openStep:
                "(\n    \"0.1\",\n    \"1e+20\",\n    \"-0.0\",\n    \"nan\",\n    \"-inf\",\n    \"0.10000000149011612\",\n    \"inf\"\n)\n",
            gnustep:
                "(\n    <*R0.1>,\n    <*R1e+20>,\n    <*R-0.0>,\n    <*Rnan>,\n    <*R-inf>,\n    <*R0.10000000149011612>,\n    <*Rinf>\n)\n"
        ) {
            $0.open(.array)
            for value in [0.1, 1e20, -0.0, .nan, -.infinity] { $0.add(real64: value) }
            $0.add(real32: 0.1)
            $0.add(real32: .infinity)
            $0.close()
        },
        OpenStepWritten(
            "other scalars", openStep: "(\n    YES,\n    NO,\n    \"$null\",\n    255\n)\n",
            gnustep: "(\n    <*BY>,\n    <*BN>,\n    \"$null\",\n    {\"CF$UID\" = <*I255>;}\n)\n"
        ) {
            $0.open(.array)
            $0.add(boolean: true)
            $0.add(boolean: false)
            $0.addNull()
            $0.add(StoredUID(255))
            $0.close()
        },
        OpenStepWritten(
            "dates",
            openStep:
                "(\n    \"2001-01-01 00:00:00 +0000\",\n    \"2000-12-31 23:59:59 +0000\",\n    \"0001-01-01 00:00:00 +0000\",\n    \"9999-12-31 23:59:59 +0000\",\n    \"10000-01-01 00:00:00 +0000\",\n    \"-002-04-10 12:26:40 +0000\",\n    \"1e+300\",\n    \"nan\"\n)\n",
            gnustep:
                "(\n    <*D2001-01-01 00:00:00 +0000>,\n    <*D2000-12-31 23:59:59 +0000>,\n    <*D0001-01-01 00:00:00 +0000>,\n    <*D9999-12-31 23:59:59 +0000>,\n    <*D10000-01-01 00:00:00 +0000>,\n    <*D-002-04-10 12:26:40 +0000>,\n    \"1e+300\",\n    \"nan\"\n)\n"
        ) {
            $0.open(.array)
            for seconds in [0, -0.5, -63_113_904_000, 252_423_993_599.5, 252_423_993_600, -63_200_000_000, 1e300, .nan]
            {
                $0.add(date: seconds)
            }
            $0.close()
        },
        OpenStepWritten("a set", "(\n    a\n)\n") {
            $0.open(.set)
            $0.add(string: "a")
            $0.close()
        },
        OpenStepWritten(
            "keys that are no strings", openStep: "{\n    5 = a;\n    YES = b;\n    7 = c;\n}\n",
            gnustep: "{\n    <*I5> = a;\n    <*BY> = b;\n    7 = c;\n}\n"
        ) {
            $0.open(.dictionary)
            $0.add(integer: 5)
            $0.add(string: "a")
            $0.add(boolean: true)
            $0.add(string: "b")
            $0.add(StoredUID(7))
            $0.add(string: "c")
            $0.close()
        },
        OpenStepWritten("repeated keys, of which the first counts", "{\n    b = 1;\n    a = 2;\n}\n") {
            $0.open(.dictionary)
            for text in ["b", "1", "a", "2", "b", "3"] { $0.add(string: text) }
            $0.close()
        },
    ]

    private static func list(_ strings: [String], _ builder: inout DocumentBuilder) {
        builder.open(.array)
        for string in strings { builder.add(string: string) }
        builder.close()
    }

    @Test(arguments: kept) func writes(_ row: OpenStepWritten) throws {
        #expect(try OpenStepText.written(row.document, .openStep) == row.openStep)
        #expect(try OpenStepText.written(row.document, .gnustep) == row.gnustep)
    }

    /// A value that a dialect can represent is read back unchanged. A loss is read back as a value that the dialect can
    /// represent.
    @Test(arguments: kept, OpenStepReaderTests.dialects)
    func roundTripsOutput(_ row: OpenStepWritten, _ dialect: OpenStep.Dialect) throws {
        let copy = try OpenStep.read(Array(try OpenStepText.written(row.document, dialect).utf8), dialect: dialect)
        #expect(OpenStep.losses(in: copy, dialect: dialect).isEmpty)
        if OpenStep.losses(in: row.document, dialect: dialect).isEmpty {
            #expect(ValueOutline.of(copy) == ValueOutline.of(row.document))
        }
    }

    @Test(arguments: OpenStepReaderTests.dialects) func keepsEveryCodeUnit(_ dialect: OpenStep.Dialect) throws {
        let units = (UInt16.min...UInt16.max).filter { dialect == .openStep || $0 & 0xF800 != 0xD800 }
        // Low surrogates come first, so that no two neighbors form a pair.
        let reversed = Array(units.reversed())
        let document = OpenStepText.document { $0.add(utf16: reversed.span) }
        let copy = try OpenStep.read(Array(try OpenStepText.written(document, dialect).utf8), dialect: dialect)
        #expect(copy.text(copy.root)?.elementsEqual(reversed) == true)
        #expect(OpenStep.losses(in: document, dialect: dialect).isEmpty)
    }

    static let bytes: [UInt8] = Array(0...255)

    @Test func writesDataKeysAsStrings() throws {
        let document = OpenStepText.document {
            $0.open(.dictionary)
            $0.add(data: [0, 0].span)
            $0.add(string: "x")
            $0.close()
        }
        let text = try OpenStepText.written(document, .openStep)
        #expect(text.contains("\"<0000>\" = x;"))
        #expect(throws: Never.self) { try OpenStep.read(Array(text.utf8), dialect: .openStep) }
    }

    /// The stored width of a string does not affect its text.
    @Test(arguments: OpenStepReaderTests.dialects) func writesWideStringsLikeOthers(_ dialect: OpenStep.Dialect) throws
    {
        let words = ["abc", "/a", "a b", "a//b", "5", ""]
        let texts = try [false, true].map { isWide in
            let document = OpenStepText.document { builder in
                builder.open(.array)
                for word in words { builder.add(utf16: Array(word.utf16).span, alwaysWide: isWide) }
                builder.close()
            }
            return try OpenStepText.written(document, dialect)
        }
        #expect(texts[0] == texts[1])
        #expect(texts[1].contains(" abc,"))
    }

    @Test func keepsOneByteStrings() throws {
        let image = Array("bplist00".utf8) + [0x5F, 0x11, 0x01, 0x00] + Self.bytes
        let table = OffsetTable(start: image.count, count: 1, offsetSize: 1, referenceSize: 1)
        let document = Document(
            image: image + [8], table: table, root: ObjectID(0),
            facts: Document.Facts(sourceFormat: .binary, sourceSize: image.count, isFile: false))
        for dialect in OpenStepReaderTests.dialects {
            let copy = try OpenStep.read(Array(try OpenStepText.written(document, dialect).utf8), dialect: dialect)
            #expect(copy.text(copy.root)?.elementsEqual(Self.bytes.map(UInt16.init)) == true)
        }
    }

    @Test func sortsKeysByCodeUnits() throws {
        let keys = ["a", "é", "😀", "", "B", "10", "9", "\u{FFFD}", "a b"]
        let document = OpenStepText.document {
            $0.open(.dictionary)
            for key in keys {
                $0.add(string: key)
                $0.add(string: "x")
            }
            $0.close()
        }
        let sorted = try OpenStepText.written(document, .openStep, options: WriteOptions(keyOrder: .sorted))
        let order = ["\"\"", "10", "9", "B", "a", "\"a b\"", "\"é\"", "\"😀\"", "\"\u{FFFD}\""]
        #expect(sorted == "{\n" + order.map { "    \($0) = x;\n" }.joined() + "}\n")
    }

    @Test func keepsRepeatedKeysOfText() throws {
        let text = "{\n    a = 1;\n    b = 2;\n    a = 3;\n}\n"
        let document = try OpenStep.read(Array(text.utf8), dialect: .openStep)
        #expect(try OpenStepText.written(document, .openStep) == text)
    }

    @Test func refusesExpansion() throws {
        let document = OpenStepText.document { builder in
            builder.open(.array)
            builder.close()
            builder.doubleRoot(levels: 40)
        }
        var writer = ByteWriter()
        let problem = #expect(throws: Problem.self) {
            try OpenStep.write(document, to: &writer, dialect: .openStep)
        }
        #expect(problem?.id == "limit.expansion")
        #expect(writer.count == 0)
    }

    @Test func indentsLevelsConsistently() throws {
        let text = String(repeating: "(", count: 70) + "a,b" + String(repeating: ")", count: 70)
        let lines = try OpenStepText.written(try OpenStep.read(Array(text.utf8), dialect: .openStep), .openStep)
            .split(separator: "\n")
        #expect(lines[69] == String(repeating: " ", count: 4 * 64) + "(")
        #expect(lines[71] == String(repeating: " ", count: 4 * 64) + "b")
    }
}
