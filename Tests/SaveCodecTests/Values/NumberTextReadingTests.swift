import Foundation
import Testing

@testable import SaveCodec

@Suite struct NumberTextReadingTests {
    @Test(
        arguments: [
            ("0", 0), ("-0", -0.0), ("+1.5", 1.5), (".5", 0.5), ("5.", 5), ("-.5e1", -5), ("1E5", 1e5), ("1e+05", 1e5),
            ("00012.500", 12.5), ("1e-400", 0), ("1e400", .infinity), ("-1e400", -.infinity),
            ("1e999999999999", .infinity),
            ("0e999999999999999999999999", 0), ("1e-99999999999999999999999", 0),
            ("2.2250738585072011e-308", .leastNormalMagnitude.nextDown),
            ("2.2250738585072012e-308", 0x1p-1022), ("9007199254740993", 0x1p53),
            ("9007199254740993.0000000000000000000001", 0x1p53 + 2),
            ("9007199254740995", 0x1p53 + 4), ("90071992547409930e-1", 0x1p53), ("1e23", 1e23),
            ("1.7976931348623157e308", .greatestFiniteMagnitude),
            ("1.7976931348623158079e308", .greatestFiniteMagnitude), ("1.797693134862315808e308", .infinity),
            ("4.9e-324", 0x1p-1074),
            ("2.4703282292062327208e-324", 0), ("2.4703282292062327209e-324", 0x1p-1074),
            ("7.4109846876186981626e-324", 0x1p-1074),
            ("100000000000000000000000000000e-29", 1), ("0.000000000000000000000000000000000001e36", 1),
        ] as [(String, Double)])
    func double(_ text: String, _ value: Double) {
        #expect(NumberText.double(Array(text.utf8))?.bitPattern == value.bitPattern)
    }

    @Test(arguments: [
        "", "+", "-", ".", "e5", "1e", "1e+", "1.e", "+.e1", "--1", "+-1", "1.2.3", "1e5.", "1e5 ", " 1", "1 ", "0x10",
        "inf", "nan", "1_0",
        "1,5", "٣", "1e--5",
    ])
    func notANumber(_ text: String) {
        #expect(NumberText.double(Array(text.utf8)) == nil)
        #expect(NumberText.float(Array(text.utf8)) == nil)
    }

    /// Written doubles are read back exactly, and other digits are rounded as in the standard library.
    @Test func roundsDoublesCorrectly() {
        var generator = FixedSeedGenerator(seed: 4)
        for value in sampleDoubles(count: 10000, seed: 5) {
            let random = generator.next()
            let texts = [
                value.description, String(format: "%.17g", value), String(format: "%.25e", value),
                "\(random).\(generator.next())e\(Int(random % 700) - 350)",
                "\(random >> (random % 64))e\(Int(random % 60) - 30)",
            ]
            for text in texts {
                let bytes = Array(text.utf8)
                if NumberText.double(bytes)?.bitPattern != Double(text)?.bitPattern {
                    Issue.record("double \(text)")
                }
                if NumberText.float(bytes)?.bitPattern != Float(text)?.bitPattern { Issue.record("float \(text)") }
            }
        }
    }

    /// The point halfway between two doubles has up to 767 digits, and one more digit decides the rounding.
    @Test func roundsHalfwayPointsToEven() {
        var generator = FixedSeedGenerator(seed: 6)
        let samples = sampleDoubles(count: 4000, seed: 6).shuffled(using: &generator).prefix(300)
        for value in samples where value.magnitude.nextUp.isFinite && value != 0 {
            let low = value.magnitude
            let even = low.bitPattern & 1 == 0 ? low : low.nextUp
            let halfway = decimalExpansion(ofHalfwayAbove: low)
            #expect(NumberText.double(Array(halfway.utf8)) == even)
            #expect(NumberText.double(Array((halfway + "0").utf8)) == even)
            #expect(NumberText.double(Array((halfway + "01").utf8)) == low.nextUp)
            let zeros = String(repeating: "0", count: 900)
            #expect(NumberText.double(Array((halfway + zeros + "1").utf8)) == low.nextUp)
        }
    }

    @Test(
        arguments: [
            ("0.1", 0.1), ("16777217", 16_777_216), ("16777217.0000000001", 16_777_218), ("1e39", .infinity),
            ("1e-46", 0),
            ("3.4028235677973367e38", .infinity), ("3.4028235677973366e38", .greatestFiniteMagnitude),
            ("7.0064923216240854e-46", 0x1p-149),
            ("7.0064923216240853e-46", 0), ("-0", -0.0),
            // The nearest double is a tie between two floats, although the number is closer to one of them.
            ("1.000000059604644775390624", 1), ("1.00000005960464477539062500000001", 0x1.000002p0),
        ] as [(String, Float)])
    func float(_ text: String, _ value: Float) {
        #expect(NumberText.float(Array(text.utf8))?.bitPattern == value.bitPattern)
    }

    @Test func aMillionDigits() {
        let million = 1_000_000
        let nines = [UInt8](repeating: UInt8(ascii: "9"), count: million)
        let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: million)
        #expect(NumberText.double(nines) == .infinity)
        #expect(NumberText.double((nines + Array("e-1000000".utf8))) == 1)
        #expect(NumberText.double((Array("0.".utf8) + zeros + Array("5e1000001".utf8))) == 5)
        #expect(NumberText.double((Array("9007199254740993.".utf8) + zeros)) == 0x1p53)
        #expect(NumberText.double((Array("9007199254740993.".utf8) + zeros + [0x31])) == 0x1p53 + 2)
        #expect(NumberText.integer(nines) == nil)
        #expect(NumberText.integer((zeros + [0x37])) == 7)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0), ("+7", 7), ("007", 7), ("-9223372036854775808", -0x8000_0000_0000_0000),
            ("18446744073709551615", 0xFFFF_FFFF_FFFF_FFFF), ("9999999999999999999", 9_999_999_999_999_999_999),
            ("170141183460469231731687303715884105727", .max), ("-170141183460469231731687303715884105728", .min),
            ("170141183460469231731687303715884105728", nil), ("-170141183460469231731687303715884105729", nil),
            ("", nil), ("-", nil),
            ("+-1", nil), ("1.0", nil), ("1e3", nil), (" 1", nil), ("12345678901234567890x", nil), ("1x", nil),
        ] as [(String, Int128?)])
    func integer(_ text: String, _ value: Int128?) {
        #expect(NumberText.integer(Array(text.utf8)) == value)
    }
}

/// Returns the exact decimal expansion of the point halfway between a positive double and the next one, without an
/// exponent.
private func decimalExpansion(ofHalfwayAbove value: Double) -> String {
    let significand = value.significandBitPattern | (value.isNormal ? 1 << 52 : 0)
    let exponent = max(Int(value.exponentBitPattern), 1) - 1076
    var digits: [Int] = String(2 * significand + 1).utf8.reversed().map { Int($0) - 0x30 }
    for _ in 0..<abs(exponent) {
        var carry = 0
        for index in digits.indices {
            carry += digits[index] * (exponent > 0 ? 2 : 5)
            digits[index] = carry % 10
            carry /= 10
        }
        if carry > 0 { digits.append(carry) }
    }
    let fraction = max(-exponent, 0)
    digits += repeatElement(0, count: max(fraction + 1 - digits.count, 0))
    let text = digits.reversed().map(String.init).joined()
    return String(text.dropLast(fraction)) + "." + String(text.suffix(fraction))
}
