#!/usr/bin/env python3
"""Writes saves of the games in the layers that games and tools add: gzip, zlib, Base64, XOR; and saves with checksums.

usage: wrapped.py FIXTURES
"""
import base64
import hashlib
import json
import pathlib
import plistlib
import struct
import sys
import zlib

# A level as Geometry Dash stores it: its settings and three of its objects.
LEVEL_STRING = (
    b"kS38,1_40_2_125_3_255_11_255_12_255_13_255_4_-1_6_1000_7_1_15_1_18_0_8_1|,kA13,0,kA15,0,kA16,0,kA14,,kA6,0,kA7,0,"
    b"kA17,0,kA18,0,kS39,0,kA2,0,kA3,0,kA8,0,kA4,0,kA9,0,kA10,0,kA11,0;1,1,2,15,3,15;1,8,2,105,3,15;1,39,2,195,3,15;"
)


def level():
    """Returns the properties of a level; see LEVEL_STRING."""
    return {
        "kCEK": 4, "k2": "Dark Cave", "k4": base64.urlsafe_b64encode(gzip(LEVEL_STRING, 11)).decode(), "k5": "Ada",
        "k13": True, "k21": 2, "k16": 1, "k48": 1204, "k50": 35, "k47": True, "kI1": 225.5, "kI2": -36, "kI3": 0.9,
        "kI6": {"0": "0", "1": "0"},
    }


def short(value):
    """Returns a value with the short element names of Geometry Dash."""
    if value is True:
        return "<t />"
    if isinstance(value, dict):
        return "<d>" + "".join(f"<k>{key}</k>{short(value[key])}" for key in value) + "</d>" if value else "<d />"
    name = {int: "i", float: "r", str: "s"}[type(value)]
    return f"<{name}>{value}</{name}>"


def geometry_dash(value):
    """Returns a property list as Geometry Dash writes it."""
    contents = short(value).removeprefix("<d>").removesuffix("</d>")
    return f'<?xml version="1.0"?><plist version="1.0" gjver="2.0"><dict>{contents}</dict></plist>'.encode()


def gzip(data, system=3, name=b""):
    """Returns gzip data (RFC 1952) with the name of its contents. It has no time, so that it is always the same."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    extra = 0 if system == 11 else 2
    header = struct.pack("<BBBBIBB", 0x1F, 0x8B, 8, 8 if name else 0, 0, extra, system) + (name + b"\0" if name else b"")
    return header + deflate.compress(data) + deflate.flush() + struct.pack("<II", zlib.crc32(data), len(data))


def unity():
    """Returns a save as Unity's JsonUtility nests them: each manager's JSON is a string in that of its owner."""
    manager = json.dumps({"hp": 55, "name": "Ada"}, separators=(",", ":"))
    owner = json.dumps({"m_GameManager": manager}, separators=(",", ":"))
    return (json.dumps({"m_Dict": {"global": owner, "note": "[1]"}, "n": 1}) + "\n").encode()


def clicker_heroes(value):
    """Returns a save as Clicker Heroes exports it: 32 digits that name the compression, and Base64."""
    deflate = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = deflate.compress(json.dumps(value, separators=(",", ":")).encode()) + deflate.flush()
    return b"7e8bb5a89f2842ac4af01b3b7e228592" + base64.b64encode(data)


def club(save):
    """Returns a save as Underground Club Manager writes it: the checksum covers a salt and the sorted members."""
    text = json.dumps(save, separators=(",", ":"), sort_keys=True)
    checksum = hashlib.sha256(("v1|NightclubGameSalt|DoNotModify" + text).encode()).hexdigest()
    return (json.dumps(save | {"checksum": checksum}, indent=2) + "\n").encode()


def card(save):
    """Returns a save with a header: a name, a version, and the checksum of what follows, which is zlib data and a mark."""
    rest = zlib.compress(json.dumps(save, separators=(",", ":")).encode(), 9) + b"END."
    return b"CARD" + struct.pack("<II", 2, zlib.crc32(rest)) + rest


def main():
    fixtures = pathlib.Path(sys.argv[1])
    games, folder = fixtures / "games", fixtures / "wrapped"
    swamp, preferences = (games / "swamp.save").read_bytes(), (games / "preferences.plist").read_bytes()
    (folder / "swamp.save.gz").write_bytes(gzip(swamp, name=b"swamp.save"))
    (folder / "preferences.plist.z").write_bytes(zlib.compress(preferences, 9))
    (folder / "grabthar.b64").write_bytes(base64.encodebytes((games / "grabthar.json").read_bytes()))
    state = plistlib.dumps({"gems": 340, "level": "Crypt"}, fmt=plistlib.FMT_BINARY)
    backup = base64.urlsafe_b64encode(gzip(b'{"gems": 7, "name": "Zo\xc3\xab"}')).decode()
    (folder / "cloud.plist").write_bytes(plistlib.dumps({"save": zlib.compress(state, 9), "backup": backup}))
    (folder / "unity.json").write_bytes(unity())
    heroes = {"rubies": 35, "heroSouls": "1.5e9", "heroCollection": {"heroes": {"1": {"id": 1, "level": 25}}}}
    (folder / "heroes.txt").write_bytes(clicker_heroes(heroes))
    checksums = fixtures / "checksums"
    (checksums / "club_save.json").write_bytes(club({"player": "Zoë", "money": 5000, "day": 3, "upgrades": [1, 0.5]}))
    (checksums / "card.sav").write_bytes(card({"name": "Zoë", "gold": 250, "deck": ["Strike", "Defend", "Bash"]}))
    # As a build of Shattered Pixel Dungeon writes them.
    dungeon = gzip(b'{"version":735,"hero":{"lvl":4,"class":"MAGE"},"gold":40}')
    (checksums / "game.dat").write_bytes(dungeon)
    (checksums / "game.dat.sha256").write_text(hashlib.sha256(dungeon).hexdigest())
    (folder / "cave.gmd").write_bytes(geometry_dash(level()))
    levels = geometry_dash({"LLM_01": {"_isArr": True, "k_0": level()}, "LLM_02": 35})
    # The game writes up to three bytes of its memory after the text.
    text = base64.urlsafe_b64encode(gzip(levels, 11)) + b"\0d"
    (folder / "CCLocalLevels.dat").write_bytes(bytes(byte ^ 11 for byte in text))


main()
