@testable import SaveCodec

/// A SplitMix64 generator, which yields the same numbers in every run.
struct FixedSeedGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

// The conversions take spans, which cannot be used inside `#expect`.

extension NumberText {
    static func double(_ text: [UInt8]) -> Double? { double(text.span) }
    static func float(_ text: [UInt8]) -> Float? { float(text.span) }
    static func integer(_ text: [UInt8]) -> Int128? { integer(text.span) }
}

extension Base64 {
    static func decode(_ text: [UInt8]) -> Result<[UInt8], DecodingFault> { decode(text.span) }
    static func decodeLenient(_ text: [UInt8]) -> Result<LenientResult, DecodingFault> { decodeLenient(text.span) }
}

extension CalendarDate {
    init?(_ text: [UInt8]) { self.init(text.span) }
}

extension Timestamp {
    static func secondsSince2001(_ text: [UInt8]) -> Double? { secondsSince2001(text.span) }
}

/// Returns the text that a closure writes.
func written(_ body: (inout ByteWriter) -> Void) -> String {
    var writer = ByteWriter()
    body(&writer)
    return String(decoding: writer.takeBytes(), as: UTF8.self)
}

/// Returns finite doubles of all kinds: random bit patterns, powers of two, subnormal numbers, whole numbers, short
/// fractions whose digits end in ties, and neighbors of powers of ten.
func sampleDoubles(count: Int, seed: UInt64) -> [Double] {
    var generator = FixedSeedGenerator(seed: seed)
    var samples: [Double] = [
        0, -0.0, 1, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, 0x1p53, 0x1p53 + 2, 1e-4,
        1e-5,
        1e16, 1e17, 0.5, 0.1, 1e21, 1e22, 1e23, 5e-5, 123_456_789_012_345_680,
    ]
    samples += (-323...308).flatMap { exponent in
        let power = Double("1e\(exponent)") ?? 0
        return [power, power.nextUp, power.nextDown]
    }
    while samples.count < count {
        let random = generator.next()
        let divisors: [Double] = [1, 2, 4, 8, 10, 100, 1024, 65536]
        samples += [
            Double(bitPattern: random),
            Double(sign: .plus, exponent: Int(random % 2098) - 1074, significand: 1),
            Double(bitPattern: random >> (12 + random % 52)),
            Double(Int64(bitPattern: random) >> Int64(random % 64)) / divisors[Int(random >> 61)],
        ]
    }
    return samples.filter(\.isFinite)
}
