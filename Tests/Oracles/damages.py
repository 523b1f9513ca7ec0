#!/usr/bin/env python3
"""Damages real files, has `savetool salvage` repair them, and compares the results with the originals.

    damages.py SAVETOOL [--files N] [--times N] [--seed N] FOLDER…

Each binary property list is damaged in each way: one flipped byte, ten, one in the trailer, a cut at a random offset,
an inserted block, a block of its own at another offset, an overwritten tail of zeros, appended bytes, CRLF, UTF-8. The
comparison reads both files with its own code. It fails if
  * a value differs without being reported, unless the damage hit the bytes of that very object, and it still reads,
  * an exact repair (appended bytes, CRLF, UTF-8) does not give back the original bytes,
  * the tool reports the file as whole, and it is not, although the damage did not only hit the bytes of scalars,
  * the exit status contradicts the report.
"""
import argparse
import json
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import concurrent.futures

LARGEST = 300_000


class Plist:
    """The object table of a binary property list."""

    def __init__(self, data):
        self.data = data
        size, self.width = data[-26], data[-25]
        count, self.root, table = struct.unpack(">QQQ", data[-24:])
        if not 0 < count < len(data) or not 0 < size < 9 or table + count * size + 32 != len(data):
            raise ValueError("trailer")
        if count > 1 << (8 * self.width):
            raise ValueError("references")
        self.offsets = [self.number(table + index * size, size) for index in range(count)]
        self.known = {}

    def number(self, at, size):
        return int.from_bytes(self.data[at:at + size], "big")

    def object(self, index):
        """Returns the kind, the contents (a scalar's bytes or references) and the range of an object."""
        if index not in self.known:
            self.known[index] = self.read(self.offsets[index])
        return self.known[index]

    def read(self, start):
        data, at = self.data, start
        high, low = data[at] >> 4, data[at] & 15
        at += 1
        if high in (4, 5, 6, 0xA, 0xC, 0xD) and low == 15:
            size = 1 << (data[at] & 15)
            low = self.number(at + 1, size)
            at += 1 + size
        if high == 0:
            return "simple", data[start:at], (start, at)
        if high < 0xA:
            size = 1 << low if high in (1, 2) else {3: 8, 4: low, 5: low, 6: 2 * low, 8: low + 1}[high]
            return {1: "integer", 2: "real", 3: "date", 4: "data", 5: "string", 6: "string", 8: "uid"}[high], \
                (high, data[at:at + size]), (start, at + size)
        count = 2 * low if high == 0xD else low
        end = at + count * self.width
        if end > len(data):
            raise ValueError("references")
        references = [self.number(at + item * self.width, self.width) for item in range(count)]
        return {0xA: "array", 0xC: "set", 0xD: "dict"}[high], references, (start, end)

    def text(self, index):
        kind, content, _ = self.object(index)
        if kind != "string":
            return None
        return content[1].decode("latin-1") if content[0] == 5 else content[1].decode("utf-16-be", "surrogatepass")

    def reachable(self):
        seen, stack = set(), [self.root]
        while stack:
            index = stack.pop()
            if index in seen:
                continue
            seen.add(index)
            kind, content, _ = self.object(index)
            if kind in ("array", "set", "dict"):
                stack.extend(content)
        return seen

    def at(self, pointer):
        """Returns the objects at a JSON Pointer. There are several if a key occurs twice."""
        indices = {self.root}
        for token in pointer.split("/")[1:]:
            token = token.replace("~1", "/").replace("~0", "~")
            found = set()
            for index in indices:
                kind, content, _ = self.object(index)
                if kind == "dict":
                    half = len(content) // 2
                    found.update(content[half + item] for item in range(half) if self.text(content[item]) == token)
                elif kind in ("array", "set") and token.isdigit():
                    found.update(content[int(token):int(token) + 1])
            indices = found
        return indices


# Damages. Each returns the damaged bytes and the ranges of the original that it changed.


