package import KeyedArchives
import SaveCodec

/// What an outline shows at a time: the view of a file, or that of a property list in its data.
///
/// A class, so that each row can tell which view its identities belong to.
package final class NestedView: Sendable {
    /// The view.
    package let view: ObjectView
    /// How many files it is nested in.
    package let level: Int
    /// How many bytes of nested files are open, this one's included.
    let openSize: Int

    init(_ view: ObjectView, level: Int = 0, openSize: Int = 0) {
        self.view = view
        self.level = level
        self.openSize = openSize
    }
}
