"""Typedstreams as written by NSArchiver and NeXTSTEP, in both byte orders and in versions 3 and 4.

    stream(Instance(PLAYER, ("@i", "Ada", 100)))

A value of the type `@` may be text, a number, a list or a dictionary, which become Foundation objects. Equal values
become separate objects. A shared object is one `Instance`, and a shared C string is one `CString`.
"""
import struct

INT16, INT32, REAL, NEW, NIL, END, INT64 = b"\x81", b"\x82", b"\x83", b"\x84", b"\x85", b"\x86", b"\x87"
FIRST_REFERENCE = -110
WIDTHS = {"s": 16, "i": 32, "l": 32, "q": 64}


class Class:
    def __init__(self, name, version=0, parent=None):
        self.name, self.version, self.parent = name, version, parent

    def chain(self):
        return [self.name, *(self.parent.chain() if self.parent else [])]


OBJECT = Class("NSObject")
STRING = Class("NSString", 1, OBJECT)
MUTABLE_STRING = Class("NSMutableString", 1, STRING)
VALUE = Class("NSValue", 0, OBJECT)
NUMBER = Class("NSNumber", 0, VALUE)
ARRAY = Class("NSArray", 0, OBJECT)
MUTABLE_ARRAY = Class("NSMutableArray", 0, ARRAY)
DICTIONARY = Class("NSDictionary", 0, OBJECT)
MUTABLE_DICTIONARY = Class("NSMutableDictionary", 0, DICTIONARY)
SET = Class("NSSet", 0, OBJECT)
MUTABLE_SET = Class("NSMutableSet", 0, SET)
DATA = Class("NSData", 0, OBJECT)
MUTABLE_DATA = Class("NSMutableData", 0, DATA)
DATE = Class("NSDate", 0, OBJECT)
NULL = Class("NSNull", 0, OBJECT)
URL = Class("NSURL", 0, OBJECT)
COLOR = Class("NSColor", 0, OBJECT)
FONT = Class("NSFont", 21, OBJECT)


class CString:
    """A C string. It is a pointer, so two equal ones are stored twice."""

    def __init__(self, text):
        self.text = text


class Instance:
    """An object: its class, and groups of values, each beginning with the types of its values."""

    def __init__(self, record, *groups):
        self.record, self.groups = record, list(groups)


def string(text, record=STRING):
    return Instance(record, ("+", text.encode()))


# The type of a number is a constant in the program that wrote it, and thus one shared string.
CODES = {code: CString(code) for code in "cCsSiIlLqQfdB"}


def number(value, code=None):
    code = code or ("c" if isinstance(value, bool) else "d" if isinstance(value, float) else "i")
    return Instance(NUMBER, ("*", CODES[code]), (code, int(value) if code == "c" else value))


def collection(values, record=ARRAY):
    count = "I" if record in (SET, MUTABLE_SET) else "i"
    return Instance(record, (count, len(values)), *(("@", value) for value in values))


def dictionary(pairs, record=DICTIONARY):
    return Instance(record, ("i", len(pairs)), *(("@", item) for pair in pairs for item in pair))


def data(content, record=DATA):
    return Instance(record, ("i", len(content)), (f"[{len(content)}c]", content))


def color(*components):
    """A color with red, green, blue and alpha components."""
    return Instance(COLOR, ("c", 1), ("ffff", *components))


def font(name, size):
    text = b"\xff\xfe" + name.encode("utf-16-le")
    return Instance(FONT, *data(struct.pack("<ii", 6, len(text)) + text + bytes(-len(text) % 4)).groups, ("f", size),
                    *[("c", 0)] * 4)


def instance(value):
    """Returns the object that represents a Python value."""
    if value is None or isinstance(value, Instance):
        return value
    if isinstance(value, str):
        return string(value)
    if isinstance(value, (bool, int, float)):
        return number(value)
    if isinstance(value, bytes):
        return data(value)
    return dictionary(list(value.items())) if isinstance(value, dict) else collection(value)


