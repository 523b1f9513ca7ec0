import SaveCodec
import Testing

@Suite struct NumberTests {
    @Test(
        arguments: [
            (.nan, "nan", false), (.infinity, "inf", true), (-.infinity, "-inf", true),
            (0x1p53, "9007199254740992", true),
            (-0x1p127, "-170141183460469231731687303715884105728", true), (-1.5, "-1.5", false), (-0.0, "0", true),
        ] as [(Double, String, Bool)])
    func normal(_ real: Double, _ text: String, _ isWhole: Bool) {
        #expect(Number.real(real).normal.description == text)
        #expect(Number.real(real).isWhole == isWhole)
    }

    @Test func order() {
        #expect(!(Number.real(.nan) < .integer(0)) && !(.integer(0) < Number.single(.nan)))
        #expect(Number.real(-1.5) < .integer(-1) && .integer(-2) < Number.real(-1.5))
        #expect(.integer(.max) < Number.real(.infinity) && Number.real(-.infinity) < .integer(.min))
    }
}
