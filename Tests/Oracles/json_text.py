"""JSON as accepted by Python's parser, without constants that JSON does not have."""
import json


def refuse(constant):
    raise ValueError(f"{constant} is no JSON")


def parsed(data):
    return json.loads(data.decode("utf-8"), parse_constant=refuse)


def depth(value):
    levels, level = 0, [value]
    while level:
        levels += 1
        level = [inner for item in level if isinstance(item, (dict, list))
                 for inner in (item.values() if isinstance(item, dict) else item)]
    return levels
