import SaveCodec

/// A writer of an inferred schema. The order of the output depends only on the values, not on the order of the samples.
///
/// It recurses into nested slots. ``SchemaInference`` limits their depth.
struct InferredSchemaWriter {
    private let slots: [InferredSlot]
    private let classes: [[UInt16]: Int]
    /// The class names in sorted order.
    private let classNames: [[UInt16]]
    /// The name of each class under `$defs`.
    private var labels: [[UInt16]: String] = [:]
    private var output: [UInt16] = []
    private var indentation = 0
    private var isFirst = true

    init(_ inference: SchemaInference) {
        slots = inference.slots
        classes = inference.classes
        classNames = classes.keys.sorted { $0.lexicographicallyPrecedes($1) }
        for (position, name) in classNames.enumerated() {
            // Other names would need escapes in a reference, and some cannot be escaped.
            labels[name] = Self.isPlain(name) ? String(decoding: name, as: UTF16.self) : "class:\(position)"
        }
    }

    /// Returns the schema as JSON.
    mutating func text() -> String {
        open("{")
        member("$schema", "\"https://json-schema.org/draft/2020-12/schema\"")
        writeMembers(of: slots[0])
        if !classNames.isEmpty {
            key("$defs")
            open("{")
            for name in classNames { writeClass(name) }
            close("}")
        }
        close("}")
        put("\n")
        return String(decoding: output, as: UTF16.self)
    }

    private mutating func writeClass(_ name: [UInt16]) {
        guard let slot = classes[name], let label = labels[name] else { return }
        key(label)
        open("{")
        member("x-class", Self.quoted(name))
        writeMembers(of: slots[slot])
        close("}")
    }

    // MARK: Slots

    private mutating func writeSchema(_ slot: InferredSlot) {
        guard !slot.isOpen else { return put("true") }
        open("{")
        writeMembers(of: slot)
        close("}")
    }

    private mutating func writeMembers(of slot: InferredSlot) {
        guard !slot.isOpen else { return }
        let references = slot.classes.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { labels[$0] }
        guard references.count + (slot.types.isEmpty ? 0 : 1) > 1 else {
            if let label = references.first { return member("$ref", "\"#/$defs/\(label)\"") }
            return writePlain(slot)
        }
        key("anyOf")
        open("[")
        if !slot.types.isEmpty {
            item()
            open("{")
            writePlain(slot)
            close("}")
        }
        for label in references {
            item()
            open("{")
            member("$ref", "\"#/$defs/\(label)\"")
            close("}")
        }
        close("]")
    }

    /// Writes the keywords for values without a class.
    private mutating func writePlain(_ slot: InferredSlot) {
        guard !slot.types.isEmpty else { return }
        let types = slot.types.contains(.number) ? slot.types.subtracting(.integer) : slot.types
        member("type", Self.list(JSONTypes.names.filter { types.contains($0.type) }.map { "\"\($0.name)\"" }))
        if !slot.valueKinds.isDisjoint(with: ValueKinds.beyondJSON) {
            member("x-type", Self.list(slot.valueKinds.names.map { "\"\($0)\"" }))
        }
        if let content = slot.content, slot.saveCount == slot.dataCount {
            key("contentSchema")
            writeSchema(slots[content])
        }
        let members = slot.namedMembers
        writeRequired(members.filter { $0.count == slot.objectCount }.map(\.name))
        let named = members.compactMap { member in member.slot.map { (member.name, $0) } }
        if !named.isEmpty {
            key("properties")
            open("{")
            for (name, value) in named {
                key(name)
                writeSchema(slots[value])
            }
            close("}")
        }
        if let items = slot.items, !slots[items].isEmpty {
            key("items")
            writeSchema(slots[items])
        }
    }

    private mutating func writeRequired(_ names: [[UInt16]]) {
        guard !names.isEmpty else { return }
        member("required", "[" + names.map(Self.quoted).joined(separator: ", ") + "]")
    }

    // MARK: JSON

    private mutating func open(_ bracket: String) {
        put(bracket)
        indentation += 1
        isFirst = true
    }

    private mutating func close(_ bracket: String) {
        indentation -= 1
        if !isFirst { breakLine() }
        put(bracket)
        isFirst = false
    }

    /// Begins an element or a member.
    private mutating func item() {
        if !isFirst { put(",") }
        breakLine()
        isFirst = false
    }

    private mutating func key(_ name: String) { key(Array(name.utf16)) }

    private mutating func key(_ name: [UInt16]) {
        item()
        put(Self.quoted(name) + ": ")
    }

    private mutating func member(_ name: String, _ value: String) {
        key(name)
        put(value)
    }

    private mutating func breakLine() {
        put("\n" + String(repeating: "  ", count: indentation))
    }

    private mutating func put(_ text: String) { output += text.utf16 }

    private static func list(_ words: [String]) -> String {
        words.count == 1 ? words[0] : "[" + words.joined(separator: ", ") + "]"
    }

    /// Returns a JSON string in which control characters and surrogates are escaped.
    private static func quoted(_ units: [UInt16]) -> String {
        var text: [UInt16] = []
        for unit in units {
            switch unit {
            case 0x22, 0x5C: text += [0x5C, unit]
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029, 0xD800..<0xE000:
                text += ("\\u" + Hexadecimal.text(unit, digits: 4, uppercase: false)).utf16
            default: text.append(unit)
            }
        }
        return "\"" + String(decoding: text, as: UTF16.self) + "\""
    }

    /// Whether a name can be written in a reference without escapes.
    private static func isPlain(_ name: [UInt16]) -> Bool {
        !name.isEmpty && name.allSatisfy { $0.isLetterOrDigit || $0 == 0x5F || $0 == 0x2D || $0 == 0x2E }
    }
}

extension ValueKinds {
    /// The kinds of values for which JSON has no type of its own.
    fileprivate static let beyondJSON = ValueKinds(
        names.filter { ["date", "data", "uid", "set", "real32"].contains($0.name) }.map(\.type))
}
