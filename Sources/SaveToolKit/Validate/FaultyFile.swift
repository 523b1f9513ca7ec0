import SaveCodec

/// A schema or a project file that is none: the file, and what is wrong in it.
struct FaultyFile: Error {
    let name: String
    let problem: Problem
}
