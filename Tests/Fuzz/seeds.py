#!/usr/bin/env python3
"""Generates the fuzzing seeds from Fixtures: a folder of inputs for each driver, and a dictionary.

usage: seeds.py FOLDER [--mutated READERS TOOL]

With --mutated, each driver gets that many additional inputs, which are random mutations of the others. They are the
same in every run.
"""
import base64
import gzip
import json
import pathlib
import random
import re
import sys
import zlib

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
LARGEST = 2048  # Larger inputs make rounds slow and reach no more code.
SEPARATOR = b"\xff\xfe--\xfe\xff"
OPERATIONS = 128  # At least as many as the driver has. The driver uses the remainder of a division.
KEPT = {".py", ".swift", ".sh", ".session", ".tsv", ".md"}  # The extensions of files in Fixtures that are not fixtures.

ARGUMENTS = [
    b"/root/charList/0/health", b"/**/health", b"/*/0", b"/root/$class", b"/~=5", b"health<10", b"name=~^A.*z$",
    b"^(a|b)*[^c]+$", b"5", b'{"$date": "2009-09-06T12:34:56Z"}', b'{"$class": "Player", "health": 7}', b"[1, 2.5, null]",
]
PATCHES = [
    b'[{"op": "replace", "path": "/root/charList/0/health", "value": 5}]',
    b'[{"op": "move", "from": "/root/charList/0", "path": "/root/charList/2"}]',
    b'[{"op": "copy", "from": "/root", "path": "/copy"}, {"op": "remove", "path": "/root"}]',
    b'[{"op": "test", "path": "/gems", "value": 5}, {"op": "add", "path": "/gems", "value": 6}]',
    b'{"root": {"health": null, "name": "Ada"}}',
]
SCHEMAS = [
    b'{"properties": {"root": {"x-class": "Map", "required": ["charList"]}}, "unevaluatedProperties": false}',
    b'{"$defs": {"n": {"type": "number", "minimum": 1}}, "additionalProperties": {"$ref": "#/$defs/n"}}',
    b'{"anyOf": [{"items": {"$dynamicRef": "#x"}}, {"patternProperties": {"^a": {"format": "date-time"}}}]}',
    b'{"validate": [{"files": ["*"], "profile": "archive", "strict": true}], "ignore": ["**/*.bak"]}',
]
FLAT = [
    b'/scores/1 = 900\n/name = "Zo\xc3\xab"\n/scores/0 = 1200\n', b"/a = {}\n/a/~=5 = 1\n/b = \xe2\x86\x92 /a\n",
    b'/s = {"$set": []}\n/s/0 = {"$date": "2009-09-06T12:34:56Z"}\n', b'"/a = b\\u0001" = 1.5\n',
]
COMMENTED = [
    b'// slot 1\n{"gems": 7, // gems\n "items": [1, 2, /* two */ 3,], /* end */}\n',
    b'{\n  "a": 1, // one\n  "b": [\n    1, // first\n    2,\n  ],\n  /* last */ "c": "//", // c\n}\n// end',
    b'/**/[/**/1/**/,/**/{"k"/**/:/**/"/*"/**/,}/**/]/**/', b"{}//", b"{/* only */}\r\n",
]
SCORES = [
    b'[["Ada", 62032], ["Zo\xc3\xab", 500]]', b'{"highscores": [["Ada", 62032, "2009-09-06 12:34"], ["Bob", 5, "?"]]}',
    b'{"easy": [{"name": "Ada", "score": "900"}], "hard": []}', b'[{"score": 9, "time": 12.5}, {"score": 8, "time": 13}]',
    b'[{"player": "Ada", "points": 10, "date": "06.09.2009 12:34"}, {"player": "Bob", "points": 9, "date": 1252240496}]',
    b'{"scores": {"Ada": 900, "Bob": 800}}', b'(("Ada", 900), ("Bob", 800))', b'{"1": {"name": "Ada", "time": 61.5}}',
]
SWIFT_NAMES = [
    "_TtC4Game6Player", "_TtCC4Game6Player4Item", "_TtGC4Game3BoxSi_", "_TtCF4Game4mainFT_T_L_5Local", "Game.Player",
    "_TtC4GameP33_0123456789ABCDEF0123456789ABCDEF6Secret", "_TtGC4Game4PairSSGSaSi__", "$s4Game6PlayerC", "_TtV4Game5Point",
]


