extension Profile {
    /// The feed of a leaderboard.
    static let leaderboard = Profile(
        "leaderboard", "the feed of a leaderboard, in falling order",
        rules: [.isNoArchive, .noFutureDates(member: "created_at")],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "The feed of a leaderboard",
              "type": "array",
              "x-order": {"by": "/total_score", "direction": "descending"},
              "items": {
                "type": "object",
                "required": ["player_name", "total_score", "created_at"],
                "properties": {
                  "player_name": {"type": "string", "minLength": 1, "maxLength": 32},
                  "total_score": {"type": "integer", "minimum": 0},
                  "created_at": {"x-type": "date"}
                }
              }
            }

            """)
}
