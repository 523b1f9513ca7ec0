import SaveCodec

extension Phrase {
    /// What a value is, with the value itself if it is short: `the string "abc"`, `an array of 3 elements`.
    static func value(_ id: InstanceID, in instance: any Instance) -> String {
        switch instance.value(id) {
        case .null: "null"
        case .boolean(let value): "\(value)"
        case .number(let number): "the number \(number)"
        case .string(let text): "the string \(quoted(shown(text)))"
        case .array(let count): "an array of \(self.count(count, "element"))"
        case .object(let count):
            if let name = instance.className(of: id, count: count) {
                "an object of class \(quoted(name))"
            } else {
                "an object of \(self.count(count, "member"))"
            }
        }
    }

    /// The name of a type with its article.
    static func article(_ type: String) -> String {
        switch type {
        case "null", "data": type
        case "integer", "object", "array": "an \(type)"
        default: "a \(type)"
        }
    }

    /// As much of a text as is shown; data are not turned into text as a whole.
    private static func shown(_ text: InstanceText) -> [UInt16] {
        switch text {
        case .text(let text): Array(text.prefix(textLimit + 1))
        case .units(let units): units
        case .data(let bytes): InstanceText.data(bytes.prefix(textLimit)).units
        }
    }
}
