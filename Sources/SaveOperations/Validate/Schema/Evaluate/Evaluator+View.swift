import KeyedArchive
import SaveCodec

/// Our own vocabulary.
extension Evaluator {
    /// Whether a value is an object of one of the classes, or of a class with one of them as ancestor.
    func hasClass(_ id: InstanceID, _ classes: [[UInt16]]) -> Bool {
        guard case .value(let id) = id, let position = instance.view[id].classPosition,
            let record = instance.view.archive?.classes[position]
        else { return false }
        func isWanted(_ name: Text) -> Bool { classes.contains { name.elementsEqual($0) } }
        return isWanted(record.name) || record.chain?.contains(where: isWanted) ?? false
    }

    /// What a value is in the view; nil for names.
    func viewType(_ id: InstanceID) -> ViewTypes? {
        switch id {
        case .value(let id): ViewTypes(instance.view[id])
        case .name, .className, .classKey: ViewTypes.names.first { $0.name == "string" }?.type
        }
    }

    // MARK: Order

    /// The first element that does not follow the one before as the rule says. Elements that cannot be compared do not.
    func disorder(_ contents: ViewContents, _ rule: OrderRule) -> Int? {
        var last: OrderKey?
        for position in 0..<contents.count {
            let value = instance.find(rule.by, from: instance.element(position, of: contents))
            guard let key = value.flatMap(orderKey) else { return position }
            if let last {
                guard let isBefore = rule.isDescending ? last < key : key < last, !isBefore else { return position }
            }
            last = key
        }
        return nil
    }

    private func orderKey(_ id: InstanceID) -> OrderKey? {
        if case .value(let viewID) = id, case .scalar(.date(let seconds)) = instance.view[viewID].form {
            return .date(seconds)
        }
        switch instance.value(id) {
        case .number(let number): return .number(number)
        case .string(let text): return .text(text.units)
        default: return nil
        }
    }

    // MARK: Size

    /// Whether the objects that a value consists of take more bytes than the limit, each counted once: strings and keys
    /// in UTF-8, data as they are, numbers, dates and UIDs as 8, booleans and null as 1; containers nothing.
    func isLarger(_ id: InstanceID, than limit: Int) -> Bool {
        var pending = [id]
        var seen: Set<InstanceID> = [id]
        var size = 0
        while let id = pending.popLast() {
            switch instance.value(id) {
            case .null, .boolean: size += 1
            case .number: size += 8
            case .string(let text): size += storedSize(id, text)
            case .array(let contents):
                for position in 0..<contents.count {
                    let element = instance.element(position, of: contents)
                    if seen.insert(element).inserted { pending.append(element) }
                }
            case .object(let contents, let classPosition):
                for position in 0..<instance.memberCount(contents, classPosition) {
                    let member = instance.member(position, of: contents, classPosition)
                    for part in [member.name, member.value] where seen.insert(part).inserted { pending.append(part) }
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
            if case .value(let viewID) = id, case .scalar(.date) = instance.view[viewID].form { return 8 }
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
