/// The values of a document that a format cannot hold: the first thousand, each with its address, and of each kind how
/// many more there are.
///
/// A loss takes as much memory as its address, so a list without an end could be thousands of times larger than the file.
package struct LossList {
    package init() {}

    private static let limit = 1000

    /// The first of the losses.
    package private(set) var listed: [Problem] = []
    /// The number of unlisted losses of each kind, in the order in which the kinds were first left out.
    private var omitted: [(kind: Problem.Kind, count: Int)] = []
    /// How many more there are.
    package var rest: Int { omitted.reduce(0) { $0 + $1.count } }

    /// Adds a loss. Its problem, address included, is only made while there is room for it; after that its kind counts.
    ///
    /// - Parameter count: how many values it is about.
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

    /// The losses. Unlisted ones become one problem per kind, without an address.
    package var problems: [Problem] {
        listed
            + omitted.map { kind, count in
                var problem = Problem(kind, "and \(LossKind.counted(kind, count, adjective: "more "))")
                problem.count = count
                return problem
            }
    }
}

/// The names of lost values, by kind of loss.
package enum LossKind {
    /// `1 null`, `12 dates with a fraction of a second`.
    static func counted(_ kind: Problem.Kind, _ count: Int, adjective: String = "") -> String {
        let (one, many) = noun(kind)
        return "\(count) \(adjective)\(count == 1 ? one : many)"
    }

    /// `2 sets, 1 null and 3 values`: the kinds in the order of the list.
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
        let phrases = counts.map { counted($0.kind, $0.count, adjective: adjective) }
        guard let last = phrases.last, phrases.count > 1 else { return phrases.first ?? "" }
        return phrases.dropLast().joined(separator: ", ") + " and " + last
    }

    /// The losses of whole values of a kind.
    private static let kinds: [String: ValueKind] = [
        "loss.null": .null, "foreign.null": .null, "loss.set": .set, "loss.uid": .uid, "plain.uid": .uid,
        "loss.integer": .integer, "loss.real": .real, "loss.date": .date,
    ]

    private static func noun(_ kind: Problem.Kind) -> (one: String, many: String) {
        if let name = kinds[kind.id]?.rawValue { return (name, name + "s") }
        return switch kind.id {
        case "loss.boolean": ("Boolean", "Booleans")
        case "loss.integer-range", "foreign.integer": ("integer beyond 64 bits", "integers beyond 64 bits")
        case "loss.digits": ("number with too many digits for a real", "numbers with too many digits for a real")
        case "loss.nan": ("NaN with bits of its own", "NaNs with bits of their own")
        case "loss.date-fraction": ("date with a fraction of a second", "dates with a fraction of a second")
        case "loss.date-range": ("date outside the calendar", "dates outside the calendar")
        case "loss.character": ("string with a forbidden character", "strings with a forbidden character")
        case "loss.surrogate": ("string with half a surrogate pair", "strings with half a surrogate pair")
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
