#!/usr/bin/env python3
"""bombs.py SAVETOOL [PATTERN …]: runs every command on small files that expand to much more data.

Damaged files are only read and repaired. Each run is limited to 20 s of processor time and 1.5 GB of memory by the
system. It must end by itself, with a result or with status 2 and a message that names the limit. Prints one line for
each bomb and limit with the number of commands that it stopped, and the slowest and largest of them. With patterns, only
bombs with a matching name are used.

Compressed files, databases, typedstreams and devices have stricter limits: 4 s and 400 MiB for each of them that the
command reads, and output of 64 MiB plus 100 times the file. They are only used with patterns.
"""
import gzip
import json
import os
import pathlib
import plistlib
import re
import resource
import sqlite3
import struct
import subprocess
import sys
import tempfile
from plistlib import UID

SECONDS, MEMORY = 20, 1500 << 20
STRICT_SECONDS, STRICT_MIB = 4, 400
LIMITS = {
    "depth": r"nested deeper than|levels? deep|--max-depth",
    "expansion": r"written out|times the size|expand|copied values make the document far too large",
    "overlap": r"overlapping objects",
    "values": r"more than \d+ values",
    "matches": r"more (ways|addresses|values) .*pattern|the pattern matches",
    "output": r"the output would exceed|more than .* (bytes|MiB) of output|limit for (the output|what is shown)|--at|the remaining text is left out",
    "nested": r"data (holds|in data)|nested",
    "size": r"too large; the limit is",
}


# Files.

def binary(objects, root):
    """Returns a binary property list of stored objects. Containers are given as `("array", [numbers])`."""
    size = 4
    table, image = [], bytearray(b"bplist00")
    for value in objects:
        table.append(len(image))
        if isinstance(value, tuple):
            kind, references = value
            count = len(references) // 2 if kind == "dict" else len(references)
            image += head(0xD0 if kind == "dict" else 0xA0, count)
            image += b"".join(struct.pack(">I", number) for number in references)
        elif isinstance(value, UID):
            image += b"\x83" + struct.pack(">I", value.data)
        elif isinstance(value, int):
            image += b"\x13" + struct.pack(">q", value)
        else:
            text = value if isinstance(value, bytes) else value.encode()
            image += head(0x40 if isinstance(value, bytes) else 0x50, len(text)) + text
    start = len(image)
    image += b"".join(struct.pack(">I", offset) for offset in table)
    return bytes(image) + bytes(6) + bytes([4, size]) + struct.pack(">QQQ", len(table), root, start)


def head(marker, count):
    return bytes([marker | count]) if count < 15 else bytes([marker | 15, 0x12]) + struct.pack(">I", count)


def doubling(levels):
    """Arrays that each contain the next one twice."""
    return binary([("array", [level + 1] * 2) for level in range(levels)] + ["x"], 0)


def wide(levels, count):
    """Arrays that each contain the next one many times."""
    return binary([("array", [level + 1] * count) for level in range(levels)] + ["x"], 0)


def overlapping_containers(count):
    """Arrays whose references share the same bytes of the file."""
    image = bytearray(b"bplist00\x09")
    start = len(image)
    image += head(0xA0, count) + bytes(4 * count)
    inner = len(image)
    image += head(0xA0, count) + b"".join(struct.pack(">I", 2) for _ in range(count))
    table = len(image)
    offsets = [8, inner] + [start] * count
    image += b"".join(struct.pack(">I", offset) for offset in offsets)
    return bytes(image) + bytes(6) + bytes([4, 4]) + struct.pack(">QQQ", len(offsets), 1, table)


