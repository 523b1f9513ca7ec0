import SaveCodec

/// The frame of a page of HTML that stands alone: it asks nothing of the network, runs one script, which is known by its
/// hash, and has its data in a block that no browser runs.
enum Page {
    /// Writes what stands before the data.
    static func begin(to output: inout ByteWriter) {
        output.write(
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width">
            <meta name="color-scheme" content="light dark">
            <title>savetool</title>
            <style>\(PageStyle.text)</style>
            </head>
            <body>
            <noscript>This page shows its data with a script, which is switched off.</noscript>
            <script type="application/json" id="data">

            """)
    }

    /// Writes what stands behind the data.
    static func end(to output: inout ByteWriter) {
        output.write("</script>\n<script>\(PageScript.text)</script>\n</body>\n</html>\n")
    }

    private static let policy = """
        default-src 'none'; script-src 'sha256-\(PageScript.hash)'; style-src 'sha256-\(PageStyle.hash)'; \
        base-uri 'none'; form-action 'none'
        """

    /// Writes JSON so that no text in it ends its block or begins a comment: what means something to HTML is escaped,
    /// which JSON has in strings only.
    static func write(_ json: [UInt8], to output: inout ByteWriter) {
        var start = 0
        for (position, byte) in json.enumerated() {
            guard let escape = escape(byte) else { continue }
            output.write(json, in: start..<position)
            output.write(escape)
            start = position + 1
        }
        output.write(json, in: start..<json.count)
    }

    private static func escape(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "<"): "\\u003C"
        case UInt8(ascii: ">"): "\\u003E"
        case UInt8(ascii: "&"): "\\u0026"
        default: nil
        }
    }
}
