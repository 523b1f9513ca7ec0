import KeyedArchives
import SaveCodec
import SaveOperations

/// A save in data whose contents a tree does not show, and how to look into it:
///
///     keyed archive (--nested, or get … /savedGame/root)
struct NestedSaveLine {
    let title: String
    /// The commands that show it, with a space before; empty if none can be written in a line.
    let hint: String

    /// Nil for what is not a save in data.
    init?(_ row: Outline.Row, of outline: borrowing Outline) {
        let view = row.layer.view
        guard view.scalarObject(row.id)?.kind == .data, let save = try? view.nestedSave(enteredAt: row.id) else {
            return nil
        }
        title = Headline(of: save.view, from: save.view.document, as: save.format).shortTitle
        var ways: [String] = []
        if Nesting.format(of: save.bytes[...]) == save.format, case .data = save.wrapping {
            ways.append(Option.nested.shown)
        }
        // What a raw view has is at other addresses in all others.
        if view.nesting?.isRaw == false,
            let address = Self.firstAddress(in: save, at: outline.address(of: row, longest: Shortened.enough))
        {
            ways.append("get … \(address)")
        }
        hint = ways.isEmpty ? "" : " (\(ways.joined(separator: ", or ")))"
    }

    /// The address of the first value in the save, for the shell; nil if it is too long for a line.
    private static func firstAddress(in save: NestedSave, at address: JSONPointer) -> String? {
        let contents = save.view[save.view.root].contents
        guard contents.count > 0 else { return nil }
        let step = save.view.step(Outline.PathStep(key: save.view.item(0, of: contents).key, position: 0))
        let text = address.appending(step).description
        return text.utf8.count < Shortened.enough ? Shell.word(text) : nil
    }
}
