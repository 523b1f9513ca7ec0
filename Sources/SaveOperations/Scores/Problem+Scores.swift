import SaveCodec

/// What can be wrong with a table of high scores.
extension Problem {
    static func scoresMissing(_ fields: [ScoreFields], at address: JSONPointer?) -> Problem {
        Problem(
            "scores.none",
            "no high scores; expected an array of records with \(fields.map(\.shown).joined(separator: ", or "))",
            address: address)
    }

    static func scoresSeveral(_ addresses: [JSONPointer]) -> Problem {
        let shown = addresses.prefix(4).map { "\($0.description.prefix(80))" } + (addresses.count > 4 ? ["more"] : [])
        return Problem("scores.several", "\(shown.joined(separator: ", ")) hold high scores; expected one table")
    }

    static func scoresNothing(at address: JSONPointer) -> Problem {
        Problem("scores.address", "nothing is there; expected an array of high scores", address: address)
    }

    static func scoresArray(_ found: String, at address: JSONPointer) -> Problem {
        Problem("scores.array", "found \(found); expected an array of high scores", address: address)
    }

    static func scoresForm(_ form: ScoreForm, expected: ScoreForm) -> Problem {
        Problem("scores.form", "high scores in the form \(form.rawValue); expected \(expected.rawValue)")
    }

    // MARK: Records

    static func scoresElement(_ found: String, _ fields: ScoreFields) -> Problem {
        Problem("scores.record", "found \(found); expected a record with \(fields.shown)")
    }

    static func scoresField(_ field: [UInt16]) -> Problem {
        Problem("scores.field", "the record has no \(SafeText.escaping(field.prefix(80)))")
    }

    static func scoresType(_ found: String, _ expected: String, _ field: [UInt16]) -> Problem {
        Problem("scores.type", "found \(found); expected \(expected)", address: JSONPointer(tokens: [field]))
    }

    static func scoresName(_ count: Int, _ field: [UInt16]) -> Problem {
        Problem(
            "scores.name", "a name of \(count) UTF-16 units; expected at most \(ScoreRecord.longestName)",
            address: JSONPointer(tokens: [field]))
    }

    // MARK: New records

    static func scoresFit(_ score: Number, _ present: String) -> Problem {
        Problem("scores.fit", "the score \(score) cannot be stored as \(present), which is what the others are")
    }

    static func scoresDate(_ seconds: Double) -> Problem {
        Problem("scores.date", "a date of \(ScalarText.real(seconds)) seconds since 2001, which no text tells exactly")
    }

    // MARK: What is left out

    static func scoresExtra(_ field: [UInt16], count: Int) -> Problem {
        Problem(
            "scores.extra",
            "the field \(SafeText.escaping(field)) of \(Phrase.count(count, "record")), for which there is no place"
        )
    }

    static func scoresBeside() -> Problem {
        Problem("scores.beside", "what stands beside the table, for which there is no place")
    }
}
