import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool patch`: applies a JSON Patch or a merge patch.
enum PatchCommand {
    static let command = Command(
        name: "patch", summary: "apply a JSON Patch to a file", operands: [.file, .file("PATCH")],
        examples: [
            "patch the file": "savetool patch -i swamp.save battle.json",
            "see what would change": "savetool patch -n swamp.save battle.json",
            "apply the changes of one save to another":
                "savetool diff -f json-patch swamp.save later.save | savetool patch swamp.save - -o new.save",
        ],
        discussion: """
            A JSON array is a JSON Patch (RFC 6902): add, remove, replace, move, copy and test, all or nothing.
            A JSON object is a merge patch (RFC 7396): its members replace the members of the file; null
            removes one.

            Values are typed JSON; in an archive, graph JSON (see savetool help json). A scalar is stored with
            the type of the value that it replaces. If it does not fit, such as 7.5 for an integer, it needs
            --change-type, or the member "change-type": true in the operation, which diff writes where needed.

            diff -f json-patch writes no tests. To make the patch fail on another save, or when applied twice,
            begin it with a test such as {"op": "test", "path": "/root/currentLevelName", "value": "Swamp"}.
            """,
        details: """
            In graph JSON, {"$ref": "/root/map"} is an object of the save, and a class may be a chain:
            ["Player", "NSObject"]. A number is stored like the one that it replaces, in place or as an object,
            also within a replaced object or array. {"$inline": 5} and {"$object": 5} override this.
            """,
        exitStatus: [
            .done: "done",
            .negative: "a test failed, or no such value",
            .cannot: "error",
        ],
        options: [.jsonPatch, .mergePatch, .changeType],
        writing: .toOutput,
        run: run)

    private enum Patch {
        case operations(JSONPatch)
        case merge(MergePatch)

        func result(on view: ObjectView, limits: Limits, changesType: Bool) throws(Problem) -> PatchResult {
            switch self {
            case .operations(let patch): try patch.result(on: view, limits: limits, changesType: changesType)
            case .merge(let patch): try patch.result(on: view, limits: limits, changesType: changesType)
            }
        }
    }

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let operands = try arguments.operands(named: "FILE", "PATCH")
        if arguments.has(.jsonPatch), arguments.has(.mergePatch) { throw UsageError.conflict(.jsonPatch, .mergePatch) }
        try checkFile(operands[1], invocation)
        let plan = try EditPlan(operands[0], arguments)
        let patch = try invocation.inFile(operands[1]) {
            try Self.patch(read(operands[1], invocation), as: arguments, limits: plan.reading.limits)
        }
        return try plan.edit(invocation) { file in
            let result: PatchResult
            do throws(Problem) {
                result = try patch.result(
                    on: file.view, limits: plan.reading.limits, changesType: arguments.has(.changeType))
            } catch  where error.kind == .editType {
                invocation.printError(
                    ProblemLine.render(error, in: plan.file) + "; use \(Option.changeType.shown) to allow it")
                return .cannot
            } catch {
                // Invalid graph JSON is in the patch, not in the file.
                invocation.printError(error, in: error.kind.isOf(.graph) ? operands[1] : plan.file)
                return error.isTargetMismatch ? .negative : .cannot
            }
            file.report(result.roundings, invocation)
            plan.report.noteElements(of: result, in: file)
            return try plan.deliver(result.edited, of: file, invocation)
        }
    }

    /// Refuses a patch that is given in place of its file.
    private static func checkFile(_ name: String, _ invocation: Invocation) throws(UsageError) {
        guard name.hasPrefix("[") || name.hasPrefix("{"),
            (try? FileSystem.status(invocation.path(name))) == nil
        else { return }
        throw .badOperand(name, "PATCH", expected: "a file, or - to read the patch from standard input")
    }

    private static func read(_ name: String, _ invocation: Invocation) throws -> [UInt8] {
        let bytes = try invocation.read(name)
        if let format = try? Format.recognize(bytes), !format.has(.typedJSON) {
            throw Problem(
                "patch.format",
                "this is \(format.definition.article)\(format.definition.title); expected a patch in JSON; "
                    + "FILE comes before PATCH")
        }
        if isTextOfDifference(bytes) {
            throw Problem(
                "patch.format",
                "this is the text of a diff; expected a patch in JSON, which savetool diff -f json-patch writes")
        }
        return bytes
    }

    private static func patch(_ bytes: [UInt8], as arguments: Arguments, limits: Limits) throws -> Patch {
        let document = try Document.readPatch(bytes, limits: limits)
        if arguments.has(.jsonPatch) { return .operations(try JSONPatch(document)) }
        if arguments.has(.mergePatch) { return .merge(MergePatch(document)) }
        switch document[document.root] {
        case .array: return .operations(try JSONPatch(document))
        case .dictionary: return .merge(MergePatch(document))
        default:
            throw Problem(
                "patch.kind",
                "neither an array of operations nor an object; "
                    + "use \(Option.mergePatch.shown) to apply any other value")
        }
    }

    /// Whether the first line shows a change, such as `~ /root/gems: 7 → 8`.
    private static func isTextOfDifference(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2, let marker = bytes.first else { return false }
        return Change.Kind.allCases.contains { $0.marker.asciiValue == marker }
            && bytes[1] == UInt8(ascii: " ") && (bytes[2] == UInt8(ascii: "/") || bytes[2] == UInt8(ascii: "("))
    }
}

extension Option {
    fileprivate static let jsonPatch = Option(
        "json-patch", for: .input, help: "read PATCH as a JSON Patch, an array")
    fileprivate static let mergePatch = Option(
        "merge-patch", for: .input, help: "read PATCH as a merge patch, even if it is not an object")
}
