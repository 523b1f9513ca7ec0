#!/usr/bin/env python3
"""archive_identity.py SAVETOOL FOLDER …: converts every valid keyed archive below the folders, and archives made here,
to graph JSON and back to a binary and, if XML can hold it, an XML archive. No object may be lost, merged or split. The
rebuilt archive must have the layout of NSKeyedArchiver and give the same JSON again, which a strict parser must accept.

archive_identity.py --self-test: checks that the comparison finds deliberate changes.
"""
import re
import struct
import sys

import archive_graph
import json_text
import made_archives
import runner
import self_test
from plist_values import Values, is_beyond_plistlib

# The maximum nesting in graph JSON: 200 nested objects, and the levels that each of them and the envelope add.
JSON_DEPTH = 230


def main():
    sys.setrecursionlimit(20000)
    if sys.argv[1:] == ["--self-test"]:
        self_test.run(runner.Report("archive identity, self-test"))
    savetool, folders = runner.arguments("archive_identity.py")
    report, batch = runner.Report("archive identity"), runner.Batch(savetool)
    made = made_archives.write(batch.root / "made")
    inputs = sound_archives(report, [*runner.files(folders), *made.items()])
    texts, messages = batch.convert(inputs, "--to", "json", "--extension", "json")
    for name in inputs:
        if name not in texts:
            report.fail(name, f"not written as JSON: {messages.of(name)}")
        else:
            judge_text(report, name, texts[name])
    judge_rebuilt(report, batch, inputs, texts, "binary")
    judge_rebuilt(report, batch, inputs, texts, "xml", "--keep-order")
    print_shares(report, inputs)
    report.end()


def sound_archives(report, files):
    """Returns the valid keyed archives. Prints the others with their errors."""
    sound = {}
    for name, path in files:
        try:
            if read(path, Values(ordered=True)):
                sound[name] = path
        except archive_graph.Unsound as fault:
            print(f"archive identity: {name}: left out: {fault}")
            report.count("left out")
    return sound


def read(path, values):
    """Returns the archive in a file, or None."""
    data = path.read_bytes()
    if b"archiver" not in data:
        return None
    try:
        if data.startswith(b"bplist"):
            root = values.binary(data)
        elif b"<plist" in data:
            root = values.xml(data)
        else:
            return None
    except Exception:  # not a property list: expat, plistlib and indexing raise many kinds of errors
        return None
    kind, content = values.entries[root]
    if kind != "dict" or values.text("$archiver") not in (key for key, _ in content):
        return None
    return archive_graph.Archive(values, root)


def judge_text(report, name, path):
    try:
        value = json_text.parsed(path.read_bytes())
    except ValueError as error:
        return report.fail(name, str(error))
    if "$archiver" not in value or "$top" not in value or "$objects" in value:
        report.fail(name, "the JSON is no graph JSON")
    elif json_text.depth(value) > JSON_DEPTH:
        report.fail(name, f"the JSON is nested {json_text.depth(value)} levels; expected are up to {JSON_DEPTH}")
    else:
        report.count("strict graph JSON")


def judge_rebuilt(report, batch, inputs, texts, target, *options):
    rebuilt, messages = batch.convert(texts, "--to", target, *options)
    again, last = batch.convert(rebuilt, "--to", "json", "--extension", "json")
    for name in texts:
        if name in rebuilt:
            judge(report, name, inputs[name], rebuilt[name], target)
            judge_stability(report, name, texts[name], again.get(name), last, target)
        elif target == "xml" and not is_for_xml(inputs[name]):
            report.count("refused as XML")
        else:
            report.fail(name, f"not rebuilt as {target}: {messages.of(name)}")


def judge_stability(report, name, text, again, messages, target):
    if again is None:
        report.fail(name, f"rebuilt as {target}, and not written as JSON again: {messages.of(name)}")
    elif again.read_bytes() != (widened(text.read_bytes()) if target == "xml" else text.read_bytes()):
        report.fail(name, f"rebuilt as {target}, it gives other JSON")
    else:
        report.count(f"same JSON again from {target}")


def widened(text):
    """Returns JSON in which 32-bit reals are 64-bit reals, as in XML, with the same value and the shortest digits."""
    def real(match):
        if match[1].startswith(b'"'):
            return b'{"$real": %s}' % match[1]
        return repr(struct.unpack("f", struct.pack("f", float(match[1])))[0]).encode()
    return re.sub(rb'\{"\$real32": ([^{}]+)\}', real, text)


def has_short_reals(path):
    values = Values(ordered=True)
    read(path, values)
    return any(kind == "real32" for kind, _ in values.entries)


def is_for_xml(path):
    values = Values(ordered=True)
    read(path, values)
    return values.is_for_xml()


def judge(report, name, path, rebuilt_path, target):
    if target == "xml" and is_beyond_plistlib(rebuilt_path.read_bytes()):
        return report.count("beyond plistlib's dates")
    values = Values(ordered=True, widens=target == "xml")
    try:
        original, rebuilt = read(path, values), read(rebuilt_path, values)
        if rebuilt is None:
            return report.fail(name, f"no archive after {target}")
        archive_graph.Comparison(original, rebuilt).run()
    except (archive_graph.Unsound, archive_graph.Different) as fault:
        return report.fail(name, f"as {target}: {fault}")
    report.count(f"same graph as {target}")
    if path.read_bytes() == rebuilt_path.read_bytes():
        report.count(f"same bytes as {target}")
    fault = archive_graph.layout_fault(rebuilt)
    # A widened real may equal another real that is a separate object.
    if fault and not (target == "xml" and has_short_reals(path)):
        report.fail(name, f"layout as {target}: {fault}")


def print_shares(report, inputs):
    """Prints for each format how many of the originals are reproduced byte for byte. This is not a check."""
    binary = sum(path.read_bytes().startswith(b"bplist") for path in inputs.values())
    for target, total in [("binary", binary), ("xml", len(inputs) - binary)]:
        same = report.counts.get(f"same bytes as {target}", 0)
        print(f"archive identity: {same} of {total} {target} archives ({same / max(total, 1):.0%}) come back byte for byte")


if __name__ == "__main__":
    main()
