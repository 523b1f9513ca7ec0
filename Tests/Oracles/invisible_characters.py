#!/usr/bin/env python3
"""Makes the table of characters that are escaped for people, from the Unicode Character Database.

    pip install regex==2026.5.9          # has the properties of Unicode 17.0.0
    python3 Tests/Oracles/invisible_characters.py            # compares the table
    python3 Tests/Oracles/invisible_characters.py --write    # writes it

The table has the characters that a terminal acts on or shows as nothing: the general categories Cc, Cf, Zl and Zp, and
default ignorable code points, assigned or not. Exits with 1 if the table differs.
"""

import pathlib
import sys

import regex

SOURCE = pathlib.Path(__file__).parents[2] / "Sources/SaveCodec/Text/InvisibleCharacters.swift"
INVISIBLE = regex.compile(r"[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]")


def ranges():
    found = []
    for point in range(0x110000):
        if 0xD800 <= point < 0xE000 or not INVISIBLE.match(chr(point)):
            continue
        if found and found[-1][1] == point - 1:
            found[-1][1] = point
        else:
            found.append([point, point])
    return found


def table():
    lines, line = [], "       "
    for first, last in ranges():
        entry = f" 0x{first:04X}...0x{last:04X},"
        if len(line) + len(entry) > 120:
            lines.append(line)
            line = "       "
        line += entry
    return "\n".join([*lines, line]) + "\n"


def main():
    text = SOURCE.read_text()
    start, end = text.index("[ClosedRange<UInt32>] = [\n") + 26, text.index("    ]\n")
    if "--write" in sys.argv:
        SOURCE.write_text(text[:start] + table() + text[end:])
    is_same = text[start:end] == table()
    print(f"invisible characters: {len(ranges())} ranges, {'the same' if is_same else 'different'}")
    return 0 if is_same or "--write" in sys.argv else 1


if __name__ == "__main__":
    sys.exit(main())
