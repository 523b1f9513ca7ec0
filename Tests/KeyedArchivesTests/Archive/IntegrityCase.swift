import Testing

/// A property list as typed JSON, with the problems that it has as an archive.
struct IntegrityCase: Sendable, CustomTestStringConvertible {
    let name: String
    let json: String
    /// The severity, address and message of each problem.
    let problems: [String]
    /// Whether the archive is refused; otherwise it can be read and the problems are findings.
    let isRefused: Bool

    var testDescription: String { name }

    /// Creates a case for an archive with these objects after `$null`.
    private init(
        _ name: String, _ objects: String..., top: String = #"{"root":{"$uid":1}}"#, refused: String...,
        findings: String...
    ) {
        self.init(
            name, list: Self.list(top: top, objects: (["\"$null\""] + objects).joined(separator: ",")),
            refused + findings, !refused.isEmpty)
    }

    private init(_ name: String, list: String, refused: String...) {
        self.init(name, list: list, refused, true)
    }

    private init(_ name: String, list: String, _ problems: [String], _ isRefused: Bool) {
        self.name = name
        json = list
        self.problems = problems
        self.isRefused = isRefused
    }

    private static func list(
        version: String = #""$version":100000,"#, archiver: String = #""$archiver":"NSKeyedArchiver","#,
        top: String = #"{"root":{"$uid":1}}"#, objects: String = #""$null","Swamp""#
    ) -> String {
        #"{\#(version)\#(archiver)"$top":\#(top),"$objects":[\#(objects)]}"#
    }

    static let all = envelopes + classes + references + shapes + values

    // MARK: The root

