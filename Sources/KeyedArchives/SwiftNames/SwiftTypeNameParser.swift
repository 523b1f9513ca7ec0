import SaveCodec

/// A parser for the types of Swift's old mangling. It does not recurse: `tasks` is the stack of the steps left to do,
/// and `parts` holds the finished parts that later steps combine into larger ones.
struct SwiftTypeNameParser {
    private typealias Node = SwiftTypeName.Node

    private let text: [UInt8]
    private var position = 0
    private var nodes: [SwiftTypeName.Node] = []
    /// The positions of the nodes that `S_`, `S0_` and so on refer to.
    private var substitutions: [Int] = []
    /// The parsed parts of types that are still being parsed.
    private var parts: [Int] = []
    /// The labels of tuples that are still being parsed.
    private var labels: [SwiftTypeName.Identifier] = []
    /// The number of arguments on each parsed level of generic types that are still being parsed.
    private var counts: [Int] = []
    private var tasks: [Task] = [.type]

    private enum Task {
        case type, context, nominal
        /// Reads the name of a declaration. The last finished part is the context of the declaration and is replaced by
        /// it.
        case named(SwiftTypeName.Kind)
        /// Replaces the last part with its extension by a module.
        case extended(by: Int)
        /// Begins the arguments of the last part, a generic type.
        case arguments
        /// Reads the next argument. The open parts are the generic type and its arguments.
        case argument(Open, levels: Int)
        /// Reads the next element of a tuple.
        case element(Open)
        case protocolName(Open)
        /// Reads the name of a function. Its context is the last part.
        case entity
        /// Marks the last part, a function, as static.
        case isStatic
        /// Combines the open parts into a function.
        case endEntity(SwiftTypeName.Node, Open)
        /// Combines the open parts into a type.
        case end(SwiftTypeName.Kind, Open)
    }

    /// An unfinished type: the positions where its parts, labels and counts begin in the stacks.
    private struct Open {
        let part: Int
        let label: Int
        let count: Int
    }

    /// Parses the part of a name after `_Tt`.
    static func parse(_ text: [UInt8]) -> SwiftTypeName? {
        var parser = SwiftTypeNameParser(text)
        while let task = parser.tasks.popLast() {
            guard parser.run(task) else { return nil }
        }
        guard parser.position == text.count, let root = parser.parts.last else { return nil }
        return SwiftTypeName(nodes: parser.nodes, root: root)
    }

    private init(_ text: [UInt8]) {
        self.text = text
    }

    /// Returns false for an invalid name.
    private mutating func run(_ task: Task) -> Bool {
        switch task {
        case .type: return type()
        case .context: return context()
        case .nominal: return declaration() || substitution(\.isNominal)
        case .named(let kind):
            guard let context = parts.popLast(), let node = named(Node(kind: kind, parts: [context])),
                (node.localIndex != nil) == nodes[context].kind.isFunctionContext
            else { return false }
            add(node)
            substitutions.append(nodes.count - 1)
            return true
        case .extended(let module):
            guard let type = parts.popLast() else { return false }
            add(Node(kind: .extension, parts: [module, type]))
            return true
        case .arguments:
            guard let type = parts.last, let levels = levels(of: type) else { return false }
            tasks.append(.argument(open(parts.count - 1), levels: levels))
            return true
        case .argument(let open, let levels): return argument(open, levels)
        case .element(let open): return element(open)
        case .protocolName(let open): return protocolName(open)
        case .entity: return entity()
        case .isStatic:
            guard let function = parts.popLast() else { return false }
            add(Node(kind: .static, parts: [function]))
            return true
        case .endEntity(var node, let open):
            node.parts = Array(parts[open.part...])
            parts.removeSubrange(open.part...)
            add(node)
            return true
        case .end(let kind, let open):
            end(kind, open)
            return true
        }
    }

    // MARK: Types

    private mutating func type() -> Bool {
        let open = open(parts.count)
        if skip("G") {
            tasks += [.arguments, .nominal]
        } else if skip("T") {
            tasks.append(.element(open))
        } else if skip("F") {
            let isThrowing = skip("z")
            tasks += [.end(.function(isAsync: skip("Z"), throws: isThrowing), open), .type, .type]
        } else if skip("R") {
            tasks += [.end(.inout, open), .type]
        } else if skip("M") {
            tasks += [.end(.metatype, open), .type]
        } else if skip("P") {
            tasks += skip("M") ? [.end(.existentialMetatype, open), .type] : [.protocolName(open)]
        } else {
            tasks.append(.nominal)
        }
        return true
    }

