import KeyedArchive
import SaveCodec

/// What commands say of an archive beside their result, so that all of them say the same.
enum ArchiveHint {
    /// What to do about a file that is no sound archive; nil if the problem is another one.
    static func line(for problem: Problem, in name: String) -> String? {
        guard problem.kind.isOf(.archive) else { return nil }
        return Invocation.shownName(name)
            + ": not a sound keyed archive; \(Option.raw.shown) takes it as the property list that it is stored as"
    }
}

extension Invocation {
    /// Says which objects of Foundation's classes are not what their classes make them, and are taken as plain fields.
    func warn(of archive: KeyedArchive, in name: String) {
        warn(archive.remarks.filter { $0.severity == .error }, in: name)
    }
}
