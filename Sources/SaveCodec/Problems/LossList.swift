/// What a format cannot hold of a document: the first thousand losses, and how many more there are.
///
/// A loss takes as much memory as its address, so a list without an end could be thousands of times larger than the file.
package struct LossList {
    package init() {}

    private static let limit = 1000

    /// The first of the losses.
    package private(set) var listed: [Problem] = []
    private var count = 0
    /// How many more there are.
    package var rest: Int { count - listed.count }

    /// Adds a loss. Its problem, address included, is only made while there is room for it.
    package mutating func add(_ problem: () -> Problem) {
        count += 1
        if count <= Self.limit { listed.append(problem()) }
    }

    /// The losses, the last of them telling how many are not listed.
    package var problems: [Problem] {
        guard rest > 0 else { return listed }
        return listed + [Problem("loss.more", "and \(rest) more \(rest == 1 ? "loss" : "losses")")]
    }
}
