package import KeyedArchives
import SaveCodec

/// One level of an outline: the view of a file or of a nested save.
///
/// A class, so that each row can refer to the view of its values at no cost.
package final class OutlineLevel: Sendable {
    package let view: ObjectView
    package var root: ViewValue { view[view.root] }
    /// The number of saves around this one.
    package let depth: Int
    /// The total size of the open nested saves in bytes, including this one.
    let openSize: Int

    init(_ view: ObjectView, depth: Int = 0, openSize: Int = 0) {
        self.view = view
        self.depth = depth
        self.openSize = openSize
    }
}

extension NestedSaveOptions {
    /// Returns the maximum total size of all nested saves, in bytes. The saves of one level do not overlap in a regular
    /// file, so each level adds at most the size of the file.
    func totalSize(in view: ObjectView) -> Int {
        let (size, overflow) = (view.document.imageSize + 1 << 16).multipliedReportingOverflow(by: levels)
        return overflow ? .max : size
    }

    /// Returns the maximum total size of nested saves that are open inside each other, in bytes.
    func openSize(in view: ObjectView) -> Int {
        64 << 20 + 2 * view.document.imageSize
    }
}
