#!/usr/bin/env python3
"""text_edits.py SAVETOOL [SECONDS [SEED]]: edits random texts in four formats and reads them with other readers.

The texts have comments, line ends of three kinds, byte order marks and UTF-16. The readers are Python's `json` and
`plistlib`, and the ones below for comments, OpenStep text and .strings files. After each edit:

* The values are those of the same edit in Python, and the keys are in the same order.
* All comments stay, in their order. A comment that goes with a removed member is named in the messages.
* A text with one kind of line end still has only that kind; the encoding and the mark stay.
* The lines before and after the edited ones are unchanged.
* A scalar that is set and set back leaves the same bytes.

Prints each violation with its files, and exits with 1 if there is any.
"""
import json
import pathlib
import plistlib
import random
import re
import subprocess
import sys
import tempfile
import time

WORDS = ["a", "b2", "gold", "Level", "x.y", "isa", "n"]
TEXTS = ["x", "Swamp", "two words", "é→", 'q"u', "a/b", "l&<r", "-5", "//x", "", "日本"]


class Style:
    """The style in which a text is written."""

    def __init__(self, rng):
        self.rng = rng
        self.line = rng.choice(["\n", "\n", "\r\n", "\r"])
        self.unit = rng.choice(["\t", "  ", "    "])
        self.hasComments = rng.random() < 0.7
        self.comments = 0

    def comment(self, opening, closing):
        self.comments += 1
        return f"{opening} c{self.comments} {closing}"


class Writer:
    """Writes a value as text of a format: each member on a line of its own, or all on one line."""

    def __init__(self, format, style):
        self.format, self.style = format, style

    def scalar(self, value):
        rng = self.style.rng
        if self.format == "xml":
            if isinstance(value, int):
                return f"<integer>{value}</integer>"
            text = value.replace("&", "&amp;").replace("<", "&lt;")
            return f"<string>{text}</string>" if value else rng.choice(["<string></string>", "<string/>"])
        if self.format == "json":
            return json.dumps(value, ensure_ascii=False)
        if re.fullmatch(r"[A-Za-z0-9_.]+", str(value)) and self.format == "openstep" and rng.random() < 0.6:
            return str(value)
        return '"' + str(value).replace("\\", "\\\\").replace('"', '\\"') + '"'

    def block(self):
        """Returns a comment that may stand anywhere between tokens."""
        return self.style.comment("<!--", "-->") if self.format == "xml" else self.style.comment("/*", "*/")

    def maybe(self, share, before="", after=""):
        style = self.style
        return before + self.block() + after if style.hasComments and style.rng.random() < share else ""

    def value(self, value, indentation="", isLine=False):
        if not isinstance(value, (dict, list)):
            return self.scalar(value)
        openings = {"xml": ("<dict>", "</dict>", "<array>", "</array>"), "json": "{}[]"}.get(self.format, "{}()")
        opening, closing = openings[:2] if isinstance(value, dict) else openings[2:]
        items = list(value.items()) if isinstance(value, dict) else [(None, item) for item in value]
        if not items:
            return opening[:-1] + "/>" if self.format == "xml" else opening + closing
        isLine = isLine or self.style.rng.random() < 0.25
        inner = indentation + self.style.unit
        gap = (" " if self.format != "xml" else "") if isLine else self.style.line + inner
        members = []
        for position, (key, item) in enumerate(items):
            isLast = position == len(items) - 1
            member = "" if isLine else self.maybe(0.15, after=gap)
            member += self.member(key, item, inner, isLine, isLast)
            members.append(member + ("" if isLine else self.maybe(0.2, before=" ")))
        end = "" if isLine else self.style.line + indentation
        return opening + ("" if isLine else gap) + gap.join(members) + end + closing

    def member(self, key, item, inner, isLine, isLast):
        text = self.value(item, inner, isLine)
        separators = {"json": ("" if isLast else ",", "" if isLast else ","), "xml": ("", "")}
        inDictionary, inArray = separators.get(self.format, (";", "" if isLast else ","))
        if key is None:
            return text + inArray
        if self.format == "xml":
            gap = "" if isLine else self.style.line + inner
            return f"<key>{key}</key>{self.maybe(0.05)}{gap}{text}"
        sign = ": " if self.format == "json" else " = "
        return self.scalar(key) + sign + self.maybe(0.05, after=" ") + text + inDictionary

    def file(self, root):
        line = self.style.line
        if self.format == "xml":
            return ('<?xml version="1.0" encoding="ENCODING"?>' + line + self.maybe(0.3, after=line)
                    + '<plist version="1.0">' + line + self.value(root) + line + "</plist>" + line)
        if self.format == "strings":
            return "".join(self.maybe(0.3, after=line) + self.member(key, item, "", True, True)
                           + self.maybe(0.2, before=" ") + line for key, item in root.items())
        return self.maybe(0.3, after=line) + self.value(root) + self.style.rng.choice([line, line, ""])


