import SaveCodec

/// A page with groups of rows, which ``ListScript`` filters by kind and text. Without the script, all rows are shown.
enum ListPage {
    /// A kind of rows, which can be hidden.
    struct Kind {
        let name: String
        let count: Int
        /// The word in the attributes of rows, if it is not the name.
        var id: String?
    }

    /// Begins a page. The title and the text under it must be safe to print.
    ///
    /// - Parameters:
    ///   - kinds: The kinds of the rows; if empty, the page has no filter.
    ///   - hasNeighbours: Whether rows may have neighbours, which a button shows.
    static func begin(
        title: String, about: String, kinds: [Kind], hasNeighbours: Bool = false, to output: inout ByteWriter
    ) {
        Page.begin(title: title + " – savetool", scriptHash: ListScript.hash, to: &output)
        output.write("<header>\n<h1><bdi>\(Page.escaped(title))</bdi></h1>\n<p>\(Page.escaped(about))</p>\n</header>\n")
        defer { output.write("<main>\n") }
        guard !kinds.isEmpty else { return }
        output.write("<div class=\"bar\" role=\"search\" hidden>\n")
        output.write("<input type=\"search\" placeholder=\"Filter\" aria-label=\"Filter\">\n")
        for kind in kinds {
            let (name, id) = (Page.escaped(kind.name), Page.escaped(kind.id ?? kind.name))
            output.write(
                "<label><input type=\"checkbox\" value=\"\(id)\" checked> \(CountText.of(kind.count)) \(name)</label>\n"
            )
        }
        if hasNeighbours { output.write("<button type=\"button\" class=\"context\">Show unchanged</button>\n") }
        output.write(
            "<button type=\"button\" class=\"fold\">Collapse all</button>\n<span role=\"status\"></span>\n</div>\n")
    }

    /// Begins a group of rows.
    ///
    /// - Parameters:
    ///   - note: A text after the title.
    ///   - textRole: The colour of the note; `.note` also colours the title.
    static func beginGroup(
        _ title: String, note: String = "", _ textRole: TextRole = .plain, isOpen: Bool = true,
        to output: inout ByteWriter
    ) {
        output.write("<details\(isOpen ? " open" : "")><summary>\(text(title, textRole == .note ? .note : .key))")
        if !note.isEmpty { output.write(" \(text(note, textRole == .plain ? .note : textRole))") }
        output.write("</summary>\n<ul>\n")
    }

    /// Adds a row, whose contents are HTML.
    ///
    /// - Parameter contents: Lists in HTML that the row shows when it is opened; nil if it cannot be opened.
    static func add(_ html: String, contents: [UInt8]? = nil, kind: String, to output: inout ByteWriter) {
        output.write("<li data-kind=\"\(Page.escaped(kind))\">")
        if let contents {
            output.write("<details class=\"tree\"><summary>\(html)</summary>")
            output.write(contents)
            output.write("</details></li>\n")
        } else {
            output.write("\(html)</li>\n")
        }
    }

    /// Adds a row that is never hidden, and not counted.
    static func addNote(_ text: String, to output: inout ByteWriter) {
        output.write("<li>\(self.text(text, .note))</li>\n")
    }

    /// An unchanged value next to a row.
    enum Neighbour {
        /// A value in HTML.
        case value(String)
        /// A number of values that are left out, which may be 0.
        case gap(Int)
    }

    /// Adds unchanged values next to a row, which are collapsed: `3 of 15 unchanged`.
    static func addNeighbours(_ neighbours: [Neighbour], to output: inout ByteWriter) {
        var (shown, total, gap) = (0, 0, 0)
        var rows = ""
        for neighbour in neighbours {
            switch neighbour {
            case .gap(let count): gap += count
            case .value(let html):
                if gap > 0 { rows += Self.gap(gap) }
                (shown, total, gap) = (shown + 1, total + gap + 1, 0)
                rows += "<li>\(html)</li>\n"
            }
        }
        if gap > 0 { rows += Self.gap(gap) }
        total += gap
        guard shown > 0 else { return }
        let count = (shown < total ? CountText.of(shown) + " of " : "") + CountText.of(total)
        output.write("<li class=\"near\"><details><summary>\(count) unchanged</summary>\n<ul>\n\(rows)")
        output.write("</ul></details></li>\n")
    }

