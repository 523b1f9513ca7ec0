/// The tags of a writer of XML property lists, with the line breaks after them.
struct XMLTags {
    struct Container {
        let start, end, empty: StaticString
    }

    struct Scalar {
        let start, end: StaticString
    }

    /// The text before and after the root.
    let opening, closing: StaticString
    let rootDictionary, rootArray, dictionary, array: Container
    let key, string, integer, real, date, data: Scalar
    let `true`, `false`: StaticString
    /// Whether each element has its line.
    let hasLines: Bool
    /// Whether reals have the fewest digits that read back as the same value.
    let hasShortReals: Bool

    /// The tags in Core Foundation's style.
    static let standard = XMLTags(
        opening: """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """,
        closing: "</plist>\n",
        rootDictionary: Container(start: "<dict>\n", end: "</dict>\n", empty: "<dict/>\n"),
        rootArray: Container(start: "<array>\n", end: "</array>\n", empty: "<array/>\n"),
        dictionary: Container(start: "<dict>\n", end: "</dict>\n", empty: "<dict/>\n"),
        array: Container(start: "<array>\n", end: "</array>\n", empty: "<array/>\n"),
        key: Scalar(start: "<key>", end: "</key>\n"), string: Scalar(start: "<string>", end: "</string>\n"),
        integer: Scalar(start: "<integer>", end: "</integer>\n"), real: Scalar(start: "<real>", end: "</real>\n"),
        date: Scalar(start: "<date>", end: "</date>\n"), data: Scalar(start: "<data>", end: "</data>\n"),
        true: "<true/>\n", false: "<false/>\n", hasLines: true, hasShortReals: false)

    /// The tags in the style of Geometry Dash.
    static let short = XMLTags(
        opening: "<?xml version=\"1.0\"?><plist version=\"1.0\" gjver=\"2.0\">", closing: "</plist>",
        rootDictionary: Container(start: "<dict>", end: "</dict>", empty: "<dict />"),
        rootArray: Container(start: "<array>", end: "</array>", empty: "<array />"),
        dictionary: Container(start: "<d>", end: "</d>", empty: "<d />"),
        array: Container(start: "<a>", end: "</a>", empty: "<a />"),
        key: Scalar(start: "<k>", end: "</k>"), string: Scalar(start: "<s>", end: "</s>"),
        integer: Scalar(start: "<i>", end: "</i>"), real: Scalar(start: "<r>", end: "</r>"),
        date: Scalar(start: "<date>", end: "</date>"), data: Scalar(start: "<data>", end: "</data>"),
        true: "<t />", false: "<f />", hasLines: false, hasShortReals: true)
}
