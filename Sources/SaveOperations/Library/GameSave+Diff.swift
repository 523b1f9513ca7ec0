public import KeyedArchives
public import SaveCodec

/// Something that is different in another save.
public struct SaveChange: Sendable, CustomStringConvertible {
    /// What happened.
    public enum Kind: String, Sendable, CaseIterable {
        /// Something is there that was not.
        case added
        /// Something is gone.
        case removed
        /// The value is another.
        case changed
        /// The value is of another type: 42 and 42.0.
        case type
        /// The value is stored in another way, in place or as an object. A scalar is equal; what a container holds is
        /// compared on its own.
        case storage
        /// The object has another class; its fields are compared on their own.
        case `class`
        /// The element stands elsewhere in its array.
        case moved
        /// The value is the same, but no longer, or only now, the same object as another.
        case shared
    }

    /// What happened.
    public var kind: Kind { change.kind }
    private let change: Change
    private let difference: Difference

    init(_ change: Change, in difference: Difference) {
        (self.change, self.difference) = (change, difference)
    }

    /// Where it is: after, or for what was removed before. Of a very long address the first steps.
    public var address: JSONPointer { difference.address(of: change) }
    /// The value before; nil for what was added.
    public var before: ArchivedValue? { value(.before) }
    /// The value after; nil for what was removed.
    public var after: ArchivedValue? { value(.after) }

    /// The change for people, on one line: `changed /root/health: 100 → 55`. Not for programs to read.
    public var description: String {
        let what = "\(kind.rawValue) \(address)"
        return switch (kind, before, after) {
        case (.moved, let before?, _): "\(what), before at \(before.address)"
        case (.storage, _, let after?), (.shared, _, let after?), (_, nil, let after?): "\(what): \(after)"
        case (_, let before?, nil): "\(what): \(before)"
        case (_, let before?, let after?): "\(what): \(before) → \(after)"
        case (_, nil, nil): what
        }
    }

    // Made when it is asked for: together, addresses may be far longer than the saves.
    private func value(_ side: Side) -> ArchivedValue? {
        guard let id = change.value(side), let address = difference.address(of: change, side) else { return nil }
        return ArchivedValue(id, in: difference.view(side), at: address)
    }
}

/// What a comparison forgives.
public struct ComparisonOptions: Sendable {
    /// Patterns of addresses that are not compared, with everything below: `/root/date`, `**/lastPlayed`.
    public var ignored: [String] = []
    /// How far real numbers may be apart.
    public var tolerance = 0.0
    /// Whether numbers are compared by value, whatever their types.
    public var looseNumbers = false

    /// Forgives nothing.
    public init() {}
}

extension Difference {
    /// The changes, in place of those of values that hold saves what is different inside.
    fileprivate var allChanges: [SaveChange] {
        changes.flatMap { change in inside(change)?.allChanges ?? [SaveChange(change, in: self)] }
    }
}

extension GameSave {
    /// What is different in another save, by meaning, whatever the formats and the order of keys; in the order of the
    /// other save, what is gone where it stood.
    ///
    /// - Throws: a problem for a pattern that is none.
    public func changes(
        to other: GameSave, _ options: ComparisonOptions = ComparisonOptions()
    ) throws(Problem) -> [SaveChange] {
        var rules = DifferenceOptions()
        for pattern in options.ignored { rules.ignored.append(try PointerPattern(pattern)) }
        rules.tolerance.absolute = options.tolerance
        rules.looseNumbers = options.looseNumbers
        let difference = Difference(view, other.view, options: rules)
        return difference.allChanges
    }

    /// The JSON Patch (RFC 6902) that makes another save of this one. Its values are typed JSON; of an archive, graph
    /// JSON.
    ///
    /// - Throws: a problem for what a patch cannot say, and if it would be far larger than the saves.
    public func patch(to other: GameSave) throws(Problem) -> [UInt8] {
        var options = DifferenceOptions.stored(as: format, other.format)
        options.opensReadOnly = false
        var output = ByteWriter()
        try Difference(view, other.view, options: options).writePatch(to: &output, limits: limits)
        return output.takeBytes()
    }

    /// The save with a patch applied, all of it or nothing: a JSON Patch, which is an array, or a merge patch (RFC 7396),
    /// which is an object.
    ///
    /// - Throws: a problem if the patch is none, or cannot be applied, with the number of the operation.
    public func applying(patch: [UInt8]) throws(Problem) -> GameSave {
        // A value stands in an operation in an array.
        var limits = limits
        limits.maxDepth = min(limits.maxDepth, .max - Self.envelopeDepth) + Self.envelopeDepth
        let document = try Document.readGiven(patch, limits: limits)
        guard case .array = document[document.root] else {
            return try edited(MergePatch(document).changed(view, limits: self.limits))
        }
        return try edited(JSONPatch(document).changed(view, limits: self.limits))
    }

    private static let envelopeDepth = 8
}
