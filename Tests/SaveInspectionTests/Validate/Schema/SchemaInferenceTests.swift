import JSONSchema
import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

@testable import SaveOperations

@Suite struct SchemaInferenceTests {
    static let folders = ["games", "typed-json", "tricky", "archives-tricky", "graph-json"]

    private static func view(_ bytes: [UInt8]) -> ObjectView? {
        guard let format = Format.allCases.first(where: { (try? Document.read(bytes, as: $0)) != nil }),
            let document = try? Document.read(bytes, as: format)
        else { return nil }
        return (try? KeyedArchive(document)).map { ObjectView($0) } ?? ObjectView(document)
    }

    @Test func inferredSchemaAcceptsSamples() throws {
        let files = try Self.folders.flatMap { folder in
            try TestFiles.files(under: TestFiles.fixtures.appending(path: folder))
        }
        let views = try files.compactMap { Self.view(try TestFiles.bytes($0.url)) }
        #expect(views.count > 20)
        for view in views {
            let schema = try SchemaCase.schema(SchemaInference.schema(of: [view]))
            #expect(SchemaCase.lines(of: schema.findings(in: view)) == [])
            #expect(schema.warnings.isEmpty)
        }
        let text = SchemaInference.schema(of: views)
        #expect(text == SchemaInference.schema(of: views.reversed()))
        let schema = try SchemaCase.schema(text)
        for view in views { #expect(SchemaCase.lines(of: schema.findings(in: view)) == []) }
    }

    @Test func limitsWorkOnGraphs() throws {
        let bomb = ObjectView(try OutlineTests.bomb())
        let list = try SchemaHostileTests.list(5000, last: 0)
        for view in [bomb, list] {
            let schema = try SchemaCase.schema(SchemaInference.schema(of: [view]))
            #expect(schema.findings(in: view).isEmpty)
        }
    }

    static let inferred: [(samples: [String], schema: String)] = [
        (
            [#"{"name": "Ada", "lives": 3}"#, #"{"name": "Bob", "seen": {"$date": 0}, "lives": 1.5}"#],
            """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "type": "object",
              "required": ["lives", "name"],
              "properties": {
                "lives": {
                  "type": "number"
                },
                "name": {
                  "type": "string"
                },
                "seen": {
                  "type": "string",
                  "x-type": "date"
                }
              }
            }

            """
        ),
        (
            [#"[1, null, [true]]"#, "[]"],
            """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "type": "array",
              "items": {
                "type": ["null", "array", "integer"],
                "items": {
                  "type": "boolean"
                }
              }
            }

            """
        ),
        (
            [#"{"$dict": [["$data", 1], ["a\"\u001b\ud800", 2]]}"#],
            """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "type": "object",
              "required": ["$data", "a\\"\\u001b\\ud800"],
              "properties": {
                "$data": {
                  "type": "integer"
                },
                "a\\"\\u001b\\ud800": {
                  "type": "integer"
                }
              }
            }

            """
        ),
    ]

    @Test(arguments: inferred)
    func infers(_ samples: [String], _ schema: String) throws {
        let views = try samples.map { ObjectView(try JSON.readTyped(Array($0.utf8))) }
        #expect(SchemaInference.schema(of: views) == schema)
    }

    @Test func describesClasses() throws {
        #expect(
            SchemaInference.schema(of: [try ProfileTests.fixture("gameobject.save")]) == """
                {
                  "$schema": "https://json-schema.org/draft/2020-12/schema",
                  "type": "object",
                  "required": ["root"],
                  "properties": {
                    "root": {
                      "$ref": "#/$defs/GameObject"
                    }
                  },
                  "$defs": {
                    "GameObject": {
                      "x-class": "GameObject",
                      "type": "object",
                      "required": ["hitpoints", "name"],
                      "properties": {
                        "hitpoints": {
                          "type": "integer"
                        },
                        "name": {
                          "type": "string"
                        }
                      }
                    }
                  }
                }

                """)
    }
}
