/// A list of patterns. It compares a path only with patterns whose literal text is in the path:
///
///     Saves/**/*.save      /Saves/ at the beginning         *_7.save     _7.save at the end
///     **/level7/*.save     /level7/ anywhere                **/*         no literal text: always compared
///
/// Of the pieces of a pattern, the index has the one that the fewest patterns share.
package struct GlobList: Sendable {
    private let globs: [Glob]
    private var paths = KeyedPatterns()
    /// The patterns that determine at least this many segments of a folder, keyed by pieces of these segments.
    private var determined: [KeyedPatterns] = []
    /// The patterns that determine exactly this many segments, because a `**` or a choice with a `/` follows.
    private var determinedOnly: [KeyedPatterns] = []
    private static let maxSegments = 8

    package init(_ globs: [Glob]) {
        self.globs = globs
        paths = KeyedPatterns(globs.enumerated().map { ($0, $1.pieces(before: $1.program.count)) })
        let ends = globs.map { $0.segmentEnds.prefix(Self.maxSegments) }
        for count in 0...Self.maxSegments {
            var (patterns, only): ([KeyedPatterns.Pattern], [KeyedPatterns.Pattern]) = ([], [])
            for (index, ends) in ends.enumerated() where ends.count >= count {
                let pieces = count == 0 ? [] : globs[index].pieces(before: ends[count - 1])
                patterns.append((index, pieces))
                if ends.count == count { only.append((index, pieces)) }
            }
            determined.append(KeyedPatterns(patterns))
            determinedOnly.append(KeyedPatterns(only))
        }
    }

    /// Returns the indices of the patterns that match a path, in ascending order.
    package func matches(_ path: String) -> [Int] {
        let (path, candidates) = candidates(for: path)
        var states = Glob.States()
        return candidates.filter { globs[$0].relation(to: path, &states) == .whole }.sorted()
    }

    /// Whether a pattern matches a path or a folder above it.
    package func contains(_ path: String) -> Bool {
        let (path, candidates) = candidates(for: path)
        var states = Glob.States()
        return candidates.contains { [.whole, .folder].contains(globs[$0].relation(to: path, &states)) }
    }

    /// Returns the characters of a path and the indices of the patterns to compare with it, in any order.
    func candidates(for path: String) -> (path: [Unicode.Scalar], patterns: [Int]) {
        let path = Array(path.unicodeScalars)
        return (path, paths.candidates(for: Glob.symbols(of: path)))
    }

    /// Whether a pattern matches a folder or a folder above it, or could match a file below it.
    package func concerns(folder: String) -> Bool {
        let (path, patterns) = candidates(forFolder: folder)
        var states = Glob.States()
        return patterns.contains { globs[$0].relation(to: path, &states) != .none }
    }

    /// Returns the characters of a folder's path and the indices of the patterns to compare with it, in any order.
    func candidates(forFolder path: String) -> (path: [Unicode.Scalar], patterns: [Int]) {
        let path = Array(path.unicodeScalars)
        let symbols = Glob.symbols(of: path)
        let count = min(path.count { $0 == "/" } + 1, Self.maxSegments)
        let patterns = determinedOnly.prefix(count).flatMap { $0.candidates(for: symbols) }
        return (path, patterns + determined[count].candidates(for: symbols))
    }
}

/// Patterns, each with one of its literal pieces as the key.
private struct KeyedPatterns: Sendable {
    typealias Pattern = (index: Int, pieces: [[UInt32]])

    private var keys = SymbolLists()
    private var withoutKey: [Int] = []

    init(_ patterns: [Pattern] = []) {
        var counts: [[UInt32]: Int] = [:]
        for piece in patterns.lazy.flatMap(\.pieces) { counts[piece, default: 0] += 1 }
        for (index, pieces) in patterns {
            let rarest = pieces.min { left, right in
                (counts[left] ?? 0, right.count) < (counts[right] ?? 0, left.count)
            }
            if let rarest { keys.insert(index, for: rarest) } else { withoutKey.append(index) }
        }
        keys.link()
    }

    /// Returns the indices of the patterns whose keys are in a path, and of those without a key.
    func candidates(for path: [UInt32]) -> [Int] {
        withoutKey + keys.values(in: path)
    }
}

// MARK: Literal pieces

extension Glob {
    /// A symbol that no character has. It is before the first character of a path.
    private static let start = UInt32.max
    private static let slash = ("/" as Unicode.Scalar).value
    /// The maximum number of symbols of a piece, which limits the index.
    private static let maxPiece = 64

