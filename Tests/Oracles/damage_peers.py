#!/usr/bin/env python3
"""Compares what `savetool salvage` gets back of damaged files with what other tools get back of the same files.

    damage_peers.py SAVETOOL [--files N] [--seed N] FOLDER…

Files are damaged in the ways of `damages.py`. Property lists are read by plutil, plistutil and plistlib, JSON by jq, and
databases by `sqlite3 .recover`. A tool that is not installed is skipped. The table shows the share of the values of the
original that have the same address and value in the result, over all files of a kind.
"""
import argparse
import datetime
import json
import pathlib
import plistlib
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import damages


def run(*command, data=None):
    """Returns the output of a program, or None if it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, input=data, timeout=60)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode in (0, 1) and done.stdout else None


def values(tree):
    """Returns the scalars of a tree by their addresses. A damaged file may have cycles, so only some are visited."""
    found, stack = {}, [((), tree)]
    for _ in range(500_000):
        if not stack:
            break
        address, value = stack.pop()
        if len(address) > 200:
            continue
        if isinstance(value, dict):
            stack.extend((address + (str(key),), member) for key, member in value.items())
        elif isinstance(value, (list, tuple)):
            stack.extend((address + (position,), member) for position, member in enumerate(value))
        elif value is not None:
            if isinstance(value, datetime.datetime):
                value = value.replace(microsecond=0, tzinfo=None)
            if isinstance(value, plistlib.UID):
                value = ("UID", value.data)
            found[address] = (type(value) is bool, value)
    return found


def plist(data):
    try:
        return None if data is None else plistlib.loads(data)
    except Exception:
        return None


def document(data):
    try:
        return None if data is None else json.loads(data)
    except ValueError:
        return None


def database(name):
    """Returns the rows of the tables by their rowids, or None."""
    try:
        base = sqlite3.connect(f"file:{name}?mode=ro", uri=True)
        base.text_factory = lambda text: text.decode(errors="replace")
        tables = [row[0] for row in base.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        tree = {}
        for table in tables:
            if table.startswith("sqlite_") or table == "lost_and_found":
                continue
            quoted = '"' + table.replace('"', '""') + '"'
            try:
                rows = base.execute(f"SELECT rowid, * FROM {quoted}")
                names = [column[0] for column in rows.description][1:]
                tree[table] = {str(row[0]): dict(zip(names, row[1:])) for row in rows}
            except sqlite3.Error:
                continue
        return tree
    except sqlite3.Error:
        return None


def has_recover():
    """Whether sqlite3 was built with `.recover`."""
    with tempfile.TemporaryDirectory() as folder:
        name = str(pathlib.Path(folder, "sound"))
        run("sqlite3", name, "CREATE TABLE a (b)")
        return subprocess.run(["sqlite3", name, ".recover"], capture_output=True).returncode == 0


def script(command):
    """Returns a reader that has sqlite3 print a damaged database as SQL, and runs that."""
    def get(name):
        lines = run("sqlite3", name, command)
        if lines is None:
            return None
        target = name + command
        # A dump that met damage ends without a transaction.
        run("sqlite3", target, data=lines.replace(b"ROLLBACK; -- due to errors", b"COMMIT;"))
        return database(target) if pathlib.Path(target).exists() else None
    return get


def salvaged(tool, read):
    def salvage(name):
        target = name + ".salvaged"
        run(tool, "salvage", name, "-o", target)
        path = pathlib.Path(target)
        if not path.exists():
            return None
        # A database that reads stays one.
        data = path.read_bytes()
        return database(target) if data.startswith(b"SQLite") else read(data)
    return salvage


def bytes_of(name):
    return pathlib.Path(name).read_bytes()


def kinds(tool):
    """Returns the kinds of files: their signature, the reader of originals, and the tools with their programs."""
    whole = {"plutil": lambda name: plist(run("plutil", "-convert", "xml1", "-o", "-", name)),
             "plistutil": lambda name: plist(run("plistutil", "-i", name, "-f", "xml", "-o", "-")),
             "plistlib": lambda name: plist(bytes_of(name))}
    return {
        "plist": (lambda data: data.startswith(b"bplist00"), lambda name: plist(bytes_of(name)),
                  {"savetool": salvaged(tool, plist), **whole}),
        "json": (lambda data: data[:1] in b"{[" and document(data) is not None, lambda name: document(bytes_of(name)),
                 {"savetool": salvaged(tool, document), "jq": lambda name: document(run("jq", ".", name))}),
        "sqlite": (lambda data: data.startswith(b"SQLite format 3\0"), database,
                   {"savetool": salvaged(tool, plist), "sqlite3": script(".recover")}),
    }


def page(data, chance):
    """Overwrites a page of a database with zeros."""
    size = int.from_bytes(data[16:18], "big")
    size = 65536 if size == 1 else size
    at = size * chance.randrange(1, max(len(data) // size, 2))
    return data[:at] + bytes(min(size, len(data) - at)) + data[at + size:], []


DAMAGES = {
    "plist": damages.DAMAGES,
    "json": {name: damages.DAMAGES[name] for name in ["flip", "ten flips", "cut", "insert", "zeros", "append"]},
    "sqlite": {"flip": damages.DAMAGES["flip"], "page": page, "cut": damages.DAMAGES["cut"]},
}


def sample(folders, is_kind, read, count, chance):
    found = []
    for folder in map(pathlib.Path, folders):
        for name in sorted(folder.rglob("*")):
            if name.is_file() and 60 < name.stat().st_size < damages.LARGEST and "bad" not in name.parts:
                with open(name, "rb") as file:
                    start = file.read(16)
                if start[:1] in b"bS{[" and is_kind(name.read_bytes()) and values(read(str(name)) or {}):
                    found.append(name)
    chance.shuffle(found)
    return found[:count]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+")
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--seed", default="36")
    options = parser.parse_args()
    for kind, (is_kind, read, tools) in kinds(options.tool).items():
        for name in list(tools):
            if name not in ("savetool", "plistlib") and not shutil.which(name):
                print(f"{kind}: {name} is not installed, skipped")
                del tools[name]
        if "sqlite3" in tools and not has_recover():
            print(f"{kind}: this sqlite3 has no .recover; .dump is used instead")
            tools["sqlite3"] = script(".dump")
        names = sample(options.folders, is_kind, read, options.files, random.Random(options.seed))
        print(f"{kind}, {len(names)} files{'':12}" + "".join(f"{name:>12}" for name in tools))
        for damage, change in DAMAGES[kind].items():
            total, back = 0, dict.fromkeys(tools, 0)
            for name in names:
                data = name.read_bytes()
                damaged, _ = change(data, random.Random(f"{options.seed} {damage} {name.name} {len(data)}"))
                if damaged == data:
                    continue
                original = values(read(str(name)))
                total += len(original)
                with tempfile.TemporaryDirectory() as folder:
                    source = str(pathlib.Path(folder, "damaged"))
                    pathlib.Path(source).write_bytes(damaged)
                    for tool, get in tools.items():
                        found = values(get(source) or {})
                        back[tool] += sum(found.get(address) == value for address, value in original.items())
            shares = [f"{100 * back[tool] / total:11.1f}%" if total else f"{'–':>12}" for tool in tools]
            print(f"  {damage:26}" + "".join(shares))
    sys.stdout.flush()


if __name__ == "__main__":
    main()
