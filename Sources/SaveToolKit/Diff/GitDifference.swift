import KeyedArchives
import SaveCodec
import SaveOperations

/// Shows a file of a git repository before and after, as git's external diff program. Whatever comes of it, the exit
/// status is 0: git stops at any other.
struct GitDifference {
    private let path: String
    private let plan: DiffPlan
    private let invocation: Invocation

    init(path: String, plan: DiffPlan, _ invocation: Invocation) {
        self.path = path
        self.plan = plan
        self.invocation = invocation
    }

    func run() throws -> ExitStatus {
        let (before, after) = (plan.files.before, plan.files.after)
        guard before.name != nil || after.name != nil else {
            try print("\(FileName.shown(path)): not merged")
            return .done
        }
        try print("savetool diff \(title(before)) \(title(after))")
        if let (old, new) = plan.files.modes {
            try print("mode \(FileName.shown(old)) → \(FileName.shown(new))")
        }
        let saves = (try read(before), try read(after))
        switch saves {
        case (let before?, let after?): try show(plan.compare(before: before, after: after))
        case (let before?, nil) where after.name == nil: try showWhole(before, as: .removed)
        case (nil, let after?) where before.name == nil: try showWhole(after, as: .added)
        default: break
        }
        return .done
    }

    private func title(_ file: DiffOperands.File) -> String {
        file.name == nil ? DiffOperands.absent : FileName.shown(file.title)
    }

    /// Reads a file. What is wrong with it is told in place of the changes.
    private func read(_ file: DiffOperands.File) throws -> ComparedSave? {
        guard let name = file.name else { return nil }
        do {
            return try plan.save(invocation.readFromGit(name), titled: file.title, invocation)
        } catch let problem as Problem {
            try print(ProblemLine.render(problem, in: file.title))
        } catch let error as FileError {
            try print(error.name + ": " + error.sentence)
        }
        return nil
    }

    private func show(_ saves: ComparedSaves) throws {
        if saves.areSame { return try print("no changes of the values") }
        try invocation.writeOutput { output in
            do throws(Problem) {
                try plan.show(saves, to: &output)
            } catch {
                output.write(ProblemLine.render(error, in: path) + "\n")
            }
        }
        plan.report(hidden: saves.hiddenCount, invocation)
    }

    /// Shows a file that is new, or gone.
    private func showWhole(_ save: ComparedSave, as kind: Change.Kind) throws {
        let line = Abbreviation(of: save.view).line(save.view.root)
        try invocation.writeOutput { output in
            plan.palette.write("\(kind.marker) \(JSONPointer.root):", in: kind.ink, to: &output)
            output.write(" \(line)\n")
        }
    }

    private func print(_ line: String) throws {
        try invocation.writeOutput { $0.write(line + "\n") }
    }
}
