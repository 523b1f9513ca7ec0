"""SQLite databases: those of games, written by Python's sqlite3, and others assembled from bytes, which SQLite would
not write, or would write differently in another version.

    python3 databases.py FIXTURES

writes `databases/`, and files of group 65 into `bad/` and `tricky/`. It runs after hostile.py and deletes nothing.
"""
import pathlib
import plistlib
import sqlite3
import struct
import sys
import tempfile

SIZE = 512


# Databases of games.

def written(*statements, page_size=1024):
    """Returns a database written by SQLite, with a fixed version number in its header."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "made.sqlite"
        db = sqlite3.connect(path, isolation_level=None)
        db.execute(f"PRAGMA page_size={page_size}")
        db.execute("BEGIN")
        for statement in statements:
            db.execute(*statement) if isinstance(statement, tuple) else db.execute(statement)
        db.execute("COMMIT")
        db.close()
        data = bytearray(path.read_bytes())
    data[96:100] = struct.pack(">I", 3040001)
    return bytes(data)


def monsters(fixtures):
    """The tutorial's store with a table of monsters, and tables of loot, game states and high scores."""
    state = (fixtures / "games/gameobject.save").read_bytes()
    return [
        "CREATE TABLE monsters (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hitpoints INTEGER, speed REAL)",
        "INSERT INTO monsters VALUES (1, 'Mountain troll', 250, 1.5), (2, 'Orc', 60, 2), (3, 'Slime', 12, NULL)",
        "CREATE TABLE loot (monster INTEGER, item TEXT, count INTEGER DEFAULT 1, PRIMARY KEY (monster, item)) WITHOUT ROWID",
        "INSERT INTO loot VALUES (1, 'club', 1), (1, 'gold', 40), (2, 'axe', 1)",
        "CREATE TABLE saves (slot TEXT PRIMARY KEY, state BLOB)",
        ("INSERT INTO saves VALUES ('quick', ?)", (state,)),
        "CREATE TABLE scores (name TEXT, score INTEGER, date TEXT)",
        "INSERT INTO scores VALUES ('Ada', 98200, '2009-09-06T12:34:56Z'), ('Grace', 91750, '2009-09-05T12:11:52Z')",
        "CREATE INDEX by_name ON monsters (name)",
    ]


LATER = [
    "UPDATE monsters SET hitpoints = 45 WHERE id = 2",
    "DELETE FROM monsters WHERE id = 3",
    "INSERT INTO monsters VALUES (4, 'Dragon', 900, 8)",
    "UPDATE loot SET count = 41 WHERE monster = 1 AND item = 'gold'",
]


def core_data():
    """A store as written by Core Data: two entities in one table, one of which inherits from the other."""
    metadata = plistlib.dumps({"NSStoreType": "SQLite", "_NSAutoVacuumLevel": "2",
                               "NSStoreModelVersionHashes": {"Monster": bytes(4)}}, fmt=plistlib.FMT_BINARY)
    picture = plistlib.dumps({"colour": "green"}, fmt=plistlib.FMT_BINARY)
    name = b"\x02B53A1C0E-4F7D-4C2B-9F21-0A6E5D3C8B71\x00"
    return [
        "CREATE TABLE ZMONSTER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHITPOINTS INTEGER, "
        "ZLAIR INTEGER, ZBORN TIMESTAMP, ZNAME VARCHAR, ZPICTURE BLOB )",
        ("INSERT INTO ZMONSTER VALUES (1, 1, 1, 60, NULL, 273934496.5, 'Orc', ?), (2, 2, 3, 900, 1, 273934497, 'Dragon', ?), "
         "(3, 1, 1, 12, NULL, NULL, 'Slime', NULL)", (b"\x01" + picture, name)),
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "INSERT INTO Z_PRIMARYKEY VALUES (1, 'Monster', 0, 3), (2, 'Boss', 1, 0)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        ("INSERT INTO Z_METADATA VALUES (1, '5E0B1A52-7C1D-4B4D-8E35-2F6D8B0E9A11', ?)", (metadata,)),
        "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        "CREATE INDEX ZMONSTER_Z_ENT_INDEX ON ZMONSTER (Z_ENT)",
    ]


