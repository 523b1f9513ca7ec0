import KeyedArchive
import SaveCodec
import SaveOperations

/// A small container as one line, without its contents below: an array of scalars, or what stands in a list and consists
/// of scalars.
///
///     [1200, 900.5]
///     Player {position: {10.5, 20}, health: 100}
enum BriefLine {
    /// What a container may be for a line.
    enum Extent {
        case arrays
        case arraysAndRecords
    }

    /// As many fields at most make a record.
    private static let longestRecord = 12

    /// The line; nil if there is something else in the container, or if it takes more room.
    static func render(_ value: ViewValue, in view: ObjectView, _ extent: Extent, room: Int) -> String? {
        switch value.form {
        case .array:
            let word = ClassNames.word(for: "array", value.classPosition, in: view)
            return contents(value, in: view, room: room).map { (word == "array" ? "" : word + " ") + "[\($0)]" }
        case .dictionary, .object:
            guard extent == .arraysAndRecords, value.contents.count <= longestRecord else { return nil }
            let word = ClassNames.word(for: "dictionary", value.classPosition, in: view)
            return contents(value, in: view, room: room).map { (word == "dictionary" ? "" : word + " ") + "{\($0)}" }
        case .scalar, .set: return nil
        }
    }

    private static func contents(_ value: ViewValue, in view: ObjectView, room: Int) -> String? {
        guard (1...max(room / 3, 1)).contains(value.contents.count) else { return nil }
        var line = ""
        for position in 0..<value.contents.count {
            let item = view.item(position, of: value.contents)
            guard let text = scalar(item.id, in: view) else { return nil }
            line += position == 0 ? "" : ", "
            if let key = item.key {
                guard let name = view.text(key) else { return nil }
                line += Shortened.key(name) + ": "
            }
            line += text
            guard line.unicodeScalars.count + 2 < room else { return nil }
        }
        return line
    }

    /// A scalar that is not long, or an object that stands for a single thing; nil for all other values.
    private static func scalar(_ id: ViewID, in view: ObjectView) -> String? {
        switch view.scalar(id) {
        case nil, .data?: view.brief(id)
        case let node?: ValueText.line(node).text
        }
    }
}