def files():
    """Yields small fixtures, by folder."""
    for path in sorted(FIXTURES.rglob("*")):
        if path.is_file() and path.suffix not in KEPT and path.stat().st_size <= LARGEST:
            yield path.read_bytes()


def nested():
    """Returns files with saves in strings and data, plain, compressed and encoded, and hexadecimal digits of saves."""
    save = b'{"gems": 7, "items": [1, 2.5, "three"]}'
    plist = game("preferences.plist")
    texts = [save.decode(), base64.b64encode(save).decode(), base64.b64encode(gzip.compress(save, mtime=0)).decode()]
    texts += [base64.b64encode(zlib.compress(plist)).decode(), json.dumps({"inner": save.decode()})]
    files = [json.dumps({"slots": texts, "gems": 7}).encode(), json.dumps({text: 1 for text in texts[:2]}).encode()]
    files += [json.dumps({"d": {"$data": base64.b64encode(data).decode()}}).encode() for data in (save, zlib.compress(save), plist)]
    digits = plist.hex()
    lines = "\n".join(digits[start:start + 64] for start in range(0, len(digits), 64))
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    deflated = deflate.compress(save) + deflate.flush()
    files += [deflated, b"SAVE" + deflated, b"SAVE" + zlib.compress(plist), b"SAVE" + base64.b64encode(deflated)]
    return files + [text.encode() for text in (digits, digits.upper(), lines, f"<{digits[:8]} {digits[8:]}>")]


def swift_archives():
    """Returns archives in graph JSON whose classes have names of Swift, one for each name and one for all."""
    def archive(names):
        classes = {name: [name, "NSObject"] for name in names}
        return json.dumps({
            "$archiver": "NSKeyedArchiver", "$version": 100000, "$classes": classes,
            "$top": {"root": [{"$class": name, "name": name, "next": None} for name in names]},
        }).encode()
    return [archive([name]) for name in SWIFT_NAMES] + [archive(SWIFT_NAMES)]


def changed(data, number):
    """Returns a copy with one changed letter or digit, so that two files differ only slightly."""
    places = [match.start() for match in re.finditer(rb"[a-m0-8]", data)]
    if not places:
        return data
    place = places[number * 7919 % len(places)]
    return data[:place] + bytes([data[place] + 1]) + data[place + 1:]


def game(name):
    """Returns a save of the games."""
    return (FIXTURES / "games" / name).read_bytes()


def tool_inputs(fixtures):
    """Yields inputs for each operation: one file alone, with changed copies, and with second files of the kinds that
    operations use."""
    rules = [path.read_bytes() for path in sorted((FIXTURES / "migrations").glob("*.json"))]
    others = ARGUMENTS + PATCHES + SCHEMAS + rules
    others += [b"OldModule.*", b"Game.Pl*", b"Game.Player", b"/highscores", b"/**/gems", b"/slots/2/gems"]
    saves = [game(name) for name in ("swamp.save", "swamp.xml.save", "friends.save", "preferences.plist", "slots.plist")]
    saves.append((FIXTURES / "attributed" / "dialogue.save").read_bytes())
    saves += [(FIXTURES / "oldmac" / name).read_bytes() for name in ("swamp.save", "preferences.plist")]
    saves += [(FIXTURES / "tricky" / name).read_bytes() for name in ("65-sound.sqlite", "65-branches.sqlite")]
    saves += [(FIXTURES / "wrapped" / name).read_bytes() for name in ("swamp.save.gz", "CCLocalLevels.dat", "cave.gmd")]
    saves += COMMENTED[:2] + nested() + swift_archives()
    tables = [game(name) for name in ("highscores.plist", "highscores.archive", "leaderboard.plist", "highscores.xml.plist")]
    tables += SCORES
    for operation in range(OPERATIONS):
        data = [fixtures[(operation * 4 + kind) * 37 % len(fixtures)] for kind in range(4)]
        save = saves[operation % len(saves)]
        inputs = [
            [data[0]], [data[1], changed(data[1], operation)], [data[2], others[operation * 5 % len(others)]],
            [data[3], changed(data[3], operation), changed(data[3], operation + 1)],
            [save, changed(save, operation), changed(save, operation + 1)],
            [tables[operation % len(tables)], tables[(operation + 1) % len(tables)]],
        ]
        inputs += [[saves[0], other] for other in others[operation % 2::2]]
        for number, parts in enumerate(inputs):
            yield bytes([operation, number * 37 % 256]) + SEPARATOR.join(parts)


