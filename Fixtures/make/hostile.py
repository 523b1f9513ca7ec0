"""Property lists that are damaged, malicious, or valid and unusual. There is one file for each case that a reader must
decide. The number at the beginning of a name groups similar cases.

    python3 hostile.py FIXTURES

writes `bad/` (readers refuse these files) and `tricky/` (readers accept them, some with a warning). hostile.tsv is
maintained by hand and has the verdict and the exact message for each.
"""
import pathlib
import sys

from assembler import array, be, file, integer

FIVE = file(integer(5))
BAD, TRICKY = "bad", "tricky"
cases = []


def add(folder, number, name, data, extension="plist"):
    cases.append((f"{folder}/{number:02}-{name}.{extension}", data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape")))


def hexadecimal(digits):
    return bytes.fromhex(digits)


def items(*objects, **fields):
    """A file of objects given in hexadecimal."""
    return file(*map(hexadecimal, objects), **fields)


# MARK: Binary

add(TRICKY, 1, "integer", FIVE)
add(BAD, 2, "array-in-itself", items("a100"))
add(BAD, 3, "dictionary-in-itself", items("d10100", "516b"))
add(BAD, 4, "arrays-in-each-other", items("a101", "a100"))
add(TRICKY, 5, "bomb", file(*[array(i + 1, i + 1) for i in range(40)], array()))
add(BAD, 6, "offset-beyond-table", items("a101", "1001", offsets=[8, 200]))
add(BAD, 7, "offset-in-header", items("a101", "1001", offsets=[8, 0]))
add(BAD, 8, "offset-of-table", items("a101", "1001", offsets=[8, 12]))
add(BAD, 9, "count-2-62", file(integer(5), count=1 << 62))
add(BAD, 10, "count-2-63", file(integer(5), count=1 << 63))
add(BAD, 10, "count-0", file(integer(5), count=0))
add(BAD, 10, "root-beyond-count", file(integer(5), top=1))
add(BAD, 10, "offset-size-0", FIVE[:-26] + b"\x00" + FIVE[-25:])
add(BAD, 10, "reference-size-0", file(integer(5), reference_size=0))
add(BAD, 11, "byte-missing", FIVE[:-1])
add(BAD, 12, "byte-too-many", FIVE + b"X")
add(TRICKY, 13, "filler-between-objects", file(array(1), b"\x00\x0f", integer(1), b"\x00\x0f", offsets=[8, 12]))
add(TRICKY, 14, "null", items("00"))
add(TRICKY, 14, "null-in-array", items("a101", "00"))
for name, marker in [("fill", "0f"), ("url", "0c"), ("uuid", "0e" + "00" * 16), ("utf8-string", "73616263"),
                     ("ordered-set", "b0"), ("unused-9", "90"), ("unused-e", "e0"), ("unused-f", "f0")]:
    add(BAD, 15, "marker-" + name, items(marker))
add(TRICKY, 16, "integer-2-64", file(integer(1 << 64, 16)))
add(TRICKY, 17, "integer-128-minus-1", file(integer(-1, 16)))
add(TRICKY, 18, "integer-uint64-max", file(integer((1 << 64) - 1, 16)))
add(TRICKY, 19, "integer-5-in-16", file(integer(5, 16)))
add(BAD, 20, "integer-of-32-bytes", items("15" + "00" * 32))
add(TRICKY, 21, "integer-255", items("10ff"))
add(TRICKY, 21, "integer-uint32-max", items("12ffffffff"))
add(TRICKY, 21, "integer-minus-1", items("13" + "ff" * 8))
add(TRICKY, 22, "integer-5-in-8", file(integer(5, 8)))
add(TRICKY, 23, "ascii-high-byte", items("5361e962"))
add(TRICKY, 24, "lone-surrogate", items("62d8000041"))
add(TRICKY, 25, "ascii-as-utf16", items("6200610062"))
add(TRICKY, 26, "uid-of-3-bytes", items("82000100"))
add(BAD, 26, "uid-2-32", items("87" + "0000000100000000"))
add(TRICKY, 27, "set", items("c20102", "1001", "1002"))
add(TRICKY, 28, "key-twice", items("d201020304", "516b", "516b", "1001", "1002"))
add(TRICKY, 28, "key-object-twice", items("d201010203", "516b", "1001", "1002"))
add(TRICKY, 28, "key-in-two-encodings", items("d201020304", "516b", "61006b", "1001", "1002"))
for name, key in [("integer", "1007"), ("null", "00"), ("uid", "8001"), ("real", "23" + "00" * 8), ("data", "41ff")]:
    add(TRICKY, 29, name + "-as-key", items("d10102", key, "1001"))
add(BAD, 30, "array-as-key", items("d10102", "a0", "1001"))
add(BAD, 30, "set-as-key", items("d10102", "c0", "1001"))
add(BAD, 30, "dictionary-as-key", items("d10102", "d0", "1001"))
add(TRICKY, 31, "count-1-extended", items("af100101", "1001"))
add(TRICKY, 31, "count-of-8-bytes", items("af1300000000000000020101", "1001"))
add(TRICKY, 31, "count-of-16-bytes", items("5f14" + "00" * 15 + "03" + "616263"))
add(BAD, 32, "count-2-63-minus-1", items("af13" + "7f" + "ff" * 7))
add(BAD, 32, "data-of-2-62-bytes", items("4f13" + "40" + "00" * 7))
add(BAD, 32, "negative-count", items("5f13" + "ff" * 8))
add(BAD, 32, "dictionary-of-2-62-pairs", items("df13" + "40" + "00" * 7))
add(BAD, 32, "utf16-of-2-62-units", items("6f13" + "40" + "00" * 7))
add(BAD, 32, "count-is-string", items("af5131"))
add(BAD, 33, "string-into-table", items("5a616263"))
add(BAD, 33, "array-into-table", items("a501"))
add(BAD, 33, "real-into-table", items("2300"))
add(BAD, 33, "reference-out-of-range", items("a102", "1001"))
add(TRICKY, 34, "overlapping-objects", items("a20102", "420809", offsets=[8, 11, 12]))
add(TRICKY, 35, "root-last", items("1001", "a100", top=1))
add(TRICKY, 35, "two-entries-one-offset", items("a20102", "1001", offsets=[8, 11, 11]))
add(TRICKY, 36, "unused-bytes", file(integer(5), unused=b"abcde", sort_version=1))
add(TRICKY, 36, "header-version-z", file(integer(5), header=b"bplist0z"))
for name, size in [("3", 3), ("8", 8), ("9", 9), ("16", 16)]:
    add(TRICKY, 37, "reference-size-" + name, file(b"\xa1" + be(1, size), integer(1), reference_size=size))
    add(TRICKY, 37, "offset-size-" + name, file(integer(5), offset_size=size))
add(BAD, 38, "256-objects-1-byte-references", file(array(*range(1, 256)), *[integer(7)] * 255))
add(TRICKY, 38, "255-objects-1-byte-references", file(array(*range(1, 255)), *[integer(7)] * 254))
for depth in (512, 513, 514):
    nested = file(*[b"\xa1" + be(i + 1, 2) for i in range(depth - 1)], array(), reference_size=2)
    add(TRICKY if depth <= 512 else BAD, 39, f"{depth}-arrays", nested)
add(TRICKY, 40, "unreachable-marker-ff", items("a101", "1001", "ff"))
add(TRICKY, 40, "unreachable-into-table", items("a101", "1001", "5461"))
add(TRICKY, 41, "canonically-equal-keys", items("d201020304", "6100e9", "6200650301", "1001", "1002"))
add(TRICKY, 42, "real32-nan", items("227fa00001"))
add(TRICKY, 42, "date-nan", items("337ff8000000000000"))
add(TRICKY, 42, "date-infinity", items("337ff0000000000000"))
add(BAD, 43, "zeros", b"bplist00" + bytes(32))
add(BAD, 43, "empty", b"")
add(BAD, 43, "header-only", b"bplist00")
add(BAD, 43, "bplist15", b"bplist15" + bytes(40))
add(BAD, 43, "bplist10", b"bplist10" + FIVE[8:])
add(TRICKY, 44, "42-bytes", items("08"))


# MARK: XML

def xml(body, head='<?xml version="1.0" encoding="UTF-8"?>\n'):
    return f'{head}<plist version="1.0">\n{body}\n</plist>\n'


def add_xml(folder, number, name, body):
    add(folder, number, name, xml(body), "xml")


add_xml(BAD, 45, "integer-2-64", "<integer>18446744073709551616</integer>")
add_xml(BAD, 45, "integer-below-int64", "<integer>-9223372036854775809</integer>")
add_xml(TRICKY, 45, "integer-uint64-max", "<integer>18446744073709551615</integer>")
add_xml(TRICKY, 46, "key-twice", "<dict><key>k</key><integer>1</integer><key>k</key><integer>2</integer></dict>")
BOMB = '<?xml version="1.0"?>\n<!DOCTYPE plist [<!ENTITY a "xxxxxxxxxx"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>\n'
add(BAD, 47, "entity-bomb", xml("<string>&b;</string>", BOMB), "xml")
add(BAD, 47, "external-entity", xml("<string>&f;</string>", '<!DOCTYPE plist [<!ENTITY f SYSTEM "file:///etc/passwd">]>\n'),
    "xml")
add_xml(BAD, 47, "unknown-entity", "<string>&nbsp;</string>")
add_xml(TRICKY, 48, "data-cut-off", "<data>AQ</data>")
add_xml(TRICKY, 48, "date-out-of-range", "<date>2001-13-45T25:61:61Z</date>")
add_xml(TRICKY, 49, "uid-negative", "<dict><key>CF$UID</key><integer>-1</integer></dict>")
add_xml(TRICKY, 49, "uid-real", "<dict><key>CF$UID</key><real>5.7</real></dict>")
add_xml(TRICKY, 49, "uid-beside-other-key",
        "<dict><key>CF$UID</key><integer>1</integer><key>k</key><integer>2</integer></dict>")
add_xml(TRICKY, 50, "512-arrays", "<array>" * 512 + "</array>" * 512)
add_xml(BAD, 50, "513-arrays", "<array>" * 513 + "</array>" * 513)
add(TRICKY, 50, "text-after-plist", xml("<true/>") + "garbage", "xml")
add(BAD, 50, "unknown-encoding", xml("<true/>", '<?xml version="1.0" encoding="x-foo"?>\n'), "xml")
add(TRICKY, 50, "utf16le-without-mark", xml("<true/>", '<?xml version="1.0" encoding="UTF-16"?>\n').encode("utf-16-le"), "xml")
add_xml(BAD, 50, "invalid-utf8", "<string>\udcff</string>")
add_xml(BAD, 50, "two-values", "<true/><false/>")
add_xml(BAD, 50, "no-value", "")
add_xml(BAD, 50, "key-without-value", "<dict><key>k</key></dict>")
add_xml(BAD, 50, "value-without-key", "<dict><true/></dict>")
add_xml(BAD, 50, "tags-crossed", "<array><dict></array></dict>")
add(BAD, 50, "cut-off", xml("<array><string>abc</string></array>")[:-20], "xml")


# MARK: OpenStep

for folder, name, source in [
        (BAD, "semicolon-missing", "{a=b}"), (BAD, "odd-hex-digits", "<0fb>"), (TRICKY, "lone-surrogate", '"\\Ud83d"'),
        (TRICKY, "octal-777", '"\\777"'), (TRICKY, "comment-cut-off", "(a) /* no end"), (BAD, "array-cut-off", "(a, b"),
        (BAD, "string-cut-off", '"abc'), (BAD, "comma-missing", "(a b)"), (BAD, "text-after-value", "(a) b"),
        (TRICKY, "key-twice", "{k = 1; k = 2;}"), (BAD, "513-arrays", "(" * 513 + ")" * 513),
        (TRICKY, "512-arrays", "(" * 512 + ")" * 512)]:
    add(folder, 51, name, source, "openstep")
for folder, name, source in [
        (BAD, "integer-empty", "<*I>"), (BAD, "boolean-x", "<*BX>"), (BAD, "kind-unknown", "<*Q1>"),
        (BAD, "date-month-13", "<*D2001-13-01 00:00:00 +0000>"), (TRICKY, "semicolon-missing", "{a = <*I5>}")]:
    add(folder, 51, name, source, "gnustep")


# MARK: JSON

for folder, name, source in [
        (TRICKY, "key-twice", '{"a":1,"a":2}'), (TRICKY, "lone-surrogate", '["\\ud800"]'),
        (TRICKY, "integer-2-53-plus-1", "[9007199254740993]"), (TRICKY, "minus-0", "[-0]"), (TRICKY, "real-1", "[1.0]"),
        (BAD, "comma-at-end", "[1,]"), (TRICKY, "512-arrays", "[" * 512 + "]" * 512),
        (BAD, "513-arrays", "[" * 513 + "]" * 513), (BAD, "nan", "[NaN]"), (BAD, "string-cut-off", '["abc'),
        (BAD, "tab-in-string", '["a\tb"]'), (BAD, "text-after-value", "[1] 2"), (BAD, "zero-first", "[01]"),
        (BAD, "integer-2-127", "[170141183460469231731687303715884105728]"), (BAD, "number-too-large", "[1e400]"),
        (TRICKY, "data-no-base64", '{"$data": "A!=="}'), (TRICKY, "uid-negative", '{"$uid": -1}'),
        (TRICKY, "date-month-13", '{"$date": "2009-13-06T12:34:56Z"}'), (TRICKY, "dollar-name", '{"$when": 1}'),
        (TRICKY, "dict-no-pairs", '{"$dict": [["k"]]}'), (TRICKY, "array-as-key", '{"$dict": [[[], 1]]}')]:
    add(folder, 52, name, source, "json")


def main(fixtures):
    for path, data in cases:
        (fixtures / path).write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
