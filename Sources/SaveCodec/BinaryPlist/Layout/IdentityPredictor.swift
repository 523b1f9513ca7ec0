/// A predictor of which equal scalars of a document are the same object (see <doc:ExactJSON>).
///
/// Scalars are presented in file order. For each, the predictor chooses between a new object and one of the existing
/// objects with the same value. Apple's writers share by pointer, so the answer depends on the role of a value. For
/// example, the field names of a class are literals and shared, whereas long texts under one key are not. The
/// prediction follows the last decision for the same value in the same role, or else for the same kind in that role.
struct IdentityPredictor {
    struct Scalar {
        /// A number that is equal for equal values in the same stored form, and different for all others.
        let value: UInt64
        let kind: StoredObject.Kind
        let role: TreeWalk.Role
        /// Whether Apple's runtime stores a string of these characters in a tagged pointer instead of an object.
        let isTagged: Bool
    }

    private struct Context: Hashable {
        /// ``Scalar/value`` or the rank of the kind.
        let subject: UInt64
        let role: TreeWalk.Role
    }

    private var objectCounts: [UInt64: Int] = [:]
    private var sharedByValue: [Context: Bool] = [:]
    private var sharedByKind: [Context: Bool] = [:]
    private var usual: [Context: Int] = [:]

    /// Returns the prediction: 0 for a new object, or the one-based ordinal of the existing object with this value.
    func guess(_ scalar: Scalar) -> Int {
        guard let count = objectCounts[scalar.value] else { return 0 }
        let context = Context(subject: scalar.value, role: scalar.role)
        let shares = sharedByValue[context] ?? sharedByKind[kindContext(scalar)] ?? Self.usuallyShared(scalar)
        return shares ? min(usual[context] ?? 1, count) : 0
    }

    mutating func learn(_ scalar: Scalar, _ decision: Int) {
        if decision == 0 { objectCounts[scalar.value, default: 0] += 1 }
        guard decision > 0 || objectCounts[scalar.value, default: 0] > 1 else { return }
        let context = Context(subject: scalar.value, role: scalar.role)
        sharedByValue[context] = decision > 0
        sharedByKind[kindContext(scalar)] = decision > 0
        if decision > 0 { usual[context] = decision }
    }

    private func kindContext(_ scalar: Scalar) -> Context {
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

/// The strings that Apple's runtime stores in a tagged pointer, so that equal ones are one object.
enum TaggedString {
    private static let alphabet = Array("eilotrm.apdnsIc ufkMShjTRxgC4013bDNvwyUL2O856P-B79AFKEWV_zGJ/HYX".utf8)
    private static let positions: [UInt8] = {
        var positions = [UInt8](repeating: .max, count: 128)
        for (position, character) in alphabet.enumerated() { positions[Int(character)] = UInt8(position) }
        return positions
    }()

    /// Whether a string fits into a tagged pointer: up to 7 ASCII characters, 8 or 9 of an alphabet of 64, or 10 or 11
    /// of its first 32.
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
