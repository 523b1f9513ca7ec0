/// A search for the losses of writing a document as XML.
///
/// Most documents have none, which one pass over the object table in memory order proves. Only a document that may have
/// losses is walked from its root to find the addresses.
struct XMLLossScan {
    private let document: Document
    private var losses = LossList()
    private var sound: RecentKeySets

    private init(_ document: Document) {
        self.document = document
        sound = RecentKeySets(document)
    }

    static func losses(in document: Document) -> [Problem] {
        var scan = XMLLossScan(document)
        guard scan.mayLose() else { return [] }
        scan.walk()
        return scan.losses.problems
    }

    /// Whether any object, reachable from the root or not, may have a loss. If objects overlap so much that checking
    /// them all would take longer than a walk, it gives up and returns true.
    private mutating func mayLose() -> Bool {
        var budget = document.imageSize
        let plain = document.facts.losslessKinds
        for index in 0..<document.count {
            guard let offset = document.offset(of: ObjectID(index)), !plain.contains(marker: document.image[offset]),
                let object = document.checkedObject(ObjectID(index))
            else { continue }
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

    /// Whether the keys of a dictionary may have a loss. A set of keys seen before has none, because the first loss
    /// ends the pass.
    private mutating func mayLose(_ dictionary: StoredObject) -> Bool {
        if dictionary.count > 1, sound.slot(of: dictionary).isKnown { return false }
        return looksLikeUID(dictionary) || loss(ofKeys: dictionary) != nil
    }

    /// Returns the loss of a dictionary's keys themselves. Their text is checked as other strings are.
    private func loss(ofKeys dictionary: StoredObject) -> TextLoss? {
        if document.hasNonStringKey(dictionary) { return .keyType }
        return document.hasDuplicateKey(sorting: dictionary) ? document.duplicateKeyLoss(of: dictionary) : nil
    }

    /// Whether an XML reader would treat the dictionary as a UID.
    private func looksLikeUID(_ dictionary: StoredObject) -> Bool {
        guard dictionary.count > 0, hasUIDKey(dictionary, 0) else { return false }
        let last = document.lastDuplicateWins ? dictionary.count - 1 : 0
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
        let document = document
        document.forEachSlot { object, address in
            for loss in losses(of: object) { add(loss, at: address) }
        }
    }

    /// Returns the losses of a scalar, or of a container itself without its contents.
    private func losses(of object: StoredObject) -> [TextLoss] {
        switch object.kind {
        case .array: []
        case .set: [.set]
        case .dictionary: [loss(ofKeys: object), looksLikeUID(object) ? .uidShape : nil].compactMap(\.self)
        default: document.xmlLoss(of: object).map { [$0] } ?? []
        }
    }

    private mutating func add(_ loss: TextLoss, at address: () -> JSONPointer) {
        losses.add(loss.kind) { loss.problem(in: "XML", at: address()) }
    }
}

extension Document {
    func xmlLoss(of scalar: StoredObject) -> TextLoss? {
        switch scalar.kind {
        case .null: .null
        case .integer: scalar.count == 16 && !TextLoss.integers.contains(integer(scalar)) ? .integerRange : nil
        case .real: real(scalar).isUnusualNaN ? .nan : nil
        case .date: xmlLoss(ofDate: real64(scalar))
        case .oneByteString: xmlLoss(ofBytes: scalar)
        case .utf16String: xmlLoss(ofUnits: scalar)
        default: nil
        }
    }

    private func xmlLoss(ofDate seconds: Double) -> TextLoss? {
        guard XMLDate.fits(seconds) else { return .dateRange(becomes: "a real") }
        return XMLDate.isWhole(seconds) ? nil : .dateFraction
    }

    private func xmlLoss(ofBytes string: StoredObject) -> TextLoss? {
        let end = string.start + string.count
        var position = string.start
        while true {
            position = image.span.firstIndex(from: position, upTo: end) { $0.marks(below: 0x20) }
            guard position < end else { return nil }
            if XMLWarnings.isForbidden(UInt32(image[position])) { return .character }
            position += 1
        }
    }

    private func xmlLoss(ofUnits string: StoredObject) -> TextLoss? {
        var position = 0
        while position < string.count {
            let unit = codeUnit(position, of: string)
            position += 1
            switch unit {
            case 0x09, 0x0A, 0x0D: continue
            case ..<0x20, 0xFFFE, 0xFFFF: return .character
            case 0xD800..<0xDC00:
                guard position < string.count, codeUnit(position, of: string) & 0xFC00 == 0xDC00 else {
                    return .surrogate
                }
                position += 1
            case 0xDC00..<0xE000: return .surrogate
            default: continue
            }
        }
        return nil
    }
}

extension Double {
    /// Whether the value is a NaN with other bits than `Double.nan`. Text formats have one word for all NaNs, which is
    /// read as `Double.nan`.
    var isUnusualNaN: Bool { isNaN && bitPattern != Double.nan.bitPattern }
}
