import KeyedArchives
import SaveCodec

/// Hashes of the values of a JSON text, for finding equal values. Each hash is computed once.
struct Fingerprints {
    private let document: Document
    private var known: [ObjectID: Int] = [:]

    init(_ document: Document) {
        self.document = document
    }

    /// Returns the hash of a value. Equal values have equal hashes; different values have equal hashes with a
    /// probability of 2⁻⁶⁴.
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
