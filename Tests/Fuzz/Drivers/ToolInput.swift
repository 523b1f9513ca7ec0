import KeyedArchives
import SaveCodec

/// An input of the driver of the whole tool:
///
///     ┌────────┬──────────┬──────────┬───────────┬──────────┬─ …
///     │ 1 byte │ 1 byte   │ file "a" │ FF FE … FF│ file "b" │
///     └────────┴──────────┴──────────┴───────────┴──────────┴─ …
///       operation  which of    what the operation is done to; of three at most,
///                  the values   and what is not there is the one before
///
/// The bytes that part the files stand in the dictionary, too, so that inputs with several files come about.
struct ToolInput {
    let operation: Operation
    /// Picks one of many, such as an address in a file.
    let choice: Int
    /// The files, by the names that operations have for them.
    let files: [[UInt8]]
    static let names = ["a", "b", "c"]

    private static let separator: [UInt8] = [0xFF, 0xFE, 0x2D, 0x2D, 0xFE, 0xFF]

    /// - Returns: nil for what is too short to say what is to be done.
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

    /// An input for no operation of the list.
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

    /// Does what the input says.
    func check() {
        for (name, bytes) in zip(Self.names, files) { Sandbox.shared.write(bytes, to: name) }
        operation.check(ToolRun(self))
        let left = Sandbox.shared.clear().filter { $0.hasPrefix(".savetool-") }
        guard left.isEmpty else { violation("nothing is left behind", left.joined(separator: " ")) }
    }
}

/// What operations run the tool with, which checks what holds for every run.
struct ToolRun {
    let input: ToolInput

    init(_ input: ToolInput) { self.input = input }

    /// The bytes of all files.
    private var count: Int { input.files.reduce(0) { $0 + $1.count } }

    /// Runs the tool and checks what holds for every command.
    ///
    /// - Parameter reading: how the files are taken that must be sound for the status to be 0.
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

    /// The first of the files that no reader takes.
    private func refused(_ reading: [Operation.Reading]) -> String? {
        zip(input.files, zip(ToolInput.names, reading)).first { !Self.isSound($0, $1.1) }?.1.0
    }

    /// Whether a file is read when it is taken so.
    static func isSound(_ bytes: [UInt8], _ reading: Operation.Reading) -> Bool {
        if reading == .anything { return true }
        guard let bytes = try? Layers.unwrap(bytes).contents, let format = try? Format.recognize(bytes),
            let document = try? Document.read(bytes, as: format)
        else { return false }
        return (try? ObjectView(of: document, limits: Limits(), isRaw: reading == .stored)) != nil
    }
}
