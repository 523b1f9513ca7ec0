#!/usr/bin/env python3
"""typedstream_identity.py SAVETOOL [FOLDER …]: compares typedstreams as read by savetool with pytypedstream, an
independent implementation, in both byte orders. The streams are pytypedstream's test files, files below the folders,
and random streams, which are also compared with the values that were written.

pytypedstream is downloaded from PyPI for the run. Without it, streams are only compared with the written values. It
does not read version 3 and 8-byte integers, and misreads an unsigned integer that is stored as a negative number. Such
streams are only compared with the written values.
"""
import base64
import json
import pathlib
import random
import struct
import subprocess
import sys
import tarfile
import tempfile
from datetime import datetime, timezone
from fractions import Fraction

import runner

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "Fixtures"
sys.path.insert(0, str(FIXTURES / "make"))
from nsarchiver import *  # noqa: E402,F403  the writer of the fixtures

sys.setrecursionlimit(20_000)
STREAMS = 300
SIGNATURES = (b"\x0bstreamtyped", b"\x0btypedstream")


# The compared form: values as tuples, and objects numbered in the order of their first occurrence.

class Canon:
    def __init__(self):
        self.numbers, self.kept = {}, []

    def number(self, thing):
        """Returns the number of an object, and whether it is its first occurrence."""
        if id(thing) in self.numbers:
            return self.numbers[id(thing)], False
        self.numbers[id(thing)] = len(self.numbers)
        self.kept.append(thing)
        return self.numbers[id(thing)], True


def scalar(code, value):
    if code == "f":
        return "f", struct.pack("<f", value) if value == value else "nan"
    if code == "d":
        return "d", struct.pack("<d", value) if value == value else "nan"
    return ("b", bool(value)) if code == "B" else ("i", int(value))


class Stored(Canon):
    """The canonical form of objects as `(class chain, [(type, value)])`, from the writer's values or
    pytypedstream's."""

    def value(self, code, value):
        if value is None or code == "!":
            return ("nil",)
        if code == "@":
            return self.object(value)
        if code in "*%:":
            return ("s", self.text(value))
        if code == "#":
            return ("s", value)
        if code == "+":
            return ("x", bytes(value))
        if code[0] == "[" and element(code)[1] in ("c", "C"):
            return ("x", bytes(value))
        if code[0] in "[{":
            inner = fields(code) if code[0] == "{" else [element(code)[1]] * element(code)[0]
            return ("l", *map(self.value, inner, value))
        return scalar(code, value)

    def text(self, value):
        return value if isinstance(value, str) else value.decode()

    def object(self, thing):
        chain, values = self.parts(thing)
        name, known = chain[0], [value for _, value in values]
        if name == "NSString":
            return ("s", known[0].decode())
        if name == "NSData":
            return ("x", bytes(known[1]))
        if name == "NSNumber":
            return ("number", scalar(*values[1]))
        number, is_new = self.number(thing)
        if not is_new:
            return ("same", number)
        if name in ("NSArray", "NSMutableArray", "NSSet", "NSMutableSet"):
            return ("elements", name, *(self.object(item) for item in known[1:]))
        if name in ("NSDictionary", "NSMutableDictionary"):
            return ("entries", name, *(self.object(item) for item in known[1:]))
        if name == "NSDate":
            return ("date", struct.pack("<d", known[0]))
        return ("object", *chain, *self.named(name, values))

    def named(self, name, values):
        """Returns the fields of an object."""
        if name == "NSMutableString":
            return [("NS.string", ("s", values[0][1].decode()))]
        if name == "NSMutableData":
            return [("NS.data", ("x", bytes(values[1][1])))]
        if name == "NSURL":
            base = self.value("@", values[1][1] if len(values) == 3 else None)
            return [("NS.base", base), ("NS.relative", self.value("@", values[-1][1]))]
        names = {"NSColor": ["NSColorSpace"], "NSAttributedString": ["NSString"],
                 "NSMutableAttributedString": ["NSString"], "NSCountedSet": ["NS.count"], "NSNull": []}.get(name, [])
        if name == "NSColor" and values[0][1] == 6:
            names = ["NSColorSpace", "NSCatalogName", "NSColorName", "NSColor"]
        if name == "NSFont":
            text = values[1][1][8:]
            flags = [(f"NSFont.{number}", self.value(*values[number])) for number in range(3, 7)]
            return [("NSName", ("s", text[:int.from_bytes(values[1][1][4:8], "little")].decode("utf-16"))),
                    ("NSSize", self.value(*values[2])), *flags]
        return [(names[number] if number < len(names) else f"{name}.{number}", self.value(code, value))
                for number, (code, value) in enumerate(values)]


