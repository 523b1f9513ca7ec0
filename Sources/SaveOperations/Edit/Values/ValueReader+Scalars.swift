import KeyedArchives
import SaveCodec

/// Scalars, and their conversion to the type of the value that they replace.
extension ValueReader {
    /// Reads a scalar.
    ///
    /// - Parameters:
    ///   - isInPlace: The storage given by `$inline` or `$object`, or nil.
    ///   - isRaw: Whether `$raw` states that the scalar has no class.
    mutating func scalar(
        _ id: ObjectID, like template: StorageTemplate?, isInPlace: Bool?, in draft: inout Draft, isRaw: Bool = false
    ) throws(Problem) -> Value {
        guard let template else { return (add(id, isRaw: isRaw, to: &draft), isInPlace) }
        let node = document[id]
        guard let present = draft.scalar(template.value) else {
            if case .null = node { return (add(id, to: &draft), isInPlace) }
            try refuse(TypePhrase.of(node), node.kind, template, in: &draft)
            return (add(id, isRaw: isRaw, to: &draft), isInPlace)
        }
        // In a patch, `$object` around a scalar states that it has no class.
        let isPlain = isRaw || (isInPlace == false && !rules.infersClasses)
        let isSame =
            template.isPresent && (node.isIdentical(to: present) || (rules.readsPlain && node.isPlain(of: present)))
        if isSame, !isPlain || draft.isStored(template.value, asRaw: isRaw) {
            return (template.value, isInPlace ?? template.isInPlace)
        }
        if template.isPresent, rules.readsRoundedIntegers, isRounding(node, of: present), isInPlace == nil, !isRaw {
            roundings.append(
                RoundedNumber(
                    address: enclosingSlots.address(of: template.slot, in: &draft), number: present.numberText ?? "",
                    reason: .roundedByTool))
            return (template.value, template.isInPlace)
        }
        let fitted = try fitted(id, to: present, of: template, isExplicit: isInPlace != nil, in: &draft)
        if fitted == nil, rules.refusesKinds {
            let given = phrase(of: node, for: present)
            try refuse(given, node.kind, template, in: &draft)
        }
        let new = isRaw ? add(id, isRaw: true, to: &draft) : fitted ?? add(id, to: &draft)
        let storage = isInPlace ?? (ScalarGroup(present) == draft.group(of: new) ? template.isInPlace : nil)
        if template.isPresent, storage == template.isInPlace, !isPlain,
            draft.scalar(new)?.isIdentical(to: present) ?? false
        {
            return (template.value, storage)
        }
        return (storage == true || isPlain ? new : draft.keepingClass(of: template.value, new), storage)
    }

    private func isRounding(_ given: Node, of present: Node) -> Bool {
        guard case .integer(let integer) = given.whole(for: present), case .integer(let stored) = present else {
            return false
        }
        return integer.isRounding(of: stored)
    }

    /// Adds a scalar as given, once for each scalar of the text.
    private mutating func add(_ id: ObjectID, isRaw: Bool = false, to draft: inout Draft) -> Draft.ID {
        let isRawDate = isRaw && document.object(id).kind == .date
        let scalar = AddedScalar(id: id, isRawDate: isRawDate)
        if let known = added[scalar] { return known }
        let new = draft.add(DraftScalar(node: document[id], isRaw: isRawDate))
        added[scalar] = new
        return new
    }

