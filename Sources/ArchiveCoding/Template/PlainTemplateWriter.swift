import KeyedArchives
import SaveCodec

/// A property list that a value is written into.
struct PlainTemplate {
    let view: ObjectView
    /// The slot of the value that is replaced; nil for the root.
    var slot: (position: Int, container: ViewID, address: JSONPointer)?
}

/// A writer of an encoded value into the property list that it was read from.
///
/// Numbers keep their kinds and widths. Dictionaries keep the order of their keys, and the keys that the types do not
/// mention. ``TemplateWriter`` does the same for archives.
struct PlainTemplateWriter {
    private let template: PlainTemplate
    private let source: ArchivedValueSource
    private let metadata: [Int: EncodedObjectMetadata]
    /// The format that is written; nil if it is unknown.
    private let format: Format?
    private var steps: [AddressToken] = []
    private var positions: [ViewID: [[UInt16]: Int]] = [:]
    private var budget: Int
    private(set) var warnings: [Problem] = []

    init(_ template: PlainTemplate, _ metadata: [Int: EncodedObjectMetadata], for format: Format?) {
        (self.template, self.metadata, self.format) = (template, metadata, format)
        source = ArchivedValueSource(template.view)
        budget = Limits().maxExpandedSize(of: template.view.document)
    }

    private var view: ObjectView { template.view }

    mutating func document(_ encoded: EncodedValue) throws(Problem) -> Document {
        var editor = DocumentEditor(view.document)
        guard let slot = template.slot else {
            editor.root = try object(encoded, instead: view.root, in: &editor)
            return try editor.finish()
        }
        let contents = view[slot.container].contents
        let present = view.item(slot.position, of: contents).id
        let new = try object(encoded, instead: present, in: &editor)
        if new != view.stored(present) {
            var stored = (0..<contents.count).map { view.storedItem($0, of: contents) }
            stored[slot.position].value = new
            editor.setContents(
                of: view.stored(slot.container), to: stored.compactMap(\.key) + stored.map(\.value),
                origins: MemberOrigins(unmoved: stored.count))
        }
        return try editor.finish()
    }

    /// Returns the object that replaces another one. Recursive, up to the nesting limit of values.
    private mutating func object(
        _ encoded: EncodedValue, instead id: ViewID?, isPresent: Bool = true, in editor: inout DocumentEditor
    ) throws(Problem) -> ObjectID {
        switch encoded {
        case .null, .reference:
            if let id, isPresent, isKeptNil(id) { return view.stored(id) }
            let hasNull = hasNull
            return editor.add { $0.addNil(asNull: hasNull) }
        case .number(let number): return scalar(.number(number), instead: id, isPresent: isPresent, in: &editor)
        case .scalar(let value): return scalar(value, instead: id, isPresent: isPresent, in: &editor)
        case .elements(let encodedValues):
            return try elements(encodedValues, instead: isPresent ? id : nil, in: &editor)
        case .fields(let names, let encodedValues, let number):
            return try fields(
                names, encodedValues, describedBy: metadata[number], instead: isPresent ? id : nil, in: &editor)
        }
    }

    private mutating func scalar(
        _ scalar: Scalar, instead id: ViewID?, isPresent: Bool, in editor: inout DocumentEditor
    ) -> ObjectID {
        guard let id, let stored = view.scalar(id) else {
            if isPresent { warnOfOtherKind(id) }
            return editor.add { $0.add(scalar) }
        }
        switch conversion(scalar, like: stored, isPresent ? .counterpart : .neighbour) {
        case .same: return view.stored(id)
        case .scalar(let converted, let isRounded):
            if isRounded { warn(ScalarConversion.rounding) }
            return editor.add { $0.add(converted) }
        case .impossible:
            if isPresent, !isTextOfNumber(stored, insteadOf: scalar) { warnOfOtherKind(id) }
            return editor.add { $0.add(scalar) }
        }
    }

    private func conversion(
        _ scalar: Scalar, like stored: Node, _ relation: ScalarConversion.Relation
    ) -> ScalarConversion {
        if case .date = scalar, let format, !format.has(.typedJSON), !format.has(.database) {
            guard case .date = stored else { return .impossible }
        }
        return ScalarConversion(scalar, like: stored, relation, in: source)
    }

