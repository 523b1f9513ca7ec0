import SaveCodec

/// Writing mangled names, and renaming parts of them.
extension SwiftTypeName {
    package var mangled: [UInt16] {
        Array(String(decoding: SwiftTypeNameWriter.write(merged { $0 }), as: UTF8.self).utf16)
    }

    /// Whether a text may be the name of a module or a type.
    package static func isIdentifier(_ text: String) -> Bool {
        guard let first = text.utf8.first, !first.isDigit else { return false }
        return text.utf8.allSatisfy { $0.isLetterOrDigit || "_$".utf8.contains($0) || $0 >= 0x80 }
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

    /// Returns the type with a new name, such as `Module.Outer.Inner`. Returns nil if the new name is invalid or has
    /// another number of parts, or if the type is generic or inside a function.
    package func renamed(_ name: [UInt16]) -> SwiftTypeName? {
        let types = declarations(of: root)
        let parts = Self.parts(name)
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

    /// Returns this type with a type in its name renamed: one that encloses it, one whose function encloses it, or one
    /// of its arguments. Both names are written as in `Module.Outer.Inner`, with the same number of parts. Returns nil
    /// if this type does not contain the old one, or if the new name is invalid.
    package func renamingType(_ old: [UInt16], to new: [UInt16]) -> SwiftTypeName? {
        let oldParts = Self.parts(old).map { Array($0.utf8) }
        let newParts = Self.parts(new)
        guard oldParts.count > 1, newParts.count == oldParts.count, newParts.allSatisfy(Self.isIdentifier),
            nodes.indices.contains(where: { isType($0, named: oldParts) })
        else { return nil }
        var renamed = MergedNodes()
        for position in nodes.indices {
            guard isType(position, named: oldParts) else {
                renamed.add(nodes[position], as: position)
                continue
            }
            var chain = declarations(of: position).map { nodes[$0] }
            chain.insert(nodes[chain[0].parts[0]], at: 0)
            for (number, part) in newParts.enumerated() {
                chain[number].names = [Identifier(Array(part.utf16))]
                chain[number].parts = number == 0 ? [] : [renamed.last]
                renamed.add(moved: chain[number])
            }
            renamed.newPositions[position] = renamed.last
        }
        return SwiftTypeName(nodes: renamed.nodes, root: renamed.newPositions[root] ?? 0)
    }

    private static func parts(_ name: [UInt16]) -> [String] {
        name.split(separator: 0x2E, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF16.self) }
    }

    /// Whether a type has the name with these parts: its module, the types that it is nested in, and its own name.
    private func isType(_ position: Int, named parts: [[UInt8]]) -> Bool {
        var position = position
        for part in parts.dropFirst().reversed() {
            let node = nodes[position]
            guard node.kind.isNominal, node.localIndex == nil, node.names.count == 1, node.names[0].text == part else {
                return false
            }
            position = node.parts[0]
        }
        return nodes[position].kind == .module && nodes[position].names[0].text == parts[0]
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

    /// Returns the type with changed parts. Parts that become equal are stored once, because a substitution refers to a
    /// single part.
    private func merged(_ change: (Node) -> Node) -> SwiftTypeName {
        var merged = MergedNodes()
        for position in nodes.indices { merged.add(change(nodes[position]), as: position) }
        return SwiftTypeName(nodes: merged.nodes, root: merged.newPositions[root] ?? 0)
    }
}

/// The parts of a type, without duplicates.
private struct MergedNodes {
    private(set) var nodes: [SwiftTypeName.Node] = []
    private var positions: [SwiftTypeName.Node: Int] = [:]
    /// For each part of another type, by its position in that type: its position in this one.
    var newPositions: [Int: Int] = [:]
    /// The position of the part that was added last.
    private(set) var last = 0

    /// Adds a part of another type, whose own parts have been added.
    mutating func add(_ node: SwiftTypeName.Node, as position: Int) {
        var node = node
        node.parts = node.parts.map { newPositions[$0] ?? 0 }
        add(moved: node)
        newPositions[position] = last
    }

    /// Adds a part whose own parts are already positions in ``nodes``.
    mutating func add(moved node: SwiftTypeName.Node) {
        last = positions[node] ?? nodes.count
        guard last == nodes.count else { return }
        positions[node] = last
        nodes.append(node)
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
        /// Writes the name of a declaration itself, after its context. From then on, a substitution can refer to it.
        case name(Int)
    }

    /// - Parameter type: A type without duplicate parts.
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
        case .function(let isAsync, let isThrowing):
            push([.text("F" + (isThrowing ? "z" : "") + (isAsync ? "Z" : ""))] + node.parts.map { .node($0) })
        case .entity(let entity):
            let names = entity.closureIndex.map(Self.text) ?? Self.text(of: node)
            push(
                [.text("F"), .node(node.parts[0]), .text(entity.letter + names)]
                    + node.parts.dropFirst().map { .node($0) })
        case .static: push([.text("Z"), .node(node.parts[0])])
        case .inout: push([.text("R"), .node(node.parts[0])])
        case .metatype: push([.text("M"), .node(node.parts[0])])
        case .existentialMetatype: push([.text("PM"), .node(node.parts[0])])
        case .composition: push([.text("P")] + node.parts.map { .node($0) } + [.text("_")])
        }
    }

    private mutating func push(_ parts: [Task]) {
        tasks += parts.reversed()
    }

    private mutating func finish(_ position: Int) {
        output += Self.text(of: type[position]).utf8
        substitutions[position] = substitutions.count
    }

    /// Returns the mangled names of a declaration, preceded by its local index if it has one.
    private static func text(of node: SwiftTypeName.Node) -> String {
        (node.localIndex.map { "L" + text($0) } ?? "") + (node.names.count == 2 ? "P" : "")
            + node.names.map(text).joined()
    }

    private static func text(_ index: Int) -> String { index == 0 ? "_" : "\(index - 1)_" }

    private static func text(_ name: SwiftTypeName.Identifier) -> String {
        (name.isPunycode ? "X" : "") + "\(name.bytes.count)" + String(decoding: name.bytes, as: UTF8.self)
    }

    private mutating func writeSubstitution(_ position: Int) -> Bool {
        if let known = known(position) {
            output += known
            return true
        }
        guard let number = substitutions[position] else { return false }
        output += ("S" + Self.text(number)).utf8
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
