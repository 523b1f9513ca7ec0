import SaveOperations

extension ScoreEntry {
    /// Where the new score stands.
    var sentence: String { "rank \(rank) of \(count)" }

    /// Says what became of the other records.
    func warn(in file: String, _ invocation: Invocation) {
        let name = Invocation.shownName(file)
        if isReordered {
            invocation.say("\(name): warning: the records were not in falling order, and have been put in it")
        }
        if dropped > 1 { invocation.say("\(name): warning: the last \(dropped) records have been dropped") }
    }
}
