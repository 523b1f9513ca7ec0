#!/usr/bin/env python3
"""real_clients.py SAVETOOL CLIENTS FOLDER …: checks savetool's archives with real unarchivers. In an archive rebuilt
from graph JSON they must find the same contents as in the original. In one that was edited, as JSON or in place, they
must find exactly the edit.

CLIENTS has the built clients: `swift/orc-swift` (Foundation), `gnustep/orc-gnustep` and `py/orc.py` (Python). Their
`read FILE` prints the contents of an archive as text. bpylist2 is also used if it is installed.
"""
import concurrent.futures
import datetime
import json
import os
import pathlib
import subprocess
import sys

import runner
from archive_graph import Unsound
from archive_identity import read
from plist_values import EPOCH, Values

try:
    from bpylist2 import archiver as bpylist2
except ImportError:
    bpylist2 = None

CLIENTS = {"Foundation": ["swift/orc-swift"], "GNUstep": ["gnustep/orc-gnustep"], "Python": [sys.executable, "py/orc.py"]}
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "SWIFT_DETERMINISTIC_HASHING": "1"}
SECONDS = 30
# Archives that no client can finish, because all of them expand shared objects.
ENDLESS = ["/53-40-doublings.plist"]
# Differences that are due to the client.
EXCEPTIONS = {
    ("GNUstep, xml", "gnustep/distant.binary.archive"): "it reads the year 1 of an XML date as the year 2",
    ("bpylist2, binary", "/dollar-null.binary.archive"): "it takes only object 0 for nil, not each $null",
    ("Python, xml", "graph-json/names-fields.archive"): "it takes one $ off names, so that $ and $$ become one field",
    ("bpylist2, binary", "/61-null-elsewhere.plist"): "the same",
}


class Client:
    """A program that reads archives."""

    formats = ("binary", "xml")

    def __init__(self, folder, command):
        self.command = [str(folder / part) if "/" in part and not part.startswith("/") else part for part in command]

    def text(self, path):
        """Returns the contents of an archive as text, or None if the program refuses it, crashes or does not end."""
        try:
            run = subprocess.run([*self.command, "read", str(path)], capture_output=True, env=ENVIRONMENT, timeout=SECONDS)
        except (OSError, subprocess.TimeoutExpired):
            return None
        return run.stdout.decode() if run.returncode == 0 else None


class BPyList2:
    """Reads the object at `root` if all its classes are known."""

    formats = ("binary",)

    def text(self, path):
        try:
            return repr(bpylist2.unarchive(path.read_bytes()))
        except Exception:  # its own errors, KeyError, RecursionError: it cannot judge this archive
            return None


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: real_clients.py SAVETOOL CLIENTS FOLDER …")
    savetool, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    report, batch = runner.Report("real clients"), runner.Batch(savetool)
    inputs = archives([pathlib.Path(name).resolve() for name in sys.argv[3:]])
    clients = starting(folder, inputs)
    if not clients:
        print("skipped: real_clients.py: no client starts")
        return
    if bpylist2:
        clients["bpylist2"] = BPyList2()
    else:
        print("skipped: bpylist2: not installed")
    texts, messages = batch.convert(inputs, "--to", "json", "--extension", "json")
    for name in inputs:
        if name not in texts:
            report.fail(name, f"not written as JSON: {messages.of(name)}")
    judge_rebuilt(report, batch, clients, inputs, texts)
    judge_edited(report, batch, clients, inputs, texts)
    judge_commands(report, batch, clients, inputs)
    judge_merges(report, batch, clients, inputs)
    judge_scores(report, batch, clients, inputs)
    report.end()


def archives(folders):
    """Returns the valid archives below the folders. archive_identity.py names the others."""
    found = {}
    for name, path in runner.files(folders):
        try:
            if not name.endswith(tuple(ENDLESS)) and read(path, Values(ordered=True)):
                found[name] = path
        except Unsound:
            continue
    return found


def starting(folder, inputs):
    """Returns the clients that can read some of the archives. It is not a failure if there are none."""
    clients = {}
    for title, command in CLIENTS.items():
        client = Client(folder, command)
        games = [path for name, path in inputs.items() if "/games/" in name]
        if any(client.text(path) is not None for path in (games or list(inputs.values()))[:5]):
            clients[title] = client
        else:
            print(f"skipped: {title}: {command[-1]} does not start or reads nothing")
    return clients


