"""Deliberately changed archives, which prove that `archive_graph` distinguishes different graphs and accepts equal
ones."""
import copy
import plistlib
from plistlib import UID

import archive_graph
from plist_values import Values


class Real32(float):
    pass


class Builder(Values):
    def parsed(self, value):
        return self.intern("real32", float(value)) if isinstance(value, Real32) else super().parsed(value)


def record(name, *chain):
    return {"$classname": name, "$classes": [name, *chain, "NSObject"]}


# A map and two players. One player is referenced twice, and both refer to the map (a cycle). Two objects that refer to
# each other are unreferenced. The layout is that of NSKeyedArchiver.
ARCHIVE = {
    "$archiver": "NSKeyedArchiver", "$version": 100000,
    "$top": {"root": UID(1), "level": 3},
    "$objects": [
        "$null",
        {"name": UID(2), "players": UID(3), "first": UID(4), "boss": UID(0), "$class": UID(10)},
        "Swamp",
        {"NS.objects": [UID(4), UID(7), UID(4), UID(8)], "$class": UID(9)},
        {"health": 100, "x": 1.5, "kind": UID(5), "map": UID(1), "$class": UID(6)},
        3,
        record("Player"),
        {"health": 100, "x": 1.5, "kind": UID(5), "map": UID(1), "$class": UID(6)},
        "flag",
        record("NSArray"),
        record("Map"),
        {"health": 7, "map": UID(12), "$class": UID(6)},
        {"NS.objects": [UID(11), UID(1)], "$class": UID(9)},
    ],
}


def objects(change):
    def changed(archive):
        change(archive["$objects"])
    return changed


def put(index, **fields):
    return objects(lambda table: table[index].update(fields))


def remove(index, field):
    return objects(lambda table: table[index].pop(field))


def append(item, then=lambda table: None):
    def change(table):
        table.append(item)
        then(table)
    return objects(change)


def split(table):
    table.append(dict(table[4]))
    table[3]["NS.objects"][2] = UID(len(table) - 1)


def own_null(table):
    table.append("$null")
    table[1]["boss"] = UID(len(table) - 1)


def split_scalar(table):
    table.append(3)
    table[7]["kind"] = UID(len(table) - 1)


def swap_unreferenced(table):
    table[11], table[12] = table[12], table[11]
    table[11]["NS.objects"][0] = UID(12)
    table[12]["map"] = UID(11)


def record_early(table):
    """Moves the map's class record before the array's, although the map contains the array."""
    table[9], table[10] = table[10], table[9]
    table[1]["$class"] = UID(9)
    table[3]["$class"] = table[12]["$class"] = UID(10)


