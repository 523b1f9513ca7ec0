package import KeyedArchives
package import SaveCodec

/// Preferences, and under them the defaults that an application registers, as `UserDefaults` has them:
///
///     preferences  {"gems": 340, "audio": {"music": 0.5}}
///     defaults     {"gems": 0, "level": 1, "audio": {"music": 1.0, "effects": 1.0}}
///     ─────────────────────────────────────────────────────────────────────────────
///     view         {"gems": 340, "audio": {"music": 0.5}, "level": 1}
///     origins       overriding   overriding                default
///
/// A key that the preferences have hides the one of the defaults as a whole; nothing is merged below.
package struct DefaultsOverlay: Sendable {
    /// Where the value of a pair comes from.
    package enum Origin: Sendable, Equatable {
        /// The preferences; the defaults do not have the key.
        case preferences
        /// The preferences, which hide this value of the defaults.
        case overriding(ViewID)
        /// The defaults, where it is this value.
        case defaults(ViewID)
    }

    /// The preferences alone.
    package let preferences: ObjectView
    /// What lies under them.
    package let defaults: RegisteredDefaults
    /// All keys: those of the preferences in their order, then those that only the defaults have.
    package let view: ObjectView
    /// Where the pairs of the view's root come from, by position. Of a repeated key of the preferences the pair that counts
    /// hides a default.
    package let origins: [Origin]

    /// Lays defaults under preferences.
    ///
    /// - Throws: a problem if the preferences are no dictionary, or a keyed archive.
    package init(
        _ preferences: ObjectView, over defaults: RegisteredDefaults, limits: Limits = Limits()
    ) throws(Problem) {
        try preferences.checkKeys(of: "preferences")
        let contents = defaults.view[defaults.view.root].contents
        let keys = RootKeys(of: preferences)
        var origins = [Origin](repeating: .preferences, count: preferences[preferences.root].contents.count)
        var draft = Draft(preferences)
        let source = draft.addSource(defaults.view)
        for (key, position) in defaults.keys.pairs {
            let item = defaults.view.item(position, of: contents)
            if let own = key.flatMap(keys.position) {
                origins[own] = .overriding(item.id)
            } else if let key = item.key {
                draft.insert(
                    try draft.importValue(item.id, of: source), key: try draft.importValue(key, of: source),
                    at: origins.count, of: draft.root)
                origins.append(.defaults(item.id))
            }
        }
        view = ObjectView(try draft.finish(limits: limits), nil, nesting: preferences.nesting?.anew)
        self.preferences = preferences
        self.defaults = defaults
        self.origins = origins
    }

    /// How many keys only the defaults have.
    package var defaultCount: Int { origins.count - preferences[preferences.root].contents.count }

    // MARK: Looking up

    /// What an address leads to.
    package struct Found: Sendable {
        /// The value, in the view of the file that it comes from, or how far the address leads.
        package let lookup: Lookup
        /// The position of the pair of the root that the address leads into; nil for the root, and where there is none.
        package let position: Int?
    }

    /// Looks up an address, below a key only in the file that the key comes from.
    package func find(_ address: JSONPointer) -> Found {
        guard !address.tokens.isEmpty, let position = view.position(of: address.token(at: 0), in: view.root) else {
            return Found(lookup: view.find(address), position: nil)
        }
        let lookup: Lookup
        if case .defaults(let id) = origins[position] {
            lookup = defaults.view.find(address, from: id, depth: 1)
        } else {
            let id = preferences.item(position, of: preferences[preferences.root].contents).id
            lookup = preferences.find(address, from: id, depth: 1)
        }
        return Found(lookup: lookup, position: position)
    }

    /// Whether the defaults have a value at an address that leads nowhere because the preferences have its first key.
    package func hidesDefault(at address: JSONPointer) -> Bool {
        guard let position = find(address).position, case .overriding(let id) = origins[position],
            case .found = defaults.view.find(address, from: id, depth: 1)
        else { return false }
        return true
    }

    // MARK: Comparing

    /// The positions of the pairs of the root that hide a default of the same value, as ``Difference`` compares values.
    package func sameAsDefault() -> Set<Int> {
        let sides = ComparedSide.both(preferences, defaults.view)
        let equality = Equality(sides)
        var scalars = ScalarComparison(sides, DifferenceOptions())
        let contents = preferences[preferences.root].contents
        var same: Set<Int> = []
        for (position, origin) in origins.enumerated() {
            guard case .overriding(let hidden) = origin else { continue }
            let id = preferences.item(position, of: contents).id
            let isSame =
                switch (sides.before.graph.number(of: id), sides.after.graph.number(of: hidden)) {
                case (let a?, let b?): equality.areEqual(a, b)
                case (nil, nil): scalars.compare(id, hidden, tolerance: .init()) == .same
                default: false
                }
            if isSame { same.insert(position) }
        }
        return same
    }
}

