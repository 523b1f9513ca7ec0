import KeyedArchives
import SaveCodec

/// An input of the driver for the whole tool:
///
///     ┌────────┬──────────┬──────────┬───────────┬──────────┬─ …
///     │ 1 byte │ 1 byte   │ file "a" │ FF FE … FF│ file "b" │
///     └────────┴──────────┴──────────┴───────────┴──────────┴─ …
///       operation  choice    the files for the operation: at most three;
///                  of values  a missing file equals the one before it
///
/// The separator of files is also in the dictionary, so that the fuzzer finds inputs with several files.
struct ToolInput {
    let operation: Operation
    /// The choice of one of several values, such as an address in a file.
    let choice: Int
    /// The files, in the order of `names`.
    let files: [[UInt8]]
    static let names = ["a", "b", "c"]

    private static let separator: [UInt8] = [0xFF, 0xFE, 0x2D, 0x2D, 0xFE, 0xFF]

    /// Fails for an input that is too short.
    init?(_ bytes: [UInt8]) {
        guard bytes.count > 2 else { return nil }
        operation = Operation.all[Int(bytes[0]) % Operation.all.count]
        choice = Int(bytes[1])
        var files: [[UInt8]] = []
        var rest = bytes[2...]
        while files.count < Self.names.count {
            let end = Self.separatorStart(in: rest)
            files.append(Array(rest[..<(end ?? rest.endIndex)]))
            guard let end else { break }
            rest = rest[(end + Self.separator.count)...]
        }
        while files.count < Self.names.count { files.append(files[files.count - 1]) }
        self.files = files
    }

    /// Creates an input without an operation.
    init(files: [[UInt8]]) {
        self.files = files
        operation = Operation { _ in }
        choice = 0
    }

    private static func separatorStart(in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while let found = bytes[index...].firstIndex(of: separator[0]) {
            if bytes[found...].starts(with: separator) { return found }
            index = found + 1
        }
        return nil
    }

    func check() {
        for (name, bytes) in zip(Self.names, files) { Sandbox.shared.write(bytes, to: name) }
        operation.check(ToolRun(self))
        let left = Sandbox.shared.clear().filter { $0.hasPrefix(".savetool-") }
        guard left.isEmpty else { violation("nothing is left behind", left.joined(separator: " ")) }
    }
}

/// A runner of the tool that checks the laws for every command.
struct ToolRun {
    let input: ToolInput

    init(_ input: ToolInput) { self.input = input }

    private var count: Int { input.files.reduce(0) { $0 + $1.count } }

    /// Runs the tool and checks the laws for every command.
    ///
    /// - Parameter reading: The reading of each file that must succeed if the status is 0.
    func run(_ arguments: [String], reading: [Operation.Reading] = [], isTerminal: Bool = false) -> Sandbox.Result {
        let cost = Cost()
        let result = Sandbox.shared.run(arguments, input: input.files[0], isTerminal: isTerminal)
        let line = arguments.joined(separator: " ")
        cost.check(count + result.output.count, line)
        let putOut = result.output.count + result.talk.count
        guard putOut <= Cost.outputLimit(for: count) else {
            violation("output is in proportion to input", "\(line): \(putOut) bytes for \(count)")
        }
        guard (0...2).contains(result.status) else { violation("the status is 0, 1 or 2", "\(line): \(result.status)") }
        if result.status == 2, result.talk.isEmpty { violation("status 2 is explained", line) }
        if let scalar = Printable.violation(in: result.talk) {
            violation("messages have no control characters", "\(line): \(scalar)\n\(result.text)")
        }
        if result.status == 0, let name = refused(reading) {
            violation("status 0 is for what can be read", "\(line): \(name) is refused\n\(result.text)")
        }
        return result
    }

    /// Returns the name of the first file that no reader accepts.
    private func refused(_ reading: [Operation.Reading]) -> String? {
        zip(input.files, zip(ToolInput.names, reading)).first { !Self.isSound($0, $1.1) }?.1.0
    }

    /// Whether a file can be read in a given way.
    static func isSound(_ bytes: [UInt8], _ reading: Operation.Reading) -> Bool {
        if reading == .anything { return true }
        guard let bytes = try? Layers.unwrap(bytes).contents, let format = try? Format.recognize(bytes),
            let document = try? document(bytes, format, reading)
        else { return false }
        return (try? ObjectView(of: document, limits: Limits(), isRaw: reading == .stored)) != nil
    }

    /// Reads a document. JSON may have comments and trailing commas. Of a damaged database, `--raw` reads what is intact.
    private static func document(
        _ bytes: [UInt8], _ format: Format, _ reading: Operation.Reading
    ) throws(Problem) -> Document {
        if format.has(.typedJSON), JSON.hasComments(bytes) {
            return try Document.readSave(bytes, as: format, dialect: .commented)
        }
        guard reading == .stored, format.has(.database) else { return try Document.read(bytes, as: format) }
        return try SQLite.read(bytes, limits: Limits(), as: SQLite.ReadOptions(isRaw: true))
    }
}
