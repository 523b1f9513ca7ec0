/// Records where values stand while a reader adds them to a ``DocumentBuilder``, one call beside each of the builder's.
///
/// A reader has one only when it is asked for places; else it pays for looking that there is none. Hence a class, whose
/// methods are kept out of the readers' loops.
final class SourceRecorder {
    private struct Frame {
        /// Where in the text the container begins.
        let offset: Int
        /// Where in the list of ranges its contents begin.
        let contents: Int
    }

    private var slots = SourceSlots()
    private var pending: [SourceRange] = []
    private var frames: [Frame] = []
    /// The map, as soon as the text is read; nil for a text that is too large for offsets of 32 bits.
    var map: SourceMap?

    /// Records a scalar.
    @inline(never)
    func add(_ range: Range<Int>) {
        pending.append(SourceRange(range))
    }

    /// Records that a container begins.
    @inline(never)
    func open(at offset: Int) {
        frames.append(Frame(offset: offset, contents: pending.count))
    }

    /// Records the end of the innermost open container, which the builder made an object.
    @inline(never)
    func close(_ container: ObjectID, isDictionary: Bool, end: Int) {
        guard let frame = frames.popLast() else { return }
        slots.add(pending[frame.contents...], of: container, isDictionary: isDictionary)
        pending.removeSubrange(frame.contents...)
        pending.append(SourceRange(frame.offset..<end))
    }

    /// Takes back the value that was recorded last.
    func takeLast() {
        _ = pending.popLast()
    }

    /// Makes the map of a text that has been read to its end.
    func finish(_ text: [UInt8], stored: StoredEncoding) {
        guard let root = pending.last, text.count <= Int(UInt32.max) else { return }
        map = SourceMap(text: text, root: root.range, stored: stored, slots: slots)
    }
}
