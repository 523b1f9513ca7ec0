/// The definition of a format.
///
/// To add a format, add a case to ``Format`` and a conformance below. `Sources/README.md` lists what the compiler does
/// not ask for. Code outside this folder uses a trait or a function of the definition instead of comparing formats.
/// `Tests/Oracles/format_comparisons.py` checks this.
package protocol FormatDefinition: Sendable {
    // MARK: Names

    /// The name of the format in a sentence, such as `XML property list`.
    static var title: String { get }
    /// The indefinite article for ``title`` with a trailing space, such as `"an "`, or an empty string.
    static var article: String { get }
    /// The adjective for an archive in the format, such as `binary` or `XML`.
    static var adjective: String { get }
    /// The names on the command line besides the raw value.
    static var aliases: [String] { get }
    /// The file name extensions used for this format alone, without the period.
    static var extensions: [String] { get }
    /// The usual file name extension.
    static var defaultExtension: String { get }
    /// The media type for HTTP (RFC 9110 §8.3).
    static var mediaType: String { get }

    // MARK: Nature

    /// The content by which files in the format are recognized.
    static var signature: FormatSignature { get }
    /// The properties that code outside this folder distinguishes formats by.
    static var traits: FormatTraits { get }
    /// The access to files in the format: read-write or read-only.
    static var access: FormatAccess { get }

    // MARK: Text

    /// Returns the text of a file as valid UTF-8, decoded as by the reader, or an empty array for a format that is not
    /// text.
    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8]

    /// Returns the ranges of the comments in a text that ``utf8Text(of:)`` returned.
    static func comments(in text: [UInt8]) -> [Range<Int>]

    /// Returns the ranges of the numbers that have more digits than a document can hold, in a text that
    /// ``utf8Text(of:)`` returned.
    static func inexactNumbers(in text: [UInt8]) -> [Range<Int>]

    /// Returns the values of the numbers in a text that ``utf8Text(of:)`` returned, or nil for a format without inexact
    /// numbers.
    static func reals(in text: [UInt8]) -> Set<Double>?

    // MARK: Reading

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document
    /// Reads a document and, for a text format, the locations of its values.
    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?)
    /// Reads a document, converting nested saves in the text to data with `nested`.
    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> Document
    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> (document: Document, map: SourceMap?)

    // MARK: Salvage

    /// Whether bytes whose beginning is damaged are probably a file in the format.
    static func resembles(_ bytes: [UInt8]) -> Bool
    /// Repairs a damaged file as far as its bytes allow. A file without damage is returned as it is.
    ///
    /// - Throws: A problem if nothing can be read.
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage
}

/// The properties of a format.
package struct FormatTraits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Files are text, which can be printed to a terminal.
    package static let text = FormatTraits(rawValue: 1 << 0)
    /// Files are object tables: values have offsets, and several references can share one. A tree repeats a shared
    /// value once per reference.
    package static let objectTable = FormatTraits(rawValue: 1 << 1)
    /// The last of several duplicate keys is effective, as in Foundation's reader of the format. Otherwise the first
    /// is.
    static let lastDuplicateKeyWins = FormatTraits(rawValue: 1 << 2)
    /// Files are databases: values are rows, and an edit is expressed as SQL statements.
    package static let database = FormatTraits(rawValue: 1 << 3)
    /// Files contain only archived objects, and no property list that could be shown instead.
    package static let objectsOnly = FormatTraits(rawValue: 1 << 4)
    /// Every scalar is text, including numbers.
    package static let textScalars = FormatTraits(rawValue: 1 << 5)
    /// Games store dates as strings in this format.
    package static let textDates = FormatTraits(rawValue: 1 << 6)
    /// An unquoted word is a string, so nearly any text can be read.
    package static let bareWords = FormatTraits(rawValue: 1 << 7)
    /// Values are enclosed in XML tags, and any character can be written as a reference such as `&#x202E;`.
    package static let markup = FormatTraits(rawValue: 1 << 8)
    /// Files are JSON in which tags such as `$date` mark values that JSON cannot represent, including nested saves.
    package static let typedJSON = FormatTraits(rawValue: 1 << 9)
    /// An archive is written as its object graph.
    package static let objectGraphs = FormatTraits(rawValue: 1 << 10)
    /// The file name extensions of the format are also used by other files.
    package static let sharedEndings = FormatTraits(rawValue: 1 << 11)
    /// Dates have no fraction of a second.
    package static let wholeSeconds = FormatTraits(rawValue: 1 << 12)
}

/// The defaults. A format that uses them has neither nested saves in its text nor inexact numbers, and is not
/// recognized if the beginning of a file is damaged.
extension FormatDefinition {
    static func resembles(_ bytes: [UInt8]) -> Bool { false }
    static func inexactNumbers(in text: [UInt8]) -> [Range<Int>] { [] }
    static func reals(in text: [UInt8]) -> Set<Double>? { nil }

