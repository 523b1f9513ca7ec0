/// An operand of a command, for the usage line and the completion:
///
///     .file, .address.repeated, .text("VALUE").optional        FILE ADDRESS… [VALUE]
struct Operand: Sendable {
    /// The meaning of the operand.
    enum Kind: Sendable {
        /// The name of a file that is read.
        case file
        case address
        case text
        /// A text, or the name of a file if options state the text.
        case textOrFile
        case shell
        /// A page of the help, named by one or more words.
        case page
        /// An option that the command requires, shown in the usage line.
        case option

        /// Whether the operand always names a file, or is `-`.
        var isFile: Bool {
            switch self {
            case .file: true
            case .address, .text, .textOrFile, .shell, .page, .option: false
            }
        }
    }

    private enum Count: Sendable {
        case one, optional, repeated, any
    }

    let name: String
    let kind: Kind
    private var count = Count.one

    private init(_ name: String, _ kind: Kind) {
        (self.name, self.kind) = (name, kind)
    }

    static let file = file("FILE")
    static let address = Operand("ADDRESS", .address)
    static let shell = Operand("SHELL", .shell)
    static let page = Operand("COMMAND | TOPIC", .page)

    static func file(_ name: String) -> Operand { Operand(name, .file) }
    static func text(_ name: String) -> Operand { Operand(name, .text) }
    static func textOrFile(_ name: String) -> Operand { Operand(name, .textOrFile) }

    /// Returns an operand for a required option, with a placeholder for its value.
    static func required(_ option: Option, _ value: String? = nil) -> Operand {
        Operand(option.shown + " " + (value ?? option.value ?? ""), .option)
    }

    /// The same operand, which may be omitted.
    var optional: Operand { counted(.optional) }
    /// The same operand, once or several times.
    var repeated: Operand { counted(.repeated) }
    /// The same operand, any number of times.
    var any: Operand { counted(.any) }

    private func counted(_ count: Count) -> Operand {
        var operand = self
        operand.count = count
        return operand
    }

    /// Whether the operand may consist of several arguments.
    var allowsMoreOperands: Bool { count == .repeated || count == .any || kind == .page }

    /// The operand in the usage line.
    var usage: String {
        switch count {
        case .one: name
        case .optional: "[\(name)]"
        case .repeated: name + "…"
        case .any: "[\(name) …]"
        }
    }
}