    /// Begins a class, structure or enumeration. Returns false, and reads nothing, if something else follows.
    private mutating func declaration() -> Bool {
        guard position < text.count, let kind = SwiftTypeName.Kind(letter: text[position]) else { return false }
        position += 1
        tasks += [.named(kind), .context]
        return true
    }

    private mutating func context() -> Bool {
        if declaration() { return true }
        if skip("E") {
            guard module(), let module = parts.popLast() else { return false }
            tasks += [.extended(by: module), .context]
            return true
        }
        let isStatic = skip("Z")
        if isStatic { tasks.append(.isStatic) }
        if skip("F") {
            tasks += [.entity, .context]
            return true
        }
        guard !isStatic else { return false }
        return peek("S") ? substitution { $0.isNominal || $0 == .module } : module()
    }

    /// Reads the name of a function and begins its type. Returns false for an invalid name.
    private mutating func entity() -> Bool {
        let open = open(parts.count - 1)
        var entity = SwiftTypeName.Entity.plain.first { text[position...].starts(with: $0.letter.utf8) } ?? .function
        position += entity.letter.utf8.count
        if entity == .function, skip("U") {
            guard let index = index() else { return false }
            entity = .closure(index)
        }
        let nameless = Node(kind: .entity(entity))
        guard let node = entity.isNamed ? named(nameless) : nameless,
            (node.localIndex != nil || entity.closureIndex != nil) == nodes[parts[open.part]].kind.isFunctionContext
        else { return false }
        tasks.append(.endEntity(node, open))
        if entity != .destructor { tasks.append(.type) }
        return true
    }

    private mutating func module() -> Bool {
        if skip("s") {
            add(.swift)
            return true
        }
        if peek("S") { return substitution { $0 == .module } }
        guard let name = identifier() else { return false }
        add(Node(kind: .module, names: [name]))
        substitutions.append(nodes.count - 1)
        return true
    }

    /// Returns the number of argument lists of a generic type; nil in an extension, whose lists are ambiguous.
    private func levels(of type: Int) -> Int? {
        var (levels, position) = (0, type)
        while nodes[position].kind.isNominal { (levels, position) = (levels + 1, nodes[position].parts[0]) }
        return nodes[position].kind == .module && levels > 0 ? levels : nil
    }

    private mutating func argument(_ open: Open, _ levels: Int) -> Bool {
        guard skip("_") else {
            tasks += [.argument(open, levels: levels), .type]
            return true
        }
        // Stores the number of arguments so far; the first part is the generic type itself. When the type ends, these
        // totals become the counts of the levels.
        counts.append(parts.count - open.part - 1)
        if counts.count - open.count < levels {
            tasks.append(.argument(open, levels: levels))
        } else {
            end(.generic, open)
        }
        return true
    }

    private mutating func element(_ open: Open) -> Bool {
        if skip("_") {
            end(.tuple, open)
            return true
        }
        let hasLabel = position < text.count && text[position].isDigit
        guard let label = hasLabel ? identifier() : SwiftTypeName.Identifier(bytes: []) else { return false }
        labels.append(label)
        tasks += [.element(open), .type]
        return true
    }

    private mutating func protocolName(_ open: Open) -> Bool {
        if skip("_") {
            end(.composition, open)
            return true
        }
        tasks.append(.protocolName(open))
        if peek("S") {
            guard substitution({ $0.isDeclaration || $0 == .module }), let last = parts.last else { return false }
            if nodes[last].kind != .protocol { tasks.append(.named(.protocol)) }
            return true
        }
        tasks += [.named(.protocol), .context]
        return true
    }

    private mutating func add(_ node: SwiftTypeName.Node) {
        parts.append(nodes.count)
        nodes.append(node)
    }

    private func open(_ part: Int) -> Open { Open(part: part, label: labels.count, count: counts.count) }

    private mutating func end(_ kind: SwiftTypeName.Kind, _ open: Open) {
        let totals = counts[open.count...]
        let node = Node(
            kind: kind, names: Array(labels[open.label...]), parts: Array(parts[open.part...]),
            counts: zip(totals, [0] + totals).map { $0 - $1 })
        labels.removeSubrange(open.label...)
        counts.removeSubrange(open.count...)
        parts.removeSubrange(open.part...)
        add(node)
    }

    // MARK: Names