class Written(Stored):
    def parts(self, thing):
        value = instance(thing)
        return value.record.chain(), [pair for types, *values in value.groups for pair in zip(split(types), values)]

    def value(self, code, value):
        return ("s", value.name) if code == "#" and value is not None else super().value(code, value)

    def text(self, value):
        return value.text if isinstance(value, CString) else super().text(value)

    def roots(self, roots):
        return [self.value(code, value) for types, *values in roots for code, value in zip(split(types), values)]


class Read(Stored):
    """The canonical form from pytypedstream's events."""

    class Object:
        def __init__(self):
            self.chain, self.values = [], []

    def parts(self, thing):
        return thing.chain, thing.values

    def roots(self, path):
        from typedstream import stream as module
        self.module, self.shared = module, []
        with module.TypedStreamReader.open(path) as events:
            self.events = iter(events)
            roots = [pair for event in self.events for pair in self.group(event)]
        return [self.value(code, value) for code, value in roots]

    def group(self, event):
        pairs = []
        for code in event.encodings:
            pairs.append((code.decode(), self.item(next(self.events))))
        next(self.events)
        return pairs

    def item(self, event):
        module = self.module
        if isinstance(event, module.BeginObject):
            return self.new_object()
        if isinstance(event, module.SingleClass):
            return self.chain(event)[0]
        if isinstance(event, module.ObjectReference):
            found = self.shared[event.number]
            return found[0] if isinstance(found, list) else found
        if isinstance(event, module.CString):
            self.shared.append(event.contents)
            return event.contents
        if isinstance(event, module.Atom):
            return event.contents
        if isinstance(event, module.Selector):
            return event.name
        if isinstance(event, module.ByteArray):
            return event.data
        if isinstance(event, (module.BeginArray, module.BeginStruct)):
            return self.list()
        return event

    def list(self):
        values = []
        while not isinstance(event := next(self.events), (self.module.EndArray, self.module.EndStruct)):
            values.append(self.item(event))
        return values

    def chain(self, event):
        """Returns the names of a class and its ancestors."""
        chains, names = [], []
        while isinstance(event, self.module.SingleClass):
            chains.append([])
            self.shared.append(chains[-1])
            names.append(event.name.decode())
            event = next(self.events)
        names += [] if event is None else self.shared[event.number]
        for number, chain in enumerate(chains):
            chain += names[number:]
        return names

    def new_object(self):
        made = self.Object()
        self.shared.append(made)
        made.chain = self.chain(next(self.events))
        while not isinstance(event := next(self.events), self.module.EndObject):
            made.values += self.group(event)
        return made


