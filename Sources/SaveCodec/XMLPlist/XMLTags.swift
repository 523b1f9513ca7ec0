/// The tags of a writer of XML property lists, with the line breaks after them. This is a class, because copying all
/// tags would slow the writer down.
final class XMLTags: Sendable {
    /// The tags of an array or a dictionary.
    struct Container {
        let start, end, empty: ShortText

        fileprivate init(_ name: String, isShort: Bool) {
            let lineBreak = isShort ? "" : "\n"
            start = ShortText("<\(name)>" + lineBreak)
            end = ShortText("</\(name)>" + lineBreak)
            empty = ShortText(isShort ? "<\(name) />" : "<\(name)/>\n")
        }
    }

    /// The tags around the text of a scalar.
    struct Scalar {
        let start, end: ShortText

        fileprivate init(_ name: String, isShort: Bool) {
            start = ShortText("<\(name)>")
            end = ShortText(isShort ? "</\(name)>" : "</\(name)>\n")
        }
    }

    /// The tags in Core Foundation's style.
    static let standard = XMLTags(isShort: false)

    /// The tags in the style of Geometry Dash. The names of the root, of dates and of data are not shortened.
    static let short = XMLTags(isShort: true)

    /// The text before and after the root.
    let opening, closing: StaticString
    let rootDictionary, rootArray, dictionary, array: Container
    let key, string, integer, real, date, data: Scalar
    let `true`, `false`: ShortText
    /// Whether each element has its own line.
    let hasLines: Bool
    /// Whether reals have the fewest digits that read back as the same value.
    let hasShortReals: Bool

    private init(isShort: Bool) {
        opening =
            isShort
            ? "<?xml version=\"1.0\"?><plist version=\"1.0\" gjver=\"2.0\">"
            : """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">

            """
        closing = isShort ? "</plist>" : "</plist>\n"
        rootDictionary = Container("dict", isShort: isShort)
        rootArray = Container("array", isShort: isShort)
        dictionary = Container(isShort ? "d" : "dict", isShort: isShort)
        array = Container(isShort ? "a" : "array", isShort: isShort)
        key = Scalar(isShort ? "k" : "key", isShort: isShort)
        string = Scalar(isShort ? "s" : "string", isShort: isShort)
        integer = Scalar(isShort ? "i" : "integer", isShort: isShort)
        real = Scalar(isShort ? "r" : "real", isShort: isShort)
        date = Scalar("date", isShort: isShort)
        data = Scalar("data", isShort: isShort)
        `true` = Container(isShort ? "t" : "true", isShort: isShort).empty
        `false` = Container(isShort ? "f" : "false", isShort: isShort).empty
        hasLines = !isShort
        hasShortReals = isShort
    }
}
