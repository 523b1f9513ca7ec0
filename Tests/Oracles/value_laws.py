#!/usr/bin/env python3
"""value_laws.py SAVETOOL [SECONDS [SEED]]: checks laws of diff, patch, merge, get and set on random saves.

Saves are JSON texts or binary property lists. Python's `json` and `plistlib` read the results, and patches are applied
by the code below (RFC 6902 and 7386). The laws:

* `diff` of a save and itself is empty, also of its copy in another format.
* A patch from `diff` makes the second save of the first, whoever applies it.
* `merge` with one changed side is that side, of twice the same change is the change, and with itself is itself.
* A merge without conflicts has the same values in either order of the sides. (Elements that both sides insert at one
  place are in the order of the sides.)
* What `get` prints can be set again, and no byte changes. A value that is set can be read and set back.

Prints each violation with its files, and exits with 1 if there is any.
"""
import json
import pathlib
import plistlib
import random
import subprocess
import sys
import tempfile
import time

KEYS = ["a", "b", "gold", "x/y", "t~d", "é", "", "0", "two words", "a = b", "-"]
TEXTS = ["", "x", "é→", "1", "true", "l\n2", "\u202e", "🎮", "=1", "\\", '"']


class Maker:
    """Makes random values and random changes of them."""

    def __init__(self, rng):
        self.rng = rng

    def scalar(self):
        rng = self.rng
        return rng.choice([
            rng.randrange(-5, 5), rng.randrange(-(2**63), 2**63), rng.random(), 0.5, -1e300, rng.choice(TEXTS), True, False])

    def value(self, depth=0):
        kind = self.rng.random()
        if depth > 3 or kind < 0.4:
            return self.scalar()
        count = self.rng.choice([0, 1, 2, 3, 6])
        if kind < 0.7:
            return [self.value(depth + 1) for _ in range(count)]
        return {key: self.value(depth + 1) for key in self.rng.sample(KEYS, count)}

    def root(self):
        value = self.value()
        return value if isinstance(value, (list, dict)) else {"a": value, "list": [1, 2, 3, "x"]}

    def changed(self, value, count=None):
        """Returns a copy with a few random changes."""
        value = json.loads(json.dumps(value))
        for _ in range(count or self.rng.choice([1, 1, 2, 4])):
            value = self.change(value)
        return value

    def change(self, value):
        rng = self.rng
        places = [pointer for pointer, _ in walk(value)]
        pointer = rng.choice(places)
        if not pointer:
            return value if isinstance(value, (list, dict)) and value else {"a": self.scalar()}
        parent, key = reach(value, pointer[:-1]), pointer[-1]
        kind = rng.random()
        if kind < 0.5:
            parent[key] = self.value(3 if rng.random() < 0.8 else 2)
        elif kind < 0.7:
            del parent[key]
        elif isinstance(parent, list):
            parent.insert(rng.randrange(len(parent) + 1), self.value(3))
        else:
            parent[rng.choice(KEYS)] = self.value(3)
        return value


def walk(root):
    pending = [((), root)]
    while pending:
        pointer, value = pending.pop()
        yield pointer, value
        if isinstance(value, dict):
            pending += [(pointer + (key,), item) for key, item in value.items()]
        elif isinstance(value, list):
            pending += [(pointer + (position,), item) for position, item in enumerate(value)]


def reach(value, tokens):
    for token in tokens:
        value = value[token]
    return value