    static func read(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> Document {
        try read(bytes, limits: limits)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try readMapped(bytes, limits: limits)
    }
}

extension Format {
    /// The definition of the format.
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

    package func has(_ trait: FormatTraits) -> Bool { definition.traits.contains(trait) }

    /// The formats that can be written.
    package static var written: [Format] { allCases.filter { $0.writing != nil } }

    /// The definition for writing, or nil for a read-only format.
    package var writing: (any WritableFormatDefinition.Type)? {
        if case .written(let definition) = definition.access { definition } else { nil }
    }
}

extension Document {
    /// Whether the document's source format has a trait. False for a document that was not read.
    package func has(_ trait: FormatTraits) -> Bool { sourceFormat?.has(trait) ?? false }
}

extension Problem {
    /// Returns the problem of writing to a read-only format, with the reason.
    package static func readOnly(_ format: Format) -> Problem {
        let definition = format.definition
        let reason = if case .readOnly(let reason) = definition.access { ": \(reason)" } else { "" }
        return Problem(
            "format.read-only", "\(definition.article + definition.title) can be read but not written\(reason)")
    }
}

/// A format that is not text.
private protocol BinaryFormatDefinition: FormatDefinition {}

extension BinaryFormatDefinition {
    static func utf8Text(of bytes: [UInt8]) -> [UInt8] { [] }
    static func comments(in text: [UInt8]) -> [Range<Int>] { [] }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        (try read(bytes, limits: limits), nil)
    }
}

private enum BinaryPlistFormat: BinaryFormatDefinition, WritableFormatDefinition {
    static var title: String { "binary property list" }
    static var article: String { "a " }
    static var adjective: String { "binary" }
    static var aliases: [String] { ["binary1", "bplist"] }
    static var extensions: [String] { ["bplist"] }
    static var defaultExtension: String { "plist" }
    static var mediaType: String { "application/octet-stream" }

    static var signature: FormatSignature { .binaryHeader }
    static var traits: FormatTraits { .objectTable }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try BinaryPlist.read(bytes, limits: limits)
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

    static func resembles(_ bytes: [UInt8]) -> Bool { BinaryPlistSalvage.resembles(bytes) }
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try BinaryPlistSalvage.salvage(bytes, limits: limits)
    }
}

private enum XMLPlistFormat: WritableFormatDefinition {
    static var title: String { "XML property list" }
    static var article: String { "an " }
    static var adjective: String { "XML" }
    static var aliases: [String] { ["xml1"] }
    static var extensions: [String] { ["xml"] }
    static var defaultExtension: String { "plist" }
    static var mediaType: String { "application/xml" }

    static var signature: FormatSignature { .markup }
    static var traits: FormatTraits { [.text, .lastDuplicateKeyWins, .markup, .sharedEndings, .wholeSeconds] }

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

    static var choices: [WriteOptions.Choice] { [.sortedKeys, .storedKeys, .shortTags] }
    static var styles: [WriteOptions] {
        [
            WriteOptions(keyOrder: .stored), WriteOptions(keyOrder: .sorted),
            WriteOptions(keyOrder: .stored, hasShortTags: true),
        ]
    }
    static func nearestStyle(to file: [UInt8]) -> WriteOptions {
        WriteOptions(keyOrder: .stored, hasShortTags: XMLDialect(of: (try? utf8Text(of: file)) ?? []) == .short)
    }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool {
        XMLPlist.hasOrder(document, options) && options.hasShortTags == (XMLDialect(of: text) == .short)
    }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try XMLPlist.write(document, to: &output, options: options, limits: limits)
    }

    static func resembles(_ bytes: [UInt8]) -> Bool { XMLSalvageSyntax.resembles(bytes) }
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try TextSalvage.salvage(
            bytes, as: .xml, declared: XMLSalvageSyntax.declaredEncoding(bytes), limits: limits, XMLSalvageSyntax.init)
    }
}

private enum JSONFormat: WritableFormatDefinition {
    static var title: String { "JSON" }
    static var article: String { "" }
    static var adjective: String { "JSON" }
    static var aliases: [String] { [] }
    static var extensions: [String] { ["json", "jsonc"] }
    static var defaultExtension: String { "json" }
    static var mediaType: String { "application/json" }

    static var signature: FormatSignature { .json }
    static var traits: FormatTraits { [.text, .lastDuplicateKeyWins, .textDates, .typedJSON, .objectGraphs] }

    static func utf8Text(of bytes: [UInt8]) throws(Problem) -> [UInt8] { try JSONText(decoding: bytes).bytes }
    static func comments(in text: [UInt8]) -> [Range<Int>] { SourceComments.ofJSON(text) }
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
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> Document {
        try JSON.read(bytes, limits: limits, nested: nested)
    }

    static func readMapped(
        _ bytes: [UInt8], limits: Limits, nested: NestedSaveConverter
    ) throws(Problem) -> (document: Document, map: SourceMap?) {
        try JSON.readMapped(bytes, limits: limits, nested: nested)
    }

