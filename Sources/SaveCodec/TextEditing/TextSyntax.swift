/// What a text format looks like, as far as edits of a text have to know: how the gaps between values are taken apart,
/// and how values are spelled.
package protocol TextSyntax: AnyObject {
    /// The piece of a gap that begins at a position, and where it ends.
    func token(at position: Int, of text: [UInt8]) -> (token: Gap.Token, end: Int)

    /// What stands between the members of a container, or behind each.
    func separator(of kind: StoredObject.Kind) -> Separator

    /// Where the members of a container stand, whose text has a range; nil if it is spelled without a place for any.
    func contents(of range: Range<Int>, _ kind: StoredObject.Kind, in text: [UInt8]) -> Range<Int>?

    /// A level of indentation where the text shows none.
    var usualIndentation: [UInt8] { get }
    /// What stands between a key and its value, and between two members on one line, where the text does not show it.
    func usualKeyGap(inLines: Bool) -> KeyGap
    func usualMemberGap(keyGap: KeyGap) -> [UInt8]

    /// Writes the text of a container without contents, on the lines where its members would stand.
    func writeEmpty(_ kind: StoredObject.Kind, in lines: LineStyle?, to output: inout ByteWriter)
    /// Writes what opens and closes a container with contents.
    func writeOpening(_ kind: StoredObject.Kind, to output: inout ByteWriter)
    func writeClosing(_ kind: StoredObject.Kind, to output: inout ByteWriter)
    /// Writes a key.
    func writeKey(_ key: StoredObject, of document: Document, like text: TextSample, to output: inout ByteWriter)
    /// Writes a scalar, or a container that has no members in this format.
    func writeScalar(
        _ scalar: StoredObject, of document: Document, like text: TextSample, in lines: LineStyle?,
        to output: inout ByteWriter)

    /// New text without the characters that an encoding lacks; nil if the format has no other way to write them.
    func escaping(_ text: [UInt8], unless isHeld: ([UInt8]) -> Bool) -> [UInt8]?

    /// Whether the brackets of a container on several lines stay where they are when it is empty.
    var keepsEmptyLines: Bool { get }
    /// Whether containers may stand in others that only tell what they are.
    var hasTags: Bool { get }
    /// Whether a line break never stands within a string.
    var stringsHaveNoLines: Bool { get }
    /// Whether a container is written with members, and not as a scalar is.
    func hasMembers(_ container: StoredObject, of document: Document) -> Bool
}

extension TextSyntax {
    func escaping(_ text: [UInt8], unless isHeld: ([UInt8]) -> Bool) -> [UInt8]? { nil }
    var keepsEmptyLines: Bool { false }
    var hasTags: Bool { false }
    var stringsHaveNoLines: Bool { false }
    func hasMembers(_ container: StoredObject, of document: Document) -> Bool { true }
}

/// What stands between members.
package struct Separator {
    /// The character; nil if there is none.
    let character: UInt8?
    /// Whether one stands behind the last member, too; nil if it may or may not.
    let endsLast: Bool?

    static let none = Separator(character: nil, endsLast: false)
}

/// What stands between a key and its value.
package enum KeyGap: Equatable {
    /// A line break, and the indentation of the key.
    case line
    case text([UInt8])
}

/// The lines that a value is written in.
package struct LineStyle {
    let lineBreak: [UInt8]
    /// A level of indentation.
    let unit: [UInt8]
    /// Whether eight spaces are a tab, as GNUstep writes four a level.
    let joinsTabs: Bool
    /// The blanks before the line on which the value begins.
    var indentation: [UInt8]

    /// The style a level deeper.
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

/// A piece of the text that shows how something is spelled there.
package struct TextSample {
    let text: [UInt8]
    /// The value that is replaced.
    var value: Range<Int>?
    /// Keys and values nearby, the nearest first.
    var keys: [Range<Int>] = []
    var neighbours: [Range<Int>] = []

    /// The values that show how one is spelled, the one that is replaced first.
    var values: [Range<Int>] { (value.map { [$0] } ?? []) + neighbours }

    func starts(_ range: Range<Int>, with prefix: StaticString) -> Bool {
        let length = prefix.utf8CodeUnitCount
        guard range.count >= length else { return false }
        return prefix.withUTF8Buffer { buffer in
            // Sound: a literal is never freed, and no position is beyond its count, which has been compared.
            for index in 0..<length where unsafe buffer[index] != text[range.lowerBound + index] { return false }
            return true
        }
    }
}
