#!/usr/bin/env python3
"""text_clients.py SAVETOOL FOLDER …: edits text property lists and reads them with other programs. Each program that
can read the original must find exactly the edit.

The programs are Window Maker's `wdread`, GNUstep's `pldes`, which reads like all of GNUstep, and GNUstep's `defaults`.
The files are texts below the folders, those of the programs' packages, and some with comments.
"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import runner

INSTALLED = ["/etc/GNUstep/Defaults", "/usr/share/WindowMaker", "/usr/share/GNUstep", "/usr/lib/GNUstep"]
COMMENTED = {
    "comments": '{\n  /* about a */\n  a = "x y"; /* behind a */\n  b = (1, /* in b */ 2,\n    3);\n  c = {d = "-1";};\n}\n',
    "lines": "{\n\ta = 1; // about a\n\t// about b\n\tb = {\n\t\tc = (\n\t\t\td, // one\n\t\t\te\n\t\t);\n\t};\n}\n",
    "one line": '{ a = 1; "b c" = (1,2); d = {}; }',
    "returns": "{\r\n  a = 1;\r\n  b = (\r\n    x\r\n  );\r\n}\r\n",
}
VALUES = ["new", "", "a b", "x-1", "a:b", "$x", "//x", "/* x */", 'q"u\\ote', "l1\nl2\tt", "é→", "12", "<0f>", "~/x*"]
SETTING = re.compile(rb"TextClients (?:'(?:[^']|'')*'|\S+) (?:'(.*)'|(\S+))\n", re.DOTALL)
EDITS = 4
LARGEST, MOST_FILES = 5_000, 24


class Clients:
    def __init__(self, savetool, root):
        self.savetool, self.root = savetool, root
        self.found = {name: shutil.which(name) for name in ("wdread", "pldes", "defaults")}
        for name, program in self.found.items():
            if not program:
                print(f"skipped: {name}: not installed")
        (root / "GNUstep/Defaults").mkdir(parents=True)
        # `defaults` gets the home folder from the system, and its data folder from the configuration.
        (root / "GNUstep.conf").write_text(f"GNUSTEP_USER_DEFAULTS_DIR={root}/GNUstep/Defaults\nGNUSTEP_USER_DIR={root}\n")

    def run(self, *command, data=None):
        environment = {"HOME": str(self.root), "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin",
                       "GNUSTEP_CONFIG_FILE": str(self.root / "GNUstep.conf")}
        try:
            return subprocess.run([str(part) for part in command], input=data, capture_output=True, env=environment, timeout=30)
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(command, -1, b"", b"")

    def plain(self, text):
        """Returns the value of a text that a program printed, or None."""
        run = self.run(self.savetool, "inspect", "--format", "json", "--from", "gnustep", "-", data=text)
        return json.loads(run.stdout) if run.returncode == 0 else None

    def read(self, data, reader=None):
        """Returns the values that the programs, or one of them, read from a file. Programs that refuse it are left
        out."""
        values = {}
        asked = {name: program and reader in (None, name) for name, program in self.found.items()}
        if asked["pldes"]:
            (self.root / "file").write_bytes(data)
            run = self.run("pldes", self.root / "file")
            values["pldes"] = self.plain(run.stdout) if run.returncode == 0 else None
        if asked["wdread"]:
            (self.root / "GNUstep/Defaults/TextClients").write_bytes(data)
            keys = self.plain(data)
            values["wdread"] = self.pairs(keys) if isinstance(keys, dict) else None
        if asked["defaults"]:
            (self.root / "GNUstep/Defaults/TextClients.plist").write_bytes(data)
            keys = self.plain(data)
            values["defaults"] = self.settings(keys) if isinstance(keys, dict) else None
        return {name: value for name, value in values.items() if value not in (None, {})}

    def settings(self, keys):
        """Returns the values that `defaults` prints for each key: `TextClients key 'value'`, with doubled
        apostrophes."""
        settings = {}
        for key, value in keys.items():
            output = self.run("defaults", "read", "TextClients", key).stdout
            found = SETTING.fullmatch(output)
            if not found:
                return None
            text = (found[2] if found[1] is None else found[1]).replace(b"''", b"'")
            settings[key] = text.decode() if isinstance(value, str) else self.plain(text)
        return settings

    def pairs(self, keys):
        pairs = {}
        for key in keys:
            run = self.run("wdread", "TextClients", key)
            if run.returncode != 0 or run.stderr:
                return None
            pairs[key] = self.plain(run.stdout)
        return pairs


def edits(value, chance, values):
    """Yields commands and their expected results for a dictionary."""
    for _ in range(EDITS):
        path, parent = [], value
        while True:
            keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
            if not keys:
                break
            key = chance.choice(keys)
            path.append(key)
            if not isinstance(parent[key], (dict, list)) or chance.random() < 0.3:
                break
            parent = parent[key]
        if not path:
            continue
        copy = json.loads(json.dumps(value))
        parent = copy
        for key in path[:-1]:
            parent = parent[key]
        new = chance.choice(values)
        kind = chance.choice(["set", "remove", "add"])
        if kind == "remove":
            del parent[path[-1]]
            command = ["remove"]
        elif kind == "add" and isinstance(parent, list):
            parent.insert(path[-1], new)
            command = ["insert", "--string", new]
        else:
            if kind == "add":
                path[-1] = "new-key"
            parent[path[-1]] = new
            command = ["set", "--change-type", "--string", new]
        pointer = "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in path)
        if copy:
            yield command, pointer, copy


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: text_clients.py SAVETOOL FOLDER …")
    savetool = pathlib.Path(sys.argv[1]).resolve()
    report, chance = runner.Report("text clients"), random.Random(13)
    with tempfile.TemporaryDirectory() as work:
        clients = Clients(savetool, pathlib.Path(work))
        if not any(clients.found.values()):
            return
        files = {name: text.encode() for name, text in COMMENTED.items()}
        folders = [pathlib.Path(name).resolve() for name in [*sys.argv[2:], *INSTALLED]]
        for name, path in runner.files(folder for folder in folders if folder.is_dir()):
            data = path.read_bytes() if path.stat().st_size < LARGEST else b""
            if data.lstrip()[:1] == b"{" and b'":' not in data:
                files[name] = data
        files = dict(list(files.items())[:MOST_FILES])
        for name, data in files.items():
            judge(report, clients, name, data, chance)
    report.end()


def judge(report, clients, name, data, chance):
    before = clients.read(data)
    source = clients.root / "source"
    source.write_bytes(data)
    for reader, value in before.items():
        if not isinstance(value, dict):
            continue
        # wdread prints non-ASCII text byte by byte.
        values = [text for text in VALUES if text.isascii() or reader != "wdread"]
        for command, pointer, wanted in edits(value, chance, values):
            run = clients.run(clients.savetool, command[0], source, pointer, *command[1:], "--from",
                              "openstep" if reader == "wdread" else "gnustep")
            if run.returncode != 0:
                report.fail(name, f"{command} {pointer}: {run.stderr.decode('utf-8', 'replace').strip()}")
                continue
            after = clients.read(run.stdout, reader).get(reader)
            if after == wanted:
                report.count(f"edits that {reader} reads")
            else:
                report.fail(name, f"{reader}: {command} {pointer}: {first(after, wanted)}")


def first(found, wanted):
    if not isinstance(found, dict):
        return "it does not read the file any more"
    for key in [*wanted, *found]:
        if found.get(key) != wanted.get(key):
            return f"{key!r} is {str(found.get(key))[:80]!r}, not {str(wanted.get(key))[:80]!r}"
    return "the same"


if __name__ == "__main__":
    main()
