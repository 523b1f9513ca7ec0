/// The size of a terminal, in characters.
package struct TerminalSize {
    let columns: Int
    let rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// A destination of output: standard output, standard error, or a substitute in a test.
package struct OutputChannel {
    /// Whether the channel is a terminal, which shows colours and must not get binary data.
    let isTerminal: Bool
    /// The size of the terminal, or nil if the channel is not a terminal or the size is unknown.
    let size: TerminalSize?
    let write: (Span<UInt8>) throws -> Void

    /// Creates a channel.
    package init(isTerminal: Bool = false, size: TerminalSize? = nil, write: @escaping (Span<UInt8>) throws -> Void) {
        self.isTerminal = isTerminal
        self.size = size
        self.write = write
    }

    /// Returns a channel that drops the output once its reader has closed the pipe, instead of ending the command. A
    /// pager, which counts as a terminal, still ends it.
    func outlivingReader() -> OutputChannel {
        guard !isTerminal else { return self }
        var isClosed = false
        return OutputChannel(isTerminal: isTerminal, size: size) { piece in
            guard !isClosed else { return }
            do { try write(piece) } catch is ClosedPipe { isClosed = true }
        }
    }

    /// Returns a standard stream of the process.
    ///
    /// - Parameter progress: The progress line on the same terminal, which is hidden before each write.
    static func standard(_ number: Int32, name: String, over progress: Progress?) -> OutputChannel {
        let stream = Descriptor(standard: number)
        let isTerminal = stream.isTerminal
        return OutputChannel(isTerminal: isTerminal, size: stream.terminalSize) { piece in
            if isTerminal { progress?.hide(before: piece) }
            do throws(SystemError) {
                try Descriptor(standard: number).write(piece)
            } catch {
                guard error != .brokenPipe else { throw ClosedPipe() }
                throw FileError(name, error == .notOpen ? "standard output is closed" : error.sentence)
            }
        }
    }
}

/// The source of the input named `-`: standard input, or a substitute in a test.
package struct InputChannel {
    /// Whether the input comes from a terminal.
    let isTerminal: Bool
    /// Reads all bytes up to the end.
    let read: () throws -> [UInt8]
    /// Reads the given number of bytes, or fewer at the end, without waiting for the bytes after them.
    let readStart: (Int) throws -> [UInt8]
    /// Reads the next byte, or nil at the end, without waiting for the bytes after it.
    private let readByte: () throws -> UInt8?

    private init(
        isTerminal: Bool, read: @escaping () throws -> [UInt8], readStart: @escaping (Int) throws -> [UInt8],
        readByte: @escaping () throws -> UInt8?
    ) {
        self.isTerminal = isTerminal
        self.read = read
        self.readStart = readStart
        self.readByte = readByte
    }

    /// Creates a channel that reads the given bytes.
    package init(_ bytes: [UInt8], isTerminal: Bool = false) {
        var rest = bytes[...]
        self.init(
            isTerminal: isTerminal, read: { bytes }, readStart: { Array(bytes.prefix($0)) },
            readByte: { rest.popFirst() })
    }

    /// Returns the next line without its end, or nil at the end. A line longer than 1,024 bytes is cut.
    func readLine() throws -> String? {
        var line: [UInt8] = []
        while let byte = try readByte() {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            if line.count < 1024 { line.append(byte) }
        }
        return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
    }

    /// The standard input of the process.
    static var standard: InputChannel {
        InputChannel(
            isTerminal: Descriptor(standard: 0).isTerminal,
            read: { try readStandard { input throws(SystemError) in try input.readToEnd() } },
            readStart: { count in
                try readStandard { input throws(SystemError) in try input.read(atMost: count) }
            }, readByte: { try readStandard { input throws(SystemError) in try input.read(atMost: 1) }.first })
    }

    private static func readStandard(
        _ read: (borrowing Descriptor) throws(SystemError) -> [UInt8]
    ) throws(FileError) -> [UInt8] {
        do throws(SystemError) {
            return try read(Descriptor(standard: 0))
        } catch {
            throw FileError("<stdin>", error == .notOpen ? "standard input is closed" : error.sentence)
        }
    }
}
