#!/usr/bin/env python3
"""Damages real texts, has `savetool salvage` repair them, and compares the values with those of the originals.

    text_damages.py SAVETOOL [--files N] [--times N] [--seed N] [--kind KIND] [--format FORMAT] FOLDER…

The texts are XML and OpenStep property lists and JSON from the folders, JSON with comments made of the JSON, and
GNUstep's dialect made of the XML. Each is damaged in each way that its format allows. The readers are `plistlib`, `json`
and the ones below. It fails if
  * a value differs from the original, and neither it nor a container around it is reported,
  * the result cannot be read, or bytes or values were dropped although nothing is reported,
  * the exit status contradicts the report, or the tool crashes or takes more than a minute.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import plistlib
import random
import re
import subprocess
import sys
import tempfile

LARGEST = 60_000


# Readers. Each returns dictionaries, lists and scalars.


class OpenStep:
    """Reads OpenStep text and GNUstep's dialect. Scalars are strings and bytes, or the text of a typed value."""
    WORD = re.compile(r"[^\s\"'(),;<=>\[\\\]`{}]+")
    BLANK = re.compile(r"(?:\s|//[^\n\r]*|/\*.*?\*/)*", re.DOTALL)
    ESCAPES = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}

    def __init__(self, text):
        self.text, self.at = text, 0

    def blank(self):
        self.at = self.BLANK.match(self.text, self.at).end()
        return self.text[self.at:self.at + 1]

    def take(self, token):
        if self.blank() != token:
            raise ValueError(f"expected {token} at {self.at}")
        self.at += 1

    def read(self):
        start = self.at
        if self.blank() not in ("{", "("):
            try:
                self.at = start
                return self.pairs("")
            except ValueError:
                self.at = start
        value = self.value()
        if self.blank():
            raise ValueError("text after the end")
        return value

    def pairs(self, end):
        found = {}
        while self.blank() != end:
            key = self.value()
            if not isinstance(key, str):
                raise ValueError("key")
            if self.blank() == "=":
                self.at += 1
                found[key] = self.value()
            else:
                found[key] = key
            if self.blank() != end or end == "":
                self.take(";")
        self.at += len(end)
        return found

    def value(self):
        first = self.blank()
        if first == "{":
            self.at += 1
            return self.pairs("}")
        if first == "(":
            self.at += 1
            found = []
            while self.blank() != ")":
                found.append(self.value())
                if self.blank() != ")":
                    self.take(",")
            self.at += 1
            return found
        if first == "<":
            end = self.text.index(">", self.at)
            inside, self.at = self.text[self.at + 1:end], end + 1
            return inside if inside[:1] in ("*", "[") else bytes.fromhex(inside)
        if first and first in "\"'":
            return self.string(first)
        word = self.WORD.match(self.text, self.at)
        if not word:
            raise ValueError(f"found {first!r} at {self.at}")
        self.at = word.end()
        return word.group()

    def string(self, quote):
        parts, at = [], self.at + 1
        while self.text[at] != quote:
            if self.text[at] != "\\":
                parts.append(self.text[at])
                at += 1
                continue
            escape, at = self.text[at + 1], at + 2
            if escape == "U":
                digits = re.match(r"[0-9A-Fa-f]{0,4}", self.text[at:at + 4]).group()
                parts.append(chr(int(digits or "0", 16)))
                at += len(digits)
            elif escape in "01234567":
                digits = re.match(r"[0-7]{1,3}", self.text[at - 1:at + 2]).group()
                parts.append("\\" + digits)
                at += len(digits) - 1
            else:
                parts.append(self.ESCAPES.get(escape, escape))
        self.at = at + 1
        return "".join(parts)


def decoded(data):
    for mark, name in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"\xef\xbb\xbf", "utf-8")):
        if data.startswith(mark):
            return data[len(mark):].decode(name)
    if data[1:2] == b"\0":
        return data.decode("utf-16-le")
    return data.decode("utf-16-be" if data[:1] == b"\0" else "utf-8")


def lenient(data):
    """Returns a text with everything else left out, for searches."""
    name = {b"\xFF\xFE": "utf-16-le", b"\xFE\xFF": "utf-16-be"}.get(data[:2])
    return data.decode(name, "ignore") if name else data.replace(b"\0", b"").decode("utf-8", "ignore")


