/// What can be wrong with the text of an XML property list.
extension Problem {
    // MARK: The document

    static func xmlEmpty(at place: Place) -> Problem {
        Problem("xml.empty", "there is no element; expected a property list", at: place)
    }

    static func xmlText(_ rest: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem("xml.text", "found \"\(SafeText.quotingFirst(rest))\" between elements; expected a tag", at: place)
    }

    static func xmlUnclosed(_ what: String, expected end: String, at place: Place) -> Problem {
        Problem("xml.unclosed", "the \(what) that begins here has no end; expected \"\(end)\"", at: place)
    }

    static func xmlDeclaration(inside tag: XMLTag?, at place: Place) -> Problem {
        let expected = tag == nil ? "a comment or <!DOCTYPE" : "a comment"
        return Problem("xml.declaration", "found a declaration that begins with <!; expected \(expected)", at: place)
    }

    static func xmlSubset(entity: ArraySlice<UInt8>?, at place: Place) -> Problem {
        guard let entity else {
            return Problem(
                "xml.subset", "the document type has declarations of its own in brackets; they are not read", at: place)
        }
        return Problem(
            "xml.entity-declaration",
            "the document type declares the entity \"\(SafeText.quoting(entity))\"; entity declarations are not read",
            at: place)
    }

    // MARK: Elements

    static func xmlUnknownElement(_ name: ArraySlice<UInt8>, at place: Place) -> Problem {
        name.isEmpty
            ? Problem("xml.element", "found a tag without a name; expected an element", at: place)
            : Problem(
                "xml.element",
                "found <\(SafeText.quoting(name))>; expected plist, dict, array, key, string, integer, real, true, false, date or data",
                at: place)
    }

    static func xmlStrayEnd(at place: Place) -> Problem {
        Problem("xml.end", "found an end tag where no element is open; expected an element", at: place)
    }

    static func xmlEnd(_ found: ArraySlice<UInt8>, expected tag: XMLTag, at place: Place) -> Problem {
        Problem("xml.end", "found </\(SafeText.quoting(found))>; expected </\(tag.name)>", at: place)
    }

    static func xmlMarkup(in tag: XMLTag, at place: Place) -> Problem {
        Problem(
            "xml.markup", "found something other than text inside <\(tag.name)>; expected </\(tag.name)>", at: place)
    }

    static func xmlTruncated(in tag: XMLTag, at place: Place) -> Problem {
        Problem("xml.truncated", "the text ends inside <\(tag.name)>; expected </\(tag.name)>", at: place)
    }

    static func xmlEmptyElement(_ tag: XMLTag, at place: Place) -> Problem {
        Problem("xml.empty-element", "found <\(tag.name)/>; expected a value inside <\(tag.name)>", at: place)
    }

    static func xmlEmptyPlist(at place: Place) -> Problem {
        Problem("xml.empty", "<plist> holds no value; expected one", at: place)
    }

    static func xmlSecondValue(at place: Place) -> Problem {
        Problem("xml.second-value", "<plist> holds a second value; expected </plist>", at: place)
    }

    static func xmlNoKey(_ tag: XMLTag, at place: Place) -> Problem {
        Problem("xml.key", "found <\(tag.name)> in <dict>; expected <key>", at: place)
    }

    static func xmlNoValue(at place: Place) -> Problem {
        Problem("xml.value", "the last <key> of <dict> has no value; expected one before </dict>", at: place)
    }

    // MARK: Values

    static func xmlEntity(_ rest: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.entity",
            "found \"\(SafeText.quotingReference(rest))\"; expected &lt;, &gt;, &amp;, &apos;, &quot; or a character number",
            at: place)
    }

    static func xmlCharacterReference(_ rest: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.character-reference",
            "\"\(SafeText.quotingReference(rest))\" stands for no character; expected &# or &#x and the number of a Unicode character",
            at: place)
    }

    static func xmlInteger(_ text: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.integer",
            "\"\(SafeText.quoting(text))\" is no whole number; expected decimal digits, or 0x and hexadecimal ones",
            at: place)
    }

    static func xmlIntegerRange(_ text: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.integer-range", "the integer \(SafeText.quoting(text)) is out of range; expected -2^63 to 2^64-1",
            at: place)
    }

    static func xmlReal(_ text: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.real",
            "\"\(SafeText.quoting(text))\" is no number; expected decimal digits, nan, infinity or -infinity",
            at: place)
    }

    static func xmlDate(_ text: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem(
            "xml.date", "\"\(SafeText.quoting(text))\" is no date; expected the form 2009-09-06T12:34:56Z", at: place)
    }

    static func xmlDataCharacter(_ rest: ArraySlice<UInt8>, at place: Place) -> Problem {
        Problem("xml.data", "found \"\(SafeText.quotingFirst(rest))\" in <data>; expected base64", at: place)
    }
}

/// What a reader of XML property lists accepts with a warning.
extension Problem {
    static func xmlWarning(_ kind: XMLWarnings.Kind, at place: Place) -> Problem {
        let (id, sentence) = description(of: kind)
        return Problem("xml." + id, sentence, severity: .warning, at: place)
    }

    static func xmlMoreWarnings(_ count: Int) -> Problem {
        Problem(
            "xml.more", "\(count) more \(count == 1 ? "warning is" : "warnings are") not listed", severity: .warning)
    }

    private static func description(of kind: XMLWarnings.Kind) -> (id: String, sentence: String) {
        switch kind {
        case .encoding:
            ("not-ascii", "the text is declared to be US-ASCII, but has other characters; they were read as ISO-8859-1")
        case .unmarked:
            ("byte-order", "the text is in UTF-16 without a byte order mark; other readers refuse it")
        case .leadingSpace:
            ("leading-space", "there is white space before <?xml; expected it at the very start")
        case .trailing:
            ("trailing", "there is more text behind the property list; it was ignored")
        case .dateRange:
            ("date-range", "the date has a field out of its range; it was taken as so many days or seconds more")
        case .realRange:
            ("real-range", "the number is too large for a real of 64 bits; it was read as infinity")
        case .data:
            ("base64", "the data is not clean base64; what does not belong there was left out")
        case .uid:
            ("uid", "the number under CF$UID is not one from 0 to 2^32-1; its low 32 bits were taken")
        case .character:
            ("character", "found a control character that XML does not allow; it was kept")
        }
    }
}

extension SafeText {
    /// The beginning of a piece of a file, for a message.
    static func quoting(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(160), as: UTF8.self).unicodeScalars
        let isCut = bytes.count > 160 || scalars.count > 40
        return escaping(String(String.UnicodeScalarView(scalars.prefix(40)))) + (isCut ? "…" : "")
    }

    /// The first character of a piece of a file.
    static func quotingFirst(_ bytes: ArraySlice<UInt8>) -> String {
        let scalars = String(decoding: bytes.prefix(4), as: UTF8.self).unicodeScalars
        return escaping(String(String.UnicodeScalarView(scalars.prefix(1))))
    }

    /// A reference from `&` up to `;`, or up to what cannot belong to it.
    static func quotingReference(_ bytes: ArraySlice<UInt8>) -> String {
        let end = bytes.dropFirst().prefix(40).firstIndex {
            $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "<") || $0 <= 0x20
        }
        guard let end else { return quoting(bytes.prefix(40)) }
        return quoting(bytes[end] == UInt8(ascii: ";") ? bytes[...end] : bytes[..<end])
    }
}
