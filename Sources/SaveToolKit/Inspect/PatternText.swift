import KeyedArchives
import SaveCodec
import SaveOperations

/// What commands say of patterns of addresses.
enum PatternText {
    static let rule = """
        ** looks into what is shared once, * wherever it stands; a key that is * itself is ~*.
        """
}

extension PointerPattern {
    /// The line about a pattern that leads nowhere in a file.
    func nothingThere(in view: ObjectView, of name: String) -> String {
        "\(Invocation.shownName(name)): \(Shortened.address(address)): nothing is there" + advice(in: [view])
    }

    /// The addresses in a view that the pattern matches: of one without wildcards itself, even if it leads nowhere.
    func addresses(in view: ObjectView) throws(Problem) -> [JSONPointer] {
        guard hasWildcards else { return [address] }
        var matches = PatternMatches(self, in: view)
        var addresses: [JSONPointer] = []
        while try matches.next() != nil { addresses.append(try matches.address()) }
        return addresses
    }
}
