import Foundation

/// The growth of running time with size, measured as CPU time of the test's thread, so that other processes do not
/// affect it.
public enum Growth {
    /// The limit on the growth from size / 4 to size: linear time grows by a factor of 4, quadratic time by 16.
    private static let bound = 10.0

    /// Whether the running time grows at most in proportion to the size, or slightly more.
    ///
    /// - Parameters:
    ///   - size: The larger of two sizes; the other is a quarter of it.
    ///   - prepare: Prepares the input of a size, and returns the work to measure.
    public static func isLinear(to size: Int, _ prepare: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try prepare(size / 4), try prepare(size))
        // Noise may spoil one attempt, but not all of them.
        for _ in 0..<4 where try seconds(large) < bound * seconds(small) { return true }
        return false
    }

    private static func seconds(_ work: () throws -> Void) rethrows -> Double {
        let start = threadSeconds()
        try work()
        return threadSeconds() - start
    }

    private static func threadSeconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
