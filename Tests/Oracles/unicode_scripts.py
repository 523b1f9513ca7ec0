#!/usr/bin/env python3
"""Compares the scripts of `\\p{Script=…}` and `\\p{Script_Extensions=…}` with the Unicode Character Database.

    pip install fonttools==4.61.0        # has Scripts.txt and ScriptExtensions.txt of Unicode 17.0.0 as tables
    python3 Tests/Oracles/unicode_scripts.py

Prints each script that differs, and exits with 1 if there is any.
"""

import bisect
import pathlib
import sys

from fontTools.unicodedata import ScriptExtensions, Scripts

VERSION = "Scripts-17.0.0.txt"
SOURCE = pathlib.Path(__file__).parents[2] / "Sources/JSONSchema/Regex/Unicode/UnicodeTable+Data.swift"


def points(words):
    """Returns the code points of packed ranges. Each range is the gap before it, and the number of code points after
    its first."""
    found, following = set(), 0
    for word in words:
        gap, _, more = word.partition("+")
        first = following + int(gap, 16)
        following = first + int(more or "0", 16) + 1
        found.update(range(first, following))
    return found


def table():
    """Returns Script and Script_Extensions of our table, by script code."""
    text = SOURCE.read_text().split("static let scripts")[1].split('"""')[1]
    entries = []
    for line in text.strip().splitlines():
        names, colon, ranges = line.rpartition(":")
        if colon:
            entries.append((names.split()[0], []))
        entries[-1][1].extend(ranges.split())
    scripts, extensions = {}, {}
    for code, words in entries:
        end = words.index("~") if "~" in words else len(words)
        scripts[code] = points(words[:end])
        extensions[code] = scripts[code] ^ points(words[end + 1 :])
    return scripts, extensions


def database():
    """Returns Script and Script_Extensions of the Unicode Character Database, by script code."""
    scripts, extensions = {}, {}
    for point in range(0x110000):
        script = Scripts.VALUES[bisect.bisect_right(Scripts.RANGES, point) - 1]
        others = ScriptExtensions.VALUES[bisect.bisect_right(ScriptExtensions.RANGES, point) - 1]
        scripts.setdefault(script, set()).add(point)
        for code in others or {script}:
            extensions.setdefault(code, set()).add(point)
    return scripts, extensions


def main():
    if VERSION not in pathlib.Path(Scripts.__file__).read_text():
        sys.exit(f"this fonttools has another version of Unicode than {VERSION}")
    differing = 0
    for name, ours, theirs in zip(("Script", "Script_Extensions"), table(), database()):
        for code in sorted((ours.keys() | theirs.keys()) - {"Zzzz"}):
            if ours.get(code, set()) != theirs.get(code, set()):
                differing += 1
                print(f"{name} {code}: {len(ours.get(code, set()) ^ theirs.get(code, set()))} code points differ")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
