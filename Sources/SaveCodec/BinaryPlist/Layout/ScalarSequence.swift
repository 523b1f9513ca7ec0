/// The scalars of a document in file order, split into their values, which JSON can represent, and their identities and
/// stored forms, which it cannot.
struct ScalarSequence {
    /// The document with equal scalars merged and each in its shortest form, as if it had been read from JSON.
    let value: Document
    /// See ``BinaryPlistLayout/identity``.
    let identity: [UInt8]
    /// See ``BinaryPlistLayout/forms``.
    let forms: [UInt8]

    /// Splits a document, or returns nil if a container is shared, which a tree cannot represent.
    init?(of document: Document) {
        var recorder = ScalarRecorder(document)
        var containers = Bitmap(count: document.count)
        var builder = DocumentBuilder(expectedSize: document.imageSize)
        var walk = TreeWalk(document)
        while let step = walk.next() {
            switch step {
            case .open(let id, let object):
                guard !containers.contains(id.index) else { return nil }
                containers.insert(id.index)
                builder.open(object.kind.storedContainer)
            case .scalar(let id, let object, let role):
                let merged = builder.add(object, of: document, in: .shortest, shared: true)
                recorder.add(id, object, role: role, mergedInto: merged)
            case .close:
                builder.close()
            }
        }
        guard let value = try? builder.finish() else { return nil }
        self.value = value
        identity = recorder.identity.bytes
        forms = recorder.forms.bytes
    }

    /// Rebuilds the document that was split into these parts. Returns nil if they do not match.
    static func document(_ value: Document, identity: [UInt8], forms: [UInt8]) -> Document? {
        var rebuilder = ScalarRebuilder(value, identity: identity, forms: forms)
        var builder = DocumentBuilder(expectedSize: value.imageSize)
        var walk = TreeWalk(value)
        while let step = walk.next() {
            switch step {
            case .open(_, let object):
                builder.open(object.kind.storedContainer)
            case .scalar(let id, let object, let role):
                guard rebuilder.add(id, object, role: role, to: &builder) else { return nil }
            case .close:
                builder.close()
            }
        }
        return try? builder.finish()
    }
}

/// A recorder of the identity and the form of each scalar in turn.
private struct ScalarRecorder {
    private(set) var identity = MispredictionList()
    private(set) var forms = MispredictionList()
    private let document: Document
    private var predictor = IdentityPredictor()
    /// The merged object for each object of the document.
    private var merged: [ObjectID]
    /// The one-based ordinal of each object among objects of equal value, or 0 if it has not been visited.
    private var ordinals: [UInt32]
    private var counts: [UInt64: UInt32] = [:]

    init(_ document: Document) {
        self.document = document
        merged = [ObjectID](repeating: document.root, count: document.count)
        ordinals = [UInt32](repeating: 0, count: document.count)
    }

    mutating func add(_ id: ObjectID, _ object: StoredObject, role: TreeWalk.Role, mergedInto merged: ObjectID) {
        self.merged[id.index] = merged
        guard !object.kind.isBooleanOrNull else { return }
        let form = ScalarStorage(of: object, in: document)
        let scalar = IdentityPredictor.Scalar(
            value: form.number(of: merged), kind: object.kind, role: role.renumbered { self.merged[$0.index] },
            isTagged: TaggedString.holds(object, of: document))
        let decision = decision(id, scalar.value)
        identity.add(decision, expected: predictor.guess(scalar))
        forms.add(form.code, expected: 0)
        predictor.learn(scalar, decision)
    }

    private mutating func decision(_ id: ObjectID, _ value: UInt64) -> Int {
        if ordinals[id.index] != 0 { return Int(ordinals[id.index]) }
        counts[value, default: 0] += 1
        ordinals[id.index] = counts[value, default: 0]
        return 0
    }
}

/// A builder of each scalar in turn from its value, identity and form, the inverse of ``ScalarRecorder``.
private struct ScalarRebuilder {
    private let document: Document
    private var identity: MispredictionReader
    private var forms: MispredictionReader
    private var predictor = IdentityPredictor()
    private var objects: [UInt64: [ObjectID]] = [:]

    init(_ document: Document, identity: [UInt8], forms: [UInt8]) {
        self.document = document
        self.identity = MispredictionReader(identity)
        self.forms = MispredictionReader(forms)
    }

    /// Adds the next scalar. Returns false if its form or identity is impossible.
    mutating func add(
        _ id: ObjectID, _ object: StoredObject, role: TreeWalk.Role, to builder: inout DocumentBuilder
    ) -> Bool {
        guard !object.kind.isBooleanOrNull else {
            builder.add(object, of: document, shared: true)
            return true
        }
        guard let form = ScalarStorage(code: forms.next(expected: 0), of: object, in: document) else { return false }
        let scalar = IdentityPredictor.Scalar(
            value: form.number(of: id), kind: object.kind, role: role,
            isTagged: TaggedString.holds(object, of: document))
        let decision = identity.next(expected: predictor.guess(scalar))
        predictor.learn(scalar, decision)
        if decision == 0 {
            objects[scalar.value, default: []].append(builder.add(object, of: document, in: form, shared: false))
            return true
        }
        guard let known = objects[scalar.value], decision <= known.count else { return false }
        builder.add(known[decision - 1])
        return true
    }
}

extension StoredObject.Kind {
    fileprivate var isBooleanOrNull: Bool { self == .true || self == .false || self == .null }

    fileprivate var storedContainer: DocumentBuilder.Container {
        switch self {
        case .dictionary: .storedDictionary
        case .set: .set
        default: .array
        }
    }
}