STRING = r'("(?:[^"\\]|\\.)*")'
COMMENT = re.compile(STRING + r"|//[^\n\r]*|/\*.*?\*/", re.DOTALL)
LAST_COMMA = re.compile(STRING + r"|,(?=\s*[\]}])")
CONTROL = re.compile(rb"[\x00-\x08\x0B\x0C\x0E-\x1F]")


def without(pattern, text):
    return pattern.sub(lambda match: match.group(1) or " ", text)


def root(data):
    """Returns the root of an XML property list without the beginning, about which `plistlib` is stricter than games."""
    start = re.search(rb"<(dict|array)\b", data).start()
    end = data.rfind(b"</plist")
    return b"<plist>" + data[start:end if end >= 0 else len(data)] + b"</plist>"


READERS = {
    "xml": lambda data: plistlib.loads(root(CONTROL.sub(b" ", decoded(data).encode()))),
    "json": lambda data: json.loads(decoded(data)),
    "jsonc": lambda data: json.loads(without(LAST_COMMA, without(COMMENT, decoded(data)))),
    "openstep": lambda data: OpenStep(decoded(data)).read(),
}
READERS["gnustep"] = READERS["openstep"]


# Damages. Each returns the damaged bytes, or None if the text has no place for it.


def place(data, chance, size=0, start=0):
    return chance.randrange(start, max(len(data) - size, start + 1))


def overwritten(block, data, chance):
    at = place(data, chance, len(block))
    return data[:at] + block + data[at + len(block):]


def inserted(block, data, chance):
    at = place(data, chance)
    return data[:at] + block + data[at:]


def flips(count):
    def damage(data, chance, _):
        changed = bytearray(data)
        for _ in range(count):
            changed[place(data, chance)] ^= 1 << chance.randrange(8)
        return bytes(changed)
    return damage


def noise(chance, size=64):
    return b"\x89PNG\r\n\x1a\n" + bytes(chance.randrange(256) for _ in range(size - 8))


def one(pattern, change):
    """Changes one random match of a pattern."""
    def damage(data, chance, format):
        expression = pattern[format] if isinstance(pattern, dict) else pattern
        found = list(re.finditer(expression, data)) if expression else []
        if not found:
            return None
        match = chance.choice(found)
        return data[:match.start()] + change(match, chance) + data[match.end():]
    return damage


def within(match, chance, byte):
    """Overwrites one byte of a match."""
    text = bytearray(match.group())
    text[chance.randrange(len(text))] = byte
    return bytes(text)


XML_KEY, JSON_KEY, OPENSTEP_KEY = rb"<key>[^<]+</key>", rb'"[^"\\\n]+"(?=\s*:)', rb'(?:"[^"\\\n]+"|[\w.]+)(?=\s*=)'
KEYS = {"xml": XML_KEY, "json": JSON_KEY, "jsonc": JSON_KEY, "openstep": OPENSTEP_KEY, "gnustep": OPENSTEP_KEY}
QUOTES = {"xml": rb"</?key>", "json": rb'"(?=[^"\\\n]+"\s*:)|(?<=\w)"(?=\s*:)', "openstep": rb'"(?=[^"\\\n]+"\s*=)|(?<=\w)"(?=\s*=)'}
QUOTES["jsonc"], QUOTES["gnustep"] = QUOTES["json"], QUOTES["openstep"]
BRACKETS = {"xml": rb"</?(?:dict|array)>", "json": rb"[\[\]{}]", "openstep": rb"[(){}]"}
BRACKETS["jsonc"], BRACKETS["gnustep"] = BRACKETS["json"], BRACKETS["openstep"]
CLOSINGS = {"xml": rb"</(?:dict|array)>", "json": rb"[\]}]", "openstep": rb"[)}]"}
CLOSINGS["jsonc"], CLOSINGS["gnustep"] = CLOSINGS["json"], CLOSINGS["openstep"]
OTHER = {b"}": b"]", b"]": b"}", b")": b"}", b"</dict>": b"</array>", b"</array>": b"</dict>"}
LETTERS = rb"(?<=[a-z])[a-z](?=[a-z])"