    /// Whether a number replaces the text of another one in OpenStep, which has no numbers.
    private func isTextOfNumber(_ stored: Node, insteadOf scalar: Scalar) -> Bool {
        guard view.document.has(.textScalars), case .string(let text) = stored, case .number(let number) = scalar
        else { return false }
        if case .boolean = number { return false }
        return Double(text.string) != nil
    }

    private var hasNull: Bool { format?.has(.typedJSON) ?? false }

    /// Whether a value of the template is nil in the form of the format that is written.
    private func isKeptNil(_ id: ViewID) -> Bool {
        guard view.isPlainNil(id) else { return false }
        guard let format, format != view.document.sourceFormat else { return true }
        if case .null? = view.scalar(id) { return hasNull }
        return !hasNull
    }

    private mutating func elements(
        _ encodedValues: [EncodedValue], instead id: ViewID?, in editor: inout DocumentEditor
    ) throws(Problem) -> ObjectID {
        let kind: StoredObject.Kind
        var contents: ViewContents?
        switch id.map({ view[$0].variant }) {
        case .array?: (kind, contents) = (.array, id.map { view[$0].contents })
        case .set?: (kind, contents) = (.set, id.map { view[$0].contents })
        default:
            (kind, contents) = (.array, nil)
            warnOfOtherKind(id)
        }
        try charge(contents?.count ?? 0)
        let pairs = try contents.map { contents throws(Problem) in try align(encodedValues, with: contents) } ?? []
        var values: [ObjectID] = []
        for (index, encoded) in encodedValues.enumerated() {
            steps.append(AddressToken(String(index).utf16))
            if let contents, let position = pairs[index] {
                values.append(try object(encoded, instead: view.item(position, of: contents).id, in: &editor))
            } else {
                let neighbour = contents.flatMap { $0.count > 0 ? view.item(0, of: $0).id : nil }
                values.append(try object(encoded, instead: neighbour, isPresent: false, in: &editor))
            }
            steps.removeLast()
        }
        if let id, let contents, values == (0..<contents.count).map({ view.storedItem($0, of: contents).value }) {
            return view.stored(id)
        }
        return replacement(
            for: contents == nil ? nil : id, kind, holding: values, origins: pairs.isEmpty ? nil : pairs, in: &editor)
    }

    private mutating func fields(
        _ names: [String], _ encodedValues: [EncodedValue], describedBy metadata: EncodedObjectMetadata?,
        instead id: ViewID?,
        in editor: inout DocumentEditor
    ) throws(Problem) -> ObjectID {
        var contents: ViewContents?
        if let id, case .dictionary = view[id].variant { contents = view[id].contents } else { warnOfOtherKind(id) }
        try charge(contents?.count ?? 0)
        var encoded: [[UInt16]: Int] = [:]
        for (index, name) in names.enumerated() { encoded[Array(name.utf16)] = index }
        var (keys, values, origins): ([ObjectID], [ObjectID], [Int?]) = ([], [], [])
        for position in 0..<(contents?.count ?? 0) {
            guard let contents else { break }
            let item = view.storedItem(position, of: contents)
            guard let key = item.key else { continue }
            let name = view.text(view.identity(ofKey: key, in: contents)).map { Array($0.string.utf16) }
            var value = item.value
            if let name, let index = encoded.removeValue(forKey: name) {
                steps.append(AddressToken(name))
                value = try object(encodedValues[index], instead: view.identity(of: value), in: &editor)
                steps.removeLast()
            } else if let name {
                // A Swift dictionary encodes all its keys, and a type encodes its fields that are not nil.
                guard let metadata else { continue }
                let isKept = view.isPlainNil(view.identity(of: value)) && !metadata.readsAnyField(name)
                if !isKept, metadata.keys.isEmpty || metadata.hasField(name) { continue }
            }
            keys.append(key)
            values.append(value)
            origins.append(position)
        }
        for (index, name) in names.enumerated() where encoded[Array(name.utf16)] == index {
            steps.append(AddressToken(name.utf16))
            if contents != nil { warn("the template has no such key; the encoded value is stored unchanged") }
            keys.append(editor.add { $0.add(string: name) })
            values.append(try object(encodedValues[index], instead: nil, in: &editor))
            origins.append(nil)
            steps.removeLast()
        }
        if let id, let contents, contents.count == keys.count,
            (0..<contents.count).allSatisfy({ view.storedItem($0, of: contents) == (keys[$0], values[$0]) })
        {
            return view.stored(id)
        }
        return replacement(
            for: contents == nil ? nil : id, .dictionary, holding: keys + values, origins: origins, in: &editor)
    }

