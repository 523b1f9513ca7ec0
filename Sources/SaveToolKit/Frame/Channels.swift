/// How much a terminal shows at once.
package struct TerminalSize {
    let columns: Int
    let rows: Int

    /// Creates a size.
    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// Where the tool writes: standard output, standard error, or what stands for them in a test.
package struct OutputChannel {
    /// Whether a person reads along, so that colour is welcome and binary data is not.
    let isTerminal: Bool
    /// How many columns and rows the terminal has; nil for what is none, or does not say.
    let size: TerminalSize?
    /// Takes the next bytes.
    let write: (Span<UInt8>) throws -> Void

    /// Creates a channel.
    package init(isTerminal: Bool = false, size: TerminalSize? = nil, write: @escaping (Span<UInt8>) throws -> Void) {
        self.isTerminal = isTerminal
        self.size = size
        self.write = write
    }

    /// The standard stream of the process with this number.
    ///
    /// - Parameter progress: what is shown on the same terminal between two pieces.
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

/// Where the tool reads what `-` names: standard input, or what stands for it in a test.
package struct InputChannel {
    /// Whether a person types.
    let isTerminal: Bool
    /// All bytes up to the end.
    let read: () throws -> [UInt8]
    /// The first bytes, as many as are wanted, or fewer if the end comes before. What follows them is not waited for.
    let readStart: (Int) throws -> [UInt8]
    /// The next byte; nil at the end. What follows it is not waited for.
    private let readByte: () throws -> UInt8?

    /// Creates a channel.
    private init(
        isTerminal: Bool, read: @escaping () throws -> [UInt8], readStart: @escaping (Int) throws -> [UInt8],
        readByte: @escaping () throws -> UInt8?
    ) {
        self.isTerminal = isTerminal
        self.read = read
        self.readStart = readStart
        self.readByte = readByte
    }

    /// Creates a channel of bytes that are there.
    package init(_ bytes: [UInt8], isTerminal: Bool = false) {
        var rest = bytes[...]
        self.init(
            isTerminal: isTerminal, read: { bytes }, readStart: { Array(bytes.prefix($0)) },
            readByte: { rest.popFirst() })
    }

    /// The next line, without its end; nil behind the last. Of a line that nobody would type the beginning.
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
