import KeyedArchives
package import SaveCodec

/// A value that somebody gives for a place in a document.
package struct GivenValue: Sendable {
    /// The value, as the root of a document.
    let document: Document
    /// The digits of a number as they were given, of which a real of four bytes is made without a detour.
    let literal: String?
    /// The JSON text that it was read from; nil for a value that was given in another way.
    private let json: [UInt8]?
    /// Whether reals have lost digits of the text, so that one that is whole may not have been.
    private let hasLostDigits: Bool
    /// Whether its type is said, so that text is no date.
    package var isTyped = false
    /// Where the save is that it is for, see ``TypeRules/base``.
    package var base = JSONPointer.root

    package init(_ document: Document, literal: String? = nil) {
        self.document = document
        self.literal = literal
        json = nil
        hasLostDigits = false
    }

    /// The value of a JSON text.
    ///
    /// - Parameter isPlain: whether tags are names like all others.
    package init(json text: [UInt8], isPlain: Bool = false) throws(Problem) {
        document =
            isPlain ? try Document.readSave(text, as: .json, dialect: .plain) : try Document.readGiven(text)
        json = text
        let isContainer = document.object(document.root).kind.isContainer
        literal = isContainer ? nil : String(decoding: text, as: UTF8.self)
        hasLostDigits = !JSON.inexactNumbers(in: try Format.json.definition.utf8Text(of: text)).isEmpty
    }

    /// A string.
    package init(text: String) throws(Problem) {
        try self.init { $0.add(string: text) }
    }

    /// A value that `add` adds to a builder.
    package init(literal: String? = nil, _ add: (inout DocumentBuilder) -> Void) throws(Problem) {
        var builder = DocumentBuilder()
        add(&builder)
        self.init(try builder.finish(), literal: literal)
    }

    /// The value.
    var node: Node { document[document.root] }

    /// The rules that it is read by.
    func rules(_ rules: TypeRules) -> TypeRules {
        var rules = isTyped ? rules.typed : rules
        if hasLostDigits { rules.readsWholeReals = false }
        return rules.within(saveAt: base)
    }

    /// Whether it is null.
    var isNull: Bool {
        if case .null = node { return true }
        return false
    }

    /// The value as a save takes it: in OpenStep text, where every scalar is text, a number is its digits; in plain JSON
    /// tags are names like all others.
    ///
    /// - Throws: a problem if there is a tag in the value with other contents than it should have, and the save is not
    ///   plain JSON.
    func fitting(_ save: Document) throws(Problem) -> GivenValue {
        if save.isPlainJSON, let json, !document.isPlainJSON {
            var value = try GivenValue(json: json, isPlain: true)
            (value.isTyped, value.base) = (isTyped, base)
            return value
        }
        if let contradiction = document.tagContradiction, save.asPlainJSON() == nil {
            throw Problem(contradiction.kind, "in the value, \(contradiction.message)")
        }
        guard save.has(.textScalars), let number = node.numberText else { return self }
        let text = digits ?? number
        return try GivenValue { $0.add(string: text) }
    }

    /// Returns the value as an object that a text such as `{1, 2}` describes: the present or neighbouring object, with
    /// the numbers of the text.
    ///
    /// - Parameter model: the present value; nil for a new slot.
    func fitting(_ model: ViewID?, in view: ObjectView) throws(Problem) -> GivenValue {
        guard !isTyped, case .string(let text) = node, let model,
            let parts = view.geometryFields(of: model, reading: text)
        else { return self }
        let contents = view[model].contents
        let fields = (0..<contents.count).compactMap { position -> (StoredString, Node)? in
            let item = view.item(position, of: contents)
            guard let name = item.key.flatMap(view.text), let value = view.scalar(item.id) else { return nil }
            return (name, value)
        }
        guard fields.count == contents.count else { return self }
        var value = try GivenValue { builder in
            builder.open(.dictionary)
            for (name, present) in fields {
                builder.add(utf16: Array(name).span)
                let part = parts.first { name.elementsEqual($0.name.utf16) }?.value
                switch (part, present) {
                case (.text(let text)?, _): builder.add(string: text)
                case (.integer(let integer)?, _): builder.add(integer: integer)
                case (.real(let real)?, _): builder.add(real64: real)
                case (nil, .string(let text)): builder.add(utf16: Array(text).span)
                case (nil, .integer(let integer)): builder.add(integer)
                case (nil, .real32(let real)): builder.add(real32: real)
                case (nil, .real64(let real)): builder.add(real64: real)
                case (nil, .boolean(let isTrue)): builder.add(boolean: isTrue)
                default: builder.addNull()
                }
            }
            builder.close()
        }
        value.base = base
        return value
    }

    /// What comes of storing the value as it is: a real holds no more than 17 digits.
    func stored(at address: @autoclosure () -> JSONPointer) -> Draft.SetResult {
        guard case .real64 = node, let digits, let number = node.numberText,
            !JSON.inexactNumbers(in: Array(digits.utf8)).isEmpty
        else { return .done }
        return .rounded([Rounding(address: address(), number: number, byteCount: 8)])
    }

    /// The literal, if it is one of decimal digits.
    private var digits: String? {
        let literal = literal?.filter { !$0.isWhitespace } ?? ""
        return !literal.isEmpty && literal.utf8.allSatisfy("0123456789+-.eE".utf8.contains) ? literal : nil
    }
}

extension Node {
    /// A number as text; nil for any other value.
    var numberText: String? {
        switch self {
        case .integer(let integer): "\(integer.value)"
        case .real32(let value): ScalarText.real(value)
        case .real64(let value): ScalarText.real(value)
        default: nil
        }
    }
}
