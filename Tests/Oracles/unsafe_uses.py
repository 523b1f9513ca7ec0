#!/usr/bin/env python3
"""Counts the unsafe constructs in Sources, and checks that each has an argument for its soundness.

    python3 Tests/Oracles/unsafe_uses.py            # writes the article MemorySafety
    python3 Tests/Oracles/unsafe_uses.py --check    # checks that the article is up to date

Packages are compiled with strict memory safety, so every such construct is marked by `unsafe` before an expression,
`@unsafe`, `@safe`, `@unchecked`, `(unsafe)`, or an accessor such as `unsafeAddress`. The argument is a comment that
begins with `Sound:`. It is above the construct in the same declaration, or directly before the declaration, and applies
up to the next argument. A construct without an argument is an error, and so is an argument without a construct.
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ARTICLE = ROOT / "Sources/SaveToolKit/SaveToolKit.docc/MemorySafety.md"

MARK = re.compile(r"@unsafe\b|@safe\b|@unchecked\b|\(unsafe\)|(?<![\w.@(])unsafe(?=\s+[\w($\[.&{-])|(?<![\w.])unsafe(?:Mutable)?Address\b")
KINDS = r"func|init|deinit|subscript|class|struct|enum|extension|actor|protocol|var|let|case"
DECLARATION = re.compile(rf"(?<![\w.`@\\])({KINDS})\b(?!\s*:)")
TYPES = {"class", "struct", "enum", "extension", "actor", "protocol"}
ARGUMENT = re.compile(r"^\s*///? ?Sound: (.*)")

Scope = namedtuple("Scope", "name is_type start")
Place = namedtuple("Place", "target file declaration argument")


def blanked(text):
    """Returns the text with spaces in place of comments and the contents of strings."""
    out, position = list(text), 0

    def blank(start, end):
        for index in range(start, end):
            if out[index] != "\n":
                out[index] = " "

    def string(start):
        """Skips a string. Interpolated code stays."""
        hashes = re.compile("#*").match(text, start).end() - start
        quote = '"""' if text.startswith('"""', start + hashes) else '"'
        end, escape = quote + "#" * hashes, "\\" + "#" * hashes
        at = start + hashes + len(quote)
        while not text.startswith(end, at):
            if text.startswith(escape + "(", at):
                blank(at, at + len(escape) + 1)
                at = code(at + len(escape) + 1, closing=True)
            elif text.startswith(escape, at):
                blank(at, at + len(escape) + 1)
                at += len(escape) + 1
            else:
                blank(at, at + 1)
                at += 1
        blank(start, start + hashes + len(quote))
        blank(at, at + len(end))
        return at + len(end)

    def code(at, closing=False):
        """Skips code. Interpolated code ends at its closing parenthesis."""
        depth = 0
        while at < len(text):
            if text.startswith("//", at):
                end = text.find("\n", at)
                end = len(text) if end < 0 else end
                blank(at, end)
                at = end
            elif text.startswith("/*", at):
                end = text.index("*/", at) + 2
                blank(at, end)
                at = end
            elif re.compile('#*"').match(text, at):
                at = string(at)
            else:
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                if closing and depth < 0:
                    blank(at, at + 1)
                    return at + 1
                at += 1
        return at

    code(position)
    return "".join(out)


def labels(code, start):
    """Returns the argument labels after a function's name, such as `(_:count:)`; an empty string if there are none."""
    opening = re.compile(r"\s*(<[^(]*>)?\s*\(").match(code, start)
    if not opening:
        return ""
    depth, found, expects = 0, [], True
    for at in range(opening.end() - 1, len(code)):
        character = code[at]
        if character in "([{" or character == "<" and code[at - 1] not in " <":
            depth += 1
        elif character in ")]}" or character == ">" and code[at - 1] != "-":
            depth -= 1
            if depth == 0:
                break
        elif depth == 1 and character == ",":
            expects = True
        elif depth == 1 and expects and (character.isalnum() or character in "_`"):
            found.append(re.compile(r"\w+").match(code, at).group())
            expects = False
    return "(" + "".join(name + ":" for name in found) + ")"


def named(code, match):
    """Returns the name of a declaration, and whether it is a type."""
    kind = match.group(1)
    name = re.compile(r"\s*`?([\w.]+|[^\s\w(`]+)").match(code, match.end())
    if kind in TYPES:
        return name.group(1), True
    if kind in ("init", "deinit", "subscript"):
        return kind + (labels(code, re.compile(r"[?!]?").match(code, match.end()).end()) if kind != "deinit" else ""), False
    if kind == "func":
        return name.group(1) + labels(code, name.end()), False
    return name.group(1) if name else kind, False


def declarations(code):
    """Returns for each opening brace the declaration whose body it begins, or None."""
    scopes, bodies, start = [], {}, 0
    for at, character in enumerate(code):
        if character == "{":
            inside = next((scope for scope in reversed(scopes) if scope), None)
            matches = [] if inside and not inside.is_type else list(DECLARATION.finditer(code, start, at))
            # `case let` and the like are not declarations. In `static var x: some P { get {` the first one is the
            # declaration.
            scope = None
            if matches:
                name, is_type = named(code, matches[0])
                scope = Scope(name, is_type, line_start(code, matches[0].start()))
            scopes.append(scope)
            bodies[at] = scope
            start = at + 1
        elif character == "}":
            if scopes:
                scopes.pop()
            start = at + 1
        elif character == "\n" and depth_ends(code, start, at):
            start = at + 1
    return bodies


