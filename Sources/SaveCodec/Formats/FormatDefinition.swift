/// The definition of a format: a new one is another case of ``Format`` and another conformance below, and the compiler
/// asks for the rest. Code outside this folder asks for a trait or a function of the definition; it does not compare
/// formats, which `Tests/Oracles/format_comparisons.py` checks.
package protocol FormatDefinition: Sendable {
    // MARK: Names

    /// What the format is called in a sentence, and the article that goes before it: `"an "`.
    static var title: String { get }
    static var article: String { get }
    /// The adjective for an archive in the format: `binary`, `XML`.
    static var adjective: String { get }
    /// What the command line calls it beside its raw value.
    static var aliases: [String] { get }
    /// The endings of file names that stand for this format alone, without the point.
    static var endings: [String] { get }
    /// The ending that files in the format usually have.
    static var usualEnding: String { get }
    /// What the format is to a web server (RFC 9110 §8.3).
    static var mediaType: String { get }

    // MARK: Nature

    /// How the contents of a file give the format away.
    static var signature: FormatSignature { get }
    /// The facts that code outside this folder tells formats apart by.
    static var traits: FormatTraits { get }
    /// Whether documents are written in the format, or its files are read only.
    static var access: FormatAccess { get }

    // MARK: Text

    /// The text of a file as valid UTF-8, as the reader has it; a file of a format that is no text has none.
    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8]

    /// Where the comments stand in such a text.
    static func comments(in text: [UInt8]) -> [Range<Int>]

    /// The ranges of the numbers in such a text that have more digits than a document holds.
    static func inexactNumbers(in text: [UInt8]) -> [Range<Int>]

    /// The values of the numbers in such a text; nil for a format without inexact numbers.
    static func reals(in text: [UInt8]) -> Set<Double>?

    // MARK: Reading

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document
    /// Reads a document and, if the format is a text, where its values stand.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?)
    /// The same, with what makes files of the saves that stand in a text in place of data.
    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> Document
    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> (document: Document, map: SourceMap?)
}

/// Facts about a format.
package struct FormatTraits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Files are text, which may go to a terminal.
    package static let text = FormatTraits(rawValue: 1 << 0)
    /// Files are tables of objects: values have offsets, and several references can share one. In a tree, a shared value
    /// is written once for each reference.
    package static let objectTable = FormatTraits(rawValue: 1 << 1)
    /// The last of several duplicate keys is the effective one, as in Foundation's reader of the format; else the first.
    static let lastDuplicateKeyWins = FormatTraits(rawValue: 1 << 2)
    /// Files are databases: values are rows, and an edit becomes SQL statements.
    package static let database = FormatTraits(rawValue: 1 << 3)
    /// Files hold objects only, so there is no property list to show instead of them.
    package static let objectsOnly = FormatTraits(rawValue: 1 << 4)
    /// Every scalar is text, also a number.
    package static let textScalars = FormatTraits(rawValue: 1 << 5)
    /// Games store dates as strings.
    package static let textDates = FormatTraits(rawValue: 1 << 6)
    /// A word without quotes is a string, so that nearly every text can be read.
    static let bareWords = FormatTraits(rawValue: 1 << 7)
    /// Values stand between tags of XML, and any character can be written as `&#x202E;`.
    package static let markup = FormatTraits(rawValue: 1 << 8)
    /// Files are JSON in which tags such as `$date` mark the values that JSON has no form for, among them saves in data.
    package static let typedJSON = FormatTraits(rawValue: 1 << 9)
    /// An archive is written as the graph of its objects.
    package static let objectGraphs = FormatTraits(rawValue: 1 << 10)
    /// Other files have the endings of the format, too.
    package static let sharedEndings = FormatTraits(rawValue: 1 << 11)
}

