"""Each form of typed JSON with the corresponding property list.

    python3 typed_json.py FIXTURES

writes `typed-json/NAME.plist`, assembled from bytes, and `typed-json/NAME.json`, whose text is given here. A reader
must read the same from both, and a writer must write exactly these bytes.
"""
import pathlib
import sys

from assembler import UID, Date, Null, Pairs, Real32, Real64, Set, Units, document


def pairs(*members):
    """Returns the text of a `$dict` with keys and values given as JSON."""
    rows = (f"  [{key}, {value}]" for key, value in members)
    return '{"$dict": [\n' + ",\n".join(rows) + "\n]}"


INFINITY = float("inf")

cases = {
    # Scalars.
    "string": ("Zoë’s \"Keep\" \\ / \t 🐸", '"Zoë’s \\"Keep\\" \\\\ / \\t 🐸"'),
    "string-empty": ("", '""'),
    "string-lone-surrogates": (Units(0xD83D, 0x41, 0xDE00), '"\\uD83DA\\uDE00"'),
    "string-controls": ("\0\x01\b\n\f\r\x1f\x7f\x85\u2028", '"\\u0000\\u0001\\b\\n\\f\\r\\u001f\\u007f\\u0085\\u2028"'),
    "integer": (100, "100"),
    "integer-negative": (-1, "-1"),
    "integer-int64-min": (-(1 << 63), "-9223372036854775808"),
    "integer-uint64-max": ((1 << 64) - 1, "18446744073709551615"),
    "integer-128-min": (-(1 << 127), "-170141183460469231731687303715884105728"),
    "integer-128-max": ((1 << 127) - 1, "170141183460469231731687303715884105727"),
    "real": (0.1, "0.1"),
    "real-whole": (1.0, "1.0"),
    "real-minus-zero": (-0.0, "-0.0"),
    "real-large": (1e20, "1e+20"),
    "real-max": (1.7976931348623157e308, "1.7976931348623157e+308"),
    "real-least": (5e-324, "5e-324"),
    "real-nan": (Real64(0x7FF8000000000000), '{"$real": "nan"}'),
    "real-infinity": (INFINITY, '{"$real": "inf"}'),
    "real-minus-infinity": (-INFINITY, '{"$real": "-inf"}'),
    "real-nan-bits": (Real64(0x7FF8000000000001), '{"$real": "0x7ff8000000000001"}'),
    "real32": (Real32(0.1), '{"$real32": 0.1}'),
    "real32-whole": (Real32(10.0), '{"$real32": 10.0}'),
    "real32-nan": (Real32(0x7FC00000), '{"$real32": "nan"}'),
    "real32-infinity": (Real32(INFINITY), '{"$real32": "inf"}'),
    "real32-nan-bits": (Real32(0x7FA00001), '{"$real32": "0x7fa00001"}'),
    "true": (True, "true"),
    "false": (False, "false"),
    "null": (Null(), "null"),
    "date": (Date(273933296.789), '{"$date": "2009-09-06T12:34:56.789Z"}'),
    "date-whole": (Date(0.0), '{"$date": "2001-01-01T00:00:00Z"}'),
    "date-before-epoch": (Date(-0.5), '{"$date": "2000-12-31T23:59:59.5Z"}'),
    "date-distant-past": (Date(-63114076800.0), '{"$date": "0000-12-30T00:00:00Z"}'),
    "date-before-year-0": (Date(-63200000000.5), '{"$date": "-002-04-10T12:26:39.5Z"}'),
    "date-year-10000": (Date(252423993600.0), '{"$date": "10000-01-01T00:00:00Z"}'),
    "date-no-year": (Date(1e300), '{"$date": 1e+300}'),
    "date-distant-future": (Date(63113904000.0), '{"$date": "4001-01-01T00:00:00Z"}'),
    "date-seconds": (Date(1e-300), '{"$date": 1e-300}'),
    "date-minus-zero": (Date(-0.0), '{"$date": -0.0}'),
    "date-nan": (Date(0x7FF8000000000000), '{"$date": {"$real": "nan"}}'),
    "date-infinity": (Date(INFINITY), '{"$date": {"$real": "inf"}}'),
    "data": (b"\x0f\xbd\x77\x1c", '{"$data": "D713HA=="}'),
    "data-empty": (b"", '{"$data": ""}'),
    "uid": (UID(5), '{"$uid": 5}'),
    "uid-max": (UID(0xFFFFFFFF), '{"$uid": 4294967295}'),

    # Containers.
    "array-empty": ([], "[]"),
    "array": ([1, [2, []], 3], """[
  1,
  [
    2,
    []
  ],
  3
]"""),
    "dictionary-empty": ({}, "{}"),
    "dictionary": ({"name": "Ada", "scores": [98200, 51040], "": {"nested": True}}, """{
  "name": "Ada",
  "scores": [
    98200,
    51040
  ],
  "": {
    "nested": true
  }
}"""),
    "set-empty": (Set(), '{"$set": []}'),
    "set": (Set(1, "two"), """{"$set": [
  1,
  "two"
]}"""),

    # Dictionaries that JSON cannot represent, or that would be read as something else.
    "dict-repeated-key": (Pairs(("k", 1), ("k", 2)), pairs(('"k"', '1'), ('"k"', '2'))),
    "dict-integer-key": (Pairs((7, 1), ("k", 2)), pairs(('7', '1'), ('"k"', '2'))),
    "dict-uid-key": (Pairs((UID(1), "one")), pairs(('{"$uid": 1}', '"one"'))),
    "dict-null-key": (Pairs((Null(), "none")), pairs(('null', '"none"'))),
    "keys-canonically-equal": ({"é": 1, "e\u0301": 2}, '{\n  "é": 1,\n  "e\u0301": 2\n}'),
    "dict-like-date": ({"$date": "2001-01-01T00:00:00Z"}, pairs(('"$date"', '"2001-01-01T00:00:00Z"'))),
    "dict-like-data": ({"$data": 5}, pairs(('"$data"', '5'))),
    "dict-like-dict": ({"$dict": []}, pairs(('"$dict"', '[]'))),
    "dict-like-set": ({"$set": True}, pairs(('"$set"', 'true'))),
    "dict-like-uid": ({"$uid": 5}, pairs(('"$uid"', '5'))),
    "dict-like-real": ({"$real": "nan"}, pairs(('"$real"', '"nan"'))),
    "dict-like-real32": ({"$real32": 1.5}, pairs(('"$real32"', '1.5'))),
    "tag-beside-other-key": ({"$date": 1, "k": 2}, '{\n  "$date": 1,\n  "k": 2\n}'),
    "name-like-tag": ({"$when": 1}, '{\n  "$when": 1\n}'),
    "root-like-exact-envelope": ({"$savetool": 1, "value": 2}, pairs(('"$savetool"', '1'), ('"value"', '2'))),
    "root-like-graph-envelope": ({"$archiver": "NSKeyedArchiver", "$top": {}}, pairs(('"$archiver"', '"NSKeyedArchiver"'), ('"$top"', '{}'))),
    "inner-like-envelopes": ([{"$savetool": 1}, {"$archiver": "x", "$top": 2}], """[
  {
    "$savetool": 1
  },
  {
    "$archiver": "x",
    "$top": 2
  }
]"""),
    "root-keyed-archive": (
        {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": ["$null", "Swamp"]},
        """{
  "$version": 100000,
  "$archiver": "NSKeyedArchiver",
  "$top": {
    "root": {"$uid": 1}
  },
  "$objects": [
    "$null",
    "Swamp"
  ]
}"""),
}


def main(fixtures):
    for name, (value, text) in cases.items():
        (fixtures / "typed-json" / f"{name}.plist").write_bytes(document(value))
        (fixtures / "typed-json" / f"{name}.json").write_bytes((text + "\n").encode())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