def split(types):
    """Returns the single types of a list of types. Struct names are removed."""
    depth, start, position = 0, 0, 0
    while position < len(types):
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(types[position], 0)
        position += 1
        if depth == 0:
            yield types[start:position]
            start = position


def fields(struct_type):
    name, equals, rest = struct_type[1:-1].partition("=")
    return list(split(rest if equals and not set(name) & set("{[") else struct_type[1:-1]))


def element(array_type):
    digits = len(array_type[1:]) - len(array_type[1:].lstrip("0123456789"))
    return int(array_type[1:1 + digits]), array_type[1 + digits:-1]


class Writer:
    def __init__(self, version=4, is_big_endian=False, system=1000):
        self.order = ">" if is_big_endian else "<"
        self.is_old = version == 3
        self.strings, self.shared, self.kept = {}, {}, []
        self.out = bytearray([version, 11]) + (b"typedstream" if is_big_endian else b"streamtyped")
        self.integer(system)

    def pack(self, code, value):
        self.out += struct.pack(self.order + code, value)

    def integer(self, value):
        if FIRST_REFERENCE <= value <= 127:
            self.out += struct.pack("b", value)
        elif -32767 <= value <= 32767:
            self.out += INT16
            self.pack("h", value)
        elif -(1 << 31) <= value < 1 << 31:
            self.out += INT32
            self.pack("i", value)
        else:
            self.out += INT64
            self.pack("q", value)

    def real(self, value, code):
        value = struct.unpack(code, struct.pack(code, value))[0]
        if abs(value) < 2147483646 and value == int(value):
            self.integer(int(value))
        else:
            self.out += REAL
            self.pack(code, value)

    def bytes(self, content):
        self.integer(len(content))
        self.out += content

    def string(self, text):
        """Writes a string, which is stored once."""
        content = text if isinstance(text, bytes) else text.encode()
        if content in self.strings:
            return self.integer(self.strings[content] + FIRST_REFERENCE)
        self.strings[content] = len(self.strings)
        self.out += NEW
        self.bytes(content)

    def share(self, thing):
        """Writes the beginning of a class, object or C string. Returns whether this is its first occurrence in the
        stream."""
        if thing is None:
            self.out += NIL
        elif id(thing) in self.shared:
            self.integer(self.shared[id(thing)] + FIRST_REFERENCE)
        else:
            self.shared[id(thing)] = len(self.shared)
            self.kept.append(thing)
            self.out += NEW
            return True
        return False

    def record(self, record):
        while self.share(record):
            self.string(record.name)
            self.integer(record.version)
            record = record.parent

    def group(self, types, *values):
        if not (self.is_old and types == "@"):
            self.string(types)
        for code, value in zip(split(types), values, strict=True):
            self.value(code, value)

    def object(self, value):
        value = instance(value)
        if self.share(value):
            self.record(value.record)
            if self.is_old:
                self.integer(0)
            for group in value.groups:
                self.group(*group)
            self.out += END

    def value(self, code, value):
        if code in ("c", "C", "B"):
            self.out += struct.pack("B", int(value) & 0xFF)
        elif code.lower() in WIDTHS:
            width = WIDTHS[code.lower()]
            self.integer(value - (1 << width) if value >= 1 << (width - 1) else value)
        elif code in ("f", "d"):
            self.real(value, code)
        elif code == "@":
            self.object(value)
        elif code == "#":
            self.record(value)
        elif code == "*":
            if self.share(value):
                self.string(value.text)
        elif code in ("%", ":"):
            self.out += NIL if value is None else b""
            if value is not None:
                self.string(value)
        elif code == "+":
            self.bytes(value)
        elif code[0] == "{":
            for inner, item in zip(fields(code), value, strict=True):
                self.value(inner, item)
        elif code[0] == "[":
            count, inner = element(code)
            if inner in ("c", "C"):
                self.out += value
            else:
                for item in value:
                    self.value(inner, item)
        else:
            assert code == "!", code


def stream(*roots, **how):
    """Returns a stream of roots, which are objects or, as tuples, groups."""
    writer = Writer(**how)
    for root in roots:
        writer.group(*(root if isinstance(root, tuple) else ("@", root)))
    return bytes(writer.out)
