import SaveCodec

/// Our own vocabulary.
extension Evaluator {
    /// Whether a value is an object of one of the classes, or of a class with one of them as ancestor.
    /// Each class is looked into once.
    mutating func hasClass(_ id: InstanceID, _ names: ClassNames) -> Bool {
        guard let number = instance.classNumber(of: id) else { return false }
        return noted(Application(schema: -1 - names.number, scope: 1, value: .className(number))) { evaluator in
            let found = evaluator.instance.classNames(number)
            evaluator.work -= found.count - 1
            return found.contains { names.names.contains(Array($0)) }
        }
    }

    /// What a value is in the view; nil for names.
    func viewType(_ id: InstanceID) -> ViewTypes? {
        switch id {
        case .value: ViewTypes(instance.form(of: id))
        case .name, .className, .classKey: ViewTypes.names.first { $0.name == "string" }?.type
        }
    }

    // MARK: Order

    /// The first element that does not follow the one before as the rule says. Elements that cannot be compared do not.
    mutating func disorder(of array: InstanceID, _ rule: OrderRule) -> Int? {
        var last: (id: InstanceID, key: OrderKey)?
        for position in 0..<instance.elementCount(array) where work > 0 {
            guard let id = finder.find(rule.by, from: instance.element(position, of: array)) else {
                return position
            }
            work -= rule.by.tokens.count
            if last?.id == id { continue }
            work -= instance.weight(id) >> 4
            guard let key = orderKey(id) else { return position }
            if let last = last?.key {
                guard let isBefore = rule.isDescending ? last < key : key < last, !isBefore else { return position }
            }
            last = (id, key)
        }
        return nil
    }

    private func orderKey(_ id: InstanceID) -> OrderKey? {
        if case .value = id, case .scalar(.date(let seconds)) = instance.form(of: id) { return .date(seconds) }
        switch instance.value(id) {
        case .number(let number): return .number(number)
        case .string(let text): return .text(text.units)
        default: return nil
        }
    }

    // MARK: Size

    /// Whether the objects that a value consists of take more bytes than the limit, each counted once: strings and keys
    /// in UTF-8, data as they are, numbers, dates and UIDs as 8, booleans and null as 1; containers nothing.
    mutating func isLarger(_ id: InstanceID, than limit: Int) -> Bool {
        var pending: [InstanceID] = []
        visits.begin(limit: InstanceID.numberLimit(count: instance.count))
        if visits.insert(id) { pending.append(id) }
        var size = 0
        while work > 0, let id = pending.popLast() {
            let value = instance.value(id)
            work -= 16 + value.cost
            switch value {
            case .null, .boolean: size += 1
            case .number: size += 8
            case .string(let text): size += storedSize(id, text)
            case .array(let count):
                for position in 0..<count {
                    let element = instance.element(position, of: id)
                    if visits.insert(element) { pending.append(element) }
                }
            case .object(let count):
                for position in 0..<count {
                    let member = instance.member(position, of: id)
                    if visits.insert(member.name) { pending.append(member.name) }
                    if visits.insert(member.value) { pending.append(member.value) }
                }
            }
            if size > limit { return true }
        }
        return false
    }

    private func storedSize(_ id: InstanceID, _ text: InstanceText) -> Int {
        switch text {
        case .data(let bytes): return bytes.count
        case .text(let text):
            return String(decoding: text, as: UTF16.self).utf8.count
        case .units(let units):
            if case .value = id, case .scalar(.date) = instance.form(of: id) { return 8 }
            return String(decoding: units, as: UTF16.self).utf8.count
        }
    }
}

/// What elements are put in order by.
private enum OrderKey {
    case number(Number)
    case date(Double)
    case text([UInt16])

    /// Whether one comes before the other; nil where they cannot be compared.
    static func < (a: OrderKey, b: OrderKey) -> Bool? {
        switch (a, b) {
        case (.number(let a), .number(let b)): a < b
        case (.date(let a), .date(let b)): a.isNaN || b.isNaN ? nil : a < b
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: nil
        }
    }
}
