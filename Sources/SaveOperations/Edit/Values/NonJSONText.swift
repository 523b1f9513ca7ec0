package import KeyedArchives
package import SaveCodec

/// A text that is given for a value but is not valid JSON.
///
///     Bob, yes, C:\saves, a UUID    a string
///     '{"a": 1', '[1,', '"abc'      broken JSON
///     01, 1e, -5x, 0x10, 1,5, .5    a number or a date in a notation that JSON does not have
///     True, NULL, nan, YES          a literal that JSON spells differently or does not have
///
/// Text that fits none of the last three lines is probably meant as a string.
package struct NonJSONText: Sendable {
    /// The likely meaning of a text.
    package enum LikelyMeaning: Sendable {
        case string, brokenJSON, number, literal, nothing
    }

    package let text: String
    /// The reason why the text is not JSON.
    package let problem: Problem

    package init(_ text: String, _ problem: Problem) {
        (self.text, self.problem) = (text, problem)
    }

    package var likelyMeaning: LikelyMeaning {
        var rest = text.utf8.trimming(while: \.isSpace)
        guard let first = rest.first else { return .nothing }
        if "{[\"".utf8.contains(first) { return .brokenJSON }
        let word = String(Substring(rest))
        if Hexadecimal.uuid(word) != nil { return .string }
        if Self.literals.contains(word.lowercased()) { return .literal }
        if "+-".utf8.contains(first) { rest.removeFirst() }
        if rest.first == UInt8(ascii: ".") { rest.removeFirst() }
        return rest.first?.isDigit ?? false ? .number : .string
    }

    /// The literals of programming languages, in lowercase. Their case does not matter.
    private static let literals: Set = [
        "true", "false", "yes", "no", "null", "nil", "none", "nan", "inf", "infinity", "-nan", "-inf", "-infinity",
        "+inf", "+infinity",
    ]
}

extension ObjectView {
    /// Whether a value is null.
    package func isNull(_ id: ViewID) -> Bool {
        if case .null = scalar(id) { true } else { false }
    }

    /// Whether a text such as `{1, 2}` describes an object of the same kind as a present one of an archive.
    package func isAnnotation(_ text: String, of id: ViewID) -> Bool {
        guard let given = try? GivenValue(text: text), case .string(let text) = given.node else { return false }
        return fields(of: id, reading: text) != nil
    }

    /// Returns the text of an object of an archive that such a text can replace; nil for any other object.
    package func replaceableAnnotation(of id: ViewID) -> String? {
        annotation(of: id).flatMap { isAnnotation($0, of: id) ? $0 : nil }
    }

    /// Returns the first value of a container if all of its values have the same type or class. The values of a
    /// dictionary must be strings, because other values under different keys are usually unrelated. Returns nil for an
    /// empty container and for an object.
    package func uniformContent(of container: ViewID) -> ViewID? {
        let value = self[container]
        guard value.contents.count > 0 else { return nil }
        if case .object = value.variant { return nil }
        let first = item(0, of: value.contents).id
        if value.variant.isKeyed, text(first) == nil { return nil }
        let isUniform = (1..<value.contents.count).allSatisfy { isOfKind(first, item($0, of: value.contents).id) }
        return isUniform && !isNull(first) ? first : nil
    }

    /// Returns the kind of the values in a dictionary and their count, if there are at least three and all are strings,
    /// numbers, Booleans or dates of one kind. Such a dictionary is probably a table. Returns nil for any other
    /// container.
    package func uniformTable(_ container: ViewID) -> (kind: ValueKind, count: Int)? {
        let value = self[container]
        guard case .dictionary = value.variant, value.contents.count >= Self.minTableSize else { return nil }
        let first = item(0, of: value.contents).id
        guard let kind = scalar(first)?.kind, [.string, .integer, .real, .boolean, .date].contains(kind) else {
            return nil
        }
        let isUniform = (1..<value.contents.count).allSatisfy { isOfKind(first, item($0, of: value.contents).id) }
        return isUniform ? (kind, value.contents.count) : nil
    }

    private static let minTableSize = 3

    /// Whether any value of a container is a string in the form in which a date is printed.
    package func hasDateTexts(in container: ViewID) -> Bool {
        let contents = self[container].contents
        return (0..<contents.count).contains { isDateText(item($0, of: contents).id) }
    }

    /// Whether a value is a string in the form in which a date is printed: `2009-09-06T12:34:56Z`.
    package func isDateText(_ id: ViewID) -> Bool {
        guard let text = text(id), text.count <= 40, let seconds = ScalarText.seconds(ofDate: text) else {
            return false
        }
        return ScalarText.date(seconds).map { text.elementsEqual($0.utf16) } ?? false
    }

    private func isOfKind(_ a: ViewID, _ b: ViewID) -> Bool {
        if let node = scalar(a) { return scalar(b)?.kind == node.kind }
        guard scalar(b) == nil else { return false }
        let (x, y) = (self[a], self[b])
        return x.kindNumber == y.kindNumber && x.classPosition == y.classPosition
    }
}

extension ViewValue {
    fileprivate var kindNumber: Int {
        switch variant {
        case .scalar: 0
        case .array: 1
        case .set: 2
        case .dictionary: 3
        case .object: 4
        }
    }
}
