/// The form in which a scalar is stored, where the format leaves a choice: the width of an integer or UID, the encoding
/// of a string.
struct StoredForm: Equatable {
    /// 0 for the shortest form. Else, of an integer, one more than the binary logarithm of its width; of a UID its width;
    /// of a string one of the two below.
    let code: Int

    private static let utf16OfASCII = 1
    private static let oneByteOfLatin1 = 2

    private init(_ code: Int) {
        self.code = code
    }

    /// The shortest form, which Core Foundation's writer would choose.
    static let shortest = StoredForm(0)

    /// The form of a stored object.
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

    /// The form with a code from a file, or nil if the object cannot be stored so.
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

    /// A number for the value of an object in this form, different from that of every other value and form.
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
    /// Adds a scalar of another document in a given form.
    mutating func add(
        _ object: StoredObject, of document: Document, in form: StoredForm, shared: Bool
    ) -> ObjectID {
        switch object.kind {
        case .integer:
            return add(form.integer(document.integer(object)), shared: shared)
        case .uid:
            return add(form.uid(document.uid(object)), shared: shared)
        case .oneByteString, .utf16String:
            let units = Array(Text(document, object))
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
