#!/usr/bin/env python3
"""sqlite_statements.py SAVETOOL [COUNT [SEED]]: checks that the statements that savetool prints make the requested
changes.

In databases with various tables and keys, COUNT random values (default 400) are set, and rows are inserted and removed.
savetool refuses each change and prints a statement, which Python's sqlite3 then runs. The value must then be the
requested one, and all others must be unchanged. If there is no statement, savetool must print a reason.
"""
import json
import pathlib
import random
import shlex
import sqlite3
import subprocess
import sys
import tempfile

import runner

VALUES = [26.74998368597692, -2.2606631148481385e-299, 0.1, "line\n" * 600, 0, 1, -1, 7, 2**53 + 1, 2**63 - 1, -2**63, 1.5, 2.0, -0.0, 1e300, "", "Orc", "orc", "ORC", "1", "1.0", " 2 ", "0x10", "it's",
          'say "hi"', "null", "rowid 1", "x'00'", "Zoë", "Zoe\u0308", None, True]
TABLES = [
    ("plain", "a, b TEXT, c REAL, d INTEGER, e NUMERIC, f BLOB"),
    ("keyed", "id INTEGER PRIMARY KEY, a TEXT, b REAL"),
    ("quoted", '"id" "INTEGER" PRIMARY KEY, a'),
    ("named", "name TEXT PRIMARY KEY, a, b DEFAULT 5"),
    ("folded", "name TEXT COLLATE NOCASE, a, PRIMARY KEY (name COLLATE BINARY)"),
    ("two", "a, b TEXT, c, PRIMARY KEY (a, b)"),
    ("without", "a TEXT, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID --"),
    ("composed", '"caf\u00e9" TEXT, "cafe\u0301" TEXT, rowid TEXT'),
    ("strict", "k REAL PRIMARY KEY, a TEXT DEFAULT 'zz' UNIQUE ON CONFLICT REPLACE"),
    ("computed", "a INTEGER PRIMARY KEY, b, c AS (b || 'x') STORED"),
    ("it's", "\"a b\" PRIMARY KEY, 'c''d' TEXT"),
]


def make(path, pick):
    db = sqlite3.connect(path)
    for name, columns in TABLES:
        db.execute(f'CREATE TABLE "{name}" ({columns}\n)' if "--" not in columns else f'CREATE TABLE "{name}" ({columns}')
        names = [row[1] for row in db.execute(f'PRAGMA table_info("{name}")') if name != "computed" or row[1] != "c"]
        marks = ", ".join("?" * len(names))
        listed = ", ".join('"' + column.replace('"', '""') + '"' for column in names)
        for _ in range(12):
            try:
                db.execute(f'INSERT OR IGNORE INTO "{name}" ({listed}) VALUES ({marks})', [pick.choice(VALUES) for _ in names])
            except sqlite3.Error:
                pass  # The rowid is not an integer.
    db.commit()
    db.close()


def token(key):
    return key.replace("~", "~0").replace("/", "~1")


class Judge:
    def __init__(self, savetool, path, pick, report):
        self.savetool, self.path, self.pick, self.report = savetool, path, pick, report

    def run(self, *arguments):
        return subprocess.run([self.savetool, *arguments], capture_output=True, text=True, timeout=60)

    def document(self):
        return json.loads(self.run("convert", "--to", "json", self.path).stdout, object_pairs_hook=list)

    def act(self):
        """Returns the arguments of one change, and the location and value of its expected result."""
        table, rows = self.pick.choice(self.before)
        if not rows:
            return None
        key, row = self.pick.choice(rows)
        kind = self.pick.choice(["set", "set", "set", "insert", "remove", "remove value"])
        column = self.pick.choice([name for name, _ in row] + ["rowid"] * (self.pick.random() < 0.1))
        value = self.pick.choice(VALUES)
        if kind == "set":
            address = f"/{token(table)}/{token(key)}/{token(column)}"
            return ["set", "--change-type", "--add", "--", self.path, address, json.dumps(value)], table, key, column, value
        if kind == "insert":
            other = str(self.pick.choice([99, "09", "+9", key, "new"]))
            new = {name: self.pick.choice(VALUES) for name, _ in row if self.pick.random() < 0.7}
            if self.pick.random() < 0.5:
                new.pop("id", None)
                new.update({name: other for name, _ in row if name in ("name", "a b")})
            return ["insert", "--", self.path, f"/{token(table)}/{token(other)}", json.dumps(new)], table, other, None, new
        if kind == "remove":
            return ["remove", self.path, f"/{token(table)}/{token(key)}"], table, key, None, None
        return ["remove", self.path, f"/{token(table)}/{token(key)}/{token(column)}"], table, key, column, None

    def step(self):
        self.before = self.document()
        action = self.act()
        if action is None:
            return
        arguments, table, key, column, value = action
        told = self.run(*arguments)
        lines = [line for line in told.stderr.splitlines() if line.startswith("sqlite3 ")]
        if told.returncode == 0 and not lines:
            return self.report.count("unchanged")
        if not lines:
            if told.stderr.rstrip().endswith("use sqlite3 to change it"):
                if column is not None and dict(dict(dict(self.before)[table])[key]).get(column) == value:
                    return self.report.count("already there")
                return self.report.fail(arguments, f"no statement and no reason: {told.stderr}")
            if told.returncode in (1, 2) and told.stderr:
                return self.report.count("refused with a reason")
            return self.report.fail(arguments, f"{told.returncode} {told.stderr}")
        if len(lines) > 1:
            return self.report.fail(arguments, f"{len(lines)} statements for one change")
        db = sqlite3.connect(self.path)
        try:
            words = shlex.split(lines[0])
            count = db.execute(words[2]).rowcount
            db.commit()
        except sqlite3.IntegrityError:
            return self.report.count("SQLite refuses: a constraint")
        except sqlite3.Error as error:
            return self.report.fail(arguments, f"{lines[0]}: {error}")
        finally:
            db.close()
        if count != 1:
            return self.report.fail(arguments, f"{lines[0]}: {count} rows")
        self.compare(arguments, lines[0], table, key, column, value)

    def compare(self, arguments, line, table, key, column, value):
        before, after = dict(self.before), dict(self.document())
        for name in before:
            if name != table and before[name] != after[name]:
                return self.report.fail(arguments, f"{line}: {name} has changed")
        old, new = dict(before[table]), dict(after[table])
        if column is None and value is None:
            good = key not in new and all(new.get(k) == v for k, v in old.items() if k != key) and len(new) == len(old) - 1
        elif column is None:
            row = dict(new.get(key, []))
            good = key in new and all(same(row.get(k), v) for k, v in value.items()) and all(new.get(k) == v for k, v in old.items())
        else:
            others = [(k, v) for k, v in old.items() if k != key]
            changed = [(k, v) for k, v in new.items() if old.get(k) != v or k not in old]
            good = all(new.get(k) == v for k, v in others) and len(new) == len(old) and len(changed) <= 1
            good = good and (not changed or same(dict(changed[0][1]).get(column), value))
        if good:
            self.report.count(arguments[0] + " as asked")
        else:
            self.report.fail(arguments, f"{line}: {old.get(key)} became {new.get(key)}")


def same(found, value):
    """Whether a value was stored. Numeric columns may hold an equal number of another type."""
    return found == value


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    pick = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 1)
    report = runner.Report("sqlite statements")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(0, count, 40):
            path = str(pathlib.Path(folder) / f"{number}.db")
            make(path, pick)
            judge = Judge(str(pathlib.Path(sys.argv[1]).resolve()), path, pick, report)
            for _ in range(min(40, count - number)):
                judge.step()
    report.end()


main()