    /// Returns a container with new contents.
    ///
    /// A container is changed in place if the format is text. A binary file gets a new container, because several slots
    /// may refer to equal values that are stored once.
    private func replacement(
        for id: ViewID?, _ kind: StoredObject.Kind, holding contents: [ObjectID], origins: [Int?]?,
        in editor: inout DocumentEditor
    ) -> ObjectID {
        let isText = view.document.sourceFormat.map { !$0.has(.objectTable) } ?? false
        let object = id.flatMap { isText ? view.stored($0) : nil } ?? editor.addContainer(kind)
        editor.setContents(of: object, to: contents, origins: id == nil ? nil : origins.map { MemberOrigins($0) })
        return object
    }

    private mutating func align(_ encodedValues: [EncodedValue], with contents: ViewContents) throws(Problem) -> [Int?]
    {
        var alignment = ElementAlignment()
        for encoded in encodedValues {
            guard case .fields(let names, let encodedValues, _) = encoded, !names.isEmpty else {
                alignment.add([ScalarKey(encoded)], named: [])
                continue
            }
            alignment.add(encodedValues.map { ScalarKey($0) }, named: names.map { Array($0.utf16) })
        }
        try charge(alignment.cost(with: contents.count))
        let view = view
        return alignment.pairs(with: contents.count) { position, names in
            view.fingerprint(view.item(position, of: contents).id, names: names, known: &positions)
        }
    }

    private mutating func charge(_ count: Int) throws(Problem) {
        guard count <= budget else {
            throw Problem(
                "encode.expansion", "too many values of the template contain large containers", address: address)
        }
        budget -= count
    }

    /// Warns that a value of the template is not the counterpart of the encoded one, unless it is nil.
    private mutating func warnOfOtherKind(_ id: ViewID?) {
        guard let id, !view.isPlainNil(id) else { return }
        warn("the template has a value of another kind here; the encoded value is stored unchanged")
    }

    private mutating func warn(_ sentence: String) {
        warnings.append(Problem("encode.storage", sentence, severity: .warning, address: address))
    }

    private var address: JSONPointer {
        var address = template.slot?.address ?? .root
        for step in steps { address.append(step) }
        return address
    }
}

extension EncodedObjectMetadata {
    /// Whether the type has a field with a name.
    func hasField(_ name: [UInt16]) -> Bool {
        let name = String(decoding: name, as: UTF16.self)
        return keys.contains { $0(name) != nil }
    }

    /// Whether a name is a key of a type that has keys for names that it does not know beforehand, as a dictionary has.
    ///
    /// Such a key is not one of the cases of an enumeration. The key type is only asked about names of the template,
    /// because its initializer may trap for others.
    func readsAnyField(_ name: [UInt16]) -> Bool {
        let name = String(decoding: name, as: UTF16.self)
        return keys.contains { key in
            guard let key = key(name) else { return false }
            let mirror = Mirror(reflecting: key)
            return mirror.displayStyle != .enum || !mirror.children.isEmpty
        }
    }
}

extension ScalarKey {
    fileprivate init(_ encoded: EncodedValue) {
        switch encoded {
        case .null, .reference: self = .null
        case .number(let number): self.init(Scalar.number(number))
        case .scalar(let scalar): self.init(scalar)
        case .fields(let names, _, _): self = .container(names.count)
        case .elements(let encodedValues): self = .container(encodedValues.count)
        }
    }
}
