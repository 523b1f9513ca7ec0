import KeyedArchives
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
        guard !checked.subject.isName, let record = evaluator.view.classRecord(of: checked.subject.id) else {
            return false
        }
        let subject = Subject(evaluator.view.id(of: record.uid))
        return evaluator.noted(Application(schema: -1 - number, scope: 1, subject: subject)) { evaluator in
            let found = [record.name] + (record.chain.map { Array($0) } ?? [])
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
        !types.isDisjoint(with: evaluator.view.viewType(of: checked.subject))
    }

    func expectation(in schema: Schema) -> String { Phrase.alternatives(types.names.map(Phrase.withArticle)) }

    /// With what the value is in the view.
    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        var found = explanation.phrase(checked.subject)
        let type = explanation.view.viewType(of: checked.subject).names.first ?? ""
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
        evaluator.view.isObject(checked.subject).map { $0 == isObject } ?? true
    }

    func expectation(in schema: Schema) -> String { "a value stored \(Self.phrase(isObject))" }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        "found \(explanation.phrase(checked.subject)) stored \(Self.phrase(!isObject)); "
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
        guard case .array(let contents) = checked.value else { return true }
        return disorder(in: contents, &evaluator) == nil
    }

    func expectation(in schema: Schema) -> String {
        "\(isDescending ? "descending" : "ascending") order\(by == .root ? "" : " by \(by)")"
    }

    func message(for checked: CheckedValue, in explanation: inout Explanation) -> String {
        guard case .array(let contents) = checked.value,
            let position = disorder(in: contents, &explanation.evaluator)
        else { return "" }
        let found = key(of: position, in: contents, &explanation)
        let before = position > 0 ? ", after \(key(of: position - 1, in: contents, &explanation))" : ""
        return "the element \(position) has \(found)\(before); expected \(expectation(in: explanation.schema))"
    }

    private func key(of position: Int, in array: ViewContents, _ explanation: inout Explanation) -> String {
        let element = explanation.view.element(position, of: array)
        let key = explanation.evaluator.finder.find(by, from: element)
        return key.map { explanation.phrase(Subject($0)) } ?? "nothing"
    }

    /// The first element that does not follow the one before as the rule says. Elements that cannot be compared do not.
    private func disorder(in array: ViewContents, _ evaluator: inout Evaluator) -> Int? {
        var last: (id: ViewID, key: OrderKey)?
        for position in 0..<array.count where evaluator.work > 0 {
            guard let id = evaluator.finder.find(by, from: evaluator.view.element(position, of: array)) else {
                return position
            }
            evaluator.work -= by.tokens.count
            if last?.id == id { continue }
            evaluator.work -= evaluator.view.weight(id) >> 4
            guard let key = OrderKey(id, in: evaluator.view) else { return position }
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

    init?(_ id: ViewID, in view: ObjectView) {
        if let seconds = view.date(id) {
            self = .date(seconds)
            return
        }
        switch view.json(id) {
        case .scalar(.number(let number)): self = .number(number)
        case .scalar(.string(let text)): self = .text(text.units)
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
        let view = evaluator.view
        var pending: [Subject] = []
        func visit(_ subject: Subject) { if evaluator.visits.insert(subject) { pending.append(subject) } }
        evaluator.visits.begin(limit: Subject.numberLimit(of: view))
        visit(checked.subject)
        var size = 0
        while evaluator.work > 0, let subject = pending.popLast() {
            let value = view.json(subject)
            evaluator.work -= 16 + value.cost
            switch value {
            case .scalar(.null), .scalar(.boolean): size += 1
            case .scalar(.number): size += 8
            case .scalar(.string(let text)): size += Self.size(of: text, subject, in: view)
            case .array(let contents):
                for position in 0..<contents.count { visit(Subject(view.element(position, of: contents))) }
            case .object(let members):
                for position in 0..<members.count {
                    let (key, value) = view.member(position, of: members)
                    // A string may be a key and a value, and is stored once.
                    visit(view.text(key) == nil ? Subject(name: key) : Subject(key))
                    visit(value)
                }
            }
            if size > limit { return false }
        }
        return true
    }

    private static func size(of text: JSONText, _ subject: Subject, in view: ObjectView) -> Int {
        switch text {
        case .data(let bytes): return bytes.count
        case .text(let text): return String(decoding: text, as: UTF16.self).utf8.count
        case .units(let units):
            let isDate = !subject.isName && view.date(subject.id) != nil
            return isDate ? 8 : String(decoding: units, as: UTF16.self).utf8.count
        }
    }

    func expectation(in schema: Schema) -> String { "at most \(Phrase.count(limit, "byte"))" }
}

extension ObjectView {
    /// The record of an object's class; nil for a plain value.
    fileprivate func classRecord(of id: ViewID) -> ClassRecord? {
        classPosition(of: id).flatMap { archive?.classes[$0] }
    }

    /// The type of a value in the view.
    fileprivate func viewType(of subject: Subject) -> ViewTypes {
        subject.isName ? .string : ViewTypes(self[subject.id].form)
    }

    /// The seconds since 2001 of a date; nil for other values.
    fileprivate func date(_ id: ViewID) -> Double? {
        guard let object = scalarObject(id), object.kind == .date else { return nil }
        return document.real64(object)
    }

    /// Whether a value of an archive is an object of its own and not stored in place; nil where that makes no
    /// difference: for nil, the dictionary of the roots, names, and values that are in no archive.
    fileprivate func isObject(_ subject: Subject) -> Bool? {
        guard archive != nil, !subject.isName, subject.id != root, scalarObject(subject.id)?.kind != .null else {
            return nil
        }
        return uid(subject.id) != nil
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

    private static let kinds: [ValueKind] = [
        .null, .boolean, .integer, .real, .string, .date, .data, .uid, .array, .set, .dictionary, .object,
    ]
    /// The names in the order of messages.
    static let names: [(name: String, type: ViewTypes)] = kinds.flatMap { kind in
        [(kind.rawValue.lowercased(), ViewTypes(kind))] + (kind == .real ? [("real32", real32)] : [])
    }
    static let string = ViewTypes(.string)
    private static let real32 = ViewTypes(rawValue: 1 << UInt16(kinds.count))

    private init(_ kind: ValueKind) {
        rawValue = Self.kinds.firstIndex(of: kind).map { 1 << UInt16($0) } ?? 0
    }

    /// The type of a value.
    init(_ form: ViewValue.Form) {
        if case .scalar(.real32) = form { self = .real32 } else { self.init(form.kind) }
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// The names of the types.
    var names: [String] { Self.names.filter { contains($0.type) }.map(\.name) }
}
