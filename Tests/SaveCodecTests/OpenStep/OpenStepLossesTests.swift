import Testing

@testable import SaveCodec

/// A document, and what is lost of it.
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
                "/0: loss.integer: an integer has no form in OpenStep text",
                "/1: loss.real: a real number has no form in OpenStep text",
                "/2: loss.boolean: a boolean has no form in OpenStep text",
                "/3: loss.date: a date has no form in OpenStep text",
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
            "null", openStep: ["/: loss.null: null has no form in OpenStep text"],
            gnustep: ["/: loss.null: null has no form in GNUstep's dialect"]
        ) { $0.addNull() },
        OpenStepLossRow(
            "UID", openStep: ["/: loss.uid: a UID has no form in OpenStep text"],
            gnustep: ["/: loss.uid: a UID has no form in GNUstep's dialect"]
        ) { $0.add(StoredUID(1)) },
        OpenStepLossRow(
            "set", openStep: ["/: loss.set: a set has no form in OpenStep text"],
            gnustep: ["/: loss.set: a set has no form in GNUstep's dialect"]
        ) {
            $0.open(.set)
            $0.close()
        },
        OpenStepLossRow(
            "great integer", openStep: ["/: loss.integer: an integer has no form in OpenStep text"],
            gnustep: ["/: loss.integer-range: an integer beyond 64 bits has no form in GNUstep's dialect"]
        ) { $0.add(integer: 1 << 64) },
        OpenStepLossRow(
            "narrow real", openStep: ["/: loss.real: a real number has no form in OpenStep text"],
            gnustep: ["/: loss.real32: a real number of four bytes becomes one of eight in GNUstep's dialect"]
        ) { $0.add(real32: 1) },
        OpenStepLossRow(
            "NaN bits", openStep: ["/: loss.real: a real number has no form in OpenStep text"],
            gnustep: ["/: loss.nan: the bits of a NaN have no form in GNUstep's dialect"]
        ) { $0.add(real64: -Double.nan) },
        OpenStepLossRow(
            "late date", openStep: ["/: loss.date: a date has no form in OpenStep text"],
            gnustep: ["/: loss.date-range: a date outside the years 1 to 9999 has no form in GNUstep's dialect"]
        ) { $0.add(date: 252_423_993_600) },
        OpenStepLossRow(
            "date that is no number", openStep: ["/: loss.date: a date has no form in OpenStep text"],
            gnustep: ["/: loss.date-range: a date outside the years 1 to 9999 has no form in GNUstep's dialect"]
        ) { $0.add(date: .nan) },
        OpenStepLossRow(
            "date with a fraction", openStep: ["/: loss.date: a date has no form in OpenStep text"],
            gnustep: ["/: loss.date-fraction: the fraction of a second has no form in GNUstep's dialect"]
        ) { $0.add(date: -0.25) },
        OpenStepLossRow(
            "date with a sign", openStep: ["/: loss.date: a date has no form in OpenStep text"],
            gnustep: ["/: loss.date-sign: the minus sign of the date -0.0 has no form in GNUstep's dialect"]
        ) { $0.add(date: -0.0) },
        OpenStepLossRow(
            "lone surrogate", openStep: [],
            gnustep: ["/: loss.surrogate: half of a surrogate pair has no form in GNUstep's dialect"]
        ) { $0.add(units: [0x41, 0xD83D]) },
        OpenStepLossRow(
            "repeated key",
            openStep: [
                "/0: loss.repeated-key: a key that stands twice in its dictionary counts only once in OpenStep text"
            ],
            gnustep: [
                "/0: loss.repeated-key: a key that stands twice in its dictionary counts only once in GNUstep's dialect"
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
            openStep: ["/1: loss.key: a key that is no string has no form in OpenStep text"], gnustep: []
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

    @Test func countsWhatItDoesNotList() {
        let document = OpenStepText.document {
            $0.open(.array)
            for value in 0..<1234 { $0.add(integer: Int128(value)) }
            $0.close()
        }
        let losses = OpenStep.losses(in: document, dialect: .openStep)
        #expect(losses.count == 1001)
        #expect(losses[999].address == Address("/999"))
        #expect(losses[1000] == Problem("loss.more", "and 234 more losses"))
    }

    @Test func looksOnlyAtWhatTheRootReaches() {
        let document = OpenStepText.document {
            $0.open(.array)
            $0.add(integer: 5)
            _ = $0.takeLast()
            $0.close()
        }
        #expect(OpenStep.losses(in: document, dialect: .openStep).isEmpty)
    }
}
