import KeyedArchives
import SaveCodec

/// The edited nested saves that a JSON text contains as JSON instead of data. Each text is edited like a file.
///
///     {"prefs": {"$bplist": {"gems": 7, "rate": 0.10}}}
///     {"prefs": {"$bplist": {"gems": 8, "rate": 0.10}}}
///
/// The reader rebuilds the file of such a save. Its bytes may differ from those in the edited document, but hold the
/// same values.
struct NestedSaveTexts {
    /// The replacement texts, by the offset of the text that each replaces.
    private(set) var spelled: [Int: [UInt8]] = [:]
    /// The losses in these saves that are side effects of rebuilding them.
    private(set) var losses: [Problem] = []
    /// The data that a reader builds from each replacement text, by the data in the edited document.
    private var data: [[UInt8]: [UInt8]] = [:]
    /// The losses that occur if the saves are written as data.
    private var lossesOfData: [Problem] = []

    /// Creates an empty value, for texts without such saves.
    init() {}

    /// Finds the changed saves and edits their texts.
    init(_ changes: TextChanges, of before: Document, at map: SourceMap, to after: Document, _ limits: Limits) {
        let edited = changes.replacedData(before, at: map, to: after).compactMap { range, bytes in
            EditedNestedSave(at: range, of: map.text, to: bytes, limits)
        }
        guard !edited.isEmpty else { return }
        for save in edited {
            guard let text = save.text else { continue }
            spelled[save.range.lowerBound] = text
            data[save.bytes] = save.data
        }
        let digits = before.digitLosses(in: map.text)
        guard !digits.isEmpty || !before.nestedNotes.losses.isEmpty else { return }
        let lines = LineTable(map.text)
        losses = Self.losses(before.nestedNotes.losses, in: edited.map(\.range), lines)
        losses += Self.losses(digits, in: edited.filter { $0.text == nil }.map(\.range), lines)
        lossesOfData = Self.losses(before.nestedNotes.losses + digits, in: edited.map(\.range), lines)
    }

    /// The same saves, written as data.
    var asData: NestedSaveTexts {
        var saves = NestedSaveTexts()
        saves.losses = lossesOfData
        return saves
    }

    /// Returns the losses whose locations are in any of the ranges.
    private static func losses(_ losses: [Problem], in ranges: [Range<Int>], _ lines: LineTable) -> [Problem] {
        let spans = ranges.map { (lines.location(of: $0.lowerBound), lines.location(of: $0.upperBound)) }
        return losses.filter { loss in
            guard let location = loss.location else { return false }
            return spans.contains { !location.isBefore($0.0) && location.isBefore($0.1) }
        }
    }

    /// Whether a text reads back as the edited document, except for saves with equivalent data.
    ///
    /// - Parameter allowsComments: Whether the text may have comments, because it had some before the edit.
    func reads(
        _ bytes: [UInt8], as format: Format, giving document: Document, _ limits: Limits,
        allowingComments allowsComments: Bool
    ) -> Bool {
        let dialect = JSON.Dialect(tags: document.dialect.tags, allowsComments: allowsComments)
        guard
            let result = try? Document.readSave(
                bytes, as: format, limits: limits, allowsNestedLoss: true, dialect: dialect)
        else { return false }
        guard !result.isFile else { return TextChanges(document, to: result).isUnchanged }
        return result.hasSameTree(as: document) { mine, others in
            guard !data.isEmpty, case .data(let bytes) = result[mine], case .data(let wanted) = document[others] else {
                return false
            }
            return data[Array(wanted)].map { $0[...] == bytes } ?? false
        }
    }
}

/// A nested save that is written as JSON instead of data and gets new bytes.
private struct EditedNestedSave {
    let range: Range<Int>
    let bytes: [UInt8]
    /// The edited text; nil if the new save cannot be written without losses.
    let text: [UInt8]?
    /// The data that a reader builds from the edited text.
    let data: [UInt8]

    /// Fails if the data is not written as a save, or if the new bytes are not a save of the same format.
    init?(at range: Range<Int>, of text: [UInt8], to bytes: [UInt8], _ limits: Limits) {
        guard let (format, contents) = JSON.save(at: range, of: text),
            NestedSaveOptions.format(of: bytes[...]) == format,
            let save = try? Document.read(bytes, as: format, limits: limits)
        else { return nil }
        (self.range, self.bytes) = (range, bytes)
        guard let edited = Self.edited(Array(text[contents]), to: save, as: format, limits),
            case let (start, end) = (range.lowerBound..<contents.lowerBound, contents.upperBound..<range.upperBound),
            case let form = text[start] + edited + text[end],
            let read = try? Document.readSave(
                Array(form), as: .json, limits: limits, allowsNestedLoss: true, dialect: .commented),
            case .data(let data) = read[read.root]
        else {
            (self.text, data) = (nil, [])
            return
        }
        (self.text, self.data) = (Array(form), Array(data))
    }

    private static func edited(
        _ text: [UInt8], to save: Document, as format: Format, _ limits: Limits
    ) -> [UInt8]? {
        // Values that the format or the text cannot hold would be lost.
        guard save.losses(as: format, limits: limits).isEmpty,
            let (before, map) = try? Document.readSaveMapped(
                text, as: .json, limits: limits, allowsNestedLoss: true, dialect: .commented),
            let map,
            let target = try? before.isGraphJSON ? KeyedArchive(save, limits: limits).graphJSON(limits) : save,
            (try? target.checkExpansion(limits)) != nil
        else { return nil }
        var options = TextEditing.Options()
        options.limits = limits
        return TextEditing.edited(before, at: map, as: .json, to: target, options)?.bytes
    }
}

extension KeyedArchive {
    fileprivate func graphJSON(_ limits: Limits) throws(Problem) -> Document {
        if let loss = GraphJSON.losses(in: self).first { throw loss }
        var output = ByteWriter()
        try GraphJSON.write(self, to: &output, limits: limits)
        return try Document.readSave(output.takeBytes(), as: .json, limits: limits, dialect: .typed)
    }
}

extension TextChanges {
    /// Returns the data values that are replaced by other data, with their ranges.
    fileprivate func replacedData(
        _ before: Document, at map: SourceMap, to after: Document
    ) -> [(range: Range<Int>, bytes: [UInt8])] {
        let isRoot = list.isEmpty && before.object(before.root).kind == .data
        let replaced =
            isRoot
            ? [(map.root, after.root)]
            : replacedData.map { (map.value($0.old.position, of: $0.old.container), $0.new) }
        return replaced.compactMap { range, value in
            guard case .data(let bytes) = after[value] else { return nil }
            return (range, Array(bytes))
        }
    }
}

extension SourceLocation {
    /// Whether a location in a text precedes another one.
    fileprivate func isBefore(_ other: SourceLocation) -> Bool {
        guard case .line(let line, let column) = self, case .line(let otherLine, let otherColumn) = other else {
            return false
        }
        return (line, column) < (otherLine, otherColumn)
    }
}
