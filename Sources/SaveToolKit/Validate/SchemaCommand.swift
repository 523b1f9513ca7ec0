import JSONSchema
import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool schema`: commands about schemas.
enum SchemaCommand {
    static let command = Command(
        name: "schema", summary: "make a schema of samples",
        discussion: "JSON Schemas (2020-12), which validate --schema checks saves against.", commands: [infer])

    /// `savetool schema infer`: makes a schema of samples.
    private static let infer = Command(
        name: "schema infer", summary: "make a schema of samples", operands: "[FILE …]",
        discussion: """
            Writes a JSON Schema (2020-12) that all of the files satisfy, as a start for one of your own:
            types, required members, and in archives the classes of objects. Takes files, and standard
            input if none is named; no folders, and no lists of files.

            Exit status: 0 done, 2 something could not be read.
            """,
        options: [.from, .raw, .maxDepth], run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let options = try arguments.readOptions()
        var samples: [ObjectView] = []
        let status = try invocation.forEachFile(arguments.operands) { name in
            samples.append(try invocation.open(name, options).view)
            return .done
        }
        guard status == .done else { return status }
        let schema = SchemaInference.schema(of: samples)
        try invocation.writeOutput { $0.write(schema.hasSuffix("\n") ? schema : schema + "\n") }
        return .done
    }
}
