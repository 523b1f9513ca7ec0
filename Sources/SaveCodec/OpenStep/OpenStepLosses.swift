/// Lists what a dialect cannot hold of a document.
struct OpenStepLosses {
    private let document: Document
    private let dialect: OpenStep.Dialect

    init(_ document: Document, dialect: OpenStep.Dialect) {
        self.document = document
        self.dialect = dialect
    }

    /// The losses in the order of the document, each at its first address.
    func list() -> [Problem] {
        guard isPossible else { return [] }
        var list = LossList()
        var walk = DocumentWalk(document)
        while let visit = walk.next() {
            for loss in losses(visit.object) { list.add { .openStepLoss(loss, dialect, at: walk.address) } }
        }
        return list.problems
    }

    /// Whether anything in the table, reached by the root or not, might be lost: quicker to tell than where it stands,
    /// unless objects overlap.
    private var isPossible: Bool {
        var budget = document.imageSize
        for index in 0..<document.count {
            let object = document.object(ObjectID(index))
            budget -= object.ownSize + object.referenceCount
            if budget < 0 { return true }
            if !losses(object).isEmpty { return true }
        }
        return false
    }

    /// What is lost of an object. Keys are looked at from their dictionary: as an object of its own, a key may have been
    /// visited before where it is a value.
    private func losses(_ object: StoredObject) -> [OpenStepLoss] {
        if let loss = scalarLoss(object) { return [loss] }
        return (hasRepeats(object) ? [.repeatedKey] : []) + (hasOtherKeys(object) ? [.key] : [])
    }

    private func hasRepeats(_ object: StoredObject) -> Bool {
        object.kind == .dictionary && document.firstRepeatedKey(of: object) != nil
    }

    private func hasOtherKeys(_ object: StoredObject) -> Bool {
        guard dialect == .openStep, object.kind == .dictionary else { return false }
        return (0..<object.count).contains { !document.object(document.key($0, of: object)).kind.isString }
    }

    /// What is lost of an object, whatever it is in.
    private func scalarLoss(_ object: StoredObject) -> OpenStepLoss? {
        switch object.kind {
        case .array, .dictionary, .data: nil
        case .null: .null
        case .set: .set
        case .uid: .uid
        case .oneByteString: nil
        case .utf16String: dialect == .gnustep && hasLoneSurrogate(object) ? .loneSurrogate : nil
        case .false, .true: dialect == .gnustep ? nil : .boolean
        case .integer: dialect == .gnustep ? integerLoss(document.integer(object)) : .integer
        case .real: dialect == .gnustep ? realLoss(object) : .real
        case .date: dialect == .gnustep ? dateLoss(document.real64(object)) : .date
        }
    }

    private func integerLoss(_ value: Int128) -> OpenStepLoss? {
        OpenStep.integerRange.contains(value) ? nil : .integerRange
    }

    private func realLoss(_ real: StoredObject) -> OpenStepLoss? {
        guard real.count == 8 else { return .real32 }
        let value = document.real64(real)
        return value.isNaN && value.bitPattern != Double.nan.bitPattern ? .nanBits : nil
    }

    private func dateLoss(_ seconds: Double) -> OpenStepLoss? {
        guard OpenStep.dateRange.contains(seconds) else { return .dateRange }
        guard Double(Int64(seconds)) == seconds else { return .dateFraction }
        return seconds.bitPattern == (-0.0).bitPattern ? .dateSign : nil
    }

    private func hasLoneSurrogate(_ string: StoredObject) -> Bool {
        var position = 0
        while position < string.count {
            let unit = document.codeUnit(position, of: string)
            if unit & 0xF800 == 0xD800 {
                guard UTF16.isLeadSurrogate(unit), position + 1 < string.count,
                    UTF16.isTrailSurrogate(document.codeUnit(position + 1, of: string))
                else { return true }
                position += 1
            }
            position += 1
        }
        return false
    }
}

extension OpenStep {
    /// The integers that GNUstep's dialect holds: −2⁶³ to 2⁶⁴−1.
    static let integerRange = Int128(Int64.min)...Int128(UInt64.max)

    /// The dates that GNUstep's dialect holds, in seconds since 2001: the years 1 to 9999.
    static let dateRange = -63_113_904_000.0..<252_423_993_600.0
}
