"""Values of property lists, read without savetool's code, so that two files can be compared.

Values are interned: equal values have the same number, so comparing them is `==`, and shared objects cost nothing.
`entries` has the kind and content of each number. Values that plistlib merges or does not support stay distinct
(real32, sets, null, UIDs, bits of a NaN, lone surrogates, duplicate keys). The order of keys matters with `ordered`.
With `widens`, a real32 equals the real64 of the same value, and a date of negative zero equals zero, as in XML.
"""
import datetime
import math
import plistlib
import re
import struct

EPOCH = datetime.datetime(2001, 1, 1)
NO_XML_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def is_beyond_plistlib(xml):
    """Whether any date is outside plistlib's calendar, the years 1 to 9999."""
    return any(not 0 < int(year) < 10000 for year in re.findall(rb"<date>(-?[0-9]+)-", xml))


class Values:
    def __init__(self, ordered, widens=False):
        self.ordered = ordered
        self.widens = widens
        self.numbers = {}
        self.entries = []

    def intern(self, kind, content=None):
        if kind == "dict" and not self.ordered:
            content = tuple(sorted(content))
        number = self.numbers.setdefault((kind, content), len(self.numbers))
        if number == len(self.entries):
            self.entries.append((kind, content))
        return number

    def text(self, string):
        return self.intern("string", string.encode("utf-16-be", "surrogatepass"))

    def real(self, value):
        return self.intern("real64", struct.pack(">d", value))

    def short_real(self, data):
        """Returns a 4-byte real. The bits of a NaN are moved by hand, because a conversion would make it quiet."""
        if not self.widens:
            return self.intern("real32", data)
        value = struct.unpack(">f", data)[0]
        if not math.isnan(value):
            return self.real(value)
        bits = int.from_bytes(data, "big")
        return self.intern("real64", ((bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7FFFFF) << 29).to_bytes(8, "big"))

    def date(self, data):
        return self.intern("date", bytes(8) if self.widens and struct.unpack(">d", data)[0] == 0 else data)

    def is_for_xml(self):
        """Whether XML can represent all values so far."""
        return not any(map(self.is_lost_in_xml, self.entries))

    def is_lost_in_xml(self, entry):
        kind, content = entry
        if kind == "string":
            return NO_XML_TEXT.search(content.decode("utf-16-be", "surrogatepass")) is not None
        if kind == "real64":
            return math.isnan(struct.unpack(">d", content)[0]) and content != struct.pack(">d", math.nan)
        if kind == "dict":
            keys = [key for key, _ in content]
            return len(set(keys)) < len(keys) or any(self.entries[key][0] != "string" for key in keys)
        if kind == "date":
            return not struct.unpack(">d", content)[0].is_integer()
        return kind in ("null", "set")

    # Binary files.

    def binary(self, data):
        offset_size, reference_size = data[-26], data[-25]
        count, top, table = struct.unpack(">QQQ", data[-24:])
        number = lambda at, size: int.from_bytes(data[at:at + size], "big")
        offsets = [number(table + index * offset_size, offset_size) for index in range(count)]
        known, stack = {}, [top]
        while stack:
            index = stack[-1]
            kind, contents = self.binary_object(data, offsets[index], reference_size)
            if kind is None:
                known[index] = contents
                stack.pop()
                continue
            missing = [item for item in contents if item not in known]
            if missing:
                stack.extend(missing)
                if len(stack) > 4 * sum(map(len, (offsets, data))) + 16:
                    raise ValueError("cycle")
                continue
            items = [known[item] for item in contents]
            if kind == "dict":
                half = len(items) // 2
                items = list(zip(items[:half], items[half:]))
            known[index] = self.intern(kind, tuple(items))
            stack.pop()
        return known[top]

    def binary_object(self, data, at, reference_size):
        """Returns the kind and references of a container, or None and the value."""
        high, low = data[at] >> 4, data[at] & 15
        at += 1
        if high in (4, 5, 6, 0xA, 0xC, 0xD) and low == 15:
            size = 1 << (data[at] & 15)
            low = int.from_bytes(data[at + 1:at + 1 + size], "big")
            at += 1 + size
        take = lambda size: data[at:at + size]
        if high == 0:
            return None, self.intern({0: "null", 8: "false", 9: "true"}[low])
        if high == 1:
            return None, self.intern("integer", int.from_bytes(take(1 << low), "big", signed=low >= 3))
        if high == 2:
            return None, self.short_real(take(4)) if low == 2 else self.intern("real64", take(8))
        if high == 3:
            return None, self.date(take(8))
        if high == 4:
            return None, self.intern("data", take(low))
        if high == 5:
            return None, self.text(take(low).decode("latin-1"))
        if high == 6:
            return None, self.intern("string", take(2 * low))
        if high == 8:
            return None, self.intern("uid", int.from_bytes(take(low + 1), "big"))
        count = 2 * low if high == 0xD else low
        references = [int.from_bytes(data[at + item * reference_size:at + (item + 1) * reference_size], "big")
                      for item in range(count)]
        return {0xA: "array", 0xC: "set", 0xD: "dict"}[high], references

    # XML files, by plistlib.

    def xml(self, data):
        return self.parsed(plistlib.loads(data, fmt=plistlib.FMT_XML))

    def parsed(self, value):
        if isinstance(value, dict):
            if list(value) == ["CF$UID"] and type(value["CF$UID"]) is int:
                return self.intern("uid", value["CF$UID"])
            return self.intern("dict", tuple((self.text(key), self.parsed(item)) for key, item in value.items()))
        if isinstance(value, list):
            return self.intern("array", tuple(map(self.parsed, value)))
        if isinstance(value, bool):
            return self.intern("true" if value else "false")
        if isinstance(value, int):
            return self.intern("integer", value)
        if isinstance(value, float):
            return self.real(math.nan if math.isnan(value) else value)
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, bytes):
            return self.intern("data", value)
        if isinstance(value, plistlib.UID):
            return self.intern("uid", value.data)
        if isinstance(value, datetime.datetime):
            return self.intern("date", struct.pack(">d", (value - EPOCH).total_seconds()))
        raise TypeError(type(value))
