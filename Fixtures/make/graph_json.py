"""Each form of graph JSON with the corresponding keyed archive.

    python3 graph_json.py FIXTURES

writes `graph-json/NAME.archive` with the layout of NSKeyedArchiver, and `graph-json/NAME.json` with a text of
graph_json_texts.py. A reader must read the same from both, and a writer must write exactly these bytes.
"""
import pathlib
import sys

from archiver import ARRAY, DATE, DICTIONARY, Instance, Object, Plain, Record, archive, array, date, dictionary, numbered, objects
from assembler import Date, Pairs, Real32, Real64, Set, Units
from graph_json_texts import texts

MAP = Record("Map")
PLAYER = Record("Player", "Actor")
NODE = Record("Node")
MUTABLE_ARRAY = Record("NSMutableArray", "NSArray")
MUTABLE_DICTIONARY = Record("NSMutableDictionary", "NSDictionary")
MUTABLE_STRING = Record("NSMutableString", "NSString")
SET = Record("NSSet")
ORDERED_SET = Record("NSOrderedSet")


def root(value, *unreferenced, **options):
    return archive({"root": Object(value)}, *unreferenced, **options)


def field(value, name="value"):
    """An archive whose root has one field."""
    return root(Instance(MAP, (name, value)))


def hero():
    node = Instance(MAP)
    node.fields.append(("self", Object(node)))
    return node


def in_place(node):
    return Instance(MAP, ("value", [Object(node), [Object(node)]]), ("again", Object(node)))


def linked(count):
    """Arrays within arrays."""
    value = array()
    for _ in range(count - 1):
        value = array(value)
    return value


def shared(value):
    return root(array(value, value))


NAMES = ["$class", "$id", "$ref", "$$", "$", "$0", "", "$date"]

