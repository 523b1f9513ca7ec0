#!/usr/bin/env python3
"""value_identity.py SAVETOOL FOLDER …: checks that no value of any valid binary property list below the folders is lost
or changed by converting it to typed JSON and, if nothing is refused as a loss, to XML and back. XML widens 32-bit
reals; `convert --like` restores their width and the bytes of the file.
"""
import subprocess

import runner
from plist_values import Values, is_beyond_plistlib

# The files that cannot be converted, with the reason.
EXCEPTIONS = {
    "Fixtures/tricky/05-bomb.plist": "a text would be far larger than any limit: shared objects are written out",
}


def main():
    savetool, folders = runner.arguments("value_identity.py")
    report, batch = runner.Report("value identity"), runner.Batch(savetool)
    inputs = {name: path for name, path in runner.files(folders, b"bplist") if name not in EXCEPTIONS}
    for _ in EXCEPTIONS:
        report.count("expected exceptions")
    for target, ordered in [("json", True), ("xml", False)]:
        texts, messages = batch.convert(inputs, "--raw", "--to", target, "--extension", target)
        binaries, back = batch.convert(texts, "--to", "binary")
        for name, path in inputs.items():
            values = Values(ordered, widens=target == "xml")
            original = values.binary(path.read_bytes())
            if name not in texts:
                if target == "json":
                    report.fail(name, f"not written as JSON: {messages.of(name)}")
                else:
                    report.count("refused as XML")
            elif name not in binaries:
                report.fail(name, f"not read back from {target}: {back.of(name)}")
            elif values.binary(binaries[name].read_bytes()) != original:
                report.fail(name, f"another value after {target}")
            else:
                report.count(f"same through {target}")
                if target == "xml":
                    judge_xml(report, name, values, texts[name].read_bytes(), original)
                    judge_bytes(report, name, savetool, path, texts[name])
    report.end()


def judge_bytes(report, name, savetool, path, text):
    """Checks that `--like` with the file restores its bytes from its XML."""
    run = subprocess.run([savetool, "convert", "--raw", "--like", path, text], capture_output=True, timeout=600)
    if run.stdout == path.read_bytes():
        report.count("same bytes by --like")
    else:
        report.fail(name, f"other bytes by --like: {run.stderr.decode('utf-8', 'replace')[:200]}")


def judge_xml(report, name, values, data, original):
    """Checks that plistlib reads the same value from our XML, unless its calendar does not have a date."""
    if is_beyond_plistlib(data):
        report.count("beyond plistlib's dates")
    elif values.xml(data) == original:
        report.count("same by plistlib")
    else:
        report.fail(name, "plistlib finds another value in the XML")


main()