def log(database, pages, count, salts=(0x5EED0001, 0x5EED0002), commits=True):
    """A write-ahead log with pages that replace those with their numbers. `count` is the size of the database
    afterwards."""
    size = struct.unpack(">H", database[16:18])[0]

    def checksum(data, sums):
        first, second = sums
        for low, high in struct.iter_unpack("<II", data):
            first = (first + low + second) & 0xFFFFFFFF
            second = (second + high + first) & 0xFFFFFFFF
        return first, second

    header = struct.pack(">IIIIII", 0x377F0682, 3007000, size, 0, *salts)
    sums = checksum(header, (0, 0))
    out = header + struct.pack(">II", *sums)
    for position, (number, page) in enumerate(pages):
        is_last = position == len(pages) - 1
        start = struct.pack(">II", number, count if commits and is_last else 0)
        sums = checksum(page, checksum(start, sums))
        out += start + struct.pack(">II", *salts) + struct.pack(">II", *sums) + page
    return out


def logged(database):
    """Returns the database with the header of one that uses a log."""
    return database[:18] + b"\x02\x02" + database[20:]


# Databases assembled from bytes.

def varint(value):
    value %= 1 << 64
    if value >> 56:
        return bytes(value >> (8 + 7 * n) & 0x7F | 0x80 for n in reversed(range(8))) + bytes([value & 0xFF])
    parts = [value & 0x7F]
    while value := value >> 7:
        parts.append(value & 0x7F | 0x80)
    return bytes(reversed(parts))


class Text(bytes):
    """Text as stored."""


def field(value):
    """Returns the type and the bytes of a value."""
    if value is None:
        return 0, b""
    if isinstance(value, int):
        return next((kind, value.to_bytes(width, "big", signed=True)) for kind, width in
                    [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 8)] if -(1 << 8 * width - 1) <= value < 1 << 8 * width - 1)
    if isinstance(value, float):
        return 7, struct.pack(">d", value)
    if isinstance(value, str):
        value = Text(value.encode())
    if isinstance(value, Text):
        return 13 + 2 * len(value), value
    return 12 + 2 * len(value), value


def record(*values):
    fields = [field(value) for value in values]
    types = b"".join(varint(kind) for kind, _ in fields)
    return varint(len(types) + 1) + types + b"".join(content for _, content in fields)


def row(rowid, payload, overflow=None, size=None):
    return varint(len(payload) if size is None else size) + varint(rowid) + payload + (overflow.to_bytes(4, "big") if overflow else b"")


def page(kind, cells, last=None, first=False, count=None, pointers=None, size=SIZE):
    """Returns a b-tree page. Its cells are at the end in reverse order."""
    header = 100 if first else 0
    start = header + (8 if last is None else 12)
    content, offsets = b"", []
    for cell in cells:
        content = cell.ljust(4, b"\0") + content
        offsets.append(size - len(content))
    offsets = pointers if pointers is not None else offsets
    out = struct.pack(">BHHHB", kind, 0, len(offsets) if count is None else count, size - len(content), 0)
    out += last.to_bytes(4, "big") if last is not None else b""
    out += b"".join(struct.pack(">H", offset) for offset in offsets)
    return bytes(header) + out + bytes(size - header - len(out) - len(content)) + content


def leaf(*cells, **options):
    return page(13, cells, **options)


def branch(children, last, **options):
    """Returns an interior page: child pages, each with its largest rowid, and the last child."""
    return page(5, [child.to_bytes(4, "big") + varint(key) for child, key in children], last=last, **options)


COLUMNS = "CREATE TABLE t (a, b)"


def table(root=2, sql=COLUMNS, name="t", number=1):
    return row(number, record("table", name, name, root, sql))


