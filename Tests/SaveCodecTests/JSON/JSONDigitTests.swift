import TestSupport
import Testing

@testable import SaveCodec

/// Numbers of a JSON text that lose digits are found, so that the loss can be reported.
@Suite struct JSONDigitTests {
    static let kept = [
        "0.1", "-0", "0", "-0.0", "0e5", "5", "170141183460469231731687303715884105727", "1E2", "1e22", "1e23", "0.50",
        "100.000",
        "0.59999999999999998", "0.10000000000000001", "0.30000000000000004", "123456789012345.6",
        "1.7976931348623157e308",
        "5e-324", "2.2250738585072014e-308", "9007199254740992.0", "123456789012345680000.0",
        "1.00000000000000000000000000",
        "0.000000000000000000000000012345", "\"12345678901234567890.123456789\"", "{\"$real32\":0.1}",
    ]
    static let lost = [
        "12345678901234567890.123456789", "-12345678901234567890.0", "9007199254740993.0", "1e-400", "4.9e-324",
        "3.14159265358979323846", "0.100000000000000000001", "1.0000000000000000000000000000001",
        "0.1000000000000000055511151231",
    ]

    @Test(arguments: kept) func reportsNoLossForExactNumbers(_ number: String) {
        #expect(JSON.digitLosses(in: Array("[\(number) , 1]".utf8)) == [])
    }

    @Test(arguments: lost) func reportsLossForInexactNumbers(_ number: String) throws {
        let losses = JSON.digitLosses(in: Array("[1,\r\n\"é\",\(number)]".utf8))
        #expect(losses.count == 1)
        #expect(losses.first?.id == "loss.digits")
        #expect(losses.first?.location == .line(2, column: 5))
        #expect(losses.first?.message.hasPrefix("the number \"\(number)\" would become ") == true)
    }

    static let places = ["[%]", "{\"a\":%}", "{\"$dict\":[[%,1]]}", "{\"$savetool\":1,\"value\":[%]}"]

    /// The reader records whether a text has such numbers, so that other texts are not scanned again.
    @Test(arguments: places) func readerRecordsLostDigits(_ place: String) throws {
        for (numbers, count) in [(Self.kept, 0), (Self.lost, 1)] {
            for number in numbers {
                let text = Array(place.replacing("%", with: number).utf8)
                let document = try JSON.read(text)
                #expect(document.facts.formatFacts.losesDigits == (count > 0), "\(number)")
                #expect(document.digitLosses(in: text).count == count, "\(number)")
            }
        }
    }

    @Test func reportsLostDigitsInTags() throws {
        for tag in ["$real32", "$date"] {
            for (number, count) in [("0.1", 0), ("5", 0), ("0.1000000000000000055511151231", 1)] {
                let text = Array("[{\"\(tag)\": \(number)}]".utf8)
                #expect(try JSON.read(text).digitLosses(in: text).count == count, "\(tag) \(number)")
            }
        }
    }

    /// Digits that the writer produces, the shortest ones and 17 of them, are never reported as lost.
    @Test func writtenNumbersHaveNoLoss() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<TestScale.count(20_000, long: 200_000) {
            let value = Double(bitPattern: generator.next())
            guard value.isFinite else { continue }
            var output = ByteWriter()
            NumberText.writeShortest(value, to: &output)
            output.write(",")
            NumberText.writeSeventeenDigits(value, to: &output)
            #expect(JSON.digitLosses(in: output.takeBytes()) == [], "\(value)")
        }
    }

    @Test func takesLinearTime() throws {
        let isLinear = try Growth.isLinear(to: TestScale.count(1 << 15, long: 1 << 18)) { count in
            let text = Array(("[" + String(repeating: "1.2345678901234567890123,", count: count) + "1]").utf8)
            return { #expect(JSON.digitLosses(in: text).count == 1001) }
        }
        #expect(isLinear)
    }
}
