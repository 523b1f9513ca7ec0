import SaveCodec

/// A problem as a line: `slot1.save: byte 0x1A4F: …`, `prefs.plist:12:7: …`, `slot1.save: /root/name: …`.
enum ProblemLine {
    /// Renders a problem of the file `name`; a word such as `warning` stands before the sentence.
    static func render(_ problem: Problem, in name: String, as word: String? = nil) -> String {
        var line = Invocation.shownName(name)
        switch problem.place {
        case .line(let number, let column): line += ":\(number):\(column)"
        case .byte, nil: break
        }
        if let word { line += ": " + word }
        if case .byte? = problem.place, let place = problem.place { line += ": \(place)" }
        if let address = problem.address { line += ": \(Shortened.address(address))" }
        return line + ": " + problem.message
    }
}
