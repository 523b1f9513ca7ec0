"""Processes many saves with the programs in the article ManySaves. Each must give the same rows as one run of savetool.

    many_saves.py SAVETOOL [COUNT]

Programs that are not installed are named and skipped.
"""
import collections
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

LEVEL = "/root/currentLevelName"


def make(folder, count):
    """Creates saves in folders, including a truncated one and a file that is not a save."""
    games = pathlib.Path(__file__).parents[2] / "Fixtures/games"
    originals = [games / "swamp.save", games / "highscores.plist", games / "preferences.plist"]
    for number in range(count):
        original = originals[number % len(originals)]
        target = folder / f"{number // 1000:03}" / f"{number:06}{original.suffix}"
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(original, target)
    torn = folder / "000/torn.save"
    torn.write_bytes(originals[0].read_bytes()[:100])
    return sorted(str(path) for path in folder.rglob("*") if path.is_file())


def rows(text):
    return sorted((json.loads(line) for line in text.splitlines()), key=lambda row: row["file"])


def run(command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def through_xargs(tool, names, _):
    command = ["xargs", "-0", "-P", "2", "-n", str(len(names) // 4 + 1), tool, "inspect", "-f", "ndjson", "--at", LEVEL]
    result = run(command, input="\0".join(names))
    assert result.returncode == 123, f"xargs ended with {result.returncode}: {result.stderr[:200]}"
    return rows(result.stdout)


def through_parallel(tool, names, _):
    if not shutil.which("parallel") or "GNU" not in run(["parallel", "--version"]).stdout:
        return None
    command = ["parallel", "--will-cite", "-0", "-X", "-k", tool, "inspect", "-f", "ndjson", "--at", LEVEL]
    result = run(command, input="\0".join(names))
    assert result.returncode > 0, "parallel tells of no failure"
    return rows(result.stdout)


def through_spark(tool, names, _):
    if not shutil.which("java") or not importlib.util.find_spec("pyspark"):
        return None
    from pyspark import SparkConf, SparkContext

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    conf = SparkConf().setMaster("local[2]").set("spark.ui.enabled", "false").set("spark.driver.bindAddress", "127.0.0.1")
    conf.set("spark.ui.showConsoleProgress", "false")
    spark = SparkContext(conf=conf)
    spark.setLogLevel("OFF")
    try:
        lines = spark.parallelize(names, 4).pipe(f"xargs -d '\\n' {tool} inspect -f ndjson --at {LEVEL}").collect()

        def partition(files):
            for name in files:
                data = pathlib.Path(name).read_bytes()
                result = subprocess.run(
                    [tool, "inspect", "-f", "ndjson", "--at", LEVEL, "-"], input=data, capture_output=True, check=False)
                yield json.dumps(json.loads(result.stdout) | {"file": name})

        some = names[:20] + names[-1:]
        mapped = rows("\n".join(spark.parallelize(some, 2).mapPartitions(partition).collect()))
        piped = rows("\n".join(lines))
        assert [row for row in piped if row["file"] in some] == mapped, "mapPartitions gives other rows than pipe"
        return piped
    finally:
        spark.stop()


def through_duckdb(tool, names, text):
    if not importlib.util.find_spec("duckdb"):
        return None
    import duckdb

    with tempfile.NamedTemporaryFile("w", suffix=".ndjson") as file:
        file.write(text)
        file.flush()
        duckdb.sql(
            f"""CREATE TABLE saves AS SELECT * FROM read_json('{file.name}', format = 'newline_delimited',
            columns = {{file: 'VARCHAR', size: 'BIGINT', classes: 'MAP(VARCHAR, BIGINT)', "values": 'JSON',
            error: 'JSON'}})""")
        levels = duckdb.sql(
            f"""SELECT "values" ->> '$."{LEVEL}"' AS level, count(*), max(size), sum(classes['Player'])
            FROM saves WHERE error IS NULL GROUP BY level""").fetchall()
        torn = duckdb.sql("SELECT file, error ->> 'message' FROM saves WHERE error IS NOT NULL").fetchall()
    expected = collections.defaultdict(lambda: [0, 0, None])
    for row in rows(text):
        if "error" in row:
            assert torn == [(row["file"], row["error"]["message"])], f"DuckDB has {torn}"
            continue
        known = expected[row["values"].get(LEVEL)]
        known[:2] = known[0] + 1, max(known[1], row["size"])
        if "Player" in row.get("classes", {}):
            known[2] = (known[2] or 0) + row["classes"]["Player"]
    assert {level: numbers for level, *numbers in levels} == dict(expected), f"DuckDB has {levels}"
    return rows(text)


def main():
    tool = os.path.abspath(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
    with tempfile.TemporaryDirectory() as folder:
        names = make(pathlib.Path(folder), count)
        start = time.monotonic()
        whole = run([tool, "inspect", "-f", "ndjson", "--at", LEVEL, folder])
        assert whole.returncode == 2, f"one run ended with {whole.returncode}: {whole.stderr[:200]}"
        expected = rows(whole.stdout)
        assert [row["file"] for row in expected] == names, "there is no line for each save"
        assert sum("error" in row for row in expected) == 1, "one save is torn"
        print(f"one run: {len(names)} saves, {time.monotonic() - start:.2f} s")
        for name, through in [
            ("xargs", through_xargs), ("GNU parallel", through_parallel), ("DuckDB", through_duckdb),
            ("Spark", through_spark),
        ]:
            start = time.monotonic()
            found = through(tool, names, whole.stdout)
            if found is None:
                print(f"skipped: {name}: not installed")
                continue
            assert found == expected, f"{name} gives other rows"
            print(f"{name}: the same rows, {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    main()
