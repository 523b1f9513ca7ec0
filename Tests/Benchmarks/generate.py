#!/usr/bin/env python3
"""Generates the input files of the benchmark, with the same bytes on every machine.

usage: generate.py FOLDER [--megabytes 5] [--small 1000]

    scores    an array of records with names, numbers and dates      (scoresj: dates as text, for JSON)
    prefs     one wide dictionary with values of all types           (prefsj: no dates and no data)
    archive   a keyed archive: a map, its players and their items, with shared names and classes

Each is written as KIND.SIZE.plist (binary) and, except for the archive, .xml; the kinds for JSON also as .json. In
KIND.SIZE.b.plist, one value in a hundred is changed. `small` has many files of 10 KB of the kind scoresj. schema.json
is their schema. Uses only the standard library.
"""
import argparse
import datetime
import json
import os
import plistlib
import random

SYLLABLES = "an bel cor dra el far gim hal is jor kel lin mor nes or pel quin ros sel tor ul ven wyn yar zel".split()
NAMES_ELSEWHERE = ["Zoé", "Håkon", "Łucja", "Νίκη", "Борис", "美羽", "민준", "🐲"]
# The number of records per megabyte of binary property list.
PER_MEGABYTE = {"scores": 13000, "scoresj": 11000, "prefs": 17500, "prefsj": 18500, "archive": 3670}
PER_SMALL_FILE = 145
SCHEMA = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "array",
    "items": {
        "type": "object",
        "required": ["name", "score", "date", "level", "accuracy"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "minLength": 1, "maxLength": 64},
            "score": {"type": "integer", "minimum": 0},
            "date": {"type": "string", "pattern": "^[0-9]{4}-"},
            "level": {"type": "integer", "minimum": 1, "maximum": 100},
            "accuracy": {"type": "number", "minimum": 0, "maximum": 1},
        },
    },
}


class Dice:
    """Random numbers from `getrandbits` only, which gives the same numbers in all versions of Python."""

    def __init__(self, seed):
        self.bits = random.Random(seed).getrandbits

    def below(self, bound):
        return self.bits(32) % bound

    def part(self):
        return self.bits(32) / (1 << 32)

    def name(self):
        text = "".join(SYLLABLES[self.below(len(SYLLABLES))] for _ in range(2 + self.below(3))).capitalize()
        kind = self.below(16)
        if kind == 0:
            return NAMES_ELSEWHERE[self.below(len(NAMES_ELSEWHERE))] + str(self.below(1000))
        return text + (" & Co" if kind == 1 else str(self.below(1000)) if kind < 8 else "")


