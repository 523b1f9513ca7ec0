/// The text that a reader of OpenStep text or XML ignores: everything from the first text that is not part of the property
/// list.
///
///     "a" = "1";        "a" = "1";           </plist>
///     } rest            /* not closed        my notes
///
/// Zero bytes that pad a file are not ignored text.
extension Document {
    /// The offset of the ignored text in the UTF-8 text that the document was read from, or nil.
    package var ignoredTextStart: Int? { facts.formatFacts.ignoredTextStart }

    /// Returns an offset from which a reader ignored the text; nil if only zero bytes follow.
    static func startOfIgnoredText(in text: [UInt8], from offset: Int) -> Int? {
        text[offset...].contains { $0 != 0 } ? offset : nil
    }

    /// Returns the losses in reading a text: ignored text, digits of numbers that were rounded, and values that the
    /// formats of nested saves cannot represent.
    ///
    /// - Parameter text: The UTF-8 text that the document was read from.
    package func readingLosses(of text: @autoclosure () -> [UInt8]) -> [Problem] {
        lossesOfIgnoredText(in: text()) + digitLosses(in: text()) + nestedNotes.losses
    }

    /// Returns the loss of the ignored text, or an empty array.
    ///
    /// - Parameter text: The UTF-8 text that the document was read from.
    package func lossesOfIgnoredText(in text: @autoclosure () -> [UInt8]) -> [Problem] {
        guard let start = ignoredTextStart else { return [] }
        let location = SourceLocation.inText(text(), at: start)
        return [Problem("loss.ignored-text", "the ignored text would be dropped", at: location)]
    }
}