class Ours(Canon):
    """The canonical form from savetool's graph JSON."""

    def __init__(self, text):
        super().__init__()
        self.graph = json.loads(text)
        self.by_id = {}
        self.moved = self.graph.get("$shared", {})

    def roots(self):
        return [self.field(value) for value in self.graph["$top"].values()]

    def chain(self, name):
        known = {"NSMutableString": [STRING], "NSMutableData": [DATA], "NSMutableDictionary": [DICTIONARY],
                 "NSMutableAttributedString": [Class("NSAttributedString", 0, OBJECT)]}
        described = self.graph.get("$classes", {}).get(name)
        if described is None:
            return [name, *known.get(name, [OBJECT])[0].chain()]
        return described if isinstance(described, list) else described["chain"]

    def field(self, value):
        if isinstance(value, dict) and set(value) == {"$inline"}:
            return self.inline(value["$inline"])
        if isinstance(value, dict) and set(value) == {"$object"}:
            return ("number", self.number_of(value["$object"]))
        if isinstance(value, bool) or isinstance(value, (int, float)) or self.is_real(value):
            return self.number_of(value)
        return self.element(value)

    def inline(self, value):
        if isinstance(value, list):
            return ("l", *(self.inline(item["$inline"]) if isinstance(item, dict) and set(item) == {"$inline"}
                           else self.element(item) for item in value))
        return self.number_of(value) if not isinstance(value, (str, dict)) or self.is_real(value) else self.element(value)

    def is_real(self, value):
        return isinstance(value, dict) and set(value) <= {"$real32", "$real"} and len(value) == 1

    def number_of(self, value):
        words = {"nan": float("nan"), "inf": float("inf"), "-inf": float("-inf")}
        if isinstance(value, dict):
            code, number = ("f", value["$real32"]) if "$real32" in value else ("d", value["$real"])
            number = words.get(number, number)
            return scalar(code, float("nan") if isinstance(number, str) else number)
        return scalar("B" if isinstance(value, bool) else "d" if isinstance(value, float) else "i", value)

    def element(self, value):
        if value is None:
            return ("nil",)
        if isinstance(value, str):
            return ("s", value)
        if isinstance(value, (int, float)) or self.is_real(value):
            return ("number", self.number_of(value))
        if isinstance(value, list):
            return self.first(value, None, lambda: ("elements", "NSArray", *map(self.element, value)))
        if set(value) == {"$data"}:
            return ("x", base64.b64decode(value["$data"]))
        if set(value) == {"$date"}:
            return self.first(value, None, lambda: ("date", seconds(value["$date"])))
        if set(value) == {"$ref"}:
            number = value["$ref"]
            return ("same", self.by_id[number]) if number in self.by_id else self.element(self.moved[str(number)] | {"$id": number})
        if value.get("$class") == "NSString":
            return ("s", value["NS.string"]["$inline"])
        return self.first(value, value.get("$id"), lambda: self.instance(value))

    def first(self, value, given, contents):
        number, _ = self.number(value)
        if given is not None:
            self.by_id[given] = number
        return contents()

    def instance(self, value):
        if "$class" not in value:
            return ("entries", "NSDictionary", *self.entries(value))
        name = value["$class"]
        if "$elements" in value:
            return ("elements", name, *map(self.element, value["$elements"]))
        if "$entries" in value:
            return ("entries", name, *self.entries(value["$entries"]))
        if name == "NSDate":
            return ("date", struct.pack("<d", value["NS.time"]))
        return ("object", *self.chain(name),
                *((self.key(key), self.field(item)) for key, item in value.items() if key not in ("$class", "$id")))

    def entries(self, value):
        pairs = value if isinstance(value, list) else [(self.key(key), item) for key, item in value.items()]
        return [self.element(item) for pair in pairs for item in pair]

    def key(self, key):
        return key[1:] if key.startswith("$") else key


def seconds(text):
    """Returns the bits of a date in seconds since 2001."""
    if isinstance(text, dict):
        return struct.pack("<d", float(text["$real"]))
    if not isinstance(text, str):
        return struct.pack("<d", float(text))
    whole, _, fraction = text.rstrip("Z").partition(".")
    since = datetime.fromisoformat(whole).replace(tzinfo=timezone.utc) - datetime(2001, 1, 1, tzinfo=timezone.utc)
    exact = since.days * 86400 + since.seconds + Fraction(int(fraction or 0), 10 ** len(fraction))
    return struct.pack("<d", float(exact))


# Random streams.