archives = {
    # Fields: references and values in place.
    "references": root(Instance(
        MAP, text=Object("Swamp"), none=Object(None), data=Object(b"\x0f\xbd"), date=Object(date(0)),
        array=Object(array("Ada", None)), dictionary=Object(dictionary(("gold", 7))))),
    "in-place": root(Instance(
        MAP, integer=100, negative=-1, real=0.5, real32=Real32(10.5), yes=True, no=False,
        nan=Real64(0x7FF8000000000000))),
    "object-numbers": root(Instance(
        MAP, integer=Object(12), real=Object(0.5), real32=Object(Real32(10.5)), yes=Object(True), infinity=Object(float("inf")))),
    "inline-text": field("Swamp"),
    "inline-data": field(b"\x01\x02"),
    "inline-date": field(Date(0.0)),
    "inline-array-empty": field([]),
    "inline-array": field(objects(["Ada", 5, None])),
    "inline-array-of-inline": field([1, "Ada", [2, Object("Bo")], []]),
    "inline-dictionary": field({"name": Object("Ada"), "score": 5, "$ref": 1, "more": {"x": True}}),
    "inline-dictionary-empty": field({}),
    "inline-dictionary-pairs": field(Pairs(("k", 1), ("k", Object("two")), (7, "seven"))),
    "inline-set": field(Set(1, Object("two"))),

    # Roots.
    "top-several": archive({"root": Object("Ada"), "version": 3, "scale": 1.5, "note": "in place", "best": Object(7)}),
    "top-none": archive({}),
    "top-null": archive({"root": Object(None)}),
    "top-names": archive({name: 1 for name in NAMES}),
    "top-repeated-name": archive(Pairs(("root", Object("Ada")), ("root", 2))),
    "archiver": root("Swamp", archiver="SCNKeyedArchiver"),

    # Names.
    "names-fields": root(Instance(MAP, *((name, number) for number, name in enumerate(NAMES[1:])))),
    "names-keys": root(dictionary(*((name, name) for name in NAMES))),
    "names-lone-surrogates": root(Instance(MAP, (Units(0xD83D), 1), (Units(0x24, 0xDE00), Object(Units(0xDE00, 0xD83D))))),
    "names-classes": root(array(Instance(Record("$class")), Instance(Record("")))),
    "fields-repeated-name": root(Instance(MAP, ("k", 1), ("k", Object("two")), ("$k", [3]))),
    "fields-number-name": root(Instance(MAP, (7, 1), ("k", Object("two")))),

    # Collections.
    "array": root(array("Ada", 7, True, 0.5, None, b"\x01", array(), date(0.5), dictionary())),
    "array-mutable": root(array("Ada", 7, record=MUTABLE_ARRAY)),
    "array-mutable-empty": root(array(record=MUTABLE_ARRAY)),
    "set": root(array("Ada", 7, record=SET)),
    "set-ordered": root(numbered("Ada", 7, record=ORDERED_SET)),
    "dictionary": root(dictionary(("name", "Ada"), ("friends", array("Bo")), ("none", None))),
    "dictionary-mutable": root(dictionary(("name", "Ada"), ("gold", 7), record=MUTABLE_DICTIONARY)),
    "dictionary-mutable-empty": root(dictionary(record=MUTABLE_DICTIONARY)),
    "dictionary-other-keys": root(dictionary((7, "seven"), (array("a", "b"), array()), (date(0), None))),
    "dictionary-repeated-key": root(dictionary(("k", 1), ("k", 2))),
    "date": root(date(273933296.789)),
    "string-mutable": root(Instance(MUTABLE_STRING, ("NS.string", "Swamp"))),
    "null-object": root(array(Instance(Record("NSNull")), None)),
    "array-numbered": root(numbered("Ada", 7, record=ARRAY)),
    "array-breaks-rules": root(Instance(ARRAY, ("NS.objects", ["in place", Object("Ada")]))),
    "dictionary-breaks-rules": root(Instance(DICTIONARY, ("NS.keys", objects(["a", "b"])), ("NS.objects", objects([1])))),
    "date-with-more": root(Instance(DATE, ("NS.time", 0.0), ("zone", Object("UTC")))),

    # Sharing.
    "cycle": root(hero()),
    "shared-object": shared(Instance(MAP, name=Object("Swamp"))),
    "shared-array": shared(array("Ada")),
    "shared-dictionary": shared(dictionary(("k", 1))),
    "shared-date": shared(date(0)),
    "shared-in-place": root(in_place(Instance(NODE))),
    "shared-deep": root(linked(300)),
    "scalars-equal": root(array(1, 1.0, True, Real32(1.0), "1", 1, 1.0, True, Real32(1.0), "1")),

    # Values in the usual position of an object with a class.
    "raw-date": root(array(Date(0.0), Date(-0.5)), archiver="GSKeyedArchiver"),
    "raw-dictionary": root(Plain({"name": "Swamp", "$date": [1, Set(2)]})),
    "raw-dictionary-shared": shared(Plain({"name": "Swamp"})),
    "raw-array-in-field": field(Object(Plain([1, "two"]))),
    "unreferenced": root("Ada", "Bo", 7, array("Cy"), Plain([])),
    "unreferenced-cycle": root("Ada", hero()),
    "unreferenced-class": root("Ada", Record("Player")),

    # Classes.
    "classes-chain": root(Instance(PLAYER)),
    "classes-none": root(Instance(Record("Player", chain=None))),
    "classes-hints": root(Instance(Record("Player", hints=["Actor"]))),
    "classes-hints-only": root(Instance(Record("Player", chain=None, hints=[]))),
    "classes-two-of-one-name": root(array(Instance(PLAYER), Instance(Record("Player")))),
    "classes-unlike-foundation": root(array("Ada", record=Record("NSArray", "Odd"))),
    "classes-two-of-foundation": root(array(array(record=Record("NSArray", "Odd")))),
}


def main(fixtures):
    assert archives.keys() == texts.keys()
    folder = fixtures / "graph-json"
    for name, data in archives.items():
        archiver = {"archiver": "SCNKeyedArchiver", "raw-date": "GSKeyedArchiver"}.get(name, "NSKeyedArchiver")
        text = f'{{\n  "$archiver": "{archiver}",\n  "$version": 100000,\n{texts[name]}\n}}\n'
        (folder / f"{name}.archive").write_bytes(data)
        (folder / f"{name}.json").write_bytes(text.encode())


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