/// What is to be said of a format that is written, too.
package protocol WritableFormatDefinition: FormatDefinition {
    /// How edits see a text in the format; nil if files are no text.
    static func syntax(of map: SourceMap) -> (any TextSyntax)?

    /// Whether the format has reals of 64 bits only, so that it holds a 32-bit real as the 64-bit real of the same value.
    static var widensReals: Bool { get }
    /// One problem for each value of a document that the format cannot hold.
    static func losses(in document: Document) -> [Problem]
    /// The values that it holds and other readers of it cannot take.
    static var foreignValues: Set<ForeignValue.Kind> { get }

    /// The choices that writing leaves.
    static var choices: [WriteOptions.Choice] { get }
    /// Whether a document stands in the style of some options in the text that it was read from. White space, comments
    /// and spellings, for which there is no option, are not looked at.
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool

    /// The styles that files in the format come in, the usual one first. A file that is changed keeps its own.
    static var styles: [WriteOptions] { get }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem)
}

/// What may be done with files in a format.
package enum FormatAccess: Sendable {
    /// They are read and written.
    case written(any WritableFormatDefinition.Type)
    /// They are read, and never written for this reason, which is the end of a sentence.
    case readOnly(because: String)
}

extension WritableFormatDefinition {
    static var access: FormatAccess { .written(self) }
    static var widensReals: Bool { false }
}

/// Most formats have nothing to put in place of data, and hold every number that they can write.
extension FormatDefinition {
    static func inexactNumbers(in text: [UInt8]) -> [Range<Int>] { [] }
    static func reals(in text: [UInt8]) -> Set<Double>? { nil }

    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> Document {
        try read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try readMapped(bytes, limits: limits)
    }
}

extension Format {
    /// What is known of the format.
    package var definition: any FormatDefinition.Type {
        switch self {
        case .binary: BinaryPlistFormat.self
        case .xml: XMLPlistFormat.self
        case .json: JSONFormat.self
        case .openStep: OpenStepFormat.self
        case .gnustep: GNUstepFormat.self
        case .typedStream: TypedStreamFormat.self
        case .sqlite: SQLiteFormat.self
        }
    }

    /// Whether the format has a trait.
    package func has(_ trait: FormatTraits) -> Bool { definition.traits.contains(trait) }

    /// The formats that are written, too.
    package static var written: [Format] { allCases.filter { $0.writing != nil } }

    /// What is known of how the format is written; nil for one that is read only.
    package var writing: (any WritableFormatDefinition.Type)? {
        if case .written(let definition) = definition.access { definition } else { nil }
    }
}

extension Document {
    /// Whether the format that the document was read from has a trait; false for a document that was not read.
    package func has(_ trait: FormatTraits) -> Bool { sourceFormat?.has(trait) ?? false }
}

extension Problem {
    /// Why nothing is written in a format that is read only.
    package static func readOnly(_ format: Format) -> Problem {
        let definition = format.definition
        let reason = if case .readOnly(let reason) = definition.access { ": \(reason)" } else { "" }
        return Problem("format.read-only", "\(definition.article + definition.title) is read and not written\(reason)")
    }
}

private enum BinaryPlistFormat: WritableFormatDefinition {
    static var title: String { "binary property list" }
    static var article: String { "a " }
    static var adjective: String { "binary" }
    static var aliases: [String] { ["binary1", "bplist"] }
    static var endings: [String] { ["bplist"] }
    static var usualEnding: String { "plist" }
    static var mediaType: String { "application/octet-stream" }

    static var signature: FormatSignature { .binaryHeader }
    static var traits: FormatTraits { .objectTable }

    static func utf8Text(of bytes: [UInt8]) -> [UInt8] { [] }
    static func comments(in text: [UInt8]) -> [Range<Int>] { [] }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try BinaryPlist.read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        (try BinaryPlist.read(bytes, limits: limits), nil)
    }

    static func syntax(of map: SourceMap) -> (any TextSyntax)? { nil }

    static func losses(in document: Document) -> [Problem] { BinaryPlist.losses(in: document) }
    static var foreignValues: Set<ForeignValue.Kind> { [.wideInteger, .null] }

    static var choices: [WriteOptions.Choice] { [] }
    static var styles: [WriteOptions] { [WriteOptions()] }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool { true }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try BinaryPlist.write(document, to: &output)
    }
}

