import KeyedArchives
import SaveCodec

/// Finds where in a file addresses lead.
///
///     /a/b, /a/c, /d      root ─▶ a ─▶ b        all addresses go down together, a step at a time, so that a large
///                           │     └──▶ c        container is looked through once for all that lead through it
///                           └▶ d
struct AddressSearch {
    /// How far an address leads.
    struct Result {
        /// The value there.
        var value: PlacedValue
        /// How many steps lead there.
        var depth = 0
    }

    private let tree: any PlacedTree
    private let addresses: [JSONPointer]
    private var results: [Result]
    /// How many members may still be looked at. A small file can have addresses that go through a large container again
    /// and again; these end there then.
    private var budget: Int

    /// How far each address leads.
    ///
    /// - Parameter size: how many values there are.
    static func results(for addresses: [JSONPointer], in tree: any PlacedTree, size: Int) -> [Result] {
        var budget = 1_000_000 + 20 * size
        return results(for: addresses, in: tree, budget: &budget)
    }

    /// How far each address leads, as long as so many members are looked at.
    static func results(for addresses: [JSONPointer], in tree: any PlacedTree, budget: inout Int) -> [Result] {
        guard !addresses.isEmpty else { return [] }
        var search = AddressSearch(addresses, tree, budget: budget)
        search.run()
        budget = search.budget
        return search.results
    }

    private init(_ addresses: [JSONPointer], _ tree: any PlacedTree, budget: Int) {
        self.addresses = addresses
        self.tree = tree
        self.budget = budget
        results = [Result](repeating: Result(value: tree.root), count: addresses.count)
    }

    /// Addresses by what they have led to so far.
    private typealias Arrivals = [Int: [Int]]

    private mutating func run() {
        var arrivals: Arrivals = [tree.root.id: Array(addresses.indices)]
        var depth = 0
        while !arrivals.isEmpty {
            var next: Arrivals = [:]
            for (id, indices) in arrivals.sorted(by: { $0.key < $1.key }) {
                step(indices, from: id, depth: depth, to: &next)
            }
            arrivals = next
            depth += 1
        }
    }

    /// Leads the addresses that do not end here one step down.
    private mutating func step(_ indices: [Int], from id: Int, depth: Int, to next: inout Arrivals) {
        var wanted: [AddressToken: [Int]] = [:]
        for index in indices where depth < addresses[index].tokens.count {
            wanted[addresses[index].token(at: depth), default: []].append(index)
        }
        guard !wanted.isEmpty, budget > 0 else { return }
        for (token, position) in positions(of: wanted.keys, in: id) {
            arrive(wanted.removeValue(forKey: token) ?? [], at: tree.value(at: position, of: id), depth, &next)
        }
        if let indices = wanted[.className], let name = tree.className(of: id) {
            arrive(indices, at: name, depth, &next)
        }
    }

    private mutating func arrive(_ indices: [Int], at value: PlacedValue, _ depth: Int, _ next: inout Arrivals) {
        for index in indices { results[index] = Result(value: value, depth: depth + 1) }
        next[value.id, default: []] += indices
    }

    /// The positions that steps lead to; none for a step that leads nowhere.
    private mutating func positions(
        of tokens: some Collection<AddressToken>, in id: Int
    ) -> [(token: AddressToken, position: Int)] {
        switch tree.contents(of: id) {
        case .none: return []
        case .elements(let count):
            budget -= tokens.count
            return tokens.compactMap { token in token.position(below: count).map { (token, $0) } }
        case .members(let count):
            return memberPositions(of: Set(tokens), among: count, in: id)
        }
    }

    private mutating func memberPositions(
        of tokens: Set<AddressToken>, among count: Int, in id: Int
    ) -> [(token: AddressToken, position: Int)] {
        var positions: [AddressToken: Int] = [:]
        for token in tokens { positions[token] = token.pair(below: count) }
        for position in 0..<count where budget > 0 {
            guard let token = tree.token(to: position, of: id) else { continue }
            // A small binary file can have the same long key everywhere.
            budget -= 1 + token.units.count / 64
            guard tokens.contains(token), positions[token] == nil || tree.lastRepeatedKeyWins else { continue }
            positions[token] = position
            if !tree.lastRepeatedKeyWins, positions.count == tokens.count { break }
        }
        return positions.map { ($0.key, $0.value) }
    }
}
