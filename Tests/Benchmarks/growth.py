#!/usr/bin/env python3
"""Measures how savetool's time and memory grow with its input: the rows of measure.py at several sizes.

usage: growth.py SAVETOOL [--megabytes 1 10 100] [--runs 3] [--only WORD] [--folder FOLDER]

Prints for each row and size the seconds of processor time, without the time to start, and the peak MiB. The last column
is the exponent of the growth between the two largest sizes: 1 is linear. Processor time is used because a busy machine
prolongs elapsed time. generate.py makes the files; 100 MB take some minutes.
"""
import argparse
import math
import os
import shutil
import subprocess
import sys
import tempfile

from measure import HERE, ROWS, Bench, run


def best(bench, row, runs):
    """Returns the minimum processor time, the peak memory and the input size of a row, or None if it failed."""
    names = bench.names(row)
    bench.prepare(row, names)
    figures = [run(bench.ours(row, names), row.status) for _ in range(runs)]
    if not all(figures):
        return None
    return min(figure[1] for figure in figures), max(figure[2] for figure in figures), os.path.getsize(names["{input}"])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("savetool")
    parser.add_argument("--megabytes", type=int, nargs="+", default=[1, 10, 100])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="", help="rows with this in their names")
    parser.add_argument("--folder", default="/dev/shm/savetool-bench" if os.path.isdir("/dev/shm") else None)
    arguments = parser.parse_args()
    folder = arguments.folder or os.path.join(tempfile.gettempdir(), "savetool-bench")
    benches = []
    for size in sorted(arguments.megabytes):
        subprocess.run([sys.executable, os.path.join(HERE, "generate.py"), folder, "--megabytes", str(size)], check=True)
        benches.append(Bench(os.path.abspath(arguments.savetool), folder, size, None))
    start = best(benches[0], next(row for row in ROWS if row.input.startswith("small/")), 10)[0]
    print(f"{'':28}" + "".join(f"{bench.megabytes:>8} MB {'MiB':>6}" for bench in benches) + f"{'exponent':>10}")
    try:
        for row in ROWS:
            if row.input.startswith("small") or arguments.only not in row.name:
                continue
            figures = [best(bench, row, arguments.runs) for bench in benches]
            if not all(figures):
                print(f"{row.name}: savetool failed")
                continue
            line = "".join(f"{max(seconds - start, 0):11.3f} {memory:6.0f}" for seconds, memory, _ in figures)
            exponent = ""
            if len(figures) > 1:
                (few, _, short), (many, _, long) = figures[-2:]
                exponent = f"{math.log(max(many - start, 1e-4) / max(few - start, 1e-4)) / math.log(long / short):10.2f}"
            print(f"{row.name:28}{line}{exponent}", flush=True)
    finally:
        for bench in benches:
            shutil.rmtree(bench.scratch)


if __name__ == "__main__":
    sys.exit(main())
