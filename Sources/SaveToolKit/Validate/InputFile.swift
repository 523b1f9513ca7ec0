/// A file that is to be checked.
struct InputFile: Sendable {
    /// Its name, as it was given or found; `-` for standard input.
    let name: String
    /// Whether it was found in a folder, so that it is passed over if it is none of ours.
    var isFound = false
    /// The positions of the project's rules that are for it.
    var rules: [Int] = []
    /// Why it cannot be read, if that is known already: it is a folder.
    var failure: SystemError?
}
