import Foundation
import Testing

@testable import SaveCodec

@Suite struct NumberTextWritingTests {
    @Test(
        arguments: [
            (1, "1.0"), (-0.0, "-0.0"), (0, "0.0"), (0.1, "0.1"), (1e20, "1e+20"), (1e-7, "1e-07"), (5e-5, "5e-05"),
            (0.0001, "0.0001"), (-1234.5, "-1234.5"), (1e15, "1000000000000000.0"), (0x1p53, "9007199254740992.0"),
            (0x1p53 + 2, "9.007199254740994e+15"), (.leastNonzeroMagnitude, "5e-324"),
            (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (1.25e100, "1.25e+100"),
        ] as [(Double, String)])
    func shortest(_ value: Double, _ text: String) {
        #expect(written { NumberText.writeShortest(value, to: &$0) } == text)
    }

    @Test func shortestMatchesDescription() {
        let wrong = sampleDoubles(count: 40000, seed: 1).filter { value in
            written { NumberText.writeShortest(value, to: &$0) } != value.description
        }
        #expect(wrong == [])
    }

    @Test(
        arguments: [
            (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (0x1p24, "16777216.0"), (0x1p24 + 2, "1.6777218e+07"),
            (.leastNonzeroMagnitude, "1e-45"), (.greatestFiniteMagnitude, "3.4028235e+38"),
        ] as [(Float, String)])
    func shortestFloat(_ value: Float, _ text: String) {
        #expect(written { NumberText.writeShortest(value, to: &$0) } == text)
    }

    @Test(
        arguments: [
            (1, "1"), (0, "0"), (-0.0, "-0"), (0.1, "0.10000000000000001"), (1e20, "1e+20"),
            (1e-5, "1.0000000000000001e-05"),
            (0.0001, "0.0001"), (1e16, "10000000000000000"), (1e17, "1e+17"), (-2.5, "-2.5"), (1e100, "1e+100"),
            (.leastNonzeroMagnitude, "4.9406564584124654e-324"), (0x1p-17, "7.62939453125e-06"), (100, "100"),
            // Ties: the 18th and last digit is a 5.
            (100_000_000_000_000.125, "100000000000000.12"), (100_000_000_000_000.375, "100000000000000.38"),
            (4_503_599_627_370_495.5, "4503599627370495.5"),
        ] as [(Double, String)])
    func seventeenDigits(_ value: Double, _ text: String) {
        #expect(written { NumberText.writeSeventeenDigits(value, to: &$0) } == text)
    }

    /// The doubles whose 17 digits are hardest to round: they are closest to a halfway point, from below.
    @Test(
        arguments: [
            0x0730_D9B8_2819_9006, 0x10F1_D467_E94B_856E, 0x3086_E22D_B456_8793, 0x6114_91DA_AD0B_A280,
            0x6149_B651_584E_8B20,
            0x6151_FF9F_576A_2E30, 0x6173_48BD_023A_E858, 0x6180_11F2_D731_16F4, 0x6191_AD57_ECB5_FFA6,
            0x61B4_166F_8CFD_5CB1,
        ] as [UInt64])
    func seventeenDigitsNearHalf(_ pattern: UInt64) {
        let value = Double(bitPattern: pattern)
        #expect(written { NumberText.writeSeventeenDigits(value, to: &$0) } == String(format: "%.17g", value))
    }

    @Test func seventeenDigitsMatchC() {
        let wrong = sampleDoubles(count: 40000, seed: 2).filter { value in
            written { NumberText.writeSeventeenDigits(value, to: &$0) } != String(format: "%.17g", value)
        }
        #expect(wrong == [])
    }

    @Test func integersOfEveryLength() {
        var generator = FixedSeedGenerator(seed: 3)
        var values: [Int128] = [0, .min, .max]
        var power: Int128 = 1
        for _ in 0..<39 {
            values += [power, power - 1, -power, 1 - power]
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        for shift in 0..<Int128(128) {
            values.append(Int128(bitPattern: UInt128(generator.next()) << 64 | UInt128(generator.next())) >> shift)
        }
        for value in values {
            #expect(written { NumberText.write(value, to: &$0) } == value.description)
        }
    }
}