def wide(name, mark, change):
    def damage(data, chance, format):
        text = decoded(data)
        if format == "xml":
            text = text.replace('encoding="UTF-8"', 'encoding="UTF-16"', 1)
        return change(mark + text.encode(name), chance)
    return damage


def lost(count, data, chance):
    at = place(data, chance, count, 8)
    return data[:at] + data[at + count:]


def flipped(data, chance):
    at = place(data, chance, 0, 8)
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1:]


def truncated(data, chance):
    return data[:place(data, chance, 0, 20)]


def with_own_end(data, chance):
    """Overwrites the end with a block of the text: one from any place, or the end itself, moved towards the start."""
    at = max(len(data) - chance.randrange(1, 200), 0)
    size = len(data) - at
    start = chance.choice([place(data, chance, size), len(data) - chance.randrange(1, size + 1)])
    block = data[start:start + size]
    return data[:at] + block + data[at + len(block):]


DAMAGES = {
    "flip": flips(1), "ten flips": flips(10),
    "cut": lambda data, chance, _: truncated(data, chance),
    "zeros 16": lambda data, chance, _: overwritten(bytes(16), data, chance),
    "zeros 200": lambda data, chance, _: overwritten(bytes(200), data, chance),
    "zeros in": lambda data, chance, _: inserted(bytes(chance.choice([1, 64, 512])), data, chance),
    "block": lambda data, chance, _: overwritten(noise(chance), data, chance),
    "insert": lambda data, chance, _: inserted(noise(chance), data, chance),
    "remove": lambda data, chance, _: lost(chance.choice([1, 20, 300]), data, chance),
    "two bytes": lambda data, chance, _: overwritten(b"\xff\x01", data, chance),
    "control": lambda data, chance, _: overwritten(b"\x01", data, chance),
    "key": one(KEYS, lambda match, chance: within(match, chance, chance.choice([1, 0xFF, 0x5C, 0x26]))),
    "key mark": one(QUOTES, lambda match, chance: chance.choice([b"", b"x", b"\x01"])),
    "latin-1": one(LETTERS, lambda match, chance: b"\xe9"),
    "prolog": lambda data, chance, format: (
        lambda at: data[:at] + b"\x01" + data[at + 1:])(chance.randrange(max(data.find(b"<plist") + 20, 1)))
        if format == "xml" else None,
    "bracket": one(BRACKETS, lambda match, chance: within(match, chance, 1)),
    "no closing": one(CLOSINGS, lambda match, chance: b""),
    "two closings": one(CLOSINGS, lambda match, chance: 2 * match.group()),
    "other kind": one(CLOSINGS, lambda match, chance: OTHER[match.group()]),
    "append": lambda data, chance, _: data + bytes(300),
    "words": lambda data, chance, _: data + b"\nsaved by the game",
    "own end": lambda data, chance, _: with_own_end(data, chance),
    "words in end": lambda data, chance, _: (lambda end: data[:-len(end)] + end)(chance.choice(
        [b"} the quick brown fox jumps", b"] and so on", b"</dict></plist> over the lazy dog", b");\n"])),
    "twice": lambda data, chance, _: data + data,
    "utf16 cut": wide("utf-16-le", b"\xff\xfe", truncated),
    "utf16 flip": wide("utf-16-be", b"\xfe\xff", flipped),
    "utf16 byte": wide("utf-16-le", b"\xff\xfe", lambda data, chance: lost(1, data, chance)),
    "utf16 bare": wide("utf-16-be", b"", lambda data, chance: lost(1, data, chance)),
}


# Texts.


def commented(value, chance):
    lines = json.dumps(value, indent=2, ensure_ascii=False).split("\n")
    return "\n".join(line + chance.choice(["", "", "", " // a note", " /* about this, and { that } */"]) for line in lines).encode()


def is_container(value):
    return isinstance(value, (dict, list)) and len(value) > 1


def parsed(data, format):
    try:
        value = READERS[format](data)
    except Exception:
        return None
    return value if is_container(value) else None


