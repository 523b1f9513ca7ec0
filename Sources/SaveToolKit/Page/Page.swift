import SaveCodec

/// The frame of a page of HTML that stands alone: it asks nothing of the network, and runs one script, which is known by its
/// hash, or none.
enum Page {
    /// Writes what stands before the contents.
    ///
    /// - Parameters:
    ///   - title: what the browser calls the page.
    ///   - runsScript: whether ``PageScript`` may run.
    static func begin(title: String, runsScript: Bool, to output: inout ByteWriter) {
        let script = runsScript ? "script-src 'sha256-\(PageScript.hash)'; " : ""
        output.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; \(script)\
            style-src 'sha256-\(PageStyle.hash)'; base-uri 'none'; form-action 'none'">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>\(escaped(title))</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>

            """)
    }

    /// Writes what stands behind the contents.
    static func end(to output: inout ByteWriter) {
        output.write("</body>\n</html>\n")
    }

    /// A text that is safe to print as text of HTML.
    static func escaped(_ text: String) -> String {
        var escaped = ByteWriter()
        for byte in text.utf8 {
            if let entity = entity(byte) { escaped.write(entity) } else { escaped.write(byte) }
        }
        return String(decoding: escaped.takeBytes(), as: UTF8.self)
    }

    private static func entity(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "\""): "&quot;"
        default: nil
        }
    }
}
