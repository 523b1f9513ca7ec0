import Foundation

/// How the time that something takes grows with its size. It is the time of the test's own thread, so that what else the
/// machine does makes no difference.
public enum Growth {
    /// What is proportional to the size takes 4 times as long, what is proportional to its square 16 times.
    private static let bound = 10.0

    /// Whether something takes in proportion to its size, or little more.
    ///
    /// - Parameters:
    ///   - size: the larger of two sizes at which it is tried; the other is a quarter of it.
    ///   - prepare: makes what is needed for a size, and returns what is to be done with it.
    public static func isLinear(to size: Int, _ prepare: (Int) throws -> () throws -> Void) throws -> Bool {
        let (small, large) = (try prepare(size / 4), try prepare(size))
        // Noise makes one attempt fail, but not each of them.
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
