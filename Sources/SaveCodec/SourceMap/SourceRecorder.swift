/// A recorder of the values' ranges, called by a reader next to each call of its ``DocumentBuilder``.
///
/// A reader only has a recorder if locations are requested. It is a class so that its methods are not inlined into the
/// reader's loops. A loop without a recorder then only checks for nil.
final class SourceRecorder {
    private struct Frame {
        /// The offset of the container in the text.
        let offset: Int
        /// The index of the container's first range in the pending ranges.
        let contents: Int
    }

    private var slots = SourceSlots()
    private var pending: [SourceRange] = []
    private var frames: [Frame] = []
    /// The map, which is created after reading; nil before that, and for a text too large for 32-bit offsets.
    var map: SourceMap?

    @inline(never)
    func add(_ range: Range<Int>) {
        pending.append(SourceRange(range))
    }

    @inline(never)
    func open(at offset: Int) {
        frames.append(Frame(offset: offset, contents: pending.count))
    }

    /// Records the end of the innermost open container, which the builder has made into an object.
    @inline(never)
    func close(_ container: ObjectID, isDictionary: Bool, end: Int) {
        guard let frame = frames.popLast() else { return }
        slots.add(pending[frame.contents...], of: container, isDictionary: isDictionary)
        pending.removeSubrange(frame.contents...)
        pending.append(SourceRange(frame.offset..<end))
    }

    func takeLast() {
        _ = pending.popLast()
    }

    /// Creates the map after the whole text was read.
    ///
    /// - Parameter hasComments: Whether a JSON text has comments or trailing commas.
    func finish(_ text: [UInt8], stored: StoredEncoding, hasComments: Bool = false) {
        guard let root = pending.last, text.count <= Int(UInt32.max) else { return }
        map = SourceMap(text: text, root: root.range, stored: stored, slots: slots, hasComments: hasComments)
    }
}