DIFFERENT = {
    "another UID in an array": objects(lambda table: table[3]["NS.objects"].__setitem__(3, UID(2))),
    "another of two equal players": put(1, first=UID(7)),
    "a shared object split": objects(split),
    "two equal objects merged": objects(lambda table: table[3]["NS.objects"].__setitem__(1, UID(4))),
    "the cycle led elsewhere": put(7, map=UID(0)),
    "another class": put(4, **{"$class": UID(10)}),
    "a longer class chain": objects(lambda table: table.__setitem__(6, record("Player", "Actor"))),
    "a class chain lost": remove(6, "$classes"),
    "class hints added": put(6, **{"$classhints": ["Actor"]}),
    "an integer became a real": put(4, health=100.0),
    "an integer became a boolean": put(4, health=True),
    "a real became single": put(4, x=Real32(1.5)),
    "minus zero": put(4, x=-0.0),
    "a raw integer became a real": objects(lambda table: table.__setitem__(5, 3.0)),
    "inline became a reference": put(4, health=UID(5)),
    "a reference became inline": put(4, kind=3),
    "a string became data": objects(lambda table: table.__setitem__(2, b"Swamp")),
    "a field lost": remove(4, "x"),
    "a nil field lost": remove(1, "boss"),
    "a field renamed": objects(lambda table: table[4].__setitem__("X", table[4].pop("x"))),
    "elements exchanged": objects(lambda table: table[3]["NS.objects"].reverse()),
    "an element lost": objects(lambda table: table[3]["NS.objects"].pop()),
    "a member of $top lost": lambda archive: archive["$top"].pop("level"),
    "a member of $top changed": lambda archive: archive["$top"].update(level=4),
    "another archiver": lambda archive: archive.update({"$archiver": "Other"}),
    "unreferenced objects lost": objects(lambda table: table.__delitem__(slice(11, 13))),
    "an unreferenced object changed": put(11, health=8),
    "an unreferenced object leads elsewhere": objects(lambda table: table[12]["NS.objects"].__setitem__(1, UID(4))),
    "an unreferenced object added": append({"health": 7, "map": UID(12), "$class": UID(6)}),
    "an unreferenced scalar added": append("alone"),
    "an unreferenced scalar that is equal to another": append("Swamp"),
}
SAME = {
    "nothing changed": lambda archive: None,
    "fields in another order": objects(lambda table: table.__setitem__(4, dict(reversed(table[4].items())))),
    "a raw scalar twice": objects(split_scalar),
    "a $null of its own": objects(own_null),
    "a class record twice": append(record("Player"), lambda table: table[7].update({"$class": UID(13)})),
    "unreferenced objects exchanged": objects(swap_unreferenced),
}
UNSOUND = {
    "a reference beyond the table": put(4, map=UID(99)),
    "a class that is none": put(4, **{"$class": UID(2)}),
    "a class that is no reference": put(4, **{"$class": "Player"}),
    "a class as a value": put(4, map=UID(6)),
    "no $null": objects(lambda table: table.__setitem__(0, "null")),
    "a class without its name": remove(6, "$classname"),
    "another version": lambda archive: archive.update({"$version": 1}),
    "no $top": lambda archive: archive.pop("$top"),
}
OTHER_LAYOUT = {
    "two raw scalars are equal": objects(split_scalar),
    "two class records are equal": append(record("Player"), lambda table: table[7].update({"$class": UID(13)})),
    "objects out of order": objects(lambda table: table[3]["NS.objects"].reverse()),
    "a class record too early": objects(record_early),
}


def changed(change):
    archive = copy.deepcopy(ARCHIVE)
    change(archive)
    return archive


def graph(values, archive):
    return archive_graph.Archive(values, values.parsed(archive))


def verdict(change):
    """Returns the result of the comparison after a change."""
    values = Builder(ordered=True)
    try:
        archive_graph.Comparison(graph(values, ARCHIVE), graph(values, changed(change))).run()
    except archive_graph.Different as difference:
        return f"different: {difference}"
    except archive_graph.Unsound as unsound:
        return f"unsound: {unsound}"
    return "same"


def layout(change):
    return archive_graph.layout_fault(graph(Builder(ordered=True), changed(change)))


def with_dictionaries(value):
    """Returns the archive with references in the form of XML."""
    if isinstance(value, UID):
        return {"CF$UID": value.data}
    if isinstance(value, dict):
        return {key: with_dictionaries(item) for key, item in value.items()}
    return list(map(with_dictionaries, value)) if isinstance(value, list) else value


def judge_readers(report):
    """Checks that both file readers return the original archive."""
    values = Values(ordered=False)
    wanted = values.parsed(ARCHIVE)
    binary = plistlib.dumps(ARCHIVE, fmt=plistlib.FMT_BINARY)
    xml = plistlib.dumps(with_dictionaries(ARCHIVE), fmt=plistlib.FMT_XML)
    for name, found in [("binary", values.binary(binary)), ("xml", values.xml(xml))]:
        if found != wanted:
            report.fail(name, "the reader finds another value")
        report.count("read")


def judge_graphs(report):
    for rows, wanted in [(DIFFERENT, "different"), (UNSOUND, "unsound"), (SAME, "same")]:
        for name, change in rows.items():
            said = verdict(change)
            if not said.startswith(wanted):
                report.fail(name, f"expected is {wanted}; found is {said}")
            report.count(wanted)


def judge_layouts(report):
    if layout(lambda archive: None):
        report.fail("nothing changed", layout(lambda archive: None))
    for name, change in OTHER_LAYOUT.items():
        if layout(change) is None:
            report.fail(name, "expected is another layout; none was found")
        report.count("of another layout")


def run(report):
    judge_readers(report)
    judge_graphs(report)
    judge_layouts(report)
    report.end()
