import SaveCodec

// Our own vocabulary, for what JSON has no types for.

/// `x-class`: the object is of one of the classes, or of a class with one of them as ancestor.
final class ClassAssertion: Assertion {
    /// In the order of the schema.
    private let list: [[UInt16]]
    private let names: Set<[UInt16]>
    /// A number from zero, for tables.
    private let number: Int

    init(_ list: [[UInt16]], number: Int) {
        self.list = list
        names = Set(list)
        self.number = number
    }

    var keyword: Keyword { .xClass }

    /// Each class is looked into once.
    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard let type = evaluator.instance.classNumber(of: checked.id) else { return false }
        return evaluator.noted(Application(schema: -1 - number, scope: 1, value: .className(type))) { evaluator in
            let found = evaluator.instance.classNames(type)
            evaluator.work -= found.count - 1
            return found.contains { names.contains(Array($0)) }
        }
    }

    func expectation(in schema: Schema) -> String {
        "an object of class " + Phrase.alternatives(list.prefix(10).map { Phrase.quoted($0) })
    }
}

/// `x-type`
struct ViewTypeAssertion: Assertion {
    let types: ViewTypes

    var keyword: Keyword { .xType }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        !types.isDisjoint(with: evaluator.instance.viewType(of: checked.id))
    }

    func expectation(in schema: Schema) -> String { Phrase.alternatives(types.names.map(Phrase.article)) }

    /// With what the value is in the view.
    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        var found = explanation.phrase(checked.id)
        let type = explanation.instance.viewType(of: checked.id).names.first ?? ""
        if ["date", "data", "uid", "real", "real32", "integer", "set", "dictionary"].contains(type) {
            found = found == "null" ? type : "\(found) (\(type))"
        }
        return "found \(found); expected \(expectation(in: explanation.schema))"
    }
}

/// `x-stored`: whether a value of an archive is stored in place or as an object. Nil and what is in no archive is either.
struct StorageAssertion: Assertion {
    let isObject: Bool

    /// The values of the keyword.
    static let names = [(name: "in-place", isObject: false), (name: "object", isObject: true)]

    var keyword: Keyword { .xStored }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        evaluator.instance.isObject(checked.id).map { $0 == isObject } ?? true
    }

    func expectation(in schema: Schema) -> String { "a value stored \(Self.phrase(isObject))" }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        "found \(explanation.phrase(checked.id)) stored \(Self.phrase(!isObject)); "
            + "expected it stored \(Self.phrase(isObject))"
    }

    private static func phrase(_ isObject: Bool) -> String { isObject ? "as an object" : "in place" }
}

/// `x-order`: how neighbours follow each other.
struct OrderAssertion: Assertion {
    /// What is compared, below each element.
    let by: JSONPointer
    let isDescending: Bool

    var keyword: Keyword { .xOrder }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard case .array(let count) = checked.value else { return true }
        return disorder(in: checked.id, count: count, &evaluator) == nil
    }

    func expectation(in schema: Schema) -> String {
        "\(isDescending ? "descending" : "ascending") order\(by == .root ? "" : " by \(by)")"
    }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        guard case .array(let count) = checked.value,
            let position = disorder(in: checked.id, count: count, &explanation.evaluator)
        else { return "" }
        let found = key(of: position, in: checked.id, &explanation)
        let before = position > 0 ? ", after \(key(of: position - 1, in: checked.id, &explanation))" : ""
        return "the element \(position) has \(found)\(before); expected \(expectation(in: explanation.schema))"
    }

    private func key(of position: Int, in array: InstanceID, _ explanation: inout Explanation) -> String {
        let element = explanation.instance.element(position, of: array)
        let key = explanation.evaluator.finder.find(by, from: element)
        return key.map(explanation.phrase) ?? "nothing"
    }

    /// The first element that does not follow the one before as the rule says. Elements that cannot be compared do not.
    private func disorder(in array: InstanceID, count: Int, _ evaluator: inout Evaluator) -> Int? {
        var last: (id: InstanceID, key: OrderKey)?
        for position in 0..<count where evaluator.work > 0 {
            guard let id = evaluator.finder.find(by, from: evaluator.instance.element(position, of: array)) else {
                return position
            }
            evaluator.work -= by.tokens.count
            if last?.id == id { continue }
            evaluator.work -= evaluator.instance.weight(id) >> 4
            guard let key = OrderKey(id, in: evaluator.instance) else { return position }
            if let last = last?.key {
                guard let isBefore = isDescending ? last < key : key < last, !isBefore else { return position }
            }
            last = (id, key)
        }
        return nil
    }
}

