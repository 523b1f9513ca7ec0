#!/usr/bin/env python3
"""wrapped_saves.py SAVETOOL [COUNT] [FOLDER …]: reads savetool's layers with Python and gzip, and theirs with savetool.

COUNT is the number of random files in each trial (default 400). With 0, only the files of the folders are checked. The
trials are:

* Every readable file of the folders is edited in one layer of each kind, and in two. Python must find the bytes that
  the same edit makes of the bare file, in the same layers, with one changed value. `--unwrap` must not affect a bare
  file.
* savetool reads gzip and zlib data of every level, strategy and window of Python's zlib, with several members and all
  header fields. Python and `gzip -t` must read its output.
* Data that is truncated, or damaged in one bit or a few bytes, is refused exactly if zlib refuses it.
* Up to eight layers of all kinds in any order are removed and restored.
* A save with the layers of Geometry Dash is edited, and read by Python.
* Bombs end soon, with a message that names the option that raises the limit.
* Edits use programs as filters on both sides, and checksums are compared with hashlib.
"""
import base64
import gzip
import hashlib
import json
import pathlib
import plistlib
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import runner

STRATEGIES = [zlib.Z_DEFAULT_STRATEGY, zlib.Z_FILTERED, zlib.Z_HUFFMAN_ONLY, zlib.Z_RLE, zlib.Z_FIXED]


# The functions of Python that add and remove a layer.
LAYERS = {
    "gzip": (lambda data: gzip.compress(data, mtime=0), gzip.decompress),
    "zlib": (zlib.compress, zlib.decompress),
    "Base64": (base64.b64encode, lambda text: base64.b64decode(text, validate=True)),
    "Base64 in lines": (base64.encodebytes, base64.decodebytes),
    "URL-safe Base64": (lambda data: base64.urlsafe_b64encode(data).rstrip(b"="),
                        lambda text: base64.urlsafe_b64decode(text.replace(b"+", b"-").replace(b"/", b"_") + b"==")),
    **{f"XOR {key}": (lambda data, key=key: bytes(byte ^ key for byte in data),) * 2 for key in (1, 11, 32, 170, 255)},
}