    /// Reads the names of a declaration, and the number of one inside a function: `L_4Item`.
    private mutating func named(_ node: Node) -> Node? {
        var node = node
        if skip("L") {
            guard let index = index() else { return nil }
            node.localIndex = index
        }
        guard let names = names() else { return nil }
        node.names = names
        return node
    }

    /// Reads `_` for 0, `0_` for 1 and so on.
    private mutating func index() -> Int? {
        if skip("_") { return 0 }
        guard let number = number(), skip("_") else { return nil }
        return number + 1
    }

    /// Reads `4Item`, or `P33_0123…4Item` for a private declaration.
    private mutating func names() -> [SwiftTypeName.Identifier]? {
        guard skip("P") else { return identifier().map { [$0] } }
        guard let discriminator = identifier(), let name = identifier() else { return nil }
        return [discriminator, name]
    }

    /// Reads the byte count of a name and the name.
    private mutating func identifier() -> SwiftTypeName.Identifier? {
        let isPunycode = skip("X")
        guard let count = number(), count > 0, count <= text.count - position else { return nil }
        let end = position + count
        // The name must not begin or end within a character.
        guard !Self.isContinuation(text[position]), end == text.count || !Self.isContinuation(text[end]) else {
            return nil
        }
        let name = SwiftTypeName.Identifier(bytes: Array(text[position..<end]), isPunycode: isPunycode)
        position = end
        return name.text == nil ? nil : name
    }

    /// Reads a substitution such as `S_` or `Si`, if its target has an allowed kind. Returns false for an invalid name.
    private mutating func substitution(_ isAllowed: (SwiftTypeName.Kind) -> Bool) -> Bool {
        guard skip("S"), position < text.count else { return false }
        if let known = SwiftTypeName.known[text[position]] {
            position += 1
            if known.kind == .module {
                guard isAllowed(.module) else { return false }
                add(Node(kind: .module, names: [known.identifier]))
            } else {
                guard isAllowed(known.kind) else { return false }
                nodes.append(.swift)
                add(Node(kind: known.kind, names: [known.identifier], parts: [nodes.count - 1]))
            }
            return true
        }
        guard let index = index(), index < substitutions.count, isAllowed(nodes[substitutions[index]].kind) else {
            return false
        }
        parts.append(substitutions[index])
        return true
    }

    /// Reads a decimal number.
    private mutating func number() -> Int? {
        let start = position
        var value = 0
        while position < text.count, text[position].isDigit {
            value = value * 10 + Int(text[position] - 0x30)
            guard value <= SwiftTypeName.longest * 3 else { return nil }
            position += 1
        }
        return position > start ? value : nil
    }

    private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

    private func peek(_ character: Unicode.Scalar) -> Bool {
        position < text.count && text[position] == UInt8(ascii: character)
    }

    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard peek(character) else { return false }
        position += 1
        return true
    }
}

extension SwiftTypeName {
    /// The modules and types that mangled names abbreviate as `S` and one letter, as in `Si` for `Int`.
    static let known: [UInt8: (kind: Kind, identifier: Identifier)] = {
        let names: KeyValuePairs<Unicode.Scalar, (Kind, String)> = [
            "o": (.module, "__C"), "C": (.module, "__C_Synthesized"), "a": (.structure, "Array"),
            "b": (.structure, "Bool"), "c": (.structure, "UnicodeScalar"), "d": (.structure, "Double"),
            "f": (.structure, "Float"), "i": (.structure, "Int"), "V": (.structure, "UnsafeRawPointer"),
            "v": (.structure, "UnsafeMutableRawPointer"), "P": (.structure, "UnsafePointer"),
            "p": (.structure, "UnsafeMutablePointer"), "q": (.enum, "Optional"),
            "Q": (.enum, "ImplicitlyUnwrappedOptional"), "R": (.structure, "UnsafeBufferPointer"),
            "r": (.structure, "UnsafeMutableBufferPointer"), "S": (.structure, "String"), "u": (.structure, "UInt"),
        ]
        return Dictionary(
            uniqueKeysWithValues: names.map {
                (UInt8(ascii: $0.key), ($0.value.0, Identifier(bytes: Array($0.value.1.utf8))))
            })
    }()
}

extension SwiftTypeName.Node {
    /// The module of the standard library.
    static let swift = SwiftTypeName.Node(kind: .module, names: [SwiftTypeName.Identifier(bytes: Array("Swift".utf8))])
}
