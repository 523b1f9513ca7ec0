import KeyedArchives
package import SaveCodec

/// A scalar to compare values with, as typed on the command line.
///
///     10, 2.5       numbers: integers and reals of any width
///     Ada, "Ada"    strings
///     2009-09-06    a date, and strings with the same date
package struct ComparisonOperand: Sendable {
    /// The order of a value relative to a compared value.
    enum Order: Sendable {
        case less, same, greater
    }

    private let node: Node
    /// The typed text of a date, which strings may equal.
    private let text: [UInt16]?
    /// The operand if it is a string whose case is ignored.
    private let pattern: TextPattern?

    /// Parses a scalar: typed JSON, a date, or an unquoted string.
    ///
    /// - Parameter ignoresCase: Whether a string equals the operand in another case.
    /// - Throws: `find.container` for a container, or a problem for malformed JSON that begins with `{`, `[` or `"`.
    package init(_ text: String, ignoresCase: Bool = false) throws(Problem) {
        var date: String?
        do throws(Problem) {
            let document = try Document.readGiven(Array(text.utf8))
            node = document[document.root]
        } catch {
            if let seconds = ScalarText.completedDate(text).flatMap({ ScalarText.seconds(ofDate: $0.utf16) }) {
                node = .date(seconds)
                date = text
            } else if text.utf8.first.map("{[\"".utf8.contains) ?? true {
                throw error
            } else {
                var builder = DocumentBuilder()
                builder.add(string: text)
                let document = try builder.finish()
                node = document[document.root]
            }
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
        case (.string(let a), _) where pattern?.match(whole: a) == .found: return .same
        case (.string(let a), .string(let b)): return Self.order(of: a, to: b)
        case (.string(let a), .date(let b)): return order(ofText: a, toDate: b)
        case (.string(let a), _) where isText: return a.number.flatMap { order(ofNumber: $0) }
        case (.date(let a), .date(let b)): return Self.order(isSame: a == b, isLess: a < b, isGreater: a > b)
        case (.data(let a), .data(let b)): return a == b ? .same : nil
        case (.uid(let a), .uid(let b)): return a.value == b.value ? .same : nil
        case (.real32(let a), .real64(let b)) where a.isFinite && b.isFinite:
            // A 32-bit real is printed with as few digits as identify it among 32-bit reals.
            let b = Float(b)
            return Self.order(isSame: a == b, isLess: a < b, isGreater: a > b)
        default: return Number(comparable: found).flatMap { order(ofNumber: $0) }
        }
    }

    private static func order(isSame: Bool, isLess: Bool, isGreater: Bool) -> Order? {
        isSame ? .same : isLess ? .less : isGreater ? .greater : nil
    }

    private func order(ofNumber a: Number) -> Order? {
        guard let b = Number(comparable: node) else { return nil }
        return Self.order(isSame: a == b, isLess: a < b, isGreater: b < a)
    }

    private static func order(of a: StoredString, to b: StoredString) -> Order? {
        if a.hasSameUnits(as: b) { return .same }
        return a.lexicographicallyPrecedes(b) ? .less : .greater
    }

    private func order(ofText found: StoredString, toDate date: Double) -> Order? {
        if let text, found.elementsEqual(text) { return .same }
        guard let seconds = found.date else { return nil }
        return Self.order(isSame: seconds == date, isLess: seconds < date, isGreater: seconds > date)
    }
}
