import SaveCodec

/// The frame of a self-contained HTML page. The page loads nothing from the network, and runs at most one script, which
/// is allowed by its hash.
enum Page {
    /// Writes the part of the page before the contents.
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - runsScript: Whether ``PageScript`` may run.
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

    /// Writes the part of the page after the contents.
    static func end(to output: inout ByteWriter) {
        output.write("</body>\n</html>\n")
    }

    /// Returns a text that is safe to print, escaped for HTML.
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

// MARK: Style

/// The style of pages, in light and dark mode.
enum PageStyle {
    /// The SHA-256 of the text in Base64.
    static let hash = "ux+ejeMtRdzjayXXgo9f5OQLeTeXl3izG6+FsDMJYPc="

    static let text = """
        :root { color-scheme: light dark; --text: #1f2328; --back: #fff; --soft: #59636e; --line: #d1d9e0; --mark: #ddf4ff;
          --string: #116329; --number: #8a4600; --link: #0550ae; --wrong: #c01c28; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #9198a1; --line: #3d444d;
          --mark: #12304f; --string: #7ee787; --number: #ffa657; --link: #79c0ff; --wrong: #ff9492; } }
        body { margin: 0 auto; max-width: 75rem; padding: 0 1rem; color: var(--text); background: var(--back);
          font: 14px/1.5 system-ui, sans-serif; }
        h1 { font-size: 1.2rem; margin: 1rem 0 0; overflow-wrap: anywhere; }
        p { margin: 0 0 .5rem; color: var(--soft); }
        .bar { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: .5rem; align-items: center;
          padding: .5rem 0; background: var(--back); border-bottom: 1px solid var(--line); }
        .bar input { flex: 1; min-width: 10rem; }
        input, button { font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft);
          border-radius: 4px; padding: .1rem .5rem; }
        .place { flex-basis: 100%; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        ul { list-style: none; margin: 0; padding: 0 0 0 1.1rem; }
        main > ul { padding: .5rem 0 1rem; }
        .row { padding-left: 1.1rem; text-indent: -1.1rem; font-family: ui-monospace, monospace;
          white-space: pre-wrap; overflow-wrap: anywhere; cursor: default; }
        .row::before { content: " "; display: inline-block; width: 1.1rem; text-indent: 0; color: var(--soft); }
        [aria-expanded=false] > .row::before { content: "▸"; }
        [aria-expanded=true] > .row::before { content: "▾"; }
        li:focus { outline: none; }
        li:focus > .row { outline: 2px solid var(--link); }
        [aria-selected=true] > .row { background: var(--mark); }
        bdi { unicode-bidi: isolate; }
        ::placeholder { color: var(--soft); opacity: 1; }
        .key { color: var(--link); } .string, .added { color: var(--string); }
        .number, .changed, .warning { color: var(--number); } .removed, .error { color: var(--wrong); }
        .note { color: var(--soft); } .to { color: var(--link); text-decoration: underline; cursor: pointer; }
        svg { width: 100%; height: auto; } rect { fill: var(--mark); stroke: var(--back); stroke-width: 2; }
        table { border-collapse: collapse; } th, td { padding: .1rem .8rem .1rem 0; text-align: left; }
        .count { text-align: right; font-variant-numeric: tabular-nums; }
        @media (max-width: 40rem) { svg { min-height: 8rem; } svg text { display: none; } }
        svg text { fill: var(--text); font-size: 12px; }
        """
}
