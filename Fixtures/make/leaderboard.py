"""The leaderboard of the score server: an XML property list, written by Python's plistlib as on the server.

    python3 leaderboard.py FIXTURES
"""
import datetime
import pathlib
import plistlib
import sys

ROWS = [
    ("Ada", 98200, "2009-09-06T12:34:56"), ("Grace", 91750, "2009-09-05T12:11:52"), ("Zoë", 88010, "2009-09-04T16:00:00"),
    ("Li & Sons", 70001, "2009-09-03T08:15:30"), ("<script>", 13, "2009-08-31T23:59:59"),
]


def main(fixtures):
    feed = [{"player_name": name, "total_score": score, "created_at": datetime.datetime.fromisoformat(date)}
            for name, score, date in ROWS]
    (fixtures / "games" / "leaderboard.plist").write_bytes(plistlib.dumps(feed, sort_keys=False))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
