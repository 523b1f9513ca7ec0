import KeyedArchive
import SaveCodec
import SaveOperations

/// `savetool get`: prints single values.
enum GetCommand {
    static let command = Command(
        name: "get", summary: "print values from a file", operands: "FILE ADDRESS…",
        discussion: """
            Prints the values at the addresses, JSON Pointers such as /root/scores/0, one after the other;
            /root/$class is the class of an object.

            Forms: raw, the value itself: the characters of a string and the bytes of data, numbers and
            dates as text; json, plain JSON as inspect has it, on one line each if there are several
            addresses; xml, a property list of the value, if it consists of plain values; hex, data in
            hexadecimal digits. Without an option a value that contains others is printed as json, and any
            other one raw. On a terminal, control characters in a string are escaped.

            --defaults looks up what the preferences do not have in a file of registered defaults, and says
            so. A key that the preferences have hides the default as a whole: nothing below is merged.

            Exit status: 0 done, 1 nothing at an address, 2 something could not be printed.
            """,
        options: [.form, .compact, .allowLoss, .defaults, .from, .raw, .maxDepth],
        run: run)

    private static func run(_ arguments: Arguments, _ invocation: Invocation) throws -> ExitStatus {
        let plan = try GetPlan(arguments)
        return try invocation.withDefaults(plan.defaults, limits: plan.limits, isRaw: plan.isRaw) { defaults in
            try invocation.forEachFile([plan.file]) { name in
                let save = try SaveFile(
                    reading: name, as: plan.source, limits: plan.limits, isRaw: plan.isRaw, invocation)
                let file = try LayeredFile(save.view, of: name, over: defaults, limits: plan.limits)
                var status = ExitStatus.done
                for address in plan.addresses { status = max(status, try get(address, in: file, plan, invocation)) }
                return status
            }
        }
    }

    private static func get(
        _ address: Address, in file: LayeredFile, _ plan: GetPlan, _ invocation: Invocation
    ) throws -> ExitStatus {
        let address = file.view.meant(by: address)
        guard let place = file.place(of: address, invocation) else { return .notThere }
        let text = SingleValueText(view: place.view, id: place.id, address: address, limits: plan.limits)
        let printed: (text: [UInt8], losses: [Problem])
        do throws(Problem) {
            printed = try text.bytes(plan, isTerminal: invocation.output.isTerminal)
        } catch {
            var problem = error
            problem.address = problem.address ?? address
            invocation.say(ProblemLine.render(problem, in: place.file))
            return .cannot
        }
        for loss in printed.losses {
            invocation.say(ProblemLine.render(loss, in: place.file, as: plan.allowsLoss ? "warning" : nil))
        }
        guard printed.losses.isEmpty || plan.allowsLoss else { return .cannot }
        file.sayOrigin(of: place, at: address, invocation)
        try invocation.writeOutput { $0.write(printed.text) }
        return .done
    }
}

/// What the arguments of `savetool get` ask for.
struct GetPlan {
    /// The forms in which a value is printed.
    enum Form: String, CaseIterable {
        case raw, json, xml, hex
    }

    let file: String
    let addresses: [Address]
    /// The form; nil for the one that fits the value.
    let form: Form?
    let isCompact: Bool
    let allowsLoss: Bool
    /// The file with the registered defaults; nil for none.
    let defaults: String?
    let source: Format?
    let limits: Limits
    let isRaw: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let file = arguments.operands.first else { throw .missingOperand("FILE") }
        guard arguments.operands.count > 1 else { throw .missingOperand("ADDRESS") }
        self.file = file
        var addresses: [Address] = []
        for operand in arguments.operands.dropFirst() { addresses.append(try Address(operand: operand)) }
        self.addresses = addresses
        form = try arguments.choice(of: .form)
        if arguments.has(.compact), let form, form != .json {
            throw .onlyWith(.compact, .form, values: [Form.json.rawValue])
        }
        if arguments.has(.allowLoss), form != .xml { throw .onlyWith(.allowLoss, .form, values: [Form.xml.rawValue]) }
        isCompact = arguments.has(.compact) || addresses.count > 1
        allowsLoss = arguments.has(.allowLoss)
        defaults = try arguments.defaults(under: [file])
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        isRaw = arguments.has(.raw)
    }
}

