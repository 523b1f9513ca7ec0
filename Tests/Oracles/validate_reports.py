#!/usr/bin/env python3
"""validate_reports.py SAVETOOL FOLDER …: checks that all reports of `savetool validate` conform to their formats and
agree, for the folders and for files with names that contain special characters of a format.

jsonschema applies the schemas of the report and of SARIF 2.1.0, junitparser reads JUnit, and GitHub's commands are
parsed by the rules of its runner. Packages that are not installed are named and skipped. Finally, altered reports prove
that errors are found.
"""
import os
import pathlib
import subprocess
import tempfile
import unicodedata

import report_readers
import runner
from report_readers import Wrong

OPTIONS = [[], ["--strict"], ["--expect-invalid"], ["--quiet"], ["--max-findings=1"], ["--max-findings=0"]]
NAMES = [
    "new\nline", "return\r\n", "per%cent %0A %25", "col:on::", "com,ma", 'quo"te\'', "<tag>&amp;]]>", "tab\t", "bell\a",
    "\x1b[31mred", "\x7f\x85\u2028", "\ufffe\ufdd0", "é e\u0301 \N{CRAB}", " spaces ", "a=b==", "::error file=x,line=1::y",
    "-dash", "#?query", "back\\slash", "~%2F", "c:", "http:x",
]
# Characters that affect terminals: control and format characters, line and paragraph separators, unassigned characters.
ACTIVE = {"Cc", "Cf", "Zl", "Zp", "Cn", "Co"}
# The maximum number of a file's findings in a JUnit report.
MOST_IN_CASE = 100


def report(savetool, folder, form, arguments):
    verbose = ["--verbose"] if form in ("github", "sarif", "codequality") and "--quiet" not in arguments else []
    run = subprocess.run([str(savetool), "validate", "--format", form, *verbose, *arguments], cwd=folder, capture_output=True,
                         timeout=600)
    return run.stdout, run.returncode


def same(what, found, wanted):
    if len(found) != len(wanted):
        raise Wrong(f"there are {len(found)} {what}; the JSON report has {len(wanted)}")
    for one, other in zip(found, wanted):
        if one != other:
            raise Wrong(f"{what}: {one!r}; the JSON report has {other!r}")


def shown(text, kept):
    """Returns the text with characters that affect terminals as \\uXXXX, except for some characters."""
    return "".join(c if c in kept or unicodedata.category(c) not in ACTIVE else escape(c) for c in text)


def escape(character):
    units = character.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02X}{units[at + 1]:02X}" for at in range(0, len(units), 2)) \
        .replace("\\u0009", "\\t")


# MARK: Comparisons of a report with the JSON report

def judge_ndjson(data, told):
    value = report_readers.of_ndjson(data)
    same("files", value["files"], told["files"])
    same("totals", [value["totals"]], [told["totals"]])


def judge_sarif(data, told):
    findings, unread, status = report_readers.of_sarif(data)
    read = {"files": [file for file in told["files"] if file["verdict"] != "unchecked" and not passes(file)]}
    wanted = [finding._replace(file=from_top(told["folder"], finding.file))
              for finding in report_readers.findings_of_json(read)]
    same("results", [finding._replace(message="") for finding in findings],
         [finding._replace(message="") for finding in wanted])
    for finding, expected in zip(findings, wanted):
        kind, *numbers = expected.place or [None]
        begins = f"byte 0x{numbers[0]:X}: " if kind == "byte" else ""
        if not finding.message.startswith(begins) or not finding.message.endswith(expected.message):
            raise Wrong(f"{finding.message!r}; the JSON report has {expected.message!r}")
    same("unread files", unread, [(from_top(told["folder"], file["file"]), file["findings"][0]["message"])
                                  for file in told["files"] if file["verdict"] == "unchecked"])
    same("exit codes", [status], [told["totals"]["status"]])


def passes(file):
    """Whether a file is invalid as expected, so that services get no results for it."""
    return file["verdict"] == "invalid" and file["asWanted"]


def judge_github(data, told):
    found = list(report_readers.of_github(data))
    same("commands", [(level, properties) for level, properties, _ in found],
         [(level, properties) for level, properties, _ in commands(told)])
    for (_, properties, text), (_, _, wanted) in zip(found, commands(told)):
        if not text.startswith(wanted[0]) or not text.endswith(shown(wanted[1], "\r\n")):
            raise Wrong(f"{properties}: {text!r}; the JSON report has {wanted!r}")


def from_top(folder, name):
    """Returns the name of a file relative to the top of its repository; unchanged if it is outside of one."""
    path = os.path.realpath(os.path.join(folder, name))
    top = next((parent for parent in pathlib.Path(os.path.realpath(folder), "x").parents if (parent / ".git").exists()), None)
    if top is None or not os.path.exists(path) or top not in pathlib.Path(path).parents:
        return name
    return os.path.relpath(path, top)


def commands(told):
    """Yields the expected commands for a JSON report: level, properties, and the beginning and end of the text."""
    for file in told["files"]:
        if passes(file):
            continue
        name = shown(from_top(told["folder"], file["file"]), "\r\n")
        for finding in report_readers.findings_of_json({"files": [file]}):
            kind, *numbers = finding.place or [None]
            place = dict(zip(["line", "col"], map(str, numbers))) if kind == "line" else {}
            begins = f"byte 0x{numbers[0]:X}: " if kind == "byte" else ""
            yield finding.level, {"file": name, **place, "title": finding.id}, (begins, finding.message)
        if file["omitted"]:
            yield "note", {"file": name}, (f"{file['omitted']} ", "")


