import SaveCodec

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
