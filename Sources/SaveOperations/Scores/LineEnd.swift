/// The line end that a shell or an editor puts behind a text of one line.
enum LineEnd {
    /// The text without one LF or CR LF at its end.
    static func removed(from text: [UInt8]) -> ArraySlice<UInt8> {
        guard text.last == 0x0A else { return text[...] }
        let line = text.dropLast()
        return line.last == 0x0D ? line.dropLast() : line
    }
}
