import KeyedArchives
import SaveCodec

// The vocabulary of savetool, for properties of the value graph that JSON has no types for.

/// `x-class`: the object has one of the classes, or a class that inherits from one of them.
final class ClassAssertion: Assertion {
    /// The names in the order of the schema.
    private let list: [[UInt16]]
    private let names: Set<[UInt16]>
    /// The number of this assertion among the `x-class` keywords of the schema, from zero. It identifies cached
    /// results.
    private let number: Int

    init(_ list: [[UInt16]], number: Int) {
        self.list = list
        names = Set(list)
        self.number = number
    }

    var keyword: Keyword { .xClass }

    /// Whether the object's class is one of the classes. The result is cached for each class.
    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        guard !checked.subject.isName, let record = evaluator.view.classRecord(of: checked.subject.id) else {
            return false
        }
        let subject = Subject(evaluator.view.id(of: record.uid))
        return evaluator.cached(SchemaApplication(schema: -1 - number, scope: 1, subject: subject)) { evaluator in
            let found = [record.name] + (record.chain.map { Array($0) } ?? [])
            evaluator.work -= found.count - 1
            return found.contains { name in
                names.contains(Array(name)) || SwiftTypeName.text(ofClass: name).map { names.contains($0) } ?? false
            }
        }
    }

    func expectation(in schema: Schema) -> String {
        "an object of class " + Phrase.alternatives(list.prefix(10).map { Phrase.quoted($0) })
    }
}

/// `x-type`.
struct ValueKindAssertion: Assertion {
    let types: ValueKinds

    var keyword: Keyword { .xType }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        !types.isDisjoint(with: evaluator.view.valueKind(of: checked.subject))
    }

    func expectation(in schema: Schema) -> String { Phrase.alternatives(types.names.map(Phrase.withArticle)) }

    /// Returns the message, in which the found value is followed by its kind if JSON has no such type.
    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        var found = explainer.phrase(checked.subject)
        let type = explainer.view.valueKind(of: checked.subject).names.first ?? ""
        if ["date", "data", "uid", "real", "real32", "integer", "set", "dictionary"].contains(type) {
            found = found == "null" ? type : "\(found) (\(type))"
        }
        return "found \(found); expected \(expectation(in: explainer.schema))"
    }
}

/// `x-stored`: whether an archive stores a value in place or as an object. Nil and values outside an archive satisfy
/// both forms of the keyword.
struct StorageAssertion: Assertion {
    let isObject: Bool

    static let names = [(name: "in-place", isObject: false), (name: "object", isObject: true)]

    var keyword: Keyword { .xStored }

    func holds(for checked: CheckedValue, in evaluator: inout Evaluator) -> Bool {
        evaluator.view.isObject(checked.subject).map { $0 == isObject } ?? true
    }

    func expectation(in schema: Schema) -> String { "a value stored \(Self.phrase(isObject))" }

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        "found \(explainer.phrase(checked.subject)) stored \(Self.phrase(!isObject)); "
            + "expected it stored \(Self.phrase(isObject))"
    }

    private static func phrase(_ isObject: Bool) -> String { isObject ? "as an object" : "in place" }
}

/// `x-order`: neighbouring elements are in ascending or descending order.
struct OrderAssertion: Assertion {
    /// The address of the compared value, relative to each element.
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

    func message(for checked: CheckedValue, in explainer: inout Explainer) -> String {
        guard case .array(let contents) = checked.value,
            let position = disorder(in: contents, &explainer.evaluator)
        else { return "" }
        let expected = expectation(in: explainer.schema)
        guard let found = key(of: position, in: contents, &explainer) else {
            return "element \(position) has no value at \(by); expected \(expected)"
        }
        let before = position > 0 ? key(of: position - 1, in: contents, &explainer).map { ", after \($0)" } : nil
        return "element \(position) has \(found)\(before ?? ""); expected \(expected)"
    }

    private func key(of position: Int, in array: ViewContents, _ explainer: inout Explainer) -> String? {
        let element = explainer.view.element(position, of: array)
        let key = explainer.evaluator.finder.find(by, from: element)
        return key.map { explainer.phrase(Subject($0)) }
    }

    /// Returns the position of the first element that is out of order or cannot be compared, or nil.
    private func disorder(in array: ViewContents, _ evaluator: inout Evaluator) -> Int? {
        var last: (id: ViewID, key: SortKey)?
        for position in 0..<array.count where evaluator.work > 0 {
            guard let id = evaluator.finder.find(by, from: evaluator.view.element(position, of: array)) else {
                return position
            }
            evaluator.work -= by.tokens.count
            if last?.id == id { continue }
            evaluator.work -= evaluator.view.weight(id) >> 4
            guard let key = SortKey(id, in: evaluator.view) else { return position }
            if let last = last?.key {
                guard let isBefore = isDescending ? last < key : key < last, !isBefore else { return position }
            }
            last = (id, key)
        }
        return nil
    }
}

/// The value that an element is ordered by.
private enum SortKey {
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

