/// Something wrong with a document, or something that a format cannot hold: what it is, where it is, and how grave.
///
/// A problem is data. Readers throw it, documents carry it as a warning, writers list it as a loss. Its sentence says
/// what was found and what was expected; the place is printed by whoever knows the file's name.
///
/// The message for people, place and sentence, is ``description``. Nothing here imports Foundation; who does makes it that
/// of `localizedDescription`, too, by one line:
///
///     extension Problem: @retroactive LocalizedError { public var errorDescription: String? { description } }
public struct Problem: Error, Sendable, Equatable {
    /// How grave a problem is.
    public enum Severity: String, Sendable, Comparable {
        /// Worth knowing; the document is sound.
        case info
        /// The document can be used, but someone should look.
        case warning
        /// The document, or the conversion that was asked for, is refused.
        case error

        /// Less grave comes first.
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

    /// What is wrong, for code that treats some problems differently from others.
    package struct Kind: Sendable, Hashable {
        /// A stable identifier, such as `binary.reference-range`: the format or area, a point, and what is wrong.
        package let id: String

        /// The kind with an identifier.
        package init(_ id: String) {
            self.id = id
        }

        /// Whether a kind belongs to an area, the part of its identifier before the point.
        package func isOf(_ area: Area) -> Bool { self.area == area.rawValue }

        /// The area, the part of the identifier before the point.
        var area: String { String(id.prefix { $0 != "." }) }
    }

    /// Areas whose problems are treated alike.
    package enum Area: String {
        /// What is no sound keyed archive.
        case archive
        /// What is no graph JSON.
        case graph
        /// Text that is not JSON, or not typed JSON.
        case json
        /// What is no form that a browser sends.
        case form
    }

    /// What is wrong.
    package var kind: Kind { box.parts.kind }
    /// The stable identifier of the kind, such as `binary.reference-range`.
    public var id: String { kind.id }
    /// How grave it is.
    public var severity: Severity { box.parts.severity }
    /// Where in the file it is, if a place in the file is known.
    public var place: SourceLocation? {
        get { box.parts.place }
        set { change { $0.place = newValue } }
    }
    /// Where in the value it is, if that is known.
    public var address: JSONPointer? {
        get { box.parts.address }
        set { change { $0.address = newValue } }
    }
    /// What was found and what was expected, as one sentence without capital letter, full stop or place.
    public var message: String { box.parts.message }
    /// The number of values that the problem is about: more than one only at the end of a long list (``LossList``).
    package var count: Int {
        get { box.parts.count }
        set { change { $0.count = newValue } }
    }

    /// The parts of a problem. They are in a box of their own, as nearly every function of the library may throw one, and
    /// copies all of it on its way out.
    private struct Parts: Sendable, Equatable {
        let kind: Kind
        let severity: Severity
        var place: SourceLocation?
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

    /// Whether two problems have the same parts.
    public static func == (a: Problem, b: Problem) -> Bool {
        a.box === b.box || a.box.parts == b.box.parts
    }

    /// Creates a problem from its parts; the kind is that with the identifier `id`.
    package init(
        _ id: String, _ message: String, severity: Severity = .error, at place: SourceLocation? = nil,
        address: JSONPointer? = nil
    ) {
        self.init(Kind(id), message, severity: severity, at: place, address: address)
    }

    /// Creates a problem from its parts.
    package init(
        _ kind: Kind, _ message: String, severity: Severity = .error, at place: SourceLocation? = nil,
        address: JSONPointer? = nil
    ) {
        box = Box(Parts(kind: kind, severity: severity, place: place, address: address, message: message))
    }
}

/// Where in a file something stands, or in what is in it.
public enum SourceLocation: Sendable, Hashable {
    /// An offset in bytes from the start of a binary file.
    case byte(Int)
    /// A line and a column of a text file, both counted from 1. A column is a Unicode scalar value.
    case line(Int, column: Int)
    /// A place in what a layer around the file's contents holds, or several do: `gzip data`.
    indirect case within(String, SourceLocation)

    /// The place of the byte at `offset` in a text held as valid UTF-8.
    ///
    /// Lines end at LF, CR LF or CR.
    static func inText(_ text: [UInt8], at offset: Int) -> SourceLocation {
        var line = 1
        var lineStart = 0
        let end = min(offset, text.count)
        for index in 0..<end {
            let isCRLF = text[index] == 0x0D && index + 1 < text.count && text[index + 1] == 0x0A
            if text[index] == 0x0A || (text[index] == 0x0D && !isCRLF) {
                line += 1
                lineStart = index + 1
            }
        }
        var column = 1
        for index in lineStart..<max(end, lineStart) where text[index] & 0xC0 != 0x80 {
            column += 1
        }
        return .line(line, column: column)
    }
}

extension SourceLocation: CustomStringConvertible {
    /// `byte 0x1A4F`, `12:7`, or `in the gzip data: byte 0x1A4F`.
    public var description: String {
        switch self {
        case .byte(let offset): "byte 0x" + String(offset, radix: 16, uppercase: true)
        case .line(let line, let column): "\(line):\(column)"
        case .within(let layers, let place): "in the \(layers): \(place)"
        }
    }
}

extension Problem: CustomStringConvertible {
    /// The message: the place and the address, if they are known, and the sentence: `byte 0x1A4F: dictionary key 3 refers to …`.
    public var description: String {
        var text = ""
        if let place { text += "\(place): " }
        if let address { text += "\(address): " }
        return text + message
    }
}

/// What can be wrong with a document in any format.
extension Problem {
    static func emptyDocument() -> Problem {
        Problem("document.empty", "there is no value; expected one")
    }

    static func tooDeep(_ limit: Int, at place: SourceLocation?) -> Problem {
        Problem("limit.depth", "more than \(limit) containers are nested in each other", at: place)
    }
}
