import SaveCodec

/// Writes the members of a JSON object, one after the other, without white space.
struct JSONObject {
    private var isFirst = true

    /// Writes an object whose members `body` writes.
    static func write(to output: inout ByteWriter, _ body: (inout JSONObject, inout ByteWriter) -> Void) {
        var object = JSONObject()
        output.write("{")
        body(&object, &output)
        output.write("}")
    }

    /// Writes an array.
    static func write<Element>(
        _ elements: some Sequence<Element>, to output: inout ByteWriter, _ body: (Element, inout ByteWriter) -> Void
    ) {
        output.write("[")
        for (position, element) in elements.enumerated() {
            if position > 0 { output.write(",") }
            body(element, &output)
        }
        output.write("]")
    }

    /// Writes the name of a member, whose value is to follow.
    mutating func name(_ name: StaticString, to output: inout ByteWriter) {
        if !isFirst { output.write(",") }
        isFirst = false
        output.write("\"")
        output.write(name)
        output.write("\":")
    }

    mutating func member(_ name: StaticString, _ value: String, to output: inout ByteWriter) {
        self.name(name, to: &output)
        ScalarText.writeString(Array(value.utf16), to: &output)
    }

    /// Writes an address as a JSON Pointer. A lone surrogate becomes U+FFFD, as many readers refuse it.
    mutating func member(_ name: StaticString, _ value: Address, to output: inout ByteWriter) {
        member(name, String(decoding: value.pointer, as: UTF16.self), to: &output)
    }

    mutating func member(_ name: StaticString, _ value: Int, to output: inout ByteWriter) {
        self.name(name, to: &output)
        output.write(String(value))
    }

    mutating func member(_ name: StaticString, _ value: Bool, to output: inout ByteWriter) {
        self.name(name, to: &output)
        output.write(value ? "true" : "false")
    }
}
