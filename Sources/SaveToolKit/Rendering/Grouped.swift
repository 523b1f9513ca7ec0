/// A number for people.
enum Grouped {
    /// The number with a comma after every thousand: `2,113`.
    static func of(_ number: Int) -> String {
        let digits = Array(number.magnitude.description.utf8)
        var text = number < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    /// The number and a noun: `1 object`, `2,113 objects`.
    static func of(_ number: Int, _ noun: String) -> String {
        of(number) + " " + Counted.of(number, noun).split(separator: " ", maxSplits: 1)[1]
    }
}
