/// A finding about a document, or a loss, with its message, location and severity.
///
/// A problem is a value. Readers throw it, documents carry it as a warning, and writers list it as a loss. Its message
/// says what was found and what was expected. The caller that knows the file's name prints the location.
///
/// The text for users, with location and message, is ``description``. This library does not use Foundation. A program
/// that does can add one line to make the text available as `localizedDescription`:
///
///     extension Problem: @retroactive LocalizedError { public var errorDescription: String? { description } }
public struct Problem: Error, Sendable, Equatable {
    /// The severity of a problem.
    public enum Severity: String, Sendable, Comparable {
        /// Worth knowing. The document is valid.
        case info
        /// The document is usable, but should be reviewed.
        case warning
        /// The document or the requested conversion is refused.
        case error

        /// Compares severities in ascending order.
        public static func < (a: Severity, b: Severity) -> Bool {
            a.rank < b.rank
        }

        private var rank: Int {
            switch self {
            case .info: 0
            case .warning: 1
            case .error: 2
            }
        }
    }

    /// The kind of a problem, for code that treats some problems differently from others.
    package struct Kind: Sendable, Hashable {
        /// A stable identifier such as `binary.reference-range`: the format or area, a period, and a name.
        package let id: String

        /// Creates the kind with an identifier.
        package init(_ id: String) {
            self.id = id
        }

        /// The area, which is the part of the identifier before the period.
        package var area: Area? { Area(rawValue: String(id.prefix { $0 != "." })) }

        /// Whether the kind belongs to one of the areas.
        package func isOf(_ areas: Area...) -> Bool { area.map(areas.contains) ?? false }

        /// Whether the problem is in the syntax of a text.
        package var isTextSyntax: Bool { isOf(.gnustep, .json, .openstep, .xml) }

        /// Whether the problem is in compressed data.
        package var isCompression: Bool { isOf(.deflate, .gzip, .zlib) }
    }

    /// An area of problems: a format, a layer, a conversion or a command.
    package enum Area: String, CaseIterable, Sendable {
        // Formats.
        case binary, gnustep, json, openstep, sqlite, typedstream, xml
        // Layers around files.
        case deflate, gzip, wrapping, zlib
        // Files of any format.
        case damage, document, format, limit, salvage, text
        // Archives and their classes.
        case archive, `class`, foreign, graph
        // Conversions.
        case coding, convert, decode, encode, exact, filter, fixup, flat, loss, plain
        // Comparisons, edits and searches.
        case edit, find, get, like, merge, patch, pattern, set
        // Checks and migrations.
        case migrate, profile, project, schema, validate
        // High scores and preferences.
        case defaults, form, salt, scores, submission
    }

    /// The kind of the problem.
    package var kind: Kind { box.parts.kind }
    /// The stable identifier of the kind, such as `binary.reference-range`.
    public var id: String { kind.id }
    /// The severity of the problem.
    public var severity: Severity { box.parts.severity }
    /// The location in the file, if known.
    public var location: SourceLocation? {
        get { box.parts.location }
        set { change { $0.location = newValue } }
    }
    /// The address of the value, if known.
    public var address: JSONPointer? {
        get { box.parts.address }
        set { change { $0.address = newValue } }
    }
    /// The message, a sentence without initial capital, period and location: what was found and what was expected.
    public var message: String { box.parts.message }
    /// The number of values that the problem is about, which exceeds one only at the end of a long list (``LossList``).
    package var count: Int {
        get { box.parts.count }
        set { change { $0.count = newValue } }
    }

    /// The parts of a problem, boxed because nearly every function of the library may throw one and would copy them.
    private struct Parts: Sendable, Equatable {
        let kind: Kind
        let severity: Severity
        var location: SourceLocation?
        var address: JSONPointer?
        let message: String
        var count = 1
    }

    private final class Box: Sendable {
        let parts: Parts

        init(_ parts: Parts) {
            self.parts = parts
        }
    }

    private var box: Box

    @inline(never)
    private mutating func change(_ body: (inout Parts) -> Void) {
        var parts = box.parts
        body(&parts)
        box = Box(parts)
    }

    /// Whether two problems have equal parts.
    public static func == (a: Problem, b: Problem) -> Bool {
        a.box === b.box || a.box.parts == b.box.parts
    }

    /// Creates a problem from its parts and the identifier of its kind.
    package init(
        _ id: String, _ message: String, severity: Severity = .error, at location: SourceLocation? = nil,
        address: JSONPointer? = nil
    ) {
        self.init(Kind(id), message, severity: severity, at: location, address: address)
    }

    /// Creates a problem from its parts.
    package init(
        _ kind: Kind, _ message: String, severity: Severity = .error, at location: SourceLocation? = nil,
        address: JSONPointer? = nil
    ) {
        box = Box(Parts(kind: kind, severity: severity, location: location, address: address, message: message))
    }
}

/// A location in a file or in the contents of its layers.
public enum SourceLocation: Sendable, Hashable {
    /// A zero-based byte offset in a binary file.
    case byte(Int)
    /// A one-based line and column of a text file. Columns count Unicode scalars.
    case line(Int, column: Int)
    /// A location in the contents of one or more layers, preceded by their description, such as `gzip data`.
    indirect case within(String, SourceLocation)
}

extension SourceLocation: CustomStringConvertible {
    /// The location as text, such as `byte 0x1A4F`, `12:7` or `in the gzip data: byte 0x1A4F`.
    public var description: String {
        switch self {
        case .byte(let offset): "byte " + Hexadecimal.prefixed(offset, digits: 1)
        case .line(let line, let column): "\(line):\(column)"
        case .within(let layers, let location): "in the \(layers): \(location)"
        }
    }
}

extension Problem: CustomStringConvertible {
    /// The location and the address, if known, followed by the message: `byte 0x1A4F: dictionary key 3 refers to …`.
    public var description: String {
        var text = ""
        if let location { text += "\(location): " }
        if let address { text += "\(address): " }
        return text + message
    }
}

/// The problems of a document in any format.
extension Problem {
    static func emptyDocument() -> Problem {
        Problem("document.empty", "the document is empty; expected a value")
    }

    static func tooDeep(_ limit: Int, at location: SourceLocation?) -> Problem {
        Problem("limit.depth", "containers are nested more than \(limit) levels deep", at: location)
    }
}
