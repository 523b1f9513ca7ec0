import Foundation

/// How much a run goes through of what is long by design: random cases, damaged files, large inputs, many processes.
///
/// All of it where the environment variable `SAVETOOL_LONG_TESTS` is set, to a number that many hundredths of it, as in
/// `.ci/run`; otherwise a sample that takes seconds.
public enum TestScale {
    private static let wanted = ProcessInfo.processInfo.environment["SAVETOOL_LONG_TESTS"]

    /// Whether the run goes through more than a sample.
    public static let isLong = wanted != nil

    /// How many hundredths of what is long the run goes through.
    private static let percentage = wanted.flatMap { Int($0) }.map { min(max($0, 1), 100) } ?? 100

    /// How many there are of something in this run.
    public static func count(_ sample: Int, long: Int) -> Int {
        isLong ? max(sample, long * percentage / 100) : sample
    }

    /// Those of a list, such as the files of a corpus, that this run looks at: all, or one in eight.
    public static func sample<Element>(of all: [Element], isComplete: Bool = isLong) -> [Element] {
        isComplete ? all : one(in: 8, of: all)
    }

    /// One in so many of a list.
    public static func one<Element>(in step: Int, of all: [Element]) -> [Element] {
        stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// How often a test of damaged files damages one; `SAVETOOL_FUZZ_ITERATIONS` says otherwise.
    public static let fuzzIterations =
        ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_ITERATIONS"].flatMap { Int($0) } ?? count(200, long: 2_000)
}
