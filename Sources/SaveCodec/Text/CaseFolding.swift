/// Simple case folding, as Unicode's `CaseFolding.txt` has it (statuses C and S): code points that differ in case only
/// become the same one.
///
///     A ─▶ a     É ─▶ é     Σ, ς ─▶ σ     ß ─▶ ß     İ ─▶ İ
package enum CaseFolding {
    /// A UTF-16 code unit folded; a surrogate stays as it is.
    static func folded(_ unit: UInt16) -> UInt16 {
        if unit < 0x80 { return 0x41...0x5A ~= unit ? unit | 0x20 : unit }
        return table[Int(unit)]
    }

    /// A code point folded.
    package static func folded(_ point: UInt32) -> UInt32 {
        if let unit = UInt16(exactly: point) { return UInt32(folded(unit)) }
        return Unicode.Scalar(point).map { folded($0).value } ?? point
    }

    /// A text folded, code point by code point, so that it keeps its length.
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

    /// The second unit of a surrogate pair folded. No folding changes the first.
    static func folded(trail: UInt16, after lead: UInt16) -> UInt16 {
        let point = 0x10000 + (UInt32(lead & 0x3FF) << 10 | UInt32(trail & 0x3FF))
        return UInt16(truncatingIfNeeded: folded(point) & 0x3FF) | 0xDC00
    }

    /// The code points that fold to the same one as others, by what they fold to.
    package static let classes: [[UInt32]] = {
        var classes: [UInt32: [UInt32]] = [:]
        // All planes with letters that have a case.
        for value in UInt32(0)..<0x20000 {
            guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenCaseFolded else { continue }
            let folded = folded(scalar).value
            if folded != value { classes[folded, default: [folded]].append(value) }
        }
        return Array(classes.values)
    }()

    /// Whether a text has a capital letter.
    package static func hasCapital(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.isUppercase || $0.properties.generalCategory == .titlecaseLetter }
    }

    /// By code unit what it folds to.
    private static let table: [UInt16] = {
        var table = Array(UInt16.min...UInt16.max)
        for (unit, _) in table.enumerated() {
            guard let scalar = Unicode.Scalar(UInt16(unit)), scalar.properties.changesWhenCaseFolded else { continue }
            table[unit] = UInt16(exactly: folded(scalar).value) ?? UInt16(unit)
        }
        return table
    }()

    /// Derived from the mappings of case, as the standard library has no folding: the small letter of the capital one,
    /// where both are single code points. The letters of the Cherokee fold to capital ones.
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
