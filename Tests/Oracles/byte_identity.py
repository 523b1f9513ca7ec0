#!/usr/bin/env python3
"""byte_identity.py SAVETOOL FOLDER …: checks that every valid binary property list below the folders is reproduced byte
for byte, both from `--to json --exact` and by writing it as binary.
"""
import runner


def main():
    savetool, folders = runner.arguments("byte_identity.py")
    report, batch = runner.Report("byte identity"), runner.Batch(savetool)
    inputs = dict(runner.files(folders, b"bplist"))
    texts, messages = batch.convert(inputs, "--to", "json", "--exact")
    through_json, back = batch.convert(texts, "--to", "binary")
    direct, plain = batch.convert(inputs, "--to", "binary")
    for name, path in inputs.items():
        original = path.read_bytes()
        if name not in texts:
            report.fail(name, f"not written as exact JSON: {messages.of(name)}")
        elif name not in through_json:
            report.fail(name, f"not read back from exact JSON: {back.of(name)}")
        elif through_json[name].read_bytes() != original:
            report.fail(name, "other bytes after exact JSON")
        else:
            report.count("same through exact JSON")
        if name not in direct:
            report.fail(name, f"not written as binary: {plain.of(name)}")
        elif direct[name].read_bytes() != original:
            report.fail(name, "other bytes when written as binary")
        else:
            report.count("same as binary")
    report.end()


main()
