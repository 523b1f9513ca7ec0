import KeyedArchives
import SaveCodec

/// Where in a binary file the values stand that addresses in its view lead to.
///
///     /a/b, /a/c, /d      root ─▶ a ─▶ b        all addresses go down together, a step at a time, so that a large
///                           │     └──▶ c        container is looked through once for all that lead through it
///                           └▶ d
struct ValuePlaces {
    private let view: ObjectView
    private let addresses: [JSONPointer]
    private var places: [SourceLocation?]
    /// How many members may still be looked at. A small file can have addresses that go through a large container again
    /// and again; what these lead to has no place then.
    private var budget: Int

    /// The place of each address; nil where there is none, and for all in other formats than binary.
    static func places(of addresses: [JSONPointer], in view: ObjectView) -> [SourceLocation?] {
        var places = ValuePlaces(addresses, view)
        if view.document.sourceFormat?.definition.isObjectTable ?? false, !addresses.isEmpty { places.find() }
        return places.places
    }

    private init(_ addresses: [JSONPointer], _ view: ObjectView) {
        (self.addresses, self.view) = (addresses, view)
        places = [SourceLocation?](repeating: nil, count: addresses.count)
        budget = 1_000_000 + 20 * view.count
    }

    /// Addresses by what they have led to so far.
    private typealias Arrivals = [ViewID: [Int]]

    private mutating func find() {
        var arrivals: Arrivals = [view.root: Array(addresses.indices)]
        var depth = 0
        while !arrivals.isEmpty {
            var next: Arrivals = [:]
            for (id, indices) in arrivals.sorted(by: { $0.key.index < $1.key.index }) {
                step(indices, from: id, depth: depth, to: &next)
            }
            arrivals = next
            depth += 1
        }
    }

    /// Notes the place of the addresses that end here, and leads the others one step down.
    private mutating func step(_ indices: [Int], from id: ViewID, depth: Int, to next: inout Arrivals) {
        var wanted: [[UInt16]: [Int]] = [:]
        for index in indices {
            let tokens = addresses[index].tokens
            if depth == tokens.count {
                places[index] = view.document.place(of: view.stored(id))
            } else if !addresses[index].isForm(at: depth) {
                wanted[tokens[depth], default: []].append(index)
            }
        }
        guard !wanted.isEmpty, budget > 0 else { return }
        let contents = view[id].contents
        budget -= contents.count + 1
        for position in 0..<contents.count {
            guard !wanted.isEmpty else { return }
            let item = view.item(position, of: contents)
            guard let token = token(to: item, at: position) else { continue }
            // Of a repeated key binary files have the first.
            if let indices = wanted.removeValue(forKey: token) { next[item.id, default: []] += indices }
        }
    }

    private func token(to item: ViewItem, at position: Int) -> [UInt16]? {
        guard let key = item.key else { return Array(String(position).utf16) }
        return view.text(key).map { Array($0) }
    }
}
