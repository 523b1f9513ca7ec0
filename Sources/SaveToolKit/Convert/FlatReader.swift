import SaveCodec
import SaveOperations

/// Builds a document from flat lines in any order. ``FlatRenderer`` writes such lines for a plain document:
///
///     /scores/1 = 900
///     /name = "Zoë"                  ─▶    {"scores": [1200, 900], "name": "Zoë"}
///     /scores/0 = 1200
///
/// Values are typed JSON. A container is an array if the addresses of its contents all end in indices; a missing index
/// is an error. Any other container with contents is a dictionary. A container to which this does not apply has its own
/// line: `{}` for a dictionary whose keys are all integers, `{"$set": []}` for a set. `→` is a reference to a container
/// at another address.
///
/// The reader is iterative, and linear in the size of the text.
struct FlatReader: ~Copyable {
    /// The name of the format on the command line.
    static let name = "flat"

    private let text: [UInt8]
    private let limits: Limits
    private var builder = DocumentBuilder()
    private var nodes = [Node(line: 0)]
    private var children: [Step: Int] = [:]
    private var digitLosses: [Problem] = []

    /// The step from a node to one of its children.
    private struct Step: Hashable {
        let parent: Int
        let token: AddressToken
    }

    /// A value of the document.
    private struct Node {
        /// The last step of the node's address, or nil for the root.
        var step: Step?
        /// The first line whose address leads to the node or through it.
        let line: Int
        var value: Value?
        var children: [Int] = []
        /// The object in the document, once it is written.
        var object: ObjectID?
        /// Whether the node is a container that is being written.
        var isOpen = false
    }

    private enum Value {
        case scalar(ObjectID)
        case container(DocumentBuilder.Container)
        case reference(JSONPointer)

        var isContainer: Bool {
            if case .container = self { true } else { false }
        }
    }

    /// A container that is being written, and its remaining children.
    private struct Frame {
        let node: Int
        let isDictionary: Bool
        var rest: ArraySlice<Int>
    }

    /// Reads a document. Also returns the numbers that lose digits.
    static func read(
        _ text: [UInt8], limits: Limits
    ) throws(Problem) -> (document: Document, digitLosses: [Problem]) {
        var reader = FlatReader(text: text, limits: limits)
        try reader.readLines()
        try reader.writeNodes()
        let losses = reader.digitLosses
        return (try reader.builder.finish(sourceSize: text.count), losses)
    }

    private init(text: [UInt8], limits: Limits) {
        (self.text, self.limits) = (text, limits)
    }

    // MARK: Lines