def flips(count, begin=lambda data: 8, end=len):
    def damage(data, chance):
        changed = bytearray(data)
        places = [chance.randrange(begin(data), end(data)) for _ in range(count)]
        for place in places:
            changed[place] ^= chance.randrange(1, 256)
        return bytes(changed), [(place, place + 1) for place in places]
    return damage


def cut(data, chance):
    at = chance.randrange(9, len(data))
    return data[:at], [(at, len(data))]


def inserted(data, chance):
    at = chance.randrange(8, len(data) - 32)
    block = bytes(chance.randrange(256) for _ in range(chance.choice([1, 2, 16, 512])))
    return data[:at] + block + data[at:], [(at, at)]


def zeros(data, chance):
    at = chance.randrange(8, len(data))
    return data[:at] + bytes(len(data) - at), [(at, len(data))]


def moved(data, chance):
    size = chance.choice([2, 12, 64, 512])
    at, source = (chance.randrange(8, max(len(data) - size - 32, 9)) for _ in range(2))
    block = data[source:source + size]
    return data[:at] + block + data[at + len(block):], [(at, at + len(block))]


def appended(data, chance):
    block = bytes(chance.randrange(256) for _ in range(chance.choice([1, 3, 40])))
    return data + chance.choice([block, bytes(len(block)), b"\n"]), []


def crlf(data, chance):
    return data.replace(b"\n", b"\r\n"), []


def utf8(data, chance):
    return data.decode("latin-1").encode("utf-8"), []


