#!/usr/bin/env python3
"""sqlite_identity.py SAVETOOL [COUNT [SEED [FILE …]]]: compares all values of databases as read by savetool and by
Python's sqlite3.

COUNT random databases (default 150) have pages of all sizes, all encodings, tables with and without rowid, all kinds of
keys, long values, deleted rows, columns that were added later or are generated, indexes, views, triggers, virtual
tables, and write-ahead logs with and without a checkpoint. A third as many are damaged or truncated. If savetool
refuses one, SQLite must report errors, too; if savetool reads it, it must read the same as SQLite. FILE names other
databases.
"""
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import sys
import tempfile

import runner

TYPES = ["", "INTEGER", "INT", "TEXT", "VARCHAR(20)", "REAL", "DOUBLE PRECISION", "BLOB", "NUMERIC", "DECIMAL(9,2)",
         "DATE", "FLOATING POINT", "CHARINT"]
WORDS = ["Troll", "Orc", "Zoë", "Łucja", "naïve", "日本語", "😀", "a'b", 'say "hi"', "x'00'", "null", "rowid 3", "12", "-1.5",
         "1e5", " 7 ", "", "a\nb", "tab\there", "end\x00behind", "[1]", "\u0301", "inf", "-inf", "nullable", "infinite"]
NAMES = ["id", "name", "hitpoints", "a b", 'quo"te', "select", "Größe", "x[1]", "it's", "$data", "a/b", "~c"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class Maker:
    """Writes one random database."""

    def __init__(self, seed, path):
        self.random = random.Random(seed)
        self.path = path

    def text(self):
        text = self.random.choice(WORDS)
        kind = self.random.random()
        if kind < 0.05:
            return text * self.random.randrange(100, 4000)
        return text + str(self.random.randrange(50)) if kind < 0.3 else text

    def value(self):
        pick = self.random.random()
        if pick < 0.12:
            return None
        if pick < 0.4:
            return self.random.choice([0, 1, -1, 127, 128, -129, 32767, 32768, 2**23, -2**23 - 1, 2**31, 2**47, -2**47 - 1,
                                       2**63 - 1, -2**63, self.random.randrange(-1000, 1000)])
        if pick < 0.55:
            return self.random.choice([0.0, -0.0, 1.0, 1.5, -2.25, 1e20, 1e-300, 5e-324, 1.7976931348623157e308,
                                       float("inf"), -float("inf"), self.random.uniform(-1e6, 1e6), 2.0**53])
        if pick < 0.8:
            return self.text()
        size = self.random.choice([0, 1, 5, 30, 300, 3000, 70000] if self.random.random() < 0.3 else [0, 1, 5, 30])
        return self.random.randbytes(size)

    def literal(self):
        literals = ["5", "-7", "+3", "1.5", "'x'", "' 12 '", "'1.0'", "x'00ff'", "NULL", "0x10", "3000000000",
                    "99999999999999999999", "007", "'it''s'", '"word"', "-0", "1e300"]
        # Earlier versions turn these into integers in every column.
        newer = ["TRUE", "FALSE", "-1e3"] if sqlite3.sqlite_version_info >= (3, 45) else []
        return self.random.choice(literals + newer)

    def columns(self):
        count = self.random.choice([1, 2, 3, 4, 6, 12, 40])
        names = self.random.sample(NAMES, min(count, len(NAMES))) + [f"c{n}" for n in range(count - len(NAMES))]
        return [(name, self.random.choice(TYPES)) for name in names]

    def create(self, db, table):
        """Creates a table and returns its writable columns, without an autoincrement column."""
        pick = self.random
        columns = self.columns()
        parts = [quoted(name) + " " + type for name, type in columns]
        names = [name for name, _ in columns]
        kind = pick.choice(["none", "rowid", "rowid-table", "descending", "one", "one-collated", "several", "without", "without-several"])
        options, rest = "", []
        if kind == "rowid":
            counts = pick.choice(["", " asc", " autoincrement"])
            parts[0] = quoted(names[0]) + " integer /* the rowid */ primary key" + counts
            if counts == " autoincrement":
                parts += [] if names[1:] else ["x"]
                names = names[1:] or ["x"]
        elif kind == "rowid-table":
            parts[0] = quoted(names[0]) + " INTEGER"
            rest.append(f"PRIMARY KEY({quoted(names[0])} DESC)")
        elif kind == "descending":
            parts[0] = quoted(names[0]) + " INTEGER PRIMARY KEY DESC"
        elif kind == "one":
            parts[0] += " CONSTRAINT k PRIMARY KEY ON CONFLICT IGNORE"
        elif kind == "one-collated":
            parts[0] += " COLLATE NOCASE PRIMARY KEY"
        elif kind == "several":
            rest.append("CONSTRAINT pk PRIMARY KEY(" + ", ".join(map(quoted, pick.sample(names, min(2, len(names))))) + ")")
        elif kind == "without":
            parts[0] += " primary key"
            options = " WITHOUT ROWID"
        elif kind == "without-several":
            key = pick.sample(names, min(3, len(names)))
            rest.append("PRIMARY KEY(" + ", ".join(quoted(n) + pick.choice(["", " DESC", " COLLATE NOCASE"]) for n in key)
                        + pick.choice(["", ", " + quoted(key[0])]) + ")")
            options = " WITHOUT ROWID"
        for index in range(1, len(parts)):
            parts[index] += pick.choice(["", "", "", " DEFAULT 5", " NOT NULL DEFAULT (1+1)", " CHECK (1 IN (1, 2))", " DEFAULT 'a)'",
                                         " REFERENCES other(x) ON DELETE SET DEFAULT", " COLLATE RTRIM"])
        if pick.random() < 0.2:
            parts.append(f"stored_one INTEGER GENERATED ALWAYS AS (length({quoted(names[-1])}) * 2) STORED")
        if pick.random() < 0.2:
            parts.insert(pick.randrange(1, len(parts) + 1), f"virtual_one AS (length({quoted(names[0])}))")
        if pick.random() < 0.1:
            rest.append(f"CHECK ({quoted(names[0])} IS NOT 'never, (ever)')")
        db.execute(f"CREATE TABLE {quoted(table)} (" + ", ".join(parts + rest) + f") {options}")
        return names

    def fill(self, db, table, names):
        rows = self.random.choice([0, 1, 3, 20, 200, 1500])
        marks = ", ".join("?" * len(names))
        columns = ", ".join(map(quoted, names))
        for _ in range(rows):
            try:
                db.execute(f"INSERT OR IGNORE INTO {quoted(table)} ({columns}) VALUES ({marks})",
                           [self.value() for _ in names])
            except sqlite3.IntegrityError:
                pass  # The rowid is not an integer.

    def alter(self, db, table, names):
        for _ in range(self.random.choice([0, 0, 1, 3])):
            name = f"added{self.random.randrange(10**6)}"
            default = self.random.choice(["", f" DEFAULT {self.literal()}"])
            db.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {name} {self.random.choice(TYPES)}{default}")
            names.append(name)
        self.fill(db, table, names) if self.random.random() < 0.5 else None

    def make(self):
        pick = self.random
        db = sqlite3.connect(self.path, isolation_level=None)
        db.execute("PRAGMA synchronous=OFF")
        db.execute(f"PRAGMA page_size={pick.choice([512, 1024, 2048, 4096, 8192, 16384, 32768, 65536])}")
        db.execute(f"PRAGMA encoding='{pick.choice(['UTF-8', 'UTF-8', 'UTF-16le', 'UTF-16be'])}'")
        db.execute(f"PRAGMA auto_vacuum={pick.choice([0, 0, 1, 2])}")
        log = pick.random() < 0.4
        if log:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute(f"PRAGMA wal_autocheckpoint={pick.choice([0, 1, 1000])}")
        tables = [f"table {n}" if pick.random() < 0.3 else f"t{n}" for n in range(pick.randrange(0, 6))]
        made = {}
        for step in range(pick.choice([1, 1, 2])):
            db.execute("BEGIN")
            for table in tables:
                if table not in made:
                    made[table] = self.create(db, table)
                self.fill(db, table, made[table])
                self.alter(db, table, made[table])
                if pick.random() < 0.4:
                    db.execute(f"DELETE FROM {quoted(table)} WHERE length(hex({quoted(made[table][-1])})) % 3 = 0")
            if step == 0 and tables:
                self.extras(db, tables[0], made[tables[0]])
            db.execute("COMMIT")
            if log and pick.random() < 0.3:
                db.execute("PRAGMA wal_checkpoint")
        if pick.random() < 0.1:
            db.execute("PRAGMA incremental_vacuum" if pick.random() < 0.5 else "VACUUM")
        return db

    def extras(self, db, table, made):
        name = quoted(table)
        db.execute(f"CREATE VIEW a_view AS SELECT * FROM {name}")
        db.execute(f"CREATE INDEX an_index ON {name} ({quoted(made[-1])})")
        db.execute(f"CREATE TRIGGER a_trigger AFTER DELETE ON {name} BEGIN SELECT 1; END")
        if self.random.random() < 0.3:
            db.execute("CREATE VIRTUAL TABLE search USING fts5(body, \"a title\")")
            db.execute("INSERT INTO search VALUES ('a troll', 'x'), ('an orc', 'y')")
        if self.random.random() < 0.3:
            db.execute("CREATE TABLE odd (a TEXT, b)")
            for raw in ["ff", "c3", "eda080", "00d8", "d800", "6100", "0061", "61"]:
                db.execute(f"INSERT INTO odd VALUES (CAST(x'{raw}' AS TEXT), CAST(x'{raw}' AS TEXT))")
        if self.random.random() < 0.3:
            db.execute("CREATE TABLE strict_one (a INT, b REAL, c TEXT, d BLOB, e ANY) STRICT")
            db.execute("INSERT INTO strict_one VALUES (1, 2, '3', x'04', '05'), (NULL, 2.5, NULL, NULL, 6)")
            db.execute("ANALYZE")


# Databases as read by SQLite.

class Database:
    """All values of a database by Python's sqlite3, in the form that savetool's documentation describes."""

    def __init__(self, path):
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.db.text_factory = lambda raw: raw.decode("utf-8", "surrogatepass")
        self.encoding = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}[
            self.db.execute("PRAGMA encoding").fetchone()[0]]

    def text(self, raw):
        """Returns a text, or its bytes if they are not valid."""
        try:
            if self.encoding == "utf-8":
                return raw.decode("utf-8")
            return raw.decode(self.encoding, "surrogatepass")
        except UnicodeDecodeError:
            return raw

    def value(self, kind, value):
        return self.text(bytes(value)) if kind == "text" else bytes(value) if kind == "blob" else value

    def tables(self):
        entries = self.db.execute("SELECT name, rootpage, sql FROM sqlite_schema WHERE type = 'table' ORDER BY rowid").fetchall()
        return [(name, self.rows(name, sql)) for name, root, sql in entries if root]

    def rows(self, table, sql):
        info = self.db.execute(f"PRAGMA table_xinfo({quoted(table)})").fetchall()
        shown = [(name, type) for _, name, type, _, _, _, hidden in info if hidden in (0, 3)]
        key = [name for pk, name in sorted((pk, name) for _, name, _, _, _, pk, _ in info if pk)]
        types = {name: affinity(type) for _, name, type, _, _, _, _ in info}
        has_rowid = not any(row[4] for row in self.db.execute("PRAGMA table_list") if row[1] == table)
        rowid = self.rowid_name([name for _, name, *_ in info]) if has_rowid else None
        is_alias = has_rowid and len(key) == 1 and self.is_alias(table, key[0], rowid)
        picks = ["NULL" if rowid is None else rowid]
        for name, _ in shown:
            picks += [f"typeof({quoted(name)})", f"CASE typeof({quoted(name)}) WHEN 'text' THEN CAST({quoted(name)} AS BLOB) ELSE {quoted(name)} END"]
        rows = []
        order = rowid or self.key_order(table)
        for number, *cells in self.db.execute(f"SELECT {', '.join(picks)} FROM {quoted(table)} ORDER BY {order}"):
            row = {name: self.value(cells[2 * n], cells[2 * n + 1]) for n, (name, _) in enumerate(shown)}
            kinds = {name: cells[2 * n] for n, (name, _) in enumerate(shown)}
            if rowid and (is_alias or not key):
                rows.append((str(number), row, number))
            elif rowid and any(row[name] is None for name in key):
                rows.append((f"rowid {number}", row, [self.order(row[n], kinds[n], cells, shown, n) for n in key]))
            else:
                text = [self.part(row[n], kinds[n], types[n], len(key) == 1) for n in key]
                rows.append((text[0] if len(key) == 1 else "[" + ",".join(text) + "]", row,
                             [self.order(row[n], kinds[n], cells, shown, n) for n in key]))
        if rowid and key and not is_alias:
            rows.sort(key=lambda row: row[2])  # The sort is stable, so that equal keys keep the order of their rowids.
        return [(key, row) for key, row, _ in rows]

    def key_order(self, table):
        """Returns the order of rows in a table without rowid."""
        index = next(name for _, name, _, origin, _ in self.db.execute(f"PRAGMA index_list({quoted(table)})") if origin == "pk")
        return ", ".join(f"{quoted(name)} COLLATE {collation}" + (" DESC" if falls else "") for _, _, name, falls, collation, is_key
                         in self.db.execute(f"PRAGMA index_xinfo({quoted(index)})") if is_key)

    @staticmethod
    def order(value, kind, cells, shown, name):
        rank = {"null": 0, "integer": 1, "real": 1, "text": 2, "blob": 3}[kind]
        if rank < 2:
            return rank, value or 0
        position = [n for n, _ in shown].index(name)
        return rank, bytes(cells[2 * position + 1])

    @staticmethod
    def rowid_name(columns):
        folded = {name.lower() for name in columns}
        return next((name for name in ["rowid", "_rowid_", "oid"] if name not in folded), None)

    def is_alias(self, table, column, rowid):
        # An alias is never NULL, and has no index.
        return not any(origin == "pk" for _, _, _, origin, _ in self.db.execute(f"PRAGMA index_list({quoted(table)})"))

    def part(self, value, kind, type, is_alone):
        if kind == "null":
            return "null"
        if kind == "integer":
            return str(value)
        if kind == "real":
            return real(value)
        if kind == "blob":
            return f"x'{value.hex()}'"
        if isinstance(value, bytes):
            return f"text x'{value.hex()}'"
        if is_alone and not self.is_ambiguous(value, type):
            return value
        return json_string(value)

    @staticmethod
    def is_ambiguous(text, type):
        if text == "null" or text.startswith(('"', "x'", "text x'", "rowid ")):
            return True
        if any(0xD800 <= ord(character) < 0xE000 for character in text):
            return True
        if type == "TEXT":
            return False
        if text in ("inf", "-inf"):
            return True
        digits = text[1:] if text[:1] in ("+", "-") else text
        if not digits or set(digits) - set("0123456789.eE+-") or not set(digits[:2]) & set("0123456789"):
            return False
        try:
            float(text)
        except ValueError:
            return False
        return True


