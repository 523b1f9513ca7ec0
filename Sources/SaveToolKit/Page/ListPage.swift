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
    /// - Parameter hasNeighbours: Whether rows may have neighbours, which a button shows.
    static func begin(
        title: String, about: String, kinds: [Kind], hasNeighbours: Bool = false, to output: inout ByteWriter
    ) {
        Page.begin(title: title + " – savetool", scriptHash: ListScript.hash, to: &output)
        output.write("<header>\n<h1><bdi>\(Page.escaped(title))</bdi></h1>\n<p>\(Page.escaped(about))</p>\n</header>\n")
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
            "<button type=\"button\" class=\"fold\">Collapse all</button>\n<span role=\"status\"></span>\n</div>\n<main>\n"
        )
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
    static func add(_ html: String, kind: String, to output: inout ByteWriter) {
        output.write("<li data-kind=\"\(Page.escaped(kind))\">\(html)</li>\n")
    }

    /// Adds a row that is never hidden, and not counted.
    static func addNote(_ text: String, to output: inout ByteWriter) {
        output.write("<li>\(self.text(text, .note))</li>\n")
    }

    /// Adds unchanged values next to a row, which are collapsed. The values are HTML; empty for none.
    static func addNeighbours(_ values: [String], to output: inout ByteWriter) {
        guard !values.isEmpty else { return }
        output.write("<li class=\"near\"><details><summary>\(CountText.of(values.count)) unchanged</summary>\n<ul>\n")
        for value in values { output.write("<li>\(value)</li>\n") }
        output.write("</ul></details></li>\n")
    }

    static func endGroup(to output: inout ByteWriter) {
        output.write("</ul></details>\n")
    }

    /// Ends the page.
    ///
    /// - Parameter appendix: HTML after the groups.
    static func end(appendix: String = "", to output: inout ByteWriter) {
        output.write("\(appendix)</main>\n<script>\(ListScript.text)</script>\n")
        Page.end(to: &output)
    }

    /// Returns the HTML of a text, which must be safe to print, in the colour of `textRole`.
    static func text(_ text: String, _ textRole: TextRole) -> String {
        let name = TreePage.name(textRole)
        return (name == "plain" ? "<bdi>" : "<bdi class=\"\(name)\">") + Page.escaped(text) + "</bdi>"
    }
}

/// The script of a ``ListPage``. It only hides and shows elements.
enum ListScript {
    /// The SHA-256 of the text in Base64.
    static let hash = "ZDo6aaW7k1XK4kYNBGEptdi9gTqKWmRD8dzwQrO27a4="

    static let text = #"""
        'use strict';
        const bar = document.querySelector('.bar'), search = bar.querySelector('[type=search]');
        const boxes = [...bar.querySelectorAll('[type=checkbox]')], found = bar.querySelector('[role=status]');
        const lists = [...document.querySelectorAll('main > details')].map(group => ({
          group, title: group.firstElementChild.textContent.toLowerCase(),
          rows: [...group.querySelectorAll('[data-kind]')], nears: [...group.querySelectorAll('.near')], wasOpen: group.open
        }));
        const total = lists.reduce((sum, { rows }) => sum + rows.length, 0);
        function filter() {
          const text = search.value.toLowerCase(), kinds = new Set(boxes.filter(box => box.checked).map(box => box.value));
          let count = 0;
          for (const list of lists) {
            const isNamed = list.title.includes(text);
            let shown = 0;
            for (const row of list.rows) {
              row.hidden = !kinds.has(row.dataset.kind) || !isNamed && !row.textContent.toLowerCase().includes(text);
              if (!row.hidden) shown++;
            }
            for (const near of list.nears)
              near.hidden = [near.previousElementSibling, near.nextElementSibling].every(row => row?.hidden ?? true);
            list.group.hidden = !shown;
            list.group.open = text ? true : list.wasOpen;
            count += shown;
          }
          found.textContent = count === total ? '' : `${count.toLocaleString('en')} of ${total.toLocaleString('en')} shown`;
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
