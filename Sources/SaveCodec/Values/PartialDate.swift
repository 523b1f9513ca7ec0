/// A date without a time or a time zone.
///
///     2024-02-20              without a time          2024-02-20T00:00:00Z
///     2024-02-20T10:00:00     without a time zone     2024-02-20T10:00:00Z
package struct PartialDate {
    /// The type and the missing part, for messages.
    package let phrase: String
    /// The date with the missing part added.
    package let completed: String

    /// Creates a partial date; nil if the text is not a date or is a complete one.
    package init?(_ text: String) {
        for (missing, end) in [("a time", "T00:00:00Z"), ("a time zone", "Z")] {
            guard ScalarText.seconds(ofDate: (text + end).utf16) != nil else { continue }
            completed = text + end
            phrase = "a date without \(missing) (write \(completed))"
            return
        }
        return nil
    }
}
