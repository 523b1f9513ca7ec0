/// The work on a damaged text so far, and its limits. They keep the time linear.
struct RepairWork {
    let limits: Limits
    private let textSize: Int
    private var valueCount = 0
    /// The number of tokens that searches have read, and the offset up to which they have read.
    private var searched = (count: 0, end: 0)
    /// The number of bytes in quoted strings that searches may still read.
    private(set) var stepsLeft: Int

    init(on text: [UInt8], _ limits: Limits) {
        self.limits = limits
        textSize = text.count
        stepsLeft = 16 * text.count
    }

    mutating func countValue() { valueCount += 1 }

    mutating func spend(steps count: Int) { stepsLeft -= count }

    /// Whether a search may continue at a token. Tokens read for the first time count towards the limit of values, which
    /// ``check(lossCount:)`` checks afterwards.
    mutating func maySearch(_ token: SalvageToken) -> Bool {
        if token.range.lowerBound >= searched.end {
            searched = (searched.count + 1, token.range.lowerBound + 1)
        }
        return searched.count <= limits.maxValueCount(of: textSize)
    }

    /// Checks the number of values, losses and tokens read by searches.
    func check(lossCount: Int) throws(Problem) {
        try limits.check(valueCount: valueCount + lossCount + searched.count, inFileOf: textSize)
    }
}
