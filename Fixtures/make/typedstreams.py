"""Saves of old Mac games written by NSArchiver, preferences with such archives as data, and typedstreams that are
damaged, malicious, or valid and unusual.

    python3 typedstreams.py FIXTURES

writes `oldmac/`, and files of group 63 into `bad/` and `tricky/`; see hostile.py.
"""
import pathlib
import plistlib
import sys

from nsarchiver import (
    ARRAY, DATE, MUTABLE_ARRAY, MUTABLE_DICTIONARY, NEW, NIL, NULL, OBJECT, STRING, URL, CString, Class, Instance, Writer, color, collection,
    dictionary, font, number, stream, string)

# MARK: Old Macs

PLAYER = Class("Player", 2, OBJECT)
BOSS = Class("Boss", 0, PLAYER)
MAP = Class("Map", 1, OBJECT)
SCORE = Class("HighScore", 0, OBJECT)


def player(kind, x, y, health, *more, record=PLAYER):
    """A player: `encodeObject:` for the kind, one call for the position, and one for the rest."""
    return Instance(record, ("@", number(kind)), ("{_NSPoint=ff}", (x, y)), ("ic", health, health > 0), *more)


def swamp():
    """The Swamp save of ten years earlier. Two players refer to the map, and one refers to the other."""
    save = Instance(MAP)
    ada, grace = player(3, 10.5, 20.25, 100), player(7, -3.75, 0.1, 55)
    boss = player(9, 128.0, -64.5, 0, ("*@", CString("axe"), ada), record=BOSS)
    save.groups += [("@", string("Swamp")), ("@", collection([ada, grace, boss], MUTABLE_ARRAY)), ("i", 12),
                    ("@", Instance(DATE, ("d", 21692800.5))), ("[8c]", b"\x00\x01\x7f\x80\xff\x03\x02\x01")]
    ada.groups.append(("@", save))
    return save


def preferences():
    scores = [Instance(SCORE, ("@", string(name)), ("q", score)) for name, score in [("Ada", 98200), ("Grace", 91750)]]
    return {
        "Background Color": stream(color(0.5, 0.25, 0.125, 1.0), is_big_endian=True),
        "Console Font": stream(font("Monaco", 9.0), is_big_endian=True),
        "High Scores": stream(collection(scores), is_big_endian=True),
        "Homepage": stream(Instance(URL, ("c", 0), ("@", string("https://example.com/swamp")))),
        "lastLevel": "Swamp",
    }


def options():
    """A dictionary with only Foundation values."""
    return dictionary([("name", "Ada"), ("volume", 0.75), ("fullscreen", True), ("levels", ["Swamp", "Crypt"]),
                       ("icon", b"\x00\x01"), ("saved", Instance(DATE, ("d", 21692800)))], MUTABLE_DICTIONARY)


def dialogue():
    """A text with attributes. Each run is the number of its attributes and its length. The attributes follow where
    their number first occurs."""
    attributed = Class("NSAttributedString", 0, OBJECT)
    white, green = dictionary([("Color", "white")]), dictionary([("Color", "green"), ("Size", 24)])
    return Instance(Class("NSMutableAttributedString", 0, attributed),
                    ("@", string("Welcome to the Swamp, stranger.")), ("iI", 1, 15), ("@", white), ("iI", 2, 5),
                    ("@", green), ("iI", 1, 11))


def old_mac():
    yield "dialogue.typedstream", stream(dialogue())
    yield "options.save", stream(options())
    yield "swamp.save", stream(swamp())
    yield "swamp-powerpc.save", stream(swamp(), is_big_endian=True)
    yield "preferences.plist", plistlib.dumps(preferences(), sort_keys=False)


# MARK: Damaged

BAD, TRICKY = "bad", "tricky"


def raw(*parts, version=4):
    """A stream of text in UTF-8 and bytes."""
    return bytes(Writer(version).out) + b"".join(part.encode() if isinstance(part, str) else part for part in parts)


def text(content):
    """A new shared string."""
    length = bytes([len(content)]) if len(content) < 128 else b"\x81" + len(content).to_bytes(2, "little")
    return NEW + length + content.encode("latin-1")


def literal(types, *values, version=4):
    """A group whose values are given as bytes."""
    return raw(text(types), *map(bytes.fromhex, values), version=version)


