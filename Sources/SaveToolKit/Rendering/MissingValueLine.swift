import SaveCodec
import SaveOperations

/// Says that nothing is at an address, and what is there instead.
enum MissingValueLine {
    /// Renders the line for the file `name`.
    static func render(_ missing: MissingValue, _ address: Address, in name: String) -> String {
        let place = "\(Invocation.shownName(name)): \(Shortened.address(address)): nothing is there"
        return "\(place); \(Shortened.address(missing.prefix)) is \(what(missing))"
    }

    private static func what(_ missing: MissingValue) -> String {
        guard let count = missing.node.contentCount else { return "\(article(missing.node)), which has no contents" }
        switch missing.node.kind {
        case .dictionary where count == 0: return "an empty dictionary"
        case .dictionary:
            let keys = missing.nearKeys.map { Shortened.key($0) }.joined(separator: ", ")
            return "a dictionary with " + (count == missing.nearKeys.count ? "the keys " : "keys like ") + keys
        default: return "\(article(missing.node)) with " + Counted.of(count, "element")
        }
    }

    private static func article(_ node: Node) -> String {
        switch node.kind {
        case .array, .integer: "an \(node.kind.rawValue)"
        case .null, .data: node.kind.rawValue
        default: "a \(node.kind.rawValue)"
        }
    }
}
