import SaveCodec

/// The words by which tables of high scores are recognized. All rules about names of fields and tables are here; the
/// article *Scores and leaderboards* lists them.
///
/// Words are compared by their letters and digits, without case: `player_name`, `PlayerName` and `player-name` are one.
enum ScoreWords {
    /// The list of words that contains the name of a score field. A field with a word of an earlier list takes
    /// precedence over a field with a word of a later list. Two fields of the second list, or of the third, are equally
    /// likely, so it is unclear which one is the score.
    enum ScoreKind: Int, Comparable {
        case score, points, quantity

        static func < (a: ScoreKind, b: ScoreKind) -> Bool { a.rawValue < b.rawValue }
    }

    private static let names = [
        "playername", "player", "name", "username", "user", "nickname", "nick", "displayname", "initials", "who",
        "alias", "gamertag", "handle", "pseudo", "spieler", "nombre", "nom",
    ]
    private static let scores = [
        "score", "totalscore", "highscore", "hiscore", "finalscore", "bestscore", "topscore", "playerscore",
    ]
    private static let pointScores: Set<String> = [
        "points", "pts", "value", "wpm", "result", "total", "punkte", "puntos",
    ]
    private static let quantityScores: Set<String> = [
        "time", "seconds", "moves", "wins", "kills", "distance", "coins", "lines", "streak", "rounds", "turns",
        "attempts", "guesses", "steps",
    ]
    private static let dates = [
        "date", "daterecorded", "createdat", "timestamp", "datetime", "recordedat", "achievedat", "playedat", "savedat",
        "created", "when", "datum", "day", "at", "ts", "time",
    ]
    /// Parts of the key of a table.
    private static let tables = ["score", "leaderboard", "ranking", "halloffame", "records", "topten", "top10"]
        .map { TextPattern(Array($0.utf16)) }
    /// Words that show that a key with a number is a quantity of the game and not the name of a player.
    private static let quantities: Set<String> = [
        "score", "scores", "highscore", "hiscore", "best", "top", "high", "highest", "total", "count", "num", "number",
        "games", "game", "played", "won", "lost", "wins", "losses", "ties", "level", "levels", "stage", "wave", "lives",
        "life", "health", "hp", "hitpoints", "mana", "xp", "exp", "experience", "coins", "coin", "gems", "gem", "gold",
        "money", "cash", "diamonds", "energy", "volume", "music", "sound", "sfx", "version", "id", "x", "y", "z",
        "width", "height", "time", "timestamp", "seconds", "minutes", "date", "day", "year", "size", "index", "seed",
        "speed", "streak", "kills", "deaths", "attack", "defense", "strength", "points", "balance", "current", "last",
    ]

    /// The longest key that is a word, in code units.
    private static let longestWord = 40

    /// Returns the letters and digits of a key in lower case; nil for a long key.
    static func normal(_ key: some Collection<UInt16>) -> String? {
        guard key.count <= longestWord else { return nil }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: key, as: UTF16.self).unicodeScalars
        where scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
            text.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
        }
        return String(text)
    }

    /// Returns the position of a word among the words for names; nil for any other word.
    static func nameRank(_ word: String) -> Int? { names.firstIndex(of: word) }

    static func dateRank(_ word: String) -> Int? { dates.firstIndex(of: word) }

    /// Returns the kind of a word for scores, and its position among the words of this kind if they are ordered.
    static func scoreRank(_ word: String) -> (kind: ScoreKind, rank: Int)? {
        if let rank = scores.firstIndex(of: word) { return (.score, rank) }
        if pointScores.contains(word) { return (.points, 0) }
        return quantityScores.contains(word) ? (.quantity, 0) : nil
    }

    /// Whether a key is the name of a table, such as `highScores`.
    static func isTable(_ key: [UInt16]) -> Bool {
        guard let word = normal(key) else { return false }
        let units = Array(word.utf16)
        return tables.contains { $0.match(in: units) == .found }
    }

    /// Whether a key names a quantity of the game, such as `gamesPlayed` or `num_users`.
    static func isQuantity(_ key: StoredString) -> Bool {
        guard key.count <= longestWord else { return true }
        var words: [String] = [""]
        var wasSmall = false
        for scalar in key.string.unicodeScalars {
            let isLetter = scalar.properties.isAlphabetic
            if !isLetter || (wasSmall && scalar.properties.isUppercase) { words.append("") }
            if isLetter { words[words.count - 1] += scalar.properties.lowercaseMapping }
            wasSmall = scalar.properties.isLowercase
        }
        return words.contains { quantities.contains($0) } || (normal(Array(key)).map(quantities.contains) ?? false)
    }
}
