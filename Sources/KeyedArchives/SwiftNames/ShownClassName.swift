package import SaveCodec

/// The name of a class for people: as Swift prints it if the stored name is mangled, otherwise as stored.
package struct ShownClassName: Sendable, RandomAccessCollection {
    private let stored: StoredString
    /// The name as Swift prints it; nil if the stored name is not mangled.
    package let swift: [UInt16]?

    fileprivate init(_ stored: StoredString, swift: [UInt16]?) {
        (self.stored, self.swift) = (stored, swift)
    }

    package var startIndex: Int { 0 }
    package var endIndex: Int { swift?.count ?? stored.count }
    package subscript(position: Int) -> UInt16 { swift?[position] ?? stored[position] }

    /// The name as messages show it, cut after 80 code units.
    package var escaped: String {
        isEmpty ? "\"\"" : SafeText.escaping(prefix(80)) + (count > 80 ? "…" : "")
    }
}

extension ClassRecord {
    /// The name as people see it.
    package var shownName: ShownClassName { ShownClassName(name, swift: swiftName) }
}

extension StoredString {
    /// The class name as people see it. Takes time in proportion to the length of the name; see also
    /// ``ClassRecord/shownName``.
    package var shownClassName: ShownClassName { ShownClassName(self, swift: SwiftTypeName.text(ofClass: self)) }
}

extension SwiftTypeName {
    /// Returns the name of a class as Swift prints it; nil if the stored name is not mangled.
    package static func text(ofClass name: some Collection<UInt16>) -> [UInt16]? {
        SwiftTypeName(mangled: name)?.text
    }

    /// Whether a name is a stored class name, or the same name as Swift prints it.
    package static func isSpelling(_ name: [UInt16], of stored: [UInt16]) -> Bool {
        name == stored || text(ofClass: stored) == name
    }
}
