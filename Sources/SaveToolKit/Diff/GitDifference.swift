import KeyedArchive
import SaveCodec
import SaveOperations

/// Shows a file of a git repository before and after, as git's external diff program. Whatever comes of it, the exit
/// status is 0: git stops at any other.
struct GitDifference {
    let path: String
    let plan: DiffPlan

    func run(_ invocation: Invocation) throws -> ExitStatus {
        let (before, after) = (plan.files.before, plan.files.after)
        guard before.name != nil || after.name != nil else {
            try say("\(SafeText.escaping(path)): not merged", invocation)
            return .done
        }
        try say("savetool diff \(title(before)) \(title(after))", invocation)
        if let (old, new) = plan.files.modes {
            try say("mode \(SafeText.escaping(old)) → \(SafeText.escaping(new))", invocation)
        }
        let saves = (try read(before, invocation), try read(after, invocation))
        switch saves {
        case (let before?, let after?): try show(before, after, invocation)
        case (let before?, nil) where after.name == nil: try showWhole(before, .removed, invocation)
        case (nil, let after?) where before.name == nil: try showWhole(after, .added, invocation)
        default: break
        }
        return .done
    }

    private func title(_ file: DiffOperands.File) -> String {
        file.name == nil ? DiffOperands.absent : SafeText.escaping(file.title)
    }

    /// Reads a file. What is wrong with it is told in place of the changes.
    private func read(_ file: DiffOperands.File, _ invocation: Invocation) throws -> ComparedSave? {
        guard file.name != nil else { return nil }
        do {
            return try plan.read(file, invocation)
        } catch let problem as Problem {
            try say(ProblemLine.render(problem, in: file.title), invocation)
        } catch let error as FileError {
            try say(error.name + ": " + error.sentence, invocation)
        }
        return nil
    }

    private func show(_ before: ComparedSave, _ after: ComparedSave, _ invocation: Invocation) throws {
        let compared = ComparedSaves(before, after, plan.options, showsSharing: plan.showsSharing)
        if compared.changes.isEmpty { return try say("no changes of the values", invocation) }
        try invocation.writeOutput { output in
            do {
                try plan.show(compared, to: &output)
            } catch let problem as Problem {
                output.write(ProblemLine.render(problem, in: path) + "\n")
            }
        }
        if compared.hiddenCount > 0, plan.form.isForPeople { invocation.say(DiffCommand.hint(compared.hiddenCount)) }
    }

    /// Shows a file that is new, or gone.
    private func showWhole(_ save: ComparedSave, _ kind: Change.Kind, _ invocation: Invocation) throws {
        var abbreviation = Abbreviation(of: save.view)
        let line = abbreviation.line(save.view.root)
        try invocation.writeOutput { output in
            plan.palette.write("\(kind.marker) \(ChangeText.root):", in: kind.ink, to: &output)
            output.write(" \(line)\n")
        }
    }

    private func say(_ line: String, _ invocation: Invocation) throws {
        try invocation.writeOutput { $0.write(line + "\n") }
    }
}
