#!/usr/bin/env python3
"""Finds code outside SaveCodec/Formats that compares a `Format` with one of its cases.

    python3 Tests/Oracles/format_comparisons.py

A fact about a format belongs in its definition, so that the compiler requires it for a new format. Other code asks for
the trait or function (`format.has(.text)`). It may compare two formats, and may name a format.

Other enums have cases of the same names, so a comparison counts only if the compared value is a `Format`. Its type is
taken from the declarations of its name in the same file, or else in all of Sources.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

from unsafe_uses import blanked

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ROOT / "Sources"
FORMATS = SOURCES / "SaveCodec/Formats"

TYPED = re.compile(r"\b(?:let|var)?\s*(\w+)\s*:\s*(?:inout |borrowing |consuming )?(?:\[?)([A-Z][\w.]*)\b")
RETURNED = re.compile(r"\bfunc (\w+)\b[^{}]*?->\s*([A-Z][\w.]*)")
ASSIGNED = re.compile(r"\b(?:let|var)\s+(\w+)\s*=\s*([^\n{]+)")
EXTENDED = re.compile(r"^(?:\w+ )*(extension|enum|struct|class|protocol) ([\w.]+)", re.M)
CALL = r"(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?"
# The last name of an expression such as `file.format` or `Format.detected(in: bytes)?`.
VALUE = rf"(?:\w+{CALL}[?!]?\s*\.\s*)*(\w+){CALL}[?!]?"


def cases():
    text = (FORMATS / "Format.swift").read_text()
    body = text[text.index("public enum Format"):]
    return re.findall(r"^ +case (\w+)", body[:body.index("\n}")], re.M)


def last_name(expression):
    """Returns the name whose type an expression has, if it is a chain of names and calls."""
    chain = re.match(rf"\s*(?:try[?!]?\s+)?{VALUE}\s*(?:[,;]|$|else\b|\?\?)", expression)
    return chain and chain[1]


def declarations(text):
    """Returns the declared types of each name in a file. Inferred types are left out."""
    found = defaultdict(set)
    for name, kind in TYPED.findall(text) + RETURNED.findall(text):
        found[name].add(kind)
    for match in re.finditer(r"\bcase (\w+)\((?:\w+: )?Format\??\)", text):
        found[match[1]].add("Format")
    return found


def main():
    names = "|".join(cases())
    compared = [
        re.compile(rf"{VALUE}\s*(?:==|!=|~=)\s*(?:Format)?\.(?:{names})\b(?!\()"),
        re.compile(rf"(?<![\w.)])(?:Format)?\.(?:{names})\s*(?:==|!=|~=)\s*{VALUE}"),
        re.compile(rf"\[[^\[\]]*\.(?:{names})\b[^\[\]]*\]\s*\.contains\(\s*{VALUE}\s*\)"),
        re.compile(rf"\bcase (?:Format)?\.(?:{names})\b[^\n=]*=\s*{VALUE}"),
        re.compile(rf"\bswitch {VALUE} \{{\s*case [^\n:]*\.(?:{names})\b"),
        re.compile(rf"(Format)\.\w+(?:\.\w+)*\s*\{{[^{{}}]*\$0\s*(?:==|!=)\s*\.(?:{names})\b"),
    ]
    texts = {path: blanked(path.read_text()) for path in sorted(SOURCES.rglob("*.swift"))}
    declared = {path: declarations(text) for path, text in texts.items()}
    everywhere = defaultdict(set)
    for found in declared.values():
        for name, kinds in found.items():
            everywhere[name] |= kinds

    def is_format(name, path, at, seen=()):
        text = texts[path]
        if name == "self":
            scopes = [match[2] for match in EXTENDED.finditer(text, 0, at)]
            return bool(scopes) and scopes[-1] in ("Format", "Optional")
        kinds = set(declared[path].get(name, ()))
        inferred = [last_name(right) for left, right in ASSIGNED.findall(text) if left == name]
        if kinds or inferred:
            return "Format" in kinds or name not in seen and any(
                other and other != name and is_format(other, path, at, (*seen, name)) or other == name and
                "Format" in everywhere[name] for other in inferred)
        return "Format" in everywhere[name]

    places = []
    for path, text in texts.items():
        if path.is_relative_to(FORMATS):
            continue
        for pattern in compared:
            for match in pattern.finditer(text):
                is_member = re.search(r"\.\s*$", text[:match.start(1)])
                is_compared = match[1] == "Format" or is_member and "Format" in everywhere[match[1]]
                if is_compared or is_format(match[1], path, match.start()):
                    line = text.count("\n", 0, match.start()) + 1
                    places.append(f"{path.relative_to(ROOT)}:{line}: compares a Format with a case; ask for a trait instead")
    for place in places:
        print(place)
    print(f"format comparisons: {len(places)} outside SaveCodec/Formats")
    return 1 if places else 0


if __name__ == "__main__":
    sys.exit(main())
