import Foundation
import Testing

@testable import SaveCodec

@Suite struct CalendarDateTests {
    @Test(
        arguments: [
            (0, "2001-01-01T00:00:00Z"), (-0.5, "2000-12-31T23:59:59Z"), (0.999, "2001-01-01T00:00:00Z"),
            (274_019_696.789, "2009-09-07T12:34:56Z"), (-63_114_076_800, "0000-12-30T00:00:00Z"),
            (-63_200_000_000, "-002-04-10T12:26:40Z"),
            (300_000_000_000, "11507-08-17T05:20:00Z"), (-1e12, "-29688-04-06T22:13:20Z"),
            (252_423_993_600, "10000-01-01T00:00:00Z"),
            (-62_956_051_200, "0006-01-02T00:00:00Z"), (5_097_600, "2001-03-01T00:00:00Z"),
            (97_804_800, "2004-02-07T00:00:00Z"),
        ] as [(Double, String)])
    func text(_ seconds: Double, _ text: String) throws {
        let date = try #require(CalendarDate(secondsSince2001: seconds))
        #expect(written { date.write(to: &$0) } == text)
        #expect(CalendarDate(Array(text.utf8)) == date)
        #expect(date.isValid)
    }

    @Test(arguments: [.nan, .infinity, -.infinity, 0x1p63, -0x1p63 - 2048, 1e300])
    func secondsWithoutDate(_ seconds: Double) {
        #expect(CalendarDate(secondsSince2001: seconds) == nil)
    }

    /// Dates match Core Foundation's text for all years that it counts in 32 bits.
    @Test func textMatchesCoreFoundation() throws {
        var generator = FixedSeedGenerator(seed: 9)
        for _ in 0..<2000 {
            let seconds = Double(Int64(bitPattern: generator.next()) >> Int64(10 + generator.next() % 54)) / 8
            let plist = try PropertyListSerialization.data(
                fromPropertyList: Date(timeIntervalSinceReferenceDate: seconds), format: .xml, options: 0)
            let date = try #require(CalendarDate(secondsSince2001: seconds))
            let text = written { date.write(to: &$0) }
            #expect(String(decoding: plist, as: UTF8.self).contains("<date>\(text)</date>"), "\(seconds)")
        }
    }

    @Test func roundTripsSeconds() {
        var generator = FixedSeedGenerator(seed: 10)
        for shift in 0..<Int64(64) {
            for _ in 0..<100 {
                let seconds = Int64(bitPattern: generator.next()) >> shift
                let date = CalendarDate(secondsSince2001: seconds)
                #expect(date.secondsSince2001 == seconds)
                #expect(date.isValid)
            }
        }
        for seconds in [Int64.min, .max] {
            #expect(CalendarDate(secondsSince2001: seconds).secondsSince2001 == seconds)
        }
    }

    /// Each day in eight centuries follows the previous day.
    @Test func roundTripsEveryDay() {
        let days = Int64(365 * 400)
        var last = CalendarDate(secondsSince2001: -days * 86400)
        for day in 1 - days..<days {
            let date = CalendarDate(secondsSince2001: day * 86400)
            var next = last
            next.day += 1
            if !next.isValid { (next.day, next.month) = (1, next.month + 1) }
            if !next.isValid { (next.month, next.year) = (1, next.year + 1) }
            if date != next { Issue.record("\(date) behind \(last)") }
            last = date
        }
    }

    @Test(arguments: [
        ("2001-13-01T00:00:00Z", "2002-01-01T00:00:00Z"), ("2001-00-00T00:00:00Z", "2000-11-30T00:00:00Z"),
        ("2001-02-29T25:61:61Z", "2001-03-02T02:02:01Z"), ("2000-99-99T99:99:99Z", "2008-06-11T04:40:39Z"),
        ("1900-02-29T00:00:00Z", "1900-03-01T00:00:00Z"), ("-1-12-32T00:00:00Z", "0000-01-01T00:00:00Z"),
    ])
    func carriesFields(_ text: String, _ normal: String) throws {
        let date = try #require(CalendarDate(Array(text.utf8)))
        #expect(!date.isValid)
        let seconds = try #require(date.secondsSince2001)
        #expect(written { CalendarDate(secondsSince2001: seconds).write(to: &$0) } == normal)
    }

    @Test(arguments: [
        "", "Z", "2001-01-01T00:00:00", "-01-01T00:00:00Z", "--01-01T00:00:00Z", "+2001-01-01T00:00:00Z",
        "2001-1-01T00:00:00Z",
        "2001-01-01 00:00:00Z", "2001-01-01T00:00:00z", "2001-01-01T00:00:00.5Z", "2001-01-01T00:00:00+01:00",
        " 2001-01-01T00:00:00Z",
        "2001-01-01T00:00:00Z ", "2001/01/01T00:00:00Z", "2001-01-01T00-00-00Z", "2001-01-0:T00:00:00Z",
        "9223372036854775808-01-01T00:00:00Z",
        "2001-+1-01T00:00:00Z",
    ])
    func notADate(_ text: String) {
        #expect(CalendarDate(Array(text.utf8)) == nil)
    }

    @Test(arguments: [
        CalendarDate(year: .max, month: 12, day: 31, hour: 23, minute: 59, second: 59),
        CalendarDate(year: .min, month: 1, day: 1, hour: 0, minute: 0, second: 0),
        CalendarDate(year: .max, month: .max, day: .max, hour: .max, minute: .max, second: .max),
        CalendarDate(year: .min, month: .min, day: .min, hour: .min, minute: .min, second: .min),
        CalendarDate(year: 2001, month: 1, day: .max, hour: 0, minute: 0, second: 0),
    ])
    func rejectsDistantDates(_ date: CalendarDate) {
        #expect(date.secondsSince2001 == nil)
    }

    @Test(arguments: [
        (2000, 2, 29, true), (1900, 2, 29, false), (2004, 2, 29, true), (2001, 2, 29, false), (-4, 2, 29, true),
        (2001, 4, 31, false),
        (2001, 12, 31, true), (2001, 13, 1, false), (2001, 0, 1, false), (2001, 1, 0, false), (2001, 1, 32, false),
    ])
    func validity(_ year: Int, _ month: Int, _ day: Int, _ isValid: Bool) {
        #expect(CalendarDate(year: year, month: month, day: day, hour: 23, minute: 59, second: 59).isValid == isValid)
        #expect(!CalendarDate(year: year, month: month, day: day, hour: 24, minute: 0, second: 0).isValid)
        #expect(!CalendarDate(year: year, month: month, day: day, hour: 0, minute: 60, second: 0).isValid)
        #expect(!CalendarDate(year: year, month: month, day: day, hour: 0, minute: 0, second: 60).isValid)
    }
}
