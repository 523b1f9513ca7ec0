package import KeyedArchives
import SaveCodec

/// A slot of a property list without shared containers that holds a scalar.
package struct ScalarSlot {
    package let container: ViewID
    package let position: Int
    package let value: ViewID
}

extension ObjectView {
    /// Whether a container may be in two slots. Text formats cannot store that, and few binary files do.
    var mayShareContainers: Bool { archive != nil || document.has(.objectTable) && document.mayShareContainers }
}
