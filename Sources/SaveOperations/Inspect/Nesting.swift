package import KeyedArchives
package import SaveCodec

/// How property lists that are stored as data are opened.
///
///     fog  data  62 70 6C 69 73 74 30 30 …     its bytes are a file of their own,
///          └─ root   Fog                       so this is what is in it, at /fog/root
package struct Nesting: Sendable {
    /// How many of them are opened within each other.
    package var levels: Int
    /// The limits of reading each.
    package var limits: Limits
    /// Whether archives are shown as they are stored.
    package var isRaw: Bool

    /// Creates a way of opening; what is not named has its default.
    package init(levels: Int = 64, limits: Limits = Limits(), isRaw: Bool = false) {
        self.levels = levels
        self.limits = limits
        self.isRaw = isRaw
    }

    /// What is in the bytes of a data value; nil if they do not begin like a property list.
    ///
    /// - Throws: what is wrong with a property list that they begin like.
    func open(_ bytes: ArraySlice<UInt8>) throws(Problem) -> ObjectView? {
        guard let format = Payload(bytes)?.format else { return nil }
        let document = try Document.read(Array(bytes), as: format, limits: limits)
        guard !isRaw, KeyedArchive.isArchive(document) else { return ObjectView(document) }
        return ObjectView(try KeyedArchive(document, limits: limits))
    }

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

extension Payload {
    /// The format of a property list in XML or binary form.
    fileprivate var format: Format? {
        switch self {
        case .binaryPropertyList: .binary
        case .xml: .xml
        default: nil
        }
    }
}

extension Problem {
    static func nestedTooLarge() -> Problem {
        Problem("limit.nested", "what is nested in this file is far larger than the file")
    }
}

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
