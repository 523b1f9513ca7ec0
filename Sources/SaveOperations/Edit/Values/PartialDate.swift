import SaveCodec

/// A date that lacks its time, or its time zone.
///
///     2024-02-20              without a time          2024-02-20T00:00:00Z
///     2024-02-20T10:00:00     without a time zone     2024-02-20T10:00:00Z
package struct PartialDate {
    /// What it is and what is missing.
    let phrase: String
    /// The date with it.
    package let completed: String

    /// Nil for what is no date, or a whole one.
    package init?(_ text: String) {
        for (missing, end) in [("a time", "T00:00:00Z"), ("a time zone", "Z")] {
            guard ScalarText.seconds(ofDate: (text + end).utf16) != nil else { continue }
            completed = text + end
            phrase = "a date without \(missing), which \(completed) has"
            return
        }
        return nil
    }
}