// MARK: Registered defaults

/// What an application registers as defaults: the values that its preferences have as long as nobody has set others.
package struct RegisteredDefaults: Sendable {
    /// The view of the file.
    package let view: ObjectView
    fileprivate let keys: RootKeys

    /// Takes the dictionary that a property list consists of as defaults.
    ///
    /// - Throws: a problem if it is something else, or a keyed archive.
    package init(_ view: ObjectView) throws(Problem) {
        try view.checkKeys(of: "defaults")
        self.view = view
        keys = RootKeys(of: view)
    }
}

extension ObjectView {
    /// Throws unless the view is of a property list that is a dictionary.
    fileprivate func checkKeys(of what: StaticString) throws(Problem) {
        if archive != nil {
            throw Problem("defaults.archive", "found a keyed archive; expected a dictionary of \(what)")
        }
        guard case .dictionary = self[root].form else {
            let found = TypePhrase.of(root, in: self)
            throw Problem("defaults.root", "found \(found) at the root; expected a dictionary of \(what)")
        }
    }
}

// MARK: Keys of the root

/// The keys of the dictionary that a property list consists of, each with the pair that counts.
///
/// Keys are the same if they have the same address: strings by code units, numbers, booleans and dates by what their form
/// tells. Any other key has no address but its position, and is the same as no key of another file.
private struct RootKeys: Sendable {
    /// The keys in the order in which they come first, each once, and the position of the pair that counts.
    private(set) var pairs: [(key: AddressToken?, position: Int)] = []
    /// The numbers of the keys in ``pairs``.
    private var numbers: [AddressToken: Int] = [:]

    /// The keys of the root of a view that is no archive.
    init(of view: ObjectView) {
        let document = view.document
        let contents = view[view.root].contents
        // One more than the number of each key, by identity: a large one may stand in a million pairs and is looked at once.
        var known = [UInt32](repeating: 0, count: view.count)
        numbers.reserveCapacity(contents.count)
        for position in 0..<contents.count {
            guard let id = view.item(position, of: contents).key else { continue }
            let number =
                known[id.index] > 0
                ? Int(known[id.index]) - 1 : add(view.scalar(id).flatMap { AddressToken(key: $0) }, at: position)
            if document.lastRepeatedKeyWins { pairs[number].position = position }
            if pairs[number].key != nil { known[id.index] = UInt32(truncatingIfNeeded: number + 1) }
        }
    }

    /// The position of the pair that counts of those with a key; nil if there is none.
    func position(of key: AddressToken) -> Int? {
        numbers[key].map { pairs[$0].position }
    }

    /// The number of a key, a new one if it is met for the first time.
    private mutating func add(_ key: AddressToken?, at position: Int) -> Int {
        if let key, let number = numbers[key] { return number }
        pairs.append((key, position))
        if let key { numbers[key] = pairs.count - 1 }
        return pairs.count - 1
    }
}
