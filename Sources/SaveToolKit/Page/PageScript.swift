/// The script of a ``TreePage``. It inserts texts as text, never as HTML.
enum PageScript {
    /// The SHA-256 of the text in Base64.
    static let hash = "+wbpWNvIIU5B89GL2ZqLlA5k80V1VQ7jEBaJjtJYlqU="

    // A row is [depth, label, text, ink, step, target], as in `TreePage.Row`; ink is the name of the text role. The
    // elements of a row's children are created when the row is opened.
    static let text = #"""
        'use strict';
        const data = JSON.parse(document.getElementById('data').textContent);
        const rows = data.rows, parents = [], ends = [], items = new Map(), shown = new Map(), chunk = 300;
        const open = [];
        rows.forEach((row, i) => {
          while (open.length > row[0]) ends[open.pop()] = i;
          parents[i] = open.length ? open[open.length - 1] : -1;
          open.push(i);
        });
        while (open.length) ends[open.pop()] = rows.length;

        function make(name, attributes, ...children) {
          const svg = ['svg', 'g', 'rect', 'text', 'title'].includes(name);
          const element = svg ? document.createElementNS('http://www.w3.org/2000/svg', name) : document.createElement(name);
          for (const key in attributes) element.setAttribute(key, attributes[key]);
          element.append(...children);
          return element;
        }
        const lists = new Map();
        function children(i) {
          if (lists.has(i)) return lists.get(i);
          const list = [];
          lists.set(i, list);
          for (let child = i + 1; child < ends[i]; child = ends[child]) list.push(child);
          return list;
        }
        function address(i) {
          const steps = [];
          for (; i >= 0; i = parents[i]) steps.push(rows[i][4]);
          return steps.reverse().join('');
        }
        function find(pointer) {
          let i = 0;
          if (!pointer.startsWith(rows[0][4])) return -1;
          let rest = pointer.slice(rows[0][4].length);
          while (rest && i >= 0) {
            const fits = child => rest === rows[child][4] || rest.startsWith(rows[child][4] + '/');
            i = children(i).find(child => rows[child][4] && fits(child)) ?? -1;
            if (i >= 0) rest = rest.slice(rows[i][4].length);
          }
          return i;
        }

