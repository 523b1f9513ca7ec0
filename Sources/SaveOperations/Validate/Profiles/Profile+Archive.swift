extension Profile {
    /// Any keyed archive with a root object.
    static let archive = Profile(
        "archive", "a keyed archive with at least one root object", rules: [.isArchive],
        schema: """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "A keyed archive",
              "type": "object",
              "minProperties": 1
            }

            """)
}
