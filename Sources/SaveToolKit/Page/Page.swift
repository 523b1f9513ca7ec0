import SaveCodec

/// The frame of a self-contained HTML page. The page loads nothing from the network, and runs at most one script, which
/// is allowed by its hash.
enum Page {
    /// Writes the part of the page before the contents.
    ///
    /// - Parameters:
    ///   - title: The title of the page.
    ///   - scriptHash: The hash of the script that may run, or nil for none.
    static func begin(title: String, scriptHash: String? = nil, to output: inout ByteWriter) {
        let script = scriptHash.map { "script-src 'sha256-\($0)'; " } ?? ""
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

    /// Returns a text, which must be safe to print, escaped for HTML.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { entity($0) != nil }) else { return text }
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
    static let hash = "v4DAzHcobG2WdTk1oLLhlmeYQWwwyYs72O+JzTSn+iU="

    static let text = """
        :root { color-scheme: light dark; --text: #1f2328; --back: #fff; --soft: #59636e; --line: #d1d9e0; --mark: #ddf4ff;
          --string: #116329; --number: #8a4600; --link: #0550ae; --wrong: #a40e26; --old: #ffebe9; --new: #dafbe1;
          --oldword: #ffc9c4; --newword: #9be9a8; --hue0: #b6dcff; --hue1: #b4efbf; --hue2: #ffd9a0; --hue3: #ffc8c3;
          --hue4: #dccbff; --hue5: #ffc7e3; --hue6: #aeeaea; --hue7: #e6e39a; }
        @media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --back: #0d1117; --soft: #9198a1; --line: #3d444d;
          --mark: #12304f; --string: #7ee787; --number: #ffa657; --link: #79c0ff; --wrong: #ff9492;
          --old: #3a1618; --new: #10301a; --oldword: #8e2a2a; --newword: #1b6b34; --hue0: #11457f; --hue1: #185a2d;
          --hue2: #6b3f05; --hue3: #7d1f22; --hue4: #4d2f8a; --hue5: #752051; --hue6: #0e5459; --hue7: #545006; } }
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
        .row { padding-left: 2rem; text-indent: -2rem; font-family: ui-monospace, monospace;
          white-space: pre-wrap; overflow-wrap: anywhere; cursor: default; }
        .row > .key { word-break: break-all; }
        .row .number { display: inline-block; max-width: 100%; text-indent: 0; }
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
        .bar[hidden] { display: none; } .bar label { display: inline-flex; gap: .3rem; white-space: nowrap; }
        .bar label input { flex: none; min-width: 0; }
        details { margin: .5rem 0; border: 1px solid var(--line); border-radius: 6px; }
        summary { padding: .25rem .6rem; cursor: pointer; font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
        details[open] > summary { border-bottom: 1px solid var(--line); }
        details > ul { padding: .25rem .6rem .4rem; }
        details li { padding-left: 1.2rem; text-indent: -1.2rem; font-family: ui-monospace, monospace;
          white-space: pre-wrap; overflow-wrap: anywhere; }
        .near { padding-left: 0; text-indent: 0; white-space: normal; color: var(--soft); } .near details { margin: 0; border: none; }
        .near summary { display: inline-block; padding: 0 .2rem 0 0; font-size: 85%; border: none !important; }
        .near summary::before { content: "⋯ "; } .near ul { padding: 0 0 0 1.2rem; } .near .key { color: inherit; }
        .tree { margin: 0; border: none; } .tree > summary { display: block; padding: 0; border: none !important; }
        .tree > summary::after { content: " ▸"; color: var(--soft); } .tree[open] > summary::after { content: " ▾"; }
        .tree ul { padding: 0; white-space: normal; }
        del, ins { text-decoration: none; border-radius: 3px; padding: 0 .2rem; }
        del { color: var(--wrong); background: var(--old); } ins { color: var(--string); background: var(--new); }
        mark { color: var(--text); } del mark { background: var(--oldword); } ins mark { background: var(--newword); }
        a { color: var(--link); } h2 { font-size: 1rem; } dt { margin-top: .6rem; scroll-margin-top: 4rem;
          font-family: ui-monospace, monospace; } dt:target { background: var(--mark); }
        svg { display: block; width: 100%; max-width: 30rem; height: auto; }
        rect { stroke: var(--back); stroke-width: 2; }
        \((0..<8).map { ".hue\($0) { fill: var(--hue\($0)); }" }.joined(separator: " "))
        .list { width: 100%; max-width: 45rem; margin: .75rem 0 1.5rem; } .list th { color: var(--soft); }
        .list th, .list td { padding: .35rem 1rem .35rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
        .list .count, .list time { white-space: nowrap; overflow-wrap: normal; } .list th:first-child { width: 3rem; }
        table { border-collapse: collapse; } th, td { padding: .1rem .8rem .1rem 0; text-align: left; }
        .count { text-align: right; font-variant-numeric: tabular-nums; }
        svg text { fill: var(--text); font-size: 12px; } aside { padding-bottom: 1rem; } aside h2 { margin: .5rem 0; }
        aside table { margin: .25rem .6rem; } aside summary { font-family: inherit; }
        @media (max-width: 40rem) { [role=search] { position: static; } .list th, .list td { padding-right: .7rem; }
          .list th:first-child { width: auto; } .list td:nth-child(2) { min-width: 8rem; }
          .list time { white-space: normal; } }
        @media (min-width: 60rem) { .mapped { display: grid; grid-template-columns: minmax(0, 1fr) 22rem;
            column-gap: 1.5rem; } .mapped > :not([role=tree], aside) { grid-column: 1 / -1; }
          aside { position: sticky; top: 5rem; align-self: start; max-height: calc(100vh - 6rem); overflow: auto; } }
        """
}

// MARK: File names

/// The names of files in pages. People show pages to each other, and the folders that all files are in are private:
///
///     /volumes/ada/game/saves/slot1.save  ─▶  saves/slot1.save
///     /volumes/ada/game/old/slot1.save    ─▶  old/slot1.save
///
/// If the files have only the root folder in common, as many folders are shown as distinguish the names.
enum PageFileNames {
    /// Returns the names relative to the folder that all files are in. Names that do not begin at the same folder stay
    /// as they are.
    ///
    /// - Parameter areFull: Whether the names are returned unchanged.
    static func of(_ names: [String], areFull: Bool) -> [String] {
        // Standard input is not in a folder.
        let paths = names.filter { $0 != "-" }.map(steps)
        guard !areFull, let first = paths.first else { return names }
        var common = first.count - 1
        for path in paths {
            let pairs = zip(first.prefix(common), path.dropLast())
            common = pairs.prefix { $0.elementsEqual($1) }.count
        }
        let isRoot = common == 1 && first[0].isEmpty && paths.count > 1
        let shown = isRoot ? distinct(paths) : paths.map { $0.dropFirst(common) }
        var rest = shown[...]
        return names.map { name in
            guard name != "-", let steps = rest.popFirst() else { return name }
            return steps.map { String(Substring($0)) }.joined(separator: "/")
        }
    }

