"""Keyed archives with the layout of NSKeyedArchiver: objects are in the order of first reference, a class record
follows the first object of its class, and equal scalars are stored once.

    archive({"root": Object(array("Ada"))})
"""
import sys

from assembler import UID, Pairs, Set, document, scalar

sys.setrecursionlimit(10_000)


class Record:
    """A class record. `chain` and `hints` are left out if they are None."""

    def __init__(self, name, *parents, chain=True, hints=None):
        self.members = {"$classname": name}
        if chain:
            self.members["$classes"] = [name, *parents, "NSObject"] if chain is True else chain
        if hints is not None:
            self.members["$classhints"] = hints


class Object:
    """A reference to a value that is a separate object; for None, a reference to nil."""

    def __init__(self, value):
        self.value = value


class Instance:
    """An object with a class. Fields are pairs, so that names may occur twice. Values that are not `Object` are stored
    in place."""

    def __init__(self, record, *fields, **named):
        self.record = record
        self.fields = [*fields, *named.items()]


class Plain:
    """A value that is stored in `$objects` although it is a container, or that needs its own identity."""

    def __init__(self, value):
        self.value = value


ARRAY = Record("NSArray")
DICTIONARY = Record("NSDictionary")
DATE = Record("NSDate")


def objects(values):
    return [Object(value) for value in values]


def array(*values, record=ARRAY):
    return Instance(record, ("NS.objects", objects(values)))


def numbered(*values, record):
    return Instance(record, *((f"NS.object.{index}", Object(value)) for index, value in enumerate(values)))


def dictionary(*pairs, record=DICTIONARY):
    return Instance(record, ("NS.keys", objects(key for key, _ in pairs)), ("NS.objects", objects(value for _, value in pairs)))


def date(seconds, record=DATE):
    return Instance(record, ("NS.time", float(seconds)))


class Archiver:
    def __init__(self):
        self.objects = ["$null"]
        self.numbers = {}

    def refer(self, value):
        if value is None:
            return UID(0)
        is_object = isinstance(value, (Instance, Record, Plain))
        key = id(value) if is_object else scalar(value)[0]
        if key not in self.numbers:
            number = self.numbers[key] = len(self.objects)
            self.objects.append(None)
            self.objects[number] = self.describe(value) if is_object else value
        return UID(self.numbers[key])

    def describe(self, value):
        if isinstance(value, Record):
            return value.members
        if isinstance(value, Plain):
            return value.value
        fields = [(name, self.place(field)) for name, field in value.fields]
        return Pairs(*fields, ("$class", self.refer(value.record)))

    def place(self, value):
        if isinstance(value, Object):
            return self.refer(value.value)
        if isinstance(value, list):
            return [self.place(element) for element in value]
        if isinstance(value, Set):
            return Set(*map(self.place, value.elements))
        if isinstance(value, Pairs):
            return Pairs(*((key, self.place(item)) for key, item in value.pairs))
        if isinstance(value, dict):
            return {key: self.place(item) for key, item in value.items()}
        return value


def archive(top, *unreferenced, archiver="NSKeyedArchiver"):
    """Returns an archive with the given roots and unreferenced objects."""
    run = Archiver()
    roots = run.place(top)
    for value in unreferenced:
        run.refer(value)
    return document({"$version": 100000, "$archiver": archiver, "$top": roots, "$objects": run.objects})
