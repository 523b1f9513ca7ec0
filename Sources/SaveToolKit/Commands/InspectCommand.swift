import SaveCodec
import SaveOperations

/// `savetool inspect`: shows what is in files.
enum InspectCommand {
    static let command = Command(
        name: "inspect", summary: "show what is in a file", operands: "[FILE …]",
        discussion: """
            Shows what is in a save. The format is recognised by its content.

            Views: tree, for people; flat, one line a value with its address, for grep; json, plain JSON
            for jq, one way (dates and data become strings, NaN and infinities null); summary, numbers.
            What is shared is shown once, and then as a reference to its first place; flat and json
            write it out wherever it stands unless that would explode.

            An address is a JSON Pointer such as /scores/0.

            Exit status: 0 done, 1 nothing at the address, 2 something could not be read.
            """,
        options: [.view, .path, .depth, .limit, .types, .compact, .strict, .from, .raw, .maxDepth, .color],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try InspectPlan(arguments, invocation)
        var isFirst = true
        return try invocation.forEachFile(plan.files) { name in
            let bytes = try invocation.read(name)
            let format = try plan.source ?? Format.recognize(bytes)
            let document = try invocation.document(bytes, of: name, as: format, limits: plan.limits)
            let address = plan.address(in: document)
            guard let start = find(address, in: document, name, invocation) else { return .notThere }
            if plan.isStrict { try document.checkFinite(from: start, at: address) }
            try invocation.writeOutput { output in
                if plan.hasHeadings {
                    output.write((isFirst ? "" : "\n") + Invocation.shownName(name) + ":\n")
                    isFirst = false
                }
                let sight = Sight(document: document, start: start, address: address, format: format, size: bytes.count)
                try show(sight, plan, to: &output)
            }
            return .done
        }
    }

    /// What there is to show of one file.
    private struct Sight {
        let document: Document
        let start: ObjectID
        let address: Address
        let format: Format
        let size: Int
    }

    private static func show(_ sight: Sight, _ plan: InspectPlan, to output: inout ByteWriter) throws(Problem) {
        let document = sight.document
        let scope = plan.scope(for: document)
        func outline() -> Outline { Outline(of: document, from: sight.start, at: sight.address, scope: scope) }
        switch plan.view {
        case .tree:
            var renderer = TreeRenderer(document, palette: plan.palette, showsTypes: plan.showsTypes)
            try renderer.render(outline(), to: &output)
        case .flat:
            var renderer = FlatRenderer(document, from: sight.address)
            try renderer.render(outline(), to: &output)
        case .json: try PlainJSONRenderer(document: document, isCompact: plan.isCompact).render(outline(), to: &output)
        case .summary:
            SummaryRenderer(summary: Summary(of: document), format: sight.format, size: sight.size).render(to: &output)
        }
    }

    private static func find(
        _ address: Address, in document: Document, _ name: String, _ invocation: Invocation
    ) -> ObjectID? {
        switch document.find(address) {
        case .found(let id): return id
        case .missing(let missing):
            invocation.say(MissingValueLine.render(missing, address, in: name))
            return nil
        }
    }
}

extension Option {
    static let view = Option("format", "f", value: "VIEW", help: "tree, flat, json or summary (tree)")
    static let path = Option("path", "p", value: "POINTER", help: "show only what is at this address")
    static let depth = Option("depth", "d", value: "N", help: "tree, flat: open only N containers within each other")
    static let limit = Option(
        "limit", "n", value: "N", help: "tree, flat: show N contents of each container,\n0 for all (tree 50, flat 0)")
    static let types = Option("types", "t", help: "tree: show how each value is stored")
    static let strict = Option("strict", help: "json: refuse NaN and infinities")
    static let color = Option("color", value: "WHEN", help: "tree: auto, always or never (auto)")
}
