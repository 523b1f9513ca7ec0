"""Keyed archives as graphs, read without savetool's code: checks an archive for errors, compares the graphs of two
archives, and checks whether an archive has the layout of NSKeyedArchiver.

Values are the numbers of `plist_values.Values`. An object is identified by its index in `$objects`. An *instance* is a
dictionary with `$class`, and a *record* one with `$classname` and no `$class`. All other entries of `$objects` are
*raw*.
"""
from collections import Counter

ENVELOPE = {"$archiver": "string", "$version": "integer", "$top": "dict", "$objects": "array"}
CONTAINERS = ("array", "set", "dict")


class Unsound(Exception):
    pass


class Different(Exception):
    pass


class Archive:
    def __init__(self, values, root):
        self.values = values
        self.envelope = dict(self.members(root))
        for name, kind in ENVELOPE.items():
            if name not in self.envelope or self.kind(self.envelope[name]) != kind:
                raise Unsound(f"no {name}, or it is of another kind")
        if self.envelope["$version"] != values.intern("integer", 100000):
            raise Unsound("$version is not 100000")
        self.top = self.members(self.envelope["$top"])
        self.objects = self.content(self.envelope["$objects"])
        self.null = values.text("$null")
        self.fields = [self.members(value) if self.kind(value) == "dict" else None for value in self.objects]
        names = [{name for name, _ in fields} if fields is not None else set() for fields in self.fields]
        self.is_instance = ["$class" in held for held in names]
        self.is_record = ["$classname" in held and "$class" not in held for held in names]
        self.check()

    def kind(self, value):
        return self.values.entries[value][0]

    def content(self, value):
        return self.values.entries[value][1]

    def string(self, value):
        return self.content(value).decode("utf-16-be", "surrogatepass") if self.kind(value) == "string" else None

    def members(self, value):
        return [(self.string(key), item) for key, item in self.content(value)]

    # Errors (see the article ArchiveFindings) in the structure of the archive, but not in the rules of single classes.

    def check(self):
        if not self.objects or self.objects[0] != self.null:
            raise Unsound("$objects does not begin with $null")
        if any(name is None for name, _ in self.top):
            raise Unsound("$top has a key that is no string")
        self.check_references([value for _, value in self.top], "$top")
        for index, fields in enumerate(self.fields):
            place = f"$objects[{index}]"
            if self.kind(self.objects[index]) == "uid":
                raise Unsound(f"{place} is a reference")
            if fields is None:
                continue
            if any(name is None for name, _ in fields):
                raise Unsound(f"{place} has a key that is no string")
            if self.is_record[index]:
                self.check_record(dict(fields), place)
            elif self.is_instance[index]:
                self.check_class([value for name, value in fields if name == "$class"], place)
            self.check_references([value for name, value in fields if name != "$class"], place)

    def check_record(self, fields, place):
        if self.string(fields["$classname"]) is None:
            raise Unsound(f"{place}: $classname is no string")
        for name in {"$classes", "$classhints"} & set(fields):
            if self.kind(fields[name]) != "array" or None in map(self.string, self.content(fields[name])):
                raise Unsound(f"{place}: {name} is no array of strings")

    def check_class(self, classes, place):
        if len(classes) > 1:
            raise Unsound(f"{place} has two $class")
        if self.kind(classes[0]) != "uid":
            raise Unsound(f"{place}: $class is no reference")
        index = self.content(classes[0])
        if not 0 <= index < len(self.objects) or not self.is_record[index]:
            raise Unsound(f"{place}: $class refers to {index}, which is no class")

    def check_references(self, values, place):
        for index in self.references(values):
            if not 0 <= index < len(self.objects):
                raise Unsound(f"{place} refers to {index} of {len(self.objects)}")
            if self.is_record[index]:
                raise Unsound(f"{place} refers to {index}, which is a class")

    def references(self, values):
        """Yields the objects that values refer to, in order."""
        stack = list(reversed(values))
        while stack:
            kind, content = self.values.entries[stack.pop()]
            if kind == "uid":
                yield content
            elif kind in CONTAINERS:
                stack.extend(reversed([item for _, item in content] if kind == "dict" else content))

    # Contents.

    def target(self, index):
        """Returns the object that a reference means. Every `$null` is object 0."""
        return 0 if self.objects[index] == self.null else index

    def record(self, instance):
        """Returns the class record of an instance. The order of its entries does not matter."""
        return self.records(next(self.content(value) for name, value in self.fields[instance] if name == "$class"))

    def records(self, index):
        return tuple(sorted(self.fields[index]))

    def stored(self, instance):
        """Returns the fields of an instance."""
        return [(name, value) for name, value in self.fields[instance] if name != "$class"]

    def is_plain(self, index):
        return self.kind(self.objects[index]) not in CONTAINERS

    def scalars(self):
        return {value for index, value in enumerate(self.objects) if self.is_plain(index)}

    def lone_scalars(self):
        """Returns the number of occurrences in `$objects` of each scalar that no reference leads to."""
        targets = set(self.references([*(value for _, value in self.top), *self.objects]))
        return Counter(value for index, value in enumerate(self.objects)
                       if self.is_plain(index) and value != self.null and index not in targets)

    def beyond(self, reached):
        """Returns the objects that are not reached, not classes and not `$null`."""
        return [index for index, value in enumerate(self.objects)
                if index not in reached and not self.is_record[index] and value != self.null]


