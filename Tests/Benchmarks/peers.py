"""The programs that savetool is measured against, with their versions. They are installed programs, or built into a
folder.

A missing peer says how to install it. Crates come from crates.io or from the folder $CRATES, one folder for each crate,
the package for Go from its proxy or from the folder $GO_PLIST, and Python's packages from PyPI. yyjson is an installed
library or the folder $YYJSON with its sources.
"""
import importlib.metadata
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))

PLISTLIB = "import json, plistlib, sys; "
READ = PLISTLIB + "value = plistlib.load(open(sys.argv[1], 'rb')); "
PYTHON = {
    "read": READ,
    "xml": READ + "plistlib.dump(value, open(sys.argv[2], 'wb'), sort_keys=False)",
    "binary": READ + "plistlib.dump(value, open(sys.argv[2], 'wb'), fmt=plistlib.FMT_BINARY, sort_keys=False)",
    "json": READ + "json.dump(value, open(sys.argv[2], 'w'), ensure_ascii=False)",
    "from-json": PLISTLIB + "value = json.load(open(sys.argv[1])); "
    "plistlib.dump(value, open(sys.argv[2], 'wb'), fmt=plistlib.FMT_BINARY, sort_keys=False)",
}
BPYLIST = """
import sys
from bpylist2 import archiver
class Any:
    @staticmethod
    def decode_archive(archive):
        return [archive.decode(key) for key in archive.object if key != '$class']
archiver.update_class_map({name: Any for name in ('Map', 'Player', 'Item')})
archiver.unarchive(open(sys.argv[1], 'rb').read())
"""
SCHEMA = """
import plistlib, sys, orjson, jsonschema_rs
schema, *files = sys.argv[1:]
validator = jsonschema_rs.validator_for(orjson.loads(open(schema, 'rb').read()))
for name in files:
    data = open(name, 'rb').read()
    assert validator.is_valid(plistlib.loads(data) if name.endswith('.plist') else orjson.loads(data)), name
"""


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)


def output(command, **options):
    """Runs a command, and returns its output. Raises an error with the output if it fails."""
    process = run(command, **options)
    if process.returncode:
        raise RuntimeError(process.stdout)
    return process.stdout


def python(code):
    return [sys.executable, "-c", code]


class Peers:
    """The available peers: a command for each kind of work, and the version of each."""

    def __init__(self, folder):
        self.folder = folder
        self.versions = {"plistlib": "Python " + sys.version.split()[0]}
        self.missing = {}
        self.commands = {"plistlib": {work: python(code) for work, code in PYTHON.items()}}
        self.find_plistutil()
        self.find_packages()
        self.build("rust plist", "cargo", self.build_rust)
        self.build("go-plist", "go", self.build_go)
        for name, library, work in (("libxml2", "libxml-2.0", "binary"), ("expat", "expat", "binary"),
                                    ("yyjson", "yyjson", "from-json"), ("simdjson", "simdjson", "from-json")):
            self.build(name, "c++", lambda name, library=library, work=work: self.build_text(name, library, work))

    def find_plistutil(self):
        if not shutil.which("plistutil"):
            self.missing["plistutil"] = "Debian's libplist-utils brings it"
            return
        self.versions["plistutil"] = run(["plistutil", "--version"]).stdout.strip().split()[-1]
        self.commands["plistutil"] = {
            "xml": ["plistutil", "-f", "xml", "-i", "{input}", "-o", "{output}"],
            "binary": ["plistutil", "-f", "bin", "-i", "{input}", "-o", "{output}"],
            "show": ["plistutil", "-p", "{input}"],
        }

    def find_packages(self):
        for name, packages, works in (
            ("bpylist2", ["bpylist2"], {"objects": python(BPYLIST)}),
            ("jsonschema-rs", ["jsonschema-rs", "orjson"], {"schema": python(SCHEMA)}),
        ):
            try:
                self.versions[name] = ", ".join(f"{part} {importlib.metadata.version(part)}" for part in packages)
                self.commands[name] = works
            except importlib.metadata.PackageNotFoundError as error:
                self.missing[name] = f"pip install {' '.join(packages)} brings it ({error})"

    def build(self, name, tool, build):
        if not shutil.which(tool):
            self.missing[name] = f"building it needs {tool}"
            return
        try:
            build(name)
        except (OSError, subprocess.SubprocessError, RuntimeError) as error:
            self.missing[name] = f"it was not built: {str(error).strip().splitlines()[-1]}"

    def copied(self, source):
        target = os.path.join(self.folder, os.path.basename(source))
        shutil.copytree(source, target, dirs_exist_ok=True)
        return target

    def build_rust(self, name):
        folder = self.copied(os.path.join(HERE, "peers", "rust"))
        command = ["cargo", "build", "--release"]
        if crates := os.environ.get("CRATES"):
            config = os.path.join(folder, "crates.toml")
            with open(config, "w") as file:
                file.write('[source.crates-io]\nreplace-with = "folder"\n[source.folder]\n'
                           f'directory = "{os.path.abspath(crates)}"\n')
            command += ["--offline", "--config", config]
        output(command, cwd=folder, env=dict(os.environ, CARGO_NET_RETRY="0"))
        with open(os.path.join(folder, "Cargo.lock")) as file:
            self.versions[name] = file.read().split('name = "plist"\nversion = "')[1].split('"')[0]
        program = os.path.join(folder, "target", "release", "plist-peer")
        self.commands[name] = {work: [program, work] for work in ("xml", "binary")}
        self.commands[name]["read"] = [program, "count"]

    def build_go(self, name):
        folder = self.copied(os.path.join(HERE, "peers", "go"))
        program = os.path.join(folder, "peer")
        source = os.environ.get("GO_PLIST")
        if source:
            run(["go", "mod", "edit", "-replace", "howett.net/plist=" + source], cwd=folder)
        output(["go", "build", "-mod=mod", "-o", program, "."], cwd=folder, timeout=120)
        self.versions[name] = "of $GO_PLIST" if source else "1.0.1"
        self.commands[name] = {work: [program, work] for work in ("read", "xml", "binary", "json", "from-json")}

    def build_text(self, name, library, work):
        """Builds a parser of text, which only parses XML, or parses and writes JSON."""
        source = os.path.join(HERE, "peers", "text", "main.cc")
        program = os.path.join(self.folder, "text-" + name)
        folder = os.environ.get("YYJSON") if name == "yyjson" else None
        if folder:
            parser = os.path.join(self.folder, "yyjson.o")
            output(["cc", "-O3", "-c", os.path.join(folder, "src", "yyjson.c"), "-o", parser])
            flags = [parser, "-I" + os.path.join(folder, "src")]
        else:
            flags = output(["pkg-config", "--cflags", "--libs", library]).split()
        output(["c++", "-O3", "-D" + name.upper(), source, "-o", program, *flags])
        self.versions[name] = run([program, "--version"]).stdout.strip()
        self.commands[name] = {work: [program]}

    def command(self, name, work, names):
        """Returns the command of a peer for a kind of work, or None."""
        command = self.commands.get(name, {}).get(work)
        if command is None:
            return None
        if not any("{" in part and "}" in part and part in ("{input}", "{output}") for part in command):
            command = command + ["{input}", "{output}"]
        return [names.get(part, part) for part in command]
