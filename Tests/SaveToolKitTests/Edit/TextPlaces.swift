@testable import SaveCodec
import TestSupport
import Testing

/// The source ranges of the values in a text.
struct TextPlaces {
    private let document: Document
    private let map: SourceMap

    init(_ text: String, _ format: String) throws {
        try self.init(Array(text.utf8), as: format == "xml" ? .xml : format == "json" ? .json : .openStep)
    }

    init(_ bytes: [UInt8], as format: Format) throws {
        let (document, map) = try Document.readMapped(bytes, as: format)
        (self.document, self.map) = (document, try #require(map))
    }

    var text: [UInt8] { map.text }

    /// Returns the address and the kind of a random value, or nil if a key on the way cannot be addressed.
    func path(_ dice: inout SeededGenerator) -> (path: [String], kind: StoredObject.Kind)? {
        var (path, id) = ([String](), document.root)
        while true {
            let object = document.object(id)
            guard object.kind == .array || object.kind == .dictionary, object.count > 0,
                path.isEmpty || dice.happens(85)
            else { return (path, object.kind) }
            let position = Int.random(in: 0..<object.count, using: &dice)
            guard object.kind == .dictionary else {
                path.append("\(position)")
                id = document.reference(position, of: object)
                continue
            }
            let keys = (0..<object.count).map { document.text(document.key($0, of: object))?.string }
            guard let key = keys[position], keys.count(where: { $0 == key }) == 1 else { return nil }
            path.append(key)
            id = document.value(position, of: object)
        }
    }

    var isKeyed: Bool { document.object(document.root).kind == .dictionary }

    var members: [(key: String, range: Range<Int>)] {
        let root = document.object(document.root)
        return (0..<root.count).map {
            (document.text(document.key($0, of: root))?.string ?? "", member($0, of: document.root))
        }
    }

    private func member(_ position: Int, of id: ObjectID) -> Range<Int> {
        let value = map.value(position, of: id)
        guard document.object(id).kind == .dictionary else { return value }
        return map.key(position, of: id).lowerBound..<value.upperBound
    }

    /// Returns the containers on a path, each with its range and the position of the next step, which is nil if it does
    /// not exist.
    private func way(_ path: [String]) -> [(id: ObjectID, range: Range<Int>, position: Int?)] {
        var (id, range) = (document.root, map.root)
        return path.map { token in
            let object = document.object(id)
            let position =
                object.kind == .dictionary
                ? (0..<object.count).first { document.text(document.key($0, of: object))?.string == token }
                : Int(token).flatMap { $0 < object.count ? $0 : nil }
            defer {
                if let position {
                    range = map.value(position, of: id)
                    id =
                        object.kind == .dictionary
                        ? document.value(position, of: object) : document.reference(position, of: object)
                }
            }
            return (id, range, position)
        }
    }

    func value(_ path: [String]) -> Range<Int> {
        guard let last = way(path).last, let position = last.position else { return map.root }
        return map.value(position, of: last.id)
    }

    /// Returns the range from the end of the previous member to the start of the next one, or the whole container if it
    /// has no other member.
    func surroundings(_ path: [String]) -> Range<Int> {
        guard let last = way(path).last else { return map.root }
        let count = document.object(last.id).count
        let position = last.position ?? count
        guard count > 1 || last.position == nil && count > 0 else { return last.range }
        let start = position > 0 ? member(position - 1, of: last.id).upperBound : last.range.lowerBound
        // A new member is inserted before the one at its position.
        let end = position + 1 < count ? member(position + 1, of: last.id).lowerBound : last.range.upperBound
        return start..<end
    }
}
