/// A list of the values that a format cannot represent.
///
/// The first thousand have an address. The rest are counted by kind. A loss takes as much memory as its address, so an
/// unlimited list could be thousands of times as large as the file.
package struct LossList {
    package init() {}

    private static let limit = 1000

    /// The first losses, up to the limit.
    package private(set) var listed: [Problem] = []
    /// The number of unlisted losses of each kind, in the order of their first occurrence.
    private var omitted: [(kind: Problem.Kind, count: Int)] = []
    /// The number of unlisted losses.
    package var rest: Int { omitted.reduce(0) { $0 + $1.count } }

    /// Adds a loss.
    ///
    /// The closure is called only if the list has room. After that, the loss is only counted by its kind.
    ///
    /// - Parameters:
    ///   - kind: The kind of the loss.
    ///   - count: The number of values that the loss is about.
    ///   - problem: A closure that creates the problem, including its address.
    package mutating func add(
        _ kind: @autoclosure () -> Problem.Kind = .init("loss.more"), count: Int = 1, _ problem: () -> Problem
    ) {
        guard listed.count >= Self.limit else { return listed.append(problem()) }
        let kind = kind()
        if let position = omitted.firstIndex(where: { $0.kind == kind }) {
            omitted[position].count += count
        } else {
            omitted.append((kind, count))
        }
    }

    /// The losses, with one problem without an address for each kind of unlisted losses.
    package var problems: [Problem] {
        listed
            + omitted.map { kind, count in
                var problem = Problem(kind, "and \(LossPhrase.counted(kind, count, adjective: "more "))")
                problem.count = count
                return problem
            }
    }
}

/// The nouns for lost values, by kind of loss.
package enum LossPhrase {
    /// Returns a count with a noun, such as `1 null` or `12 dates with a fraction of a second`.
    static func counted(_ kind: Problem.Kind, _ count: Int, adjective: String = "") -> String {
        let (one, many) = noun(kind)
        return "\(CountText.of(count)) \(adjective)\(count == 1 ? one : many)"
    }

    /// Returns a summary such as `2 sets, 1 null and 3 values`, with the kinds in the order of the list.
    package static func summary(of losses: [Problem], adjective: String = "") -> String {
        var counts: [(kind: Problem.Kind, count: Int)] = []
        var positions: [String: Int] = [:]
        for loss in losses {
            if let position = positions[noun(loss.kind).one] {
                counts[position].count += loss.count
            } else {
                positions[noun(loss.kind).one] = counts.count
                counts.append((loss.kind, loss.count))
            }
        }
        return losses.isEmpty ? "" : Phrase.series(counts.map { counted($0.kind, $0.count, adjective: adjective) })
    }

    /// The kind of the lost value, for losses of whole values.
    private static let kinds: [String: ValueKind] = [
        "loss.null": .null, "foreign.null": .null, "loss.set": .set, "loss.uid": .uid, "plain.uid": .uid,
        "loss.integer": .integer, "loss.real": .real, "loss.date": .date,
    ]

    private static func noun(_ kind: Problem.Kind) -> (one: String, many: String) {
        if let name = kinds[kind.id]?.rawValue { return (name, name + "s") }
        return switch kind.id {
        case "loss.boolean": ("Boolean", "Booleans")
        case "loss.integer-range", "foreign.integer": ("integer beyond 64 bits", "integers beyond 64 bits")
        case "loss.ignored-text": ("piece of ignored text", "pieces of ignored text")
        case "loss.digits": ("number with too many digits for a real", "numbers with too many digits for a real")
        case "loss.nan": ("NaN with a payload", "NaNs with a payload")
        case "loss.date-fraction": ("date with a fraction of a second", "dates with a fraction of a second")
        case "loss.date-range": ("date outside the calendar", "dates outside the calendar")
        case "loss.character": ("string with a forbidden character", "strings with a forbidden character")
        case "loss.surrogate": ("string with a lone surrogate", "strings with a lone surrogate")
        case "loss.repeated-key": ("dictionary with a duplicate key", "dictionaries with a duplicate key")
        case "loss.key-type": ("dictionary with a non-string key", "dictionaries with a non-string key")
        case "loss.uid-shape": ("dictionary that reads as a UID", "dictionaries that read as a UID")
        case "plain.class":
            ("object of a class that is not Foundation's", "objects of classes that are not Foundation's")
        case "scores.record", "scores.name", "scores.field", "scores.type", "scores.more":
            ("record that cannot be read", "records that cannot be read")
        case "scores.extra": ("field of records", "fields of records")
        default: ("value", "values")
        }
    }
}