def texts(tool, folders, count, chance):
    """Returns tuples of a name, a format and the bytes of a text."""
    found = collections.defaultdict(list)
    for folder in map(pathlib.Path, folders):
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or not 200 < path.stat().st_size < LARGEST or "damaged" in path.parts or "bad" in path.parts:
                continue
            data = path.read_bytes()
            start = data.lstrip()[:6]
            formats = ["xml"] if start[:5] in (b"<?xml", b"<plis") else ["json"] if start[:1] == b"[" else \
                ["json", "openstep"] if start[:1] == b"{" else ["openstep"] if start[:1] in (b"(", b"/") else []
            for format in formats:
                if parsed(data, format) is not None:
                    found[format].append((str(path), format, data))
                    break
    for format in found:
        chance.shuffle(found[format])
    for name, _, data in found["json"][:count]:
        value = READERS["json"](data)
        # Half of a surrogate pair is only text as an escape sequence.
        if not any("\ud800" <= character <= "\udfff" for character in json.dumps(value, ensure_ascii=False)):
            found["jsonc"].append((name, "jsonc", commented(value, chance)))
    for name, _, data in found["xml"][:count]:
        run = subprocess.run([tool, "convert", "--to", "gnustep", "--raw", "-"], input=data, capture_output=True)
        if run.returncode == 0 and parsed(run.stdout, "gnustep") is not None:
            found["gnustep"].append((name, "gnustep", run.stdout))
    return [text for format in ("xml", "json", "jsonc", "openstep", "gnustep") for text in found[format][:count]]


# Comparison.


class Comparison:
    """Compares values from the roots. An address is marked if a loss names it or a container around it."""

    def __init__(self, before, after, losses, texts):
        self.original, self.damaged = texts
        self.marks = {"" if loss["address"] == "(root)" else loss["address"] for loss in losses if "address" in loss}
        self.back, self.unmarked = 0, []
        stack = [(before, after, "", "" in self.marks)]
        while stack:
            mine, other, address, marked = stack.pop()
            self.compare(mine, other, address, marked, stack)

    @staticmethod
    def count(value):
        total, stack = 0, [value]
        while stack:
            value = stack.pop()
            total += 1
            if isinstance(value, (dict, list)):
                stack.extend(value.values() if isinstance(value, dict) else value)
        return total

    def compare(self, mine, other, address, marked, stack):
        if isinstance(mine, (dict, list)) and type(mine) is type(other):
            self.back += 1
            if isinstance(mine, dict):
                gone = {key: value for key, value in mine.items() if key not in other}
                pairs = [(mine[key], other[key], key) for key in other if key in mine]
                for key in other:
                    if key in mine:
                        continue
                    match = next((name for name in gone if repr(gone[name]) == repr(other[key])), None) if key.startswith("lost key ") else None
                    pairs.append((gone.pop(match) if match else None, other[key], key))
            else:
                pairs = [(mine[index] if index < len(mine) else None, item, str(index)) for index, item in enumerate(other)]
            for one, two, key in pairs:
                inner = address + "/" + str(key).replace("~", "~0").replace("/", "~1")
                stack.append((one, two, inner, marked or inner in self.marks))
        elif type(mine) is type(other) and repr(mine) == repr(other):
            self.back += 1
        elif not marked and not self.is_hit(mine, other, address):
            self.unmarked.append((address, mine, other))

    def is_hit(self, mine, other, address):
        """Whether the damage hit a scalar or key that still reads, so that nothing can show it."""
        if isinstance(other, (dict, list)) or mine is None:
            return mine is None and address.rsplit("/", 1)[-1] not in self.original
        spellings = [str(other), json.dumps(str(other), ensure_ascii=False)[1:-1]]
        return (str(mine) not in self.damaged or str(other) not in self.original) and any(
            spelling in self.damaged for spelling in spellings)


class Row:
    FIELDS = ["runs", "nothing", "silent", "values", "back", "unmarked"]

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, 0)


def damaged(job):
    _, name, format, data, kind, seed, _ = job
    chance = random.Random(f"{seed} {kind} {pathlib.Path(name).name} {len(data)}")
    return DAMAGES[kind](data, chance, format)


