#!/usr/bin/env python3
"""Measures savetool against its peers on large files: whole processes, interleaved in one run.

usage: measure.py SAVETOOL [--megabytes 5] [--runs 5] [--only WORD] [--folder FOLDER] [--instructions] [--check]

The programs of a row run in turn, so that noise affects all alike. A figure is the median of the runs with the spread
of their middle half. A ratio is the factor by which savetool is faster than another program, or the factor by which it
is slower than other work of its own (`beside`). `floor` reads the input and writes as many bytes as the output has.
generate.py makes the files, on a memory disk if there is one. Memory below Python's own use, about 18 MiB, is not
measured.

--instructions  counts instructions and allocations of savetool under valgrind instead, without noise
--check         fails if a ratio misses its limit in floors.json, which applies to the given version of the peer
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from peers import HERE, Peers

FLOOR = "cat \"$0\" > /dev/null; head -c \"$2\" /dev/zero > \"$1\""


class Row:
    """A benchmark: our arguments, and the peers' kind of work, or our own work to compare with."""

    def __init__(self, name, input, arguments, peers=(), work=None, beside=None, status=0):
        self.name, self.input, self.arguments, self.status = name, input, arguments, status
        self.peers, self.work, self.beside = peers, work, beside


EVERY = ("rust plist", "go-plist", "plistutil", "plistlib")
TO_XML = ["convert", "--to", "xml", "--allow-loss", "-o", "{output}", "{input}"]
TO_BINARY = ["convert", "--to", "binary", "-o", "{output}", "{input}"]
TO_JSON = ["convert", "--to", "json", "--compact", "-o", "{output}", "{input}"]
GRAPH = ["convert", "--to", "json", "-o", "{output}", "{input}"]
JSON_OF_PREFS = "binary to JSON, prefsj"
ROWS = [
    Row("validate", "scores.plist", ["validate", "{input}"], EVERY, "read"),
    Row("validate, archive", "archive.plist", ["validate", "{input}"], ("rust plist",), "read"),
    Row("binary to XML, scores", "scores.plist", TO_XML, EVERY, "xml"),
    Row("binary to XML, prefs", "prefs.plist", TO_XML, EVERY, "xml"),
    Row("binary to JSON, scoresj", "scoresj.plist", TO_JSON, ("go-plist", "plistlib"), "json"),
    Row(JSON_OF_PREFS, "prefsj.plist", TO_JSON, ("go-plist", "plistlib"), "json"),
    Row("XML to binary, scores", "scores.xml", TO_BINARY, (*EVERY, "libxml2", "expat"), "binary"),
    Row("JSON to binary, scoresj", "scoresj.json", TO_BINARY,
        ("go-plist", "plistlib", "yyjson", "simdjson"), "from-json"),
    Row("archive to graph JSON", "archive.plist", GRAPH, ("bpylist2",), "objects"),
    Row("graph JSON to archive", "archive.graph.json", ["convert", "--to", "archive", "-o", "{output}", "{input}"],
        beside="archive to graph JSON"),
    Row("diff, scores", "scores.plist", ["diff", "{input}", "{changed}"], ("rust plist",), "diff", status=1),
    Row("diff, archive", "archive.plist", ["diff", "{input}", "{changed}"], beside="archive to graph JSON", status=1),
    Row("diff, equal files", "scores.plist", ["diff", "{input}", "{copy}"], beside="validate"),
    Row("validate --schema, 1,000 JSON files", "small.json", ["validate", "--quiet", "--schema", "{schema}", "{files}"],
        ("jsonschema-rs",), "schema"),
    Row("validate --schema, 1,000 binary files", "small.plist",
        ["validate", "--quiet", "--schema", "{schema}", "{files}"], ("jsonschema-rs",), "schema"),
    Row("validate, 1,000 binary files", "small.plist", ["validate", "--quiet", "{files}"], ("cat",), "cat"),
    Row("get, one value", "archive.plist", ["get", "{input}", "/root/level"], beside="validate, archive"),
    Row("set, one number", "archive.plist", ["set", "{input}", "/root/level", "8", "-o", "{output}"],
        beside="validate, archive"),
    Row("inspect -f flat", "prefsj.plist", ["inspect", "-f", "flat", "{input}"], beside=JSON_OF_PREFS),
    Row("textconv", "prefsj.plist", ["textconv", "{input}"], beside=JSON_OF_PREFS),
    Row("schema infer", "prefsj.plist", ["schema", "infer", "{input}"], beside=JSON_OF_PREFS),
    Row("merge", "scores.plist", ["merge", "{input}", "{input}", "{changed}", "-o", "{output}"],
        beside="diff, scores"),
    Row("start, inspect of a small file", "small/0000.plist", ["inspect", "--depth", "0", "{input}"], ("plistutil",),
        "show"),
]