def judge_rebuilt(report, batch, clients, inputs, texts):
    tasks = []
    for target in ("binary", "xml"):
        rebuilt, messages = batch.convert(texts, "--to", target)
        for name in texts:
            if name in rebuilt:
                tasks += [(title, target, name, rebuilt[name]) for title in clients if target in clients[title].formats]
            elif target == "binary":
                report.fail(name, f"not rebuilt as binary: {messages.of(name)}")
            else:
                report.count("refused as XML")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = [(title, name) for title in clients for name in texts]
        originals = dict(zip(pairs, pool.map(lambda pair: clients[pair[0]].text(inputs[pair[1]]), pairs)))
        tasks = [task for task in tasks if originals[task[0], task[2]] is not None]
        found = pool.map(lambda task: clients[task[0]].text(task[3]), tasks)
        for (title, target, name, _), text in zip(tasks, found):
            judge_text(report, f"{title}, {target}", name, originals[title, name], text)
    for (title, _), original in originals.items():
        if original is None:
            report.count(f"that {title} cannot read")


def judge_text(report, reader, name, original, text):
    if any(reader == of and name.endswith(path) for of, path in EXCEPTIONS):
        report.count("expected exceptions")
    elif text is None:
        report.fail(name, f"{reader}: reads the original and not what was rebuilt")
    elif text != original:
        report.fail(name, f"{reader}: {first_difference(original, text)}")
    else:
        report.count(f"same by {reader}")


def first_difference(original, text):
    for number, (old, new) in enumerate(zip(original.splitlines(), text.splitlines()), 1):
        if old != new:
            return f"line {number} of its text was {old.strip()[:80]!r}, is {new.strip()[:80]!r}"
    return "the text is longer or shorter"


# Edits: a change of the JSON, and the same change of a client's text.

DATE = EPOCH + datetime.timedelta(seconds=300000000)
RECORD = {"$class": "HighScoreRecord", "Name": "Eve", "TotalScore": {"$object": 41},
          "DateRecorded": {"$date": DATE.strftime("%Y-%m-%dT%H:%M:%SZ")}}
RECORD_LINES = '''  HighScoreRecord
    "DateRecorded": date 300000000
    "Name": str "Eve"
    "TotalScore": int 41
'''


def hurt(archive):
    archive["$top"]["root"]["charList"][0]["health"] = 64


def rename(archive):
    archive["$top"]["root"]["currentLevelName"] = "Mangroves"


def add_record(archive):
    archive["$top"]["HighScores"].append(RECORD)


EDITS = [
    ("a number", "swamp.save", hurt, lambda text: text.replace('"health": int 100\n', '"health": int 64\n', 1)),
    ("a string", "swamp.save", rename, lambda text: text.replace('str "Swamp"\n', 'str "Mangroves"\n', 1)),
    ("a new object", "highscores.archive", add_record, lambda text: text + RECORD_LINES),
]


def judge_edited(report, batch, clients, inputs, texts):
    originals = {what: next((name for name in texts if name.endswith(f"games/{file}")), None) for what, file, _, _ in EDITS}
    if None in originals.values():
        print("skipped: edits: the games are not among the archives")
        return
    edited = {}
    for what, file, change, _ in EDITS:
        try:
            archive = json.loads(texts[originals[what]].read_text("utf-8"))
            change(archive)
        except (KeyError, IndexError, AttributeError, TypeError):
            report.fail(file, f"{what} cannot be edited: it is not where graph JSON has it")
            continue
        edited[what] = batch.root / f"edited {what}.json"
        edited[what].write_text(json.dumps(archive), "utf-8")
    rebuilt, messages = batch.convert(edited, "--to", "binary")
    for what, file, _, expected in EDITS:
        if what in edited and what not in rebuilt:
            report.fail(file, f"{what} was edited, and not rebuilt: {messages.of(what)}")
        elif what in rebuilt:
            judge_edit(report, clients, what, inputs[originals[what]], rebuilt[what], expected)


def judge_edit(report, clients, what, path, rebuilt, expected):
    for title, client in clients.items():
        original = client.text(path)
        if original is None or title == "bpylist2":
            continue
        if expected(original) == original:
            report.fail(path.name, f"{title}: {what} is not in its text")
        else:
            judge_text(report, f"{title}, {what} edited", path.name, expected(original), client.text(rebuilt))


# Edits of the archive: a savetool command, and the resulting change of a client's text.

COMMANDS = [
    ("a number set", "swamp.save", ["set", "/root/charList/0/health", "64"], EDITS[0][3]),
    ("a string set", "swamp.save", ["set", "/root/currentLevelName", "Mangroves"], EDITS[1][3]),
    ("an object inserted", "highscores.archive", ["insert", "/HighScores/-", json.dumps(RECORD)], EDITS[2][3]),
    ("an element removed", "highscores.archive", ["remove", "/HighScores/0"], lambda text: without_first_record(text)),
    # Plain JSON values: number objects stay objects, reals keep their size, and a string replaces a date as a date.
    ("a record set", "highscores.archive",
     ["set", "/HighScores/0", '{"TotalScore": 98300, "Name": "Eve", "DateRecorded": "2009-09-06T12:34:56.789Z"}'],
     lambda text: text.replace('str "Ada"\n    "TotalScore": int 98200\n', 'str "Eve"\n    "TotalScore": int 98300\n', 1)),
    ("an object set", "swamp.save",
     ["set", "/root/charList/1", '{"health": 56, "position.x": -3.75, "position.y": 0.1, "type": 7}'],
     lambda text: text.replace('"health": int 55\n', '"health": int 56\n', 1)),
]