def read(text, format):
    """Returns the value of a text, with all OpenStep scalars as strings."""
    if format == "xml":
        return plistlib.loads(re.sub(' encoding="[^"]*"', "", text, count=1).encode(), fmt=plistlib.FMT_XML)
    tokens = TOKEN.findall(text)
    if "".join(tokens) != text:
        raise ValueError(f"not a token: {text[len(''.join(tokens)):][:40]!r}")
    tokens = [token for token in tokens if not token.isspace() and not token.startswith(("/*", "//"))]
    if format == "json":
        return json.loads(" ".join(tokens))
    if format == "strings":
        tokens = ["{", *tokens, "}"]
    tokens.reverse()
    value = parse(tokens)
    if tokens:
        raise ValueError(f"text after the value: {tokens[-1]!r}")
    return value


TOKEN = re.compile(r'/\*.*?\*/|//[^\r\n]*|"(?:[^"\\]|\\.)*"|\s+|[^\s"/{}()\[\],;:=]+|.', re.DOTALL)


def parse(tokens):
    """Reads an OpenStep value from reversed tokens. The depth of these texts is small."""
    token = tokens.pop()
    if token == "{":
        found = {}
        while tokens[-1] != "}":
            key = word(tokens.pop())
            expect(tokens, "=")
            found[key] = parse(tokens)
            expect(tokens, ";")
        tokens.pop()
        return found
    if token == "(":
        found = []
        while tokens[-1] != ")":
            found.append(parse(tokens))
            if tokens[-1] != ")":
                expect(tokens, ",")
        tokens.pop()
        return found
    # Slashes are part of unquoted words.
    while token[0] != '"' and tokens and tokens[-1] == "/":
        token += tokens.pop()
        if tokens and re.fullmatch(r"[\w.]+", tokens[-1]):
            token += tokens.pop()
    return word(token)


def expect(tokens, token):
    found = tokens.pop()
    if found != token:
        raise ValueError(f"found {found!r}; expected {token!r}")


def word(token):
    if token[0] != '"':
        return token
    token = re.sub(r"\\U([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), token[1:-1])
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "t": "\t", "r": "\r"}.get(match[1], match[1]), token)


def written(value):
    """Returns a value with all scalars as strings, as in OpenStep."""
    if isinstance(value, dict):
        return {key: written(item) for key, item in value.items()}
    return [written(item) for item in value] if isinstance(value, list) else str(value)


def ordered(value):
    return json.dumps(value)


