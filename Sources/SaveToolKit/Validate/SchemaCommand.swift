import JSONSchema
import KeyedArchives
import SaveCodec
import SaveOperations

/// The command group `savetool schema`, for JSON Schemas.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "make a JSON Schema, and what one can say of a save",
        examples: [
            "a schema that a save satisfies": "savetool schema infer swamp.save > new.schema.json",
            "check saves against a schema": "savetool validate --schema map.schema.json swamp.save later.save",
            "the schema of a known kind of saves": "savetool validate --profile highscores --print",
        ],
        discussion: """
            validate --schema checks the values of saves against a JSON Schema (2020-12), in an archive those
            of its objects as inspect -f json shows them: an object is a JSON object with its class at $class,
            a date and data are strings, a set is an array. Nothing is fetched from a network; --schema-root
            says where other schemas are that one refers to. "format" is a demand with --assert-formats.

            A member of the schema demands something of the value, beside its type:

                "gems": {"type": "integer", "minimum": 0}

            Keywords of our own say what JSON has no words for:

                x-class     the class of an object or of one of its ancestors, or an array of such names
                x-type      the type in the property list: "integer", "real", "date", "data", "set" …
                x-stored    how a number in an archive is stored: "in-place" or "object"
                x-order     how neighbours in an array follow each other
                x-uniqueBy  the member by which elements are told apart
                x-maxBytes  how many bytes a value may take

            --profile checks for a kind of save that is known by name; --profile list tells the names, and
            --print prints the schema of one. The project file .savetool.json says which schema is for which
            files, see validate. schema FILE is short for schema infer FILE.
            """,
        sections: [Command.Section(title: "commands", commands: [infer])], forFiles: infer)

    /// The command `savetool schema infer`, which writes a schema for sample files.
    private static let infer = Command(
        name: "schema infer", summary: "make a schema of samples", operands: [.file.any],
        examples: [
            "a schema that a save satisfies": "savetool schema infer swamp.save",
            "one of several, into a file": "savetool schema infer swamp.save later.save > new.schema.json",
            "check another save against it": "savetool validate --schema map.schema.json later.save",
        ],
        discussion: """
            Writes a JSON Schema (2020-12) that all of the files satisfy, as a start for one of your own:
            types, required members, and in archives the classes of objects. Takes files, folders of saves
            as validate looks for them, and standard input if none is named.
            """,
        exitStatus: [.done: "done", .cannot: "something could not be read"],
        options: [.from, .unwrap, .filterIn, .raw, .opaque, .maxDepth, .maxWork] + Option.onScreen, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let reading = try arguments.fileReading()
        var samples: [ObjectView] = []
        let status = try invocation.forEachSave(invocation.saves(in: arguments.operands)) { name in
            samples.append(try invocation.open(name, reading).view)
            return .done
        }
        guard status == .done else { return status }
        let schema = SchemaInference.schema(of: samples)
        try invocation.writeOutput(coloring: .values) { $0.write(schema.hasSuffix("\n") ? schema : schema + "\n") }
        return .done
    }
}
