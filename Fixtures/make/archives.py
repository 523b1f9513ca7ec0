"""Keyed archives with errors or unusual contents. All of them are valid property lists.

    python3 archives.py FIXTURES

writes `archives-tricky/`. The number at the beginning of a name is a group of cases: 53 cycles, 54 envelopes, 55
`$null`, 56 UIDs out of range, 57 invalid classes, 58 class records, 59 dictionaries, 60 arrays, 61 `$null` elsewhere,
62 archives in archives.
"""
import pathlib
import sys

from assembler import UID, document

NULL = "$null"
STRING = "Swamp"


def class_record(name, *parents):
    return {"$classname": name, "$classes": [name, *parents, "NSObject"]}


ARRAY = class_record("NSArray")
DICTIONARY = class_record("NSDictionary")
DATA = class_record("NSMutableData", "NSData")


def elements(uids, class_uid=2):
    return {"NS.objects": [UID(uid) for uid in uids], "$class": UID(class_uid)}


def envelope(objects, **changes):
    """Returns an archive as a value. A change to None removes the key."""
    root = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": UID(1)}, "$objects": objects}
    root |= {"$" + key: value for key, value in changes.items()}
    return {key: value for key, value in root.items() if value is not None}


def archive(*objects, **changes):
    return document(envelope([NULL, *objects], **changes))


def pairs(keys, values):
    return {"NS.keys": [UID(uid) for uid in keys], "NS.objects": [UID(uid) for uid in values], "$class": UID(2)}


def nested(levels):
    """Archives within the data of archives."""
    data = archive({"NS.data": b"the innermost", "$class": UID(2)}, DATA)
    for _ in range(levels - 1):
        data = archive({"NS.data": data, "$class": UID(2)}, DATA)
    return data


def family():
    """A node and its two children, which refer to their parent."""
    def node(name, parent, children):
        return {"name": UID(name), "parent": UID(parent), "children": UID(children), "$class": UID(10)}

    children = {"NS.objects": [UID(3), UID(4)], "$class": UID(11)}
    return archive(
        node(5, 0, 2), children, node(6, 1, 8), node(7, 1, 9), "world", "hero", "\u2194 shadow",
        {"NS.objects": [], "$class": UID(11)}, {"NS.objects": [UID(3)], "$class": UID(11)},
        class_record("Node"), ARRAY)


def doublings(levels):
    """Arrays that each contain the next one twice."""
    return archive(ARRAY, *(elements([uid + 1, uid + 1], 1) for uid in range(2, levels + 2)), "leaf", top={"root": UID(2)})


def level():
    """A level whose fog is an archive, with a property list, a text, and data that is neither."""
    fog = archive({"cells": UID(3), "$class": UID(2)}, class_record("Fog"), {"NS.objects": [UID(5), UID(6)], "$class": UID(4)},
                  ARRAY, "clear", "dense")
    prefs = document({"gems": 7, "levels": ["Swamp", "Crypt"]})
    text = b'<?xml version="1.0"?><plist version="1.0"><string>hello</string></plist>'
    return archive(
        {"fog": UID(3), "prefs": prefs, "motto": UID(5), "again": UID(3), "map": UID(6), "broken": prefs[:40],
         "$class": UID(2)},
        class_record("Level"), {"NS.data": fog, "$class": UID(4)}, DATA, text, b"<?xml version='1.0'?><svg/>")


sound = elements([3]), ARRAY, STRING
cases = {
    "53-array-in-itself": archive(elements([1]), ARRAY),
    "53-two-arrays-in-each-other": archive(elements([3]), ARRAY, elements([1])),
    "53-parent-and-child": family(),
    "53-40-doublings": doublings(40),
    "54-top-missing": archive(*sound, top=None),
    "54-top-array": archive(*sound, top=[UID(1)]),
    "54-objects-missing": document(envelope(None)),
    "54-objects-dictionary": document(envelope({"0": NULL})),
    "54-version-1": archive(*sound, version=1),
    "54-version-text": archive(*sound, version="100000"),
    "54-archiver-missing": archive(*sound, archiver=None),
    "54-archiver-other": archive(*sound, archiver="SCNKeyedArchiver"),
    "55-first-object-zero": document(envelope(["zero", *sound])),
    "56-in-array": archive(elements([9]), ARRAY, STRING),
    "56-in-top": archive(*sound, top={"root": UID(9)}),
    "56-in-class": archive(elements([3], 9), ARRAY, STRING),
    "56-name-in-top": archive(*sound, top={UID(9): UID(1)}),
    "56-name-of-field": archive({UID(9): 5, "levels": UID(3), "$class": UID(2)}, class_record("Map"), elements([4], 5), STRING, ARRAY),
    "57-class-is-string": archive(elements([3], 3), ARRAY, STRING),
    "57-class-is-instance": archive(elements([3], 1), ARRAY, STRING),
    "57-class-is-null": archive(elements([3], 0), ARRAY, STRING),
    "57-class-is-no-uid": archive({"NS.objects": [UID(3)], "$class": "NSArray"}, ARRAY, STRING),
    "58-no-classname": archive(elements([3]), {"$classes": ["NSArray", "NSObject"]}, STRING),
    "58-no-classes": archive(elements([3]), {"$classname": "NSArray"}, STRING),
    "58-classhints": archive(elements([3]), ARRAY | {"$classhints": ["NSArray"]}, STRING),
    "58-two-records-of-one-class": archive(elements([3, 4]), ARRAY, STRING, elements([3], 5), class_record("NSArray", "Old")),
    "59-key-too-few": archive(pairs([3], [3, 3]), DICTIONARY, STRING),
    "59-key-null": archive(pairs([0], [3]), DICTIONARY, STRING),
    "59-key-twice": archive(pairs([3, 3], [3, 4]), DICTIONARY, STRING, "Crypt"),
    "59-integer-keys": archive(pairs([3, 4, 5], [6, 7, 8]), DICTIONARY, 1, 2, 10, "Swamp", "Crypt", "Keep"),
    "60-objects-string": archive({"NS.objects": "Swamp", "$class": UID(2)}, ARRAY),
    "60-objects-inline-string": archive({"NS.objects": ["Swamp"], "$class": UID(2)}, ARRAY),
    "60-objects-missing": archive({"$class": UID(2)}, ARRAY),
    "61-null-elsewhere": archive(elements([3, 4]), ARRAY, NULL, STRING),
    "62-nested-50": nested(50),
    "62-level": level(),
}


def main(fixtures):
    for name, data in cases.items():
        (fixtures / "archives-tricky" / f"{name}.plist").write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
