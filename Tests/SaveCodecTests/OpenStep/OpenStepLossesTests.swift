import Testing

@testable import SaveCodec

struct OpenStepLossRow: Sendable, CustomTestStringConvertible {
    let name: String
    let document: Document
    let openStep: [String]
    let gnustep: [String]

    init(_ name: String, openStep: [String], gnustep: [String], _ build: (inout DocumentBuilder) -> Void) {
        self.name = name
        self.openStep = openStep
        self.gnustep = gnustep
        document = OpenStepText.document(build)
    }

    var testDescription: String { name }
}

extension DocumentBuilder {
    fileprivate mutating func add(bytes: [UInt8]) { add(data: bytes.span) }
    fileprivate mutating func add(units: [UInt16]) { add(utf16: units.span) }
}

@Suite struct OpenStepLossesTests {
    static let rows: [OpenStepLossRow] = [
        OpenStepLossRow("strings and data", openStep: [], gnustep: []) {
            $0.open(.dictionary)
            $0.add(string: "é")
            $0.add(bytes: [1])
            $0.close()
        },
        OpenStepLossRow(
            "kept types",
            openStep: [
                "/0: loss.integer: OpenStep text has no integers; this one would become a string",
                "/1: loss.real: OpenStep text has no reals; this one would become a string",
                "/2: loss.boolean: OpenStep text has no Booleans; this one would become a string",
                "/3: loss.date: OpenStep text has no dates; this one would become a string",
            ], gnustep: []
        ) {
            $0.open(.array)
            $0.add(integer: 5)
            $0.add(real64: .nan)
            $0.add(boolean: true)
            $0.add(date: 7)
            $0.close()
        },
        OpenStepLossRow(
            "null", openStep: ["(root): loss.null: OpenStep text has no null; it would become the string \"$null\""],
            gnustep: ["(root): loss.null: GNUstep's dialect has no null; it would become the string \"$null\""]
        ) { $0.addNull() },
        OpenStepLossRow(
            "UID", openStep: ["(root): loss.uid: OpenStep text has no UIDs; this one would become a plain value"],
            gnustep: ["(root): loss.uid: GNUstep's dialect has no UIDs; this one would become a plain value"]
        ) { $0.add(StoredUID(1)) },
        OpenStepLossRow(
            "set", openStep: ["(root): loss.set: OpenStep text has no sets; this one would become an array"],
            gnustep: ["(root): loss.set: GNUstep's dialect has no sets; this one would become an array"]
        ) {
            $0.open(.set)
            $0.close()
        },
        OpenStepLossRow(
            "great integer",
            openStep: ["(root): loss.integer: OpenStep text has no integers; this one would become a string"],
            gnustep: [
                "(root): loss.integer-range: GNUstep's dialect stores integers from -2^63 to 2^64-1; this one would become a string"
            ]
        ) { $0.add(integer: 1 << 64) },
        OpenStepLossRow(
            "narrow real", openStep: ["(root): loss.real: OpenStep text has no reals; this one would become a string"],
            gnustep: []
        ) { $0.add(real32: 1) },
        OpenStepLossRow(
            "narrow NaN bits",
            openStep: ["(root): loss.real: OpenStep text has no reals; this one would become a string"],
            gnustep: ["(root): loss.nan: GNUstep's dialect has only one NaN; the bits of this one would be lost"]
        ) { $0.add(real32: -Float.nan) },
        OpenStepLossRow(
            "NaN bits", openStep: ["(root): loss.real: OpenStep text has no reals; this one would become a string"],
            gnustep: ["(root): loss.nan: GNUstep's dialect has only one NaN; the bits of this one would be lost"]
        ) { $0.add(real64: -Double.nan) },
        OpenStepLossRow(
            "late date", openStep: ["(root): loss.date: OpenStep text has no dates; this one would become a string"],
            gnustep: [
                "(root): loss.date-range: GNUstep's dialect cannot store a date that is out of range or not finite; this one would become a string"
            ]
        ) { $0.add(date: 0x1p63) },
        OpenStepLossRow(
            "date that is no number",
            openStep: ["(root): loss.date: OpenStep text has no dates; this one would become a string"],
            gnustep: [
                "(root): loss.date-range: GNUstep's dialect cannot store a date that is out of range or not finite; this one would become a string"
            ]
        ) { $0.add(date: .nan) },
        OpenStepLossRow(
            "date with a fraction",
            openStep: ["(root): loss.date: OpenStep text has no dates; this one would become a string"],
            gnustep: [
                "(root): loss.date-fraction: GNUstep's dialect stores dates in whole seconds; the fraction would be dropped"
            ]
        ) { $0.add(date: -0.25) },
        OpenStepLossRow(
            "date with a sign",
            openStep: ["(root): loss.date: OpenStep text has no dates; this one would become a string"],
            gnustep: []
        ) { $0.add(date: -0.0) },
        OpenStepLossRow(
            "lone surrogate", openStep: [],
            gnustep: ["(root): loss.surrogate: the string has a lone surrogate; it would become U+FFFD"]
        ) { $0.add(units: [0x41, 0xD83D]) },
        OpenStepLossRow(
            "repeated key",
            openStep: [
                #"/0: loss.repeated-key: duplicate key "a"; only one value would be kept"#
            ],
            gnustep: [
                #"/0: loss.repeated-key: duplicate key "a"; only one value would be kept"#
            ]
        ) {
            $0.open(.array)
            $0.open(.dictionary)
            for text in ["a", "1", "a", "2"] { $0.add(string: text) }
            $0.close()
            $0.close()
        },
        OpenStepLossRow(
            "data that is a value and a key",
            openStep: ["/1: loss.key-type: the dictionary has a non-string key; it would become a string"],
            gnustep: []
        ) {
            $0.open(.array)
            $0.add(bytes: [1])
            $0.open(.dictionary)
            $0.add(bytes: [1])
            $0.add(string: "a")
            $0.close()
            $0.close()
        },
    ]

