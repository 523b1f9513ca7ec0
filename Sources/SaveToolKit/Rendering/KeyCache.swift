import KeyedArchive
import SaveOperations

/// What keys are shown as, each made once. Kept for one view at a time.
struct KeyCache<Shown> {
    private var layer: Layer?
    private var kept: [ViewID: Shown] = [:]

    /// What a key is shown as: what `make` returns the first time.
    mutating func shown(_ key: ViewID, of layer: Layer, _ make: (ObjectView) -> Shown) -> Shown {
        if self.layer !== layer {
            self.layer = layer
            kept = [:]
        }
        if let shown = kept[key] { return shown }
        let shown = make(layer.view)
        kept[key] = shown
        return shown
    }
}
