import KeyedArchives
public import SaveCodec
import SaveOperations

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
        options.requirePatchable()
        var output = ByteWriter()
        try Difference(view, other.view, options: options).writePatch(to: &output, limits: limits)
        return output.takeBytes()
    }

    /// Returns the save with a patch applied, either completely or not at all. An array is a JSON Patch, an object a
    /// merge patch (RFC 7396). Numbers become strings in OpenStep text, which has no numbers.
    ///
    /// - Throws: A problem if the patch is invalid or cannot be applied, with the number of the operation.
    public func applying(patch: [UInt8]) throws(Problem) -> GameSave {
        let document = try Document.readPatch(patch, limits: limits)
        guard case .array = document[document.root] else {
            return try edited(MergePatch(document).changed(view, limits: limits))
        }
        return try edited(JSONPatch(document).changed(view, limits: limits))
    }
}