class Made:
    WORDS = ["Ada", "Grace", "Zoë", "Łódź", "", "a b", "$null", "$x", "health", "日本", "x" * 300]
    CODES = "cCsSiIlLqQfdB"

    def __init__(self, seed, is_old):
        self.random = random.Random(seed)
        # Only some streams contain what pytypedstream misreads.
        self.is_plain = not is_old and seed % 4 > 0
        self.instances, self.strings = [], [CString(word) for word in self.WORDS]
        parents = [OBJECT, Class("Object"), Class("Thing", 3, OBJECT)]
        self.classes = []
        for number in range(4):
            self.classes.append(Class(f"Class{number}", self.random.choice([0, 1, 524]), self.random.choice(parents)))
            parents.append(self.classes[-1])

    def roots(self):
        one = self.random.random() < 0.7
        count = 1 if one else self.random.randrange(1, 5)
        return [self.group("@" if one else None) for _ in range(count)]

    def group(self, types=None, depth=0):
        types = types or "".join(self.type() for _ in range(self.random.choice([1, 1, 2, 3, 5])))
        return (types, *(self.value(code, depth) for code in split(types)))

    def type(self, depth=0):
        choice = self.random.random()
        if choice < 0.55 or depth > 3:
            return self.random.choice(self.CODES)
        if choice < 0.85:
            return self.random.choice("@@@@*%:#+!")
        if choice < 0.93:
            count = self.random.choice([0, 1, 2, 5])
            return f"[{count}{self.random.choice(['c', 'C', self.type(depth + 1)])}]"
        name = self.random.choice(["_NSPoint=", "?=", "", "Size="])
        return "{" + name + "".join(self.type(depth + 1) for _ in range(self.random.randrange(1, 4))) + "}"

    def value(self, code, depth):
        if code in self.CODES:
            return self.scalar(code)
        if code == "@":
            return self.object(depth)
        if code == "*":
            return self.random.choice([None, *self.strings])
        if code in "%:":
            return self.random.choice([None, *self.WORDS])
        if code == "#":
            return self.random.choice([None, *self.classes])
        if code == "+":
            return self.random.randbytes(self.random.choice([0, 1, 5, 200]))
        if code == "!":
            return None
        if code[0] == "{":
            return [self.value(inner, depth) for inner in fields(code)]
        count, inner = element(code)
        return self.random.randbytes(count) if inner in ("c", "C") else [self.value(inner, depth) for _ in range(count)]

    def scalar(self, code):
        if code in "fd":
            value = self.random.choice([0.0, 1.0, 0.1, -2.5, 1e30, 100000.0, float("inf"), float("nan"), 3.0e9, -1e-30])
            return struct.unpack(code, struct.pack(code, value))[0]
        if code == "B":
            return self.random.random() < 0.5
        width = 8 if code in "cC" else WIDTHS[code.lower()]
        if self.is_plain:
            width = min(width, 32)
        low, high = (0, 1 << width) if code.isupper() else (-(1 << width - 1), 1 << width - 1)
        near = [-111, -110, -1, 0, 1, 127, 128, 145, 146, 200, 255, 256, 32767, 32768, 65535, 70000, low, high - 1]
        value = self.random.choice([value for value in near if low <= value < high])
        # Stored as a negative number.
        return value & 127 if self.is_plain and code.isupper() and code != "C" and value >= 1 << width - 1 else value

    def object(self, depth):
        choice = self.random.random()
        if choice < 0.1 or depth > 6:
            return None
        if choice < 0.25 and self.instances:
            return self.random.choice(self.instances)
        if choice < 0.7:
            return self.foundation(depth + 1)
        made = Instance(self.random.choice(self.classes))
        self.instances.append(made)
        for _ in range(self.random.choice([0, 1, 2, 4])):
            made.groups.append(self.group(depth=depth + 1))
        return made

    def foundation(self, depth):
        text = self.random.choice(self.WORDS)
        several = [self.element(depth) for _ in range(self.random.choice([0, 1, 3]))]
        made = self.random.choice([
            lambda: string(text), lambda: string(text, MUTABLE_STRING), lambda: data(text.encode()),
            lambda: data(text.encode(), MUTABLE_DATA), lambda: Instance(DATE, ("d", self.random.choice([0.0, 1e8 + 0.25]))),
            lambda: Instance(NULL), lambda: color(0.5, 0.25, 1.0, 1.0), lambda: font("Geneva", 9.0),
            lambda: Instance(URL, ("c", 0), ("@", string("https://example.com/"))),
            lambda: Instance(COLOR, ("c", 6), ("@@@", string("System"), string("textColor"), None)),
            lambda: Instance(Class("NSAttributedString", 0, OBJECT), ("@", string(text)), ("iI", 1, 3)),
            lambda: collection(several, self.random.choice([ARRAY, MUTABLE_ARRAY, SET, MUTABLE_SET])),
            lambda: dictionary([(string(f"k{number}"), value) for number, value in enumerate(several)],
                               self.random.choice([DICTIONARY, MUTABLE_DICTIONARY])),
            *[lambda: number(self.scalar(code), code) for code in [self.random.choice(self.CODES)]] * 3])()
        self.instances.append(made)
        return made

    def element(self, depth):
        made = None
        while made is None:
            made = self.object(min(depth, 6))
        return made


