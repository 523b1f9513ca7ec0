/// Lists what a dialect cannot hold of a document.
struct OpenStepLosses {
    private let document: Document
    private let dialect: OpenStep.Dialect
    private var losses = LossList()

    init(_ document: Document, dialect: OpenStep.Dialect) {
        self.document = document
        self.dialect = dialect
    }

    /// The losses in the order of the document. A scalar that stands in several places is lost in each of them.
    mutating func list() -> [Problem] {
        guard isPossible else { return [] }
        var walk = DocumentWalk(document)
        while let visit = walk.next() {
            if visit.object.kind.isContainer {
                visitContainer(visit.object, walk)
            } else if visit.role == .root, let loss = scalarLoss(visit.object) {
                add(loss) { .root }
            }
        }
        return losses.problems
    }

    /// Whether anything in the table, reached by the root or not, might be lost: quicker to tell than where it stands,
    /// unless objects overlap.
    private var isPossible: Bool {
        var budget = document.imageSize
        for index in 0..<document.count {
            let object = document.object(ObjectID(index))
            budget -= object.ownSize + object.referenceCount
            if budget < 0 { return true }
            if object.kind.isContainer ? !containerLosses(object).isEmpty : scalarLoss(object) != nil { return true }
        }
        return false
    }

    private mutating func visitContainer(_ container: StoredObject, _ walk: DocumentWalk) {
        for loss in containerLosses(container) { add(loss) { walk.address } }
        for position in 0..<container.referenceCount {
            let object = document.object(document.reference(position, of: container))
            guard !object.kind.isContainer, let loss = scalarLoss(object) else { continue }
            let document = document
            add(loss) {
                var address = walk.address
                document.append(step: position, of: container, to: &address)
                return address
            }
        }
    }

    private mutating func add(_ loss: OpenStepLoss, at address: () -> JSONPointer) {
        let dialect = dialect
        losses.add(Problem.openStepLoss(loss, dialect, at: .root).kind) { .openStepLoss(loss, dialect, at: address()) }
    }

    /// What is lost of a container itself.
    private func containerLosses(_ container: StoredObject) -> [OpenStepLoss] {
        switch container.kind {
        case .set: [.set]
        case .dictionary: (losesPair(container) ? [.repeatedKey] : []) + (hasOtherKeys(container) ? [.keyType] : [])
        default: []
        }
    }

    /// Whether a key repeats, and the first of its values counts. Where the last does, all are written and read back.
    private func losesPair(_ dictionary: StoredObject) -> Bool {
        !document.lastRepeatedKeyWins && document.firstRepeatedKey(of: dictionary) != nil
    }

    private func hasOtherKeys(_ dictionary: StoredObject) -> Bool {
        guard dialect == .openStep else { return false }
        return (0..<dictionary.count).contains { !document.object(document.key($0, of: dictionary)).kind.isString }
    }

    /// What is lost of a scalar, whatever it is in.
    private func scalarLoss(_ object: StoredObject) -> OpenStepLoss? {
        switch object.kind {
        case .array, .set, .dictionary, .data, .oneByteString: nil
        case .null: .null
        case .uid: .uid
        case .utf16String: dialect == .gnustep && hasLoneSurrogate(object) ? .surrogate : nil
        case .false, .true: dialect == .gnustep ? nil : .boolean
        case .integer: dialect == .gnustep ? integerLoss(document.integer(object)) : .integer
        case .real where dialect == .gnustep: document.real(object).isUnusualNaN ? .nan : nil
        case .real: .real
        case .date: dialect == .gnustep ? dateLoss(document.real64(object)) : .date
        }
    }

    private func integerLoss(_ value: Int128) -> OpenStepLoss? {
        OpenStep.integerRange.contains(value) ? nil : .integerRange
    }

    private func dateLoss(_ seconds: Double) -> OpenStepLoss? {
        guard OpenStep.dateRange.contains(seconds) else { return .dateRange }
        return Double(Int64(seconds)) == seconds ? nil : .dateFraction
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

/// What a value has that a dialect of OpenStep text cannot hold.
enum OpenStepLoss {
    case null, set, uid, boolean, integer, real, date
    case keyType, repeatedKey, surrogate
    case integerRange, nan, dateRange, dateFraction
}

extension Problem {
    static func openStepLoss(_ loss: OpenStepLoss, _ dialect: OpenStep.Dialect, at address: JSONPointer) -> Problem {
        let (id, sentence) = wording(loss, dialect == .openStep ? "OpenStep text" : "GNUstep's dialect")
        return Problem(id, sentence, address: address)
    }

    private static func wording(_ loss: OpenStepLoss, _ format: String) -> (id: String, sentence: String) {
        switch loss {
        case .null: ("loss.null", "\(format) has no null; it would become the string \"$null\"")
        case .set: ("loss.set", "\(format) has no sets; this one would become an array")
        case .uid: ("loss.uid", "\(format) has no UIDs; this one would become a plain value")
        case .boolean: ("loss.boolean", "\(format) has no booleans; this one would become a string")
        case .integer: ("loss.integer", "\(format) has no integers; this one would become a string")
        case .real: ("loss.real", "\(format) has no reals; this one would become a string")
        case .date: ("loss.date", "\(format) has no dates; this one would become a string")
        case .keyType: ("loss.key-type", "the dictionary has a key that is no string; it would become one")
        case .repeatedKey: ("loss.repeated-key", "the dictionary has a key more than once; one pair would be left")
        case .surrogate: ("loss.surrogate", "the text has half a surrogate pair; it would become U+FFFD")
        case .integerRange:
            ("loss.integer-range", "\(format) holds integers from -2^63 to 2^64-1; this one would become a string")
        case .nan: ("loss.nan", "\(format) has one NaN; the bits of this one would be lost")
        case .dateRange:
            ("loss.date-range", "\(format) holds dates of the years 1 to 9999; this one would become a string")
        case .dateFraction: ("loss.date-fraction", "\(format) holds dates to the second; the fraction would be cut off")
        }
    }
}
