/// Guesses which of a document's equal scalars are one object (see <doc:BinaryFormat>).
///
/// Scalars are shown one after the other, in the order of the file. For each the question is: a new object, or one of
/// those that exist with this value? Apple's writers share by pointer, so the answer depends on where a value stands: the
/// keys of a class's fields are literals and shared, long texts under one key are not. The predictor goes by what was
/// seen last of the same value, or else of the same kind, in the same role.
struct IdentityPredictor {
    /// What is known of a scalar when the guess is made.
    struct Scalar {
        /// The same number for equal values in the same stored form, and for no others.
        let value: UInt64
        let kind: StoredObject.Kind
        let role: TreeWalk.Role
        /// Whether Apple's runtime keeps a string of these characters in a pointer, without an object.
        let isTagged: Bool
    }

    private struct Context: Hashable {
        /// A value, or a kind.
        let subject: UInt64
        let role: TreeWalk.Role
    }

    private var objectCounts: [UInt64: Int] = [:]
    private var sharedByValue: [Context: Bool] = [:]
    private var sharedByKind: [Context: Bool] = [:]
    private var usual: [Context: Int] = [:]

    /// The guess: 0 for a new object, else the number, from 1, of the object with this value.
    func guess(_ scalar: Scalar) -> Int {
        guard let count = objectCounts[scalar.value] else { return 0 }
        let place = Context(subject: scalar.value, role: scalar.role)
        let shares = sharedByValue[place] ?? sharedByKind[kindPlace(scalar)] ?? Self.usuallyShared(scalar)
        return shares ? min(usual[place] ?? 1, count) : 0
    }

    /// Learns what was right.
    mutating func learn(_ scalar: Scalar, _ decision: Int) {
        if decision == 0 { objectCounts[scalar.value, default: 0] += 1 }
        guard decision > 0 || objectCounts[scalar.value, default: 0] > 1 else { return }
        let place = Context(subject: scalar.value, role: scalar.role)
        sharedByValue[place] = decision > 0
        sharedByKind[kindPlace(scalar)] = decision > 0
        if decision > 0 { usual[place] = decision }
    }

    private func kindPlace(_ scalar: Scalar) -> Context {
        let kind = scalar.kind.isString ? StoredObject.Kind.oneByteString : scalar.kind
        return Context(subject: UInt64(kind.rank), role: scalar.role)
    }

    private static func usuallyShared(_ scalar: Scalar) -> Bool {
        switch scalar.kind {
        case .uid, .integer: true
        case .oneByteString, .utf16String: scalar.role == .key || scalar.isTagged
        default: false
        }
    }
}

/// Which strings Apple's runtime keeps within a pointer, so that equal ones are one object (see <doc:BinaryFormat>).
enum TaggedString {
    private static let alphabet = Array("eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)
    private static let positions: [UInt8] = {
        var positions = [UInt8](repeating: .max, count: 128)
        for (position, character) in alphabet.enumerated() { positions[Int(character)] = UInt8(position) }
        return positions
    }()

    /// Up to seven ASCII characters, eight or nine of an alphabet of 64, ten or eleven of its first 32.
    static func holds(_ string: StoredObject, of document: Document) -> Bool {
        guard string.kind.isString, string.count <= 11 else { return false }
        let limit: UInt8 = string.count <= 7 ? .max : string.count <= 9 ? 64 : 32
        for position in 0..<string.count {
            let unit = document.codeUnit(position, of: string)
            guard unit < 0x80, limit == .max || positions[Int(unit)] < limit else { return false }
        }
        return true
    }
}