def examine(job):
    tool, name, format, data, kind, seed, folder = job
    changed = damaged(job)
    row, faults = Row(), []
    if changed is None or changed == data:
        return row, faults
    row.runs = 1
    before = READERS[format](data)
    row.values = Comparison.count(before)
    with tempfile.TemporaryDirectory(dir=folder) as work:
        source, target = pathlib.Path(work, "damaged"), pathlib.Path(work, "salvaged")
        source.write_bytes(changed)
        command = [tool, "salvage", "--raw", "--from", format, "-f", "json", source, "-o", target]
        try:
            run = subprocess.run(command, capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return row, ["took more than a minute"]
        if run.returncode not in (0, 1, 2):
            return row, [f"exit {run.returncode}: {run.stderr[-200:]}"]
        if run.returncode == 2:
            row.nothing = 1
            if os.environ.get("VERBOSE"):
                faults.append("nothing: " + run.stderr.decode(errors="replace").strip()[-160:])
            return row, faults
        report, result = json.loads(run.stdout), target.read_bytes()
    try:
        after = READERS[format](result)
    except Exception as error:
        # The readers of games, and so the tool, are less strict.
        check = subprocess.run([tool, "inspect", "--raw", "--from", format, "-"], input=result, capture_output=True)
        row.silent = int(check.returncode == 0)
        return row, faults if row.silent else [f"the result does not read: {error}"]
    is_proved = report["confidence"] in ("proved", "no-damage-found")
    if is_proved != (run.returncode == 0):
        faults.append(f"exit {run.returncode}, but the repair is {report['confidence']}")
    # A scalar that was hit may read as another one.
    if report["confidence"] == "proved" and row.values != Comparison.count(after):
        faults.append("the repair is exact, but values are missing")
    comparison = Comparison(before, after, report["losses"], [lenient(data), lenient(changed)])
    row.back = comparison.back
    if comparison.unmarked and "cause" not in report and not report["losses"]:
        # The damaged text is valid. Nothing can show the damage.
        row.silent = 1
        return row, faults
    row.unmarked = len(comparison.unmarked)
    faults += [f"unmarked: {fault}"[:300] for fault in comparison.unmarked[:3]]
    if os.environ.get("VERBOSE") and row.back * 100 < row.values * int(os.environ["VERBOSE"]):
        faults.append(f"only {row.back} of {row.values}")
    return row, faults


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--seed", default="36")
    parser.add_argument("--kind")
    parser.add_argument("--format")
    parser.add_argument("--keep", help="a folder for the damaged files of failures")
    options = parser.parse_args()
    found = texts(options.tool, options.folders, options.files, random.Random(options.seed))
    if not found:
        sys.exit("text_damages.py: no text found")
    kinds = options.kind.split(",") if options.kind else list(DAMAGES)
    rows = collections.defaultdict(Row)
    failures = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(options.tool, name, format, data, kind, f"{options.seed}.{time}", folder)
                for name, format, data in found if options.format in (None, format)
                for kind in kinds for time in range(options.times)]
        for job, (row, faults) in zip(jobs, pool.map(examine, jobs)):
            for field in Row.FIELDS:
                total = rows[job[2], job[4]]
                setattr(total, field, getattr(total, field) + getattr(row, field))
            for fault in faults:
                failures += 1
                if failures <= 40:
                    print(f"{job[1]}: {job[2]}, {job[4]} {job[5]}: {fault}", file=sys.stderr)
            if faults and options.keep:
                name = f"{job[2]}-{job[4].replace(' ', '')}-{job[5]}-{pathlib.Path(job[1]).name}"
                pathlib.Path(options.keep, name).write_bytes(damaged(job))
    formats = [format for format in READERS if any(key[0] == format for key in rows)]
    print("values that came back in percent (results without a value; values that differ without a mark)")
    print(f"{'damage':14}" + "".join(f"{format:>20}" for format in formats))
    for kind in kinds:
        cells = []
        for format in formats:
            row = rows[format, kind]
            cells.append(f"{100 * row.back / row.values:.1f} ({row.nothing}; {row.unmarked})" if row.runs else "-")
        print(f"{kind:14}" + "".join(f"{cell:>20}" for cell in cells))
    runs = sum(row.runs for row in rows.values())
    silent = sum(row.silent for row in rows.values())
    print(f"{len(found)} texts, {runs} damages, {silent} that leave a valid text, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
