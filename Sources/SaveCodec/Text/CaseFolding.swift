/// Simple case folding as in Unicode's `CaseFolding.txt` (statuses C and S), which maps code points that differ only in
/// case to the same one.
///
///     A ─▶ a     É ─▶ é     Σ, ς ─▶ σ     ß ─▶ ß     İ ─▶ İ
package enum CaseFolding {
    /// Returns the folded form of a UTF-16 code unit. A surrogate stays the same.
    static func folded(_ unit: UInt16) -> UInt16 {
        if unit < 0x80 { return 0x41...0x5A ~= unit ? unit | 0x20 : unit }
        return table[Int(unit)]
    }

    /// Returns the folded form of a code unit if it is an ASCII character, otherwise a unit beyond ASCII. This needs no
    /// table, which takes longer to make than reading a small file.
    static func foldedToASCII(_ unit: UInt16) -> UInt16 {
        switch unit {
        case 0x41...0x5A: unit | 0x20
        case 0x17F: 0x73  // long s
        case 0x212A: 0x6B  // the Kelvin sign
        default: unit
        }
    }

    /// Returns the folded form of a code point.
    package static func folded(_ point: UInt32) -> UInt32 {
        if let unit = UInt16(exactly: point) { return UInt32(folded(unit)) }
        return Unicode.Scalar(point).map { folded($0).value } ?? point
    }

    /// Returns the folded form of a text, code point by code point. The length stays the same.
    package static func folded(_ text: some Collection<UInt16>) -> [UInt16] {
        var units: [UInt16] = []
        units.reserveCapacity(text.count)
        for unit in text {
            if UTF16.isTrailSurrogate(unit), let lead = units.last, UTF16.isLeadSurrogate(lead) {
                units.append(folded(trail: unit, after: lead))
            } else {
                units.append(folded(unit))
            }
        }
        return units
    }

    /// Returns the folded second unit of a surrogate pair. Folding never changes the first.
    static func folded(trail: UInt16, after lead: UInt16) -> UInt16 {
        let point = 0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        return UInt16(truncatingIfNeeded: folded(point) & 0x3FF) | 0xDC00
    }

    /// The sets of code points with the same folded form, beginning with that form.
    package static let classes: [[UInt32]] = {
        var classes: [UInt32: [UInt32]] = [:]
        // All planes with letters that have case.
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseFolded else { continue }
            let folded = folded(scalar).value
            if folded != value { classes[folded, default: [folded]].append(value) }
        }
        return Array(classes.values)
    }()

    /// Whether a text contains an uppercase or titlecase letter.
    package static func hasCapital(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isUppercase || $0.properties.generalCategory == .titlecaseLetter }
    }

    private static let table: [UInt16] = {
        var table = Array(UInt16.min...UInt16.max)
        for (unit, _) in table.enumerated() {
            guard let scalar = Unicode.Scalar(UInt16(unit)), scalar.properties.changesWhenCaseFolded else { continue }
            table[unit] = UInt16(exactly: folded(scalar).value) ?? UInt16(unit)
        }
        return table
    }()

    /// Returns the folded form of a scalar, derived from the case mappings, since the standard library has no folding.
    ///
    /// It is the lowercase form of the uppercase form, if both are single code points. Cherokee folds to uppercase.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        guard scalar.properties.changesWhenCaseFolded else { return scalar }
        let capital = single(scalar.properties.uppercaseMapping) ?? scalar
        let small = single(capital.properties.lowercaseMapping) ?? capital
        return small == scalar ? capital : small
    }

    private static func single(_ text: String) -> Unicode.Scalar? {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, scalars.count == 1 else { return nil }
        return first
    }
}
