/// The NeXTSTEP encoding, in which octal escapes are meant: ASCII, and the characters below from 0x80 on
/// (formats.md §4.1).
enum NextStepEncoding {
    /// The last byte that stands for a character.
    static let last: UInt16 = 0xFD

    private static let upperHalf: [UInt16] = Array(
        ("\u{A0}ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏ" + "ÐÑÒÓÔÕÖÙÚÛÜÝÞµ×÷" + "©¡¢£⁄¥ƒ§¤’“«‹›ﬁﬂ" + "®–†‡·¦¶•‚„”»…‰¬¿"
            + "¹ˋ´ˆ˜¯˘˙¨²˚¸³˝˛ˇ" + "—±¼½¾àáâãäåçèéêë" + "ìÆíªîïðñŁØŒºòóôõ" + "öæùúûıüýłøœßþÿ").utf16)

    /// The character that a byte stands for; NUL for the two that stand for none, as Core Foundation has it.
    static func unit(_ byte: UInt8) -> UInt16 {
        guard byte >= 0x80 else { return UInt16(byte) }
        let index = Int(byte) - 0x80
        return index < upperHalf.count ? upperHalf[index] : 0
    }
}
