package import SaveCodec

/// The fields of an object, read by name and kind, for annotations.
///
/// A field's reference is followed one step only, so no chain of references is ever followed. Objects with more members
/// than any known class has are skipped.
package struct ObjectFields {
    private let archive: KeyedArchive
    private let stored: StoredObject
    let record: ClassRecord
    /// The name of a field that is treated as missing.
    var removed: StoredString?

    /// The maximum number of members. SKEmitterNode has the most, about a hundred.
    private static let limit = 256

    /// Creates the fields of an object. Fails if the object has no class or too many members.
    package init?(_ uid: UID, of archive: KeyedArchive) {
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

    package func integer(_ name: String) -> Int? {
        guard let value = value(name), value.kind == .integer else { return nil }
        return Int(exactly: document.integer(value))
    }

    /// Returns the Boolean in a field, which may be stored as 0 or 1 because archivers store equal numbers as one
    /// object.
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

    /// Returns the text of the number that a field holds or refers to.
    package func number(_ name: String) -> String? {
        value(name).flatMap(resolved).flatMap { Self.number(document.node($0)) }
    }

    /// Returns a number as text: `12`, `0.5`.
    static func number(_ node: Node) -> String? {
        switch node {
        case .integer(let integer): integer.value.description
        case .real64(let value): number(value)
        case .real32(let value): number(ScalarText.real(value))
        default: nil
        }
    }

    /// Returns a real as text, without a decimal point if it is whole.
    package static func number(_ value: Double) -> String {
        number(ScalarText.real(value))
    }

    private static func number(_ digits: String) -> String {
        digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
    }

    // MARK: Objects

    func object(_ name: String) -> UID? {
        guard let value = value(name), value.kind == .uid else { return nil }
        return UID(Int(document.uid(value)))
    }

    package func fields(_ name: String) -> ObjectFields? {
        object(name).flatMap { ObjectFields($0, of: archive) }
    }

    /// Returns the text that a field refers to, as a plain string or an object of a string class.
    package func text(_ name: String) -> StoredString? {
        guard let uid = object(name) else { return nil }
        switch archive.encoding(of: uid) {
        case .plain(let id), .scalar(.string, let id): return document.text(id)
        default: return nil
        }
    }

    /// Returns the bytes of data that a field holds, or of plain data or a data object that it refers to.
    func data(_ name: String) -> ArraySlice<UInt8>? {
        guard let value = value(name).flatMap(resolved), case .data(let bytes) = document.node(value) else {
            return nil
        }
        return bytes
    }

    /// Returns the seconds since 2001 of the date that a field refers to: an object of a date class or, from GNUstep, a
    /// plain date.
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

    /// Returns the real in a field. An integer in the field is converted to a real.
    func real(_ name: String) -> Double? {
        value(name).flatMap { Number(document.node($0)) }?.rounded
    }

    /// Returns a value, or the single value of the object that it refers to.
    private func resolved(_ value: StoredObject) -> StoredObject? {
        guard value.kind == .uid else { return value }
        switch archive.encoding(of: UID(Int(document.uid(value)))) {
        case .plain(let id), .scalar(_, let id): return document.object(id)
        default: return nil
        }
    }
}

// MARK: Graphics

/// Annotations of colors, fonts and nodes.
extension ObjectFields {
    /// The AppKit color. Its components are decimal text in data, and `NSColorSpace` selects the color space.
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

    /// Returns `count` components, and the opacity if there is one.
    ///
    /// They are text such as `0.5 0.2 1`, which may end with NUL, or separate fields in a typedstream.
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

    /// The UIKit color. Its components are numbers, which newer versions also store in double precision.
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

    /// The name and the position of a node: `"enemy" at {12, 34}`.
    var node: String? {
        let name = text("_name").map(Self.quoted)
        let position = fields("_position")?.geometry.map { "at \($0)" }
        let parts = [name, position].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
