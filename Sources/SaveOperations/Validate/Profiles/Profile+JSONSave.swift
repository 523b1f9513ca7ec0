import SaveCodec

extension Profile {
    /// A save file that any reader of JSON reads.
    static let jsonSave = Profile(
        "json-save", "a JSON object of values that plain JSON has", rules: [.isFormat(.json), .isNoArchive],
        schema: ##"""
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "title": "A save file in JSON",
              "x-type": "dictionary",
              "minProperties": 1,
              "additionalProperties": {"$ref": "#/$defs/value"},
              "$defs": {
                "value": {
                  "x-type": ["null", "boolean", "integer", "real", "string", "array", "dictionary"],
                  "if": {"x-type": "real"},
                  "then": {"type": "number"},
                  "items": {"$ref": "#/$defs/value"},
                  "additionalProperties": {"$ref": "#/$defs/value"}
                }
              }
            }

            """##)
}
