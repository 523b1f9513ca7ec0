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
