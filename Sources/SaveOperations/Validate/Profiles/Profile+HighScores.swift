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
                "properties": {"HighScores": {"$ref": "#/$defs/archived"}}
              },
              "else": {
                "if": {"contains": {"required": ["player_name"]}},
                "then": {"$ref": "#/$defs/feed"},
                "else": {"$ref": "#/$defs/stored"}
              },
              "$defs": {
                "archived": {
                  "type": "array",
                  "maxItems": 10,
                  "x-order": {"by": "/TotalScore", "direction": "descending"},
                  "items": {
                    "x-class": "HighScoreRecord",
                    "required": ["Name", "TotalScore", "DateRecorded"],
                    "properties": {
                      "Name": {"$ref": "#/$defs/name"},
                      "TotalScore": {"$ref": "#/$defs/score"},
                      "DateRecorded": {"x-type": "date"}
                    }
                  }
                },
                "stored": {
                  "maxItems": 10,
                  "x-order": {"by": "/score", "direction": "descending"},
                  "items": {
                    "type": "object",
                    "required": ["playerName", "score", "date"],
                    "properties": {
                      "playerName": {"$ref": "#/$defs/name"},
                      "score": {"$ref": "#/$defs/score"},
                      "date": {"x-type": "date"}
                    }
                  }
                },
                "feed": {
                  "maxItems": 10,
                  "x-order": {"by": "/total_score", "direction": "descending"},
                  "items": {
                    "type": "object",
                    "required": ["player_name", "total_score", "created_at"],
                    "properties": {
                      "player_name": {"$ref": "#/$defs/name"},
                      "total_score": {"$ref": "#/$defs/score"},
                      "created_at": {"x-type": "date"}
                    }
                  }
                },
                "name": {"type": "string", "minLength": 1, "maxLength": 32},
                "score": {"type": "integer", "minimum": 0}
              }
            }

            """##)
}