class Edits:
    def __init__(self, savetool, folder, rng):
        self.savetool, self.folder, self.rng = savetool, folder, rng
        self.count = self.failed = 0

    def value(self, depth=0, isText=False):
        rng = self.rng
        kind = rng.random()
        if depth > 2 or depth > 0 and kind < 0.5:
            return rng.choice(TEXTS) if isText or rng.random() < 0.5 else rng.randrange(-100, 1000)
        keys = rng.sample(WORDS, rng.choice([0, 1, 2, 3, 4]) if depth else rng.choice([2, 3, 4]))
        if depth and kind < 0.75:
            return [self.value(depth + 1, isText) for _ in keys]
        return {key: self.value(depth + 1, isText) for key in keys}

    def round(self):
        rng = self.rng
        self.format = rng.choice(["xml", "json", "openstep", "strings"])
        self.style = Style(rng)
        isText = self.format in ("openstep", "strings")
        root = self.value(isText=isText)
        if self.format == "strings":
            root = {key: rng.choice(TEXTS) for key in root}
        text = Writer(self.format, self.style).file(root)
        codecs = ["utf-8", "utf-8", "utf-8-sig"] + ([] if self.format == "json" else ["utf-16-le", "utf-16-be"])
        self.codec = rng.choice(codecs)
        self.mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(self.codec, b"")
        text = text.replace("ENCODING", "UTF-16" if self.mark else "UTF-8")
        self.before = text
        (self.folder / "file").write_bytes(self.mark + text.encode(self.codec))
        if read(text, self.format) != root:
            return self.fail("the readers of this script disagree with its writer", "")
        self.edit(root)

    def edit(self, root):
        rng = self.rng
        places = [()]
        for place in places:
            value = reach(root, place)
            if isinstance(value, (dict, list)):
                places += [place + (key,) for key in (value if isinstance(value, dict) else range(len(value)))]
        place = rng.choice(places[1:])
        parent, key = reach(root, place[:-1]), place[-1]
        new = rng.choice(TEXTS) if self.format in ("openstep", "strings") else rng.choice([*TEXTS, 7, -12345])
        given = ["--string", new] if isinstance(new, str) else ["--int", str(new)]
        address = "".join(f"/{token}" for token in place)
        kind = rng.choice(["set", "set", "add", "insert", "remove"])
        if kind == "set" and not isinstance(parent[key], (dict, list)):
            old, parent[key] = parent[key], new
            if self.run("set", address, "--change-type", *given, root=root) and self.areAlike(old, new):
                given = ["--string", old] if isinstance(old, str) else ["--int", str(old)]
                self.setBack("set", address, *given)
        elif kind == "add" and isinstance(parent, dict):
            name = next(word for word in [*WORDS, "new"] if word not in parent)
            parent[name] = new
            self.run("set", "".join(f"/{token}" for token in [*place[:-1], name]), "--add", *given, root=root)
        elif kind == "insert" and isinstance(parent, list):
            position = rng.randrange(len(parent) + 1)
            parent.insert(position, new)
            self.run("insert", "".join(f"/{token}" for token in [*place[:-1], position]), *given, root=root)
        elif kind == "remove":
            del parent[key]
            self.run("remove", address, root=root, isRemoval=True)

    def run(self, command, *words, root, isRemoval=False):
        """Runs an edit, and returns whether its result is as it must be."""
        result = self.folder / "result"
        result.unlink(missing_ok=True)
        self.count += 1
        done = subprocess.run([self.savetool, command, "file", *words, "-o", "result"], cwd=self.folder,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        said = done.stderr.decode("utf-8", "replace")
        what = f"{command} file {' '.join(words)}: status {done.returncode}: {said[:300]!r}"
        if done.returncode != 0:
            return self.fail(what, "")
        data = result.read_bytes()
        if not data.startswith(self.mark):
            return self.fail(what, "the byte order mark is lost")
        try:
            text = data[len(self.mark):].decode(self.codec)
            value = read(text, self.format)
        except ValueError as error:
            return self.fail(what, f"cannot be read: {error}")
        expected = written(root) if self.format in ("openstep", "strings") else root
        if ordered(value) != ordered(expected):
            return self.fail(what, f"reads as {ordered(value)}, not {ordered(expected)}")
        ends, found = set(re.findall(r"\r\n|\r|\n", self.before)), set(re.findall(r"\r\n|\r|\n", text))
        if ends and not found <= ends:
            return self.fail(what, f"has the line ends {found}, not {ends}")
        return self.checkComments(what, text, said, isRemoval) and self.checkLines(what, text, isRemoval)

    def checkComments(self, what, text, said, isRemoval):
        old, new = (re.findall(r"(?<=(?:\*|-)) c\d+ (?=\*/|-->)", part) for part in (self.before, text))
        gone = [comment for comment in old if comment not in new]
        if [comment for comment in old if comment in new] != new or gone and not isRemoval:
            return self.fail(what, f"the comments are {new}, not {old}")
        silent = [comment for comment in gone if comment.strip() not in said and "more" not in said]
        return not silent or self.fail(what, f"the comments {silent} are lost silently")

    def checkLines(self, what, text, isRemoval):
        if isRemoval:
            return True
        old, new = (re.split(r"\r\n|\r|\n", part) for part in (self.before, text))
        kept = 0
        while kept < min(len(old), len(new)) and old[kept] == new[kept]:
            kept += 1
        end = 0
        while end < min(len(old), len(new)) - kept and old[-1 - end] == new[-1 - end]:
            end += 1
        return kept + end >= len(old) - 1 or self.fail(what, f"changes {len(old) - kept - end} lines")

    def areAlike(self, old, new):
        """Whether both values have one spelling in the format, or the same choice of spellings."""
        isText = self.format in ("openstep", "strings")
        return type(old) is type(new) and old != "" != new and (not isText or isBare(old) == isBare(new))

    def setBack(self, command, *words):
        done = subprocess.run([self.savetool, command, "result", *words, "--change-type", "-o", "back"], cwd=self.folder,
                              capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        back = self.folder / "back"
        if done.returncode != 0 or back.read_bytes() != (self.folder / "file").read_bytes():
            self.fail(f"{command} result {' '.join(words)}", "does not restore the file")

    def fail(self, what, reason):
        self.failed += 1
        print(f"FAILED {what}: {reason}")
        for name in ("file", "result", "back"):
            if (self.folder / name).exists():
                print(f"  {name}: {(self.folder / name).read_bytes()[:1500]!r}")
        return False


def isBare(text):
    # Quotation marks are needed around a slash at the beginning, and around two.
    return re.fullmatch(r"(?!/)(?!.*//)[A-Za-z0-9_./]+", text) is not None


def reach(value, tokens):
    for token in tokens:
        value = value[token]
    return value


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: text_edits.py SAVETOOL [SECONDS [SEED]]")
    savetool = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
    with tempfile.TemporaryDirectory() as folder:
        edits = Edits(savetool, pathlib.Path(folder), random.Random(seed))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            for path in edits.folder.iterdir():
                path.unlink()
            edits.round()
    print(f"text edits: {edits.count} edits, {edits.failed} failed (seed {seed})")
    sys.exit(edits.failed > 0)


if __name__ == "__main__":
    main()
