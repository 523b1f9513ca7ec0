"""Runs the built savetool over many files at once."""
import os
import pathlib
import subprocess
import sys
import tempfile


def arguments(usage):
    if len(sys.argv) < 3:
        sys.exit(f"usage: {usage} SAVETOOL FOLDER …")
    return pathlib.Path(sys.argv[1]).resolve(), [pathlib.Path(folder).resolve() for folder in sys.argv[2:]]


def refused(folder):
    """Returns the files of a folder that savetool must refuse, according to the folder's tables."""
    names = set()
    for table, column, is_refusal in [("hostile.tsv", "verdict", lambda cell: cell == "R"),
                                      ("VERDICTS.tsv", "suggested", lambda cell: cell.startswith("reject"))]:
        path = folder / table
        if path.exists():
            header, *rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
            names |= {row[header.index("file")] for row in rows
                      if len(row) > header.index(column) and is_refusal(row[header.index(column)])}
    return names


def files(folders, starts_with=b""):
    """Yields the valid files below the folders that begin with given bytes, with their names."""
    for folder in folders:
        names = refused(folder)
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.is_file() and name not in names and "damaged" not in path.parts and path.read_bytes().startswith(starts_with):
                yield f"{folder.name}/{name}", path


class Batch:
    """Files that are converted together under short names. `get` then returns the bytes of a result."""

    def __init__(self, savetool):
        self.savetool = savetool
        self.work = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.work.name)
        self.steps = 0

    def convert(self, inputs, *options):
        """Converts files given as a dictionary of names and paths. Returns the paths of the results, and the
        messages."""
        self.steps += 1
        source, target = self.root / f"{self.steps}-in", self.root / f"{self.steps}-out"
        source.mkdir()
        target.mkdir()
        links, names = [], {}
        for number, (name, path) in enumerate(inputs.items()):
            link = source / f"{number:06}.in"
            os.symlink(path, link)
            links.append(str(link))
            names[link.stem] = name
        command = [str(self.savetool), "convert", *options, "--output-dir", str(target)]
        said = ""
        for start in range(0, len(links), 500):
            run = subprocess.run(command + links[start:start + 500], capture_output=True, timeout=600)
            said += run.stderr.decode("utf-8", "replace")
            if run.returncode not in (0, 2):
                sys.exit(f"savetool ended with {run.returncode}: {said[-2000:]}")
        return {names[path.stem]: path for path in sorted(target.iterdir())}, Messages(said, names)


class Messages:
    """The messages on standard error, by file."""

    def __init__(self, text, names):
        self.lines = {}
        for line in text.splitlines():
            for part in line.split(":")[0].split("/"):
                if part.endswith(".in") and part[:-3] in names:
                    self.lines.setdefault(names[part[:-3]], []).append(line.split(".in", 1)[1].lstrip(": "))

    def of(self, name):
        return self.lines.get(name, ["nothing was said"])[0]


class Report:
    """Counts successful checks and prints failures."""

    def __init__(self, title):
        self.title = title
        self.counts = {}
        self.failures = 0

    def count(self, what):
        self.counts[what] = self.counts.get(what, 0) + 1

    def fail(self, name, what):
        self.failures += 1
        print(f"{self.title}: {name}: {what}")

    def end(self):
        counts = ", ".join(f"{number} {what}" for what, number in self.counts.items())
        print(f"{self.title}: {counts}, {self.failures} failed")
        sys.exit(1 if self.failures or not self.counts else 0)
