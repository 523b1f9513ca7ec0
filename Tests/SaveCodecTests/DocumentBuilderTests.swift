import Testing

@testable import SaveCodec

@Suite struct DocumentBuilderTests {
    @Test func mergesEqualScalars() throws {
        var builder = DocumentBuilder()
        builder.open(.array)
        let first = builder.add(string: "Zoë")
        let second = builder.add(string: "Zoë")
        let one = builder.add(integer: 1)
        let real = builder.add(real64: 1)
        builder.close()
        #expect(first == second)
        #expect(one != real)
        #expect(try builder.finish().count == 4)
    }
}

extension DocumentBuilder {
    /// Replaces the root by nested arrays, each of which contains the next one twice. The innermost contains the root.
    mutating func doubleRoot(levels: Int) {
        for _ in 0..<levels {
            guard let inner = takeLast() else { return }
            open(.array)
            add(inner)
            add(inner)
            close()
        }
    }
}
