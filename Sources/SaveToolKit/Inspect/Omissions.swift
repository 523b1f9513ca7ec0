import KeyedArchives
import SaveCodec
import SaveOperations

/// What a tree leaves out although nobody asked for that, and how to see it:
///
///     … at least 1,052 more rows: --depth 6, --at /root/x, --all
struct Omissions {
    /// How many containers within each other are opened; nil for all.
    let depth: Int?
    private var count = 0
    /// Whether containers are not opened, as they stand too deep.
    private var isTooDeep = false
    /// Where something is left out first.
    private var first: JSONPointer?

    init(depth: Int?) {
        self.depth = depth
    }

    /// Notes a container that is not opened.
    mutating func add(_ row: Outline.Row, of outline: borrowing Outline) {
        count += row.value.contents.count
        isTooDeep = true
        first = first ?? outline.address(of: row, longest: Shortened.enough)
    }

    /// Notes contents of the innermost container.
    mutating func add(_ contents: Int, of outline: borrowing Outline) {
        count += contents
        first = first ?? outline.containerAddress(longest: Shortened.enough)
    }

    /// Nil if all is there.
    var line: String? {
        guard let first else { return nil }
        var ways: [String] = []
        if isTooDeep, let depth { ways.append("\(Option.depth.shown) \(depth + 2)") }
        if first != .root, first.description.utf8.count < Shortened.enough, let word = Shell.word(first.description) {
            ways.append("\(Option.inspectAt.shown) \(word)")
        }
        ways.append(Option.everything.shown)
        return "… at least " + Grouped.of(count, "more row") + ": " + ways.joined(separator: ", ")
    }
}
