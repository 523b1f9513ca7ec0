import KeyedArchives
import SaveCodec
import SaveOperations

/// The line for a nested save whose contents a tree does not show, with commands that show them:
///
///     keyed archive (--nested, or get … /savedGame/root)
struct NestedSaveLine {
    let title: String
    /// The commands that show the nested save, after a space; empty if none fits on a line.
    let hint: String

    /// Fails for a value that is not data with a nested save.
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
        // Addresses in a raw view differ from those in other views.
        if view.nesting?.isRaw == false,
            let address = Self.firstAddress(in: save, at: outline.address(of: row, longest: Shortened.enough))
        {
            ways.append("get … \(address)")
        }
        hint = ways.isEmpty ? "" : " (\(ways.joined(separator: ", or ")))"
    }

    /// The address of the first value in the save, quoted for the shell; nil if it is too long for a line.
    private static func firstAddress(in save: NestedSave, at address: JSONPointer) -> String? {
        let contents = save.view[save.view.root].contents
        guard contents.count > 0 else { return nil }
        let step = save.view.step(Outline.PathStep(key: save.view.item(0, of: contents).key, position: 0))
        let text = address.appending(step).description
        return text.utf8.count < Shortened.enough ? Shell.word(text) : nil
    }
}
