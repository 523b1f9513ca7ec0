import SaveOperations

/// The questions that a user answers at the terminal, one for each conflict:
///
///     game.save: /root/health: conflict: was 100, ours 64, theirs 80
///     1 of 2: ours, theirs, skip or quit (add "all" for all remaining conflicts): o
///
/// Answers are lines on standard input, so a script can give them, too. After the end of the input, the remaining
/// conflicts stay open.
final class ConflictQuestions {
    /// The sides that an answer can choose.
    enum Answer: String {
        case ours, theirs, both
    }

    private let invocation: Invocation
    /// A line above the first question; nil for none.
    private var preface: String?
    private var hasEnded = false
    /// The count of questions in earlier lists.
    private var earlier = 0
    /// Whether any conflict was resolved.
    private(set) var hasAnswers = false

    init(preface: String?, _ invocation: Invocation) {
        self.preface = preface
        self.invocation = invocation
    }

    /// Returns the answers to a list of questions, in order; nil for questions without an answer. Questions are
    /// numbered across lists.
    ///
    /// - Parameters:
    ///   - later: The expected count of questions in later lists.
    ///   - choices: The answers that a question accepts. A question without choices is not asked.
    ///   - lines: The lines that describe a question.
    func answers(
        _ count: Int, before later: Int = 0, from choices: (Int) -> [Answer], _ lines: (Int) -> [String]
    ) throws -> [Answer?] {
        defer { earlier += count }
        var answers: [Answer?] = []
        // The answer to the remaining questions, which may be to skip them.
        var answerForAll: Answer??
        while answers.count < count, !hasEnded {
            let choices = choices(answers.count)
            if let answer = answerForAll, answer.map(choices.contains) ?? true {
                answers.append(answer)
                continue
            }
            guard !choices.isEmpty else {
                answers.append(nil)
                continue
            }
            if let preface { invocation.printError(preface) }
            preface = nil
            for line in lines(answers.count) { invocation.printError(line) }
            let (number, total) = (earlier + answers.count + 1, earlier + count + later)
            guard let (answer, isForAll) = try answer(number, of: total, from: choices) else {
                hasEnded = true
                break
            }
            if answer != nil { hasAnswers = true }
            if isForAll { answerForAll = .some(answer) }
            answers.append(answer)
        }
        return answers + Array(repeating: nil, count: count - answers.count)
    }

    /// Returns the answer to a question and whether it applies to the remaining ones, too; nil if no more answers
    /// follow.
    private func answer(
        _ number: Int, of count: Int, from choices: [Answer]
    ) throws -> (answer: Answer?, isForAll: Bool)? {
        let words = choices.map(\.rawValue).joined(separator: ", ")
        while true {
            try? invocation.standardError.write(
                "\(number) of \(count): \(words), skip or quit (add \"all\" for all remaining conflicts): ".utf8.span)
            guard let line = try invocation.input.readLine() else {
                invocation.printError("")
                return nil
            }
            let words = line.split { $0 == " " || $0 == "\r" || $0 == "\t" }
            let isForAll = words.count == 2 && words[1] == "all"
            guard let word = words.first, words.count == 1 || isForAll else {
                if !words.isEmpty { invocation.printError("\(UsageError.quoted(line)) is not one of the answers") }
                continue
            }
            func means(_ name: String) -> Bool { name == word || name.prefix(1) == word }
            if let answer = choices.first(where: { means($0.rawValue) }) { return (answer, isForAll) }
            if means("skip") { return (nil, isForAll) }
            if means("quit") { return nil }
            invocation.printError("\(UsageError.quoted(String(word))) is not one of the answers")
        }
    }
}
