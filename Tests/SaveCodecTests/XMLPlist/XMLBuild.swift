import SaveCodec

/// Steps that compose documents for tests.
enum XMLBuild {
    typealias Step = @Sendable (inout DocumentBuilder) -> Void

    static func document(format: Format? = nil, _ step: Step) throws -> Document {
        var builder = DocumentBuilder()
        step(&builder)
        return try builder.finish(format: format)
    }

    static func data(_ bytes: [UInt8]) -> Step {
        { $0.add(data: bytes.span) }
    }

    static func units(_ units: [UInt16]) -> Step {
        { $0.add(utf16: units.span) }
    }

    static func string(_ text: String) -> Step {
        { $0.add(string: text) }
    }

    static func integer(_ value: Int128) -> Step {
        { $0.add(integer: value) }
    }

    /// Returns a step that adds a string as a separate object, even if an equal one exists.
    static func ownString(_ text: String) -> Step {
        { builder in
            let bytes = Array(text.utf8)
            builder.add(utf8: bytes.span, shared: false)
        }
    }

    static func array(_ elements: [Step]) -> Step { container(.array, elements) }

    static func set(_ elements: [Step]) -> Step { container(.set, elements) }

    static func dictionary(_ contents: [Step]) -> Step { container(.dictionary, contents) }

    /// Returns a step that adds a dictionary with `true` for every key.
    static func dictionary(keys: [Step]) -> Step {
        let yes: Step = { $0.add(boolean: true) }
        return dictionary(keys.flatMap { [$0, yes] })
    }

    private static func container(_ kind: DocumentBuilder.Container, _ contents: [Step]) -> Step {
        { builder in
            builder.open(kind)
            for step in contents { step(&builder) }
            builder.close()
        }
    }
}
