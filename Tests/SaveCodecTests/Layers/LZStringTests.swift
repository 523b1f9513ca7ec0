import TestSupport
import Testing

@testable import SaveCodec

@Suite struct LZStringTests {
    @Test(arguments: [
        // {"system":{"@c":1,"gold":100},"party":[1,2,3]}, [1,2,3,4,5,6,7,8], {"aaaaaaaaaaaaaaaaaaaa":1}
        "N4IgzgnmAuCmC2IBcoACBjZBGANCA5gPYA2AJtgAwUC+eADgIYBO0EyA2rgEw4DMAutSA===", "NoRgNATGDMYCxgKxgGxgOxgBwF0g",
        "N4Ighhld0gXARgL5A===\n", "NoRgNATGDMYCxgKx\r\ngGxgOxgBwF0g\n",
        // { "éé日本": "x", "long":[true,null]}, ["日本語","x"]
        "N4AgRAlxinpoNOZgLnADzAGnAGwPYDsDmiA2gC4BOArgKZq4WaYC6AvkA===", "NoIkp6aDTmh5USA0IA8QF0g=",
    ])
    func findsJSON(_ text: String) {
        #expect(LZString.isPresent(in: Array(text.utf8)))
    }

    @Test(arguments: [
        "NoImageAvailable", "NoInternetConnection", "NoRgNATGDMYCxgKxgGxgOxgBwF0g-",
        "NoRgNATGDMYCxgK",
    ])
    func leavesOtherText(_ text: String) {
        #expect(!LZString.isPresent(in: Array(text.utf8)))
    }
}
