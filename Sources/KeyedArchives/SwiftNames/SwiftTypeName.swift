package import SaveCodec

/// A Swift type with its mangled name, as the Objective-C runtime stores the name of a class that is nested, private or
/// generic:
///
///     _TtCC5Swamp4Game4Item                 Swamp.Game.Item
///     _TtC5SwampP33_0123…7Private           Swamp.(Private in _0123…)
///     _TtGC5Swamp3BoxGSaCS_4Item__          Swamp.Box<Swift.Array<Swamp.Item>>
///     _TtCF5Swamp4loadFT_T_L_4Item          Item #1 in Swamp.load() -> ()
///
/// The mangling is the one in use before Swift 4 (`OldMangling.rst` of the Swift project), which compilers still use
/// for the names of such classes. Only types, and the functions that contain them, are parsed. `S_`, `S0_` and so on
/// refer to earlier modules and types, in the order in which these end. A name with anything else, such as an operator,
/// is treated as not mangled and is shown as stored.
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
        /// The positions of the parts. A declaration has its context as a part; a generic type has the type without
        /// arguments, then its arguments.
        var parts: [Int] = []
        /// For each level of a generic type from the outermost, the number of its arguments.
        var counts: [Int] = []
        /// For a declaration inside a function, its number among those with the same name, from 0; nil for any other.
        var localIndex: Int?
    }

    enum Kind: Hashable {
        case module
        // Declarations.
        case `class`, structure, `enum`, `protocol`
        /// An extension of a type by another module. Its parts are the module and the type.
        case `extension`
        /// A function that contains a declaration. Its parts are its context and, except for a deinitializer, its type.
        case entity(Entity)
        /// A static function.
        case `static`
        // Types.
        case generic, tuple, metatype, existentialMetatype, composition, `inout`
        case function(isAsync: Bool, throws: Bool)

        /// Whether this is a class, structure or enumeration.
        var isNominal: Bool { letter != nil }
        var isDeclaration: Bool { isNominal || self == .protocol }

        /// The mangling letter of a class, structure or enumeration; nil for any other type.
        var letter: UInt8? {
            switch self {
            case .class: UInt8(ascii: "C")
            case .structure: UInt8(ascii: "V")
            case .enum: UInt8(ascii: "O")
            default: nil
            }
        }

        /// Whether this is a function that contains declarations.
        var isFunctionContext: Bool {
            switch self {
            case .entity, .static: true
            default: false
            }
        }

        var isFunction: Bool {
            if case .function = self { true } else { false }
        }

        init?(letter: UInt8) {
            guard let kind = [Kind.class, .structure, .enum].first(where: { $0.letter == letter }) else { return nil }
            self = kind
        }
    }

    /// The kind of a function, given by a letter in the mangled name. Initializers, deinitializers and closures have no
    /// name.
    enum Entity: Hashable {
        case function
        case constructor, allocator, destructor
        case getter, setter, willSet, didSet
        /// A closure, with its number from 0.
        case closure(Int)

        /// The letter; empty for a function.
        var letter: String {
            switch self {
            case .function: ""
            case .constructor: "c"
            case .allocator: "C"
            case .destructor: "d"
            case .getter: "g"
            case .setter: "s"
            case .willSet: "w"
            case .didSet: "W"
            case .closure: "U"
            }
        }

        /// The text that follows the name of a variable, as in `health.getter : `, or that replaces the name, as in
        /// `init`.
        var text: String {
            switch self {
            case .function, .closure: ""
            case .constructor: "init"
            case .allocator: "__allocating_init"
            case .destructor: "deinit"
            case .getter: ".getter : "
            case .setter: ".setter : "
            case .willSet: ".willset : "
            case .didSet: ".didset : "
            }
        }

        /// All kinds that have a letter of their own, except closures.
        static let plain: [Entity] = [
            .constructor, .allocator, .destructor, .getter, .setter, .willSet, .didSet,
        ]

        /// Whether the function has a name.
        var isNamed: Bool { ![.constructor, .allocator, .destructor].contains(self) && closureIndex == nil }

        var closureIndex: Int? {
            if case .closure(let index) = self { index } else { nil }
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

    /// The maximum length of a mangled name in UTF-16 code units, and of a printed name in bytes. The printed name
    /// needs a limit, too, because a few bytes of a mangled name can refer to a long type many times.
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
        case .class, .structure, .enum, .protocol: return named(node, Self.name(of: node))
        case .entity(let entity): return self.entity(entity, node)
        case .static: return [.text("static "), .node(node.parts[0])]
        case .inout: return [.text("inout "), .node(node.parts[0])]
        case .generic: return generic(node)
        case .tuple:
            let elements = node.parts.indices.map { position -> [Piece] in
                let label = node.names[position]
                return (label.bytes.isEmpty ? [] : [.name(label), .text(": ")]) + [.node(node.parts[position])]
            }
            return [.text("(")] + elements.joined(by: ", ") + [.text(")")]
        case .function(let isAsync, let isThrowing):
            let arrow = (isAsync ? " async" : "") + (isThrowing ? " throws" : "") + " -> "
            return enclosed(node.parts[0], unless: .tuple) + [.text(arrow), .node(node.parts[1])]
        case .metatype:
            let isComposition = nodes[node.parts[0]].kind == .composition
            return metatype(of: node.parts[0], isComposition ? ".Protocol" : ".Type")
        case .existentialMetatype: return metatype(of: node.parts[0], ".Type")
        case .composition where node.parts.isEmpty: return [.text("Any")]
        case .composition: return node.parts.map { [.node($0)] }.joined(by: " & ")
        }
    }

    /// Returns the text of a declaration in its context. Inside a function, the context follows the name:
    /// `C.D in A #1 in Swamp.load() -> ()`.
    private func named(_ node: Node, _ name: [Piece]) -> [Piece] {
        let context = node.parts[0]
        if let index = node.localIndex { return name + [.text(" #\(index + 1) in "), .node(context)] }
        guard isLocal(context) else { return [.node(context), .text(".")] + name }
        var (outer, names) = (context, [name])
        while nodes[outer].localIndex == nil, nodes[outer].kind.isNominal {
            names.append(Self.name(of: nodes[outer]))
            outer = nodes[outer].parts[0]
        }
        return [Piece](names.reversed().joined(separator: [.text(".")])) + [.text(" in "), .node(outer)]
    }

    /// Whether a type is inside a function.
    private func isLocal(_ type: Int) -> Bool {
        var position = type
        while nodes[position].kind.isNominal, nodes[position].localIndex == nil { position = nodes[position].parts[0] }
        return nodes[position].localIndex != nil
    }

    private func entity(_ entity: Entity, _ node: Node) -> [Piece] {
        let type = node.parts.dropFirst().map { Piece.node($0) }
        if let index = entity.closureIndex {
            return [.text("closure #\(index + 1) ")] + type + [.text(" in "), .node(node.parts[0])]
        }
        if let index = node.localIndex {
            return Self.name(of: node) + [.text(" #\(index + 1) ")] + type + [.text(" in "), .node(node.parts[0])]
        }
        let name = (node.names.isEmpty ? [] : Self.name(of: node)) + [.text(entity.text)] + type
        return isLocal(node.parts[0])
            ? name + [.text(" in "), .node(node.parts[0])] : [.node(node.parts[0]), .text(".")] + name
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
        return (nodes[type].kind.isFunction ? enclosed(type, unless: nil) : [.node(type)]) + [.text(suffix)]
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

// MARK: Names for people

/// The name of a class for people: as Swift prints it if the stored name is mangled, otherwise as stored.
package struct ShownClassName: Sendable, RandomAccessCollection {
    private let stored: StoredString
    /// The name as Swift prints it; nil if the stored name is not mangled.
    package let swift: [UInt16]?

    fileprivate init(_ stored: StoredString, swift: [UInt16]?) {
        (self.stored, self.swift) = (stored, swift)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { swift?.count ?? stored.count }
    package subscript(position: Int) -> UInt16 { swift?[position] ?? stored[position] }

    /// The name as messages show it, cut after 80 code units.
    package var escaped: String {
        isEmpty ? "\"\"" : Phrase.name(self)
    }
}

extension ClassRecord {
    /// The name as people see it.
    package var shownName: ShownClassName { ShownClassName(name, swift: swiftName) }
}

extension StoredString {
    /// The class name as people see it. Takes time in proportion to the length of the name; see also
    /// ``ClassRecord/shownName``.
    package var shownClassName: ShownClassName { ShownClassName(self, swift: SwiftTypeName.text(ofClass: self)) }
}

extension SwiftTypeName {
    /// Returns the name of a class as Swift prints it; nil if the stored name is not mangled.
    package static func text(ofClass name: some Collection<UInt16>) -> [UInt16]? {
        SwiftTypeName(mangled: name)?.text
    }

    /// Whether a name is a stored class name, or the same name as Swift prints it.
    package static func isSpelling(_ name: [UInt16], of stored: [UInt16]) -> Bool {
        name == stored || text(ofClass: stored) == name
    }
}
