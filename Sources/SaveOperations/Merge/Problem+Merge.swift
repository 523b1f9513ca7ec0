import SaveCodec

extension Problem {
    static func mergeKinds() -> Problem {
        Problem("merge.kinds", "keyed archives and other saves cannot be merged with each other")
    }
}
