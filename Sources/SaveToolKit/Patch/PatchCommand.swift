import KeyedArchives
import SaveCodec
import SaveOperations

/// `savetool patch`: applies a JSON Patch or a merge patch.
enum PatchCommand {
    static let command = Command(
        name: "patch", summary: "apply a JSON Patch to a file", operands: [.file, .file("PATCH")],
        examples: [
            "make the changes of a patch in the file": "savetool patch -i swamp.save battle.json",
            "see what would change": "savetool patch -n swamp.save battle.json",
            "bring to one save what changed in another":
                "savetool diff -f json-patch swamp.save later.save | savetool patch swamp.save - -o new.save",
        ],
        discussion: """
            Applies a patch to a save.

            A JSON array is a JSON Patch (RFC 6902): add, remove, replace, move, copy and test, all or
            nothing. A JSON object is a merge patch (RFC 7396): its members change those of the file, null
            removes one. savetool diff --format json-patch writes patches without tests: to refuse another save,
            or a second run, put a test of what must be there in front, such as
            {"op": "test", "path": "/root/currentLevelName", "value": "Swamp"}.

            Addresses are JSON Pointers into the save as inspect shows it; /root/$class is the class of an
            object, /levels/~=5 the value whose key is the number 5, - the place behind the last element.

            Values are typed JSON: 5 is an integer, 5.0 a real, {"$date": "2009-09-06T12:34:56Z"} a date. In
            an archive they are graph JSON: {"$class": "Player", "name": "Ada"}. {"$ref": "/root/map"} is an
            object that is there already, and the class may be a chain, ["Player", "NSObject"]. A number
            stays stored as the one that it replaces, in place or as an object, also within an object or
            an array that is replaced, unless it is {"$inline": 5} or {"$object": 5}.

            As with set, a value of another type than the present one is refused, unless --change-type is
            given or the operation has the member "change-type": true, which diff writes. A scalar takes the
            present type: 5 becomes 5.0 in place of a real, text becomes a date in place of a date.

            What the patch does not touch stays as it is stored. A file whose content stays the same is
            left alone.

            \(EditedText.rewriting)
            """,
        exitStatus: [
            .done: "done",
            .negative: "a test failed, or something is not there",
            .cannot: "it could not be applied",
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
        let plan = try EditPlan(operands[0], arguments)
        let patch = try invocation.inFile(operands[1]) {
            try read(operands[1], as: arguments, limits: plan.reading.limits, invocation)
        }
        return try plan.edit(invocation) { file in
            let result: PatchResult
            do throws(Problem) {
                result = try patch.result(
                    on: file.view, limits: plan.reading.limits, changesType: arguments.has(.changeType))
            } catch  where error.kind == .editType {
                invocation.printError(
                    ProblemLine.render(error, in: plan.file) + "; \(Option.changeType.shown) allows it")
                return .cannot
            } catch {
                // A value that is invalid as graph JSON is in the patch.
                invocation.printError(error, in: error.kind.isOf(.graph) ? operands[1] : plan.file)
                return error.isTargetMismatch ? .negative : .cannot
            }
            file.report(result.roundings, invocation)
            return try plan.deliver(result.edited, of: file, invocation)
        }
    }

    private static func read(
        _ name: String, as arguments: Arguments, limits: Limits, _ invocation: Invocation
    ) throws -> Patch {
        // The values of a patch are nested in an array and its operations.
        var limits = limits
        limits.maxDepth = min(limits.maxDepth, .max - envelopeDepth) + envelopeDepth
        let bytes = try invocation.read(name)
        if let format = try? Format.recognize(bytes), !format.has(.typedJSON) {
            throw Problem(
                "patch.format",
                "this is \(format.definition.article)\(format.definition.title); expected a patch, which is JSON; "
                    + "FILE stands before PATCH")
        }
        let document = try Document.readGiven(bytes, limits: limits)
        if arguments.has(.jsonPatch) { return .operations(try JSONPatch(document)) }
        if arguments.has(.mergePatch) { return .merge(MergePatch(document)) }
        switch document[document.root] {
        case .array: return .operations(try JSONPatch(document))
        case .dictionary: return .merge(MergePatch(document))
        default:
            throw Problem(
                "patch.kind",
                "neither an array of operations nor an object; "
                    + "\(Option.mergePatch.shown) takes any value as a merge patch")
        }
    }

    private static let envelopeDepth = 8
}

extension Option {
    fileprivate static let jsonPatch = Option(
        "json-patch", for: .input, help: "PATCH is a JSON Patch, which is an array")
    fileprivate static let mergePatch = Option(
        "merge-patch", for: .input, help: "PATCH is a merge patch, of whatever kind")
}
