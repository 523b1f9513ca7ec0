import KeyedArchives
package import SaveCodec

/// A scalar to compare values with, as typed on the command line.
///
///     10, 2.5       numbers: integers and reals of any width
///     Ada, "Ada"    strings
///     YES, No       strings, and Booleans as languages and property lists spell them
///     2009-09-06    a date, and strings with the same date
///     2009-09       the first day of a month; compared with dates, a year is its first day, too
package struct ComparisonOperand: Sendable {
    /// The order of a value relative to a compared value.
    enum Order: Sendable {
        case less, same, greater
    }

    private let node: Node
    /// The typed text of a date, which strings may equal.
    private let text: [UInt16]?
    /// The Boolean that an unquoted word may stand for, in any case.
    private let boolean: Bool?
    /// The date at which the year begins that a number may stand for.
    private let startOfYear: Double?
    /// The operand if it is a string whose case is ignored.
    private let pattern: TextPattern?

    /// Parses a scalar: typed JSON, a date, or an unquoted string.
    ///
    /// - Parameter ignoresCase: Whether a string equals the operand in another case.
    /// - Throws: `find.container` for a container, or a problem for malformed JSON that begins with `{`, `[` or `"`.
    package init(_ text: String, ignoresCase: Bool = false) throws(Problem) {
        var date: String?
        var boolean: Bool?
        do throws(Problem) {
            let document = try Document.readGiven(Array(text.utf8))
            node = document[document.root]
        } catch {
            let isMonth = text.utf8.count == 7
            if let seconds = Self.seconds(ofDate: text) ?? (isMonth ? Self.seconds(ofDate: text + "-01") : nil) {
                node = .date(seconds)
                date = text
            } else if text.utf8.first.map("{[\"".utf8.contains) ?? true {
                throw error
            } else {
                var builder = DocumentBuilder()
                builder.add(string: text)
                let document = try builder.finish()
                node = document[document.root]
                boolean = Self.booleans[text.lowercased()]
            }
        }
        self.boolean = boolean
        if case .integer = node, text.utf8.count == 4 {
            startOfYear = Self.seconds(ofDate: text + "-01-01")
        } else {
            startOfYear = nil
        }
        self.text = date.map { Array($0.utf16) }
        if ignoresCase, case .string(let string) = node {
            pattern = TextPattern(Array(string), ignoresCase: true)
        } else {
            pattern = nil
        }
        guard node.contentCount == nil else {
            throw Problem("find.container", "expected a scalar, not a container")
        }
    }

    private static let booleans = ["true": true, "yes": true, "false": false, "no": false]

    /// Whether the operand is a string.
    package var isString: Bool { if case .string = node { true } else { false } }

    /// Returns the order of a value relative to the operand; nil if the two are unequal and have no order.
    ///
    /// - Parameter isText: Whether the value is from a format in which all scalars are text, so that a string may be a
    ///   number.
    func order(of found: Node, isText: Bool) -> Order? {
        switch (found, node) {
        case (.null, .null): return .same
        case (.boolean(let a), .boolean(let b)): return a == b ? .same : nil
        case (.boolean(let a), _) where a == boolean: return .same
        case (.string(let a), _) where pattern?.match(whole: a) == .found: return .same
        case (.string(let a), .string(let b)): return Self.order(of: a, to: b)
        case (.string(let a), .date(let b)): return order(ofText: a, toDate: b)
        case (.string(let a), _) where isText: return a.number.flatMap { order(ofNumber: $0) }
        case (.date(let a), .date(let b)): return Self.order(of: a, to: b)
        case (.date(let a), _): return startOfYear.flatMap { Self.order(of: a, to: $0) }
        case (.data(let a), .data(let b)): return a == b ? .same : nil
        case (.uid(let a), .uid(let b)): return a.value == b.value ? .same : nil
        case (.real32(let a), .real64(let b)) where a.isFinite && b.isFinite:
            // A 32-bit real is printed with as few digits as identify it among 32-bit reals.
            return Self.order(of: a, to: Float(b))
        default: return Number(comparable: found).flatMap { order(ofNumber: $0) }
        }
    }

    private static func seconds(ofDate text: String) -> Double? {
        ScalarText.completedDate(text).flatMap { ScalarText.seconds(ofDate: $0.utf16) }
    }

    private static func order<Value: BinaryFloatingPoint>(of a: Value, to b: Value) -> Order? {
        a == b ? .same : a < b ? .less : a > b ? .greater : nil
    }

    private func order(ofNumber a: Number) -> Order? {
        guard let b = Number(comparable: node) else { return nil }
        return a == b ? .same : a < b ? .less : b < a ? .greater : nil
    }

    private static func order(of a: StoredString, to b: StoredString) -> Order? {
        if a.hasSameUnits(as: b) { return .same }
        return a.lexicographicallyPrecedes(b) ? .less : .greater
    }

    private func order(ofText found: StoredString, toDate date: Double) -> Order? {
        if let text, found.elementsEqual(text) { return .same }
        guard let seconds = found.date else { return nil }
        return Self.order(of: seconds, to: date)
    }
}
