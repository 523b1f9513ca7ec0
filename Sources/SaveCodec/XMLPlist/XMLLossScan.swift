/// Finds what writing a document as XML would lose.
///
/// Most documents lose nothing, and one pass along the object table, in the order in which it lies in memory, settles
/// that. Only if there is something is the document walked from its root, for the addresses.
struct XMLLossScan {
    private let document: Document
    private var losses = LossList()
    private var shapes = [StoredObject?](repeating: nil, count: 64)

    private init(_ document: Document) {
        self.document = document
    }

    static func losses(in document: Document) -> [Problem] {
        var scan = XMLLossScan(document)
        guard scan.mayLose() else { return [] }
        scan.walk()
        return scan.losses.problems
    }

    /// Whether any object of the table, even one that the root does not reach, would lose something; or whether objects
    /// overlap so much that looking at all of them would take longer than walking.
    private mutating func mayLose() -> Bool {
        var budget = document.imageSize
        for index in 0..<document.count {
            guard let object = document.checkedObject(ObjectID(index)) else { continue }
            budget -= object.ownSize + object.referenceCount
            if budget < 0 { return true }
            switch object.kind {
            case .set: return true
            case .array: continue
            case .dictionary: if mayLose(object) { return true }
            default: if document.xmlLoss(of: object) != nil { return true }
            }
        }
        return false
    }

    /// Whether a dictionary's keys would lose something. Those of the last dictionary of this size were found sound.
    private mutating func mayLose(_ dictionary: StoredObject) -> Bool {
        let slot = dictionary.count & 63
        if dictionary.count > 1, let sound = shapes[slot], document.hasSameKeys(sound, dictionary) { return false }
        if looksLikeUID(dictionary) || loss(ofKeys: dictionary) != nil { return true }
        shapes[slot] = dictionary
        return false
    }

    /// What the keys of a dictionary lose as such; their texts are looked at like any other.
    private func loss(ofKeys dictionary: StoredObject) -> XMLLoss? {
        for position in 0..<dictionary.count
        where !document.object(document.key(position, of: dictionary)).kind.isString { return .keyType }
        return document.firstRepeatedKey(of: dictionary) == nil ? nil : .repeatedKey
    }

    /// Whether a reader of XML would take the dictionary for a UID.
    private func looksLikeUID(_ dictionary: StoredObject) -> Bool {
        guard dictionary.count > 0, hasUIDKey(dictionary, 0) else { return false }
        let last = document.lastRepeatedKeyWins ? dictionary.count - 1 : 0
        let value = document.object(document.value(last, of: dictionary))
        guard value.kind == .integer || value.kind == .real else { return false }
        for position in 1..<dictionary.count where !hasUIDKey(dictionary, position) { return false }
        return true
    }

    private func hasUIDKey(_ dictionary: StoredObject, _ position: Int) -> Bool {
        document.text(document.object(document.key(position, of: dictionary)), equals: "CF$UID")
    }

    // MARK: Addresses

    private mutating func walk() {
        var walk = DocumentWalk(document)
        while let visit = walk.next() {
            if visit.object.kind.isContainer {
                visitContainer(visit.object, walk)
            } else if visit.role == .root, let loss = document.xmlLoss(of: visit.object) {
                add(loss) { .root }
            }
        }
    }

    /// Adds what a container loses, and what the scalars in it lose: a scalar that stands in several places is lost in
    /// each of them.
    private mutating func visitContainer(_ container: StoredObject, _ walk: DocumentWalk) {
        if container.kind == .set { add(.set) { walk.address } }
        if container.kind == .dictionary {
            if let loss = loss(ofKeys: container) { add(loss) { walk.address } }
            if looksLikeUID(container) { add(.uidShape) { walk.address } }
        }
        for position in 0..<container.referenceCount {
            let object = document.object(document.reference(position, of: container))
            guard !object.kind.isContainer, let loss = document.xmlLoss(of: object) else { continue }
            let document = document
            add(loss) {
                var address = walk.address
                document.append(step: position, of: container, to: &address)
                return address
            }
        }
    }

    private mutating func add(_ loss: XMLLoss, at address: () -> Address) {
        losses.add { loss.problem(at: address()) }
    }
}