        function item(i) {
          const [depth, label, text, ink, , target] = rows[i];
          const row = make('div', {class: 'row'});
          if (label) row.append(make('bdi', {class: 'key'}, label), ': ');
          row.append(make('bdi', {class: target === undefined ? ink : 'to'}, text));
          const element = make('li', {role: 'treeitem', 'aria-level': depth + 1, 'aria-selected': false, tabindex: -1,
            'aria-label': (label ? label + ': ' : '') + text}, row);
          if (ends[i] > i + 1) element.setAttribute('aria-expanded', false);
          element.dataset.row = i;
          items.set(i, element);
          return element;
        }
        // Creates the children from `from` to `to`; buttons create more.
        function show(i, from, to) {
          const list = children(i), element = items.get(i), group = element.querySelector(':scope > ul')
            ?? element.appendChild(make('ul', {role: 'group'}));
          to = Math.min(to, list.length);
          shown.set(i, [from, to]);
          const more = (count, act) => {
            const button = make('button', {type: 'button'}, `${count.toLocaleString('en')} more`);
            button.addEventListener('click', event => { event.stopPropagation(); act(); });
            return make('li', {role: 'none'}, button);
          };
          const parts = list.slice(from, to).map(child => items.get(child) ?? item(child));
          if (from) parts.unshift(more(from, () => { show(i, Math.max(0, from - chunk), to); select(list[from - 1]); }));
          if (to < list.length) parts.push(more(list.length - to, () => { show(i, from, to + chunk); select(list[to]); }));
          group.replaceChildren(...parts);
        }
        function toggle(i, wanted) {
          const element = items.get(i);
          if (ends[i] === i + 1 || element.getAttribute('aria-expanded') === String(wanted)) return;
          element.setAttribute('aria-expanded', wanted);
          if (shown.has(i)) element.querySelector(':scope > ul').hidden = !wanted;
          else show(i, 0, chunk);
        }
        function reveal(i) {
          const path = [i];
          while (parents[path[0]] >= 0) path.unshift(parents[path[0]]);
          for (let n = 0; n + 1 < path.length; n++) {
            toggle(path[n], true);
            const at = children(path[n]).indexOf(path[n + 1]), [from, to] = shown.get(path[n]);
            const start = Math.floor(at / chunk) * chunk;
            if (at < from || at >= to) show(path[n], start, start + chunk);
          }
        }
        // Escapes invisible and bidirectional characters.
        function visible(text) {
          return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu,
            c => [...Array(c.length).keys()].map(n => '\\u' + c.charCodeAt(n).toString(16).toUpperCase().padStart(4, '0')).join(''));
        }
        let selected = 0;
        function select(i, focus = true) {
          reveal(i);
          const old = items.get(selected), element = items.get(i);
          old.setAttribute('aria-selected', false);
          old.tabIndex = -1;
          element.setAttribute('aria-selected', true);
          element.tabIndex = 0;
          selected = i;
          place.textContent = visible(address(i)) || '(root)';
          if (focus) element.focus({preventScroll: true});
          element.firstChild.scrollIntoView({block: 'center'});
        }
        function follow(i) {
          const target = rows[i][5] === undefined ? -1 : find(rows[i][5]);
          if (target >= 0) select(target);
          return target >= 0;
        }

        const search = make('input', {type: 'search', placeholder: 'Search', 'aria-label': 'Search'});
        const found = make('span', {role: 'status'});
        const copy = make('button', {type: 'button'}, 'Copy address');
        const close = make('button', {type: 'button'}, 'Collapse all');
        const expand = make('button', {type: 'button'}, 'Expand all'), most = 5000;
        const place = make('div', {class: 'place', 'aria-label': 'Address', role: 'group'});
        const tree = make('ul', {role: 'tree', 'aria-label': 'Contents'});
        let hits = [], hit = -1, sought = '';
        function seek(step) {
          const text = search.value.toLowerCase();
          if (text !== sought) {
            sought = text;
            hits = [];
            hit = step < 0 ? 0 : -1;
            if (text) rows.forEach((row, i) => {
              if ((row[1] + ': ' + row[2]).toLowerCase().includes(text)) hits.push(i);
            });
          }
          if (hits.length) {
            hit = (hit + step + hits.length) % hits.length;
            select(hits[hit], false);
          }
          found.textContent = !text ? '' : (hits.length ? `${hit + 1} of ${hits.length}` : 'not found')
            + (isCut ? ' in the shown text; long texts are cut' : '');
        }
        const isCut = rows.some(row => /" … [\d,]+ more UTF-16 units?$/.test(row[2]));
        let typing = 0;
        search.addEventListener('keydown', event => {
          if (event.key === 'Enter') seek(event.shiftKey ? -1 : 1);
        });
        search.addEventListener('input', () => {
          clearTimeout(typing);
          typing = setTimeout(() => { if (search.value.toLowerCase() !== sought) seek(1); }, 150);
        });
        expand.addEventListener('click', () => {
          for (let i = 0; i < rows.length && items.size < most; i++) if (items.has(i)) toggle(i, true);
          found.textContent = items.size < most ? '' : 'the first rows are open';
        });
        close.addEventListener('click', () => {
          select(0);
          for (const i of items.keys()) toggle(i, i === 0);
        });
        copy.addEventListener('click', async () => {
          try {
            await navigator.clipboard.writeText(address(selected) || "''");
            found.textContent = 'copied';
          } catch {
            getSelection().selectAllChildren(place);
            found.textContent = 'selected, press Control-C';
          }
        });
        tree.addEventListener('click', event => {
          const element = event.target.closest('[role=treeitem]');
          if (!element) return;
          const i = Number(element.dataset.row);
          if (event.target.className === 'to' && follow(i)) return;
          toggle(i, element.getAttribute('aria-expanded') !== 'true');
          select(i);
        });
        // Rows as they stand below each other; buttons between them are passed over.
        const isItem = element => element?.getAttribute('role') === 'treeitem';
        function beside(element, way) {
          do element = element[way]; while (element && !isItem(element));
          return element;
        }
        function within(element, end) {
          if (element.getAttribute('aria-expanded') !== 'true') return null;
          const edge = element.lastElementChild[end + 'ElementChild'];
          return isItem(edge) ? edge : edge && beside(edge, end === 'first' ? 'nextElementSibling' : 'previousElementSibling');
        }
        function lastWithin(element) {
          for (let last = element; last; last = within(last, 'last')) element = last;
          return element;
        }
        function after(element) {
          const first = within(element, 'first');
          if (first) return first;
          for (; isItem(element); element = element.parentElement.parentElement) {
            const next = beside(element, 'nextElementSibling');
            if (next) return next;
          }
        }
        function before(element) {
          const previous = beside(element, 'previousElementSibling');
          return previous ? lastWithin(previous) : element.parentElement.parentElement;
        }
        tree.addEventListener('keydown', event => {
          if (event.target.tagName === 'BUTTON' || event.ctrlKey || event.metaKey || event.altKey) return;
          const element = items.get(selected), expanded = element.getAttribute('aria-expanded');
          const go = element => { if (isItem(element)) select(Number(element.dataset.row)); };
          switch (event.key) {
          case 'ArrowDown': go(after(element)); break;
          case 'ArrowUp': go(before(element)); break;
          case 'Home': select(0); break;
          case 'End': go(lastWithin(items.get(0))); break;
          case 'ArrowRight': if (expanded === 'false') toggle(selected, true); else if (expanded) go(after(element)); break;
          case 'ArrowLeft':
            if (expanded === 'true') toggle(selected, false);
            else if (parents[selected] >= 0) select(parents[selected]);
            break;
          case 'Enter': if (!follow(selected)) toggle(selected, expanded !== 'true'); break;
          default: return;
          }
          event.preventDefault();
        });

        const sized = bytes => bytes < 1e4 ? bytes.toLocaleString('en') + (bytes === 1 ? ' byte' : ' bytes')
          : bytes < 1e6 ? (bytes / 1e3).toFixed(1) + ' KB' : (bytes / 1e6).toFixed(1) + ' MB';
        // Splits the list where its halves are closest in size, again and again, across the longer side.
        function treemap(sizes) {
          const map = make('svg', {viewBox: '0 0 352 352', role: 'img', 'aria-label': 'Bytes by class, see the table'});
          const work = [[sizes, 0, 0, 352, 352]];
          let hue = 0;
          while (work.length) {
            const [list, x, y, width, height] = work.pop();
            if (list.length === 1) {
              const [name, objects, bytes] = list[0];
              const count = `${objects.toLocaleString('en')} ${objects === 1 ? 'object' : 'objects'}`;
              const box = make('g', {class: 'hue' + hue++ % 8}, make('title', {}, `${name}: ${count}, ${sized(bytes)}`),
                make('rect', {x, y, width, height}));
              const room = Math.floor((width - 12) / 7.5);
              if (height > 20 && room > 2) box.append(make('text', {x: x + 6, y: y + 16},
                name.length > room ? [...name].slice(0, room - 1).join('') + '…' : name));
              if (height > 36 && room >= sized(bytes).length) box.append(make('text', {x: x + 6, y: y + 32}, sized(bytes)));
              map.append(box);
              continue;
            }
            const total = list.reduce((sum, row) => sum + row[2], 0);
            let cut = 1, part = list[0][2];
            while (cut < list.length - 1 && part + list[cut][2] / 2 < total / 2) part += list[cut++][2];
            const share = part / total, wide = width > height;
            work.push([list.slice(cut), wide ? x + width * share : x, wide ? y : y + height * share,
              wide ? width * (1 - share) : width, wide ? height : height * (1 - share)]);
            work.push([list.slice(0, cut), x, y, wide ? width * share : width, wide ? height : height * share]);
          }
          return map;
        }
        function table(sizes) {
          const cells = (name, texts, ink) => make('tr', {class: ink}, ...texts.map((text, n) =>
            make(name, {...(name === 'th' ? {scope: 'col'} : {}), ...(n ? {class: 'count'} : {})}, text)));
          const numbers = row => row.slice(0, 3).map((cell, n) => n ? cell.toLocaleString('en') : cell);
          return make('details', {}, make('summary', {}, 'Bytes by class, as a table'), make('table', {},
            make('thead', {}, cells('th', ['Class', 'Objects', 'Bytes'], 'plain')),
            make('tbody', {}, ...sizes.map(row => cells('td', numbers(row), row[3] ? 'plain' : 'note')))));
        }

        const main = make('main', {}, make('h1', {}, make('bdi', {}, data.title)), make('p', {}, data.about),
          make('div', {class: 'bar'}, search, found, copy, expand, close, place), tree);
        // A row of sizes is [name, objects, bytes, whether it is content]. The map shows only content.
        const sizes = data.sizes.filter(row => row[2] > 0), content = sizes.filter(row => row[3]);
        if (content.length) {
          main.className = 'mapped';
          main.append(make('aside', {'aria-label': 'Sizes'}, make('h2', {}, 'Bytes by class'), treemap(content), table(sizes)));
        }
        document.body.append(main);
        if (rows.length) {
          tree.append(item(0));
          toggle(0, true);
          // Opens small trees completely, and the beginning of larger ones if the page is to be read.
          if (rows.length <= 500 || data.opens) for (let i = 0; i < rows.length && items.size < 500; i++)
            if (items.has(i)) toggle(i, true);
          select(0, false);
          scrollTo(0, 0);
        }
        """#
}