# Comparison.

def install(folder):
    """Downloads pytypedstream and returns the paths of its test files; an empty list if that fails."""
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps", "-d", folder]
    for options in ["--only-binary", "--no-binary"]:
        try:
            run = subprocess.run([*command, options, ":all:", "pytypedstream==0.1.0"], capture_output=True, timeout=60)
        except subprocess.TimeoutExpired:
            return []
        if run.returncode != 0:
            return []
    sys.path.insert(0, str(next(pathlib.Path(folder).glob("*.whl"))))
    paths = []
    with tarfile.open(next(pathlib.Path(folder).glob("*.tar.gz"))) as source:
        for member in source.getmembers():
            if member.isfile() and "/tests/data/" in member.name:
                paths.append(pathlib.Path(folder) / pathlib.PurePosixPath(member.name).name)
                paths[-1].write_bytes(source.extractfile(member).read())
    return sorted(paths)


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: typedstream_identity.py SAVETOOL [FOLDER …]")
    savetool, folders = pathlib.Path(sys.argv[1]).resolve(), [pathlib.Path(folder).resolve() for folder in sys.argv[2:]]
    report, batch = runner.Report("typedstreams"), runner.Batch(savetool)
    with tempfile.TemporaryDirectory() as work:
        paths = install(work)
        has_oracle = bool(paths)
        if not has_oracle:
            print("typedstreams: PyPI gave no pytypedstream; streams are compared with what went into them")
        paths += [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
        inputs = {str(path): path for path in paths if path.read_bytes()[1:].startswith(SIGNATURES)}
        made = {}
        for seed in range(STREAMS):
            for version, is_big_endian in [(4, False), (4, True), (3, seed % 2 == 1)]:
                name = f"stream {seed}, version {version}, {'big' if is_big_endian else 'little'}-endian"
                source = Made(seed, version == 3)
                roots = source.roots()
                path = pathlib.Path(work) / f"{len(made)}.made"
                path.write_bytes(stream(*roots, version=version, is_big_endian=is_big_endian))
                made[name], inputs[name] = (roots, source.is_plain), path
        results, messages = batch.convert(inputs, "--to", "json", "--extension", "json")
        for name, path in inputs.items():
            if name in results:
                compare(report, name, path, Ours(results[name].read_bytes()).roots(), made.get(name), has_oracle)
            elif name not in made and has_oracle and read(path) is None:
                report.count("refused by both")
            else:
                report.fail(name, f"not read: {messages.of(name)}")
    report.end()


def read(path):
    """Returns the values that pytypedstream reads, or None if it refuses the file."""
    from typedstream.stream import InvalidTypedStreamError
    try:
        return Read().roots(path)
    except InvalidTypedStreamError:
        return None


def compare(report, name, path, ours, made, has_oracle):
    if made is not None:
        roots, is_plain = made
        if ours != Written().roots(roots):
            return report.fail(name, "other values than went into it")
        report.count(f"as written in version {path.read_bytes()[0]}")
        if not is_plain:
            return
    if not has_oracle:
        return
    theirs = read(path)
    if theirs is None and made is None:
        report.count("beyond pytypedstream")
    elif ours == theirs:
        report.count("as pytypedstream reads made ones" if made else "as pytypedstream reads files")
    else:
        report.fail(name, "other values than pytypedstream's")


main()
