package import KeyedArchives
import SaveCodec

/// What an outline shows at a time: the view of a file, or that of a property list in its data.
///
/// A class, so that each row can tell which view its identities belong to.
package final class NestedView: Sendable {
    /// The view.
    package let view: ObjectView
    /// The value that it consists of.
    package var root: ViewValue { view[view.root] }
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

extension Nesting {
    /// How many bytes all nested files together may have. Those of one level are disjoint in an honest file.
    func totalSize(in view: ObjectView) -> Int {
        let (size, overflow) = (view.document.imageSize + 1 << 16).multipliedReportingOverflow(by: levels)
        return overflow ? .max : size
    }

    /// How many bytes those may have that are open within each other.
    func openSize(in view: ObjectView) -> Int {
        64 << 20 + 2 * view.document.imageSize
    }
}