class Comparison:
    """Finds the one-to-one relation of the instances of two archives that makes their graphs equal."""

    def __init__(self, first, second):
        self.first, self.second = first, second
        self.there, self.back, self.added = {}, {}, []
        self.reached = set(), set()
        self.raw = set()

    def run(self):
        for name in ("$archiver", "$version"):
            if self.first.envelope[name] != self.second.envelope[name]:
                raise Different(f"another {name}")
        self.walk(self.matched(self.first.top, self.second.top, "$top"))
        self.compare_unreached()

    def walk(self, pairs):
        stack = list(pairs)
        while stack:
            stack.extend(self.step(*stack.pop()))

    def step(self, one, other, place):
        """Compares two values and returns the pairs of nested values to compare."""
        (kind, content), (other_kind, other_content) = self.first.values.entries[one], self.first.values.entries[other]
        if kind != other_kind:
            raise Different(f"{place}: {kind} became {other_kind}")
        if kind == "uid":
            return self.objects(self.first.target(content), self.second.target(other_content), place)
        if kind == "dict":
            return self.matched(self.first.members(one), self.second.members(other), place)
        if kind in CONTAINERS:
            if len(content) != len(other_content):
                raise Different(f"{place}: {len(content)} elements became {len(other_content)}")
            return [(a, b, f"{place}/{i}") for i, (a, b) in enumerate(zip(content, other_content))]
        if one != other:
            raise Different(f"{place}: another {kind}")
        return []

    def matched(self, fields, others, place):
        """Returns pairs of values with the same name. Values with a duplicate name are paired in order."""
        fields, others = (sorted(list_, key=lambda field: str(field[0])) for list_ in (fields, others))
        if [name for name, _ in fields] != [name for name, _ in others]:
            raise Different(f"{place}: other names")
        return [(value, other, f"{place}/{name}") for (name, value), (_, other) in zip(fields, others)]

    def objects(self, index, other, place):
        if index == 0 or other == 0:
            if index != other:
                raise Different(f"{place}: null on one side")
            return []
        self.reached[0].add(index)
        self.reached[1].add(other)
        if self.first.is_instance[index] != self.second.is_instance[other]:
            raise Different(f"{place}: an instance on one side")
        return (self.instances if self.first.is_instance[index] else self.raw_objects)(index, other, place)

    def raw_objects(self, index, other, place):
        if (index, other) in self.raw:
            return []
        self.raw.add((index, other))
        return [(self.first.objects[index], self.second.objects[other], place)]

    def instances(self, index, other, place):
        if index in self.there or other in self.back:
            if self.there.get(index) != other or self.back.get(other) != index:
                raise Different(f"{place}: other sharing")
            return []
        if self.first.record(index) != self.second.record(other):
            raise Different(f"{place}: another class record")
        self.there[index], self.back[other] = other, index
        self.added.append((index, other))
        return self.matched(self.first.stored(index), self.second.stored(other), place)

    # Objects that `$top` does not reach. Equal raw scalars may be merged only if something refers to them.

    def compare_unreached(self):
        sides = self.first, self.second
        if self.first.lone_scalars() != self.second.lone_scalars():
            raise Different("other scalars that nothing refers to")
        rests = [side.beyond(reached) for side, reached in zip(sides, self.reached)]
        for side, rest, other in zip(sides, rests, reversed(sides)):
            if not {side.objects[index] for index in rest if side.is_plain(index)} <= other.scalars():
                raise Different("an unreferenced scalar is on one side only")
        rests = [[index for index in rest if not side.is_plain(index)] for side, rest in zip(sides, rests)]
        if len(rests[0]) != len(rests[1]):
            raise Different(f"{len(rests[0])} unreferenced objects became {len(rests[1])}")
        colours = Colours(self, rests)
        candidates = {}
        for other in rests[1]:
            candidates.setdefault(colours.of(1, other), []).append(other)
        for index in rests[0]:
            if index not in self.reached[0]:
                self.find(index, candidates.get(colours.of(0, index), []))

    def find(self, index, candidates):
        """Pairs an unreferenced object with the first candidate that has the same graph."""
        for other in candidates:
            if other in self.reached[1]:
                continue
            kept = [set(side) for side in self.reached]
            self.added = []
            try:
                return self.walk(self.objects(index, other, f"$objects[{index}]"))
            except Different:
                for a, b in self.added:
                    del self.there[a], self.back[b]
                self.reached = tuple(kept)
                self.raw = set()
        raise Different(f"$objects[{index}]: unreferenced, and not found again")


