import SaveCodec

/// Makes a plain property list. It has no nil, which is the string `$null`, as Foundation has it.
final class PlainOutput: EncodingOutput {
    func reserve() -> UID? { nil }

    func part(_ scalar: Scalar, _ style: ValueEncoder.Style) -> Part {
        if case .number(let number) = scalar { return .number(number) }
        return .scalar(scalar)
    }

    func fields(
        _ fields: [(name: String, part: Part)], of name: ArchivedClassName?, as uid: UID?, _ style: ValueEncoder.Style
    ) -> Part { .fields(names: fields.map(\.name), parts: fields.map(\.part)) }

    func elements(_ elements: [Part], isSet: Bool, as uid: UID?, _ style: ValueEncoder.Style) -> Part {
        .elements(elements)
    }

    func pairs(_ pairs: () throws -> [(key: Part, value: Part)], _ style: ValueEncoder.Style) rethrows -> Part? { nil }

    func finish(_ roots: [(key: String?, part: Part)], keepingUnreachable: Bool) throws(Problem) -> Document {
        var builder = DocumentBuilder()
        Self.add(roots.first?.part ?? .null, to: &builder)
        return try builder.finish()
    }

    /// Recursive, as deep as values may be nested.
    private static func add(_ part: Part, to builder: inout DocumentBuilder) {
        switch part {
        case .null, .reference: builder.add(string: nilText)
        case .number(let number): builder.add(.number(number))
        case .scalar(let scalar): builder.add(scalar)
        case .fields(let names, let parts):
            builder.open(.dictionary)
            for (name, part) in zip(names, parts) {
                builder.add(string: name)
                add(part, to: &builder)
            }
            builder.close()
        case .elements(let elements):
            builder.open(.array)
            for element in elements { add(element, to: &builder) }
            builder.close()
        }
    }

    /// What stands for nil.
    static let nilText = "$null"
}
