#!/usr/bin/env python3
"""Writes damaged copies of saves, each with one kind of damage that people have.

usage: damaged.py FIXTURES
"""
import pathlib
import sys

from databases import written


def changed(data, offset, value):
    return data[:offset] + bytes([value]) + data[offset + 1:]


def zeros(data, start, count):
    return data[:start] + bytes(count) + data[start + count:]


def horde():
    """A database whose table of monsters has several pages, of which the root was overwritten with zeros."""
    size = 512
    database = written(
        "CREATE TABLE monsters (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hitpoints INTEGER, speed REAL)",
        "CREATE TABLE places (name TEXT, level INTEGER)",
        *[("INSERT INTO monsters VALUES (?, ?, ?, ?)", (number, f"monster {number}", 7 * number, number / 4))
          for number in range(1, 81)],
        *[("INSERT INTO places VALUES (?, ?)", (f"place {number}", number)) for number in range(1, 41)],
        # Free pages keep deleted rows.
        "DELETE FROM monsters WHERE id > 60",
        page_size=size)
    assert database[size] == 5
    return zeros(database, size, size)


def headless():
    """A database whose first 512 bytes are zero. The entries of its schema are at the end of the first page."""
    database = written(
        "CREATE TABLE monsters (id INTEGER PRIMARY KEY, name TEXT NOT NULL, hitpoints INTEGER)",
        "CREATE TABLE places (name TEXT, level INTEGER)",
        *[("INSERT INTO monsters VALUES (?, ?, ?)", (number, f"monster {number}", 7 * number))
          for number in range(1, 21)],
        *[("INSERT INTO places VALUES (?, ?)", (f"place {number}", number)) for number in range(1, 11)],
        page_size=1024)
    return zeros(database, 0, 512)


def other_formats(fixtures):
    xml = (fixtures / "games/swamp.xml.save").read_bytes()
    json = (fixtures / "games/grabthar.json").read_bytes()
    levels = (pathlib.Path(__file__).parents[1] / "text/levels.plist").read_bytes()
    stream = (fixtures / "oldmac/swamp.save").read_bytes()
    gzip = (fixtures / "wrapped/swamp.save.gz").read_bytes()
    database = (fixtures / "databases/monsters.sqlite").read_bytes()
    page = int.from_bytes(database[16:18], "big")
    return {
        "cut.xml": xml[:len(xml) // 2],
        "zeros.json": zeros(json, json.index(b"hitPoints") + 13, 3),
        "two.json": json + json,
        "image.plist": levels[:60] + b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + levels[76:],
        "cut.typedstream": stream[:len(stream) * 2 // 3],
        "cut.save.gz": gzip[:len(gzip) * 2 // 3],
        "checksum.save.gz": changed(gzip, len(gzip) - 8, gzip[-8] ^ 0x10),
        "zeros.sqlite": zeros(database, 2 * page, page),
        "root.sqlite": horde(),
        "header.sqlite": headless(),
        "log.json": b"2009-09-06 12:34:56 saved slot 1\n" + json,
        "response.save.gz": b"HTTP/1.1 200 OK\r\nContent-Type: application/gzip\r\n\r\n" + gzip,
    }


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
        # The string of five bytes claims to have six.
        "length.save": changed(save, name - 1, 0x56),
        # The offset table starts elsewhere.
        "trailer.save": changed(save, len(save) - 1, 0x11),
        # An entry of the offset table leads into another object.
        "offset.save": changed(save, int.from_bytes(save[-2:], "big") + 9, 0x2B),
        "zeros.save": save[:500] + bytes(len(save) - 500),
        # Objects 6 to 12 are zero, which reads as null.
        "hole.save": zeros(save, 57, 64),
        "inserted.save": save[:name + 2] + b"\x13\x37\x13\x37" + save[name + 2:],
        "options.save": changed(options, 8, 0xD0),
        "mark.save": b"\xef\xbb\xbf" + save,
        # The key of the health of a player has a count that is not an integer.
        "key.save": changed(save, save.index(b"\x56health"), 0x5F),
    }
    damages.update(other_formats(fixtures))
    for file, data in damages.items():
        assert data != save
        (folder / file).write_bytes(data)


main()
