import SaveOperations

/// What a file is checked for, and how what is found is judged.
struct Demand: Sendable {
    var validation: Validation
    var judgement: Judgement
}

/// The demands on all files: those of the command line, and for files that the project has rules for those of the rules.
struct Demands: Sendable {
    /// What is demanded of a file that no rule is for.
    let basic: Demand
    /// By the rules that are for a file.
    var byRules: [[Int]: Demand] = [:]

    subscript(rules: [Int]) -> Demand {
        byRules[rules] ?? basic
    }
}
