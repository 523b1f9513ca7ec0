#!/usr/bin/env python3
"""Checks that the folders of SaveOperations and SaveInspection use only the folders above them in the table of
Sources/README.md.

usage: folder_order.py [INDEX]

INDEX is the index that the compiler wrote during a debug build (default .build/debug/index/store). The script reads it
with the library IndexStore of the toolchain, and exits with 77 if there is no such library.
"""
import re
import shutil
import sys
from ctypes import CDLL, CFUNCTYPE, POINTER, Structure, byref, c_bool, c_char_p, c_int, c_size_t, c_uint, c_uint64
from ctypes import c_void_p, string_at
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGETS = "SaveOperations|SaveInspection"
DEFINITION, REFERENCE, RECORD = 2, 4, 2


class Text(Structure):
    _fields_ = [("start", c_void_p), ("count", c_size_t)]

    def __str__(self):
        return string_at(self.start, self.count).decode() if self.count else ""


class Index:
    """The functions of indexstore.h that are needed to visit all occurrences of symbols."""

    def __init__(self, library):
        self.library = library

    def call(self, name, result, *arguments):
        function = getattr(self.library, "indexstore_" + name)
        function.restype = result
        function.argtypes = [c_void_p] + [type(x) if not isinstance(x, bytes) else c_char_p for x in arguments[1:]]
        return function(*arguments)

    def each(self, name, owner, kind, visit, *arguments):
        """Calls `visit` for each element of a list of the index."""
        def step(_, element):
            visit(element)
            return True

        callback = CFUNCTYPE(c_bool, c_void_p, kind)(step)
        function = getattr(self.library, f"indexstore_{name}_apply_f")
        function.argtypes = [c_void_p] + [c_uint] * len(arguments) + [c_void_p, type(callback)]
        function(owner, *arguments, None, callback)


def toolchain_library():
    compiler = shutil.which("swiftc")
    if compiler is None:
        return None
    folder = Path(compiler).resolve().parent.parent / "lib"
    for path in sorted(folder.glob("libIndexStore.*")):
        try:
            return CDLL(str(path))
        except OSError:
            continue
    return None


def folder(path):
    """The folder of TARGETS that contains a source file; None for other files."""
    match = re.search(rf"/Sources/(?:{TARGETS})/([^/]+)/", path)
    return match.group(1) if match and path.startswith(str(ROOT)) and Path(path).exists() else None


def occurrences(index, store):
    """Yields (file, symbol, roles) for the files of TARGETS."""
    failure = c_void_p()
    units, found, seen = [], [], set()
    index.each("store_units", store, Text, lambda name: units.append(str(name)), 0)
    for unit in units:
        reader = index.call("unit_reader_create", c_void_p, store, unit.encode(), c_void_p(None))
        records = []

        def note(dependency):
            if index.call("unit_dependency_get_kind", c_int, dependency) == RECORD:
                records.append(tuple(
                    str(index.call("unit_dependency_get_" + part, Text, dependency)) for part in ("name", "filepath")))

        index.each("unit_reader_dependencies", reader, c_void_p, note)
        index.call("unit_reader_dispose", None, reader)
        for record, path in records:
            if folder(path) is None or record in seen:
                continue
            seen.add(record)
            reader = index.call("record_reader_create", c_void_p, store, record.encode(), c_void_p(None))

            def add(occurrence):
                symbol = index.call("occurrence_get_symbol", c_void_p, occurrence)
                usr = str(index.call("symbol_get_usr", Text, symbol))
                found.append((path, usr, index.call("occurrence_get_roles", c_uint64, occurrence)))

            index.each("record_reader_occurrences", reader, c_void_p, add)
            index.call("record_reader_dispose", None, reader)
    return found


def table():
    """The folders in the order of the guide, each with the folders that it uses; None where the guide lists none by
    name."""
    rows = {}
    text = (ROOT / "Sources/README.md").read_text(encoding="utf-8")
    for line in text.split("| folder |", 1)[1].split("\n\n", 1)[0].split("\n")[2:]:
        name, _, uses = [cell.strip() for cell in line.strip("|").split("|")[:3]]
        rows[name.strip("`")] = None if uses and "`" not in uses else re.findall(r"`(\w+)`", uses)
    return rows


def main():
    path = ROOT / ".build/debug/index/store" if len(sys.argv) < 2 else Path(sys.argv[1])
    library = toolchain_library()
    if library is None:
        print("folder order: skipped: the toolchain has no libIndexStore")
        return 77
    if not path.is_dir():
        print(f"folder order: {path}: no index; build the package for debugging first")
        return 2
    library.indexstore_store_create.restype = c_void_p
    library.indexstore_store_create.argtypes = [c_char_p, c_void_p]
    store = library.indexstore_store_create(str(path).encode(), None)
    found = occurrences(Index(library), store)
    home = {usr: folder(path) for path, usr, roles in found if roles & DEFINITION}
    rows = table()
    order = {name: number for number, name in enumerate(rows)}
    wrong = set()
    for path, usr, roles in found:
        user, used = folder(path), home.get(usr)
        if not roles & REFERENCE or used is None or used == user or used == "Addresses" and user in rows:
            continue
        allowed = rows.get(user, [])
        isListed = used in allowed if allowed is not None else order.get(used, len(order)) < order[user]
        if not isListed or order.get(used, len(order)) > order.get(user, -1):
            wrong.add(f"{Path(path).relative_to(ROOT)} uses {used}: {usr}")
    print("\n".join(sorted(wrong)[:20]))
    print(f"folder order: {len(home)} declarations in {len(rows)} folders, {len(wrong)} uses against the order")
    return 1 if wrong or not home else 0


if __name__ == "__main__":
    sys.exit(main())
