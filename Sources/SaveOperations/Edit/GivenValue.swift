import KeyedArchives
package import SaveCodec

/// A value that the user gives for a slot.
package struct GivenValue: Sendable {
    let document: Document
    /// The digits of a number as given. A four-byte real is made from them directly, without rounding to eight bytes
    /// first.
    let literal: String?
    /// The JSON text of the value; nil if it was not given as JSON.
    private let json: [UInt8]?
    /// Whether a real of the text has more digits than the document stores, so that a whole number may have had a
    /// fraction.
    private let hasLostDigits: Bool
    /// Whether the user gave the type, so that text is not read as a date.
    package var isTyped = false
    /// The address of the save that receives the value, see ``TypeRules/base``.
    package var base = JSONPointer.root

    package init(_ document: Document, literal: String? = nil) {
        self.document = document
        self.literal = literal
        json = nil
        hasLostDigits = false
    }

    /// Creates the value of a JSON text.
    ///
    /// - Parameter ignoresTags: Whether the tags of typed JSON are ordinary names.
    package init(json text: [UInt8], ignoresTags: Bool = false) throws(Problem) {
        document =
            ignoresTags ? try Document.readSave(text, as: .json, dialect: .plain) : try Document.readGiven(text)
        json = text
        let isContainer = document.object(document.root).kind.isContainer
        literal = isContainer ? nil : String(decoding: text, as: UTF8.self)
        hasLostDigits = !JSON.inexactNumbers(in: try Format.json.definition.utf8Text(of: text)).isEmpty
    }

    /// Creates a string.
    package init(text: String) throws(Problem) {
        try self.init { $0.add(string: text) }
    }

    /// Creates the value that a closure adds to a builder.
    package init(literal: String? = nil, _ add: (inout DocumentBuilder) -> Void) throws(Problem) {
        var builder = DocumentBuilder()
        add(&builder)
        self.init(try builder.finish(), literal: literal)
    }

    var node: Node { document[document.root] }

    /// The value as a date, in seconds since 2001; nil for another value.
    package var date: Double? { if case .date(let seconds) = node { seconds } else { nil } }

    /// The number or Boolean of a JSON text and its spelling; nil for another value, or if the user gave the type.
    package var bareScalar: (node: Node, spelling: String)? {
        guard !isTyped, json != nil, let literal else { return nil }
        switch node {
        case .integer, .real32, .real64, .boolean:
            return (node, String(literal.filter { !$0.isWhitespace }))
        default: return nil
        }
    }

    /// The value in typed JSON, as given if it was given as JSON; nil for a container that was not.
    package var typedJSON: String? {
        if let json { return String(decoding: json, as: UTF8.self) }
        guard !document.object(document.root).kind.isContainer else { return nil }
        var output = ByteWriter()
        ScalarText.writeTyped(node, to: &output)
        return String(decoding: output.takeBytes(), as: UTF8.self)
    }

    func rules(_ rules: TypeRules) -> TypeRules {
        var rules = isTyped ? rules.typed : rules
        if hasLostDigits { rules.readsWholeReals = false }
        // A single number is meant as given. The numbers of a container may come from another tool.
        if json == nil || literal != nil { rules.readsRoundedIntegers = false }
        return rules.within(saveAt: base)
    }

    var isNull: Bool {
        if case .null = node { true } else { false }
    }

    /// Returns the value adapted to the format of a save. For OpenStep text, where every scalar is text, returns the
    /// digits of a number. For plain JSON, treats tags as ordinary names.
    func fitting(_ save: Document) throws(Problem) -> GivenValue {
        if save.isPlainJSON, let json, !document.isPlainJSON {
            var value = try GivenValue(json: json, ignoresTags: true)
            (value.isTyped, value.base) = (isTyped, base)
            return value
        }
        guard save.has(.textScalars), let number = node.numberText else { return self }
        let text = digits ?? number
        return try GivenValue { $0.add(string: text) }
    }

    /// Returns the object that a text such as `{1, 2}` describes: the fields of the model with the numbers of the text.
    /// Returns any other value unchanged.
    ///
    /// - Parameter model: The value to replace, or the neighbour of a value to insert; nil if the slot has neither.
    func fitting(_ model: ViewID?, in view: ObjectView) throws(Problem) -> GivenValue {
        guard !isTyped, case .string(let text) = node, let model,
            let parts = view.fields(of: model, reading: text)
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
                case (.data(let bytes)?, _): builder.add(data: bytes.span)
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

    /// Returns the result of storing the value unchanged. A real with more than 17 digits is rounded.
    func stored(at address: @autoclosure () -> JSONPointer) -> Draft.SetResult {
        guard case .real64 = node, let digits, let number = node.numberText,
            !JSON.inexactNumbers(in: Array(digits.utf8)).isEmpty
        else { return .done }
        return .rounded([RoundedNumber(address: address(), number: number, reason: .storedWidth(byteCount: 8))])
    }

    /// The literal if it is a decimal number.
    private var digits: String? {
        let literal = literal?.filter { !$0.isWhitespace } ?? ""
        return !literal.isEmpty && literal.utf8.allSatisfy("0123456789+-.eE".utf8.contains) ? literal : nil
    }
}

extension Node {
    var numberText: String? {
        switch self {
        case .integer(let integer): "\(integer.value)"
        case .real32(let value): ScalarText.real(value)
        case .real64(let value): ScalarText.real(value)
        default: nil
        }
    }
}
