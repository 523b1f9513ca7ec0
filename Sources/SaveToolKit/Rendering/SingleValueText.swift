import KeyedArchive
import SaveCodec
import SaveOperations

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
