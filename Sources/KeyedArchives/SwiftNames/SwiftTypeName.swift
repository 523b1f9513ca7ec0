import SaveCodec

/// A Swift type with its mangled name, as the Objective-C runtime stores the name of a class that is nested, private or
/// generic:
///
///     _TtCC5Swamp4Game4Item                 Swamp.Game.Item
///     _TtC5SwampP33_0123…7Private           Swamp.(Private in _0123…)
///     _TtGC5Swamp3BoxGSaCS_4Item__          Swamp.Box<Swift.Array<Swamp.Item>>
///
/// The mangling is the one in use before Swift 4 (`OldMangling.rst` of the Swift project), restricted to types. `S_`,
/// `S0_` and so on refer to earlier modules and types, in the order in which these end. A name with anything else, such
/// as a class inside a function, is not a type name here and is shown as stored.
package struct SwiftTypeName: Sendable {
    private(set) var nodes: [Node]
    /// The position of the type in ``nodes``.
    let root: Int

    /// A part of a type. The parts that it consists of precede it in ``nodes``.
    struct Node: Hashable {
        let kind: Kind
        /// The name of a module or a declaration, or the labels of a tuple. A private declaration has two names: its
        /// discriminator and its own.
        var names: [Identifier] = []
        /// The positions of the parts: the context of a declaration; a generic type and its arguments.
        var parts: [Int] = []
        /// For each level of a generic type from the outermost, the number of its arguments.
        var counts: [Int] = []
    }

    enum Kind: Hashable {
        case module
        // Declarations.
        case `class`, structure, `enum`, `protocol`
        /// Another module's extension of a type: the module and the type.
        case `extension`
        // Types.
        case generic, tuple, function, throwingFunction, metatype, existentialMetatype, composition

        /// Whether this is a class, structure or enumeration.
        var isNominal: Bool { letter != nil }
        var isDeclaration: Bool { isNominal || self == .protocol }

        /// The letter that begins a class, structure or enumeration.
        var letter: UInt8? {
            switch self {
            case .class: UInt8(ascii: "C")
            case .structure: UInt8(ascii: "V")
            case .enum: UInt8(ascii: "O")
            default: nil
            }
        }

        init?(letter: UInt8) {
            guard let kind = [Kind.class, .structure, .enum].first(where: { $0.letter == letter }) else { return nil }
            self = kind
        }
    }

    /// A name in UTF-8, or in Swift's variant of Punycode.
    struct Identifier: Hashable {
        var bytes: [UInt8]
        var isPunycode = false

        init(bytes: [UInt8], isPunycode: Bool = false) {
            (self.bytes, self.isPunycode) = (bytes, isPunycode)
        }

        init(_ text: [UInt16]) {
            bytes = Array(String(decoding: text, as: UTF16.self).utf8)
        }

        /// The name in UTF-8, or nil for invalid Punycode.
        var text: [UInt8]? {
            guard isPunycode else { return bytes }
            guard let points = Punycode.swift.decode(bytes.map { UInt32($0) }[...]) else { return nil }
            var text = String.UnicodeScalarView()
            for point in points {
                guard let scalar = Unicode.Scalar(point) else { return nil }
                text.append(scalar)
            }
            return Array(String(text).utf8)
        }
    }

    /// The longest name to parse, in UTF-16 code units, and the longest text in bytes. A few bytes of a name can refer
    /// to a long type many times.
    static let longest = 4096

    init(nodes: [Node], root: Int) {
        (self.nodes, self.root) = (nodes, root)
    }

    /// Parses a mangled name. Returns nil for any other name.
    package init?(mangled name: some Collection<UInt16>) {
        guard name.starts(with: "_Tt".utf16), name.count <= Self.longest else { return nil }
        var bytes: [UInt8] = []
        let isInvalid = transcode(
            name.dropFirst(3).makeIterator(), from: UTF16.self, to: UTF8.self, stoppingOnError: true,
            into: { bytes.append($0) })
        guard !isInvalid, let parsed = SwiftTypeNameParser.parse(bytes), parsed.isClass else { return nil }
        self = parsed
    }

    subscript(position: Int) -> Node { nodes[position] }

    private var isClass: Bool {
        let type = nodes[root]
        return (type.kind == .generic ? nodes[type.parts[0]] : type).kind == .class
    }
}