def database(*pages, schema=None, encoding=1, **fields):
    """Returns a file with the schema page and other pages."""
    first = leaf(*(schema or [table()]), first=True)
    pages = [first, *pages]
    header = bytearray(100)
    header[:16] = b"SQLite format 3\0"
    struct.pack_into(">HBBBBBB", header, 16, SIZE, 1, 1, 0, 64, 32, 32)
    struct.pack_into(">II", header, 24, 1, len(pages))
    struct.pack_into(">II", header, 40, 1, 4)
    struct.pack_into(">I", header, 56, encoding)
    struct.pack_into(">II", header, 92, 1, 3040001)
    for place, (form, value) in fields.get("patches", {}).items():
        struct.pack_into(form, header, place, value)
    return bytes(header) + first[100:] + b"".join(pages[1:])


ROWS = [row(1, record(5, "x")), row(2, record(6, "y"))]
SOUND = database(leaf(*ROWS))
# A payload of 1,031 bytes, 15 more than two overflow pages hold. 39 bytes are stored on a page of 512.
LONG = record(bytes(1027))
LOCAL = LONG[:39]


UTF16 = row(1, record(*[Text(text.encode("utf-16-le")) for text in ["table", "t", "t"]], 2, Text(COLUMNS.encode("utf-16-le"))))


def long_row(first):
    return row(1, LOCAL, overflow=first, size=len(LONG))


def overflow(following):
    return following.to_bytes(4, "big") + bytes(508)


