import KeyedArchives
import SaveCodec

/// The types of scores and dates. A table may have several: JSON does not tell 13 and 13.0 apart.
extension ScoreTable {
    /// A score as the table stores scores.
    ///
    /// - Parameter record: the position of a record, whose type comes first.
    /// - Throws: a problem for a number that no type of the table holds exactly.
    func fitted(_ score: Number, near record: Int) throws(Problem) -> Number {
        guard !records.isEmpty else { return score }
        for position in [record] + firstOfTypes {
            if let fitted = fitted(score, to: records[position].score) { return fitted }
        }
        let present = TypePhrase.of(records[record].score.node)
        throw Problem("scores.fit", "the score \(score) cannot be stored as \(present), which is what the others are")
    }

    /// The position of a record whose score is of the type of another one: the given one if that is so.
    func scoreSample(of score: Number, near record: Int) -> Int {
        ([record] + firstOfTypes).first { records[$0].score.isOfType(of: score) } ?? record
    }

    /// Whether the date of a record is a string, as in JSON, which has no dates.
    func hasTextDate(_ position: Int) -> Bool {
        let places = ScoreReader(view, fields).places(in: element(position))
        guard let places, let place = places.date else { return false }
        return view.text(view.item(place, of: places.contents).id) != nil
    }

    /// Whether dates are strings here. Where no record has one, but there are records, they are so in JSON and in OpenStep
    /// text; in a new file they are those of typed JSON, from which every form can be made again.
    var datesAreText: Bool {
        let areDatesText = [.json, .openStep].contains(view.document.sourceFormat)
        return firstDated.map(hasTextDate) ?? (areDatesText && !records.isEmpty)
    }

    private func fitted(_ score: Number, to present: Number) -> Number? {
        switch Setting(score.node, "\(score)", for: present.node) {
        case .integer(let integer): .integer(integer.value)
        case .real64(let value): .real(value)
        case .real32(let value, isRounded: false): .single(value)
        case .asGiven: score
        default: nil
        }
    }
}

extension Number {
    /// The number as a value of a document.
    var node: Node {
        switch self {
        case .integer(let value): .integer(StoredInteger(value))
        case .real(let value): .real64(value)
        case .single(let value): .real32(value)
        }
    }

    /// Whether two numbers are stored alike.
    func isOfType(of other: Number) -> Bool {
        switch (self, other) {
        case (.integer, .integer), (.real, .real), (.single, .single): true
        default: false
        }
    }
}