extension TreeWalk.Role {
    fileprivate func renumbered(_ number: (ObjectID) -> ObjectID) -> TreeWalk.Role {
        switch self {
        case .root, .key: self
        case .value(let key): .value(number(key))
        case .element(let key): .element(key.map(number))
        }
    }
}

/// A list of numbers that are mostly as predicted, stored as its exceptions.
///
/// Each exception is a pair in LEB128: the count of correctly predicted numbers before it, and the number itself.
struct MispredictionList {
    private(set) var bytes: [UInt8] = []
    private var gap = 0

    mutating func add(_ number: Int, expected: Int) {
        if number == expected {
            gap += 1
        } else {
            LEB128.append(gap, to: &bytes)
            LEB128.append(number, to: &bytes)
            gap = 0
        }
    }
}

/// A reader of a ``MispredictionList``. Damaged bytes yield other numbers, which the caller has to check.
struct MispredictionReader {
    private let bytes: [UInt8]
    private var position = 0
    /// The count of predicted numbers before the next exception, or nil after the last exception.
    private var gap: UInt64?
    private var exception: UInt64 = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        readPair()
    }

    /// Returns the next number, which is never negative.
    mutating func next(expected: Int) -> Int {
        guard let left = gap else { return expected }
        guard left == 0 else {
            gap = left - 1
            return expected
        }
        let number = Int(truncatingIfNeeded: exception & UInt64(Int.max))
        readPair()
        return number
    }

    private mutating func readPair() {
        gap = readNumber()
        exception = readNumber() ?? 0
    }

    private mutating func readNumber() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if shift < 64 { number |= UInt64(byte & 0x7F) << shift }
            shift += 7
            if byte < 0x80 { return number }
        }
        return nil
    }
}

/// The form in which a scalar is stored if the format allows several: the width of an integer or UID, or the encoding
/// of a string.
struct ScalarStorage: Equatable {
    /// The form's number in a ``BinaryPlistLayout``: 0 for the shortest form, or else
    ///
    /// - for a UID, its width;
    /// - for an integer, 1 + log2 of its width;
    /// - for a string, one of the two constants below.
    let code: Int

    private static let utf16OfASCII = 1
    private static let oneByteOfLatin1 = 2

    private init(_ code: Int) {
        self.code = code
    }

    /// The shortest form, the choice of Core Foundation's writer.
    static let shortest = ScalarStorage(0)

    init(of object: StoredObject, in document: Document) {
        switch object.kind {
        case .integer:
            let shortest = StoredInteger.minimalWidth(of: document.integer(object))
            code = object.count == shortest ? 0 : object.count.trailingZeroBitCount + 1
        case .uid:
            code = object.count == StoredUID(document.uid(object)).width ? 0 : object.count
        case .oneByteString:
            code = document.isASCII(object) ? 0 : Self.oneByteOfLatin1
        case .utf16String:
            code = document.isASCII(object) ? Self.utf16OfASCII : 0
        default:
            code = 0
        }
    }

    /// Creates the form with a code from a file, or returns nil if the object cannot be stored in it.
    init?(code: Int, of object: StoredObject, in document: Document) {
        guard code != 0 else {
            self = .shortest
            return
        }
        let isPossible =
            switch object.kind {
            case .integer: code <= 5 && StoredInteger(document.integer(object), width: 1 << (code - 1)) != nil
            case .uid: StoredUID(document.uid(object), width: code) != nil
            case .oneByteString: code == Self.utf16OfASCII
            case .utf16String: code == Self.oneByteOfLatin1 && document.isLatin1(object)
            default: false
            }
        guard isPossible else { return nil }
        self.code = code
    }

    /// Returns a number that identifies the combination of an object's value and this form.
    func number(of object: ObjectID) -> UInt64 {
        UInt64(object.index) << 8 | UInt64(code)
    }

    fileprivate func integer(_ value: Int128) -> StoredInteger {
        code == 0 ? StoredInteger(value) : StoredInteger(stored: value, width: 1 << (code - 1))
    }

    fileprivate func uid(_ value: UInt32) -> StoredUID {
        code == 0 ? StoredUID(value) : StoredUID(stored: value, width: code)
    }

    fileprivate var isOneByte: Bool { code == Self.oneByteOfLatin1 }
    fileprivate var isUTF16: Bool { code == Self.utf16OfASCII }
}

extension DocumentBuilder {
    mutating func add(
        _ object: StoredObject, of document: Document, in form: ScalarStorage, shared: Bool
    ) -> ObjectID {
        switch object.kind {
        case .integer:
            return add(form.integer(document.integer(object)), shared: shared)
        case .uid:
            return add(form.uid(document.uid(object)), shared: shared)
        case .oneByteString, .utf16String:
            let units = Array(StoredString(document, object))
            if form.isOneByte { return add(latin1: units.map { UInt8(truncatingIfNeeded: $0) }, shared: shared) }
            return add(utf16: units.span, shared: shared, alwaysWide: form.isUTF16)
        default:
            return add(object, of: document, shared: shared)
        }
    }
}

extension Document {
    /// Whether all code units of a string are below 0x80.
    func isASCII(_ string: StoredObject) -> Bool {
        for position in 0..<string.count where codeUnit(position, of: string) >= 0x80 { return false }
        return true
    }

    /// Whether all code units of a string fit into a byte.
    fileprivate func isLatin1(_ string: StoredObject) -> Bool {
        for position in 0..<string.count where codeUnit(position, of: string) > 0xFF { return false }
        return true
    }
}

// MARK: Identities

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
