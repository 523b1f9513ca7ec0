extension Profile {
    /// High scores as an archive, as a property list, and as the feed of a leaderboard.
    static let highScores = Profile(
        "highscores", "at most 10 high scores in falling order, as an archive, a property list or a feed",
        rules: [.noFutureDates(list: "HighScores", members: ["DateRecorded", "date", "created_at"])],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "High scores",
              "type": ["object", "array"],
              "if": {"type": "object"},
              "then": {
                "required": ["HighScores"],
                "properties": {"HighScores": {"type": "array", "$ref": "#/$defs/archived"}}
              },
              "else": {
                "if": {"contains": {"required": ["player_name"]}},
                "then": {"$ref": "#/$defs/feed"},
                "else": {"$ref": "#/$defs/stored"}
              },
              "$defs": {
                \##(archived),
                \##(stored),
                \##(feed),
                "name": {"type": "string", "minLength": 1, "maxLength": 32},
                "score": {"type": "integer", "minimum": 0}
              }
            }

            """##)

    private static let archived = list(
        "archived", of: #""x-class": "HighScoreRecord""#, name: "Name", score: "TotalScore", date: "DateRecorded")
    private static let stored = list(
        "stored", of: #""type": "object""#, name: "playerName", score: "score", date: "date")
    private static let feed = list(
        "feed", of: #""type": "object""#, name: "player_name", score: "total_score", date: "created_at")

    /// The definition of a list of records, whose members have other names in each form.
    private static func list(
        _ form: String, of record: String, name: String, score: String, date: String
    ) -> String {
        ##"""
        "\##(form)": {
                  "maxItems": 10,
                  "x-order": {"by": "/\##(score)", "direction": "descending"},
                  "items": {
                    \##(record),
                    "required": ["\##(name)", "\##(score)", "\##(date)"],
                    "properties": {
                      "\##(name)": {"$ref": "#/$defs/name"},
                      "\##(score)": {"$ref": "#/$defs/score"},
                      "\##(date)": {"x-type": "date"}
                    }
                  }
                }
        """##
    }
}