def hostile():
    yield BAD, "header-cut-off", b"\x04\x0bstream"
    yield BAD, "signature", b"\x04\x0bstreamtypes\x81\xe8\x03"
    yield BAD, "version-2", b"\x02" + raw("")[1:]
    yield BAD, "version-5", b"\x05" + raw("")[1:]
    yield BAD, "no-value", raw("")
    yield BAD, "system-cut-off", raw("")[:-1]
    yield BAD, "byte-too-many", stream("Ada") + b"\x00"
    yield BAD, "object-cut-off", stream("Ada")[:-1]
    yield BAD, "text-cut-off", stream("Ada")[:-2]
    yield BAD, "integer-missing", literal("i")
    yield BAD, "integer-cut-off", literal("i", "82ffff")
    yield BAD, "real-cut-off", literal("d", "83000000")
    yield BAD, "integer-is-end", literal("i", "86")
    yield BAD, "integer-is-new", literal("q", "84")
    yield BAD, "integer-is-80", literal("i", "80")
    yield BAD, "integer-is-real", literal("i", "8300000000")
    yield BAD, "real-is-nil", literal("f", "85")
    yield BAD, "short-70000", literal("s", "8270110100")
    yield BAD, "unsigned-2-32", literal("I", "870000000001000000")
    yield BAD, "boolean-2", literal("B", "02")
    yield BAD, "length-negative", raw(NEW, b"\xff")
    yield BAD, "length-2-63", raw(NEW, b"\x87", b"\xff" * 7 + b"\x7f")
    yield BAD, "type-nil", raw(NIL)
    yield BAD, "type-empty", literal("")
    yield BAD, "type-no-reference", raw(b"\x92")
    yield BAD, "type-cut-off", raw(NEW, b"\x03", "ii")
    for name, types in [("unknown", "ix"), ("not-ascii", "i\x07"), ("union", "(?=if)"), ("unclosed", "i{ii"),
                        ("unopened", "i}"), ("mixed", "[2{ii]}"), ("no-count", "[i]"), ("no-element", "[3]"),
                        ("count-2-32", "[4294967296i]"), ("name-unclosed", "{_NSPoint"), ("class-name", "NSString")]:
        yield BAD, "type-" + name, literal(types, "00" * 8)
    yield BAD, "types-nested-600", raw(text("[1" * 600 + "i" + "]" * 600), b"\x05")
    yield BAD, "chars-999999999", literal("[999999999c]", "0102")
    yield BAD, "integers-999999999", literal("[999999999i]", "0102")
    yield BAD, "nothings-999999999", literal("[999999999!]")
    yield BAD, "empty-structs-999999999", literal("[999999999{}]")
    yield BAD, "empty-arrays", literal("[999999[999999[0c]]]")
    yield BAD, "structs-in-structs", raw(text("[2000" + "{" * 500 + "c" + "}" * 500 + "]"), bytes(2000))
    yield BAD, "object-no-reference", literal("@", "93")
    yield BAD, "object-is-class", raw(text("#@"), NEW, text("A"), b"\x00", NIL, b"\x92")
    yield BAD, "object-is-string", raw(text("*@"), NEW, text("A"), b"\x92")
    yield BAD, "object-of-no-class", raw(text("@"), NEW, NIL)
    yield BAD, "object-is-its-class", raw(text("@"), NEW, b"\x92")
    yield BAD, "class-is-string", raw(text("*#"), NEW, text("A"), b"\x92")
    yield BAD, "class-in-itself", raw(text("@"), NEW, NEW, text("A"), b"\x00\x93")
    yield BAD, "class-in-descendant", raw(text("@"), NEW, NEW, text("A"), b"\x00", NEW, text("B"), b"\x00\x93")
    yield BAD, "class-name-empty", raw(text("#"), NEW, text(""))
    yield BAD, "class-name-latin1", raw(text("#"), NEW, text("Gr\xfcn"), b"\x00", NIL)
    yield BAD, "class-name-nil", raw(text("#"), NEW, NIL)
    yield BAD, "string-is-object", raw(text("@*"), NEW, NEW, text("A"), b"\x00", NIL, b"\x86\x92")
    yield BAD, "string-of-nil", raw(text("*"), NEW, NIL)
    yield BAD, "selector-no-reference", literal(":", "95")
    yield BAD, "objects-unended", raw(text("@"), NEW, NEW, text("A"), b"\x00", NIL, (b"\x92" + NEW + b"\x93") * 50)
    yield BAD, "version-3-object-cut-off", stream(Instance(OBJECT), version=3)[:-2]


def tricky():
    yield "string-latin1", stream(Instance(STRING, ("+", b"Gr\xfcn")))
    yield "texts-latin1", raw(text("**:"), NEW, text("Gr\xfcn"), b"\x92", text("L\xf6w"))
    yield "string-null", stream(collection(["$null", string("$null")]), ("*:%", CString("$null"), "$null", "$null"))
    yield "array-count-wrong", stream(Instance(ARRAY, ("i", 5), ("@", "Ada")))
    yield "array-of-nil", stream(Instance(ARRAY, ("i", 1), ("@", None)))
    yield "dictionary-key-twice", stream(dictionary([("a", 1), ("a", 2)]))
    yield "number-of-other-type", stream(Instance(Class("NSNumber", 0, OBJECT), ("*", CString("i")), ("d", 1.5)))
    ring = Instance(Class("Ring", 0, OBJECT))
    ring.groups.append(("@", ring))
    yield "object-in-itself", stream(ring)
    node = Class("Node", 0, OBJECT)
    chain = None
    for _ in range(250):
        chain = Instance(node, ("@", chain))
    yield "objects-nested-250", stream(chain)
    yield "types-nested-500", raw(text("[1" * 500 + "i" + "]" * 500), b"\x05")
    yield "several-roots", stream(("i", 3), ("@@", "Ada", None), ("{?=i[2f]}", (7, (0.5, 1.0))))
    yield "every-type", stream(
        ("cCsSiIlLqQfdB", -1, 255, -2, 65535, -3, 4294967295, -4, 4294967295, -1 << 62, (1 << 64) - 1, 0.1, 0.1, True),
        ("*%:#+@!", CString("a"), "b", "c:", node, b"\xff\x00", Instance(NULL), None),
        ("*%:#@", None, None, None, None, None),
        ("[0c][2C][0i][2[2s]]{}{?=}{Named=i{*}}", b"", b"\x01\xff", (), ((1, 2), (3, 4)), (), (), (5, (CString("d"),))))
    yield "reals", stream(("fdfdfd", float("nan"), float("nan"), float("inf"), float("-inf"), 3e9, 16777217.0))
    yield "version-3", stream(swamp(), version=3)
    # Index 0 is both the object and the string "c".
    yield "version-3-either", raw(NEW, NEW, text("c"), b"\x00", NIL, b"\x00", b"\x92\x86", b"\x86", version=3)


def main(fixtures):
    for name, content in old_mac():
        (fixtures / "oldmac" / name).write_bytes(content)
    for folder, name, content in [*hostile(), *((TRICKY, *case) for case in tricky())]:
        (fixtures / folder / f"63-{name}.typedstream").write_bytes(content)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
