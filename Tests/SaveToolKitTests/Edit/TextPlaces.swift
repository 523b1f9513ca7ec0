@testable import SaveCodec
import TestSupport
import Testing

/// Where the values of a text stand.
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

    /// The text in UTF-8.
    var text: [UInt8] { map.text }

    /// The address of a value that is drawn by chance, and its kind; nil if a key on the way has no address of its own.
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

    /// The members of the root, by their keys.
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

    /// The containers that a path leads through, each with its range and the position that leads on; nil behind the last.
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

    /// The value at an address.
    func value(_ path: [String]) -> Range<Int> {
        guard let last = way(path).last, let position = last.position else { return map.root }
        return map.value(position, of: last.id)
    }

    /// From the end of the member before what an address names to the beginning of the next one; the whole container if
    /// there are none.
    func surroundings(_ path: [String]) -> Range<Int> {
        guard let last = way(path).last else { return map.root }
        let count = document.object(last.id).count
        let position = last.position ?? count
        guard count > 1 || last.position == nil && count > 0 else { return last.range }
        let start = position > 0 ? member(position - 1, of: last.id).upperBound : last.range.lowerBound
        // What is inserted stands before the member that has its place.
        let end = position + 1 < count ? member(position + 1, of: last.id).lowerBound : last.range.upperBound
        return start..<end
    }
}
