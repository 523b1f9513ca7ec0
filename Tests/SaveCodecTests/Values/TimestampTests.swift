import Testing

@testable import SaveCodec

@Suite struct TimestampTests {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"), (-0.5, "2000-12-31T23:59:59.5Z"),
            (0.1, "2001-01-01T00:00:00.1Z"),
            (-0.1, "2000-12-31T23:59:59.9Z"), (274_019_696.789, "2009-09-07T12:34:56.789Z"),
            (0.1 + 0.2, "2001-01-01T00:00:00.30000000000000004Z"),
            (1e-20, "2001-01-01T00:00:00.00000000000000000001Z"), (-1e-20, "2000-12-31T23:59:59.99999999999999999999Z"),
            (1.5e-11, "2001-01-01T00:00:00.000000000015Z"), (-63_113_904_000, "0001-01-01T00:00:00Z"),
            (252_423_993_599, "9999-12-31T23:59:59Z"),
            (252_423_993_599.5, "9999-12-31T23:59:59.5Z"), (1e11, "5169-11-16T09:46:40Z"),
            (252_423_993_600, "10000-01-01T00:00:00Z"), (300_000_000_000.25, "11507-08-17T05:20:00.25Z"),
            (-63_114_076_800, "0000-12-30T00:00:00Z"), (-63_113_904_000.5, "0000-12-31T23:59:59.5Z"),
            (-63_145_526_400.5, "-001-12-31T23:59:59.5Z"), (-63_200_000_000, "-002-04-10T12:26:40Z"),
            (-1e12, "-29688-04-06T22:13:20Z"), (0x1p63 - 1024, "292277026627-12-06T15:13:04Z"),
            (-0x1p63, "-292277022626-01-27T08:29:52Z"),
        ] as [(Double, String)])
    func roundTrips(_ seconds: Double, _ text: String) {
        #expect(timestamp(seconds) == text)
        #expect(Timestamp.secondsSince2001(Array(text.utf8))?.bitPattern == seconds.bitPattern)
    }

    @Test(arguments: [
        -0.0, .nan, .infinity, -.infinity, 1e-21, 1.5e-20, .leastNonzeroMagnitude, 1e300, -1e300, 0x1p63,
        -0x1p63 - 2048,
    ])
    func secondsWithoutTimestamp(_ seconds: Double) {
        #expect(timestamp(seconds) == nil)
    }

    @Test func roundTripsRandomDates() throws {
        var generator = FixedSeedGenerator(seed: 11)
        for index in 0..<20000 {
            let range = [0x1p62, 0x1p52, 252_423_993_600, 800_000_000, 1000, 1, 0.001][index % 7]
            let seconds = Double.random(in: -range..<range, using: &generator)
            guard let text = timestamp(seconds) else {
                #expect(seconds.magnitude < 0.01)  // More than 20 digits.
                continue
            }
            if Timestamp.secondsSince2001(Array(text.utf8))?.bitPattern != seconds.bitPattern {
                Issue.record("\(seconds)")
            }
            #expect(!text.hasSuffix("0Z") || !text.contains("."))
            // Apart from the fraction, the text is that of XML property lists.
            let whole = text.prefix { $0 != "." && $0 != "Z" } + "Z"
            #expect(
                CalendarDate(secondsSince2001: seconds).map { date in written { date.write(to: &$0) } } == String(whole)
            )
        }
    }

    @Test(
        arguments: [
            ("2009-09-07T14:34:56.7890+02:00", 274_019_696.789), ("2001-01-01T00:00:00-00:00", 0),
            ("2000-12-31T19:00:00-05:00", 0),
            ("2001-01-01T00:00:00.000Z", 0), ("2000-12-31T23:59:59.0Z", -1), ("0000-01-01T00:00:00Z", -63_145_526_400),
            ("2001-01-01T00:00:00+23:59", -86340), ("-0001-12-31T23:00:00-01:00", -63_145_526_400),
            ("2000-12-31T23:59:58.90Z", -1.1),
            ("1999-12-31T23:59:59.000000000000000000000000000001Z", -31_622_401),
        ] as [(String, Double)])
    func otherSpellings(_ text: String, _ seconds: Double) {
        #expect(Timestamp.secondsSince2001(Array(text.utf8))?.bitPattern == seconds.bitPattern)
    }

    @Test func aMillionFractionDigits() {
        let nines = [UInt8](repeating: UInt8(ascii: "9"), count: 1_000_000)
        #expect(Timestamp.secondsSince2001((Array("2000-12-31T23:59:59.".utf8) + nines + [0x5A])) == -0.0)
        #expect(Timestamp.secondsSince2001((Array("2001-01-01T00:00:00.".utf8) + nines + [0x5A])) == 1)
    }

    @Test(arguments: [
        "", "Z", "2001-01-01T00:00:00", "2001-01-01T00:00:00.Z", "2001-01-01T00:00:00.5", "2001-01-01t00:00:00Z",
        "2001-01-01T00:00:00z",
        "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z", "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z",
        "2001-01-01T00:00:60Z",
        "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+00:60", "2001-01-01T00:00:00+0000",
        "2001-01-01T00:00:00 00:00",
        "2001-01-01T00:00:00+00:00Z", "2001-01-01T00:00:00ZZ", "-01-01-01T00:00:00Z", "201-01-01T00:00:00Z",
        "+12001-01-01T00:00:00Z", "292277026627-12-06T15:30:08Z", "292277026627-12-06T15:30:07-00:01",
        "-292277022626-01-27T08:29:52+00:01", "9223372036854775808-01-01T00:00:00Z", "-", "-001", "2001",
        "2001-01-01T00:00:00,5Z",
        "2001-01-01T00:00:00.5e1Z", "2001-01-01T00:00Z",
    ])
    func notATimestamp(_ text: String) {
        #expect(Timestamp.secondsSince2001(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        ("2024-02-20", "2024-02-20T00:00:00Z"), ("2024-02-20T10:00:00+0100", "2024-02-20T10:00:00+01:00"),
        ("2024-02-20 10:00:00 +0000", "2024-02-20T10:00:00+00:00"), ("2024-02-20 10:00:00Z", "2024-02-20T10:00:00Z"),
        ("2024-02-20T10:00", "2024-02-20T10:00:00Z"), ("2024-02-20 10:00", "2024-02-20T10:00:00Z"),
        ("2024-02-20T10:00Z", "2024-02-20T10:00:00Z"), ("2024-02-20T10:00+0100", "2024-02-20T10:00:00+01:00"),
        ("2024-02-20T10:0", nil), ("2024-02-20T10", nil), ("2024-02-20T10:00+01", nil),
        ("2024-02-20 1 0:00:00", nil), ("2024-02-20 10:00:00 + 0 1 0 0", nil), ("2024-02-20 ", nil),
        ("2024 -02-20", nil),
        ("", nil), (" ", nil), ("+0100", nil), ("5", nil),
    ])
    func completesDates(_ text: String, _ complete: String?) {
        #expect(ScalarText.completedDate(text) == complete)
    }

    private func timestamp(_ seconds: Double) -> String? {
        Timestamp(secondsSince2001: seconds).map { timestamp in written { timestamp.write(to: &$0) } }
    }
}
