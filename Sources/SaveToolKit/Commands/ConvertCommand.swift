import SaveCodec

/// `savetool convert`: writes files in another format.
enum ConvertCommand {
    static let command = Command(
        name: "convert", summary: "write a file in another format", operands: "[FILE …]",
        discussion: """
            Writes a save in another format, to standard output unless an option says otherwise. The
            format of the input is recognised by its content.

            Formats: binary (also binary1, bplist), xml (also xml1), json (typed, holds everything),
            openstep and gnustep (OpenStep text that keeps types), archive (a binary keyed archive). A name
            behind --output that ends in .json, .xml, .bplist, .strings or .openstep tells the format
            without --to.

            A keyed archive is written in JSON as its graph of objects, with classes and fields, and read
            back as the archive that NSKeyedArchiver would write; --raw writes the property list that it is
            stored as. --to archive makes an archive of any property list or JSON, and --plain makes a
            plain property list of an archive of Foundation's values.

            What the format cannot hold is not lost silently: each such value is listed with its address
            and nothing is written, unless --allow-loss. Files are replaced as a whole or not at all; a
            file whose content stays the same is left alone.

            Exit status: 0 done, 2 something could not be converted.
            """,
        options: [
            .to, .from, .output, .inPlace, .backup, .outputDir, .ending, .exact, .compact, .sortKeys, .keepOrder,
            .allowLoss, .plain, .raw, .maxDepth,
        ],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try ConvertPlan(arguments)
        try plan.checkOutputs(invocation)
        return try invocation.forEachFile(plan.files) { name in
            let bytes = try invocation.read(name)
            let format = try plan.source ?? Format.recognize(bytes)
            let document = try invocation.document(bytes, of: name, as: format, limits: plan.limits)
            let result = try Conversion(of: document, plan)
            if let archive = result.archive { invocation.warn(of: archive, in: name) }
            guard acceptsLosses(result.losses(plan), of: name, plan, invocation) else { return .cannot }
            try deliver(name, plan, invocation) { (output: inout ByteWriter) throws(Problem) in
                try result.write(plan, to: &output)
            }
            return .done
        }
    }

    /// Lists what the conversion loses, and says whether it goes on all the same.
    private static func acceptsLosses(
        _ losses: [Problem], of name: String, _ plan: ConvertPlan, _ invocation: Invocation
    ) -> Bool {
        for loss in losses {
            invocation.say(ProblemLine.render(loss, in: name, as: plan.allowsLoss ? "warning" : nil))
        }
        if losses.isEmpty || plan.allowsLoss { return true }
        let count = losses.count == 1 ? "one value" : "\(losses.count) values"
        invocation.say(
            "\(Invocation.shownName(name)): not converted, as \(plan.target.rawValue) cannot hold \(count); "
                + "\(Option.allowLoss.shown) writes the nearest thing")
        return false
    }

    private static func deliver(
        _ name: String, _ plan: ConvertPlan, _ invocation: Invocation,
        _ produce: (inout ByteWriter) throws -> Void
    ) throws {
        if let path = plan.destination.path(for: name) {
            try invocation.replace(path, keepsBackup: plan.keepsBackup, produce)
        } else {
            try invocation.writeOutput(produce)
        }
    }
}

extension Option {
    static let to = Option(
        "to", value: "FORMAT",
        help: "write FORMAT: binary, xml, json, openstep, gnustep,\nor archive, a binary keyed archive")
    static let output = Option("output", "o", value: "FILE", help: "write to FILE")
    static let inPlace = Option("in-place", "i", help: "write each file over itself")
    static let backup = Option("backup", help: "keep the file that is replaced as NAME~")
    static let outputDir = Option("output-dir", value: "DIR", help: "write each file into the folder DIR")
    static let ending = Option(
        "extension", value: "EXT", help: "end the names in DIR with .EXT (json for JSON,\nplist for all others)")
    static let exact = Option(
        "exact", help: "JSON: add what it takes to write the same\nbinary file again, byte for byte")
    static let compact = Option("compact", help: "JSON: write no white space")
    static let sortKeys = Option("sort-keys", help: "text formats: sort the keys of dictionaries")
    static let keepOrder = Option("keep-order", help: "XML: keep the stored order of keys instead of\nsorting them")
    static let plain = Option("plain", help: "write the values in a keyed archive, without the archive")
    static let allowLoss = Option("allow-loss", help: "only warn of what the format cannot hold")
}
