/// A file that cannot be read or written, and why.
struct FileError: Error {
    /// The name as it is shown.
    let name: String
    /// Why, as one sentence.
    let sentence: String

    init(_ name: String, _ sentence: String) {
        self.name = name
        self.sentence = sentence
    }

    init(_ name: String, _ error: SystemError) {
        self.init(name, error.sentence)
    }
}

/// The reader of the output has gone, as `head` does when it has seen enough.
struct ClosedPipe: Error {}
