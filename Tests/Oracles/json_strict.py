#!/usr/bin/env python3
"""json_strict.py SAVETOOL FOLDER …: checks that other parsers accept savetool's JSON for every valid file below the
folders: Python's parser, without constants that JSON does not have, and jq if it is installed.
"""
import json
import shutil
import subprocess
import sys

import json_text
import runner

# The inputs that savetool cannot write as JSON, with the reason.
EXCEPTIONS = {
    "Fixtures/tricky/05-bomb.plist": "a text would be far larger than any limit: shared objects are written out",
}
# The lowest limit of all jq versions. An object counts twice, because its open key does, too.
JQ_DEPTH = 256


def holds_lone_surrogate(value):
    try:
        json.dumps(value, ensure_ascii=False).encode()
        return False
    except UnicodeEncodeError:
        return True


def main():
    sys.setrecursionlimit(20000)
    savetool, folders = runner.arguments("json_strict.py")
    report, batch = runner.Report("strict JSON"), runner.Batch(savetool)
    inputs = {name: path for name, path in runner.files(folders)
              if path.suffix not in (".py", ".sh", ".swift", ".tsv", ".md") and name not in EXCEPTIONS}
    for options in [("--compact",), ("--exact",), ()]:
        for_jq = {}
        texts, _ = batch.convert(inputs, "--to", "json", *options)
        for name, path in texts.items():
            try:
                value = json_text.parsed(path.read_bytes())
            except ValueError as error:
                report.fail(name, f"{' '.join(options)} {error}")
                continue
            report.count("parsed by Python")
            if not options and is_for_jq(report, value):
                for_jq[name] = path
        judge_by_jq(report, for_jq)
    report.end()


def judge_by_jq(report, texts):
    """Runs jq on all texts at once, and on each text only if that fails."""
    if not texts or not shutil.which("jq"):
        return
    is_taken = lambda paths: subprocess.run(["jq", "empty", *map(str, paths)], capture_output=True).returncode == 0
    refused = [] if is_taken(texts.values()) else [name for name, path in texts.items() if not is_taken([path])]
    for name in texts:
        if name in refused:
            report.fail(name, "jq refuses it")
        else:
            report.count("parsed by jq")


def jq_depth(value):
    deepest, rest = 0, [(value, 0)]
    while rest:
        item, depth = rest.pop()
        deepest = max(deepest, depth)
        if isinstance(item, dict):
            rest += ((inner, depth + 2) for inner in item.values())
        elif isinstance(item, list):
            rest += ((inner, depth + 1) for inner in item)
    return deepest


def is_for_jq(report, value):
    if jq_depth(value) > JQ_DEPTH:
        report.count("too deep for jq")
    elif holds_lone_surrogate(value):
        report.count("not for jq, which refuses lone surrogates")
    else:
        return True
    return False


main()
