import KeyedArchive
import SaveCodec
import SaveOperations

/// Writes references to what was shown before: `{"$ref": "/root/charList/0"}`.
///
/// Keys are made ready once, as a chain of objects that know each other takes addresses as long as the chain.
struct ReferenceWriter {
    /// What stands between the name and the pointer.
    private let isCompact: Bool
    private var tokens = LayerCache<ViewID, [UInt8]?>()

    init(isCompact: Bool = false) {
        self.isCompact = isCompact
    }

    /// Writes a reference to the first place of a value of the innermost view.
    mutating func write(
        _ row: Outline.Row, _ outline: borrowing Outline, within bound: OutputBound, to output: inout ByteWriter
    ) throws(Problem) {
        let (start, steps) = outline.firstPath(of: row.id)
        // Each step takes two bytes or more.
        try bound.check(output, and: 2 * steps.count)
        output.write(isCompact ? "{\"$ref\":\"" : "{\"$ref\": \"")
        output.write(Self.escaped(start.pointer))
        for step in steps {
            output.write(token(step, of: row.layer))
            try bound.check(output)
        }
        output.write("\"}")
    }

    private mutating func token(_ step: Outline.PathStep, of layer: Layer) -> [UInt8] {
        func made(_ view: ObjectView) -> [UInt8] { Self.escaped(view.step(step).pointer) }
        guard let key = step.key else { return made(layer.view) }
        // The token of a key that is no string may tell the position.
        return tokens.shown(key, of: layer) { $0.text(key) == nil ? nil : made($0) } ?? made(layer.view)
    }

    /// A part of a pointer as part of a JSON string.
    private static func escaped(_ pointer: [UInt16]) -> [UInt8] {
        var output = ByteWriter()
        ScalarText.writeString(pointer, to: &output)
        return Array(output.takeBytes().dropFirst().dropLast())
    }
}
