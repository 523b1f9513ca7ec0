/// Writes the punctuation of JSON: brackets, commas, colons, line breaks and indentation. Whoever writes JSON tells it
/// what begins and ends, and writes the scalars.
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
/// What is open is kept in a list, so that a value may be as deep as memory allows.
package struct JSONOutput: Sendable {
    /// The white space that is written.
    package struct Style: Sendable {
        /// Whether a space follows colons, and commas within a line.
        let isSpaced: Bool
        /// How many spaces a level of indentation takes; nil if there are no line breaks either.
        let indentationWidth: Int?

        /// To be read: an element on each line, two spaces a level, spaces behind commas and colons.
        package static let indented = Style(isSpaced: true, indentationWidth: 2)
        /// All on one line, with spaces behind colons and commas.
        static let row = Style(isSpaced: true, indentationWidth: nil)
        /// No white space at all.
        package static let compact = Style(isSpaced: false, indentationWidth: nil)

        /// Containers that are opened in lines have a line for each element; the elements themselves are compact.
        package static func records(indentedBy width: Int = 0) -> Style {
            Style(isSpaced: false, indentationWidth: width)
        }
    }

    package enum Container: Sendable {
        case array, object
    }

    /// Where the contents of a container stand.
    package enum Layout: Sendable {
        /// Each on a line of its own, indented by a level, as long as there are any.
        case lines
        /// On the line of the container.
        case row
        /// On the line of the container, and the lines of what is in them a level deeper.
        case indentedRow
    }

    private struct Level {
        let container: Container
        let layout: Layout
        /// The level of indentation of the lines of its contents.
        let indentation: Int
        /// With how many contents the container is complete and closes by itself.
        let capacity: Int
        var count = 0
    }

    private let style: Style
    private var level: Level
    private var outer: [Level] = []
    /// Whether a name has been written whose value is to come.
    private var isNamed = false

    /// - Parameter indentation: the level of indentation of the line on which the first value stands.
    package init(_ style: Style, indentation: Int = 0) {
        self.style = style
        level = Level(container: .array, layout: .row, indentation: indentation, capacity: .max)
    }

    /// The level of indentation of the line on which the next value stands, or of those that are in it if it is broken
    /// into lines.
    package var indentation: Int { level.indentation }

    // MARK: Containers

    /// Begins an array or an object, as the next value.
    package mutating func open(_ container: Container, _ layout: Layout = .lines, to output: inout ByteWriter) {
        open(container, layout, capacity: .max, to: &output)
    }

    /// Begins an object with one member, `{"$set": …`, which closes behind the value of that.
    package mutating func tag(_ name: StaticString, to output: inout ByteWriter) {
        open(.object, .row, capacity: 1, to: &output)
        self.name(name, to: &output)
    }

    /// Begins an object like ``tag(_:to:)``.
    mutating func tag(_ tag: JSONTag, to output: inout ByteWriter) {
        open(.object, .row, capacity: 1, to: &output)
        name(to: &output) { $0.write("\"\(tag.rawValue)\"") }
    }

    /// Begins an array of two elements, `[key, …`, which closes behind the second.
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

    /// Ends the innermost container that does not close by itself, and the tag or pair whose value it is.
    package mutating func close(to output: inout ByteWriter) {
        end(to: &output)
        endValue(to: &output)
    }

    /// Takes notice of values, or members, that somebody else has written or will write.
    mutating func skip(_ count: Int) {
        level.count += count
    }

    private mutating func end(to output: inout ByteWriter) {
        if level.layout == .lines, level.count > 0 { beginLine(level.indentation - 1, to: &output) }
        output.write(level.container == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
        level = outer.removeLast()
    }

    // MARK: Names and values

    /// Writes the name of a member, which holds nothing to be escaped. Its value is to follow.
    package mutating func name(_ name: StaticString, to output: inout ByteWriter) {
        self.name(to: &output) { output in
            output.write(UInt8(ascii: "\""))
            output.write(name)
            output.write(UInt8(ascii: "\""))
        }
    }

    /// Writes the name of a member, which `write` writes with its quotation marks. Its value is to follow.
    @inline(__always)
    package mutating func name(to output: inout ByteWriter, _ write: (inout ByteWriter) -> Void) {
        beginElement(to: &output)
        write(&output)
        output.write(UInt8(ascii: ":"))
        if style.isSpaced { output.write(UInt8(ascii: " ")) }
        isNamed = true
    }

    /// Writes the name of a member as ``name(to:_:)`` does, which has been made before: a range of `bytes`.
    @inline(__always)
    mutating func name(_ bytes: [UInt8], in range: Range<Int>, to output: inout ByteWriter) {
        output.write(bytes, in: range)
        level.count += 1
        isNamed = true
    }

    /// Notes that the value behind the name written last is complete.
    mutating func skipValue() { isNamed = false }

    /// Writes a value that is no container, or a complete one, which `write` writes.
    @inline(__always)
    package mutating func write(to output: inout ByteWriter, _ write: (inout ByteWriter) -> Void) {
        beginValue(to: &output)
        write(&output)
        endValue(to: &output)
    }

    /// Writes what stands before a value.
    @inline(__always)
    private mutating func beginValue(to output: inout ByteWriter) {
        if isNamed { isNamed = false } else { beginElement(to: &output) }
    }

    /// Writes what stands behind a value: the brackets of those containers that are complete with it.
    @inline(__always)
    private mutating func endValue(to output: inout ByteWriter) {
        while level.count == level.capacity { end(to: &output) }
    }

    /// Writes the comma and the white space before an element, or before the name of a member.
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

    /// So many levels are indented, as a chain of a million objects would come to a terabyte of spaces.
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
