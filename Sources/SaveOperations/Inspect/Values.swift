import KeyedArchive
import SaveCodec

/// Makes the values of a view, those that are asked for again and again only twice: what an object of an archive is may
/// take a look at all of its fields.
struct Values {
    private var seen: Bitmap
    private var kept: [ViewID: ViewValue] = [:]

    init(_ view: ObjectView) {
        seen = Bitmap(count: view.archive == nil ? 0 : view.count)
    }

    mutating func value(_ id: ViewID, of view: borrowing ObjectView) -> ViewValue {
        // What is stored in place, and what is no container there, takes no look.
        guard id.index >= view.document.count, view.document.object(view.stored(id)).kind.isContainer else {
            return view[id]
        }
        if !kept.isEmpty, let value = kept[id] { return value }
        let value = view[id]
        if seen.contains(id.index) { kept[id] = value } else { seen.insert(id.index) }
        return value
    }
}
