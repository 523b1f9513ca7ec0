extension Profile {
    /// Preferences, as UserDefaults keeps them.
    static let preferences = Profile(
        "preferences", "a dictionary of property-list values", rules: [.isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "Preferences",
              "x-type": "dictionary",
            \##(values)
            }

            """##)

    /// What the key–value store of iCloud takes (NSUbiquitousKeyValueStore): 1 MB in all, 1,024 keys of 64 bytes.
    static let iCloudStore = Profile(
        "icloud-store", "preferences that the key-value store of iCloud takes: 1 MB, 1024 keys of 64 bytes",
        rules: [.isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "The key-value store of iCloud",
              "x-type": "dictionary",
              "x-maxBytes": 1048576,
              "maxProperties": 1024,
              "propertyNames": {"x-maxBytes": 64},
            \##(values)
            }

            """##)

    /// The members of both schemas that say what a value may be.
    private static let values = ##"""
          "additionalProperties": {"$ref": "#/$defs/value"},
          "$defs": {
            "value": {
              "x-type": ["boolean", "integer", "real", "real32", "string", "date", "data", "array", "dictionary"],
              "items": {"$ref": "#/$defs/value"},
              "additionalProperties": {"$ref": "#/$defs/value"}
            }
          }
        """##
}
