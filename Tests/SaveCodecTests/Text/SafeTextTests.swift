import SaveCodec
import Testing

/// Control characters and invisible characters are escaped, so that no text acts on a terminal or hides in it.
@Suite struct SafeTextTests {
    @Test(
        arguments: [
            ("a\tb\n\r\\", #"a\tb\n\r\\"#), ("\u{1B}[2J\u{7F}\u{9B}", #"\u001B[2J\u007F\u009B"#),
            ("Zoë 勇者 e\u{301}", "Zoë 勇者 e\u{301}"),
            // Bidirectional controls, line separators, private-use and unassigned characters.
            ("a\u{202E}b\u{2066}\u{61C}\u{2028}\u{E000}\u{378}", #"a\u202Eb\u2066\u061C\u2028\uE000\u0378"#),
            // Characters without width: a space, fillers, a grapheme joiner, variation selectors, tags.
            ("\u{200B}\u{115F}\u{3164}\u{34F}葛\u{E0100}", #"\u200B\u115F\u3164\u034F葛\uDB40\uDD00"#),
            ("a\u{E0061}\u{E007F}", #"a\uDB40\uDC61\uDB40\uDC7F"#),
        ])
    func escapesActiveCharacters(_ text: String, _ shown: String) {
        #expect(SafeText.escaping(text) == shown)
    }

    /// The characters that join an emoji are kept: a family, a heart, a keycap, a skin color, flags.
    @Test(arguments: ["👩‍👩‍👧", "❤️‍🔥", "❤️", "1️⃣", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏳️‍🌈"])
    func emoji(_ text: String) {
        #expect(SafeText.escaping(text) == text)
        #expect(SafeText.escaping("a" + text + text + "b") == "a" + text + text + "b")
    }

    @Test(
        arguments: [
            // A joiner needs an emoji on both sides; a variation selector needs one before it, or a keycap after it.
            ("👩\u{200D}a", #"👩\u200Da"#), ("a\u{200D}👩", #"a\u200D👩"#), ("👩\u{200D}", #"👩\u200D"#),
            ("👩\u{200D}\u{200D}👩", #"👩\u200D\u200D👩"#), ("a\u{FE0F}", #"a\uFE0F"#), ("1\u{FE0F}2", #"1\uFE0F2"#),
            ("❤\u{FE0F}\u{FE0F}", "❤\u{FE0F}" + #"\uFE0F"#), ("❤\u{FE0E}", #"❤\uFE0E"#),
            // The tags of a flag need a terminator and a limited length.
            ("🏴\u{E0067}", #"🏴\uDB40\uDC67"#), ("🏴\u{E0067}b", #"🏴\uDB40\uDC67b"#),
            ("🏴\u{E007F}", #"🏴\uDB40\uDC7F"#), ("👩\u{E0067}\u{E007F}", #"👩\uDB40\uDC67\uDB40\uDC7F"#),
            (
                "🏴" + String(repeating: "\u{E0067}", count: 7) + "\u{E007F}",
                "🏴" + String(repeating: #"\uDB40\uDC67"#, count: 7) + #"\uDB40\uDC7F"#
            ),
        ])
    func sequencesThatAreNotEmoji(_ text: String, _ shown: String) {
        #expect(SafeText.escaping(text) == shown)
    }

    @Test func loneSurrogates() {
        #expect(SafeText.escaping([0x41, 0xD83C] as [UInt16]) == #"A\uD83C"#)
        #expect(SafeText.escaping([0xD83C, 0x41, 0xDFF4] as [UInt16]) == #"\uD83CA\uDFF4"#)
        #expect(SafeText.escaping([0xD83D, 0xDC69, 0x200D, 0xD83D] as [UInt16]) == #"👩\u200D\uD83D"#)
    }
}
