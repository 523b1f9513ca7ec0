extension Profile {
    /// Preferences, small enough for the key–value store of iCloud.
    static let preferences = Profile(
        "preferences", "a dictionary of property-list values, of at most 1 MB", rules: [.isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Preferences",
              "x-type": "dictionary",
              "x-maxBytes": 1048576,
              "additionalProperties": {"$ref": "#/$defs/value"},
              "$defs": {
                "value": {
                  "x-type": ["boolean", "integer", "real", "real32", "string", "date", "data", "array", "dictionary"],
                  "items": {"$ref": "#/$defs/value"},
                  "additionalProperties": {"$ref": "#/$defs/value"}
                }
              }
            }

            """##)
}
