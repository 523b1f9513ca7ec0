/// The version of the tool, as stated in reports.
enum Version {
    static let current = "1.0.0"
    /// The commit of the build, which `.ci/install` writes here; otherwise empty.
    static let commit = ""
    static let date = "2026-11-23"
}
