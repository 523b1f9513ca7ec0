/// The scalars of a document in the order of its file, split into what JSON carries (their values) and what it does not:
/// which of them are one object, and in what form they are stored.
struct ScalarSequence {
    /// The document with equal scalars merged and each in its shortest form, as reading it from JSON gives it.
    let value: Document
    /// See ``Layout/identity``.
    let identity: [UInt8]
    /// See ``Layout/forms``.
    let forms: [UInt8]

    /// Splits a document; nil if a container is shared, which a tree cannot say.
    init?(of document: Document) {
        var splitter = Splitter(document)
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
                splitter.add(id, object, role, merged)
            case .close:
                builder.close()
            }
        }
        guard let value = try? builder.finish() else { return nil }
        self.value = value
        identity = splitter.identity.bytes
        forms = splitter.forms.bytes
    }

    /// Joins a value with what JSON does not carry; nil if they do not fit.
    static func document(_ value: Document, identity: [UInt8], forms: [UInt8]) -> Document? {
        var joiner = Joiner(value, identity: identity, forms: forms)
        var builder = DocumentBuilder(expectedSize: value.imageSize)
        var walk = TreeWalk(value)
        while let step = walk.next() {
            switch step {
            case .open(_, let object):
                builder.open(object.kind.storedContainer)
            case .scalar(let id, let object, let role):
                guard joiner.add(id, object, role, to: &builder) else { return nil }
            case .close:
                builder.close()
            }
        }
        return try? builder.finish()
    }
}

/// Records identity and form of one scalar after the other.
private struct Splitter {
    private(set) var identity = ExceptionList()
    private(set) var forms = ExceptionList()
    private let document: Document
    private var predictor = IdentityPredictor()
    /// For every object of the document, the one that it is merged into.
    private var merged: [ObjectID]
    /// For every object of the document, its number among those of equal value, from 1; 0 if it has not been met.
    private var ordinals: [UInt32]
    private var counts: [UInt64: UInt32] = [:]

    init(_ document: Document) {
        self.document = document
        merged = [ObjectID](repeating: document.root, count: document.count)
        ordinals = [UInt32](repeating: 0, count: document.count)
    }

    mutating func add(_ id: ObjectID, _ object: StoredObject, _ role: TreeWalk.Role, _ merged: ObjectID) {
        self.merged[id.index] = merged
        guard !object.kind.isBooleanOrNull else { return }
        let form = StoredForm(of: object, in: document)
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

/// Makes one scalar after the other from its value, identity and form. The mirror of ``Splitter``.
private struct Joiner {
    private let document: Document
    private var identity: ExceptionReader
    private var forms: ExceptionReader
    private var predictor = IdentityPredictor()
    private var objects: [UInt64: [ObjectID]] = [:]

    init(_ document: Document, identity: [UInt8], forms: [UInt8]) {
        self.document = document
        self.identity = ExceptionReader(identity)
        self.forms = ExceptionReader(forms)
    }

    /// Adds the next scalar; false if its form or identity is impossible.
    mutating func add(
        _ id: ObjectID, _ object: StoredObject, _ role: TreeWalk.Role, to builder: inout DocumentBuilder
    ) -> Bool {
        guard !object.kind.isBooleanOrNull else {
            builder.add(object, of: document, shared: true)
            return true
        }
        guard let form = StoredForm(code: forms.next(expected: 0), of: object, in: document) else { return false }
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
    fileprivate var isBooleanOrNull: Bool {
        self == .true || self == .false || self == .null
    }

    fileprivate var storedContainer: DocumentBuilder.Container {
        switch self {
        case .dictionary: .storedDictionary
        case .set: .set
        default: .array
        }
    }
}

extension TreeWalk.Role {
    /// The same role with the key's number replaced.
    fileprivate func renumbered(_ number: (ObjectID) -> ObjectID) -> TreeWalk.Role {
        switch self {
        case .root, .key: self
        case .value(let key): .value(number(key))
        case .element(let key): .element(key.map(number))
        }
    }
}