    @Test(arguments: rows) func lists(_ row: OpenStepLossRow) {
        #expect(lines(row.document, .openStep) == row.openStep)
        #expect(lines(row.document, .gnustep) == row.gnustep)
    }

    private func lines(_ document: Document, _ dialect: OpenStep.Dialect) -> [String] {
        OpenStep.losses(in: document, dialect: dialect).map {
            "\($0.address.map(String.init(describing:)) ?? ""): \($0.id): \($0.message)"
        }
    }

    @Test func countsUnlistedLosses() {
        let document = OpenStepText.document {
            $0.open(.array)
            for value in 0..<1234 { $0.add(integer: Int128(value)) }
            $0.close()
        }
        let losses = OpenStep.losses(in: document, dialect: .openStep)
        #expect(losses.count == 1001)
        #expect(losses[999].address == JSONPointer("/999"))
        #expect(losses[1000].kind == losses[0].kind)
        #expect(losses[1000].description == "and 234 more integers")
        #expect(losses[1000].count == 234)
        #expect(LossPhrase.summary(of: losses) == "1,234 integers")
    }

    @Test func listsEveryAddressOfSharedScalar() {
        let document = OpenStepText.document {
            $0.open(.dictionary)
            for key in ["a", "b"] {
                $0.add(string: key)
                $0.add(integer: 1)
            }
            $0.close()
        }
        let losses = OpenStep.losses(in: document, dialect: .openStep)
        #expect(losses.map(\.address) == [JSONPointer("/a"), JSONPointer("/b")])
    }

    @Test func keepsDuplicateKeysOfText() throws {
        let document = try OpenStep.read(Array("{a=1;a=2;}".utf8), dialect: .openStep)
        #expect(OpenStep.losses(in: document, dialect: .openStep).isEmpty)
    }

    @Test func ignoresUnreachableObjects() {
        let document = OpenStepText.document {
            $0.open(.array)
            $0.add(integer: 5)
            _ = $0.takeLast()
            $0.close()
        }
        #expect(OpenStep.losses(in: document, dialect: .openStep).isEmpty)
    }
}
