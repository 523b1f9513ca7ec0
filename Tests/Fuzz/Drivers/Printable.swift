import SaveCodec

/// What people may be shown.
enum Printable {
    /// The first thing in a text that a terminal would act on, or that is no text; nil if there is none.
    ///
    /// - Parameter isSource: whether the text is as a file has it: with tabs, and with characters that nobody knows.
    static func violation(in bytes: [UInt8], isSource: Bool = false) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return "no UTF-8" }
        let scalar = text.unicodeScalars.first {
            $0 != "\n" && SafeText.isActive($0) && !holdsEmojiTogether($0) && !(isSource && isSeenInSource($0))
        }
        return scalar.map { "U+" + String($0.value, radix: 16, uppercase: true) }
    }

    private static func isSeenInSource(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .unassigned, .privateUse: true
        default: scalar == "\t" || scalar == "\r" || scalar.properties.generalCategory.isLetterOrMark
        }
    }

    /// Where these may stand, the tests of `SafeText` say.
    private static func holdsEmojiTogether(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar == "\u{FE0F}" || ("\u{E0020}"..."\u{E007F}").contains(scalar)
    }
}

extension Unicode.GeneralCategory {
    /// Fillers and selectors of scripts, which show nothing, do no harm.
    fileprivate var isLetterOrMark: Bool {
        switch self {
        case .otherLetter, .nonspacingMark: true
        default: false
        }
    }
}