def scores(dice, count, is_json):
    names = [dice.name() for _ in range(max(16, min(8000, count // 12)))]
    moment = datetime.datetime(2012, 1, 1)
    records = []
    for _ in range(count):
        moment += datetime.timedelta(seconds=dice.below(500))
        shots = 20 + dice.below(500)
        records.append({
            "name": names[dice.below(len(names))],
            "score": dice.below(1 << 23) * 5,
            "date": moment.isoformat() + "Z" if is_json else moment,
            "level": 1 + dice.below(64),
            "accuracy": dice.below(shots) / shots,
        })
    return records


def prefs(dice, count, is_json):
    words = [dice.name() for _ in range(2000)]
    values = {}
    for number in range(count):
        word = words[dice.below(len(words))]
        kind = dice.below(16)
        if kind < 5:
            value = " ".join(words[dice.below(len(words))] for _ in range(1 + dice.below(3)))
        elif kind < 6:
            value = NAMES_ELSEWHERE[dice.below(len(NAMES_ELSEWHERE))] + " – " + word
        elif kind < 9:
            value = dice.below(1 << 32) - (1 << 30)
        elif kind < 10:
            value = bool(dice.below(2))
        elif kind < 12:
            value = dice.part() * 1000
        elif kind < 13:
            value = [dice.below(256) for _ in range(dice.below(8))]
        elif kind < 14:
            value = {"x": dice.part(), "y": dice.part(), "on": bool(dice.below(2))}
        elif kind < 15:
            value = word if is_json else datetime.datetime(2016, 1, 1) + datetime.timedelta(seconds=dice.below(1 << 27))
        else:
            value = number if is_json else dice.bits(8 * 40).to_bytes(40, "big")
        values[f"org.{word.lower().replace(' ', '')}.{number}"] = value
    return values


def archive(dice, count, is_json):
    objects, classes, names = ["$null"], {}, {}

    def add(value):
        objects.append(value)
        return plistlib.UID(len(objects) - 1)

    def of_class(name, *parents):
        if name not in classes:
            classes[name] = add({"$classname": name, "$classes": [name, *parents, "NSObject"]})
        return classes[name]

    players = []
    world = {"level": 7, "title": add("The Drowned Keep"), "$class": None, "players": None}
    root = add(world)
    pool = [dice.name() for _ in range(max(8, min(4000, count // 8)))]
    for number in range(count):
        name = pool[dice.below(len(pool))]
        if name not in names:
            names[name] = add(name)
        items = [
            add({"$class": of_class("Item"), "kind": dice.below(1 << 16), "count": 1 + dice.below(32)})
            for _ in range(dice.below(4))
        ]
        players.append(add({
            "$class": of_class("Player"),
            "name": names[name],
            "health": dice.below(128),
            "position.x": dice.below(1 << 20) / 512,
            "position.y": dice.below(1 << 20) / 512,
            "inventory": add({"$class": of_class("NSArray"), "NS.objects": items}),
            "portrait": add(dice.bits(8 * 40).to_bytes(40, "big")) if number % 16 else plistlib.UID(0),
        }))
    world["players"] = add({"$class": of_class("NSMutableArray", "NSArray"), "NS.objects": players})
    world["$class"] = of_class("Map")
    return {"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": root}, "$objects": objects}


def changed(value, dice):
    """Returns a copy in which one number or text in a hundred is changed. The structure of the archive is kept."""
    if isinstance(value, dict):
        return {key: item if key.startswith("$c") or key == "$archiver" else changed(item, dice)
                for key, item in value.items()}
    if isinstance(value, list):
        return [changed(item, dice) for item in value]
    if isinstance(value, (bool, plistlib.UID)) or value in ("$null", 100000) or dice.below(100):
        return value
    if isinstance(value, (int, float)):
        return value + 1
    return value + "~" if isinstance(value, str) else value


MAKERS = {"scores": scores, "prefs": prefs, "archive": archive}


def make(kind, count, seed):
    return MAKERS[kind.rstrip("j")](Dice(f"{kind} {seed}"), count, kind.endswith("j"))


def write(value, base, forms):
    for form in forms:
        with open(f"{base}.{form}", "w" if form == "json" else "wb") as file:
            if form == "json":
                json.dump(value, file, ensure_ascii=False, separators=(",", ":"))
            else:
                format = plistlib.FMT_XML if form == "xml" else plistlib.FMT_BINARY
                plistlib.dump(value, file, fmt=format, sort_keys=False)


def generate(folder, megabytes, small):
    os.makedirs(folder, exist_ok=True)
    for kind, records in PER_MEGABYTE.items():
        base = os.path.join(folder, f"{kind}.{megabytes}m")
        # plistlib does not write UIDs in XML.
        forms = ["plist"] + (["xml"] if kind != "archive" else []) + (["json"] if kind.endswith("j") else [])
        if all(os.path.exists(f"{base}.{form}") for form in forms + ["b.plist"]):
            continue
        value = make(kind, records * megabytes, 1)
        write(value, base, forms)
        write(changed(value, Dice("changed")), base + ".b", ["plist"])
    os.makedirs(os.path.join(folder, "small"), exist_ok=True)
    for number in range(small):
        base = os.path.join(folder, "small", f"{number:04}")
        if not os.path.exists(base + ".json"):
            write(make("scoresj", PER_SMALL_FILE, number), base, ["plist", "json"])
    with open(os.path.join(folder, "schema.json"), "w") as file:
        json.dump(SCHEMA, file, indent=1)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--small", type=int, default=1000)
    arguments = parser.parse_args()
    generate(arguments.folder, arguments.megabytes, arguments.small)
