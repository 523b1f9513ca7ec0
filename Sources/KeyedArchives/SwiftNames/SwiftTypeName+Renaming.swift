/// Writing mangled names, and renaming parts of them.
extension SwiftTypeName {
    /// The mangled name.
    package var mangled: [UInt16] {
        Array(String(decoding: SwiftTypeNameWriter.write(merged { $0 }), as: UTF8.self).utf16)
    }

    /// Whether a text may be the name of a module or a type.
    package static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !(0x30...0x39 ~= first) else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
                true
            default: false
            }
        }
    }

    /// Returns the type with all occurrences of a module renamed; nil if it does not occur.
    package func renamingModule(_ old: [UInt16], to new: [UInt16]) -> SwiftTypeName? {
        let (old, new) = (Identifier(old), Identifier(new))
        var isChanged = false
        let renamed = merged { node in
            guard node.kind == .module, node.names[0].text == old.bytes else { return node }
            isChanged = true
            return Node(kind: .module, names: [new])
        }
        return isChanged ? renamed : nil
    }

    /// Returns the type with a new name, such as `Module.Outer.Inner`. Returns nil if the numbers of parts of the two
    /// names differ, or if the type is generic.
    package func renamed(_ name: [UInt16]) -> SwiftTypeName? {
        let types = declarations(of: root)
        let parts = name.split(separator: 0x2E, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF16.self)
        }
        guard let outer = types.first.map({ nodes[$0] }), parts.count == types.count + 1, Self.isIdentifier(parts[0]),
            outer.parts.count == 1, nodes[outer.parts[0]].kind == .module
        else { return nil }
        var result: [Node] = [Node(kind: .module, names: [Identifier(Array(parts[0].utf16))])]
        for (type, part) in zip(types, parts.dropFirst()) {
            guard let names = Self.names(part) else { return nil }
            result.append(Node(kind: nodes[type].kind, names: names, parts: [result.count - 1]))
        }
        return SwiftTypeName(nodes: result, root: result.count - 1)
    }

    /// Returns the names of a declaration: `Item`, or a private one, `(Item in _0123…)`.
    private static func names(_ text: String) -> [Identifier]? {
        var names = [text]
        if text.hasPrefix("("), text.hasSuffix(")") {
            let words = text.dropFirst().dropLast().utf8.split(separator: UInt8(ascii: " ")).map {
                String(Substring($0))
            }
            guard words.count == 3, words[1] == "in" else { return nil }
            names = [words[2], words[0]]
        }
        return names.allSatisfy(isIdentifier) ? names.map { Identifier(Array($0.utf16)) } : nil
    }

    /// Returns the type with changed parts. Equal parts become one, which substitutions require.
    private func merged(_ change: (Node) -> Node) -> SwiftTypeName {
        var merged: [Node] = []
        var positions: [Node: Int] = [:]
        var places: [Int] = []
        for node in nodes {
            var new = change(node)
            new.parts = node.parts.map { places[$0] }
            if let known = positions[new] {
                places.append(known)
                continue
            }
            positions[new] = merged.count
            places.append(merged.count)
            merged.append(new)
        }
        return SwiftTypeName(nodes: merged, root: places[root])
    }
}

/// A writer of mangled names, the mirror of ``SwiftTypeNameParser``.
private struct SwiftTypeNameWriter {
    private let type: SwiftTypeName
    private var output = Array("_Tt".utf8)
    /// The numbers of the substitutions, by position of the node.
    private var substitutions: [Int: Int] = [:]
    private var tasks: [Task]

    private enum Task {
        case node(Int)
        case text(String)
        /// Writes the own name of a declaration, which then has a substitution.
        case name(Int)
    }

    /// - Parameter type: A type whose equal parts are one.
    static func write(_ type: SwiftTypeName) -> [UInt8] {
        var writer = SwiftTypeNameWriter(type: type, tasks: [.node(type.root)])
        while let task = writer.tasks.popLast() {
            switch task {
            case .node(let position): writer.begin(position)
            case .text(let text): writer.output += text.utf8
            case .name(let position): writer.finish(position)
            }
        }
        return writer.output
    }

    private init(type: SwiftTypeName, tasks: [Task]) {
        (self.type, self.tasks) = (type, tasks)
    }

    private mutating func begin(_ position: Int) {
        let node = type[position]
        switch node.kind {
        case .module:
            if !writeSubstitution(position) { finish(position) }
        case .class, .structure, .enum, .protocol:
            if writeSubstitution(position) { return }
            if let letter = node.kind.letter { output.append(letter) }
            tasks += [.name(position), .node(node.parts[0])]
        case .extension: push([.text("E"), .node(node.parts[0]), .node(node.parts[1])])
        case .generic:
            var parts: [Task] = [.text("G"), .node(node.parts[0])]
            var next = 1
            for count in node.counts {
                parts += node.parts[next..<next + count].map { .node($0) } + [.text("_")]
                next += count
            }
            push(parts)
        case .tuple:
            var parts: [Task] = [.text("T")]
            for (label, part) in zip(node.names, node.parts) {
                if !label.bytes.isEmpty { parts.append(.text(Self.text(label))) }
                parts.append(.node(part))
            }
            push(parts + [.text("_")])
        case .function: push([.text("F")] + node.parts.map { .node($0) })
        case .throwingFunction: push([.text("Fz")] + node.parts.map { .node($0) })
        case .metatype: push([.text("M"), .node(node.parts[0])])
        case .existentialMetatype: push([.text("PM"), .node(node.parts[0])])
        case .composition: push([.text("P")] + node.parts.map { .node($0) } + [.text("_")])
        }
    }

    private mutating func push(_ parts: [Task]) {
        tasks += parts.reversed()
    }

    private mutating func finish(_ position: Int) {
        let names = type[position].names
        if names.count == 2 { output.append(UInt8(ascii: "P")) }
        for name in names { output += Self.text(name).utf8 }
        substitutions[position] = substitutions.count
    }

    private static func text(_ name: SwiftTypeName.Identifier) -> String {
        (name.isPunycode ? "X" : "") + "\(name.bytes.count)" + String(decoding: name.bytes, as: UTF8.self)
    }

    private mutating func writeSubstitution(_ position: Int) -> Bool {
        if let known = known(position) {
            output += known
            return true
        }
        guard let number = substitutions[position] else { return false }
        output += (number == 0 ? "S_" : "S\(number - 1)_").utf8
        return true
    }

    /// Returns the substitution of a module or type of the standard library; nil for any other.
    private func known(_ position: Int) -> [UInt8]? {
        let node = type[position]
        if node == .swift { return [UInt8(ascii: "s")] }
        if node.kind != .module {
            guard type[node.parts[0]] == .swift, node.names.count == 1 else { return nil }
        }
        let letter = SwiftTypeName.known.first { $0.value.kind == node.kind && $0.value.identifier == node.names[0] }
        return letter.map { [UInt8(ascii: "S"), $0.key] }
    }
}
