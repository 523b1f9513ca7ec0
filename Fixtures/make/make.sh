#!/usr/bin/env bash
# make.sh [FOLDER]: writes every generated fixture, into Fixtures or a folder of its kind.
# `git diff Fixtures` must be empty afterwards. Needs the Swift toolchain on Linux (see Games.swift) and Python 3.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
fixtures=${1:-$(dirname "$here")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

for folder in games wrapped oldmac databases typed-json graph-json bad tricky archives-tricky; do
    rm -rf "${fixtures:?}/$folder"
    mkdir -p "$fixtures/$folder"
done

# Foundation stores dictionaries in the order of their hashes, which is random unless asked otherwise.
swiftc -module-name Games -module-abi-name Foundation -o "$work/games" "$here/Games.swift"
SWIFT_DETERMINISTIC_HASHING=1 "$work/games" "$fixtures/games"

for script in leaderboard wrapped typed_json graph_json hostile archives typedstreams databases; do
    python3 "$here/$script.py" "$fixtures"
done