def without_first_record(text):
    """Returns the text without the lines of the first record, which end at the second one."""
    head, _, rest = text.partition("  HighScoreRecord\n")
    return head + "  HighScoreRecord\n" + rest.partition("  HighScoreRecord\n")[2]


def judge_commands(report, batch, clients, inputs):
    for what, file, command, expected in COMMANDS:
        path = game(inputs, file, what)
        edited = batch.root / f"{what}.archive"
        if path and edit(report, batch, what, path, edited, command):
            judge_edit(report, clients, what, path, edited, expected)


def game(inputs, file, what):
    """Returns the archive of a game, or None after printing a line if it is missing."""
    path = next((path for name, path in inputs.items() if name.endswith(f"games/{file}")), None)
    if path is None:
        print(f"skipped: {what}: {file} is not among the archives")
    return path


def edit(report, batch, what, path, edited, words):
    """Runs a savetool command with the file as its first operand, and returns whether it wrote the output."""
    command, *operands = words
    run = subprocess.run(
        [str(batch.savetool), command, "-o", str(edited), str(path), *operands], capture_output=True, timeout=60)
    if run.returncode != 0:
        report.fail(path.name, f"{what}: {run.stderr.decode('utf-8', 'replace').strip()}")
    return run.returncode == 0


# Merges of two edits of a save, as indices of COMMANDS. The result must have both edits.
MERGES = [("a number and a string merged", 0, 1), ("an object inserted and one removed, merged", 2, 3)]


def judge_merges(report, batch, clients, inputs):
    for what, *sides in MERGES:
        _, file, _, _ = COMMANDS[sides[0]]
        path = game(inputs, file, what)
        ours, theirs, merged = (batch.root / f"{what} {name}.archive" for name in ("ours", "theirs", "merged"))
        if path and all(edit(report, batch, what, path, copy, COMMANDS[side][2])
                        for side, copy in zip(sides, (ours, theirs))):
            if edit(report, batch, what, path, merged, ["merge", str(ours), str(theirs)]):
                judge_edit(report, clients, what, path, merged,
                           lambda text, sides=sides: COMMANDS[sides[1]][3](COMMANDS[sides[0]][3](text)))


# Scores added to archives of all writers and to new ones. Records must be in descending order.

EVE = ["--name", "Eve", "--score", "41", "--date", DATE.strftime("%Y-%m-%dT%H:%M:%SZ")]


def judge_scores(report, batch, clients, inputs):
    tables = {name: path for name, path in inputs.items() if "highscores." in name and name.endswith(".archive")}
    for number, (name, path) in enumerate(tables.items()):
        edited = batch.root / f"scores {number}.archive"
        edited.write_bytes(path.read_bytes())
        if enter_eve(report, batch, name, edited, "--keep", "0"):
            for title, client in clients.items():
                original = client.text(path)
                if original is not None and title != "bpylist2":
                    judge_text(report, f"{title}, a score entered", name, with_eve(original), client.text(edited))
    for target in ("binary", "xml"):
        new = batch.root / f"new scores {target}.archive"
        if enter_eve(report, batch, target, new, "--form", "archive", "--to", target):
            for title, client in clients.items():
                if title != "bpylist2" and target in client.formats:
                    expected = 'top "HighScores": array\n' + RECORD_LINES
                    judge_text(report, f"{title}, a new table", new.name, expected, client.text(new))


def enter_eve(report, batch, name, path, *options):
    """Adds the score and returns whether that succeeded."""
    run = subprocess.run(
        [str(batch.savetool), "scores", "add", str(path), *EVE, *options], capture_output=True, timeout=60)
    if run.returncode != 0:
        report.fail(name, f"not entered: {run.stderr.decode('utf-8', 'replace').strip()}")
    return run.returncode == 0


def with_eve(text):
    """Returns the text with the new record: in order if the others are, and else at the end."""
    def score(record):
        return -int(record.rpartition("int ")[2])

    head, *records = text.split("  HighScoreRecord\n")
    records = ["  HighScoreRecord\n" + record for record in records]
    is_sorted = records == sorted(records, key=score)
    records.append(RECORD_LINES)
    return head + "".join(sorted(records, key=score) if is_sorted else records)


if __name__ == "__main__":
    main()
