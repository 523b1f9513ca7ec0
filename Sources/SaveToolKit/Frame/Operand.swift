/// An operand of a command. The usage line and the completion are made of it.
///
///     .file, .address.repeated, .text("VALUE").optional        FILE ADDRESS… [VALUE]
struct Operand: Sendable {
    /// The meaning of the word that is given.
    enum Kind: Sendable {
        /// The name of a file that is read.
        case file
        case address
        case text
        /// A text, or the name of a file if options tell the text.
        case textOrFile
        case shell
        /// A page of the help, which several words may name.
        case page
        /// No operand, but an option that the command cannot do without.
        case option
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

    /// An option that has to be given, with a placeholder for its value.
    static func required(_ option: Option, _ value: String? = nil) -> Operand {
        Operand(option.shown + " " + (value ?? option.value ?? ""), .option)
    }

    /// The operand, which may be left out.
    var optional: Operand { counted(.optional) }
    /// One or more of the operand.
    var repeated: Operand { counted(.repeated) }
    /// Any number of the operand, or none.
    var any: Operand { counted(.any) }

    private func counted(_ count: Count) -> Operand {
        var operand = self
        operand.count = count
        return operand
    }

    /// Whether more words than one may be given for the operand.
    var goesOn: Bool { count == .repeated || count == .any || kind == .page }

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
