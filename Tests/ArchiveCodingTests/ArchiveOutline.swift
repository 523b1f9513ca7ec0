import ArchiveCoding
import SaveCodec

/// An archive as text that does not depend on UIDs or field order. It shows which values are in place and which are
/// references (`→`), class chains, kinds, the bits of numbers, and which objects are identical (`#1`).
struct ArchiveOutline {
    private let document: Document
    private let objects: Elements
    private var numbers: [UInt32: Int] = [:]
    private(set) var text = ""

    static func text(_ bytes: [UInt8]) throws -> String {
        let document = try Document.read(bytes, as: Format.recognize(bytes))
        guard case .dictionary(let root) = document[document.root], let top = root.value(for: "$top".utf16),
            let list = root.value(for: "$objects".utf16), case .array(let objects) = document[list]
        else { return "no archive" }
        var outline = ArchiveOutline(document: document, objects: objects)
        outline.write(top, indent: "")
        return outline.text
    }

    private init(document: Document, objects: Elements) {
        self.document = document
        self.objects = objects
    }

    private mutating func write(_ id: ObjectID, indent: String) {
        switch document[id] {
        case .uid(let uid): writeReference(uid.value, indent: indent)
        case .array(let elements):
            text += "[\n"
            for element in elements {
                text += indent + "  "
                write(element, indent: indent + "  ")
            }
            text += indent + "]\n"
        case .dictionary(let pairs): write(pairs, indent: indent)
        case .string(let string): text += "\"\(string.string)\"\n"
        case .integer(let integer): text += "integer \(integer.value)\n"
        case .data(let bytes): text += "data \(Array(bytes))\n"
        case let scalar: text += "\(scalar)\n"
        }
    }

    private mutating func write(_ pairs: Pairs, indent: String) {
        text += "{\n"
        let named = pairs.map { (name: document.text($0.key)?.string ?? "?", value: $0.value) }
        for (name, value) in named.sorted(by: { $0.name < $1.name }) {
            text += "\(indent)  \(name): "
            write(value, indent: indent + "  ")
        }
        text += indent + "}\n"
    }

    private mutating func writeReference(_ uid: UInt32, indent: String) {
        guard Int(uid) < objects.count else { return text += "→ beyond the end\n" }
        let id = objects[Int(uid)]
        guard case .dictionary(let pairs) = document[id] else {
            text += "→ "
            return write(id, indent: indent)
        }
        // A class record is written out at every reference.
        let isRecord = pairs.value(for: "$classname".utf16) != nil
        if let number = numbers[uid], !isRecord { return text += "→ #\(number)\n" }
        numbers[uid] = numbers[uid] ?? numbers.count + 1
        text += isRecord ? "→ " : "→ #\(numbers[uid] ?? 0) "
        write(id, indent: indent)
    }
}
