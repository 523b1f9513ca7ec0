public import KeyedArchive
import SaveCodec

/// What an outline shows at a time: the view of a file, or that of a property list in its data.
///
/// A class, so that each row can tell which view its identities belong to.
public final class Layer: Sendable {
    /// The view.
    public let view: ObjectView
    /// Where its root stands.
    let address: Address
    /// How many bytes of nested files are open, this one's included.
    let openSize: Int

    init(_ view: ObjectView, at address: Address, openSize: Int = 0) {
        self.view = view
        self.address = address
        self.openSize = openSize
    }
}
