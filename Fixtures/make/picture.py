#!/usr/bin/env python3
"""Draws the picture of the article SaveToolKit: commands and their colored output, as an SVG without external
resources.

    python3 Fixtures/make/picture.py .build/release/savetool > Sources/SaveToolKit/SaveToolKit.docc/savetool.svg

ReadmeTests runs the commands in the picture.
"""
import html
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COMMANDS = [
    "savetool inspect Fixtures/games/swamp.save",
    "savetool set Fixtures/games/swamp.save /root/charList/1/health 64 -o later.save",
    "savetool remove -i later.save /root/charList/2",
    "savetool diff Fixtures/games/swamp.save later.save",
]
COLOURS = {"1": "#ffffff", "2": "#8b949e", "31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff",
           "35": "#d2a8ff", "36": "#76e3ea"}
WIDTH, LINE, MARGIN = 780, 20, 20


def printed(tool):
    """Yields the lines of the terminal, with escape sequences for colors."""
    fixtures = pathlib.Path(__file__).resolve().parent.parent
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(fixtures, pathlib.Path(folder, "Fixtures"))
        for command in COMMANDS:
            yield "\x1b[2m$ \x1b[0m" + command
            run = subprocess.run([tool, *command.split()[1:]], cwd=folder, stdout=subprocess.PIPE,
                                 env={**os.environ, "CLICOLOR_FORCE": "1"}, encoding="utf-8")
            yield from run.stdout.splitlines()
            if run.returncode:
                yield f"\x1b[2mexit {run.returncode}\x1b[0m"


def spans(line):
    colour = None
    for part in re.split(r"(\x1b\[[0-9;]*m)", line):
        if part.startswith("\x1b"):
            codes = part[2:-1].split(";")
            colour = next((COLOURS[code] for code in codes if code in COLOURS), None)
        elif part:
            text = html.escape(part, quote=False)
            yield f'<tspan fill="{colour}">{text}</tspan>' if colour else text


lines = list(printed(pathlib.Path(sys.argv[1]).resolve()))
height = len(lines) * LINE + 2 * MARGIN
print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">')
print("<title>savetool shows a save as a tree, changes it, and tells what is different</title>")
print(f'<rect width="{WIDTH}" height="{height}" rx="10" fill="#0d1117"/>')
print('<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, DejaVu Sans Mono, monospace" font-size="13" fill="#e6edf3">')
for number, line in enumerate(lines):
    print(f'<text xml:space="preserve" x="{MARGIN}" y="{MARGIN + 14 + number * LINE}">{"".join(spans(line))}</text>')
print("</g>\n</svg>")
