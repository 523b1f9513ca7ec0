#!/usr/bin/env python3
"""Prints the locations of values in XML property lists and JSON texts, by expat and an independent scanner.

Reads file names from standard input, one per line. Writes one JSON array per value: [file, [token, …], line, column].
Files that are not well-formed have no output.
"""
import json
import re
import sys
from json.decoder import scanstring
from xml.parsers import expat


def xml_places(data):
    parser = expat.ParserCreate()
    parser.buffer_text = True
    places = []
    stack = []  # [tag, tokens, next index, pending key]
    text = []

    def child_tokens():
        if not stack or stack[-1][0] == "plist":
            return stack[-1][1] if stack else []
        frame = stack[-1]
        token = str(frame[2]) if frame[0] == "array" else frame[3]
        frame[2] += 1
        return frame[1] + [token]

    def start(tag, attributes):
        text.clear()
        if tag == "key" and stack and stack[-1][0] == "dict":
            return
        tokens = child_tokens()
        if tag != "plist":
            places.append((tokens, parser.CurrentLineNumber, parser.CurrentColumnNumber + 1))
        stack.append([tag, tokens, 0, None])

    def end(tag):
        if tag == "key" and stack and stack[-1][0] == "dict":
            stack[-1][3] = "".join(text)
            return
        stack.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text.append
    parser.Parse(data, True)
    return places


BLANK = re.compile(r"[ \t\r\n]*")
WORD = re.compile(r"[-+.0-9A-Za-z]+")


def json_places(data):
    text = data.decode("utf-8-sig")
    starts = [0] + [match.end() for match in re.finditer(r"\r\n|\r|\n", text)]
    places = []
    stack = []  # [tokens, next index or key]
    position = BLANK.match(text, 0).end()
    line = 0
    while True:
        tokens = []
        if stack:
            if text[position] in "]}":
                position = BLANK.match(text, position + 1).end()
                stack.pop()
                if not stack:
                    return places
                continue
            if text[position] == ",":
                position = BLANK.match(text, position + 1).end()
            frame = stack[-1]
            if isinstance(frame[1], int):
                token = str(frame[1])
                frame[1] += 1
            else:
                token, position = scanstring(text, position + 1, False)
                position = BLANK.match(text, position).end()
                position = BLANK.match(text, position + 1).end()
            tokens = frame[0] + [token]
        while line + 1 < len(starts) and starts[line + 1] <= position:
            line += 1
        places.append((tokens, line + 1, position - starts[line] + 1))
        if text[position] in "[{":
            stack.append([tokens, 0 if text[position] == "[" else None])
            position += 1
        elif text[position] == '"':
            position = scanstring(text, position + 1, False)[1]
        else:
            position = WORD.match(text, position).end()
        position = BLANK.match(text, position).end()
        if not stack:
            return places


for name in sys.stdin.read().splitlines():
    with open(name, "rb") as file:
        data = file.read()
    try:
        if name.endswith(".json"):
            json.loads(data.decode("utf-8-sig"))
            places = json_places(data)
        else:
            places = xml_places(data)
    except (expat.ExpatError, ValueError, LookupError, RecursionError):
        continue
    for place in places:
        sys.stdout.write(json.dumps([name, *place]) + "\n")
