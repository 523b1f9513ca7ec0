import KeyedArchive
import SaveCodec
import SaveOperations

/// What the arguments of `savetool inspect` ask for, once they are known to make sense.
struct InspectPlan {
    /// How a file is shown.
    enum ViewName: String, CaseIterable {
        case tree, flat, json, summary, dot
    }

    let files: [String]
    let source: Format?
    let limits: Limits
    let view: ViewName
    private let address: Address
    let palette: Palette
    let showsTypes: Bool
    let isCompact: Bool
    let isStrict: Bool
    let isRaw: Bool
    /// How property lists in data are opened; nil if they are not.
    let nesting: Nesting?
    /// The file with the registered defaults; nil for none.
    let defaults: String?
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
        isRaw = arguments.has(.raw)
        nesting = try Self.nesting(arguments, limits)
        defaults = try arguments.defaults(under: files)
        depth = try arguments.number(of: .depth)
        limit = try arguments.number(of: .limit)
        try checkFit(arguments)
    }

    /// The address that was asked for.
    func address(in view: ObjectView) -> Address { view.meant(by: address) }

    /// Whether each file has a heading: several have, and one that is shown to people over its defaults. JSON texts follow
    /// each other without, as `jq` reads them.
    var hasHeadings: Bool {
        switch view {
        case .tree, .summary: files.count > 1 || defaults != nil
        case .flat: files.count > 1
        case .json, .dot: false
        }
    }

    /// How many rows of an archive are shown unless more are asked for.
    private static let overviewRows = 200

    /// How much is shown of what stands below a value.
    func scope(for view: ObjectView, from start: ViewID) -> Outline.Scope {
        switch self.view {
        case .tree:
            let scope = Outline.Scope(
                depth: depth, limit: limit.map { $0 == 0 ? nil : $0 } ?? 50, shortensLists: limit == nil,
                annotates: !showsTypes, nesting: nesting)
            if depth != nil || limit != nil || view.archive == nil { return scope }
            return scope.overview(of: view, from: start, rows: Self.overviewRows)
        case .flat, .json, .summary, .dot:
            return Outline.Scope(
                depth: depth, limit: limit == 0 ? nil : limit, repeatsShared: view.isExpandable(from: start, limits),
                nesting: nesting)
        }
    }

    /// What a tree says where it leaves out contents that no one asked to leave out.
    var hint: String? { limit == nil ? "\(Option.limit.shown) 0 shows all" : nil }

    private static func nesting(_ arguments: Arguments, _ limits: Limits) throws(UsageError) -> Nesting? {
        let levels = try arguments.number(of: .nestedDepth)
        guard arguments.has(.nested) else {
            if levels != nil { throw .needsOneOf(.nestedDepth, [.nested]) }
            return nil
        }
        return Nesting(levels: levels ?? 64, limits: limits, isRaw: arguments.has(.raw))
    }

    /// How many rows of a summary, or contents of a container in a diagram, are shown; nil for all.
    func bound(_ usual: Int) -> Int? {
        let bound = limit ?? usual
        return bound == 0 ? nil : bound
    }

    private static func address(_ arguments: Arguments) throws(UsageError) -> Address {
        guard let pointer = arguments.value(of: .path) else { return .root }
        guard let address = Address(pointer) else {
            throw .badValue(pointer, .path, expected: Address.expected)
        }
        return address
    }

    private func checkFit(_ arguments: Arguments) throws(UsageError) {
        let fitting: [(option: Option, views: [ViewName])] = [
            (.types, [.tree]), (.color, [.tree]), (.depth, [.tree, .flat]), (.limit, [.tree, .flat, .summary, .dot]),
            (.compact, [.json]), (.strict, [.json]), (.path, [.tree, .flat, .json, .dot]),
            (.nested, [.tree, .flat, .json]), (.defaults, [.tree, .flat, .json, .summary]),
        ]
        for (option, views) in fitting where arguments.has(option) && !views.contains(view) {
            throw .onlyWith(option, .view, values: views.map(\.rawValue))
        }
    }
}
