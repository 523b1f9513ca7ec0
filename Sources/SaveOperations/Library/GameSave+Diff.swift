public import KeyedArchives
public import SaveCodec

/// One difference between two saves.
public struct SaveChange: Sendable, CustomStringConvertible {
    /// The kind of a change.
    public enum Kind: String, Sendable, CaseIterable {
        /// A value was added.
        case added
        /// A value was removed.
        case removed
        /// The value changed.
        case changed
        /// The value has another type: 42 and 42.0.
        case type
        /// The value is stored differently: in place or as an object. If it is a scalar, it is otherwise equal; the
        /// contents of a container are compared separately.
        case storage
        /// The object has another class. Its fields are compared separately.
        case `class`
        /// The element moved to another position in its array.
        case moved
        /// The value is equal, but its sharing changed: it is now the same object as another value, or has become a
        /// separate object.
        case shared
    }

    /// The kind of this change.
    public var kind: Kind { change.kind }
    private let change: Change
    private let difference: Difference

    init(_ change: Change, in difference: Difference) {
        (self.change, self.difference) = (change, difference)
    }

    /// The address in the later save; for a removal, the address in the earlier save. A very long address is cut off.
    public var address: JSONPointer { difference.address(of: change) }
    /// The value in the earlier save; nil for an addition.
    public var before: ArchivedValue? { value(.before) }
    /// The value in the later save; nil for a removal.
    public var after: ArchivedValue? { value(.after) }

    /// A one-line description for people: `changed /root/health: 100 → 55`. Programs should not parse it.
    public var description: String {
        let what = "\(kind.rawValue) \(address)"
        return switch (kind, before, after) {
        case (.moved, let before?, _): "\(what), previously at \(before.address)"
        case (.storage, _, let after?), (.shared, _, let after?), (_, nil, let after?): "\(what): \(after)"
        case (_, let before?, nil): "\(what): \(before)"
        case (_, let before?, let after?): "\(what): \(before) → \(after)"
        case (_, nil, nil): what
        }
    }

    // Computed on request: together, the addresses may be far longer than the saves.
    private func value(_ side: Side) -> ArchivedValue? {
        guard let id = change.value(side), let address = difference.address(of: change, side) else { return nil }
        return ArchivedValue(id, in: difference.view(side), at: address)
    }
}

/// Options for comparing saves.
public struct ComparisonOptions: Sendable {
    /// Patterns for the addresses of values to ignore, with everything inside them: `/root/date`, `/**/lastPlayed`.
    public var ignored: [String] = []
    /// The largest difference of two reals that are considered equal.
    public var tolerance = 0.0
    /// Whether to compare numbers only by value, regardless of their types.
    public var looseNumbers = false

    /// Creates options that ignore nothing.
    public init() {}
}

extension Difference {
    /// The changes. A change of a value with a nested save is replaced with the changes inside that save.
    fileprivate var allChanges: [SaveChange] {
        changes.flatMap { change in nestedDifference(of: change)?.allChanges ?? [SaveChange(change, in: self)] }
    }
}

extension GameSave {
    /// Returns the differences between the values of this save and another one, regardless of formats and key order.
    /// Changes are in the order of the other save, with removals at their former position.
    ///
    /// - Throws: A problem for an invalid pattern.
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

    /// Returns the JSON Patch (RFC 6902) that turns this save into another one. Its values are typed JSON, or graph
    /// JSON for an archive.
    ///
    /// - Throws: A problem if a patch cannot express a change, or would be far larger than the saves.
    public func patch(to other: GameSave) throws(Problem) -> [UInt8] {
        var options = DifferenceOptions.stored(as: format, other.format)
        options.comparesReadOnlySaves = false
        options.reproducesTexts = true
        var output = ByteWriter()
        try Difference(view, other.view, options: options).writePatch(to: &output, limits: limits)
        return output.takeBytes()
    }

    /// Returns the save with a patch applied, either completely or not at all. An array is a JSON Patch, an object a
    /// merge patch (RFC 7396).
    ///
    /// - Throws: A problem if the patch is invalid or cannot be applied, with the number of the operation.
    public func applying(patch: [UInt8]) throws(Problem) -> GameSave {
        // A value is nested deeper in a patch than in the save.
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
