import KeyedArchives
import SaveCodec

extension StoredString {
    /// The number that the text spells, for a format in which all scalars are text; nil for any other text.
    var number: Number? {
        guard count <= 100, allSatisfy({ $0 < 0x80 && "0123456789+-.eE".utf8.contains(UInt8($0)) }) else { return nil }
        if let integer = Int128(string) { return .integer(integer) }
        return Double(string).flatMap { $0.isFinite ? .real($0) : nil }
    }
}

extension ObjectView {
    /// Whether all scalars are text, as in OpenStep, so that a string can be a number or a date.
    var hasTextScalars: Bool { document.has(.textScalars) }

    /// Returns a scalar in the form in which merge rules compare it. If all scalars of the format are text, a string
    /// that spells a number or a date counts as one.
    func orderedScalar(_ id: ViewID) -> Node? {
        let node = scalar(id)
        guard hasTextScalars, case .string(let text)? = node else { return node }
        switch text.number {
        case .integer(let integer): return .integer(StoredInteger(integer))
        case .real(let real): return .real64(real)
        default: return text.date.map { .date($0) } ?? node
        }
    }
}

extension StoredString {
    /// The date that the text spells, in seconds since 2001; nil for any other text.
    var date: Double? { count <= 64 ? ScalarText.seconds(ofDate: self) : nil }
}