def affinity(type):
    name = type.upper()
    if "INT" in name:
        return "INTEGER"
    if any(word in name for word in ("CHAR", "CLOB", "TEXT")):
        return "TEXT"
    if not name or "BLOB" in name:
        return "BLOB"
    return "REAL" if any(word in name for word in ("REAL", "FLOA", "DOUB")) else "NUMERIC"


def real(value):
    if value in (float("inf"), -float("inf")):
        return "inf" if value > 0 else "-inf"
    return shortest.get(value) or repr(value)


shortest = {}


def json_string(text):
    """Returns a text as a JSON string as savetool writes it."""
    import unicodedata
    out = ['"']
    for unit in text:
        if unit in '"\\':
            out.append("\\" + unit)
        elif unit in "\b\f\n\r\t":
            out.append({"\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}[unit])
        elif unicodedata.category(unit) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or ord(unit) < 32:
            for half in [unit.encode("utf-16-be", "surrogatepass")[n:n + 2] for n in range(0, len(unit.encode("utf-16-be", "surrogatepass")), 2)]:
                out.append("\\u" + half.hex().upper())
        else:
            out.append(unit)
    return "".join(out) + '"'


# Databases as read by savetool.

def pairs(items):
    return [("pair", key, value) for key, value in items]


def plain(value):
    """Returns typed JSON as Python values. Dictionaries are lists of pairs."""
    if not isinstance(value, list) or not value or not all(isinstance(item, tuple) and item[0] == "pair" for item in value):
        return value
    if len(value) == 1:
        _, tag, content = value[0]
        if tag == "$data":
            import base64
            return base64.b64decode(content)
        if tag == "$real":
            return float(content)
        if tag == "$dict":
            return [(key, plain(item)) for key, item in content]
    return [(key, plain(item)) for _, key, item in value]


def read(path):
    text = path.read_text("utf-8", "surrogatepass")
    value = plain(json.loads(text, object_pairs_hook=pairs))
    return value if isinstance(value, list) else []


def same(a, b):
    if isinstance(a, float) and isinstance(b, float):
        return a == b and str(a) == str(b)
    return type(a) is type(b) and a == b


def difference(expected, found, uncomputed):
    """Returns a description of the first difference, or None. Columns whose default is reported as not computed are
    null in older rows."""
    if [name for name, _ in expected] != [name for name, _ in found]:
        return f"tables {[name for name, _ in expected]} became {[name for name, _ in found]}"
    for (table, rows), (_, others) in zip(expected, found):
        if [key for key, _ in rows] != [key for key, _ in others]:
            odd = next((pair for pair in zip([k for k, _ in rows], [k for k, _ in others]) if pair[0] != pair[1]), None)
            return f"{table}: {len(rows)} and {len(others)} rows; first other key {odd!r:.300}"
        for (key, row), (_, other) in zip(rows, others):
            other = dict(other)
            if list(row) != list(other):
                return f"{table}/{key}: columns {list(row)} became {list(other)}"
            for column, value in row.items():
                if not same(value, other[column]) and not (other[column] is None and column in uncomputed):
                    return f"{table}/{key}/{column}: {value!r:.200} became {other[column]!r:.200}"
    return None


def damage(seed, source, target):
    """Changes relevant bytes of a database, or truncates it."""
    pick = random.Random(seed)
    data = bytearray(source.read_bytes())
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    for _ in range(pick.choice([1, 1, 2, 5])):
        page = pick.randrange(max(1, len(data) // size)) * size
        kind = pick.random()
        if kind < 0.15:
            del data[pick.randrange(100, len(data)):]
            data += bytes([0] * 0)
            if len(data) < 200:
                break
        elif kind < 0.6:
            place = page + pick.choice([0, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, pick.randrange(size)])
            if page == 0:
                place = min(place + 100, len(data) - 1)
            if place < len(data):
                data[place] = pick.choice([0, 1, 2, 5, 10, 13, 255, pick.randrange(256)])
        else:
            place = pick.randrange(len(data))
            data[place] ^= 1 << pick.randrange(8)
    target.write_bytes(data)


def complaints(path):
    """Returns SQLite's messages about a damaged database."""
    try:
        db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        db.text_factory = bytes
        return [row[0].decode("utf-8", "replace") for row in db.execute("PRAGMA integrity_check")]
    except sqlite3.Error as error:
        return [str(error)]


def judge(savetool, files, report, title):
    batch = runner.Batch(savetool)
    texts, messages = batch.convert(files, "--to", "json")
    for name, path in files.items():
        try:
            expected = Database(path).tables()
        except sqlite3.Error as error:
            expected = error
        if name not in texts:
            if title == "damaged" and complaints(path) != ["ok"]:
                report.count("damaged refused by both")
            elif title == "damaged" and "cut off" in messages.of(name) and path.stat().st_size % 512:
                report.count("cut off within the last page, which SQLite fills with zeros")
            else:
                report.fail(name, f"not read: {messages.of(name)}")
        elif isinstance(expected, Exception):
            report.count("damaged, read where SQLite stops" if title == "damaged" else "sqlite3 fails")
            if title != "damaged":
                report.fail(name, f"read, though SQLite says: {expected}")
        else:
            uncomputed = re.findall(r'the default of the column "(\w+)" is not known',
                                    "\n".join(messages.lines.get(name, [])))
            what = difference(expected, read(texts[name]), uncomputed)
            if what is None and uncomputed:
                report.count(f"{title} the same except for reported defaults")
            elif what is None:
                report.count(f"{title} the same")
            elif title == "damaged" and complaints(path) != ["ok"]:
                report.count("damaged, other values where SQLite complains")
                if os.environ.get("VERBOSE"):
                    print(name, what, complaints(path)[:2])
            else:
                report.fail(name, what)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    savetool = pathlib.Path(sys.argv[1]).resolve()
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 150
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    report = runner.Report("sqlite identity")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for start in range(0, count, 100):
            work = folder / f"{start}"
            work.mkdir()
            files, damaged = {}, {}
            for number in range(start, min(start + 100, count)):
                open_db = Maker(seed * 1000003 + number, str(work / "made.db")).make()
                copy = work / f"{number}.db"
                for ending in ["", "-wal"]:
                    if os.path.exists(str(work / "made.db") + ending):
                        shutil.copy(str(work / "made.db") + ending, str(copy) + ending)
                open_db.close()
                for path in work.glob("made.db*"):
                    path.unlink()
                if copy.stat().st_size == 0:
                    continue  # No table was created.
                files[f"random {seed}/{number}"] = copy
                if number % 3 == 0 and not os.path.exists(f"{copy}-wal") and copy.stat().st_size > 512:
                    damaged[f"damaged {seed}/{number}"] = work / f"{number}-damaged.db"
                    damage(number, copy, work / f"{number}-damaged.db")
            judge(savetool, files, report, "random")
            judge(savetool, damaged, report, "damaged")
            shutil.rmtree(work)
    judge(savetool, {path: pathlib.Path(path).resolve() for path in sys.argv[4:]}, report, "real")
    report.end()


main()