    /// Returns a scalar converted to the type of the present one; nil if the scalar is of another kind.
    private mutating func fitted(
        _ id: ObjectID, to present: Node, of template: StorageTemplate, isExplicit: Bool, in draft: inout Draft
    ) throws(Problem) -> Draft.ID? {
        let node = document[id]
        if rules.readsText, case .string(let text) = node, let new = draft.add(text: text, as: present) { return new }
        if rules.convertsNumbers, draft.view.document.has(.textScalars), case .string = present,
            let text = node.numberText
        {
            return draft.add(string: text.utf16)
        }
        if rules.acceptsUntypedTools, case .date = present, let seconds = node.seconds {
            return draft.add(.date(seconds))
        }
        // The file format stores reals of both widths in eight bytes.
        if case .real32 = node, case .real64 = present, draft.view.document.sourceFormat?.widensReals ?? false {
            return add(id, to: &draft)
        }
        if rules.hasExplicitKinds, draft.isNumeric(node, present), node.kind != present.kind { return nil }
        let number = rules.readsWholeReals ? node.whole(for: present) : node
        let setting = GivenScalarConversion(number, literal(of: id), for: present) ?? .asGiven
        switch setting {
        case .asGiven: return add(id, to: &draft)
        case .integer(let integer) where rules.keepsWidths: return draft.add(.integer(integer))
        case .integer: return add(id, to: &draft)
        case .real64(let value) where rules.convertsNumbers: return draft.add(.real64(value))
        case .real32(let value, let isRounded) where mayNarrow(node, isRounded: isRounded, isExplicit: isExplicit):
            if isRounded {
                roundings.append(
                    RoundedNumber(
                        address: enclosingSlots.address(of: template.slot, in: &draft), number: ScalarText.real(value),
                        reason: .storedWidth(byteCount: 4)))
            }
            return draft.add(.real32(value))
        case .real64, .real32, .otherType:
            // If the rules do not refuse other kinds, a number may replace a number of any type.
            return rules.refusesKinds || !draft.isNumeric(node, present) ? nil : add(id, to: &draft)
        }
    }

    /// Whether a number may become a real of four bytes.
    private func mayNarrow(_ node: Node, isRounded: Bool, isExplicit: Bool) -> Bool {
        if rules.convertsNumbers { return true }
        guard rules.keepsWidths, inArchive, !isExplicit, case .real64 = node else { return false }
        return !isRounded
    }

    // MARK: Kinds

    /// Returns a phrase for a scalar that does not fit: its type, such as `a string`. For some scalars, the phrase also
    /// has the reason, such as `16777217, which a 32-bit real cannot store exactly`.
    private func phrase(of node: Node, for present: Node) -> String {
        switch (node, present) {
        case (.integer, _) where rules.hasExplicitKinds: TypePhrase.of(node)
        case (.integer(let integer), .real32): "\(integer.value), which a 32-bit real cannot store exactly"
        case (.integer(let integer), .real64): "\(integer.value), which a 64-bit real cannot store exactly"
        case (.real64(let real), .real32): "\(ScalarText.real(real)), which is out of range for a 32-bit real"
        case (.string(let text), .date):
            PartialDate(String(decoding: Array(text.prefix(40)), as: UTF16.self))?.phrase ?? TypePhrase.of(node)
        default: TypePhrase.of(node)
        }
    }

    /// Throws if the rules refuse a value whose kind differs from the kind of the value that it replaces. An element
    /// must have the kind of any present element, since only a guess relates it to one of them. For a new value,
    /// records a field whose kind differs from its kind in all other objects.
    mutating func refuse(
        _ given: @autoclosure () -> String, _ kind: ValueKind, _ template: StorageTemplate?, in draft: inout Draft
    ) throws(Problem) {
        guard rules.refusesKinds, let template else { return }
        if case .container(let number) = stack.owner, stack.frames[number].isPresent,
            let list = stack.frames[number].template,
            !draft.isKeyed(list)
        {
            let kinds = stack.frames[number].elementKinds ?? draft.elementKinds(of: list)
            stack.frames[number].elementKinds = kinds
            guard !kinds.isEmpty, !kinds.contains(kind) else { return }
            let slot = EnclosingSlots.Slot(
                parent: stack.frames[number].enclosingSlot, container: list, position: stack.frames[number].position)
            throw Problem(
                .editType, "found \(given()); no present element is \(kind.withArticle)",
                address: enclosingSlots.address(of: slot, in: &draft))
        }
        if template.isPresent { throw kindProblem(given(), template, in: &draft) }
        noteKind(given(), in: &draft)
    }

