import TestSupport

/// Cases of other projects' suites whose verdict differs here, with the reason.
enum SuiteDifferences {
    static func reason(suite: String, file: String) -> String? {
        rows.first { $0.suite == suite && $0.files.contains(file) }?.reason
    }

    static func isAmbiguous(_ testCase: SuiteCase) -> Bool {
        ambiguous[testCase.suite]?.contains(testCase.file) ?? false
    }

    private static let rows: [(suite: String, files: Set<String>, reason: String)] = [
        (
            "cpython-plistlib",
            [
                "invalid-binary/36-too-large-datetime-datetime-overflow.plist",
                "invalid-binary/39-invalid-datetime-nan.plist",
            ], "any eight bytes are a date, as for Core Foundation; Python's calendar ends at year 9999"
        ),
        ("cpython-plistlib", ["binary-tokens/unsupported-c0.plist"], "sets are read, as by Core Foundation"),
        (
            "go-plist",
            [
                "valid/025-floating-point-infinity.openstep.plist", "valid/042-comments.openstep.plist",
            ], "\"+\" and \"*\" are not bare characters of OpenStep, only of GNUstep's dialect"
        ),
        (
            "go-plist", ["valid/044-empty-strings-in-arrays.openstep.plist"],
            "nothing between two commas is no empty string for Core Foundation"
        ),
        (
            "go-plist", ["valid/062-text-document-with-quoted-gnustep-values.gnustep.plist"],
            "a quotation mark that opens and does not close: GNUstep refuses it too"
        ),
        (
            "go-plist", ["valid/057-empty-text-document.openstep.plist"],
            "a file without a single byte is what an interrupted write leaves behind: no empty dictionary"
        ),
        (
            "go-plist", ["valid/035-cf-keyed-archiver-uids-interface.binary.plist"],
            "a UID has 32 bits; Core Foundation and libplist refuse a larger one too"
        ),
        (
            "go-plist", ["valid/035-cf-keyed-archiver-uids-interface.xml.plist"],
            "a UID has 32 bits; of a larger CF$UID the low ones are read, as by Core Foundation, with a warning"
        ),
        (
            "go-plist", ["xml-unusual/s04.plist"],
            "a comment inside <key>: Core Foundation, swift-foundation and GNUstep refuse it"
        ),
        ("libplist", ["data/empty_keys.plist"], "a comment inside <key>, as in go-plist's s04"),
        ("go-plist", ["xml-unusual/s06.plist"], "&amp without a semicolon is no reference; every reader refuses it"),
        (
            "go-plist", ["xml-unusual/s11.plist"],
            "a tag ends at the first >, even between quotation marks, as Core Foundation and swift-foundation have it"
        ),
        (
            "go-plist", ["invalid-xml/07.plist"],
            "what is no base64 is skipped, as by Core Foundation, with a warning if no whole bytes are left"
        ),
        (
            "swift-foundation",
            [
                "inline/openstep-reject/bad-unicode-escape-1.plist",
                "inline/openstep-reject/bad-unicode-escape-3.plist",
                "inline/openstep-reject/bad-unicode-escape-5.plist",
            ], "\\U without digits is U, as Core Foundation has it"
        ),
        (
            "JSONTestSuite", ["test_parsing/n_string_unicode_CapitalU.json"],
            "a string with the escape \\U is OpenStep text, and is read as that unless JSON is asked for"
        ),
    ]

    /// Quoted strings and numbers alone are valid in both JSON and OpenStep. An empty text is refused unless a format
    /// is named.
    private static let ambiguous: [String: Set<String>] = [
        "go-plist": [
            "valid/002-string-containing-apostrophe.openstep.plist",
            "valid/002-string-containing-apostrophe.gnustep.plist",
            "valid/023-date.openstep.plist", "valid/026-floating-point-negative-infinity.openstep.plist",
            "valid/051-utf-16be-with-high-characters.openstep.plist",
            "valid/057-empty-text-document.openstep.plist",
            "valid/058-text-document-consisting-of-only-whitespace.openstep.plist",
        ]
    ]
}
