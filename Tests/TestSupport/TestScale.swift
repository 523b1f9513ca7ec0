import Foundation

/// The scale of tests that are long by design: random cases, damaged files, large inputs, many processes.
///
/// Without the environment variable `SAVETOOL_LONG_TESTS`, a run takes a sample of a few seconds. With it, a run takes
/// all cases or, if the variable is a number, that percentage of them, as in `.ci/run`.
public enum TestScale {
    private static let wanted = ProcessInfo.processInfo.environment["SAVETOOL_LONG_TESTS"]

    /// Whether the run takes more than a sample.
    public static let isLong = wanted != nil

    /// The percentage of the long tests that the run takes.
    private static let percentage = wanted.flatMap { Int($0) }.map { min(max($0, 1), 100) } ?? 100

    /// Returns the number of cases in this run.
    public static func count(_ sample: Int, long: Int) -> Int {
        isLong ? max(sample, long * percentage / 100) : sample
    }

    /// The distance between the elements of a list that this run uses, up to 8.
    public static let step = isLong ? min(100 / percentage, 8) : 8

    /// Returns the elements of a list that this run uses, such as files of a corpus: one in eight, or more in a
    /// long run.
    public static func sample<Element>(of all: [Element]) -> [Element] {
        one(in: step, of: all)
    }

    /// Returns every element at a multiple of `step`.
    public static func one<Element>(in step: Int, of all: [Element]) -> [Element] {
        stride(from: 0, to: all.count, by: step).map { all[$0] }
    }

    /// The number of damaged copies in a test of damaged files, unless `SAVETOOL_FUZZ_ITERATIONS` sets another.
    public static let fuzzIterations =
        ProcessInfo.processInfo.environment["SAVETOOL_FUZZ_ITERATIONS"].flatMap { Int($0) } ?? count(50, long: 2_000)

    /// Prints the figures of a long test, such as the number of cases it took. A run of samples prints nothing.
    public static func report(_ figures: @autoclosure () -> String) {
        if isLong { print(figures()) }
    }
}