/// What elements are put in order by.
private enum OrderKey {
    case number(Number)
    case date(Double)
    case text([UInt16])

    init?(_ id: InstanceID, in instance: any Instance) {
        if let seconds = instance.date(id) {
            self = .date(seconds)
            return
        }
        switch instance.value(id) {
        case .number(let number): self = .number(number)
        case .string(let text): self = .text(text.units)
        default: return nil
        }
    }

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

/// `x-maxBytes`: how many bytes the objects that a value consists of take, each counted once: strings and keys in UTF-8,
/// data as they are, numbers, dates and UIDs as 8, booleans and null as 1; containers nothing.
struct SizeLimit: Assertion {
    let limit: Int

    var keyword: Keyword { .xMaxBytes }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        let instance = evaluator.instance
        var pending: [InstanceID] = []
        func visit(_ id: InstanceID) { if evaluator.visits.insert(id) { pending.append(id) } }
        evaluator.visits.begin(limit: InstanceID.numberLimit(count: instance.count))
        visit(checked.id)
        var size = 0
        while evaluator.work > 0, let id = pending.popLast() {
            let value = instance.value(id)
            evaluator.work -= 16 + value.cost
            switch value {
            case .null, .boolean: size += 1
            case .number: size += 8
            case .string(let text): size += Self.size(of: text, id, in: instance)
            case .array(let count):
                for position in 0..<count { visit(instance.element(position, of: id)) }
            case .object(let count):
                for position in 0..<count {
                    let member = instance.member(position, of: id)
                    visit(member.name)
                    visit(member.value)
                }
            }
            if size > limit { return false }
        }
        return true
    }

    private static func size(of text: InstanceText, _ id: InstanceID, in instance: any Instance) -> Int {
        switch text {
        case .data(let bytes): bytes.count
        case .text(let text): String(decoding: text, as: UTF16.self).utf8.count
        case .units(let units): instance.date(id) == nil ? String(decoding: units, as: UTF16.self).utf8.count : 8
        }
    }

    func expectation(in schema: Schema) -> String { "at most \(Phrase.count(limit, "byte"))" }
}

extension Instance {
    /// What a value is in the view.
    fileprivate func viewType(of id: InstanceID) -> ViewTypes {
        if case .value = id { ViewTypes(form(of: id)) } else { .string }
    }

    /// The seconds since 2001 that a date is.
    fileprivate func date(_ id: InstanceID) -> Double? {
        if case .value = id, case .scalar(.date(let seconds)) = form(of: id) { seconds } else { nil }
    }
}

extension SchemaCompiler {
    mutating func compileViewKeywords(_ source: SchemaSource) throws(Problem) {
        if let names = try oneOrMoreStrings(.xClass, source, expected: "the name of a class or an array of names") {
            add(ClassAssertion(names, number: classRuleCount), to: source.node)
            classRuleCount += 1
        }
        try compileViewTypes(source)
        try compileStorage(source)
        if source.values[.xOrder] != nil { add(try order(source), to: source.node) }
        let expected = "a JSON Pointer or an array of JSON Pointers"
        if let pointers = try oneOrMoreStrings(.xUniqueBy, source, expected: expected) {
            let addresses = pointers.compactMap { JSONPointer(String(decoding: $0, as: UTF16.self)) }
            guard addresses.count == pointers.count else { throw wrongValue(.xUniqueBy, source, expected: expected) }
            add(UniqueElements(keyword: .xUniqueBy, addresses: addresses), to: source.node)
        }
        if let limit = try count(.xMaxBytes, source) { add(SizeLimit(limit: limit), to: source.node) }
    }

