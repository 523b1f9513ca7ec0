import KeyedArchives
import SaveCodec

/// Tells equal values of a JSON text by a hash of all that is in them, which is found once for each.
struct Fingerprints {
    private let document: Document
    private var known: [ObjectID: Int] = [:]

    init(_ document: Document) {
        self.document = document
    }

    /// The hash of a value: that of equal values is the same, and of others another, but for one chance in 2⁶⁴.
    mutating func fingerprint(of root: ObjectID) -> Int {
        var pending = [(id: root, isOpen: false)]
        while let (id, isOpen) = pending.popLast() {
            guard known[id] == nil else { continue }
            let stored = document.object(id)
            if stored.kind.isContainer, !isOpen {
                pending.append((id, true))
                pending += (0..<stored.referenceCount).map { (document.reference($0, of: stored), false) }
            } else {
                known[id] = hash(of: stored)
            }
        }
        return known[root] ?? 0
    }

    private func hash(of stored: StoredObject) -> Int {
        var hasher = Hasher()
        if stored.kind.isContainer {
            hasher.combine(stored.kind == .dictionary ? 1 : stored.kind == .set ? 2 : 3)
            for position in 0..<stored.referenceCount {
                hasher.combine(known[document.reference(position, of: stored)])
            }
        } else {
            var text = ByteWriter()
            ScalarText.writeTyped(stored, of: document, to: &text)
            hasher.combine(text.takeBytes())
        }
        return hasher.finalize()
    }
}