    /// Whether one key precedes another; nil if they cannot be compared.
    static func < (a: SortKey, b: SortKey) -> Bool? {
        switch (a, b) {
        case (.number(let a), .number(let b)): a < b
        case (.date(let a), .date(let b)): a.isNaN || b.isNaN ? nil : a < b
        case (.text(let a), .text(let b)): a.lexicographicallyPrecedes(b)
        default: nil
        }
    }
}

/// `x-maxBytes`: the total size of a value and its contents. A shared value is counted once.
///
/// A string or a key takes its length in UTF-8, data its length, a number or a date 8 bytes, and a Boolean or null 1.
/// Containers and UIDs take nothing.
struct ByteSizeLimit: Assertion {
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
                    // A string may be both a key and a value, and is stored once.
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
    /// Returns the record of an object's class, or nil for a plain value.
    fileprivate func classRecord(of id: ViewID) -> ClassRecord? {
        classPosition(of: id).flatMap { archive?.classes[$0] }
    }

    /// Returns the kind of a value in the value graph.
    fileprivate func valueKind(of subject: Subject) -> ValueKinds {
        subject.isName ? .string : ValueKinds(self[subject.id].variant)
    }

    /// Returns the seconds of a date since 2001, or nil for another value.
    fileprivate func date(_ id: ViewID) -> Double? {
        guard let object = scalarObject(id), object.kind == .date else { return nil }
        return document.real64(object)
    }

    /// Whether an archive stores a value as an object of its own instead of in place.
    ///
    /// Returns nil if the distinction does not apply: for null, the dictionary of the roots, names, and values outside
    /// an archive.
    fileprivate func isObject(_ subject: Subject) -> Bool? {
        guard archive != nil, !subject.isName, subject.id != root, scalarObject(subject.id)?.kind != .null else {
            return nil
        }
        return uid(subject.id) != nil
    }
}

extension SchemaCompiler {
    mutating func compileViewKeywords(_ source: UncompiledSchema) throws(Problem) {
        if let names = try oneOrMoreStrings(.xClass, source, expected: "the name of a class or an array of names") {
            add(ClassAssertion(names, number: classRuleCount), to: source.node)
            classRuleCount += 1
        }
        if let types = try types(.xType, source, among: ValueKinds.names) {
            add(ValueKindAssertion(types: types), to: source.node)
        }
        try compileStorage(source)
        if source.values[.xOrder] != nil { add(try order(source), to: source.node) }
        let expected = "a JSON Pointer or an array of JSON Pointers"
        if let pointers = try oneOrMoreStrings(.xUniqueBy, source, expected: expected) {
            let addresses = pointers.compactMap { JSONPointer(String(decoding: $0, as: UTF16.self)) }
            guard addresses.count == pointers.count else { throw wrongValue(.xUniqueBy, source, expected: expected) }
            add(UniqueElements(keyword: .xUniqueBy, addresses: addresses), to: source.node)
        }
        if let limit = try count(.xMaxBytes, source) { add(ByteSizeLimit(limit: limit), to: source.node) }
    }

    private mutating func compileStorage(_ source: UncompiledSchema) throws(Problem) {
        let expected = Phrase.alternatives(StorageAssertion.names.map { Phrase.quoted(Array($0.name.utf16)) })
        guard let value = source.values[.xStored] else { return }
        let name = documents[source.position.document].document.text(value)?.string
        guard let storage = StorageAssertion.names.first(where: { $0.name == name }) else {
            throw wrongValue(.xStored, source, expected: expected)
        }
        add(StorageAssertion(isObject: storage.isObject), to: source.node)
    }

    /// Parses `{"by": "/score", "direction": "descending"}`. If `by` is absent, the elements themselves are compared;
    /// the default direction is ascending.
    private func order(_ source: UncompiledSchema) throws(Problem) -> OrderAssertion {
        let document = documents[source.position.document].document
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

    private func wrongOrder(_ source: UncompiledSchema) -> Problem {
        wrongValue(
            .xOrder, source,
            expected:
                #"{"by": a JSON Pointer, "direction": "ascending" or "descending"}, where either may be omitted"#)
    }
}

/// A set of the types that `x-type` names: the kinds of the value graph, and `real32`.
struct ValueKinds: OptionSet, Sendable {
    let rawValue: UInt16

    private static let kinds: [ValueKind] = [
        .null, .boolean, .integer, .real, .string, .date, .data, .uid, .array, .set, .dictionary, .object,
    ]
    /// The names in the order used in messages.
    static let names: [(name: String, type: ValueKinds)] = kinds.flatMap { kind in
        [(kind.rawValue.lowercased(), ValueKinds(kind))] + (kind == .real ? [("real32", real32)] : [])
    }
    static let string = ValueKinds(.string)
    private static let real32 = ValueKinds(rawValue: 1 << UInt16(kinds.count))

    private init(_ kind: ValueKind) {
        rawValue = Self.kinds.firstIndex(of: kind).map { 1 << UInt16($0) } ?? 0
    }

    /// Creates the type of a value.
    init(_ variant: ViewValue.Variant) {
        if case .scalar(.real32) = variant { self = .real32 } else { self.init(variant.kind) }
    }

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    var names: [String] { Self.names.filter { contains($0.type) }.map(\.name) }
}
