/// A file that is to be checked.
struct InputFile: Sendable {
    /// Its name, as it was given or found; `-` for standard input.
    let name: String
    /// Whether it was found in a folder, so that it is passed over if it is none of ours.
    var isFound = false
    /// The positions of the project's rules that are for it.
    var rules: [Int] = []
    /// Why it cannot be read, if that is known already: for example it is a folder.
    var failure: SystemError?

    /// A file whose name is `text`; one that cannot be read if that is no text.
    ///
    /// All names are handled as text, so that the file itself could not be opened by what becomes of such a name.
    static func named(_ text: [UInt8], in folder: (String) -> String = { $0 }) -> InputFile {
        let name = String(decoding: text, as: UTF8.self)
        return InputFile(name: folder(name), failure: name.utf8.elementsEqual(text) ? nil : .nameNotText)
    }
}
