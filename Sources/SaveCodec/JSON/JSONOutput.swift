/// A writer of JSON punctuation: brackets, commas, colons, line breaks and indentation. The caller opens and closes
/// containers and writes the scalars.
///
///     var json = JSONOutput(.indented)
///     json.open(.object, to: &output)                          {
///     json.member("name", "Zoë", to: &output)                    "name": "Zoë",
///     json.name("tags", to: &output)                             "tags":
///     json.tag("$set", to: &output)                                      {"$set":
///     json.open(.array, to: &output)                                              [
///     json.write(1, to: &output)                                   1
///     json.close(to: &output)                                    ]}
///     json.close(to: &output)                                  }
///
/// Open containers are kept in a list instead of on the call stack, so only memory limits the depth.
package struct JSONOutput: Sendable {
    package struct Style: Sendable {
        /// Whether a space follows colons, and commas within a line.
        let isSpaced: Bool
        /// The number of spaces per indentation level; nil for no line breaks.
        let indentationWidth: Int?

        /// One element per line, two spaces per level, and a space after colons and after commas within a line.
        package static let indented = Style(isSpaced: true, indentationWidth: 2)
        /// Everything on one line, with a space after colons and commas.
        static let row = Style(isSpaced: true, indentationWidth: nil)
        /// No white space.
        package static let compact = Style(isSpaced: false, indentationWidth: nil)

        /// Returns a style with one line for each element of a container opened with ``JSONOutput/Layout/lines``,
        /// without other spaces.
        package static func records(indentedBy width: Int = 0) -> Style {
            Style(isSpaced: false, indentationWidth: width)
        }
    }

    package enum Container: Sendable {
        case array, object
    }

    /// The arrangement of a container's elements.
    package enum Layout: Sendable {
        /// One indented line per element. An empty container stays on one line.
        case lines
        /// All elements on the line of the container.
        case row
        /// As in ``row``, but an element that itself takes several lines is indented one level deeper.
        case indentedRow
    }

    private struct Level {
        let container: Container
        let layout: Layout
        /// The indentation level of the container's elements.
        let indentation: Int
        /// The number of elements after which the container closes by itself.
        let capacity: Int
        var count = 0
    }

    private let style: Style
    private var level: Level
    private var outer: [Level] = []
    /// Whether the name of a member has been written, but not yet its value.
    private var isNamed = false

    /// - Parameter indentation: The indentation level of the line on which the first value begins.
    package init(_ style: Style, indentation: Int = 0) {
        self.style = style
        level = Level(container: .array, layout: .row, indentation: indentation, capacity: .max)
    }

    /// The indentation level of the elements of the innermost open container.
    package var indentation: Int { level.indentation }

    // MARK: Containers

    /// Opens an array or an object as the next value.
    package mutating func open(_ container: Container, _ layout: Layout = .lines, to output: inout ByteWriter) {
        open(container, layout, capacity: .max, to: &output)
    }

    /// Opens an object with one member, `{"$set": …`. It closes by itself after the member's value.
    package mutating func tag(_ name: StaticString, to output: inout ByteWriter) {
        open(.object, .row, capacity: 1, to: &output)
        self.name(name, to: &output)
    }

    /// Opens an object with one member, named by a tag of typed JSON. It closes by itself after the member's value.
    mutating func tag(_ tag: JSONTag, to output: inout ByteWriter) {
        open(.object, .row, capacity: 1, to: &output)
        name(to: &output) { $0.write("\"\(tag.rawValue)\"") }
    }

    /// Opens an array of two elements, `[key, …`. It closes by itself after the second element.
    package mutating func openPair(to output: inout ByteWriter) {
        open(.array, .row, capacity: 2, to: &output)
    }

    private mutating func open(
        _ container: Container, _ layout: Layout, capacity: Int, to output: inout ByteWriter
    ) {
        beginValue(to: &output)
        output.write(container == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
        outer.append(level)
        let isBroken = layout == .lines && style.indentationWidth != nil
        level = Level(
            container: container, layout: isBroken || layout != .lines ? layout : .row,
            indentation: level.indentation + (layout == .row ? 0 : 1), capacity: capacity)
    }

    /// Closes the innermost container that does not close by itself, and any tag or pair that it completes.
    package mutating func close(to output: inout ByteWriter) {
        end(to: &output)
        endValue(to: &output)
    }

    /// Counts elements or members that are written elsewhere.
    mutating func skip(_ count: Int) {
        level.count += count
    }

    private mutating func end(to output: inout ByteWriter) {
        if level.layout == .lines, level.count > 0 { beginLine(level.indentation - 1, to: &output) }
        output.write(level.container == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        level = outer.removeLast()
    }

    // MARK: Names and values

    /// Writes the name of a member, which must not need escapes. The caller writes the value next.
    package mutating func name(_ name: StaticString, to output: inout ByteWriter) {
        self.name(to: &output) { output in
            output.write(UInt8(ascii: "\""))
            output.write(name)
            output.write(UInt8(ascii: "\""))
        }
    }

    /// Writes the name of a member, using `write` for the quoted string. The caller writes the value next.
    @inline(__always)
    package mutating func name(to output: inout ByteWriter, _ write: (inout ByteWriter) -> Void) {
        beginElement(to: &output)
        write(&output)
        output.write(UInt8(ascii: ":"))
        if style.isSpaced { output.write(UInt8(ascii: " ")) }
        isNamed = true
    }

    /// Writes the name of a member by copying the text that ``name(to:_:)`` wrote for it before, with its comma and
    /// white space.
    @inline(__always)
    mutating func name(_ bytes: [UInt8], in range: Range<Int>, to output: inout ByteWriter) {
        output.write(bytes, in: range)
        level.count += 1
        isNamed = true
    }

    /// Marks the value of the last name as complete.
    mutating func skipValue() { isNamed = false }

    /// Writes a scalar or a complete container, using `write`.
    @inline(__always)
    package mutating func write(to output: inout ByteWriter, _ write: (inout ByteWriter) -> Void) {
        beginValue(to: &output)
        write(&output)
        endValue(to: &output)
    }

    /// Writes the separator before a value, unless a name precedes it.
    @inline(__always)
    private mutating func beginValue(to output: inout ByteWriter) {
        if isNamed { isNamed = false } else { beginElement(to: &output) }
    }

    /// Closes the tags and pairs that the value completes.
    @inline(__always)
    private mutating func endValue(to output: inout ByteWriter) {
        while level.count == level.capacity { end(to: &output) }
    }

    /// Writes the comma and the white space before an element or a member's name.
    private mutating func beginElement(to output: inout ByteWriter) {
        if level.count > 0 { output.write(UInt8(ascii: ",")) }
        if level.layout == .lines {
            beginLine(level.indentation, to: &output)
        } else if level.count > 0, style.isSpaced {
            output.write(UInt8(ascii: " "))
        }
        level.count += 1
    }

    private func beginLine(_ indentation: Int, to output: inout ByteWriter) {
        output.write(UInt8(ascii: "\n"))
        output.write(UInt8(ascii: " "), times: (style.indentationWidth ?? 0) * min(indentation, Self.deepest))
    }

    /// The maximum indentation level. Without it, a chain of a million objects would produce a terabyte of spaces.
    private static let deepest = 200
}

// MARK: - Scalars

extension JSONOutput {
    package mutating func write(_ text: String, to output: inout ByteWriter) {
        write(to: &output) { JSONString.write(text, to: &$0) }
    }

    package mutating func write(_ units: [UInt16], to output: inout ByteWriter) {
        write(to: &output) { JSONString.write(units, to: &$0) }
    }

    package mutating func write(_ number: Int, to output: inout ByteWriter) {
        write(to: &output) { NumberText.write(Int128(number), to: &$0) }
    }

    package mutating func write(_ boolean: Bool, to output: inout ByteWriter) {
        write(to: &output) { $0.write(boolean ? "true" : "false") }
    }

    package mutating func writeNull(to output: inout ByteWriter) {
        write(to: &output) { $0.write("null") }
    }

    // Other modules call these two, because only this one inlines the functions with closures.

    /// Writes a scalar of a document.
    package mutating func write(_ scalar: StoredObject, by scalars: JSONScalarWriter, to output: inout ByteWriter) {
        write(to: &output) { scalars.writeScalar(scalar, to: &$0) }
    }

    /// Writes a string of a document as the name of a member. The caller writes the value next.
    package mutating func name(
        _ string: StoredObject, prefix: StaticString, by scalars: JSONScalarWriter, to output: inout ByteWriter
    ) {
        name(to: &output) { scalars.writeString(string, prefix: prefix, to: &$0) }
    }

    // MARK: Members

    package mutating func member(_ name: StaticString, _ text: String, to output: inout ByteWriter) {
        self.name(name, to: &output)
        write(text, to: &output)
    }

    package mutating func member(_ name: StaticString, _ number: Int, to output: inout ByteWriter) {
        self.name(name, to: &output)
        write(number, to: &output)
    }

    mutating func member(_ name: StaticString, _ boolean: Bool, to output: inout ByteWriter) {
        self.name(name, to: &output)
        write(boolean, to: &output)
    }
}