    private static func gap(_ count: Int) -> String { "<li>… \(CountText.of(count)) more</li>\n" }

    static func endGroup(to output: inout ByteWriter) {
        output.write("</ul></details>\n")
    }

    /// Ends the page.
    ///
    /// - Parameters:
    ///   - appendix: HTML after the groups.
    ///   - hasFilter: Whether the page has kinds of rows.
    static func end(appendix: String = "", hasFilter: Bool = true, to output: inout ByteWriter) {
        output.write("\(appendix)</main>\n")
        if hasFilter { output.write("<script>\(ListScript.text)</script>\n") }
        Page.end(to: &output)
    }

    /// Returns the HTML of a text, which must be safe to print, in the colour of `textRole`. Lines of keys, addresses
    /// and file names are broken before slashes.
    static func text(_ text: String, _ textRole: TextRole) -> String {
        let name = TreePage.name(textRole)
        var html = Page.escaped(text)
        if textRole == .key, html.utf8.dropFirst().contains(UInt8(ascii: "/")) {
            let steps = html.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            html = steps.map { String(Substring($0)) }.joined(separator: "<wbr>/")
            if steps[0].isEmpty { html.removeFirst("<wbr>".count) }
        }
        return (name == "plain" ? "<bdi>" : "<bdi class=\"\(name)\">") + html + "</bdi>"
    }
}

/// The script of a ``ListPage``. It only hides and shows elements.
enum ListScript {
    /// The SHA-256 of the text in Base64.
    static let hash = "4FJg9EzeLWW2nGiBD2ymejOqTah+cjVnIohOIk4iZNw="

    static let text = #"""
        'use strict';
        const bar = document.querySelector('.bar'), search = bar.querySelector('[type=search]');
        const boxes = [...bar.querySelectorAll('[type=checkbox]')], found = bar.querySelector('[role=status]');
        const lists = [...document.querySelectorAll('main > details')].map(group => ({
          group, title: group.firstElementChild.textContent.toLowerCase(),
          rows: [...group.querySelectorAll('[data-kind]')].map(row => Object.assign(row, {
            links: [...row.querySelectorAll('a')].map(link => link.hash.slice(1)) })),
          nears: [...group.querySelectorAll('.near')], wasOpen: group.open
        }));
        const terms = [...document.querySelectorAll('main > section dt')];
        const total = lists.reduce((sum, { rows }) => sum + rows.length, 0);
        function filter() {
          const text = search.value.toLowerCase(), kinds = new Set(boxes.filter(box => box.checked).map(box => box.value));
          let count = 0;
          const linked = new Set();
          for (const list of lists) {
            const isNamed = list.title.includes(text);
            let shown = 0;
            for (const row of list.rows) {
              row.hidden = !kinds.has(row.dataset.kind) || !isNamed && !row.textContent.toLowerCase().includes(text);
              if (row.hidden) continue;
              shown++;
              for (const link of row.links) linked.add(link);
            }
            for (const near of list.nears)
              near.hidden = [near.previousElementSibling, near.nextElementSibling].every(row => row?.hidden ?? true);
            list.group.hidden = !shown;
            list.group.open = text ? true : list.wasOpen;
            count += shown;
          }
          for (const term of terms) term.hidden = term.nextElementSibling.hidden = !linked.has(encodeURI(term.id));
          for (const section of document.querySelectorAll('main > section')) section.hidden = !linked.size;
          found.textContent =
            count === total ? '' : `${count.toLocaleString('en')} of ${total.toLocaleString('en')} rows shown`;
        }
        let typing = 0;
        search.addEventListener('input', () => { clearTimeout(typing); typing = setTimeout(filter, 150); });
        for (const box of boxes) box.addEventListener('change', filter);
        const fold = bar.querySelector('.fold'), context = bar.querySelector('.context');
        fold.addEventListener('click', () => {
          const opens = fold.textContent === 'Expand all';
          for (const list of lists) list.group.open = list.wasOpen = opens;
          fold.textContent = opens ? 'Collapse all' : 'Expand all';
        });
        context?.addEventListener('click', () => {
          const opens = context.textContent === 'Show unchanged';
          for (const list of lists) for (const near of list.nears) near.firstElementChild.open = opens;
          context.textContent = opens ? 'Hide unchanged' : 'Show unchanged';
        });
        bar.hidden = false;
        """#
}
