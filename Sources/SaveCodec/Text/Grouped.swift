/// A number for people.
package enum Grouped {
    /// The number with a comma after every thousand: `2,113`.
    package static func of(_ number: Int) -> String {
        let digits = Array(number.magnitude.description.utf8)
        var text = number < 0 ? "-" : ""
        for (position, digit) in digits.enumerated() {
            if position > 0, (digits.count - position) % 3 == 0 { text += "," }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }
}
