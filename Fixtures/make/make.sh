#!/usr/bin/env bash
# make.sh [FOLDER]: writes all generated fixtures into Fixtures or a similar folder. `git diff Fixtures` must then be
# empty. Needs the Swift toolchain on Linux (see Games.swift) and Python 3.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
fixtures=${1:-$(dirname "$here")}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PYTHONDONTWRITEBYTECODE=1

for folder in attributed games wrapped checksums oldmac databases damaged typed-json graph-json bad tricky \
    archives-tricky; do
    rm -rf "${fixtures:?}/$folder"
    mkdir -p "$fixtures/$folder"
done

# Foundation stores dictionaries in hash order, which is random by default.
swiftc -module-name Games -module-abi-name Foundation -o "$work/games" "$here/Games.swift"
SWIFT_DETERMINISTIC_HASHING=1 "$work/games" "$fixtures/games"

swiftc -o "$work/attributed" "$here/AttributedStrings.swift"
SWIFT_DETERMINISTIC_HASHING=1 "$work/attributed" "$fixtures/attributed"

for script in leaderboard wrapped typed_json graph_json hostile archives typedstreams databases damaged; do
    python3 "$here/$script.py" "$fixtures"
done