BAD = {
    "cut-off": SOUND[:-1],
    "header-only": SOUND[:100],
    "header-cut-off": SOUND[:60],
    "page-size-1000": database(leaf(*ROWS), patches={16: (">H", 1000)}),
    "page-size-0": database(leaf(*ROWS), patches={16: (">H", 0)}),
    "reserved-200": database(leaf(*ROWS), patches={20: (">B", 200)}),
    "version-3": database(leaf(*ROWS), patches={19: (">B", 3)}),
    "schema-format-5": database(leaf(*ROWS), patches={44: (">I", 5)}),
    "encoding-4": database(leaf(*ROWS), patches={56: (">I", 4)}),
    "page-count-2-31": database(leaf(*ROWS), patches={28: (">I", 1 << 31)}),
    "root-0": database(leaf(*ROWS), schema=[table(root=0)]),
    "root-minus-1": database(leaf(*ROWS), schema=[table(root=-1)]),
    "root-beyond-file": database(leaf(*ROWS), schema=[table(root=9)]),
    "root-of-schema": database(leaf(*ROWS), schema=[table(root=1)]),
    "root-of-two-tables": database(leaf(*ROWS), schema=[table(), table(name="u", number=2)]),
    "root-is-text": database(leaf(*ROWS), schema=[row(1, record("table", "t", "t", "two", COLUMNS))]),
    "schema-without-sql": database(leaf(*ROWS), schema=[row(1, record("table", "t", "t", 2, None))]),
    "schema-sql-cut-off": database(leaf(*ROWS), schema=[table(sql="CREATE TABLE t (a, b")]),
    "schema-of-4-values": database(leaf(*ROWS), schema=[row(1, record("table", "t", "t", 2))]),
    "page-of-zeros": database(bytes(SIZE)),
    "page-of-index": database(page(10, [varint(len(record(1))) + record(1)])),
    "page-in-itself": database(branch([(2, 1)], 2)),
    "pages-in-each-other": database(branch([(3, 1)], 4), branch([(2, 1)], 2), leaf()),
    "child-0": database(branch([(0, 1)], 3), leaf()),
    "child-beyond-file": database(branch([(3, 5)], 1 << 31), leaf(*ROWS)),
    "cell-count-65535": database(leaf(*ROWS, count=65535)),
    "cell-in-header": database(leaf(*ROWS, pointers=[4, 500])),
    "cell-beyond-page": database(leaf(*ROWS, pointers=[510, 500])),
    "cell-cut-off": database(leaf(pointers=[508])[:-4] + b"\x81\x81\x81\x81"),
    "cells-overlap": database(page(10, [varint(95) + record("x" * 90, 5)], pointers=[SIZE - 96] * 100),
                              schema=[table(sql="CREATE TABLE t (a PRIMARY KEY, b) WITHOUT ROWID")]),
    "payload-beyond-page": database(leaf(row(1, record(5), size=100))),
    "payload-2-62": database(leaf(row(1, record(5), size=1 << 62))),
    "payload-larger-than-file": database(leaf(row(1, bytes(400), overflow=3, size=1 << 30)), overflow(0)),
    "rowids-fall": database(leaf(row(2, record(5)), row(1, record(6)))),
    "rowid-twice": database(leaf(row(1, record(5)), row(1, record(6)))),
    "rowid-above-key": database(branch([(3, 1)], 4), leaf(row(7, record(5))), leaf(row(9, record(5)))),
    "overflow-in-itself": database(leaf(long_row(3)), overflow(3)),
    "overflow-0": database(leaf(long_row(3)), overflow(0)),
    "overflow-of-two-rows": database(leaf(long_row(3), row(2, LOCAL, overflow=3, size=len(LONG))), overflow(4), overflow(0)),
    "overflow-is-root": database(leaf(long_row(2))),
    "record-header-beyond": database(leaf(row(1, b"\x09\x01\x05"))),
    "record-empty": database(leaf(row(1, b""))),
    "record-type-10": database(leaf(row(1, b"\x02\x0a"))),
    "record-value-beyond": database(leaf(row(1, b"\x02\x06\x05"))),
    "record-type-2-63": database(leaf(row(1, b"\x0a" + varint(1 << 63)))),
    "record-too-long": database(leaf(row(1, record(5, 6) + b"\x00"))),
}
TRICKY = {
    "sound": SOUND,
    "no-tables": database(schema=[row(1, record("view", "v", "v", 0, "CREATE VIEW v AS SELECT 1"))]),
    "long-value": database(leaf(long_row(3)), overflow(4), overflow(0)),
    "page-beyond-count": SOUND + bytes(SIZE),
    "branches": database(branch([(3, 2), (4, 5)], 5), leaf(*ROWS), leaf(row(5, record(1))), leaf(row(9, record(2, 3)))),
    "text-not-utf8": database(leaf(row(1, b"\x03\x11\x00a\xff"))),
    "text-odd-utf16": database(leaf(row(1, record(Text(b"a\x00b")))), schema=[UTF16], encoding=2),
    "lone-surrogate": database(leaf(row(1, record(Text(b"a\x00\x00\xd8")))), schema=[UTF16], encoding=2),
    "nan": database(leaf(row(1, b"\x02\x07\x7f\xf8\x00\x00\x00\x00\x00\x00"))),
    "integers": database(leaf(row(-5, record(0)), row(1, record(-1, 1 << 40)), row(2, b"\x03\x08\x09"),
                              row(3, record(-(1 << 63), (1 << 63) - 1)))),
    "virtual-table": database(schema=[row(1, record("table", "s", "s", 0, "CREATE VIRTUAL TABLE s USING nowhere(x)"))]),
    "values-missing": database(leaf(row(1, record(5))), schema=[table(sql="CREATE TABLE t (a, b INTEGER DEFAULT '7', c DEFAULT (1+1))")]),
    "values-too-many": database(leaf(row(1, record(5, 6, 7)))),
}


def main(fixtures):
    sound = written(*monsters(fixtures))
    later = written(*monsters(fixtures), *LATER)
    (fixtures / "databases/monsters.sqlite").write_bytes(sound)
    (fixtures / "databases/later.sqlite").write_bytes(later)
    (fixtures / "databases/monsters.store").write_bytes(written(*core_data()))
    size = 1024
    changed = [(number + 1, logged(later)[number * size:(number + 1) * size]) for number in range(len(later) // size)]
    changed = [(number, data) for number, data in changed if data != logged(sound)[(number - 1) * size:number * size]]
    (fixtures / "databases/logged.sqlite").write_bytes(logged(sound))
    (fixtures / "databases/logged.sqlite-wal").write_bytes(log(sound, changed, len(later) // size))
    for folder, cases in [("bad", BAD), ("tricky", TRICKY)]:
        for name, data in cases.items():
            (fixtures / f"{folder}/65-{name}.sqlite").write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