extension Option {
    static let form = Option(
        "format", "f", value: "FORM", help: "raw, json, xml or hex (json for values that contain\nothers, else raw)")
}

/// One value of a view as `get` prints it.
struct SingleValueText {
    let view: ObjectView
    let id: ViewID
    let address: Address
    let limits: Limits

    /// The value in the form that is asked for, and what that form cannot hold of it.
    func bytes(_ plan: GetPlan, isTerminal: Bool) throws(Problem) -> (text: [UInt8], losses: [Problem]) {
        let node = view.scalar(id)
        switch plan.form ?? (node == nil ? .json : .raw) {
        case .raw:
            guard let node else { throw .noScalar() }
            return (try Self.raw(node, isTerminal: isTerminal), [])
        case .json: return (try json(isCompact: plan.isCompact), [])
        case .xml: return try xml()
        case .hex:
            guard case .data(let bytes) = node else { throw .noData() }
            return (Self.hexadecimal(bytes), [])
        }
    }

    // MARK: Forms

    private static func raw(_ node: Node, isTerminal: Bool) throws(Problem) -> [UInt8] {
        switch node {
        case .string(let text): return isTerminal ? Array((text.escaped + "\n").utf8) : try utf8(text)
        case .data(let bytes):
            if isTerminal { throw .dataToTerminal() }
            return Array(bytes)
        case .date(let seconds):
            return Array(((ScalarText.date(seconds) ?? ScalarText.real(seconds)) + "\n").utf8)
        case .uid(let uid): return Array("\(uid.value)\n".utf8)
        default: return Array((ValueText.line(node).text + "\n").utf8)
        }
    }

    private static func utf8(_ text: Text) throws(Problem) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 1)
        let isInvalid = transcode(
            text.makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true, into: { output.append($0) })
        if isInvalid { throw .loneSurrogate() }
        output.append(UInt8(ascii: "\n"))
        return output
    }

    private static func hexadecimal(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] } + [UInt8(ascii: "\n")]
    }

    private func json(isCompact: Bool) throws(Problem) -> [UInt8] {
        var output = ByteWriter()
        let scope = Outline.Scope(repeatsShared: view.isExpandable(from: id, limits))
        var renderer = PlainJSONRenderer(isCompact: isCompact)
        try renderer.render(
            Outline(of: view, from: id, at: address, scope: scope), within: OutputBound(view.document, output),
            to: &output)
        return output.takeBytes()
    }

    private func xml() throws(Problem) -> ([UInt8], [Problem]) {
        let document = try view.plainDocument(of: id, limits: limits)
        var output = ByteWriter()
        try document.write(as: .xml, to: &output, limits: limits)
        let losses = document.losses(as: .xml, limits: limits).map { loss in
            var loss = loss
            loss.address = loss.address.map { address.appending($0) }
            return loss
        }
        return (output.takeBytes(), losses)
    }
}

extension Problem {
    fileprivate static func noScalar() -> Problem {
        Problem("get.no-scalar", "the value contains others, so it has no raw form; json is one that it has")
    }

    fileprivate static func noData() -> Problem {
        Problem("get.no-data", "only data has hexadecimal digits; found another value")
    }

    fileprivate static func dataToTerminal() -> Problem {
        Problem("get.data-terminal", "data is not written to a terminal as it is; hex and json are for the eye")
    }

    fileprivate static func loneSurrogate() -> Problem {
        Problem("get.lone-surrogate", "the string has a lone surrogate, which UTF-8 cannot hold; json can")
    }
}