def words(fixtures):
    """Returns names, tags and symbols of the fixtures."""
    found = {SEPARATOR, b"bplist00", b" = ", b"\xe2\x86\x92", b"~1", b"/**"}
    found |= {b"\x04\x0bstreamtyped\x81\xe8\x03", b"\x04\x0btypedstream\x81\x03\xe8", b"\x03\x0bstreamtyped\x81\xe8\x03"}
    found |= {b"\x84\x01@\x84\x84\x84", b"\x84\x84", b"\x85\x86", b"\x92\x84\x93", b"[99999999c]", b"{?=[2i]@*}"}
    found |= {b"SQLite format 3\0\x02\0\x01\x01\0", b"CREATE TABLE t", b" INTEGER PRIMARY KEY", b" DEFAULT (-1)", b"WITHOUT ROWID"}
    found |= {b"//", b"/*", b"*/", b",]", b",}", b"_TtC", b"_TtGC", b"_TtCC", b"62706c69737430", b'"[1, 2]"', b"H4sIAAAAAAAA", b"eJy"}
    found |= {b"\x1f\x8b\x08\0\0\0\0\0\0\x03", b"\x78\x9c", b"Z_PRIMARYKEY", b"Z_METADATA"}
    for data in fixtures:
        if not data.startswith(b"bplist"):
            found.update(re.findall(rb'"[$A-Za-z.#]{1,24}"', data))
            found.update(re.findall(rb"</?[a-z0-9]{1,10}/?>", data))
        found.update(re.findall(rb"NS[A-Za-z.]{2,24}|\$[a-z0-9]{2,12}", data))
    for text in ARGUMENTS + PATCHES + SCHEMAS:
        found.update(re.findall(rb'"[^" ]{1,24}"', text))
    return sorted(found)


def mutated(seeds, words, count):
    """Yields seeds with one to four random changes each."""
    chance = random.Random(1)
    for number in range(count):
        data = bytearray(seeds[number % len(seeds)])
        for _ in range(1 + chance.randrange(4)):
            place = chance.randrange(len(data) + 1)
            end = min(len(data), place + 1 + chance.randrange(8))
            match chance.randrange(6):
                case 0: data[place:end] = b""
                case 1: data[place:end] = bytes([chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))])
                case 2: data[place:end] = bytes(byte ^ 1 << chance.randrange(8) for byte in data[place:end])
                case 3: data[place:place] = chance.choice(words)
                case 4: data[place:end] = chance.choice(words)
                case 5: data[place:place] = data[chance.randrange(len(data) + 1):][:chance.randrange(64)]
        yield bytes(data)


def write(folder, inputs):
    """Writes inputs as numbered files."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, data in enumerate(inputs):
        (folder / f"seed-{number:05}").write_bytes(data)


def main():
    folder = pathlib.Path(sys.argv[1])
    counts = [int(count) for count in sys.argv[3:5]]
    fixtures = list(files()) + COMMENTED + SCORES + nested() + swift_archives()
    known = words(fixtures)
    seeds = [fixtures + FLAT, list(tool_inputs(fixtures))]
    for driver, inputs, count in zip(("readers", "tool"), seeds, counts or (0, 0)):
        write(folder / driver, inputs + list(mutated(inputs, known, count)))
    lines = ['"' + "".join(f"\\x{byte:02X}" for byte in word) + '"\n' for word in known]
    (folder / "words.dict").write_text("".join(lines))


main()
