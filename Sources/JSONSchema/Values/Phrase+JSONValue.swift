import KeyedArchives
import SaveCodec

extension Phrase {
    /// A value, itself if it is short: `the string "abc"`, `an array of 3 elements`.
    static func value(_ subject: Subject, in view: ObjectView) -> String {
        switch view.json(subject) {
        case .scalar(.null): "null"
        case .scalar(.boolean(let value)): "\(value)"
        case .scalar(.number(let number)): "the number \(number)"
        case .scalar(.string(let text)): "the string \(quoted(shown(text)))"
        case .array(let contents): "an array of \(count(contents.count, "element"))"
        case .object(let members):
            if let name = members.classPosition.flatMap({ view.archive?.classes[$0].name }) {
                "an object of class \(quoted(name))"
            } else {
                "an object of \(count(members.count, "member"))"
            }
        }
    }

    /// As much of a text as is shown; data are not turned into text as a whole.
    private static func shown(_ text: JSONText) -> [UInt16] {
        switch text {
        case .text(let text): Array(text.prefix(textLimit + 1))
        case .units(let units): units
        case .data(let bytes): JSONText.data(bytes.prefix(textLimit)).units
        }
    }
}