def judge_junit(data, told):
    cases, failures, errors = report_readers.of_junit(data)
    same("cases", cases, [case(file) for file in told["files"]])
    kinds = [kind for _, kind, *_ in cases]
    same("counts", [failures, errors], [kinds.count("failure"), kinds.count("error")])


def judge_codequality(data, told):
    levels = {"error": "major", "warning": "minor", "note": "info"}
    wanted = []
    for file in told["files"]:
        for finding in [] if passes(file) else report_readers.findings_of_json({"files": [file]}):
            level = "critical" if file["verdict"] == "unchecked" else levels[finding.level]
            line = finding.place[1] if finding.place and finding.place[0] == "line" else 1
            wanted.append((level, from_top(told["folder"], file["file"]), line, finding.id, finding.message))
    found = report_readers.of_codequality(data)
    same("issues", [issue[:4] for issue in found], [issue[:4] for issue in wanted])
    for (*_, text), (*_, message) in zip(found, wanted):
        if not text.endswith(message):
            raise Wrong(f"the text is {text!r}; the JSON report has {message!r}")


def case(file):
    kind = "error" if file["verdict"] == "unchecked" else "passed" if file["asWanted"] else "failure"
    findings, severities = file["findings"], ["error", "warning", "info"]
    first = None if kind == "passed" else min(findings, key=lambda finding: severities.index(finding["severity"]))
    return (shown(file["file"], "\t\r\n"), kind, [finding["id"] for finding in findings[:MOST_IN_CASE]],
            *((first["id"], shown(first["message"], "\t\r\n")) if first else (None, None)))


JUDGES = {"ndjson": judge_ndjson, "sarif": judge_sarif, "github": judge_github, "junit": judge_junit,
          "codequality": judge_codequality}


def judge(savetool, folder, arguments, outcome):
    """Checks all reports on the same files, and returns them by format."""
    reports = {form: report(savetool, folder, form, arguments) for form in ["json", *JUDGES]}
    name = " ".join(arguments[:3])
    try:
        told = report_readers.of_json(reports["json"][0])
    except (Wrong, ValueError) as error:
        outcome.fail(name, f"json: {error}")
        return {}
    told["folder"] = folder
    outcome.count("reports")
    for form, (data, status) in reports.items():
        if status != told["totals"]["status"]:
            outcome.fail(name, f"{form}: the exit status is {status}; the report has {told['totals']['status']}")
        if form == "json" or form == "junit" and report_readers.junitparser is None:
            continue
        outcome.count("reports")
        try:
            JUDGES[form](data, told)
        except (Wrong, ValueError) as error:
            outcome.fail(name, f"{form}: {error}")
    return {form: data for form, (data, _) in reports.items()}


# MARK: Inputs

def make_hostile_names(folder):
    """Writes two broken fixtures, one binary and one text, and a valid one under names with special characters. Returns
    the names, and one more of each kind that does not exist."""
    fixtures = pathlib.Path(__file__).parents[2] / "Fixtures"
    sources = ["archives-tricky/59-key-too-few.plist", "bad/50-cut-off.xml", "games/swamp.save"]
    contents = [(fixtures / source).read_bytes() for source in sources]
    for name in NAMES:
        for number, content in enumerate(contents):
            (folder / f"{name}{number}.plist").write_bytes(content)
    return [f"./{name}{number}.plist" for name in NAMES for number in range(4)]


def judge_alterations(reports, outcome):
    """Checks that reports with one change are refused."""
    told = report_readers.of_json(reports["json"])
    changes = {
        "ndjson": [(b'"byte":', b'"bite":'), (b'"line":3', b'"line":4'), (b'"severity":"error"', b'"severity":"warning"')],
        "sarif": [(b'"level":"error"', b'"level":"grave"'), (b'"startLine":3', b'"startLine":0'), (b"%25", b"%24")],
        "github": [(b"%3A", b":"), (b"%25", b"%"), (b"::error", b"::warning"), (b",line=3", b",line=4")],
        "codequality": [(b'"major"', b'"grave"'), (b'"begin":3', b'"begin":4'), (b'"check_name":"', b'"check_name":"x')],
        "junit": [(b"<failure", b"<error"), (b'tests="', b'tests="1'), (b'type="archive.', b'type="x.')],
    }
    for form, rows in changes.items():
        if form == "junit" and report_readers.junitparser is None:
            continue
        for old, new in rows:
            altered = reports[form].replace(old, new)
            if form == "junit":
                altered = altered.replace(b"</" + old[1:], b"</" + new[1:])
            try:
                JUDGES[form](altered, told)
                outcome.fail(form, f"{old!r} became {new!r}, and nothing was found")
            except Exception:
                outcome.count("alterations found")


def main():
    savetool, folders = runner.arguments("validate_reports.py")
    outcome = runner.Report("reports of validate")
    for package, what in report_readers.missing():
        print(f"skipped: {what}: {package} is not installed")
    for folder in folders:
        for options in OPTIONS:
            judge(savetool, folder.parent, [*options, folder.name], outcome)
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        names = make_hostile_names(work)
        for options in OPTIONS:
            judge(savetool, work, [*options, "."], outcome)
            judge(savetool, work, [*options, str(work)], outcome)
        judge_alterations(judge(savetool, work, names, outcome), outcome)
    outcome.end()


main()
