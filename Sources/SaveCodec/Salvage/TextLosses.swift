/// The losses of a repaired text. Only the first 1,000 are listed; the others are counted.
struct TextLosses {
    /// A value that was lost, or that may be wrong.
    struct Loss {
        let kind: SalvageLoss.Kind
        let range: Range<Int>
        /// The position in each container from the root down to the value; nil if the value has no place in the result.
        let path: [Int]?
        let message: String
        var count = 1
        var keyCount = 0

        static var cutMessage: String { "further members are missing, because the text ends" }
    }

    private var listed: [Loss] = []
    /// A summary of the losses after the first 1,000: a notice, and one loss of each kind with its count.
    private var further: [Loss] = []
    /// The number of losses, including those that are not listed.
    private(set) var totalCount = 0
    /// Whether a loss at the root says that members may be in other containers.
    private(set) var isRootDoubted = false
    /// Whether an unknown number of members may be inside a damaged comment, or before the root.
    var mayHideMembers = false

    /// The listed losses, and the summary of the others.
    var all: [Loss] { listed + further }

    var isEmpty: Bool { listed.isEmpty }

    mutating func add(_ loss: Loss) {
        totalCount += 1
        guard listed.count >= 1000 else {
            listed.append(loss)
            return
        }
        if further.isEmpty {
            further.append(
                Loss(
                    kind: .doubtful, range: loss.range, path: [],
                    message: "only the first 1,000 losses are listed; the others are counted", count: 0))
        }
        if let index = further.dropFirst().firstIndex(where: { $0.kind == loss.kind }) {
            further[index].count += loss.count
            further[index].keyCount += loss.keyCount
        } else {
            further.append(
                Loss(
                    kind: loss.kind, range: loss.range, path: nil,
                    message: "the first of the losses that are not listed", count: loss.count, keyCount: loss.keyCount))
        }
    }

    /// Adds text of members before a damaged beginning.
    mutating func addMembers(before end: Int) {
        mayHideMembers = true
        add(Loss(kind: .value, range: 0..<end, path: nil, message: "the text before the root contains parts of values"))
        add(Loss(kind: .doubtful, range: 0..<end, path: [], message: "some of its members are before the root"))
    }

    /// Adds a doubt about the root, because damage may have ended containers and begun others without leaving a trace.
    /// The root is doubted only once.
    mutating func doubtRoot(around range: Range<Int>) {
        guard !isRootDoubted else { return }
        isRootDoubted = true
        add(
            Loss(
                kind: .doubtful, range: range, path: [],
                message: "members may be missing or in another container because of the damage"))
    }
}
