"""Binary property lists, assembled from bytes, for files that no writer produces.

    file(array(1), integer(5))            objects in the given order
    document({"k": Real32(0.5)})          a value with the layout of Core Foundation
"""
import struct


def be(value, size):
    return (value % (1 << 8 * size)).to_bytes(size, "big")


def counted(kind, count):
    """Returns a marker and its count. Counts from 15 on follow as an integer."""
    if count < 15:
        return bytes([kind << 4 | count])
    size = 1 if count <= 0xFF else 2 if count <= 0xFFFF else 4
    return bytes([kind << 4 | 15, 0x10 | size.bit_length() - 1]) + be(count, size)


# Objects. References are one-byte numbers.

def integer(value, size=None):
    if size is None:
        size = 16 if not -(1 << 63) <= value < 1 << 63 else 8 if value < 0 or value >> 32 else \
            4 if value >> 16 else 2 if value >> 8 else 1
    return bytes([0x10 | size.bit_length() - 1]) + be(value, size)


def array(*references):
    return counted(0xA, len(references)) + bytes(references)


def text(string):
    return counted(0x5, len(string)) + string.encode("ascii")


# Files.

def file(*objects, top=0, offsets=None, offset_size=None, reference_size=1, header=b"bplist00", count=None,
         table=None, unused=bytes(5), sort_version=0, tail=b""):
    """Returns a file of objects in the given order. Named arguments replace correct values."""
    body = header + b"".join(objects)
    if offsets is None:
        offsets, position = [], len(header)
        for item in objects:
            offsets.append(position)
            position += len(item)
    start = len(body)
    if offset_size is None:
        offset_size = 1 if start < 256 else 2 if start < 65536 else 4
    trailer = unused + bytes([sort_version, offset_size, reference_size]) + be(len(offsets) if count is None else count, 8)
    trailer += be(top, 8) + be(start if table is None else table, 8)
    return body + b"".join(be(offset, offset_size) for offset in offsets) + trailer + tail


# Values without a Python type.

class Null:
    pass


class Raw:
    """A scalar given by its bytes."""

    def __init__(self, data):
        self.data = data


class Real32(Raw):
    def __init__(self, value):
        super().__init__(b"\x22" + (be(value, 4) if isinstance(value, int) else struct.pack(">f", value)))


class Real64(Raw):
    """An 8-byte real. An int gives its bits."""

    def __init__(self, value):
        super().__init__(b"\x23" + (be(value, 8) if isinstance(value, int) else struct.pack(">d", value)))


class Date(Raw):
    """Seconds since 2001-01-01T00:00:00Z. An int gives their bits."""

    def __init__(self, value):
        super().__init__(b"\x33" + (be(value, 8) if isinstance(value, int) else struct.pack(">d", value)))


class Units(Raw):
    """A string of UTF-16 code units."""

    def __init__(self, *units):
        super().__init__(counted(0x6, len(units)) + b"".join(be(unit, 2) for unit in units))


class UID:
    def __init__(self, value):
        size = 1 if value <= 0xFF else 2 if value <= 0xFFFF else 4
        self.data = bytes([0x80 | size - 1]) + be(value, size)


class Set:
    def __init__(self, *elements):
        self.elements = elements


class Pairs:
    """A dictionary with arbitrary keys, which may occur twice."""

    def __init__(self, *pairs):
        self.pairs = pairs


def scalar(value):
    """Returns the bytes of a scalar, and whether Core Foundation stores equal ones only once."""
    if isinstance(value, Null):
        return b"\x00", False
    if isinstance(value, bool):
        return (b"\x09" if value else b"\x08"), False
    if isinstance(value, UID):
        return value.data, False
    if isinstance(value, Raw):
        return value.data, True
    if isinstance(value, int):
        return integer(value), True
    if isinstance(value, float):
        return Real64(value).data, True
    if isinstance(value, bytes):
        return counted(0x4, len(value)) + value, True
    if value.isascii():
        return text(value), True
    units = value.encode("utf-16-be", "surrogatepass")
    return counted(0x6, len(units) // 2) + units, True


def container(value):
    """Returns the kind and count of a container, and its references in order."""
    if isinstance(value, list):
        return 0xA, len(value), value
    if isinstance(value, Set):
        return 0xC, len(value.elements), value.elements
    pairs = value.pairs if isinstance(value, Pairs) else list(value.items())
    return 0xD, len(pairs), [key for key, _ in pairs] + [item for _, item in pairs]


def document(root):
    """Returns a file with a value. Equal scalars are one object; booleans, UIDs and containers are added at every
    visit."""
    entries, numbers = [], {}

    def enter(value):
        if isinstance(value, (dict, Pairs, list, Set)):
            number = len(entries)
            entries.append(None)
            kind, count, contents = container(value)
            entries[number] = kind, count, [enter(item) for item in contents]
            return number
        data, once = scalar(value)
        if data in numbers and once:
            return numbers[data]
        entries.append(data)
        return numbers.setdefault(data, len(entries) - 1)

    enter(root)
    size = 1 if len(entries) <= 0xFF else 2
    objects = [entry if isinstance(entry, bytes) else
               counted(entry[0], entry[1]) + b"".join(be(reference, size) for reference in entry[2])
               for entry in entries]
    return file(*objects, reference_size=size)
