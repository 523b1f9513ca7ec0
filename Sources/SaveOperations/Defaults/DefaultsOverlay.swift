package import KeyedArchives
package import SaveCodec

/// Preferences on top of the defaults that an application registers, as `UserDefaults` combines them:
///
///     preferences  {"gems": 340, "audio": {"music": 0.5}}
///     defaults     {"gems": 0, "level": 1, "audio": {"music": 1.0, "effects": 1.0}}
///     ─────────────────────────────────────────────────────────────────────────────
///     view         {"gems": 340, "audio": {"music": 0.5}, "level": 1}
///     origins       overriding   overriding                default
///
/// A key in the preferences hides the whole value of the same key in the defaults; nested values are not merged.
package struct DefaultsOverlay: Sendable {
    /// The origin of a pair's value.
    package enum Origin: Sendable, Equatable {
        /// The preferences; the defaults do not have the key.
        case preferences
        /// The preferences, which hide this value of the defaults.
        case overriding(ViewID)
        /// The defaults, which have this value.
        case defaults(ViewID)
    }

    /// The preferences alone.
    package let preferences: ObjectView
    /// The defaults under the preferences.
    package let defaults: RegisteredDefaults
    /// The combined view: the keys of the preferences in their order, then the keys that only the defaults have.
    package let view: ObjectView
    /// The origins of the pairs at the view's root, by position. If a key is a duplicate key in the preferences, only
    /// its effective pair is ``Origin/overriding(_:)``.
    package let origins: [Origin]

    /// Puts preferences on top of defaults.
    ///
    /// - Throws: `defaults.root` if the preferences are not a dictionary, `defaults.archive` for a keyed archive.
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
        view = ObjectView(try draft.finish(limits: limits), nil, nesting: preferences.nesting?.withoutBudget)
        self.preferences = preferences
        self.defaults = defaults
        self.origins = origins
    }

    /// The number of keys that only the defaults have.
    package var defaultCount: Int { origins.count - preferences[preferences.root].contents.count }

    // MARK: Lookup

    /// The result of a lookup.
    package struct Found: Sendable {
        /// The value, in the view of the file that it comes from, or the part of the address that exists.
        package let lookup: Lookup
        /// The position of the pair at the root that the address leads through; nil for the address of the root, and if
        /// the key does not exist.
        package let position: Int?
    }

    /// Looks up an address. The tokens after the first are looked up only in the file that has the key.
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

    /// Whether the defaults have a value at an address under a key that the preferences hide.
    package func hidesDefault(at address: JSONPointer) -> Bool {
        guard let position = find(address).position, case .overriding(let id) = origins[position],
            case .found = defaults.view.find(address, from: id, depth: 1)
        else { return false }
        return true
    }

    // MARK: Comparison

    /// Returns the positions of the pairs at the root whose value equals the hidden default, compared as in
    /// ``Difference``.
    package func positionsEqualToDefaults() -> Set<Int> {
        let sides = ComparedSide.both(preferences, defaults.view)
        let equality = ContainerEquality(sides)
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

/// The defaults that an application registers: the values of keys that the preferences do not set.
package struct RegisteredDefaults: Sendable {
    /// The view of the file.
    package let view: ObjectView
    fileprivate let keys: RootKeys

    /// Creates defaults from the dictionary at the root of a property list.
    ///
    /// - Throws: `defaults.root` if the root is not a dictionary, `defaults.archive` for a keyed archive.
    package init(_ view: ObjectView) throws(Problem) {
        try view.checkKeys(of: "defaults")
        self.view = view
        keys = RootKeys(of: view)
    }
}

extension ObjectView {
    /// Throws unless the view is of a property list with a dictionary at its root.
    fileprivate func checkKeys(of what: StaticString) throws(Problem) {
        if archive != nil {
            throw Problem("defaults.archive", "found a keyed archive; expected a dictionary of \(what)")
        }
        guard case .dictionary = self[root].variant else {
            let found = TypePhrase.of(root, in: self)
            throw Problem("defaults.root", "found \(found) at the root; expected a dictionary of \(what)")
        }
    }
}

// MARK: Keys of the root

/// The keys of the dictionary at the root of a property list, each with its effective pair.
///
/// Two keys are equal if they have the same address token: the text of a string, or a token such as `=5` for a number,
/// a Boolean or a date. Any other key has no token but its position, and equals no key of another file.
private struct RootKeys: Sendable {
    /// Each key once, in order of first occurrence, with the position of its effective pair.
    private(set) var pairs: [(key: AddressToken?, position: Int)] = []
    /// The index of each key in ``pairs``.
    private var numbers: [AddressToken: Int] = [:]

    /// Reads the keys at the root of a view that is not an archive.
    init(of view: ObjectView) {
        let document = view.document
        let contents = view[view.root].contents
        // For each key, by its view ID: its index in `pairs` plus 1, or 0 if unknown. A large key may occur in a
        // million pairs, but is read only once.
        var known = [UInt32](repeating: 0, count: view.count)
        numbers.reserveCapacity(contents.count)
        for position in 0..<contents.count {
            guard let id = view.item(position, of: contents).key else { continue }
            let number =
                known[id.index] > 0
                ? Int(known[id.index]) - 1 : add(view.scalar(id).flatMap { AddressToken(key: $0) }, at: position)
            if document.lastDuplicateWins { pairs[number].position = position }
            if pairs[number].key != nil { known[id.index] = UInt32(truncatingIfNeeded: number + 1) }
        }
    }

    /// Returns the position of the effective pair of a key; nil if the key does not exist.
    func position(of key: AddressToken) -> Int? {
        numbers[key].map { pairs[$0].position }
    }

    /// Returns the index of a key, which is added if it is new.
    private mutating func add(_ key: AddressToken?, at position: Int) -> Int {
        if let key, let number = numbers[key] { return number }
        pairs.append((key, position))
        if let key { numbers[key] = pairs.count - 1 }
        return pairs.count - 1
    }
}