    private static let envelopes = [
        IntegrityCase("sound", #""Swamp""#),
        IntegrityCase(
            "no dictionary", list: "[]", refused: "error /$archiver: $archiver is missing; every archive needs it",
            "error /$version: $version is missing; every archive needs it",
            "error /$top: $top is missing; every archive needs it",
            "error /$objects: $objects is missing; every archive needs it"),
        IntegrityCase(
            "several faults of the root", list: list(version: #""$version":18,"#, archiver: "", top: "[]"),
            refused: "error /$archiver: $archiver is missing; every archive needs it",
            "error /$version: $version is 18; expected 100000", "error /$top: $top is an array; expected a dictionary"),
        IntegrityCase(
            "faults of the root and of objects", list: list(version: #""$version":18,"#, top: #"{"root":{"$uid":9}}"#),
            refused: "error /$version: $version is 18; expected 100000",
            "error /$top/root: UID 9 refers to no object; expected 0 to 1"),
        IntegrityCase(
            "no $archiver", list: list(archiver: ""),
            refused: "error /$archiver: $archiver is missing; every archive needs it"),
        IntegrityCase(
            "$archiver of another kind", list: list(archiver: #""$archiver":5,"#),
            refused: "error /$archiver: $archiver is an integer; expected a string"),
        IntegrityCase(
            "no $version", list: list(version: ""),
            refused: "error /$version: $version is missing; every archive needs it"),
        IntegrityCase(
            "other $version", list: list(version: #""$version":18,"#),
            refused: "error /$version: $version is 18; expected 100000"),
        IntegrityCase(
            "$version of another kind", list: list(version: #""$version":"100000","#),
            refused: "error /$version: $version is a string; expected the integer 100000"),
        IntegrityCase("$version as a real", list: list(version: #""$version":100000.0,"#), [], false),
        IntegrityCase("$version as a short real", list: list(version: #""$version":{"$real32":100000.0},"#), [], false),
        IntegrityCase(
            "other real $version", list: list(version: #""$version":1.5,"#),
            refused: "error /$version: $version is 1.5; expected 100000"),
        IntegrityCase(
            "no $top", list: #"{"$version":100000,"$archiver":"A","$objects":["$null"]}"#,
            refused: "error /$top: $top is missing; every archive needs it"),
        IntegrityCase(
            "$top of another kind", list: list(top: #"[{"$uid":1}]"#),
            refused: "error /$top: $top is an array; expected a dictionary"),
        IntegrityCase(
            "no $objects", list: #"{"$dict":[["$version",100000],["$archiver","A"],["$top",{}]]}"#,
            refused: "error /$objects: $objects is missing; every archive needs it"),
        IntegrityCase(
            "$objects of another kind",
            list: #"{"$version":100000,"$archiver":"A","$top":{},"$objects":{"0":"$null"}}"#,
            refused: "error /$objects: $objects is a dictionary; expected an array"),
        IntegrityCase(
            "no objects", list: list(objects: ""),
            refused: #"error /$objects: $objects is empty; expected "$null" as object 0"#,
            "error /$top/root: UID 1 refers to no object; the archive has no objects"),
        IntegrityCase(
            "object 0", list: list(objects: #""zero","Swamp""#),
            refused: #"error /$objects/0: object 0 is "zero"; expected "$null""#),
        IntegrityCase(
            "object 0 is a number", list: list(objects: #"0,"Swamp""#),
            refused: #"error /$objects/0: object 0 is 0; expected "$null""#),
        IntegrityCase(
            "another member",
            list: #"{"$version":100000,"$archiver":"A","$top":{},"$objects":["$null"],"a\u001bb":1}"#,
            [#"warning (root): "a\u001Bb" is not an archive member"#], false),
        IntegrityCase("other archiver", list: list(archiver: #""$archiver":"SCNKeyedArchiver","#), [], false),
        IntegrityCase("empty top", #""Swamp""#, top: "{}"),
    ]

    // MARK: Class records

    private static let classes = [
        IntegrityCase(
            "no $classname", #"{"$class":{"$uid":2}}"#, #"{"$classes":["A"]}"#,
            refused: "error /$objects/2: the class record has no $classname"),
        IntegrityCase(
            "$classname of another kind", #"{"$class":{"$uid":2}}"#, #"{"$classname":5}"#,
            refused: "error /$objects/2/$classname: the name of a class is an integer; expected a string"),
        IntegrityCase(
            "$classes of another kind", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":"A"}"#,
            refused: "error /$objects/2/$classes: $classes is a string; expected an array of class names"),
        IntegrityCase(
            "$classes with other things", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["A",1]}"#,
            refused: "error /$objects/2/$classes: $classes contains values that are not class names"),
        IntegrityCase(
            "$classhints of another kind", #"{"$class":{"$uid":2}}"#,
            #"{"$classname":"A","$classes":["A"],"$classhints":{}}"#,
            refused: "error /$objects/2/$classhints: $classhints is a dictionary; expected an array of class names"),
        IntegrityCase(
            "$classhints", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["A"],"$classhints":["B"]}"#),
        IntegrityCase(
            "renamed class", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A"}"#,
            findings: "info /$objects/2: class A has no ancestors; the archiver gave it this name"),
        IntegrityCase(
            "chain of another class", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["B","NSObject"]}"#,
            findings: "warning /$objects/2: the class chain of A does not begin with that class"),
        IntegrityCase(
            "empty chain", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A\u0007","$classes":[]}"#,
            findings: #"warning /$objects/2: the class chain of A\u0007 does not begin with that class"#),
        IntegrityCase(
            "other member", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["A"],"x":1}"#,
            findings: "warning /$objects/2: the class record has members other than its name, chain and hints"),
        IntegrityCase(
            "empty name", #"{"$class":{"$uid":2}}"#, #"{"$classname":"","$classes":["A"]}"#,
            findings: #"warning /$objects/2: the class chain of "" does not begin with that class"#,
            "warning /$objects/2: the name of the class is empty"),
        IntegrityCase(
            "record as a value", #"{"$class":{"$uid":2},"a":[{"$uid":2}]}"#, record("A"),
            findings: "warning /$objects/1/a/0: UID 2 is a class record; expected an object or nil"),
        IntegrityCase(
            "record as a root", record("A"),
            findings: "warning /$top/root: UID 1 is a class record; expected an object or nil"),
        IntegrityCase(
            "two records", #"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["A"]}"#,
            #"{"$classname":"A","$classes":["A"]}"#,
            findings: "warning /$objects/3: class A already has a record, object 2"),
    ]

    // MARK: References and objects

    private static let references = [
        IntegrityCase(
            "out of range in top", #""Swamp""#, top: #"{"root":{"$uid":9}}"#,
            refused: "error /$top/root: UID 9 refers to no object; expected 0 to 1"),
        IntegrityCase(
            "out of range in a field", #"{"$class":{"$uid":2},"a/b":[{"$uid":1},{"c":{"$uid":4294967295}}]}"#,
            record("A"),
            refused: "error /$objects/1/a~1b/1/c: UID 4294967295 refers to no object; expected 0 to 2"),
        IntegrityCase(
            "$class twice", #"{"$dict":[["$class",{"$uid":2}],["$class",{"$uid":2}]]}"#, record("A"),
            refused: "error /$objects/1: the object has a duplicate key $class"),
        IntegrityCase(
            "out of range in $class", #"{"$class":{"$uid":3}}"#, record("A"),
            refused: "error /$objects/1/$class: UID 3 refers to no object; expected 0 to 2"),
        IntegrityCase(
            "several faults", #"{"$class":{"$uid":2},"a":{"$uid":7}}"#, record("A"), top: #"{"root":{"$uid":8}}"#,
            refused: "error /$objects/1/a: UID 7 refers to no object; expected 0 to 2",
            "error /$top/root: UID 8 refers to no object; expected 0 to 2"),
        IntegrityCase(
            "faults of all kinds", #"{"$class":{"$uid":4},"NS.time":"x"}"#,
            #"{"$class":{"$uid":5},"NS.objects":[{"$uid":99}],"a":{"$uid":3}}"#, #"{"$class":{"$uid":99}}"#,
            record("NSDate"), record("NSArray"), top: #"{"root":{"$uid":2}}"#,
            refused: "error /$objects/2/NS.objects/0: UID 99 refers to no object; expected 0 to 5",
            "error /$objects/3/$class: UID 99 refers to no object; expected 0 to 5",
            findings: "error /$objects/1/NS.time: NS.time of NSDate is a string; expected a real"),
        IntegrityCase(
            "fields that lead nowhere or to what is broken",
            #"{"$class":{"$uid":3},"NS.relative":{"$uid":99},"NS.base":{"$uid":2}}"#, #"{"$uid":1}"#, record("NSURL"),
            #"{"$class":{"$uid":5},"NS.time":{"$uid":98}}"#, record("NSDate"),
            refused: "error /$objects/1/NS.relative: UID 99 refers to no object; expected 0 to 5",
            "error /$objects/2: the object is UID 1; expected a value, or an object with a class",
            "error /$objects/4/NS.time: UID 98 refers to no object; expected 0 to 5"),
        IntegrityCase(
            "$class is nil", #"{"$class":{"$uid":0}}"#,
            refused: "error /$objects/1/$class: $class refers to object 0, which is nil; expected a class record"),
        IntegrityCase(
            "$class is a string's", #"{"$class":{"$uid":2}}"#, #""Map""#,
            refused: "error /$objects/1/$class: $class refers to object 2, which is not a class record"),
        IntegrityCase(
            "$class is an object's", #"{"$class":{"$uid":1}}"#,
            refused: "error /$objects/1/$class: $class refers to object 1, which is not a class record"),
        IntegrityCase(
            "$class is a name", #"{"$class":"Map"}"#,
            refused: "error /$objects/1/$class: $class is a string; expected a UID"),
        IntegrityCase(
            "object is a UID", #"{"$uid":2}"#, #""Swamp""#,
            refused: "error /$objects/1: the object is UID 2; expected a value, or an object with a class"),
        IntegrityCase(
            "UID with company", #"{"$class":{"$uid":2},"name":{"CF$UID":3,"x":1}}"#, record("A"), #""Swamp""#,
            refused:
                "error /$objects/1/name: a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295"
        ),
        IntegrityCase(
            "object is a UID with company", #"{"CF$UID":"1","x":1}"#,
            refused:
                "error /$objects/1: a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295"
        ),
        IntegrityCase(
            "UID in a plain array", #"["a",{"b":{"$uid":1}}]"#,
            refused:
                "error /$objects/1/1/b: found a UID in a value without $class; only objects with a class can refer to others",
            findings: "warning /$objects/1: the object is an array without $class; it is read as a plain value"),
        IntegrityCase(
            "plain dictionary", #"{"a":1}"#,
            findings: "warning /$objects/1: the object is a dictionary without $class; it is read as a plain value"),
        IntegrityCase(
            "$null elsewhere", #""$null""#,
            findings: #"info /$objects/1: the string "$null" is read as nil, like object 0"#),
        IntegrityCase("cycle", #"{"$class":{"$uid":2},"me":{"$uid":1}}"#, record("A")),
    ]

    // MARK: Foundation's collections

    private static let shapes = [
        IntegrityCase("array of itself", #"{"$class":{"$uid":2},"NS.objects":[{"$uid":1}]}"#, record("NSArray")),
        IntegrityCase(
            "NS.objects missing", #"{"$class":{"$uid":2}}"#, record("NSArray"),
            findings: "error /$objects/1: NSArray has no NS.objects"),
        IntegrityCase(
            "NS.objects a string", #"{"$class":{"$uid":2},"NS.objects":"Swamp"}"#, record("NSMutableSet"),
            findings: "error /$objects/1/NS.objects: NS.objects of NSMutableSet is a string; expected an array of UIDs"),
        IntegrityCase(
            "element in place", #"{"$class":{"$uid":2},"NS.objects":[{"$uid":1},"Swamp"]}"#, record("NSArray"),
            findings: "error /$objects/1/NS.objects/1: an element of NSArray is a string; expected a UID"),
        IntegrityCase(
            "element nil", #"{"$class":{"$uid":2},"NS.objects":[{"$uid":0}]}"#, record("NSArray"),
            findings:
                "error /$objects/1/NS.objects/0: an element of NSArray is nil; readers drop it or reject the archive"),
        IntegrityCase("numbered elements", #"{"$class":{"$uid":2},"NS.object.0":{"$uid":1}}"#, record("NSArray")),
        IntegrityCase(
            "numbered element nil", #"{"$class":{"$uid":2},"NS.object.0":{"$uid":0}}"#, record("NSSet"),
            findings: "error /$objects/1/NS.object.0: an element of NSSet is nil; readers drop it or reject the archive"
        ),
        IntegrityCase(
            "element of an ordered set nil",
            #"{"$class":{"$uid":2},"NS.object.1":{"$uid":0},"NS.object.0":{"$uid":3}}"#,
            record("NSOrderedSet"), #""a""#,
            findings:
                "error /$objects/1/NS.object.1: an element of NSOrderedSet is nil; readers drop it or reject the archive"
        ),
        IntegrityCase(
            "numbered key nil", #"{"$class":{"$uid":2},"NS.key.0":{"$uid":0},"NS.object.0":{"$uid":0}}"#,
            record("NSDictionary"),
            findings:
                "error /$objects/1/NS.key.0: an element of NSDictionary is nil; readers drop it or reject the archive",
            "error /$objects/1/NS.object.0: an element of NSDictionary is nil; readers drop it or reject the archive"),
        IntegrityCase(
            "numbered elements with a gap", #"{"$class":{"$uid":2},"NS.object.1":{"$uid":1}}"#, record("NSArray"),
            findings: "error /$objects/1: NSArray has no NS.objects"),
        IntegrityCase(
            "numbered pairs", #"{"$class":{"$uid":2},"NS.key.0":{"$uid":3},"NS.object.0":{"$uid":1}}"#,
            record("NSDictionary"), #""k""#),
        IntegrityCase(
            "fewer keys", #"{"$class":{"$uid":2},"NS.keys":[{"$uid":3}],"NS.objects":[{"$uid":3},{"$uid":3}]}"#,
            record("NSDictionary"), #""k""#, findings: "error /$objects/1: NSDictionary has 1 key for 2 values"),
        IntegrityCase(
            "key nil", #"{"$class":{"$uid":2},"NS.keys":[{"$uid":0}],"NS.objects":[{"$uid":1}]}"#,
            record("NSDictionary"),
            findings:
                "error /$objects/1/NS.keys/0: an element of NSDictionary is nil; readers drop it or reject the archive"),
        IntegrityCase(
            "key twice",
            #"{"$class":{"$uid":2},"NS.keys":[{"$uid":3},{"$uid":3}],"NS.objects":[{"$uid":3},{"$uid":1}]}"#,
            record("NSDictionary"), #""k""#,
            findings:
                "warning /$objects/1/NS.keys/1: duplicate key in this NSDictionary; readers keep one of its values"
        ),
        IntegrityCase(
            "values missing", #"{"$class":{"$uid":2},"NS.keys":[]}"#, record("NSDictionary"),
            findings: "error /$objects/1: NSDictionary has no NS.objects"),
    ]

    // MARK: Foundation's values

    private static let values = [
        IntegrityCase(
            "NS.time a string", #"{"$class":{"$uid":2},"NS.time":"now"}"#, record("NSDate"),
            findings: "error /$objects/1/NS.time: NS.time of NSDate is a string; expected a real"),
        IntegrityCase(
            "NS.time of an archiver that merges numbers", #"{"$class":{"$uid":2},"NS.time":true}"#, record("NSDate")),
        IntegrityCase(
            "NS.string missing", #"{"$class":{"$uid":2}}"#, record("NSMutableString"),
            findings: "error /$objects/1: NSMutableString has no NS.string"),
        IntegrityCase("NS.bytes", #"{"$class":{"$uid":2},"NS.bytes":{"$data":""}}"#, record("NSMutableString")),
        IntegrityCase(
            "NS.data a number", #"{"$class":{"$uid":2},"NS.data":5}"#, record("NSMutableData"),
            findings: "error /$objects/1/NS.data: NS.data of NSMutableData is an integer; expected data"),
        IntegrityCase(
            "NS.intval a string", #"{"$class":{"$uid":2},"NS.intval":"5"}"#, record("NSNumber"),
            findings: "error /$objects/1/NS.intval: NS.intval of NSNumber is a string; expected an integer"),
        IntegrityCase(
            "NS.relative missing", #"{"$class":{"$uid":2},"NS.base":{"$uid":0}}"#, record("NSURL"),
            findings: "error /$objects/1: NSURL has no NS.relative"),
        IntegrityCase(
            "NS.relative in place", #"{"$class":{"$uid":2},"NS.relative":"a"}"#, record("NSURL"),
            findings: "error /$objects/1/NS.relative: NS.relative of NSURL is a string; expected a UID of a string"),
        IntegrityCase(
            "NS.relative a number", #"{"$class":{"$uid":2},"NS.relative":{"$uid":3}}"#, record("NSURL"), "5",
            findings:
                "error /$objects/1/NS.relative: NS.relative of NSURL is a UID of an integer; expected a UID of a string"
        ),
        IntegrityCase(
            "NSRangeCount a real", #"{"$class":{"$uid":2},"NSRangeCount":1.0}"#, record("NSIndexSet"),
            findings: "error /$objects/1/NSRangeCount: NSRangeCount of NSIndexSet is a real; expected an integer"),
        IntegrityCase(
            "NS.uuidbytes a string", #"{"$class":{"$uid":2},"NS.uuidbytes":"0"}"#, record("NSUUID"),
            findings: "error /$objects/1/NS.uuidbytes: NS.uuidbytes of NSUUID is a string; expected data of 16 bytes"
        ),
        IntegrityCase(
            "NS.uuidbytes too short", #"{"$class":{"$uid":2},"NS.uuidbytes":{"$data":"AAE="}}"#, record("NSUUID"),
            findings:
                "error /$objects/1/NS.uuidbytes: NS.uuidbytes of NSUUID is data of 2 bytes; expected data of 16 bytes"
        ),
        IntegrityCase(
            "NS.time not a number", #"{"$class":{"$uid":2},"NS.time":{"$real":"nan"}}"#, record("NSDate"),
            findings: "warning /$objects/1/NS.time: NS.time of NSDate is NaN, which is not a date"),
        IntegrityCase(
            "two fields", #"{"$class":{"$uid":2},"NSDomain":5,"NSCode":"x"}"#, record("NSError"),
            findings: "error /$objects/1/NSDomain: NSDomain of NSError is an integer; expected a UID of a string",
            "error /$objects/1/NSCode: NSCode of NSError is a string; expected an integer"),
    ]

    private static func record(_ name: String) -> String {
        #"{"$classname":"\#(name)","$classes":["\#(name)","NSObject"]}"#
    }
}
