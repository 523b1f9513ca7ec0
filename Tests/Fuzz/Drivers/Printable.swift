import SaveCodec

/// A check for text that people read.
enum Printable {
    /// Returns the first character that affects a terminal, or a note about invalid UTF-8; nil if the text is safe.
    ///
    /// - Parameter isSource: Whether the text has strings unchanged from a file, with tabs, private and unassigned
    ///   characters.
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

    /// The tests of `SafeText` check where these characters are allowed.
    private static func holdsEmojiTogether(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "\u{200D}" || scalar == "\u{FE0F}" || ("\u{E0020}"..."\u{E007F}").contains(scalar)
    }
}

extension Unicode.GeneralCategory {
    /// Whether the category includes fillers and selectors of scripts, which are invisible but harmless.
    fileprivate var isLetterOrMark: Bool {
        switch self {
        case .otherLetter, .nonspacingMark: true
        default: false
        }
    }
}