    private mutating func readLines() throws(Problem) {
        var start = 0
        var number = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: "\n")) ?? text.count
            number += 1
            let hasReturn = end > start && text[end - 1] == UInt8(ascii: "\r")
            let line = FlatLine(text[start..<(hasReturn ? end - 1 : end)], number: number)
            if !line.isBlank { try read(line) }
            start = end + 1
        }
    }

    private mutating func read(_ line: FlatLine) throws(Problem) {
        let (address, value) = try line.parts()
        guard address.tokens.count <= limits.maxDepth else {
            throw line.problem("limit.depth", "containers are nested more than \(limits.maxDepth) levels deep")
        }
        let node = try node(at: address, of: line)
        let read = try self.read(value, of: address, in: line)
        if nodes[node].value != nil {
            throw line.problem("flat.conflict", "line \(nodes[node].line) already sets a value at this address")
        }
        if let first = nodes[node].children.first, !read.isContainer {
            throw line.problem(
                "flat.conflict", "found a scalar, but line \(nodes[first].line) has a value inside it")
        }
        nodes[node].value = read
    }

    /// Reads the value of a line.
    private mutating func read(
        _ value: ArraySlice<UInt8>, of address: JSONPointer, in line: FlatLine
    ) throws(Problem) -> Value {
        if value.starts(with: "→ ".utf8) { return .reference(try line.address(value.dropFirst("→ ".utf8.count))) }
        if value.elementsEqual("{…}".utf8) || value.elementsEqual("[…]".utf8) {
            throw line.problem(
                "flat.closed", "the contents of this container were left out; write the lines without --depth",
                at: value)
        }
        let json = Array(value)
        let document: Document
        do throws(Problem) {
            document = try JSON.readTyped(json)
        } catch {
            throw line.located(error, in: value)
        }
        digitLosses += document.digitLosses(in: json).map { line.located($0, in: value) }
        let object = document.object(document.root)
        if address.tokens.last.map({ $0.elementsEqual("$class".utf16) }) == true, object.kind.isString {
            throw line.problem(
                "flat.class",
                "$class belongs to an archive, and flat lines cannot store one; convert JSON instead")
        }
        guard object.kind.isContainer else {
            builder.add(object, of: document)
            return builder.takeLast().map(Value.scalar) ?? .container(.array)
        }
        guard object.count == 0 else {
            throw line.problem("flat.value", "found a container with contents; expected one line per value", at: value)
        }
        return .container(object.kind == .dictionary ? .dictionary : object.kind == .set ? .set : .array)
    }

    /// Returns the node at an address, creating it if necessary.
    private mutating func node(at address: JSONPointer, of line: FlatLine) throws(Problem) -> Int {
        var node = 0
        for depth in address.tokens.indices {
            if let value = nodes[node].value, !value.isContainer {
                throw line.problem(
                    "flat.conflict", "line \(nodes[node].line) already gives the containing value as a scalar")
            }
            let step = Step(parent: node, token: address.token(at: depth))
            if let known = children[step] {
                node = known
                continue
            }
            if step.token.isExtension, step.token.units.first != UInt16(UInt8(ascii: "=")) {
                let form = String(decoding: step.token.units, as: UTF16.self)
                throw line.problem("flat.key", "the address has ~\(form), which does not identify a key")
            }
            children[step] = nodes.count
            nodes[node].children.append(nodes.count)
            node = nodes.count
            nodes.append(Node(step: step, line: line.number))
        }
        return node
    }

    // MARK: The document

    private mutating func writeNodes() throws(Problem) {
        guard nodes[0].value != nil || !nodes[0].children.isEmpty else { return }
        var frames: [Frame] = []
        if let frame = try begin(0) { frames.append(frame) }
        while let last = frames.indices.last {
            guard let child = frames[last].rest.popFirst() else {
                let node = frames.removeLast().node
                nodes[node].object = builder.close()
                nodes[node].isOpen = false
                continue
            }
            if frames[last].isDictionary { try addKey(of: child) }
            if let frame = try begin(child) { frames.append(frame) }
        }
    }

    /// Adds a value to the document. If the value is a container, opens it and returns a frame with its children.
    private mutating func begin(_ position: Int) throws(Problem) -> Frame? {
        let node = try referred(from: position)
        if let object = nodes[node].object {
            builder.add(object)
            return nil
        }
        if case .scalar(let object) = nodes[node].value {
            builder.add(object)
            return nil
        }
        guard !nodes[node].isOpen else {
            throw problem(
                "flat.cycle", "→ refers to a container that holds it; a property list cannot contain itself",
                at: position)
        }
        let (container, contents) = try container(node)
        nodes[node].isOpen = true
        builder.open(container)
        if builder.depth > limits.maxDepth {
            throw problem("limit.depth", "containers are nested more than \(limits.maxDepth) levels deep", at: position)
        }
        var isDictionary = false
        if case .dictionary = container { isDictionary = true }
        return Frame(node: node, isDictionary: isDictionary, rest: contents[...])
    }

    /// Returns the node that a reference leads to, or the node itself if it is not a reference.
    private func referred(from position: Int) throws(Problem) -> Int {
        guard case .reference(let address) = nodes[position].value else { return position }
        var node = 0
        for depth in address.tokens.indices {
            guard let next = children[Step(parent: node, token: address.token(at: depth))] else {
                throw problem("flat.reference", "→ refers to \(address), which has no line", at: position)
            }
            node = next
        }
        switch nodes[node].value {
        case nil, .container: return node
        case .scalar, .reference:
            throw problem(
                "flat.reference", "→ refers to \(address), which is not a container (line \(nodes[node].line))",
                at: position)
        }
    }

    /// Returns the kind of a container and its children in order.
    private func container(_ node: Int) throws(Problem) -> (DocumentBuilder.Container, [Int]) {
        let contents = nodes[node].children
        if case .container(.dictionary) = nodes[node].value { return (.dictionary, contents) }
        var container = DocumentBuilder.Container.array
        if case .container(let present) = nodes[node].value {
            container = present
        } else if contents.contains(where: { nodes[$0].step?.token.isIndex != true }) {
            return (.dictionary, contents)
        }
        var elements = [Int](repeating: -1, count: contents.count)
        for child in contents {
            guard let token = nodes[child].step?.token, token.isIndex else {
                throw problem(
                    "flat.conflict",
                    "the address does not end in a position, but line \(nodes[node].line) has an array or a set",
                    at: child)
            }
            guard let position = token.position(below: contents.count) else {
                throw problem(
                    "flat.gap", "a line for an earlier position is missing; for a dictionary, add a line with {}",
                    at: child)
            }
            elements[position] = child
        }
        return (container, elements)
    }

    private mutating func addKey(of node: Int) throws(Problem) {
        guard let step = nodes[node].step else { return }
        guard step.token.isExtension else {
            builder.add(utf16: step.token.units.span)
            return
        }
        guard let key = JSONPointer.key(ofExtension: step.token.units) else {
            let form = String(decoding: step.token.units, as: UTF16.self)
            throw problem("flat.key", "the address has ~\(form), which does not identify a key", at: node)
        }
        builder.add(key.object(key.root), of: key)
    }

    private func problem(_ id: String, _ message: String, at node: Int) -> Problem {
        Problem(id, message, at: .line(nodes[node].line, column: 1))
    }
}