// MARK: - Text

extension SwiftTypeName {
    /// The name as Swift prints it, or nil if it is too long.
    package var text: [UInt16]? {
        var output: [UInt8] = []
        var pieces: [Piece] = [.node(root)]
        while let piece = pieces.popLast() {
            guard output.count <= Self.longest else { return nil }
            switch piece {
            case .text(let text): output += text.utf8
            case .name(let name):
                guard let text = name.text else { return nil }
                output += text
            case .node(let position): pieces += self.pieces(of: nodes[position]).reversed()
            }
        }
        return Array(String(decoding: output, as: UTF8.self).utf16)
    }

    fileprivate enum Piece {
        case node(Int)
        case name(Identifier)
        case text(String)
    }

    private func pieces(of node: Node) -> [Piece] {
        switch node.kind {
        case .module: return [.name(node.names[0])]
        case .extension: return [.text("(extension in "), .node(node.parts[0]), .text("):"), .node(node.parts[1])]
        case .class, .structure, .enum, .protocol: return [.node(node.parts[0]), .text(".")] + Self.name(of: node)
        case .generic: return generic(node)
        case .tuple:
            let elements = node.parts.indices.map { position -> [Piece] in
                let label = node.names[position]
                return (label.bytes.isEmpty ? [] : [.name(label), .text(": ")]) + [.node(node.parts[position])]
            }
            return [.text("(")] + elements.joined(by: ", ") + [.text(")")]
        case .function, .throwingFunction:
            let arrow = node.kind == .function ? " -> " : " throws -> "
            return enclosed(node.parts[0], unless: .tuple) + [.text(arrow), .node(node.parts[1])]
        case .metatype:
            let isComposition = nodes[node.parts[0]].kind == .composition
            return metatype(of: node.parts[0], isComposition ? ".Protocol" : ".Type")
        case .existentialMetatype: return metatype(of: node.parts[0], ".Type")
        case .composition where node.parts.isEmpty: return [.text("Any")]
        case .composition: return node.parts.map { [.node($0)] }.joined(by: " & ")
        }
    }

    private static func name(of node: Node) -> [Piece] {
        guard node.names.count == 2 else { return [.name(node.names[0])] }
        return [.text("("), .name(node.names[1]), .text(" in "), .name(node.names[0]), .text(")")]
    }

    private func generic(_ node: Node) -> [Piece] {
        let types = declarations(of: node.parts[0])
        var pieces: [Piece] = [.node(nodes[types[0]].parts[0])]
        var next = 1
        for (type, count) in zip(types, node.counts) {
            pieces += [.text(".")] + Self.name(of: nodes[type])
            guard count > 0 else { continue }
            let arguments = node.parts[next..<next + count].map { [Piece.node($0)] }
            pieces += [.text("<")] + arguments.joined(by: ", ") + [.text(">")]
            next += count
        }
        return pieces
    }

    private func metatype(of type: Int, _ suffix: String) -> [Piece] {
        let isFunction = [.function, .throwingFunction].contains(nodes[type].kind)
        return (isFunction ? enclosed(type, unless: nil) : [.node(type)]) + [.text(suffix)]
    }

    private func enclosed(_ part: Int, unless kind: Kind?) -> [Piece] {
        nodes[part].kind == kind ? [.node(part)] : [.text("("), .node(part), .text(")")]
    }

    /// Returns the nominal types that a nominal type is nested in, from the outermost, followed by itself.
    func declarations(of type: Int) -> [Int] {
        var types: [Int] = []
        var position = type
        while nodes[position].kind.isNominal {
            types.append(position)
            position = nodes[position].parts[0]
        }
        return types.reversed()
    }
}

extension [[SwiftTypeName.Piece]] {
    fileprivate func joined(by separator: String) -> [SwiftTypeName.Piece] {
        [SwiftTypeName.Piece](joined(separator: [SwiftTypeName.Piece.text(separator)]))
    }
}