class Judge:
    def __init__(self, savetool, count, folders):
        self.savetool, self.count, self.folders = savetool, count, folders
        self.chance = random.Random(1)
        self.report = runner.Report("wrapped_saves")
        self.words = [self.chance.randbytes(self.chance.randrange(1, 9)) for _ in range(60)]

    def run(self, *arguments, data=None):
        return subprocess.run([str(self.savetool), *map(str, arguments)], input=data, capture_output=True, timeout=300)

    def in_batches(self, command, paths, root):
        """Runs a command on many files of a folder at once. Returns all of its output, and the worst status."""
        output, status = b"", 0
        for start in range(0, len(paths), 500):
            names = [path.name for path in paths[start:start + 500]]
            run = subprocess.run([str(self.savetool), *command, *names], cwd=root, capture_output=True, timeout=600)
            output += run.stdout
            status = max(status, run.returncode)
        return output, status

    # Contents.

    def size(self):
        return self.chance.choice([0, 1, 2, 3, 10, 100, 1000, 5000, 30_000, 40_000, 70_000])

    def some_bytes(self, size):
        """Returns bytes that compress well, a little, or not at all."""
        match self.chance.randrange(5):
            case 0: return self.chance.randbytes(size)
            case 1: return bytes(self.chance.choices(b"ab", k=size))
            case 2: return bytes([self.chance.randrange(256)]) * size
            case 3: return b"".join(self.chance.choices(self.words, k=size // 5))
            case _:
                data = bytearray(b"<dict><key>position</key><integer>12</integer></dict>\n" * (size // 50 + 1))[:size]
                for _ in range(size // 40):
                    data[self.chance.randrange(len(data))] = self.chance.randrange(256)
                return bytes(data)

    def value(self, size):
        return {"data": self.some_bytes(size), "gems": self.chance.randrange(1 << 30), "name": "Zoë"}

    # Layers.

    def header(self):
        """Returns a gzip header with random fields."""
        flags = self.chance.randrange(32)
        header = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, flags, self.chance.randrange(1 << 32), self.chance.choice([0, 2, 4]), 255)
        if flags & 4:
            extra = self.chance.randbytes(self.chance.randrange(20))
            header += struct.pack("<H", len(extra)) + extra
        header += b"a name\0" if flags & 8 else b""
        header += b"a comment\0" if flags & 16 else b""
        return header + (struct.pack("<H", zlib.crc32(header) & 0xFFFF) if flags & 2 else b"")

    def deflated(self, data, window):
        level, strategy = self.chance.randrange(10), self.chance.choice(STRATEGIES)
        deflate = zlib.compressobj(level, zlib.DEFLATED, window, self.chance.randrange(1, 10), strategy)
        middle = self.chance.randrange(len(data) + 1)
        flush = self.chance.choice([zlib.Z_NO_FLUSH, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH, zlib.Z_PARTIAL_FLUSH])
        return deflate.compress(data[:middle]) + deflate.flush(flush) + deflate.compress(data[middle:]) + deflate.flush()

    def gzipped(self, data):
        return self.header() + self.deflated(data, -15) + struct.pack("<II", zlib.crc32(data), len(data) & 0xFFFFFFFF)

    def compressed(self, data):
        """Returns gzip data, perhaps with several members and zeros at the end, or zlib data with a window of any
        size."""
        if self.chance.random() < 0.4:
            return self.deflated(data, self.chance.choice([9, 10, 12, 15, 15, 15])), "zlib"
        ends = sorted(self.chance.randrange(len(data) + 1) for _ in range(self.chance.choice([0, 0, 0, 1, 3]))) + [len(data)]
        members = b"".join(self.gzipped(data[start:end]) for start, end in zip([0] + ends, ends))
        return members + b"\0" * self.chance.choice([0, 0, 0, 1, 300]), "gzip"

    def wrapped(self, data):
        """Returns data in random layers, and the names of the layers from the outside in."""
        names = []
        for _ in range(self.chance.randrange(1, 9)):
            name = self.chance.choice([name for name in ("gzip", "zlib", "Base64", "XOR") if names[:1] != ["XOR"] or name != "XOR"])
            match name:
                case "gzip": data = gzip.compress(data, self.chance.randrange(10), mtime=0)
                case "zlib": data = zlib.compress(data, self.chance.randrange(10))
                case "XOR":
                    key = self.chance.randrange(1, 256)
                    data = bytes(byte ^ key for byte in data)
                case "Base64":
                    encoders = [base64.b64encode, base64.urlsafe_b64encode, base64.encodebytes,
                                lambda data: base64.urlsafe_b64encode(data).rstrip(b"=")]
                    data = self.chance.choice(encoders)(data)
            names.insert(0, name)
        return data, names

    @staticmethod
    def inflated(data):
        """Returns the contents of gzip or zlib data. Returns None if zlib refuses it, or if other bytes than zeros
        follow."""
        try:
            output = b""
            while True:
                inflate = zlib.decompressobj(31 if data[:2] == b"\x1f\x8b" else 15)
                output += inflate.decompress(data) + inflate.flush()
                if not inflate.eof:
                    return None
                is_gzip, data = data[:2] == b"\x1f\x8b", inflate.unused_data
                if not is_gzip or data[:2] != b"\x1f\x8b":
                    return None if data.strip(b"\0") else output
        except zlib.error:
            return None

    # Trials.

    def both_ways(self, root):
        """Converts Python's files to binary in place, which decodes and encodes their layers."""
        values, paths, kinds = {}, [], {}
        for number in range(self.count):
            path = root / f"{number:05}.plist"
            value = self.value(self.size() if number else 3_000_000)
            data, kinds[path] = self.compressed(plistlib.dumps(value))
            path.write_bytes(data)
            values[path] = value
            paths.append(path)
        _, status = self.in_batches(["convert", "--to", "binary", "--in-place"], paths, root)
        if status:
            self.report.fail("both ways", f"status {status}")
        for path in paths:
            data = path.read_bytes()
            contents = self.inflated(data)
            if contents is None:
                self.report.fail(path.name, "zlib does not read what savetool wrote")
            elif not contents.startswith(b"bplist00") or plistlib.loads(contents) != values[path]:
                self.report.fail(path.name, "another value came back")
            else:
                self.report.count("there and back")
        program = shutil.which("gzip")
        if not program:
            return print("skipped: gzip is not installed; zlib alone judges")
        gzips = [str(path) for path in paths if kinds[path] == "gzip" and not path.read_bytes().endswith(b"\0" * 20)]
        test = subprocess.run([program, "-t", "-S", ".plist", *gzips], capture_output=True)
        if test.returncode:
            self.report.fail("gzip -t", test.stderr.decode("utf-8", "replace")[:300])
        self.report.count("times gzip -t")

    def damage(self, root):
        """Checks that savetool finds a damaged file valid exactly if zlib reads it."""
        contents = b'{"gems": 7, "names": ["Ada", "Ada", "Adam", "Ada", "Eve", "Ada"], "more": [1, 1, 1, 1, 1, 1, 1, 1]}'
        expected = {}

        def add(data):
            if data[:2] not in (b"\x1f\x8b", b"\x78\x9c", b"\x78\xda", b"\x78\x01"):
                return
            path = root / f"{len(expected):05}.json"
            path.write_bytes(data)
            expected[path.name] = self.inflated(data) == contents

        samples = [self.gzipped(contents), gzip.compress(contents, 9, mtime=0), zlib.compress(contents, 9), zlib.compress(contents, 0)]
        for sample in samples:
            for end in range(len(sample)):
                add(sample[:end])
            places = range(8 * len(sample)) if self.count > 1000 else self.chance.sample(range(8 * len(sample)), 200)
            for bit in places:
                data = bytearray(sample)
                data[bit // 8] ^= 1 << bit % 8
                add(bytes(data))
            for _ in range(self.count // 4):
                data = bytearray(sample)
                start = self.chance.randrange(len(data))
                data[start:start + self.chance.randrange(4)] = self.chance.randbytes(self.chance.randrange(4))
                add(bytes(data))
        paths = [root / name for name in expected]
        output, _ = self.in_batches(["validate", "--no-project", "--format", "ndjson"], paths, root)
        for line in output.splitlines():
            row = json.loads(line)
            if row["type"] == "file":
                name = row["file"]
                if (row["verdict"] == "valid") != expected.pop(name):
                    self.report.fail(name, f"savetool says {row['verdict']}, zlib does not")
                self.report.count("damaged")
            elif row["type"] == "finding" and row["severity"] == "error" and not ("byte" in row or "line" in row):
                self.report.fail(row["file"], f"no place: {row['message']}")
        for name in expected:
            self.report.fail(name, "nothing was said")

    def any_order(self, root):
        """Checks that layers are removed and restored, and that Python then reads the contents."""
        for number in range(self.count // 8):
            value = {"gems": number, "name": "Ada" * self.chance.randrange(1, 20), "list": [self.chance.randrange(99) for _ in range(30)]}
            contents = self.chance.choice([lambda: json.dumps(value).encode(), lambda: plistlib.dumps(value),
                                           lambda: plistlib.dumps(value, fmt=plistlib.FMT_BINARY)])()
            data, names = self.wrapped(contents)
            path = root / "layers"
            path.write_bytes(data)
            run = self.run("set", "--unwrap", "-i", path, "/gems", number + 1)
            read = self.run("inspect", "--unwrap", "-f", "json", "--compact", path)
            found = read.stderr.decode().partition("reading the contents of the ")[2].partition(" data")[0].replace(" and ", ", ").split(", ")
            if run.returncode or json.loads(read.stdout or b"null") != {**value, "gems": number + 1}:
                self.report.fail("layers", f"{names}: {run.stderr.decode()[:200]}")
            elif [name.split(" ")[0] for name in found] != names:
                self.report.fail("layers", f"{names} became {found}")
            else:
                self.report.count("in layers")

    def geometry_dash(self, root):
        path = root / "CCLocalLevels.dat"
        value = {"LLM_01": {"k_0": {"k2": "Dark Cave", "k4": "x" * 5000, "k48": 1204}}, "LLM_02": 35}
        text = base64.urlsafe_b64encode(gzip.compress(plistlib.dumps(value), mtime=0))
        path.write_bytes(bytes(byte ^ 11 for byte in text))
        run = self.run("set", "--unwrap", "-i", path, "/LLM_01/k_0/k2", "Light Cave")
        data = bytes(byte ^ 11 for byte in path.read_bytes())
        value["LLM_01"]["k_0"]["k2"] = "Light Cave"
        if run.returncode or plistlib.loads(gzip.decompress(base64.urlsafe_b64decode(data))) != value:
            self.report.fail(path.name, run.stderr.decode())
        self.report.count("of Geometry Dash")

    # Other files.

    @staticmethod
    def value_of(data):
        """Returns the value of a save by Python's readers, or None if they do not support or refuse it."""
        try:
            if data.startswith((b"bplist", b"<?xml", b"<plist", b"<!DOCTYPE")):
                return plistlib.loads(data)
            return json.loads(data)
        except Exception:
            return None

    @staticmethod
    def is_tree(shown, value):
        """Whether Python's value is complete. It has one value per duplicate key, and an edit adds objects to an
        archive."""
        return value is not None and b"~#" not in shown and not (isinstance(value, dict) and "$objects" in value)

    @staticmethod
    def changes(a, b):
        """Returns the number of scalars that differ in two values, where NaN equals itself; 99 if their structures
        differ."""
        number, pairs = 0, [(a, b)]
        while pairs:
            a, b = pairs.pop()
            if type(a) is type(b) and isinstance(a, (list, dict)):
                same = len(a) == len(b) if isinstance(a, list) else list(a) == list(b)
                keys = range(len(a)) if isinstance(a, list) else a
                if not same:
                    return 99
                pairs += [(a[key], b[key]) for key in keys]
            elif repr(a) != repr(b):
                number += 1
        return number

    def edit_of(self, path):
        """Returns the arguments of an edit of the first string or integer of a file, or None if it has neither."""
        for line in self.run("inspect", "-f", "flat", path).stdout.decode("utf-8", "surrogateescape").splitlines():
            address, found, value = line.partition(" = ")
            if not found or address.endswith("/$class") or "\\" in address or "'" in address:
                continue
            if value.startswith('"'):
                return [address, "--string", "another value"]
            if value.lstrip("-").isdigit() and value != "17":
                return [address, "17"]
        return None

    def real_files(self, root):
        """Edits readable files in one layer and in two."""
        singles = [(name,) for name in LAYERS]
        pairs = [(a, b) for a in LAYERS for b in LAYERS if not (a.startswith("XOR") and b.startswith("XOR"))]
        for name, path in runner.files(self.folders):
            bare = path.read_bytes()
            (root / "bare").write_bytes(bare)
            standing = self.run("inspect", "-f", "flat", root / "bare")
            if standing.returncode or not bare or bare.startswith((b"\x1f\x8b", b"\x78")):
                continue
            if self.run("inspect", "-f", "flat", "--unwrap", root / "bare").stdout != standing.stdout:
                self.report.fail(name, "a save as it stands is not left so")
            self.report.count("as they stand")
            edit = self.edit_of(root / "bare")
            edited = self.run("set", root / "bare", *edit) if edit else None
            if not edit or edited.returncode:
                edit = None
            elif self.is_tree(standing.stdout, value := self.value_of(bare)) and self.changes(value, self.value_of(edited.stdout)) != 1:
                self.report.fail(name, f"{edit} makes another value of the bare file")
            for layers in singles + self.chance.sample(pairs, min(len(pairs), 8 if len(bare) < 100_000 else 2)):
                data = bare
                for layer in reversed(layers):
                    data = LAYERS[layer][0](data)
                (root / "wrapped").write_bytes(data)
                self.judge_wrapped(name, layers, root / "wrapped", standing.stdout, edit, edited)

    def judge_wrapped(self, name, layers, path, shown, edit, edited):
        """Checks that a file in layers shows the same, and that an edit changes its contents in the same way."""
        if not edit:
            if self.run("inspect", "-f", "flat", "--unwrap", path).stdout != shown:
                self.report.fail(name, f"{layers}: something else is read")
            return self.report.count("read in layers")
        run = self.run("set", "-i", "--unwrap", path, *edit)
        try:
            contents = path.read_bytes()
            for layer in layers:
                contents = LAYERS[layer][1](contents)
        except Exception as error:
            contents = repr(error).encode()
        if run.returncode or contents != edited.stdout:
            self.report.fail(name, f"{layers}: status {run.returncode}: {run.stderr.decode()[:200]}")
        self.report.count("edited in layers")

    def bombs(self, root):
        zeros = gzip.compress(bytes(1 << 28), 9, mtime=0)
        for name, data in {"two layers": gzip.compress(zeros, 9), "three layers": zlib.compress(gzip.compress(zeros, 9), 9)}.items():
            path = root / "bomb.gz"
            path.write_bytes(data)
            for command in ("inspect", "validate", "textconv", "find x"):
                before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
                run = self.run(*command.split(" "), path)
                used = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before.ru_utime
                said = (run.stdout + run.stderr).decode()
                if "exceed the limit for this file, 64 MiB" not in said or used > 1 or time.monotonic() - start > 20:
                    self.report.fail(f"bomb in {name}", f"{command}: {used:.2f} s: {said[:200]}")
                if command == "inspect" and "use --max-work N" not in said:
                    self.report.fail(f"bomb in {name}", "no option is named")
                self.report.count("bombs")

    def programs(self, root):
        value = {"gems": 7, "name": "Ada"}
        for tool, inward, outward in [
            ("xz", "xz -dc", "xz -c"), ("bzip2", "bzip2 -dc", "bzip2 -c"), ("zstd", "zstd -dc", "zstd -c"),
            ("openssl", *(f"openssl enc {way} -aes-128-cbc -K {'0f' * 16} -iv {'00' * 16}" for way in ("-d", "-e"))),
        ]:
            if not shutil.which(tool):
                print(f"skipped: {tool}: not installed")
                continue
            path = root / "filtered"
            path.write_bytes(subprocess.run(["sh", "-c", outward], input=plistlib.dumps(value), capture_output=True).stdout)
            run = self.run("set", "-i", path, "/gems", 8, "--filter-in", inward, "--filter-out", outward)
            read = subprocess.run(["sh", "-c", inward], input=path.read_bytes(), capture_output=True)
            if run.returncode or plistlib.loads(read.stdout) != {**value, "gems": 8}:
                self.report.fail(tool, run.stderr.decode())
            if tool != "openssl" and f"decompress it first (--filter-in '{inward}')" not in self.run("inspect", path).stderr.decode():
                self.report.fail(tool, "the refusal does not name the option")
            self.report.count("through a program")

    def checksums(self, root):
        forms = {
            "lower": lambda digest: digest.hex(), "upper": lambda digest: digest.hex().upper(),
            "base64": lambda digest: base64.b64encode(digest).decode(), "data": lambda digest: digest,
            "integer": lambda digest: int.from_bytes(digest, "big"),
        }

        def digest(algorithm, data):
            return zlib.crc32(data).to_bytes(4, "big") if algorithm == "crc32" else hashlib.new(algorithm, data).digest()

        for algorithm in ("md5", "sha1", "sha256", "crc32"):
            for name, form in forms.items():
                if name == "integer" and algorithm != "crc32":
                    continue
                for old, new in [(b"\0\xff" * 40, self.chance.randbytes(1000)), ("Zoë", "gems=8, " * 50)]:
                    raw = [text.encode() if isinstance(text, str) else text for text in (old, new)]
                    path, payload = root / "signed.plist", root / "payload"
                    save = {"payload": old, "sum": form(digest(algorithm, raw[0])), "other": form(digest(algorithm, raw[0]))}
                    path.write_bytes(plistlib.dumps(save, fmt=self.chance.choice([plistlib.FMT_XML, plistlib.FMT_BINARY])))
                    payload.write_bytes(raw[1])
                    option = ["--data-file", payload] if isinstance(new, bytes) else ["--string", new]
                    run = self.run("set", "-q", "-i", path, "/payload", *option, "--fixup", f"{algorithm}:/sum over /payload")
                    if run.returncode or run.stderr:
                        self.report.fail(algorithm, f"{name}: {run.stderr.decode()}")
                    elif plistlib.loads(path.read_bytes()) != {**save, "payload": new, "sum": form(digest(algorithm, raw[1]))}:
                        self.report.fail(algorithm, f"{name}: another checksum")
                    self.report.count("checksums")

    def judge(self):
        trials = [self.both_ways, self.damage, self.any_order, self.geometry_dash, self.bombs, self.programs, self.checksums]
        trials = (trials if self.count else []) + ([self.real_files] if self.folders else [])
        for trial in trials:
            with tempfile.TemporaryDirectory() as folder:
                trial(pathlib.Path(folder))
        self.report.end()


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Judge(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 400,
          [pathlib.Path(folder).resolve() for folder in sys.argv[3:]]).judge()
