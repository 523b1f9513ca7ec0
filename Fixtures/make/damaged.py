#!/usr/bin/env python3
"""Writes damaged copies of a save, each with one kind of damage that people have.

usage: damaged.py FIXTURES
"""
import pathlib
import sys


def changed(data, offset, value):
    return data[:offset] + bytes([value]) + data[offset + 1:]


def main():
    fixtures = pathlib.Path(sys.argv[1])
    folder = fixtures / "damaged"
    save = (fixtures / "games/swamp.save").read_bytes()
    options = (fixtures / "games/options.save").read_bytes()
    name = save.index(b"Swamp")
    damages = {
        "appended.save": save + b"\r\n",
        "crlf.save": save.replace(b"\n", b"\r\n"),
        "utf8.save": save.decode("latin-1").encode(),
        "cut.save": save[:len(save) * 2 // 3],
        "cut-table.save": save[:-40],
        # The string of five bytes claims to have seven.
        "length.save": changed(save, name - 1, 0x57),
        # The offset table starts elsewhere.
        "trailer.save": changed(save, len(save) - 1, 0x11),
        # An entry of the offset table leads into another object.
        "offset.save": changed(save, int.from_bytes(save[-2:], "big") + 9, 0x2B),
        "zeros.save": save[:500] + bytes(len(save) - 500),
        "inserted.save": save[:name + 2] + b"\x13\x37\x13\x37" + save[name + 2:],
        "options.save": changed(options, 8, 0xD0),
    }
    for file, data in damages.items():
        assert data != save
        (folder / file).write_bytes(data)


main()
