import JSONSchema
import KeyedArchives
import SaveCodec
import SaveOperations

/// The command group `savetool schema`, for JSON Schemas.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "make JSON Schemas for saves",
        examples: [
            "a schema that a save satisfies": "savetool schema infer swamp.save > new.schema.json",
            "check saves against a schema": "savetool validate --schema map.schema.json swamp.save later.save",
            "the schema of a known kind of saves": "savetool validate --profile highscores --print",
        ],
        discussion: """
            validate --schema checks values against a JSON Schema (2020-12). It sees a save as inspect -f json
            prints it; see savetool help json. --schema-root names local copies of referenced schemas; nothing
            is read from a network.

            Additional keywords:

                x-class     the name of the class or of a superclass, or an array of allowed names
                x-type      the stored type: "integer", "real", "date", "data", "set" …
                x-stored    how an archive stores a number: "in-place" or "object"
                x-order     the order of neighbours in an array
                x-uniqueBy  the member that must be unique among elements
                x-maxBytes  the largest size of a value in bytes

            schema FILE is short for schema infer FILE. .savetool.json assigns schemas to files, see validate
            --help-all.
            """,
        sections: [Command.Section(title: "commands", entries: [Command.Entry("infer", infer)])],
        forFiles: Command.Entry("infer", infer))

    /// The command `savetool schema infer`, which writes a schema for sample files.
    private static let infer = Command(
        name: "schema infer", summary: "make a schema from sample saves", operands: [.file.any],
        examples: [
            "a schema that a save satisfies": "savetool schema infer swamp.save",
            "from several saves, into a file": "savetool schema infer swamp.save later.save > new.schema.json",
            "check another save against it": "savetool validate --schema map.schema.json later.save",
        ],
        discussion: """
            Writes a JSON Schema (2020-12) that all files satisfy, as a start for your own: types, required
            members, and the classes of objects. Without FILE, standard input is read.
            """,
        exitStatus: [.done: "done", .cannot: "error"],
        options: [.from, .unwrap, .unwrapAt, .filterIn, .raw, .opaque, .maxDepth, .maxWork] + Option.onScreen, run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let reading = try arguments.fileReading()
        var samples: [ObjectView] = []
        let files = try invocation.saves(in: arguments.operands, reading)
        let status = try invocation.forEachSave(files) { name in
            samples.append(try invocation.open(name, reading).view)
            return .done
        }
        guard status == .done else { return status }
        let schema = SchemaInference.schema(of: samples)
        try invocation.writeOutput(coloring: .values) { $0.write(schema.hasSuffix("\n") ? schema : schema + "\n") }
        return .done
    }
}