    /// Records that the kind of the current field differs from its kind in all other objects of the class.
    private func noteKind(_ given: @autoclosure () -> String, in draft: inout Draft) {
        guard let (name, classNumber) = fieldBeingRead(in: &draft),
            let template = draft.template(field: name, ofClass: classNumber), template.isUniform
        else { return }
        var slot: EnclosingSlots.Slot?
        if case .container(let number) = stack.owner, stack.frames[number].enclosingSlot >= 0,
            !draft.unexpectedFields.isFull(ofKinds: true)
        {
            slot = enclosingSlots[stack.frames[number].enclosingSlot]
        }
        let usual = TypePhrase.of(draft.value(template.value).variant, draft.classOf(template.value)?.name)
        draft.unexpectedFields.add(
            name, of: classNumber, .kind(given(), usual: usual), at: enclosingSlots.address(of: slot, in: &draft))
    }

    private func fieldBeingRead(in draft: inout Draft) -> Field? {
        switch stack.owner {
        case .value: return hints.field
        case .key: return nil
        case .container(let number):
            guard let name = stack.frames[number].current?.name,
                let classNumber = draft.classNumber(of: stack.frames[number].target)
            else { return nil }
            return (name, classNumber)
        }
    }

    func kindProblem(_ given: String, _ template: StorageTemplate, in draft: inout Draft) -> Problem {
        let form = draft.value(template.value).variant
        let present = TypePhrase.of(form, draft.classOf(template.value)?.name)
        return .editType(found: given, expected: present, at: enclosingSlots.address(of: template.slot, in: &draft))
    }
}

extension Draft {
    /// Adds the date or the data that a text represents, according to the kind of the present value. Returns nil if the
    /// present value is neither a date nor data, or if the text does not represent such a value.
    fileprivate mutating func add(text: StoredString, as present: Node) -> ID? {
        switch present {
        case .date:
            guard let seconds = ScalarText.seconds(ofDate: text) else { return nil }
            return add(.date(seconds))
        case .data:
            guard let bytes = ScalarText.data(base64: text) else { return nil }
            return add(.data(bytes[...]))
        default: return nil
        }
    }

    /// Whether a scalar has no class. A date must also be in `$objects` without a class if `isRaw` is true, and only
    /// then.
    fileprivate mutating func isStored(_ id: ID, asRaw isRaw: Bool) -> Bool {
        guard classOf(id) == nil else { return false }
        if case .date = scalar(id) { return isRawDate(id) == isRaw }
        return true
    }

    /// Returns the kinds of the elements of an array or a set, except null, which has no type.
    fileprivate mutating func elementKinds(of list: ID) -> Set<ValueKind> {
        var kinds: Set<ValueKind> = []
        for position in 0..<value(list).count {
            if let item = item(position, of: list) { kinds.insert(value(item.value).variant.kind) }
        }
        kinds.remove(.null)
        return kinds
    }

    fileprivate func group(of id: ID) -> ScalarGroup? { scalar(id).map(ScalarGroup.init) }

    fileprivate func isNumeric(_ a: Node, _ b: Node) -> Bool {
        ScalarGroup(a) == .number && ScalarGroup(b) == .number
    }
}

extension Node {
    /// The seconds of a date that plain JSON prints as a number; nil if the value is not a number.
    fileprivate var seconds: Double? {
        switch self {
        case .integer(let integer): Double(integer.value)
        case .real64(let real): real
        default: nil
        }
    }

    /// Whether plain JSON prints this value for another scalar: text for a date or data, null for NaN. Dates of 0 and
    /// −0 seconds are the same instant and have the same text.
    func isPlain(of present: Node) -> Bool {
        if case (.date(let instant), .date(let other)) = (self, present), instant == other { return true }
        switch present {
        case .date, .data, .real32, .real64: break
        default: return false
        }
        return plainText == present.plainText
    }

    var plainText: [UInt8] {
        var text = ByteWriter()
        ScalarText.writePlain(self, to: &text)
        return text.takeBytes()
    }
}
