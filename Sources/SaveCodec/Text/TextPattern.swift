/// A text to search for in other texts by code units, optionally ignoring case.
package struct TextPattern: Sendable {
    /// The result of matching a text.
    package enum Match: Sendable, Comparable {
        case none
        /// The pattern was found only in another case, and it does not ignore case.
        case inOtherCase
        case found
    }

    private let units: [UInt16]
    /// The case-folded code units.
    private let folded: [UInt16]
    private let isASCII: Bool
    private let ignoresCase: Bool

    /// Creates a pattern for a text.
    package init(_ units: [UInt16], ignoresCase: Bool = false) {
        self.units = units
        self.ignoresCase = ignoresCase
        folded = CaseFolding.folded(units)
        isASCII = folded.allSatisfy { $0 < 0x80 }
    }

    /// Whether the pattern, ignoring case, consists only of the given lowercase ASCII characters.
    package func consists(of characters: Set<UInt16>) -> Bool {
        folded.allSatisfy(characters.contains)
    }

    package func match(in text: some RandomAccessCollection<UInt16>) -> Match {
        search(count: text.count) { text[text.index(text.startIndex, offsetBy: $0)] }
    }

    /// Searches an ASCII text for the pattern.
    package func match(inASCII text: [UInt8]) -> Match {
        search(count: text.count) { UInt16(text[$0]) }
    }

    /// Searches a string of a document for the pattern.
    package func match(in text: StoredString) -> Match {
        let (document, object) = (text.document, text.object)
        // One loop for each encoding, which is constant during the loop.
        return if text.isOneByte {
            search(count: object.count) { UInt16(document.image[object.start &+ $0]) }
        } else {
            search(count: object.count) { document.codeUnit($0, of: object) }
        }
    }

    /// Returns the position of the first match in a string, or nil.
    package func position(in text: StoredString) -> Int? {
        var position = 0
        let match = search(count: text.count, at: &position) { text.document.codeUnit($0, of: text.object) }
        return match == .found ? position : nil
    }

    /// The number of code units.
    package var count: Int { units.count }

    /// Compares the pattern with a whole text.
    package func match(whole text: StoredString) -> Match {
        text.count == units.count ? match(in: text) : .none
    }

    /// Compares the pattern with a whole text.
    package func match(whole text: [UInt16]) -> Match {
        text.count == units.count ? match(in: text) : .none
    }

    @inline(__always)
    private func search(count: Int, _ unit: (Int) -> UInt16) -> Match {
        var position = 0
        return search(count: count, at: &position, unit)
    }

    /// - Parameter position: Set to the position of a match that is found.
    @inline(__always)
    private func search(count: Int, at position: inout Int, _ unit: (Int) -> UInt16) -> Match {
        guard let first = folded.first else { return .found }
        var result = Match.none
        guard count >= folded.count else { return result }
        for start in 0...count - folded.count where folded(unit, at: start) == first {
            guard folded.indices.allSatisfy({ folded(unit, at: start + $0) == folded[$0] }) else { continue }
            if ignoresCase || units.indices.allSatisfy({ unit(start + $0) == units[$0] }) {
                position = start
                return .found
            }
            result = .inOtherCase
        }
        return result
    }

    @inline(__always)
    private func folded(_ unit: (Int) -> UInt16, at position: Int) -> UInt16 {
        let value = unit(position)
        if isASCII { return CaseFolding.foldedToASCII(value) }
        guard UTF16.isTrailSurrogate(value), position > 0 else { return CaseFolding.folded(value) }
        let lead = unit(position - 1)
        return UTF16.isLeadSurrogate(lead) ? CaseFolding.folded(trail: value, after: lead) : value
    }
}
