/// The additional definition of a format that can be written.
package protocol WritableFormatDefinition: FormatDefinition {
    /// Returns the syntax with which a text in the format is edited in place, or nil for a binary format.
    static func syntax(of map: SourceMap) -> (any TextSyntax)?

    /// Whether the format stores a 32-bit real as the 64-bit real of the same value.
    static var widensReals: Bool { get }
    /// Returns a loss for each value of a document that the format cannot represent.
    static func losses(in document: Document) -> [Problem]
    /// The kinds of values that the format can store but other readers cannot read.
    static var foreignValues: Set<ForeignValue.Kind> { get }

    /// The write options that the format supports.
    static var choices: [WriteOptions.Choice] { get }
    /// Whether the source text of a document has the style that `options` describe.
    ///
    /// White space, comments and spellings that no option describes are ignored.
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool

    /// The styles that files in the format have, the most common one first. An edited file keeps its own.
    static var styles: [WriteOptions] { get }
    /// Returns the options nearest to the style of a file that has none of ``styles``.
    static func nearestStyle(to file: [UInt8]) -> WriteOptions

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem)
}

/// The access to files in a format.
package enum FormatAccess: Sendable {
    /// Files can be read and written.
    case written(any WritableFormatDefinition.Type)
    /// Files can only be read, for the given reason, which completes a sentence.
    case readOnly(because: String)
}

extension WritableFormatDefinition {
    static var access: FormatAccess { .written(self) }
    static var widensReals: Bool { false }

    static func nearestStyle(to file: [UInt8]) -> WriteOptions {
        WriteOptions(keyOrder: .stored, isCompact: !file.contains(UInt8(ascii: "\n")))
    }
}
