extension Metaschema {
    /// `https://json-schema.org/draft/2020-12/meta/format-assertion`, as published.
    static let formatAssertion = #"""
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "https://json-schema.org/draft/2020-12/meta/format-assertion",
          "$vocabulary": {"https://json-schema.org/draft/2020-12/vocab/format-assertion": true},
          "$dynamicAnchor": "meta",
          "title": "Format vocabulary meta-schema for assertion results",
          "type": ["object", "boolean"],
          "properties": {"format": {"type": "string"}}
        }
        """#
}
