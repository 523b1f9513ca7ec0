#!/usr/bin/env python3
"""Writes saves of the games in the layers that games and tools add: gzip, zlib, Base64, XOR.

usage: wrapped.py FIXTURES
"""
import base64
import pathlib
import struct
import sys
import zlib

LEVELS = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<key>LLM_01</key>
\t<dict>
\t\t<key>k_0</key>
\t\t<dict>
\t\t\t<key>k2</key>
\t\t\t<string>Dark Cave</string>
\t\t\t<key>k48</key>
\t\t\t<integer>1204</integer>
\t\t</dict>
\t</dict>
\t<key>LLM_02</key>
\t<integer>35</integer>
</dict>
</plist>
"""


def gzip(data, name=b""):
    """Returns gzip data (RFC 1952) with the name of its contents. It has no time, so that it is always the same."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    header = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, 8 if name else 0, 0, 2, 3) + (name + b"\0" if name else b"")
    return header + deflate.compress(data) + deflate.flush() + struct.pack("<II", zlib.crc32(data), len(data))


def main():
    fixtures = pathlib.Path(sys.argv[1])
    games, folder = fixtures / "games", fixtures / "wrapped"
    swamp, preferences = (games / "swamp.save").read_bytes(), (games / "preferences.plist").read_bytes()
    (folder / "swamp.save.gz").write_bytes(gzip(swamp, b"swamp.save"))
    (folder / "preferences.plist.z").write_bytes(zlib.compress(preferences, 9))
    (folder / "grabthar.b64").write_bytes(base64.encodebytes((games / "grabthar.json").read_bytes()))
    text = base64.urlsafe_b64encode(gzip(LEVELS))
    (folder / "CCLocalLevels.dat").write_bytes(bytes(byte ^ 11 for byte in text))


main()
