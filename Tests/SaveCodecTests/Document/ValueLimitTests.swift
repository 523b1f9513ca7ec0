import Testing

@testable import SaveCodec

/// Tests the limits for a file whose contents are far larger than the file as it is stored.
@Suite struct ValueLimitTests {
    @Test(arguments: [
        (Format.json, "[[], [1, 2]]"), (.xml, "<plist><array><true/><false/></array></plist>"),
        (.openStep, "(a, b, {c = d;})"),
    ])
    func refusesTooManyValues(_ format: Format, _ text: String) throws {
        var limits = Limits(workFactor: 0)
        limits.storedSize = 1
        let problem = #expect(throws: Problem.self) {
            try Document.read(Array(text.utf8), as: format, limits: limits)
        }
        #expect(problem?.description == "the file has more than 0 values, the limit for a file of this size")
        #expect(problem?.id == "limit.values")
        limits.workFactor = 1
        #expect(try Document.read(Array(text.utf8), as: format, limits: limits).count > 2)
    }

    /// The cause of damage is not searched for in contents that are far larger than their file.
    @Test func leavesLargeContentsUndiagnosed() {
        let text = Array((#"{"a": 1}"# + String(repeating: " ", count: 1_100_000) + #"{"a": 2}"#).utf8)
        var limits = Limits()
        func problem() -> Problem? {
            #expect(throws: Problem.self) { try Document.read(text, as: .json, limits: limits) }
        }
        #expect(problem()?.id == "damage.second-file")
        limits.storedSize = 1
        #expect(problem()?.id == "json.syntax")
    }

    @Test func countsEachReferenceOnce() throws {
        for (limit, isAllowed) in [(6, true), (5, false)] {
            var builder = DocumentBuilder()
            builder.maxValueCount = limit
            builder.open(.array)
            for number in 1...3 {
                builder.open(.array)
                builder.add(integer: Int128(number))
                builder.close()
            }
            builder.close()
            let overflowed = builder.overflowed
            #expect(overflowed == !isAllowed)
        }
    }

    /// A file without layers may have as many values as bytes.
    @Test func sizesOfContents() {
        var limits = Limits()
        #expect(limits.maxValueCount(of: 10_000_000) == 40_000_000 + 1 << 20)
        #expect(limits.maxReadByteCount(of: 1000) == 64 << 20 + 16_000)
        #expect(limits.maxShownByteCount(of: 1000) == 64 << 20 + 64_000)
        limits.storedSize = 100
        #expect(limits.maxValueCount(of: 10_000_000) == 400 + 1 << 20)
        #expect(limits.maxReadByteCount(of: 1000) == 64 << 20 + 1600 + 900)
        #expect(limits.maxShownByteCount(of: 1000) == 64 << 20 + 6400 + 3600)
        #expect(limits.maxShownByteCount(of: 10) == 64 << 20 + 640)
        #expect(limits.maxDiagnosedByteCount(of: 10_000_000) == 6400 + 1 << 20)
    }
}