/// One line of flat output.
struct FlatLine {
    private let bytes: ArraySlice<UInt8>
    let number: Int

    init(_ bytes: ArraySlice<UInt8>, number: Int) {
        (self.bytes, self.number) = (bytes, number)
    }

    var isBlank: Bool { bytes.allSatisfy(\.isBlank) }

    /// Returns the address, and the bytes after ` = `.
    func parts() throws(Problem) -> (address: JSONPointer, value: ArraySlice<UInt8>) {
        guard let end = endOfAddress() else {
            throw problem("flat.line", "expected ADDRESS = VALUE, with a space on each side of =")
        }
        return (try address(bytes[..<end]), bytes[(end + Self.sign.count)...])
    }

    private static let sign = Array(" = ".utf8)

    private func endOfAddress() -> Int? {
        var index = bytes.startIndex
        if bytes.first == UInt8(ascii: "\"") {
            index += 1
            while index < bytes.endIndex, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index += 1
            return index < bytes.endIndex && bytes[index...].starts(with: Self.sign) ? index : nil
        }
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: " "), bytes[index...].starts(with: Self.sign) { return index }
            index += 1
        }
        return nil
    }

    /// Returns the address in a part of the line. `/` is the root, as is `(root)` in the output of `find`; `"/"` is the
    /// empty key.
    func address(_ part: ArraySlice<UInt8>) throws(Problem) -> JSONPointer {
        if part.elementsEqual("/".utf8) || part.elementsEqual(JSONPointer.rootName.description.utf8) { return .root }
        guard let text = String(validating: part, as: UTF8.self), !text.isEmpty, let address = JSONPointer.read(text)
        else {
            throw problem("flat.address", "expected an address that begins with /, or a JSON string with one", at: part)
        }
        return address
    }

    func problem(_ id: String, _ message: String, at part: ArraySlice<UInt8>? = nil) -> Problem {
        Problem(id, message, at: location(of: part?.startIndex ?? bytes.startIndex))
    }

    /// Returns a problem in a part of the line, with its location in the whole text.
    func located(_ problem: Problem, in part: ArraySlice<UInt8>) -> Problem {
        var problem = problem
        guard case .line(1, let inner) = problem.location else { return problem }
        problem.location = location(of: part.startIndex, besides: inner - 1)
        return problem
    }

    private func location(of index: Int, besides columns: Int = 0) -> SourceLocation {
        .line(number, column: bytes[..<index].count { $0 & 0xC0 != 0x80 } + 1 + columns)
    }
}