    /// Returns the symbols of a path in which pieces are searched. The first and the last segment are between slashes,
    /// too.
    fileprivate static func symbols(of path: [Unicode.Scalar]) -> [UInt32] {
        [start, slash] + path.map(\.value) + [slash]
    }

    /// The positions in the program where the first segments of each match end, as far as they are the same in all
    /// matches.
    fileprivate var segmentEnds: [Int] {
        var ends: [Int] = []
        var target = 0
        for (position, instruction) in program.enumerated() {
            switch instruction {
            case .jump(let next), .fork(let next): target = max(target, next)
            case .character("/"):
                guard position >= target else { return ends }
                ends.append(position)
            default: break
            }
        }
        return ends + [program.count]
    }

    /// Returns the literal pieces that each match has before the end of a segment, including the `/` there.
    fileprivate func pieces(before end: Int) -> [[UInt32]] {
        var pieces: [[UInt32]] = []
        var isInPiece = false
        // A jump or a fork skips everything before its target.
        var target = 0
        for (position, instruction) in program.prefix(end).enumerated() {
            switch instruction {
            case .jump(let next), .fork(let next): target = max(target, next)
            case .character(let character) where position >= target:
                if !isInPiece { pieces.append(boundary(before: position)) }
                pieces[pieces.count - 1].append(character.value)
                isInPiece = true
                continue
            default: break
            }
            isInPiece = false
        }
        if isInPiece { pieces[pieces.count - 1].append(Self.slash) }
        return pieces.map { Array($0.suffix(Self.maxPiece)) }
    }

    /// Returns the symbols that are always before the character at a position in the program.
    private func boundary(before position: Int) -> [UInt32] {
        if position == 0 { return [Self.start, Self.slash] }
        let loop = position - 5
        let folders: [Instruction] = [.fork(position), .any, .fork(loop + 1), .character("/"), .jump(loop)]
        return loop >= 0 && program[loop..<position].elementsEqual(folders) ? [Self.slash] : []
    }
}

// MARK: Search

/// Lists of symbols, each with values, that are found in a text in one pass (Aho and Corasick, 1975). The lists form a
/// tree. If a node has no child for the next symbol of the text, the search continues at its longest proper suffix:
///
///     xab ─▶ 1, b ─▶ 2     0 ─x▶ 1 ─a▶ 2 ─b▶ 3 (1)     the suffix of 3 is 4
///                          0 ─b▶ 4 (2)
private struct SymbolLists: Sendable {
    private struct Node {
        let parent: Int
        /// The last symbol.
        let symbol: UInt32
        let depth: Int
        var values: [Int] = []
        /// The node of the longest proper suffix that is in the tree.
        var suffix = 0
        /// The node of the longest proper suffix with values; 0 for none.
        var suffixWithValues = 0
    }

    private struct Edge: Hashable {
        let node: Int
        let symbol: UInt32
    }

    private var nodes = [Node(parent: 0, symbol: 0, depth: 0)]
    private var children: [Edge: Int] = [:]

    mutating func insert(_ value: Int, for symbols: [UInt32]) {
        var node = 0
        for symbol in symbols {
            let edge = Edge(node: node, symbol: symbol)
            if let child = children[edge] {
                node = child
            } else {
                children[edge] = nodes.count
                nodes.append(Node(parent: node, symbol: symbol, depth: nodes[node].depth + 1))
                node = nodes.count - 1
            }
        }
        nodes[node].values.append(value)
    }

    /// Finds the suffixes of all nodes, after the last insertion.
    mutating func link() {
        for index in nodes.indices.dropFirst().sorted(by: { nodes[$0].depth < nodes[$1].depth }) {
            let node = nodes[index]
            let suffix = node.parent == 0 ? 0 : self.node(after: nodes[node.parent].suffix, node.symbol)
            nodes[index].suffix = suffix
            nodes[index].suffixWithValues = nodes[suffix].values.isEmpty ? nodes[suffix].suffixWithValues : suffix
        }
    }

    private func node(after node: Int, _ symbol: UInt32) -> Int {
        var node = node
        while true {
            if let child = children[Edge(node: node, symbol: symbol)] { return child }
            guard node != 0 else { return 0 }
            node = nodes[node].suffix
        }
    }

    /// Returns the values of all lists in a text.
    func values(in text: [UInt32]) -> [Int] {
        var values: [Int] = []
        var seen: Set<Int> = []
        var node = 0
        for symbol in text {
            node = self.node(after: node, symbol)
            var found = nodes[node].values.isEmpty ? nodes[node].suffixWithValues : node
            while found != 0, seen.insert(found).inserted {
                values += nodes[found].values
                found = nodes[found].suffixWithValues
            }
        }
        return values
    }
}