private enum XMLPlistFormat: WritableFormatDefinition {
    static var title: String { "XML property list" }
    static var article: String { "an " }
    static var adjective: String { "XML" }
    static var aliases: [String] { ["xml1"] }
    static var endings: [String] { ["xml"] }
    static var usualEnding: String { "plist" }
    static var mediaType: String { "application/xml" }

    static var signature: FormatSignature { .markup }
    static var traits: FormatTraits { [.text, .lastDuplicateKeyWins, .markup, .sharedEndings] }

    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8] {
        try SourceText(decoding: bytes, declared: XMLDeclaration(of: bytes).encoding).bytes
    }

    static func comments(in text: [UInt8]) -> [Range<Int>] { SourceComments.ofXML(text) }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try XMLPlist.read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try XMLPlist.readMapped(bytes, limits: limits)
    }

    static func syntax(of map: SourceMap) -> (any TextSyntax)? { XMLSyntax(of: map.text) }

    static var widensReals: Bool { true }
    static func losses(in document: Document) -> [Problem] { XMLPlist.losses(in: document) }
    static var foreignValues: Set<ForeignValue.Kind> { [] }

    static var choices: [WriteOptions.Choice] { [.sortedKeys, .storedKeys] }
    static var styles: [WriteOptions] { [WriteOptions(keyOrder: .stored), WriteOptions(keyOrder: .sorted)] }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool {
        options.keyOrder == .stored || document.hasSortedKeys
    }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try XMLPlist.write(document, to: &output, options: options, limits: limits)
    }
}

private enum JSONFormat: WritableFormatDefinition {
    static var title: String { "JSON" }
    static var article: String { "" }
    static var adjective: String { "JSON" }
    static var aliases: [String] { [] }
    static var endings: [String] { ["json"] }
    static var usualEnding: String { "json" }
    static var mediaType: String { "application/json" }

    static var signature: FormatSignature { .json }
    static var traits: FormatTraits { [.text, .lastDuplicateKeyWins, .textDates, .typedJSON, .objectGraphs] }

    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8] { try JSONText(decoding: bytes).bytes }
    static func comments(in text: [UInt8]) -> [Range<Int>] { [] }
    static func inexactNumbers(in text: [UInt8]) -> [Range<Int>] { JSON.inexactNumbers(in: text) }
    static func reals(in text: [UInt8]) -> Set<Double>? { JSON.reals(in: text) }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try JSON.read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try JSON.readMapped(bytes, limits: limits)
    }

    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> Document {
        try JSON.read(bytes, limits: limits, nested: nested)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveWriter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try JSON.readMapped(bytes, limits: limits, nested: nested)
    }

    static func syntax(of map: SourceMap) -> (any TextSyntax)? { JSONSyntax(of: map.text) }

    static func losses(in document: Document) -> [Problem] { JSON.losses(in: document) }
    static var foreignValues: Set<ForeignValue.Kind> { [.wideInteger] }

    static var choices: [WriteOptions.Choice] { [.sortedKeys, .compact, .exact, .nested] }
    static var styles: [WriteOptions] { [WriteOptions(), WriteOptions(isCompact: true)] }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool {
        JSON.isStyled(text, as: options) && (options.keyOrder != .sorted || document.hasSortedKeys)
    }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try JSON.write(document, to: &output, options: options, limits: limits)
    }
}

/// What the two dialects of OpenStep text have in common.
private protocol OpenStepDialect: WritableFormatDefinition {
    static var dialect: OpenStep.Dialect { get }
}