    private mutating func compileViewTypes(_ source: SchemaSource) throws(Problem) {
        let expected = "a type or an array of types: " + Phrase.alternatives(ViewTypes.names.map(\.name))
        guard let names = try oneOrMoreStrings(.xType, source, expected: expected) else { return }
        var types: ViewTypes = []
        for name in names {
            guard let type = ViewTypes.names.first(where: { $0.name.utf16.elementsEqual(name) })?.type else {
                throw wrongValue(.xType, source, expected: expected)
            }
            types.insert(type)
        }
        add(ViewTypeAssertion(types: types), to: source.node)
    }

    private mutating func compileStorage(_ source: SchemaSource) throws(Problem) {
        let expected = Phrase.alternatives(StorageAssertion.names.map { Phrase.quoted(Array($0.name.utf16)) })
        guard let value = source.values[.xStored] else { return }
        let name = documents[source.place.document].document.text(value)?.string
        guard let storage = StorageAssertion.names.first(where: { $0.name == name }) else {
            throw wrongValue(.xStored, source, expected: expected)
        }
        add(StorageAssertion(isObject: storage.isObject), to: source.node)
    }

    /// `{"by": "/score", "direction": "descending"}`; without `by` the elements themselves, without `direction`
    /// ascending.
    private func order(_ source: SchemaSource) throws(Problem) -> OrderAssertion {
        let document = documents[source.place.document].document
        var (by, isDescending): (JSONPointer?, Bool) = (.root, false)
        guard let value = source.values[.xOrder], case .dictionary(let pairs) = document[value] else {
            throw wrongOrder(source)
        }
        for pair in pairs {
            switch (document.text(pair.key)?.string, document.text(pair.value)?.string) {
            case ("by", let pointer?): by = JSONPointer(pointer)
            case ("direction", "ascending"): isDescending = false
            case ("direction", "descending"): isDescending = true
            default: throw wrongOrder(source)
            }
        }
        guard let by else { throw wrongOrder(source) }
        return OrderAssertion(by: by, isDescending: isDescending)
    }

    private func wrongOrder(_ source: SchemaSource) -> Problem {
        wrongValue(
            .xOrder, source,
            expected:
                #"{"by": a JSON Pointer, "direction": "ascending" or "descending"}, of which either may be left out"#)
    }
}

/// The types of the keyword `x-type`, as a set: what a value is in the view, where JSON has one kind for several.
struct ViewTypes: OptionSet, Sendable {
    let rawValue: UInt16

    static let names: [(name: String, type: ViewTypes)] = [
        "null", "boolean", "integer", "real", "real32", "string", "date", "data", "uid", "array", "set", "dictionary",
        "object",
    ].enumerated().map { ($1, ViewTypes(rawValue: 1 << UInt16($0))) }
    static let string = ViewTypes(rawValue: 1 << 5)

    /// The type of a value.
    init(_ form: InstanceForm) {
        let name =
            switch form {
            case .array: "array"
            case .set: "set"
            case .dictionary: "dictionary"
            case .object: "object"
            case .scalar(.null): "null"
            case .scalar(.boolean): "boolean"
            case .scalar(.integer): "integer"
            case .scalar(.real64): "real"
            case .scalar(.real32): "real32"
            case .scalar(.string): "string"
            case .scalar(.date): "date"
            case .scalar(.data): "data"
            case .scalar(.uid): "uid"
            case .scalar: "dictionary"
            }
        self = Self.names.first { $0.name == name }?.type ?? []
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The names of the types.
    var names: [String] { Self.names.filter { contains($0.type) }.map(\.name) }
}