def address(tokens):
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def tokens(pointer):
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def same(a, b):
    """Whether two values are equal in kind and content."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return type(a) is type(b) and a == b


def unordered(value):
    """Returns a text of the value that does not depend on the order of elements and keys."""
    if isinstance(value, dict):
        return repr(sorted((key, unordered(item)) for key, item in value.items()))
    return repr(sorted(map(unordered, value))) if isinstance(value, list) else repr(value)


def patched(value, steps):
    """Applies a JSON Patch (RFC 6902)."""
    value = json.loads(json.dumps(value))

    def locate(path):
        parent = value
        *way, last = tokens(path)
        for token in way:
            parent = parent[int(token)] if isinstance(parent, list) else parent[token]
        if isinstance(parent, list):
            return parent, len(parent) if last == "-" else int(last)
        return parent, last

    def add(path, item):
        nonlocal value
        if path == "":
            value = item
            return
        parent, key = locate(path)
        parent.insert(key, item) if isinstance(parent, list) else parent.__setitem__(key, item)

    def take(path):
        parent, key = locate(path)
        return parent.pop(key)

    def at(path):
        if path == "":
            return value
        parent, key = locate(path)
        return parent[key]

    for step in steps:
        op, path = step["op"], step["path"]
        if op == "add":
            add(path, step["value"])
        elif op == "remove":
            take(path)
        elif op == "replace":
            if path == "":
                value = step["value"]
            else:
                parent, key = locate(path)
                parent[key] = step["value"]
        elif op == "move":
            add(path, take(step["from"]))
        elif op == "copy":
            add(path, json.loads(json.dumps(at(step["from"]))))
        elif op == "test":
            if not same(at(path), step["value"]):
                raise ValueError(f"test fails at {path}")
    return value


class Laws:
    def __init__(self, savetool, folder, rng):
        self.savetool, self.folder, self.rng = savetool, folder, rng
        self.make = Maker(rng)
        self.count = self.failed = 0

    def run(self, *words):
        done = subprocess.run([self.savetool, *words], cwd=self.folder, capture_output=True, timeout=60,
                              stdin=subprocess.DEVNULL)
        if done.returncode not in (0, 1, 2):
            self.fail(f"status {done.returncode}: {words}: {done.stderr[:300]!r}")
        return done

    def fail(self, reason):
        self.failed += 1
        print(f"FAILED {reason}")
        for path in sorted(self.folder.iterdir()):
            print(f"  {path.name}: {path.read_bytes()[:600]!r}")

    def check(self, holds, reason):
        self.count += 1
        if not holds:
            self.fail(reason)

    def write(self, name, value, isBinary):
        path = self.folder / name
        path.write_bytes(plistlib.dumps(value, fmt=plistlib.FMT_BINARY, sort_keys=False) if isBinary
                         else json.dumps(value, ensure_ascii=self.rng.random() < 0.5,
                                         indent=self.rng.choice([None, 2])).encode())
        return name

    def read(self, name):
        data = (self.folder / name).read_bytes()
        return plistlib.loads(data) if data.startswith(b"bplist") else json.loads(data)

    def round(self):
        for path in self.folder.iterdir():
            path.unlink()
        binary = self.rng.random() < 0.4
        base = self.make.root()
        ours, theirs = self.make.changed(base), self.make.changed(base)
        for name, value in [("base", base), ("ours", ours), ("theirs", theirs)]:
            self.write(name, value, binary)
        self.differences(base, ours)
        self.merges(base, ours, theirs)
        self.edits(base)

    def differences(self, base, ours):
        self.check(self.run("diff", "base", "base").returncode == 0, "diff base base")
        done = self.run("convert", "--to", "xml" if self.rng.random() < 0.5 else "binary", "base", "-o", "copy")
        if done.returncode == 0:
            self.check(self.run("diff", "base", "copy").returncode == 0, "diff base copy")
        done = self.run("diff", "-f", "json-patch", "base", "ours")
        self.check(done.returncode == (0 if same(base, ours) else 1), "the status of diff base ours")
        (self.folder / "patch").write_bytes(done.stdout)
        try:
            result = patched(base, json.loads(done.stdout))
        except (ValueError, KeyError, IndexError, TypeError) as error:
            result = error
        self.check(same(result, ours), f"the patch makes {result!r} of base")
        done = self.run("patch", "base", "patch", "-o", "patched")
        self.check(done.returncode == 0 and same(self.read("patched"), ours), "patch base patch")

    def merges(self, base, ours, theirs):
        for sides, expected in [(("base", "ours", "base"), ours), (("base", "base", "theirs"), theirs),
                                (("base", "ours", "ours"), ours), (("ours", "ours", "ours"), ours)]:
            done = self.run("merge", *sides, "-o", "merged")
            self.check(done.returncode == 0 and same(self.read("merged"), expected), f"merge {sides}")
        done, other = self.run("merge", "base", "ours", "theirs", "-o", "m1"), self.run("merge", "base", "theirs", "ours", "-o", "m2")
        self.check(done.returncode == other.returncode, "merge in both orders ends alike")
        if done.returncode == 0 == other.returncode:
            self.check(unordered(self.read("m1")) == unordered(self.read("m2")), "merge in both orders")

    def edits(self, base):
        pointer, value = self.rng.choice(list(walk(base)))
        place = address(pointer)
        done = self.run("get", "-f", "json", "base", place)
        self.check(done.returncode == 0 and same(json.loads(done.stdout), value), f"get base {place}")
        (self.folder / "value").write_bytes(done.stdout)
        before = (self.folder / "base").read_bytes()
        done = self.run("set", "base", place, "--json-file", "value", "-o", "same")
        self.check(done.returncode == 0 and (self.folder / "same").read_bytes() == before, f"get and set base {place}")
        new = self.make.value(3)
        (self.folder / "new").write_text(json.dumps(new))
        done = self.run("set", "base", place, "--change-type", "--json-file", "new", "-o", "set")
        if done.returncode == 2:
            return
        found = self.run("get", "-f", "json", "set", place)
        self.check(found.returncode == 0 and same(json.loads(found.stdout), new), f"set base {place} {new!r}")
        # A file that ends in a line feed, as `get` prints it, may be the present string.
        (self.folder / "old").write_text(json.dumps(value))
        done = self.run("set", "set", place, "--change-type", "--json-file", "old", "-o", "back")
        self.check(done.returncode == 0 and same(self.read("back"), base), f"set base {place} and back")


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: value_laws.py SAVETOOL [SECONDS [SEED]]")
    savetool = pathlib.Path(sys.argv[1]).resolve()
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 10
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(2**32)
    with tempfile.TemporaryDirectory() as folder:
        laws = Laws(savetool, pathlib.Path(folder), random.Random(seed))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            laws.round()
    print(f"value laws: {laws.count} checks, {laws.failed} failed (seed {seed})")
    sys.exit(laws.failed > 0)


if __name__ == "__main__":
    main()