class OlderCopy:
    """Another version of a property list by the same writer: some scalars have other lengths, an element is missing."""

    def __init__(self, plist, chance):
        self.plist, self.chance, self.objects = plist, chance, {}
        reachable = plist.reachable()
        keys = {key for index in reachable if plist.object(index)[0] == "dict"
                for key in plist.object(index)[1][:len(plist.object(index)[1]) // 2]}
        containers = [index for index in sorted(reachable) if plist.object(index)[0] in ("array", "dict")
                      and len(plist.object(index)[1]) > 1]
        scalars = [index for index in sorted(reachable - keys) if plist.object(index)[0] in ("string", "integer")]
        for index in chance.sample(containers, min(len(containers), chance.choice([0, 1, 1, 2]))):
            self.remove_element(index)
        for index in chance.sample(scalars, min(len(scalars), chance.choice([1, 2, 3]))):
            self.change(index)

    def remove_element(self, index):
        kind, content, _ = self.plist.object(index)
        half = len(content) // 2 if kind == "dict" else len(content)
        removed = self.chance.randrange(half)
        self.objects[index] = kind, [number for place, number in enumerate(content) if place % half != removed]

    def change(self, index):
        kind, (high, value), _ = self.plist.object(index)
        if kind == "integer":
            size = self.chance.choice([size for size in (1, 2, 4) if size != len(value)])
            value = bytes([self.chance.randrange(1, 128)]) + bytes(size - 1)
        else:
            unit = 2 if high == 6 else 1
            count = self.chance.randrange(1, 9) * unit
            value = value[:-count] if len(value) > count and self.chance.random() < 0.5 else value + value[:unit] * (count // unit)
            value = value or b"a" * unit
        self.objects[index] = kind, (high, value)

    def content(self, index):
        return self.objects.get(index) or self.plist.object(index)[:2]

    def bytes(self):
        """Returns the file, with its objects in the order of the original."""
        plist = self.plist
        kept, stack = set(), [plist.root]
        while stack:
            index = stack.pop()
            if index not in kept:
                kept.add(index)
                kind, content = self.content(index)
                stack.extend(content if kind in ("array", "set", "dict") else [])
        # Copies of Booleans and UIDs to which nothing refers stay, as in the original.
        reachable = plist.reachable()
        order = sorted((index for index in range(len(plist.offsets)) if index in kept or index not in reachable),
                       key=lambda index: plist.offsets[index])
        numbers = {index: number for number, index in enumerate(sorted(order))}
        width, output, offsets = plist.width, bytearray(plist.data[:8]), {}
        for index in order:
            offsets[index] = len(output)
            kind, content = self.content(index)
            if kind == "simple":
                output += content
            elif kind in ("array", "set", "dict"):
                count = len(content) // 2 if kind == "dict" else len(content)
                output += header({"array": 0xA, "set": 0xC, "dict": 0xD}[kind], count)
                for number in content:
                    output += numbers.get(number, 0).to_bytes(width, "big")
            else:
                high, value = content
                units = len(value) // 2 if high == 6 else len(value)
                if high in (4, 5, 6):
                    output += header(high, units)
                else:
                    output.append(high << 4 | {1: units.bit_length() - 1, 2: units.bit_length() - 1, 3: 3, 8: units - 1}[high])
                output += value
        table, size = len(output), plist.data[-26]
        size = max(size, (table.bit_length() + 7) // 8)
        for index in sorted(order):
            output += offsets[index].to_bytes(size, "big")
        return bytes(output) + bytes(6) + bytes([size, width]) + struct.pack(">QQQ", len(order), numbers[plist.root], table)


def header(high, count):
    if count < 15:
        return bytes([high << 4 | count])
    size = 1 if count < 0x100 else 2 if count < 0x10000 else 4
    return bytes([high << 4 | 15, 0x10 | size.bit_length() - 1]) + count.to_bytes(size, "big")


def mixed(data, chance):
    try:
        older = OlderCopy(Plist(data), chance).bytes()
    except (KeyError, ValueError, IndexError, OverflowError):
        return data, []
    at = chance.randrange(8, min(len(data), len(older)))
    if chance.random() < 0.5:
        damaged = older[:at] + data[at:]
    else:
        size = chance.choice([64, 512, 512, 4096])
        at -= chance.choice([0, at % min(size, 512)])
        damaged = data[:at] + older[at:at + size] + data[at + size:]
    return (data if damaged == older else damaged), [], older


DAMAGES = {
    "flip": flips(1), "ten flips": flips(10), "trailer": flips(1, lambda data: len(data) - 26), "cut": cut,
    "insert": inserted, "moved": moved, "zeros": zeros, "append": appended, "crlf": crlf, "utf8": utf8,
    "mixed": mixed,
}
EXACT = {"append", "crlf", "utf8"}
CAUSES = {
    "append": {"binary.trailing"}, "crlf": {"damage.line-ends"}, "utf8": {"damage.utf8"},
    "cut": {"binary.truncated", "binary.length"}, "zeros": {"damage.zeros", "damage.blank"},
}
# The words that name the cause in an error, if nothing can be read.
WORDS = {"cut": b"truncated", "zeros": b"zero"}
WRONG = {"damage.line-ends", "damage.utf8", "damage.utf16", "damage.replaced", "damage.blank", "binary.trailing"}


class Comparison:
    """Compares the values of a repaired file with those of the original, pair by pair from the roots."""

    def __init__(self, before, after, losses, ranges, is_mixed=False):
        self.before, self.after, self.ranges, self.is_mixed = before, after, ranges, is_mixed
        self.marked = set().union(*(after.at(loss["address"]) for loss in losses if "address" in loss))
        # The address of a key is the one of its value, so a doubtful key is known by its number.
        self.marked.update(int(found[1]) for loss in losses if (found := re.match(r"object (\d+): ", loss["message"])))
        self.names_keys = any(loss["kind"] == "key" for loss in losses)
        self.names_root = any(loss.get("address") == "" for loss in losses) or any("address" not in loss for loss in losses)
        self.equal, self.silent, self.redirected, self.unmarked = set(), set(), set(), []
        seen, stack = set(), [(before.root, after.root, False)]
        while stack:
            mine, other, self.is_inside = pair = stack.pop()
            if pair not in seen:
                seen.add(pair)
                # In a mix of two versions, whatever a doubtful container holds counts as marked.
                is_inside = self.is_inside or is_mixed and other in self.marked
                stack.extend((*found, is_inside) for found in self.compare(mine, other))

    def is_hit(self, index):
        start, end = self.before.object(index)[2]
        return any(first < end and start < max(last, first + 1) for first, last in self.ranges)

    def compare(self, mine, other):
        (kind, content, _), (found, contents, _) = self.before.object(mine), self.after.object(other)
        if kind not in ("array", "set", "dict"):
            if (kind, content) == (found, contents):
                self.equal.add(mine)
            else:
                self.differs(mine, other)
            return []
        if kind != found or len(content) != len(contents):
            self.differs(mine, other)
            return []
        self.equal.add(mine)
        pairs = []
        half = len(content) // 2 if kind == "dict" else 0
        for position, (one, two) in enumerate(zip(content, contents)):
            if position < half and (self.after.text(two) or "").startswith("lost key ") and self.names_keys:
                continue
            # A key that was added to a dictionary that is reported, such as the rebuilt root of an archive.
            if position < half and two >= len(self.before.offsets) and other in self.marked:
                self.equal.discard(mine)
                continue
            if one != two and two < len(self.before.offsets) and (self.is_hit(mine) or other in self.marked):
                # The damage changed a reference to another object.
                if other not in self.marked and two not in self.marked:
                    self.redirected.add(mine)
                self.equal.discard(mine)
                continue
            pairs.append((one, two))
        return pairs

    def is_same_size(self, mine, other):
        """Whether only the contents of a scalar differ, as they may in two versions. Nothing shows that."""
        (kind, content, _), (found, contents, _) = self.before.object(mine), self.after.object(other)
        return kind == found and kind not in ("array", "set", "dict") and mine == other and \
            kind != "simple" and len(content[1]) == len(contents[1])

    def differs(self, mine, other):
        if other in self.marked or self.is_inside:
            return
        if self.is_mixed and self.is_same_size(mine, other):
            self.silent.add(mine)
        elif self.is_hit(mine) and self.after.object(other)[1] != b"\0":
            self.silent.add(mine)
        elif not (other == self.after.root and self.names_root):
            self.unmarked.append((mine, other, self.before.object(mine)[:2], self.after.object(other)[:2]))


class Row:
    FIELDS = ["runs", "named", "misnamed", "whole", "exact", "false", "nothing", "objects", "back", "silent", "redirected", "unmarked"]

    def __init__(self):
        for field in self.FIELDS:
            setattr(self, field, 0)


def examine(job):
    tool, name, kind, seed, folder = job
    data = pathlib.Path(name).read_bytes()
    chance = random.Random(f"{seed} {kind} {pathlib.Path(name).name} {len(data)}")
    # A mix of two versions may be repaired to either.
    damaged, ranges, *others = DAMAGES[kind](data, chance)
    row, faults = Row(), []
    if damaged == data:
        return kind, row, faults
    row.runs = 1
    with tempfile.TemporaryDirectory(dir=folder) as place:
        source, target = pathlib.Path(place, "damaged"), pathlib.Path(place, "salvaged")
        source.write_bytes(damaged)
        try:
            run = subprocess.run(
                [tool, "salvage", "--raw", "--from", "binary", "-f", "json", source, "-o", target], capture_output=True,
                timeout=60)
        except subprocess.TimeoutExpired:
            return kind, row, ["took more than a minute"]
        before = Plist(data)
        row.objects = len(before.reachable())
        if run.returncode not in (0, 1, 2):
            return kind, row, [f"exit {run.returncode}: {run.stderr[-200:]}"]
        if run.returncode == 2:
            row.nothing = 1
            row.named = int(WORDS.get(kind, b"nothing can be read") in run.stderr)
            if kind in EXACT:
                faults.append(f"no exact repair: {run.stderr.decode(errors='replace').strip()}")
            return kind, row, faults
        report, result = json.loads(run.stdout), target.read_bytes()
    cause = report.get("cause", {}).get("id")
    row.named = int(cause in CAUSES[kind]) if kind in CAUSES else int(cause is not None and cause not in WRONG)
    row.misnamed = int(cause in WRONG and cause not in CAUSES.get(kind, ()))
    is_proved = report["confidence"] in ("proved", "no-damage-found")
    if is_proved != (run.returncode == 0):
        faults.append(f"exit {run.returncode}, but the repair is {report['confidence']}")
    row.whole = int(is_proved)
    row.exact = int(result in (data, *others))
    after = Plist(result)
    comparisons = [Comparison(Plist(version), after, report["losses"], ranges, is_mixed=bool(others))
                   for version in (data, *others)]
    comparison = min(comparisons, key=lambda found: (len(found.unmarked), -len(found.equal)))
    row.back = len(comparison.equal)
    row.silent, row.redirected = len(comparison.silent), len(comparison.redirected)
    row.unmarked = len(comparison.unmarked)
    is_repaired = bool(report["repairs"])
    if is_proved and is_repaired and result not in (data, *others):
        row.false = 1
        if kind != "ten flips":
            faults.append("reported as whole, but the bytes differ")
    if kind in EXACT and result != data:
        faults.append(f"the repair is not exact ({cause})")
    faults += [f"unmarked: {fault}"[:300] for fault in comparison.unmarked[:3]]
    return kind, row, faults


def is_sound(tool, name):
    """Whether the tool finds no damage in the original, which may itself be a damaged file."""
    run = subprocess.run([tool, "salvage", "--raw", "--from", "binary", "-f", "json", name], capture_output=True)
    return run.returncode == 0 and not json.loads(run.stdout)["repairs"]


def files(tool, folders, count, chance):
    found = []
    for folder in map(pathlib.Path, folders):
        for name in sorted(folder.rglob("*")):
            if not name.is_file() or not 60 < name.stat().st_size < LARGEST or "bad" in name.parts:
                continue
            data = name.read_bytes()
            if not data.startswith(b"bplist00"):
                continue
            try:
                before = Plist(data)
                before.reachable()
            except (ValueError, KeyError, IndexError):
                continue
            found.append(str(name))
    chance.shuffle(found)
    sound = [name for name in found[:count + 20] if is_sound(tool, name)]
    print(f"{len(found[:count + 20]) - len(sound)} files are not sound before they are damaged")
    return sorted(sound[:count])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--times", type=int, default=1)
    parser.add_argument("--seed", default="36")
    parser.add_argument("--kind")
    parser.add_argument("--keep", help="a folder for the damaged files of failures")
    options = parser.parse_args()
    names = files(options.tool, options.folders, options.files, random.Random(options.seed))
    if not names:
        sys.exit("damages.py: no binary property list found")
    kinds = [options.kind] if options.kind else list(DAMAGES)
    rows = {kind: Row() for kind in kinds}
    failures = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [(options.tool, name, kind, f"{options.seed}.{time}", folder)
                for name in names for kind in kinds for time in range(options.times)]
        for job, (kind, row, faults) in zip(jobs, pool.map(examine, jobs)):
            for field in Row.FIELDS:
                setattr(rows[kind], field, getattr(rows[kind], field) + getattr(row, field))
            for fault in faults:
                failures += 1
                if failures <= 40:
                    print(f"{job[1]}: {kind} {job[3]}: {fault}", file=sys.stderr)
            if faults and options.keep:
                data = pathlib.Path(job[1]).read_bytes()
                chance = random.Random(f"{job[3]} {kind} {pathlib.Path(job[1]).name} {len(data)}")
                pathlib.Path(options.keep, f"{kind.replace(' ', '')}-{job[3]}-{pathlib.Path(job[1]).name}").write_bytes(
                    DAMAGES[kind](data, chance)[0])
    print(f"{'damage':10}" + "".join(f"{field:>11}" for field in Row.FIELDS) + "     back %")
    for kind, row in rows.items():
        share = 100 * row.back / row.objects if row.objects else 0
        print(f"{kind:10}" + "".join(f"{getattr(row, field):>11}" for field in Row.FIELDS) + f"{share:>10.2f}")
    total = sum(row.runs for row in rows.values())
    print(f"{len(names)} files, {total} damages, {failures} failures")
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