def overlapping_strings(count):
    """Strings that each extend to the end of the last one."""
    end = 8 + count * 7
    image = bytearray(b"bplist00")
    for number in range(count):
        start = 8 + number * 7
        image += b"\x5f\x12" + struct.pack(">I", end - start - 6) + b" "
    top = len(image)
    image += head(0xA0, count) + b"".join(struct.pack(">I", number) for number in range(count))
    table = len(image)
    image += b"".join(struct.pack(">I", 8 + 7 * number) for number in range(count)) + struct.pack(">I", top)
    return bytes(image) + bytes(6) + bytes([4, 4]) + struct.pack(">QQQ", count + 1, count, table)


def archive(objects, top=None):
    return plistlib.dumps({"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": top or {"root": UID(1)},
                           "$objects": ["$null", *objects]}, fmt=plistlib.FMT_BINARY, sort_keys=False)


def record(name):
    return {"$classname": name, "$classes": [name, "NSObject"]}


def archive_doubling(levels):
    """Array objects that each refer to the next one twice."""
    arrays = [{"$class": UID(levels + 2), "NS.objects": [UID(level + 2)] * 2} for level in range(levels)]
    return archive([*arrays, "x", record("NSArray")])


def linked_list(count):
    nodes = [{"$class": UID(count + 1), "next": UID(number + 2 if number < count - 1 else 0)} for number in range(count)]
    return archive([*nodes, record("Node")])


def one_dictionary(count, is_numbered):
    """A dictionary with `count` pairs, as two lists or with a numbered field for each key and value."""
    keys, values = [f"key{number}" for number in range(count)], list(range(count))
    first = 3
    if is_numbered:
        fields = {f"NS.key.{number}": UID(first + number) for number in range(count)}
        fields |= {f"NS.object.{number}": UID(first + count + number) for number in range(count)}
    else:
        fields = {"NS.keys": [UID(first + number) for number in range(count)],
                  "NS.objects": [UID(first + count + number) for number in range(count)]}
    return archive([{"$class": UID(2), **fields}, record("NSDictionary"), *keys, *values])


def long_chain(count):
    """A class with `count` ancestors, and as many objects of it."""
    name = {"$classname": "C0", "$classes": [f"C{number}" for number in range(count)]}
    objects = [{"$class": UID(2), "n": number} for number in range(count)]
    return archive([{"$class": UID(3), "NS.objects": [UID(4 + number) for number in range(count)]}, name,
                    record("NSArray"), *objects])


def nested(levels):
    data = b"bplist00\x09\x08" + bytes(6) + bytes([1, 1]) + struct.pack(">QQQ", 1, 0, 9)
    for _ in range(levels):
        data = plistlib.dumps({"in": data}, fmt=plistlib.FMT_BINARY)
    return data


def nested_many(count, size):
    """A large save in a data value that many references share."""
    inner = plistlib.dumps([f"{number:08}" for number in range(size)], fmt=plistlib.FMT_BINARY)
    stored = [inner[:-1] + bytes([inner[-1]]) for _ in range(2)]
    return binary([("array", [1 + number % 2 for number in range(count)]), *stored], 0)


def nested_overlapping(count):
    """Data values that all hold the same save, because they share the same bytes of the file."""
    inner = plistlib.dumps([f"{number:08}" for number in range(30000)], fmt=plistlib.FMT_BINARY)
    image = bytearray(b"bplist00")
    image += head(0x40, len(inner)) + inner
    top = len(image)
    image += head(0xA0, count) + b"".join(struct.pack(">I", number) for number in range(count))
    table = len(image)
    image += struct.pack(">I", 8) * count + struct.pack(">I", top)
    return bytes(image) + bytes(6) + bytes([4, 4]) + struct.pack(">QQQ", count + 1, count, table)


def compressed(element, size):
    """A gzip file of a JSON array that repeats an element up to a size."""
    count = size // (len(element) + 1)
    return gzip.compress(b"[" + b",".join([element] * count) + b"]", 9)


