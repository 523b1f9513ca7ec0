#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many processors are there to work.
let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