    static func syntax(of map: SourceMap) -> (any TextSyntax)? { JSONSyntax(of: map) }

    static func losses(in document: Document) -> [Problem] { JSON.losses(in: document) }
    static var foreignValues: Set<ForeignValue.Kind> { [.wideInteger] }

    static var choices: [WriteOptions.Choice] { [.sortedKeys, .compact, .exact, .nested] }
    static var styles: [WriteOptions] { [WriteOptions(), WriteOptions(isCompact: true)] }
    static func isStyled(_ document: Document, _ text: [UInt8], as options: WriteOptions) -> Bool {
        !document.hasJSONComments && JSON.isStyled(text, as: options)
            && (options.keyOrder != .sorted || document.hasSortedKeys)
    }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try JSON.write(document, to: &output, options: options, limits: limits)
    }

    static func resembles(_ bytes: [UInt8]) -> Bool { JSONSalvageSyntax.resembles(bytes) }
    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try TextSalvage.salvage(bytes, as: .json, limits: limits, JSONSalvageSyntax.init)
    }
}

/// The common parts of the two dialects of OpenStep text.
private protocol OpenStepFormatDefinition: WritableFormatDefinition {
    static var dialect: OpenStep.Dialect { get }
}

extension OpenStepFormatDefinition {
    static var defaultExtension: String { "plist" }
    static var mediaType: String { "text/plain; charset=utf-8" }
    static var traits: FormatTraits {
        let ofBoth: FormatTraits = [.text, .lastDuplicateKeyWins, .bareWords]
        return dialect == .openStep ? ofBoth.union([.textScalars, .textDates]) : ofBoth.union(.wholeSeconds)
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

    // Plain OpenStep text has no reals, so there a real is a loss.
    static var widensReals: Bool { dialect == .gnustep }
    static func losses(in document: Document) -> [Problem] { OpenStep.losses(in: document, dialect: dialect) }
    static var foreignValues: Set<ForeignValue.Kind> { [] }

    static func write(
        _ document: Document, to output: inout ByteWriter, options: WriteOptions, limits: Limits
    ) throws(Problem) {
        try OpenStep.write(document, to: &output, dialect: dialect, options: options, limits: limits)
    }

    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try OpenStepSalvageSyntax.salvage(bytes, dialect, limits)
    }
}

private enum OpenStepFormat: OpenStepFormatDefinition {
    static var dialect: OpenStep.Dialect { .openStep }
    static var title: String { "OpenStep property list" }
    static var article: String { "an " }
    static var adjective: String { "OpenStep" }
    static var aliases: [String] { [] }
    static var extensions: [String] { ["strings", "openstep"] }
    static var signature: FormatSignature { .propertyList }
}

private enum GNUstepFormat: OpenStepFormatDefinition {
    static var dialect: OpenStep.Dialect { .gnustep }
    static var title: String { "GNUstep property list" }
    static var article: String { "a " }
    static var adjective: String { "GNUstep" }
    static var aliases: [String] { [] }
    static var extensions: [String] { [] }
    static var signature: FormatSignature { .typedPropertyList }
}

private enum TypedStreamFormat: BinaryFormatDefinition {
    static var title: String { "typedstream" }
    static var article: String { "a " }
    static var adjective: String { "typedstream" }
    static var aliases: [String] { [] }
    static var extensions: [String] { [] }
    static var defaultExtension: String { "typedstream" }
    static var mediaType: String { "application/octet-stream" }

    static var signature: FormatSignature { .typedStream }
    static var traits: FormatTraits { .objectsOnly }
    static var access: FormatAccess { .readOnly(because: "its structure depends on the program that wrote it") }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try TypedStream.read(bytes, limits: limits)
    }

    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try TypedStream.salvage(bytes, limits: limits)
    }
}

private enum SQLiteFormat: BinaryFormatDefinition {
    static var title: String { "SQLite database" }
    static var article: String { "an " }
    static var adjective: String { "SQLite" }
    static var aliases: [String] { ["sqlite3"] }
    static var extensions: [String] { ["sqlite", "sqlite3", "db", "store"] }
    static var defaultExtension: String { "sqlite" }
    static var mediaType: String { "application/vnd.sqlite3" }

    static var signature: FormatSignature { .database }
    static var traits: FormatTraits { [.database, .sharedEndings] }
    static var access: FormatAccess { .readOnly(because: "use sqlite3 to change it") }

    static func read(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Document {
        try SQLite.read(bytes, limits: limits)
    }

    static func resembles(_ bytes: [UInt8]) -> Bool {
        DamagedDatabase(in: bytes) != nil || SQLite.resembles(bytes)
    }

    static func salvage(_ bytes: [UInt8], limits: Limits) throws(Problem) -> Salvage {
        try SQLite.salvage(bytes, limits: limits)
    }
}
