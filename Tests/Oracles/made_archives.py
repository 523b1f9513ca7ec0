"""Keyed archives with properties that no available file has: depth, much sharing, names like those in graph JSON, and
classes that violate their own rules. Each is a `$top` and a `$objects` without its `$null`."""
import math
import plistlib
from plistlib import UID


def record(name, *chain):
    return {"$classname": name, "$classes": [name, *chain, "NSObject"]}


def instance(class_index, **fields):
    return {**fields, "$class": UID(class_index)}


def collection(class_index, *elements):
    return {"NS.objects": list(map(UID, elements)), "$class": UID(class_index)}


def dictionary(class_index, keys, values):
    return {"NS.keys": list(map(UID, keys)), **collection(class_index, *values)}


def chain(count):
    """A linked list whose last node refers to the first."""
    nodes = [instance(count + 1, next=UID(number % count + 1), number=number) for number in range(1, count + 1)]
    return [*nodes, record("Node")]


def nested(count):
    return [*(collection(count + 1, number) for number in range(2, count + 1)), collection(count + 1), record("NSArray")]


def doubled(count):
    """Arrays that each contain the next one twice, with 2 to the power of `count` paths."""
    arrays = [collection(count + 1, number, number) for number in range(2, count + 1)]
    return [*arrays, collection(count + 1), record("NSArray")]


NAMES = ["$", "$$", "$0", "$id", "$ref", "$$class", "$object", "$inline", "$fields", "$elements", "$entries", "$raw",
         "$uid", "$date", "$data", "$set", "$dict", "$real32", "CF$UID", "", "NS.objects", "a/b~c"]
ROOT = {"root": UID(1)}

