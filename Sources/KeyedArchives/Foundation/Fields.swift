import SaveCodec

/// The fields of an object, read by name and kind, for the annotations.
///
/// What a field refers to is looked at, but nothing beyond: no chain of references is ever followed from here. Objects
/// with more members than any class of Foundation's has are not looked at.
struct Fields {
    private let archive: KeyedArchive
    private let stored: StoredObject
    /// The class of the object.
    let record: ClassRecord
    /// A field that counts as missing.
    var removed: StoredString?

    /// SKEmitterNode has the most, about a hundred.
    private static let limit = 256

    /// The fields of an object; nil if it is none of a class.
    init?(_ uid: UID, of archive: KeyedArchive) {
        guard let position = archive.classPosition(of: uid) else { return nil }
        let stored = archive.stored(uid)
        guard stored.count <= Self.limit else { return nil }
        self.archive = archive
        self.stored = stored
        record = archive.classes[position]
    }

    private var document: Document { archive.document }

    private func value(_ name: String) -> StoredObject? {
        if let removed, removed.elementsEqual(name.utf16) { return nil }
        return Pairs(document, stored).value(for: name.utf16).map(document.object)
    }

    // MARK: Values in place

    /// The integer in a field.
    func integer(_ name: String) -> Int? {
        guard let value = value(name), value.kind == .integer else { return nil }
        return Int(exactly: document.integer(value))
    }

    /// The boolean in a field. Archivers store equal numbers as one, so that 0 or 1 may stand in the place of one.
    func boolean(_ name: String) -> Bool? {
        guard let value = value(name) else { return nil }
        switch value.kind {
        case .true: return true
        case .false: return false
        case .integer:
            let number = document.integer(value)
            return number == 0 || number == 1 ? number == 1 : nil
        default: return nil
        }
    }

    /// The number in a field, or that it refers to, as text.
    func number(_ name: String) -> String? {
        value(name).flatMap(resolved).flatMap { Self.number(document.node($0)) }
    }

    /// A number as text: `12`, `0.5`.
    static func number(_ node: Node) -> String? {
        switch node {
        case .integer(let integer): integer.value.description
        case .real64(let value): number(value)
        case .real32(let value): number(ScalarText.real(value))
        default: nil
        }
    }

    /// A real as text, without a point if it is whole.
    static func number(_ value: Double) -> String {
        number(ScalarText.real(value))
    }

    private static func number(_ digits: String) -> String {
        digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }

    // MARK: Objects

    /// The object that a field refers to.
    func object(_ name: String) -> UID? {
        guard let value = value(name), value.kind == .uid else { return nil }
        return UID(Int(document.uid(value)))
    }

    /// The fields of the object that a field refers to.
    func fields(_ name: String) -> Fields? {
        object(name).flatMap { Fields($0, of: archive) }
    }

    /// The text that a field refers to, plain or the object of a string class.
    func text(_ name: String) -> StoredString? {
        guard let uid = object(name) else { return nil }
        switch archive.encoding(of: uid) {
        case .plain(let id), .scalar(.string, let id): return document.text(id)
        default: return nil
        }
    }

    /// The bytes in a field, or that it refers to, plain or the object of a data class.
    func data(_ name: String) -> ArraySlice<UInt8>? {
        guard let value = value(name).flatMap(resolved), case .data(let bytes) = document.node(value) else {
            return nil
        }
        return bytes
    }

    /// The seconds of the date that a field refers to, the object of a date class or, from GNUstep, a plain one.
    func date(_ name: String) -> Double? {
        guard let uid = object(name) else { return nil }
        switch archive.encoding(of: uid) {
        case .plain(let id):
            guard case .date(let seconds) = document[id] else { return nil }
            return seconds
        case .scalar(.date, let id): return document.real64(document.object(id))
        default: return nil
        }
    }

    /// The real in a field, or the integer that stands in its place.
    func real(_ name: String) -> Double? {
        switch value(name).map(document.node) {
        case .real64(let real)?: real
        case .real32(let real)?: Double(real)
        case .integer(let integer)?: Double(integer.value)
        default: nil
        }
    }

    /// A value, or the single value that the object consists of that it refers to.
    private func resolved(_ value: StoredObject) -> StoredObject? {
        guard value.kind == .uid else { return value }
        switch archive.encoding(of: UID(Int(document.uid(value)))) {
        case .plain(let id), .scalar(_, let id): return document.object(id)
        default: return nil
        }
    }
}

// MARK: Graphics

/// What colours, fonts and nodes stand for.
extension Fields {
    /// A colour of AppKit, whose components are decimal text in data, in a space that `NSColorSpace` tells.
    var color: String? {
        switch integer("NSColorSpace") {
        case 1, 2: components("NSRGB", count: 3).map { "rgba(\(Self.list($0, opaque: true)))" }
        case 3, 4: components("NSWhite", count: 1).map { "white(\(Self.list($0, opaque: false)))" }
        case 5: components("NSCMYK", count: 4).map { "cmyk(\(Self.list($0, opaque: false)))" }
        case 6: catalogColor
        default: nil
        }
    }

    private var catalogColor: String? {
        guard let catalog = text("NSCatalogName"), let name = text("NSColorName") else { return nil }
        return "\(Self.shown(catalog)) \(Self.shown(name))"
    }

    /// So many components, and perhaps opacity, from text such as `0.5 0.2 1`, which may end with NUL; of a typedstream from
    /// numbers.
    private func components(_ name: String, count: Int) -> [String]? {
        guard let bytes = data(name) else {
            let numbers = (1...count + 1).compactMap { number("NSColor.\($0)") }
            return numbers.count == count + 1 ? numbers : nil
        }
        guard bytes.count <= 256 else { return nil }
        let text = bytes.last == 0 ? bytes.dropLast() : bytes
        let parts = text.split(separator: UInt8(ascii: " "))
        let numbers = parts.compactMap { Double(String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == parts.count, numbers.count == count || numbers.count == count + 1 else { return nil }
        return numbers.map(Self.number)
    }

    private static func list(_ components: [String], opaque addsOpacity: Bool) -> String {
        let opacity = addsOpacity && components.count == 3 ? ["1"] : []
        return (components + opacity).joined(separator: ", ")
    }

    /// A colour of UIKit, whose components are numbers; newer ones store them in double precision as well.
    var uiColor: String? {
        let alpha = component("UIAlpha")
        if let alpha, let white = component("UIWhite") { return "white(\(white), \(alpha))" }
        let parts = ["UIRed", "UIGreen", "UIBlue"].compactMap(component)
        if let alpha, parts.count == 3 { return "rgba(\(parts.joined(separator: ", ")), \(alpha))" }
        return text("UISystemColorName").map(Self.shown)
    }

    private func component(_ name: String) -> String? {
        number(name + "-Double") ?? number(name)
    }

    var font: String? {
        guard let name = text("NSName"), let size = number("NSSize") else { return nil }
        return "\(Self.shown(name)) \(size)"
    }

    /// The name and the place of a node: `"enemy" at {12, 34}`.
    var node: String? {
        let name = text("_name").map(Self.quoted)
        let position = fields("_position")?.geometry.map { "at \($0)" }
        let parts = [name, position].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
