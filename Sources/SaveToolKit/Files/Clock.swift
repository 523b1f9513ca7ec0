#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// The clock of the system.
enum Clock {
    /// The present, in seconds since 2001-01-01T00:00:00Z.
    static var secondsSince2001: Double {
        Double(time(nil)) - 978_307_200
    }
}