    /// Returns the names on the way to a file or folder. The name of a folder may end with a slash.
    private static func steps(_ name: String) -> [Substring.UTF8View] {
        var steps = name.utf8.split(separator: slash, omittingEmptySubsequences: false)
        if steps.count > 1, steps.last?.isEmpty == true { steps.removeLast() }
        return steps
    }

    /// Returns the last steps of each path, as many as make different paths different.
    private static func distinct(_ paths: [[Substring.UTF8View]]) -> [ArraySlice<Substring.UTF8View>] {
        func count(_ steps: Int) -> Int { Set(paths.map { $0.suffix(steps).map { String(Substring($0)) } }).count }
        let most = paths.reduce(1) { max($0, $1.count) }
        let wanted = count(most)
        // The number of different names never falls with more steps.
        let steps = (1..<most).partitioningIndex { count($0) == wanted }
        return paths.map { $0.suffix(steps) }
    }

    private static let slash = UInt8(ascii: "/")
}

extension Arguments {
    /// Returns the names for a page about files, safe to print.
    func pageNames(_ names: [String]) -> [String] {
        PageFileNames.of(names, areFull: has(.fullPath)).map(Invocation.shownName)
    }
}

extension Option {
    static let fullPath = Option("full-path", for: .output, help: "html: show whole paths")
}