MADE = {
    "linked list of 3000": (ROOT, chain(3000)),
    "linked list of 205": (ROOT, chain(205)),
    "arrays nested 1000 deep": (ROOT, nested(1000)),
    "arrays nested 201 deep": (ROOT, nested(201)),
    "array doubled 60 times": (ROOT, doubled(60)),
    "two roots that hold each other": ({"a": UID(1), "b": UID(2)}, [
        instance(3, other=UID(2)), instance(3, other=UID(1)), record("Node")]),
    "one object under two names": ({"a": UID(1), "b": UID(1)}, [instance(2), record("Empty")]),
    "names of fields": (ROOT, [instance(2, **{name: number for number, name in enumerate(NAMES)}), record("Odd")]),
    "names of fields, references": (ROOT, [instance(3, **{name: UID(2) for name in NAMES}), "text", record("Odd")]),
    "names under $top": ({name: UID(1) for name in NAMES}, ["text"]),
    "names under $top, inline": ({name: number for number, name in enumerate(NAMES)}, []),
    "names of keys": (ROOT, [
        dictionary(2, range(3, 3 + len(NAMES)), range(3, 3 + len(NAMES))), record("NSDictionary"), *NAMES]),
    "names of mutable keys": (ROOT, [
        dictionary(2, range(3, 3 + len(NAMES)), range(3, 3 + len(NAMES))), record("NSMutableDictionary", "NSDictionary"),
        *NAMES]),
    "strings like tags": (ROOT, [collection(2, *range(3, 3 + len(NAMES))), record("NSArray"), *NAMES]),
    "one key, like a reference": (ROOT, [dictionary(4, [2], [3]), "$ref", 1, record("NSDictionary")]),
    "names of classes": (ROOT, [
        collection(2, 3, 4, 5, 6, 11), record("NSArray"), instance(7), instance(8), instance(9), instance(10),
        record("Player"), record("Player", "Actor"), record("Player#2"), {"$classname": "Player"}, instance(12),
        {"$classname": "Player", "$classes": ["Player", "NSObject"], "$classhints": ["Actor"]}]),
    "records unlike Foundation's": (ROOT, [
        collection(2, 3, 4, 5, 6), record("NSArray", "Odd"), collection(7), collection(8), collection(9), dictionary(10, [], []),
        {"$classname": "NSArray", "$classes": []}, {"$classname": "NSSet", "$classes": ["Other"]},
        {"$classname": "NSMutableArray"}, {"$classname": "NSDictionary", "$classhints": []}]),
    "two records of NSArray, both in use": (ROOT, [
        collection(2, 3, 4), record("NSArray"), collection(2), collection(5), record("NSArray", "Odd")]),
    "inline values of all kinds": (ROOT, [
        instance(2, integer=1, real=1.0, true=True, false=False, text="text", data=b"data", array=[1, "a", [2], {}, {"b": 1}],
                 dictionary={"a": 1, "$class": 1, "$ref": 2, "c": {"d": [3]}}, empty=[], none={}, uids=[UID(3), UID(0)]),
        record("Odd"), "met"]),
    "references deep in inline values": (ROOT, [
        instance(2, array=[1, "a", [UID(3)], {"b": UID(3)}], dictionary={"a": UID(3), "c": {"d": [UID(0), UID(1)]}}),
        record("Odd"), "met"]),
    "references to all kinds": (ROOT, [
        instance(2, integer=UID(3), real=UID(4), true=UID(5), false=UID(6), text=UID(7), data=UID(8), nil=UID(0), zero=UID(9)),
        record("Odd"), 1, 1.0, True, False, "text", b"data", 0]),
    "elements of all kinds": (ROOT, [
        collection(2, 3, 4, 5, 6, 7, 8, 0, 9, 10), record("NSMutableArray", "NSArray"), 1, 1.0, True, False, "text", b"data", 0,
        -0.0]),
    "raw dictionary and array": (ROOT, [
        collection(2, 3, 4, 3), record("NSArray"), {"a": 1, "b": [2.0, 1], "$ref": 3}, ["$null", "a", {"b": 1}]]),
    "collections that break their rules": (ROOT, [
        collection(2, 3, 4, 5, 6, 7, 8, 9, 10, 11), record("NSArray"),
        instance(2), {"NS.objects": "text", "$class": UID(2)}, {"NS.objects": [UID(12), "text"], "$class": UID(2)},
        {**collection(2, 12), "extra": 1}, instance(13), dictionary(13, [12, 12], [12]), {"NS.keys": 1, **collection(13)},
        dictionary(13, [12, 12], [12, 2 + 12]), {"NS.objects": UID(12), "$class": UID(2)},
        "key", record("NSDictionary"), "other"]),
    "keys of other kinds": (ROOT, [
        dictionary(2, [3, 4, 5, 6, 0], [3, 3, 3, 1, 0]), record("NSMutableDictionary", "NSDictionary"), 1, 1.0, b"data",
        collection(7), record("NSArray")]),
    "dates beyond the calendar": (ROOT, [
        collection(2, 3, 4, 5), record("NSArray"), *({"NS.time": time, "$class": UID(6)} for time in (math.inf, math.nan, 1e300)),
        record("NSDate")]),
    "dates": (ROOT, [
        collection(2, 3, 3, 4, 5, 6, 7), record("NSArray"), {"NS.time": 0.5, "$class": UID(8)}, {"NS.time": 1, "$class": UID(8)},
        {"NS.time": UID(9), "$class": UID(8)}, {"NS.time": 2.0, "zone": 1, "$class": UID(8)}, {"NS.time": -0.0, "$class": UID(8)},
        record("NSDate"), 3.0]),
    "shared collections": (ROOT, [
        collection(2, 3, 3, 4, 4, 5, 5, 1), record("NSArray"), collection(2), dictionary(6, [], []), collection(7),
        record("NSDictionary"), record("NSSet")]),
    "$null in places": (ROOT, [
        instance(4, a=UID(2), b=UID(0), c=[UID(3), UID(0)]), "$null", "$null", record("Odd")]),
    "$null at $top": ({"a": UID(0), "b": UID(1)}, ["$null"]),
    "unreferenced": (ROOT, [
        "root", instance(3, it=UID(1), next=UID(5)), record("Odd"), "alone", instance(3, it=UID(2)), collection(7),
        record("NSArray"), "root", 5, collection(7, 6, 6, 5), instance(3, it=UID(2))]),
    "unreferenced without $top": ({}, [instance(2, me=UID(1)), record("Odd")]),
    "unreferenced chain": ({}, chain(1000)),
}


def write(folder):
    """Writes the archives as binary files and returns them by name."""
    folder.mkdir()
    paths = {}
    for number, (name, (top, objects)) in enumerate(MADE.items()):
        archive = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top, "$objects": ["$null", *objects]}
        paths[f"made: {name}"] = folder / f"{number}.plist"
        paths[f"made: {name}"].write_bytes(plistlib.dumps(archive, fmt=plistlib.FMT_BINARY, sort_keys=False))
    return paths
