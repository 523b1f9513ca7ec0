/// What a reader accepts but someone should look at: of each kind the first place, and how often it stands in the file.
///
/// A place costs a look at the whole text before it, so not every one can have its own warning.
struct OpenStepQuirks {
    enum Kind: Int, CaseIterable {
        case unterminatedComment, ignoredText, missingSemicolon, loneSurrogate, octalRange, emptyEscape
    }

    private var found: [(kind: Kind, offset: Int, count: Int)] = []

    mutating func note(_ kind: Kind, at offset: Int) {
        if let index = found.firstIndex(where: { $0.kind == kind }) {
            found[index].count += 1
        } else {
            found.append((kind, offset, 1))
        }
    }

    /// The warnings, in the order of their first places.
    func warnings(in text: [UInt8]) -> [Problem] {
        found.sorted { $0.offset < $1.offset }
            .map { .openStepQuirk($0.kind, count: $0.count, at: .inText(text, at: $0.offset)) }
    }
}

/// What is accepted in OpenStep text but should be looked at.
extension Problem {
    /// Whether it says that a part of the text is ignored, which no writer of property lists leaves behind.
    var isAboutIgnoredText: Bool { ["openstep.comment", "openstep.ignored-text"].contains(id) }

    fileprivate static func openStepQuirk(_ kind: OpenStepQuirks.Kind, count: Int, at place: SourceLocation) -> Problem
    {
        let (id, sentence) = wording(kind)
        let more = count > 1 ? " (and \(count - 1) more like it)" : ""
        return Problem(id, sentence + more, severity: .warning, at: place)
    }

    private static func wording(_ kind: OpenStepQuirks.Kind) -> (id: String, sentence: String) {
        switch kind {
        case .unterminatedComment:
            ("openstep.comment", "the comment that starts here has no end; the rest of the file belongs to it")
        case .ignoredText:
            ("openstep.ignored-text", "the text from here on starts no pair and is ignored")
        case .missingSemicolon:
            ("gnustep.semicolon", "found '}' after a value; expected ';' before it")
        case .loneSurrogate:
            ("openstep.surrogate", "the string has half of a surrogate pair, which is no character")
        case .octalRange:
            ("openstep.octal", "the octal escape is beyond \\375, the last character of the NeXTSTEP encoding")
        case .emptyEscape:
            ("openstep.escape", "the escape has no hexadecimal digit and is read as U+0000")
        }
    }
}