class Colours:
    """Numbers for unreferenced objects. Objects with the same graph have the same number. Each round refines the
    numbers by the numbers of the objects that an object refers to."""
    ROUNDS = 16

    def __init__(self, comparison, rests):
        self.sides = comparison.first, comparison.second
        self.known = comparison.there, {other: other for other in comparison.back}
        self.tables = [dict.fromkeys(rest, 0) for rest in rests]
        for _ in range(self.ROUNDS):
            numbers = {}
            self.tables = [{index: numbers.setdefault(self.look(side, index), len(numbers)) for index in table}
                           for side, table in enumerate(self.tables)]

    def of(self, side, index):
        return self.tables[side][index]

    def look(self, number, index):
        side = self.sides[number]
        if not side.is_instance[index]:
            return self.token(number, side.objects[index])
        fields = sorted((name, repr(self.token(number, value))) for name, value in side.stored(index))
        return side.record(index), tuple(fields)

    def token(self, number, value):
        """Returns a value in which references are replaced with what they refer to. Containers are rarely nested, and
        never deeply."""
        side = self.sides[number]
        kind, content = side.values.entries[value]
        if kind == "uid":
            target = side.target(content)
            if target in self.tables[number]:
                return "unreferenced", self.tables[number][target]
            return ("instance", self.known[number][target]) if side.is_instance[target] else ("raw", side.objects[target])
        if kind == "dict":
            return kind, tuple(sorted((name, repr(self.token(number, item))) for name, item in side.members(value)))
        if kind in CONTAINERS:
            return kind, tuple(self.token(number, item) for item in content)
        return value


def layout_fault(archive):
    """Returns the first difference from the layout of NSKeyedArchiver, or None. Objects are in the order of first
    reference, a class record follows the contents of its first instance, and no referenced object occurs twice."""
    for index, expected in enumerate(first_references(archive), 1):
        if index != expected:
            return f"$objects[{expected}] should be $objects[{index}]: it is the next in order of first reference"
    records = [archive.records(index) for index, is_record in enumerate(archive.is_record) if is_record]
    if len(set(records)) != len(records):
        return "two equal class records"
    scalars = Counter(value for index, value in enumerate(archive.objects) if archive.is_plain(index))
    scalars -= archive.lone_scalars()
    if any(count > 1 for count in scalars.values()):
        return "two equal raw scalars"
    return None


def first_references(archive):
    """Yields the objects in the order of NSKeyedArchiver: from `$top`, then the unreferenced ones."""
    seen = {0}
    yield from visited(archive, [value for _, value in archive.top], seen)
    for index in range(1, len(archive.objects)):
        if index not in seen:
            yield from visited(archive, [archive.values.intern("uid", index)], seen)


def visited(archive, values, seen):
    stack = list(reversed(list(archive.references(values))))
    while stack:
        index = stack.pop()
        if index in seen:
            continue
        seen.add(index)
        yield index
        if archive.is_record[index]:
            continue
        if not archive.is_instance[index]:
            stack.extend(reversed(list(archive.references([archive.objects[index]]))))
            continue
        stack.append(next(archive.content(value) for name, value in archive.fields[index] if name == "$class"))
        stack.extend(reversed(list(archive.references([value for _, value in archive.stored(index)]))))
