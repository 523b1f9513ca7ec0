import SaveOperations

/// Asks a person at the terminal for each conflict which side is to be taken:
///
///     game.save: /root/health: conflict: was 100, ours 64, theirs 80
///     1 of 2: ours, theirs, skip or quit; with "all" for the rest, too: o
///
/// The answers are lines on standard input, so that a script can give them as well. Where they end, all that is left stays.
final class ConflictQuestions {
    private let merge: ThreeWayMerge
    private let lines: ConflictLines
    private let invocation: Invocation

    /// - Parameter name: what the file is called.
    init(_ merge: ThreeWayMerge, in name: String, _ invocation: Invocation) {
        self.merge = merge
        self.invocation = invocation
        lines = ConflictLines(merge, in: name)
    }

    /// The answers, in the order of the conflicts; nil, or none at the end, for those that are left.
    func answers() throws -> [MergeSideName?] {
        var answers: [MergeSideName?] = []
        let count = merge.conflicts.count
        for conflict in merge.conflicts {
            invocation.printError(lines.line(conflict))
            guard let answer = try answer(answers.count + 1, of: count) else { break }
            answers.append(answer.side)
            guard answer.isForAll else { continue }
            return answers + Array(repeating: answer.side, count: count - answers.count)
        }
        return answers
    }

    private struct Answer {
        let side: MergeSideName?
        var isForAll = false
    }

    /// The answer for one conflict; nil if no more are given.
    private func answer(_ number: Int, of count: Int) throws -> Answer? {
        while true {
            try? invocation.standardError.write(
                "\(number) of \(count): ours, theirs, skip or quit; with \"all\" for the rest, too: ".utf8.span)
            guard let line = try invocation.input.readLine() else {
                invocation.printError("")
                return nil
            }
            let words = line.split { $0 == " " || $0 == "\r" || $0 == "\t" }
            let isForAll = words.count == 2 && words[1] == "all"
            guard words.count == 1 || isForAll else { continue }
            switch words[0] {
            case "o", "ours": return Answer(side: .ours, isForAll: isForAll)
            case "t", "theirs": return Answer(side: .theirs, isForAll: isForAll)
            case "s", "skip": return Answer(side: nil, isForAll: isForAll)
            case "q", "quit": return nil
            default: continue
            }
        }
    }
}
