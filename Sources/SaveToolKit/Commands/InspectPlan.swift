import SaveCodec
import SaveOperations

/// What the arguments of `savetool inspect` ask for, once they are known to make sense.
struct InspectPlan {
    enum View: String, CaseIterable {
        case tree, flat, json, summary
    }

    let files: [String]
    let source: Format?
    let limits: Limits
    let view: View
    private let address: Address
    let palette: Palette
    let showsTypes: Bool
    let isCompact: Bool
    let isStrict: Bool
    private let depth: Int?
    private let limit: Int?

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        files = arguments.operands
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        view = try arguments.choice(of: .view) ?? .tree
        address = try Self.address(arguments)
        palette = try (arguments.choice(of: .color) ?? ColorChoice.auto).palette(invocation)
        showsTypes = arguments.has(.types)
        isCompact = arguments.has(.compact)
        isStrict = arguments.has(.strict)
        depth = try arguments.number(of: .depth)
        limit = try arguments.number(of: .limit)
        try checkFit(arguments)
    }

    /// The address that was asked for. Messages show the root as `/`, so that is the root too, unless the document has an
    /// empty key, of which it is the address.
    func address(in document: Document) -> Address {
        guard address == Address(tokens: [[]]), case .missing = document.find(address) else { return address }
        return .root
    }

    /// Whether each file has a heading. JSON texts follow each other without, as `jq` reads them.
    var hasHeadings: Bool { files.count > 1 && view != .json }

    /// How much of a document is shown.
    func scope(for document: Document) -> Outline.Scope {
        let contents = limit ?? (view == .tree ? 50 : 0)
        return Outline.Scope(
            depth: depth, limit: contents == 0 ? nil : contents,
            repeatsShared: view != .tree && document.isExpandable(limits))
    }

    private static func address(_ arguments: Arguments) throws(UsageError) -> Address {
        guard let pointer = arguments.value(of: .path) else { return .root }
        guard let address = Address(pointer) else {
            throw .badValue(
                pointer, .path, expected: "an address such as /scores/0, with ~1 for / and ~0 for ~ in keys")
        }
        return address
    }

    private func checkFit(_ arguments: Arguments) throws(UsageError) {
        let fitting: [(option: Option, views: [View])] = [
            (.types, [.tree]), (.color, [.tree]), (.depth, [.tree, .flat]), (.limit, [.tree, .flat]),
            (.compact, [.json]), (.strict, [.json]), (.path, [.tree, .flat, .json]),
        ]
        for (option, views) in fitting where arguments.has(option) && !views.contains(view) {
            throw .onlyWith(option, .view, values: views.map(\.rawValue))
        }
    }
}
