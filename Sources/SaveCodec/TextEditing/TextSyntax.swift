/// The syntax of a text format, as needed by edits: the tokens of gaps between values, and the notation of values.
package protocol TextSyntax: AnyObject {
    /// Returns the token of a gap at a position, and its end.
    func token(at position: Int, of text: [UInt8]) -> (token: Gap.Token, end: Int)

    /// Whether the comment that begins at a position extends to the end of its line.
    func isLineComment(at position: Int, of text: [UInt8]) -> Bool

    /// Returns the separator between or after the members of a container.
    func separator(of kind: StoredObject.Kind) -> Separator

    /// Returns the range of the members in a container's text; nil if members cannot be inserted, as in `<dict/>`.
    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>?

    /// The default indentation unit, for a text without indented lines.
    var defaultIndentation: [UInt8] { get }
    /// Returns the text between a key and its value, for a text without an example of it.
    func defaultKeyGap(inLines: Bool) -> KeyGap
    /// Returns the text between two members on one line, for a text without an example of it.
    func defaultMemberGap(keyGap: KeyGap) -> [UInt8]

    /// Writes an empty container in the style of its line.
    func writeEmpty(_ kind: StoredObject.Kind, in lines: LineStyle?, to output: inout ByteWriter)
    /// Writes the opening bracket or tag of a nonempty container.
    func writeOpening(_ kind: StoredObject.Kind, to output: inout ByteWriter)
    /// Writes the closing bracket or tag of a nonempty container.
    func writeClosing(_ kind: StoredObject.Kind, to output: inout ByteWriter)
    func writeKey(_ key: StoredObject, of document: Document, like text: TextSample, to output: inout ByteWriter)
    /// Writes a scalar, or a container whose notation in this format has no members.
    func writeScalar(
        _ scalar: StoredObject, of document: Document, like text: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter)

    /// Returns new text with escapes for characters that an encoding lacks; nil if the format has no escapes.
    ///
    /// - Parameter canEncode: Whether the encoding can represent all characters of a text.
    func escaping(_ text: [UInt8], unless canEncode: ([UInt8]) -> Bool) -> [UInt8]?

    /// Returns the text of a new root, which replaces another one.
    func rootText(_ text: [UInt8], insteadOf old: ArraySlice<UInt8>) -> [UInt8]

    /// Whether the brackets of an emptied container stay on their lines.
    var keepsEmptyLines: Bool { get }
    /// Whether a container may be inside a tag for its kind, such as `{"$set": […]}`.
    var hasTags: Bool { get }
    /// Whether elements have the short names of Geometry Dash.
    var hasShortTags: Bool { get }
    /// Whether the notation of keys and values depends on the values around them.
    var usesSamples: Bool { get }
    /// Whether the text may have comments.
    var mayHaveComments: Bool { get }
    /// Whether strings cannot contain line breaks.
    var stringsHaveNoLines: Bool { get }
    /// Whether a container is written with members rather than like a scalar.
    func hasMembers(_ container: StoredObject, of document: Document) -> Bool
}

extension TextSyntax {
    func isLineComment(at position: Int, of text: [UInt8]) -> Bool { false }
    func escaping(_ text: [UInt8], unless canEncode: ([UInt8]) -> Bool) -> [UInt8]? { nil }
    var keepsEmptyLines: Bool { false }
    func rootText(_ text: [UInt8], insteadOf old: ArraySlice<UInt8>) -> [UInt8] { text }
    var hasTags: Bool { false }
    var hasShortTags: Bool { false }
    var usesSamples: Bool { true }
    var mayHaveComments: Bool { true }
    var stringsHaveNoLines: Bool { false }
    func hasMembers(_ container: StoredObject, of document: Document) -> Bool { true }
}

/// A separator between members.
package struct Separator {
    /// The character; nil for no separator.
    let character: UInt8?
    /// Whether a separator also follows the last member; otherwise, it is optional there.
    let endsLast: Bool

    static let none = Separator(character: nil, endsLast: false)
}

/// The text between a key and its value.
package enum KeyGap: Equatable {
    /// A line break and the indentation of the key.
    case line
    case text([UInt8])
}

/// The style of the lines of a value.
package struct LineStyle {
    let lineBreak: [UInt8]
    /// One level of indentation.
    let unit: [UInt8]
    /// Whether eight spaces become a tab, as in GNUstep's style, which has four spaces per level.
    let joinsTabs: Bool
    /// The indentation of the line on which the value begins.
    var indentation: [UInt8]

    /// The style of the next deeper level.
    var inner: LineStyle {
        var style = self
        style.indentation = joinsTabs ? Self.joiningTabs(indentation + unit) : indentation + unit
        return style
    }

    private static func joiningTabs(_ blanks: [UInt8]) -> [UInt8] {
        let columns = blanks.reduce(0) { $1 == 0x09 ? ($0 / 8 + 1) * 8 : $0 + 1 }
        return [UInt8](repeating: 0x09, count: columns / 8) + [UInt8](repeating: 0x20, count: columns % 8)
    }
}

/// Examples from the text that show the notation of keys and values.
package struct TextSample {
    let text: [UInt8]
    /// The value to replace.
    var value: Range<Int>?
    /// The nearby keys, the nearest first.
    var keys: [Range<Int>] = []
    /// The nearby values, the nearest first.
    var neighbours: [Range<Int>] = []

    /// The sample values, beginning with the value to replace.
    var values: [Range<Int>] { (value.map { [$0] } ?? []) + neighbours }
}