def run(command, status=0):
    """Returns the seconds, the seconds of processor time and the peak MiB of one run, or None if it failed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, code, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(code)
    if process.returncode != status:
        return None
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


class Figure:
    """The medians of one program's runs, the peak memory, and the spread of the middle half of the seconds."""

    def __init__(self, runs):
        seconds, processor, memory = zip(*runs)
        self.seconds, self.processor, self.memory = (
            statistics.median(seconds), statistics.median(processor), max(memory))
        quarters = statistics.quantiles(seconds, n=4) if len(seconds) > 1 else [seconds[0]] * 3
        self.spread = (quarters[2] - quarters[0]) / self.seconds


class Bench:
    def __init__(self, savetool, folder, megabytes, peers):
        self.savetool, self.folder, self.megabytes, self.peers = savetool, folder, megabytes, peers
        self.scratch = tempfile.mkdtemp(dir=folder)
        self.figures = {}

    def names(self, row):
        """Returns the files of a row, by their placeholders in arguments."""
        small = os.path.join(self.folder, "small")
        kind, _, form = row.input.partition(".")
        path = os.path.join(self.folder, f"{kind}.{self.megabytes}m.{form}")
        if row.input.startswith("small/"):
            path = os.path.join(self.folder, row.input)
        files = []
        if kind == "small":
            files = [os.path.join(small, name) for name in sorted(os.listdir(small)) if name.endswith("." + form)]
            path = files[0]
        return {
            "{input}": path, "{changed}": path.replace(".plist", ".b.plist"), "{files}": files,
            "{copy}": os.path.join(self.scratch, "copy"), "{output}": os.path.join(self.scratch, "output"),
            "{schema}": os.path.join(self.folder, "schema.json"),
        }

    def ours(self, row, names):
        command = [self.savetool]
        for part in row.arguments:
            command += names["{files}"] if part == "{files}" else [names.get(part, part)]
        return command

    def programs(self, row, names):
        """Returns the commands of a row by program name, ours first."""
        written = os.path.getsize(names["{output}"]) if "{output}" in row.arguments else 0
        programs = {"savetool": self.ours(row, names)}
        if not names["{files}"]:
            programs["floor"] = ["sh", "-c", FLOOR, names["{input}"], os.path.join(self.scratch, "floor"), str(written)]
        for name in row.peers:
            command = self.command(name, row, dict(names, **{"{output}": os.path.join(self.scratch, "peer")}))
            if command:
                programs[name] = command
        return programs

    def command(self, name, row, names):
        if row.work == "cat":
            return ["cat", *names["{files}"]]
        if row.work == "diff":
            if not (xml := self.peers.command(name, "xml", {"{input}": "{input}", "{output}": "{output}"})):
                return None
            one, other = (os.path.join(self.scratch, side) for side in ("one", "other"))
            return ["sh", "-c", f"{xml[0]} xml \"$0\" {one}; {xml[0]} xml \"$1\" {other}; diff {one} {other}; true",
                    names["{input}"], names["{changed}"]]
        command = self.peers.command(name, row.work, names)
        if command and row.work == "schema":
            return command[:-2] + [names["{schema}"], *names["{files}"]]
        return command

    def prepare(self, row, names):
        """Makes the inputs that generate.py cannot make."""
        if "{copy}" in row.arguments:
            shutil.copyfile(names["{input}"], names["{copy}"])
        if row.input == "archive.graph.json" and not os.path.exists(names["{input}"]):
            source = names["{input}"].replace(".graph.json", ".plist")
            subprocess.run([self.savetool, "convert", "--to", "json", "-o", names["{input}"], source], check=True)

    def measure(self, row, runs):
        names = self.names(row)
        self.prepare(row, names)
        if run(self.ours(row, names), row.status) is None:
            return print(f"{row.name}: savetool failed")
        programs = self.programs(row, names)
        results = {name: [] for name in programs}
        for _ in range(runs):
            for name, command in programs.items():
                results[name].append(run(command, row.status if name == "savetool" else 0))
        figures = {name: Figure(runs) if all(runs) else None for name, runs in results.items()}
        self.figures[row.name] = figures["savetool"]
        return figures

    def count(self, row):
        """Prints the instructions and allocations of savetool."""
        names = self.names(row)
        command = self.ours(row, names)
        file = os.path.join(self.scratch, "callgrind")
        text = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=" + file] + command,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        instructions = int(re.search(r"Collected : (\d+)", text.stderr).group(1))
        text = subprocess.run(["valgrind", "--leak-check=no"] + command, stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        allocations = re.search(r"total heap usage: ([\d,]+) allocs", text.stderr).group(1)
        size = os.path.getsize(names["{input}"]) if not names["{files}"] else sum(map(os.path.getsize, names["{files}"]))
        print(f"{row.name:40} {instructions / 1e6:10.1f} M {instructions / size:8.1f} {allocations:>12}", flush=True)


def show(row, figures, bench):
    """Prints a row. Returns the relevant ratio and the peer of the comparison."""
    ours = figures["savetool"]
    for name, figure in figures.items():
        if figure is None:
            print(f"{row.name:40} {name:12} failed")
            continue
        ratio = f"{figure.seconds / ours.seconds:7.2f}" if name != "savetool" else " " * 7
        print(f"{row.name:40} {name:14} {figure.seconds:8.4f} ±{figure.spread / 2:4.0%} {figure.processor:8.4f} "
              f"{ratio} {figure.memory:7.0f}", flush=True)
    if row.beside:
        if not (other := bench.figures.get(row.beside)):
            return None
        ratio = ours.seconds / other.seconds
        print(f"{'':40} {ratio:.2f} times \"{row.beside}\"")
        return -ratio, None
    peers = {name: figures[name] for name in row.peers if figures.get(name)}
    if not peers:
        return None
    fastest = min(peers, key=lambda name: peers[name].seconds)
    return peers[fastest].seconds / ours.seconds, fastest


def check(ratios, peers, megabytes):
    """Compares the ratios with floors.json, and prints and counts those that miss their limit."""
    with open(os.path.join(HERE, "floors.json")) as file:
        floors = json.load(file)[f"{megabytes}m"]
    failed = 0
    for name, floor in floors.items():
        if name not in ratios:
            print(f"not checked: {name}")
            continue
        ratio, peer = ratios[name]
        if floor.get("peer") and (peer != floor["peer"] or peers.versions[peer] != floor["version"]):
            print(f"not checked: {name}: the floor is that of {floor['peer']} {floor['version']}")
        elif ratio < floor.get("least", ratio) or -ratio > floor.get("most", -ratio):
            failed += 1
            print(f"below its floor: {name}: {abs(ratio):.2f}, floor {floor.get('least', floor.get('most'))}")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("savetool")
    parser.add_argument("--megabytes", type=int, default=5)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--only", default="", help="rows with this in their names")
    parser.add_argument("--folder", default="/dev/shm/savetool-bench" if os.path.isdir("/dev/shm") else None)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    folder = arguments.folder or os.path.join(tempfile.gettempdir(), "savetool-bench")
    # A separate process generates the files, because the memory of this one would count for the programs that it
    # starts.
    subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), folder, "--megabytes", str(arguments.megabytes)],
                   check=True)
    peers = Peers(folder)
    for name, version in peers.versions.items():
        print(f"{name}: {version}")
    for name, reason in peers.missing.items():
        print(f"skipped: {name}: {reason}")
    bench = Bench(os.path.abspath(arguments.savetool), folder, arguments.megabytes, peers)
    rows = [row for row in ROWS if arguments.only in row.name]
    try:
        if arguments.instructions:
            print(f"\n{'':40} {'instructions':>12} {'per byte':>8} {'allocations':>12}")
            for row in rows:
                bench.count(row)
            return 0
        print(f"\n{'':40} {'':14} {'s':>8} {'':5} {'cpu s':>8} {'ratio':>7} {'MiB':>7}")
        ratios = {}
        for row in rows:
            if figures := bench.measure(row, arguments.runs):
                if ratio := show(row, figures, bench):
                    ratios[row.name] = ratio
        return 1 if arguments.check and check(ratios, peers, arguments.megabytes) else 0
    finally:
        shutil.rmtree(bench.scratch)


if __name__ == "__main__":
    sys.exit(main())