extension OpenStepDialect {
    static var usualEnding: String { "plist" }
    static var mediaType: String { "text/plain; charset=utf-8" }
    static var traits: FormatTraits {
        let ofBoth: FormatTraits = [.text, .lastDuplicateKeyWins, .bareWords]
        return dialect == .openStep ? ofBoth.union([.textScalars, .textDates]) : ofBoth
    }
    static var choices: [WriteOptions.Choice] { [.sortedKeys] }
    static var styles: [WriteOptions] { [WriteOptions()] }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool {
        options.keyOrder != .sorted || document.hasSortedKeys
    }

    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8] { try OpenStep.text(of: bytes) }
    static func comments(in text: [UInt8]) -> [Range<Int>] { SourceComments.ofOpenStep(text, dialect) }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try OpenStep.read(bytes, dialect: dialect, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try OpenStep.readMapped(bytes, dialect: dialect, limits: limits)
    }

    static func syntax(of map: SourceMap) -> (any TextSyntax)? { OpenStepSyntax(dialect, of: map) }

    // Plain OpenStep text has no reals at all: there a real is a loss.
    static var widensReals: Bool { dialect == .gnustep }
    static func losses(in document: Document) -> [Problem] { OpenStep.losses(in: document, dialect: dialect) }
    static var foreignValues: Set<ForeignValue.Kind> { [] }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try OpenStep.write(document, to: &output, dialect: dialect, options: options, limits: limits)
    }
}

private enum OpenStepFormat: OpenStepDialect {
    static var dialect: OpenStep.Dialect { .openStep }
    static var title: String { "OpenStep property list" }
    static var article: String { "an " }
    static var adjective: String { "OpenStep" }
    static var aliases: [String] { [] }
    static var endings: [String] { ["strings", "openstep"] }
    static var signature: FormatSignature { .propertyList }
}

private enum GNUstepFormat: OpenStepDialect {
    static var dialect: OpenStep.Dialect { .gnustep }
    static var title: String { "GNUstep property list" }
    static var article: String { "a " }
    static var adjective: String { "GNUstep" }
    static var aliases: [String] { [] }
    static var endings: [String] { [] }
    static var signature: FormatSignature { .typedPropertyList }
}

private enum TypedStreamFormat: FormatDefinition {
    static var title: String { "typedstream" }
    static var article: String { "a " }
    static var adjective: String { "typedstream" }
    static var aliases: [String] { [] }
    static var endings: [String] { [] }
    static var usualEnding: String { "typedstream" }
    static var mediaType: String { "application/octet-stream" }

    static var signature: FormatSignature { .typedStream }
    static var traits: FormatTraits { .objectsOnly }
    static var access: FormatAccess { .readOnly(because: "only the program that wrote it knows what it has to hold") }

    static func utf8Text(of bytes: [UInt8]) -> [UInt8] { [] }
    static func comments(in text: [UInt8]) -> [Range<Int>] { [] }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try TypedStream.read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        (try TypedStream.read(bytes, limits: limits), nil)
    }
}

private enum SQLiteFormat: FormatDefinition {
    static var title: String { "SQLite database" }
    static var article: String { "an " }
    static var adjective: String { "SQLite" }
    static var aliases: [String] { ["sqlite3"] }
    static var endings: [String] { ["sqlite", "sqlite3", "db", "store"] }
    static var usualEnding: String { "sqlite" }
    static var mediaType: String { "application/vnd.sqlite3" }

    static var signature: FormatSignature { .database }
    static var traits: FormatTraits { [.database, .sharedEndings] }
    static var access: FormatAccess { .readOnly(because: "sqlite3 changes it") }

    static func utf8Text(of bytes: [UInt8]) -> [UInt8] { [] }
    static func comments(in text: [UInt8]) -> [Range<Int>] { [] }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try SQLite.read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        (try SQLite.read(bytes, limits: limits), nil)
    }
}
