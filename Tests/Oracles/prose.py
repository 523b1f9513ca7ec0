#!/usr/bin/env python3
"""Counts phrases that are nearly always unclear, in the comments, messages, help and articles of the project.

usage: prose.py [--list]

Fails if there are more than LIMIT per 1,000 lines of prose. --list prints each with its location. The check finds the
easy half only: a sentence without such a phrase can still be a riddle.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PLACES = ["Sources", "README.md"]
# The number that the sources had when the check was written, rounded up. It may only fall.
LIMIT = 2.5

PHRASES = {
    "a sentence that describes a thing begins with What, Who, Those": r"^(What|Those|That which|Who|Whoever|Whatever) ",
    "a noun phrase begins with How": r"^How (many|much|a|an|the|often|long|it|they|\w+s|of) ",
    "one X a Y, for one X per Y": r"\b(one|a) (line|row|column|test|file|key|word) (a|an) (value|change|file|row|save|object)\b",
    "but for": r"\bbut for\b",
    "told, for reported": r"\b(is|are|was|were|be) told\b|\btells? (what|which|how|whether|that|the|of|it|apart|so)\b",
    "stands, for is": r"\bstands?\b(?! (for|alone|out|still)\b)",
    "behind, for after": r"\bbehind (it|them|the|a|an|that|which|each|what|/)",
    "as X has it": r"\bas (it|they|that|one|the \w+) (has|have) (it|them)\b",
    "nobody, somebody": r"\b(nobody|somebody|anybody)\b",
    "of which": r"\bof which\b",
    "what there is": r"\bwhat (there is|there was|is there|was there|stands there|comes of|is made of|becomes of|it takes|that is)\b",
    "those of, that of": r"\b(those|that) (of|that|which|who) ",
    "anew": r"\banew\b",
    "all the same, likewise, wherever": r"\b(all|that|so) the same\b|\b(likewise|wherever|whatever)\b",
    "as wanted": r"\bas wanted\b|\bis wanted\b|\bis asked for\b|\bonce asked for\b",
    "a sentence begins with Of or In and its object": r"(^|[.;:] )(Of|In|Without|With|From|To) [^,.;:]{3,60}, (the|it|a|an|there|one|they)\b|^Of ",
    "goes through, comes of": r"\bgo(es)? (together|through|in|on)\b|\bcomes? (of|to|in|out|down)\b",
    "is none, that is one": r"\bis (no|none)\b|\bare none\b|\bthat (is one|are none)\b",
}


def article_lines(text):
    """The prose of an article, outside of code blocks."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.startswith("```"):
            is_code = not is_code
        elif not is_code and line.strip():
            yield number, line.strip().lstrip("#|*-0123456789. ")


def source_lines(text):
    """The comments and the longer string literals of a Swift file."""
    is_literal = False
    for number, line in enumerate(text.split("\n"), 1):
        line_text = line.strip()
        if line_text.endswith('"""') or line_text.startswith('"""'):
            is_literal = line_text.endswith('"""') and line_text.count('"""') == 1 and not is_literal
        elif is_literal:
            yield number, line_text
        elif line_text.startswith("//"):
            comment = line_text.lstrip("/").strip()
            if not comment.startswith("MARK"):
                yield number, re.sub(r"^- (Parameter \w+|\w+|Throws|Returns): ", "", comment)
        else:
            for literal in re.findall(r'"((?:[^"\\]|\\.){12,})"', line):
                yield number, literal


def main():
    files = []
    for place in PLACES:
        path = ROOT / place
        files += [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.suffix in (".swift", ".md"))
    lines = 0
    found = []
    for path in files:
        text = path.read_text(encoding="utf-8")
        for number, line in (article_lines if path.suffix == ".md" else source_lines)(text):
            lines += 1
            for name, phrase in PHRASES.items():
                if re.search(phrase, line):
                    found.append(f"{path.relative_to(ROOT)}:{number}: {name}: {line}")
    rate = 1000 * len(found) / max(lines, 1)
    if "--list" in sys.argv[1:]:
        print("\n".join(found))
    print(f"prose: {len(found)} unclear phrases in {lines} lines, {rate:.1f} per 1,000; allowed are {LIMIT}")
    return 0 if rate <= LIMIT else 1


if __name__ == "__main__":
    sys.exit(main())