def compressed_twice(start, element, size):
    """A gzip file in a gzip file: damaged text that repeats an element up to a size."""
    return gzip.compress(gzip.compress(start + element * (size // len(element)), 6), 9)


def database(columns, rows):
    """A database whose rows are shorter than the number of columns in the SQL of its table."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "b"
        with sqlite3.connect(path) as base:
            base.execute("PRAGMA page_size = 65536")
            base.execute("CREATE TABLE t (x)")
            base.executemany("INSERT INTO t VALUES (?)", [(1,)] * rows)
            base.commit()
            base.execute("PRAGMA writable_schema = 1")
            base.execute("UPDATE sqlite_schema SET sql = ?", (f"CREATE TABLE t({','.join(columns)})",))
        base.close()
        return path.read_bytes()


def typedstream(count):
    """Objects in one another, as NSArchiver writes them."""
    start = b"\x04\x0bstreamtyped\x81\xe8\x03" + b"\x84\x01@"
    first = b"\x84\x84\x84\x04Node\x00\x84\x84\x08NSObject\x00\x85\x84\x01@"
    return start + first + b"\x84\x93\x92" * (count - 1) + b"\x85" + b"\x86" * count


def sharing(count):
    """Many objects that refer to the same array of 200 elements."""
    array = {"$class": UID(3), "NS.objects": [UID(5)] * 200}
    objects = [{"$class": UID(4), "a": UID(2), "b": UID(2)} for _ in range(count)]
    top = {"$class": UID(3), "NS.objects": [UID(6 + number) for number in range(count)]}
    return archive([top, array, record("NSArray"), record("Node"), "label of a button", *objects])


BOMBS = {
    "shared arrays": doubling(60),
    "wide shared arrays": wide(500, 100),
    "shared objects of an archive": archive_doubling(60),
    "overlapping strings": overlapping_strings(20000),
    "overlapping arrays": overlapping_containers(5000),
    "list of 100,000 objects": linked_list(100000),
    "dictionary of 40,000 pairs": one_dictionary(40000, False),
    "numbered pairs": one_dictionary(4000, True),
    "class of 2,000 ancestors": long_chain(2000),
    "100,000 arrays in JSON": b"[" * 100000 + b"]" * 100000,
    "100,000 arrays in XML": b"<plist>" + b"<array>" * 100000 + b"</array>" * 100000 + b"</plist>",
    "100,000 arrays in OpenStep": b"(" * 100000 + b")" * 100000,
    "100,000 arrays in binary": binary([("array", [level + 1]) for level in range(100000)] + ["x"], 0),
    "data within data": nested(150),
    "XML within JSON": b'{"$xplist":' + b"[" * 500 + b"1," * 140000 + b"1" + b"]" * 500 + b"}",
    "data shared": nested_many(2000, 20000),
    "data overlapping": nested_overlapping(4000),
    "long number": b"[1" + b"0" * 400000 + b"." + b"3" * 400000 + b"e-400000]",
    "repeated keys": b"{" + b",".join(b'"a": 1' for _ in range(60000)) + b"}",
    "escapes": b'["' + b"\\u202e" * 60000 + b'"]',
}

# Damaged binary files: the same bytes repeated, with and without a trailer that states 98,304 objects. A file four
# times as long may take ten times as long.

TRAILER = bytes(6) + bytes([2, 1]) + struct.pack(">QQQ", 98304, 0, 0)
SMALLER, LARGER = 60000, 240000
DAMAGED = {
    f"{unit.hex()} {count:,} times{', cut off' * (not end)}": b"bplist00" + unit * count + end
    for unit in (b"\x08", b"\xa1\x00", b"\xd1\x01\x01", b"\x5f\x10", b"\xaf\x13\x7f", b"\xdf\x11")
    for end in (b"", TRAILER)
    for count in (SMALLER, LARGER)
}

# The files with stricter limits. None stands for /dev/zero.

STRICT = {
    "gzip of numbers": compressed(b"1", 64 << 20),
    "gzip of numbers at the limit": compressed(b"1", 2 << 20),
    "gzip of arrays": compressed(b"[]", 64 << 20),
    "gzip of arrays at the limit": compressed(b"[]", 3 << 20),
    "gzip of a long number": gzip.compress(b"[1" + b"0" * (20 << 20) + b"]", 9),
    "damaged JSON in gzip": compressed_twice(b"[", b"x,", 30 << 20),
    "damaged objects in gzip": compressed_twice(b"[", b'{"a":x},', 30 << 20),
    "damaged OpenStep in gzip": compressed_twice(b"(a b c d;", b"a,", 30 << 20),
    "gzip in gzip without its first byte": compressed_twice(b"[", b'{"a":1},', 21 << 20)[1:],
    "20,000 columns": database([f"c{number}" for number in range(20000)], 390),
    "columns at the limit": database([f"c{number}" for number in range(10000)], 150),
    "one name 50,000 times": database(["a"] * 50000, 80),
    "typedstream of 100,000 objects": typedstream(100000),
    "lists of 100,000 objects": linked_list(100000),
    "objects that share an array": sharing(3000),
    "a device": None,
}

STRICT_COMMANDS = [line.split() for line in """
inspect b
inspect -f flat b
inspect -f json b
inspect -f html b
inspect -f ndjson --at /root b
get --at /* b
get --at /** -f csv b
get b /*/*/*
find 7 b
diff b b
diff b s
set b /0 5 -o o
remove b /0 -o o
merge b b b -o o
merge --base none b b -o o
convert --to binary b -o o
convert --to xml --allow-loss b -o o
convert --to json b -o o
textconv b
validate --no-project b
validate --no-project --schema b s
salvage b -o o
inspect --salvage b
schema infer b
scores list b
set s /root/n --change-type --data-file b -o o
""".strip().splitlines()]

# The commands. `b` is the bomb, `s` a small save, and `o` the output.

COMMANDS = [line.split() for line in """
inspect b
inspect --all b
inspect --nested b
inspect -f flat b
inspect -f flat --expand b
inspect -f json b
inspect -f json --nested b
inspect -f ndjson b
inspect -f summary b
inspect -f html b
inspect -f dot b
inspect -f mermaid b
inspect --defaults b s
get b /~^
get b /0/0/0/0 -f json
get -f json b /root
get --at /** -f csv b s
find x b
find --regex (a|b)*c b
find --where n<5 b
set b /0 5 -o o
set b /root/n 5 --add -o o
insert b /0 5 -o o
remove b /0 -o o
set b /** 5 -o o
patch b patch -o o
patch b merge-patch -o o
migrate rules b -o o
rename-class A B b -o o
convert --to json b -o o
convert --to json --nested b -o o
convert --to json --exact b -o o
convert --to xml --allow-loss b -o o
convert --to binary b -o o
convert --to archive b -o o
convert --to openstep --allow-loss b -o o
convert --like s b -o o
diff b b
diff b s
diff --sharing b b
diff -f json b s
diff -f json-patch b s
diff -f html b s
diff -y b s
diff --unordered /** b s
merge b b b -o o
merge s b b -o o
merge b s b -o o
merge --base none b s --rule union -o o
textconv b
textconv --raw b
validate --no-project b
validate --no-project --verbose -f json b
validate --no-project --schema schema b
validate --no-project --schema b s
schema infer b s
roundtrip b
roundtrip --via xml b
scores list b
scores add b --name Ada --score 5 -o o
scores merge b s -o o
salvage b -o o
""".strip().splitlines()]

DAMAGED_COMMANDS = [line.split() for line in """
inspect b
inspect --salvage b
salvage b -o o
""".strip().splitlines()]

SMALL = {
    "s": b'{"root": {"n": 1, "in": [1, 2]}}',
    "patch": b'[{"op": "replace", "path": "/0", "value": 5}, {"op": "copy", "from": "", "path": "/-"}]',
    "merge-patch": b'{"root": {"n": 5}}',
    "rules": json.dumps({"savetool": "migration", "version": "/root/version", "from": None, "to": 2,
                         "rules": [{"renameClass": "A", "to": "B"}]}).encode(),
    "schema": json.dumps({"$ref": "#/$defs/v", "$defs": {"v": {
        "items": {"$ref": "#/$defs/v"}, "additionalProperties": {"$ref": "#/$defs/v"}, "uniqueItems": True,
        "patternProperties": {"^(a|b)*$": {"$ref": "#/$defs/v"}}}}}).encode(),
}


def run(savetool, words, folder):
    """Returns the status, the seconds of processor time, the MiB, the messages and the size of the output."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for left in folder.glob("o*"):
        left.unlink()
    with open(folder.parent / "out", "wb+") as out, open(folder.parent / "err", "wb+") as err:
        child = subprocess.Popen([savetool, *words], cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err,
                                 preexec_fn=limit)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        said = err.read(4000).decode("utf-8", "replace")
        size = os.fstat(out.fileno()).st_size + sum(path.stat().st_size for path in folder.glob("o"))
    return child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, said, size


def stopped_by(status, said):
    """Returns the limit that stopped a command, "-" if none did, or "refused" for any other error."""
    if status in (0, 1) and "limit" not in said:
        return "-"
    for name, pattern in LIMITS.items():
        if re.search(pattern, said):
            return name
    return "-" if status < 2 else "refused"


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: bombs.py SAVETOOL [PATTERN …]")
    savetool, patterns = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:]
    failed, smaller = 0, float("inf")
    wanted = [name for name in [*BOMBS, *DAMAGED, *STRICT] if any(pattern in name for pattern in patterns)]
    wanted = wanted or [*BOMBS, *DAMAGED]
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work) / "files"
        folder.mkdir()
        for name, data in SMALL.items():
            (folder / name).write_bytes(data)
        print(f"{'bomb':30} {'bytes':>9} {'stopped by':12} {'commands':>8}  slowest, largest")
        for bomb in wanted:
            data, isStrict = (BOMBS | DAMAGED | STRICT)[bomb], bomb in STRICT
            commands = STRICT_COMMANDS if isStrict else DAMAGED_COMMANDS if bomb in DAMAGED else COMMANDS
            (folder / "b").unlink(missing_ok=True)
            if data is None:
                (folder / "b").symlink_to("/dev/zero")
                data = b""
            else:
                (folder / "b").write_bytes(data)
            rows, total = {}, 0
            for words in commands:
                status, seconds, memory, said, size = run(savetool, words, folder)
                files, total = words.count("b"), total + seconds
                isCostly = isStrict and (seconds > files * STRICT_SECONDS or memory > files * STRICT_MIB
                                         or size > (64 << 20) + 100 * len(data))
                if status not in (0, 1, 2) or status == 2 and not said or isCostly:
                    failed += 1
                    print(f"FAILED {bomb}: savetool {' '.join(words)}: status {status}, {seconds:.1f} s, {memory:.0f} MiB, "
                          f"{size:,} bytes: {said[:200]!r}")
                rows.setdefault(stopped_by(status, said), []).append((seconds, memory, size, " ".join(words)))
            for limit, runs in sorted(rows.items()):
                slowest, largest = max(runs), max(runs, key=lambda run: run[1])
                print(f"{bomb:30} {len(data):9,} {limit:12} {len(runs):8}  {slowest[0]:.2f} s {slowest[3]}; "
                      f"{largest[1]:.0f} MiB {largest[3]}")
            if f" {SMALLER:,} times" in bomb:
                smaller = total
            elif bomb in DAMAGED and total > 10 * smaller + 0.2:
                failed += 1
                print(f"FAILED {bomb}: {total:.1f} s, and {smaller:.1f} s for a quarter of it")
    print(f"bombs: {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
