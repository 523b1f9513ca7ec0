#!/usr/bin/env python3
"""Measures savetool against its peers on large files: seconds, peak memory and ratios, all from one run.

usage: measure.py SAVETOOL FOLDER [--size 5m] [--runs 5] [--peers NAME=COMMAND …]

FOLDER holds the generated files (KIND.SIZE.bplist, .xml, .json). Every work is run by every program in turn, so that a
noisy machine treats all alike; a figure is the median of the runs. `floor` reads the input and writes as many bytes as
savetool's output has, and does nothing else. A peer is taken if it is installed; the command of one that is not packaged
is given as WORK:NAME=COMMAND with {input} and {output}. Figures are reported, never tested.
"""
import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

FLOOR = "cat \"$0\" > /dev/null; head -c \"$2\" /dev/zero > \"$1\""
PLISTLIB = "import plistlib,sys; v=plistlib.load(open(sys.argv[1],'rb')); "
TO_XML = "plistlib.dump(v,open(sys.argv[2],'wb'),sort_keys=False)"
TO_BINARY = "plistlib.dump(v,open(sys.argv[2],'wb'),fmt=plistlib.FMT_BINARY,sort_keys=False)"
TO_JSON = "import json; json.dump(v,open(sys.argv[2],'w'),ensure_ascii=False)"
FROM_JSON = "import json,plistlib,sys; v=json.load(open(sys.argv[1])); "

# work: (kinds, extension of the input, our arguments, peers)
WORKS = {
    "read": (
        ["scores", "archive", "prefs"], "bplist", ["inspect", "--depth", "0", "{input}"],
        {"plistlib": ["python3", "-c", PLISTLIB, "{input}"]}),
    "binary-xml": (
        ["scores", "archive", "prefs"], "bplist", ["convert", "--to", "xml", "--allow-loss", "-o", "{output}", "{input}"],
        {"plistutil": ["plistutil", "-i", "{input}", "-f", "xml", "-o", "{output}"],
         "plistlib": ["python3", "-c", PLISTLIB + TO_XML, "{input}", "{output}"]}),
    "binary-json": (
        ["scoresj", "prefsj"], "bplist", ["convert", "--to", "json", "--compact", "-o", "{output}", "{input}"],
        {"plistlib": ["python3", "-c", PLISTLIB + TO_JSON, "{input}", "{output}"]}),
    "xml-binary": (
        ["scores", "archive", "prefs"], "xml", ["convert", "--to", "binary", "-o", "{output}", "{input}"],
        {"plistutil": ["plistutil", "-i", "{input}", "-f", "bin", "-o", "{output}"],
         "plistlib": ["python3", "-c", PLISTLIB + TO_BINARY, "{input}", "{output}"]}),
    "json-binary": (
        ["scoresj", "prefsj"], "json", ["convert", "--to", "binary", "-o", "{output}", "{input}"],
        {"plistlib": ["python3", "-c", FROM_JSON + TO_BINARY, "{input}", "{output}"]}),
}


def run(command):
    """Seconds and peak MiB of one run, or None if it failed."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    return (seconds, usage.ru_maxrss / 1024) if status == 0 else None


def fill(command, names):
    return [part.format(**names) if part.startswith("{") else part for part in command]


def measure(programs, runs):
    """The median seconds and largest memory of every program, run in turn."""
    figures = {name: [] for name in programs}
    for _ in range(runs):
        for name, command in programs.items():
            figures[name].append(run(command))
    return {
        name: (statistics.median(r[0] for r in results), max(r[1] for r in results)) if all(results) else None
        for name, results in figures.items()
    }


def peers_of(work, extra):
    peers = {name: command for name, command in WORKS[work][3].items() if shutil.which(command[0])}
    for text in extra:
        scope, _, command = text.partition("=")
        target, _, name = scope.partition(":")
        if target == work:
            peers[name] = command.split()
    return peers


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("savetool")
    parser.add_argument("folder")
    parser.add_argument("--size", default="5m")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--works", default=",".join(WORKS))
    parser.add_argument("--peers", nargs="*", default=[])
    arguments = parser.parse_args()
    print(f"{'work':24} {'program':12} {'s':>8} {'MB/s in':>8} {'of floor':>9} {'vs us':>7} {'peak MiB':>9}")
    with tempfile.TemporaryDirectory() as scratch:
        for work in arguments.works.split(","):
            kinds, extension, ours, _ = WORKS[work]
            for kind in kinds:
                source = os.path.join(arguments.folder, f"{kind}.{arguments.size}.{extension}")
                if not os.path.exists(source):
                    print(f"{work} {kind}: no {source}", file=sys.stderr)
                    continue
                names = {"input": source, "output": os.path.join(scratch, "out")}
                programs = {"savetool": [arguments.savetool] + fill(ours, names)}
                if run(programs["savetool"]) is None:
                    print(f"{work} {kind}: savetool failed", file=sys.stderr)
                    continue
                written = os.path.getsize(names["output"]) if "{output}" in ours else 0
                programs["floor"] = ["sh", "-c", FLOOR, source, names["output"], str(written)]
                for name, command in peers_of(work, arguments.peers).items():
                    programs[name] = fill(command, dict(names, output=os.path.join(scratch, name)))
                report(f"{work} {kind}", os.path.getsize(source), measure(programs, arguments.runs))


def report(title, size, figures):
    ours, floor = figures["savetool"], figures["floor"]
    for name, figure in figures.items():
        if figure is None:
            print(f"{title:24} {name:12} failed")
            continue
        seconds, memory = figure
        print(f"{title:24} {name:12} {seconds:8.3f} {size / seconds / 1e6:8.0f} {seconds / floor[0]:9.1f} "
              f"{seconds / ours[0]:7.1f} {memory:9.0f}")


if __name__ == "__main__":
    main()