def depth_ends(code, start, at):
    """Whether a statement may end at the end of a line: outside of parentheses, and after more than attributes."""
    piece = code[start:at]
    if piece.count("(") != piece.count(")") or not piece.strip():
        return False
    following = code[at:].lstrip()[:1]
    if following in "{:," or re.match(r"(where|throws|->|=)", code[at:].lstrip()):
        return False
    return not re.fullmatch(r"(\s*@\w+(\([^)]*\))?)+\s*", piece)


def line_start(code, at):
    return code.rfind("\n", 0, at) + 1


def uses(target, file):
    """Returns the unsafe constructs of a file."""
    text = file.read_text()
    code = blanked(text)
    assert len(code) == len(text)
    bodies = declarations(code)
    lines = text.split("\n")
    marks = {match.start() for match in MARK.finditer(code)}
    scopes, found, arguments_used = [], [], set()
    for at, character in enumerate(code):
        if character == "{":
            scopes.append(bodies[at])
        elif character == "}" and scopes:
            scopes.pop()
        if at not in marks:
            continue
        names = [scope for scope in scopes if scope]
        if names and not names[-1].is_type:
            start = names[-1].start
            path = ".".join(scope.name for scope in names)
        else:
            match = DECLARATION.search(code, line_start(code, at))
            name, _ = named(code, match)
            start = line_start(code, at)
            path = ".".join([scope.name for scope in names] + [name])
        argument = argument_above(lines, code[:at].count("\n"), code[:start].count("\n"))
        if argument is None:
            line = code[:at].count("\n") + 1
            sys.exit(f"{file.relative_to(ROOT)}:{line}: {path} leaves memory safety; a comment `Sound:` above must say why it may")
        arguments_used.add(argument[0])
        found.append(Place(target, str(file.relative_to(ROOT / "Sources" / target)), path, argument[1]))
    for number, line in enumerate(lines):
        if ARGUMENT.match(line) and number not in arguments_used:
            sys.exit(f"{file.relative_to(ROOT)}:{number + 1}: an argument for nothing that is unsafe")
    return found


def argument_above(lines, line, start):
    """Returns the line and text of the last argument at or above a line, starting with the comment before the
    declaration."""
    first = start
    while first > 0 and re.match(r"\s*(//|@\w+)", lines[first - 1]):
        first -= 1
    for number in range(line, first - 1, -1):
        match = ARGUMENT.match(lines[number])
        if match:
            words = [match.group(1)]
            for following in lines[number + 1:]:
                more = re.match(r"\s*///? ?(\S.*)", following)
                if not more:
                    break
                words.append(more.group(1))
            return number, " ".join(words)
    return None


def article():
    """Returns the text of the article."""
    folders = sorted(path for path in (ROOT / "Sources").iterdir() if path.is_dir())
    places = {
        folder.name: [
            place for file in sorted(folder.rglob("*.swift"), key=lambda path: path.relative_to(folder).parts)
            for place in uses(folder.name, file)
        ]
        for folder in folders
    }
    safe = [name for name in places if not places[name] and list((ROOT / "Sources" / name).rglob("*.swift"))]
    parts = [
        "# Memory safety",
        "",
        "The files with code whose memory safety the compiler cannot prove.",
        "",
        "## Overview",
        "",
        "All targets are compiled with strict memory safety and warnings as errors. Code whose safety the compiler cannot",
        "prove has a mark: `unsafe`, `@unsafe`, `@safe` or `@unchecked`. In all other code, indices, arithmetic and lifetimes",
        "are checked. A comment that begins with `Sound:` gives the reason for each mark: `grep -rn -A3 Sound: Sources`.",
        "",
        "`Tests/Oracles/unsafe_uses.py` writes this article, and CI fails if a mark lacks its reason.",
    ]
    if safe:
        parts += ["", f"There are no marks in {listed(safe)}."]
    for target, found in places.items():
        if found:
            parts += ["", f"## {target}", "", "| file | marks | reasons |", "|---|---|---|"]
        for file in dict.fromkeys(place.file for place in found):
            marks = [place for place in found if place.file == file]
            reasons = {(place.declaration, place.argument) for place in marks}
            parts.append(f"| `{file}` | {len(marks)} | {len(reasons)} |")
    return "\n".join(parts) + "\n"


def listed(names):
    names = [f"`{name}`" for name in names]
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " or " + names[-1]


def main():
    text = article()
    if sys.argv[1:] == ["--check"]:
        if not ARTICLE.exists() or ARTICLE.read_text() != text:
            sys.exit(f"{ARTICLE.relative_to(ROOT)} is not what the sources say; Tests/Oracles/unsafe_uses.py writes it")
        print(f"{ARTICLE.relative_to(ROOT)} is what the sources say")
    else:
        ARTICLE.write_text(text)


if __name__ == "__main__":
    main()
