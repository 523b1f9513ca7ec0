@testable import SaveCodec
import Testing

@testable import SaveInspection

struct ValidationCase: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let bytes: [UInt8]
    var format: Format? = .json
    var isArchive = false
    var validation = Validation()
    let findings: [String]

    init(
        _ name: String, _ text: String, format: Format? = .json, isArchive: Bool = false,
        validation: Validation = Validation(), _ findings: String...
    ) {
        testDescription = name
        bytes = Array(text.utf8)
        (self.format, self.isArchive, self.validation, self.findings) = (format, isArchive, validation, findings)
    }

    /// Creates a case for an archive as typed JSON, with these objects after `$null`.
    init(
        _ name: String, top: String = #"{"root":{"$uid":1}}"#, null: String = #""$null""#, _ objects: [String],
        allow: [String]? = ["NSObject"], _ findings: String...
    ) {
        testDescription = name
        let list = ([null] + objects).joined(separator: ",")
        bytes = Array(#"{"$version":100000,"$archiver":"A","$top":\#(top),"$objects":[\#(list)]}"#.utf8)
        validation = Validation(classes: allow.map { [ClassPolicy(allowing: $0)] } ?? [])
        isArchive = true
        self.findings = findings
    }

    static let all = lists + envelopes + integrity + graph + classes + unsound

    // MARK: Syntax and keys

    private static let lists = [
        ValidationCase("sound", #"{"a": 1}"#),
        ValidationCase(
            "nothing", "", format: nil,
            "error format.empty byte 0x0: the file is empty; expected \(Format.alternatives)"),
        ValidationCase(
            "another format", "PK\u{3}\u{4}", format: nil,
            "error format.zip byte 0x0: this is a zip archive; unpack it first"),
        ValidationCase("cut off", "[1", #"error json.syntax 1:3: found the end of the text; expected "," or "]""#),
        ValidationCase(
            "another format than asked for", "[1]", format: .xml, validation: Validation(format: .xml),
            #"error xml.text 1:1: found "[" between elements; expected a tag"#),
        ValidationCase(
            "deeper than allowed", "[[[]]]", validation: Validation(limits: Limits(maxDepth: 2)),
            "error limit.depth 1:3: containers are nested more than 2 levels deep"),
        ValidationCase(
            "repeated keys", #"{"a": 1, "b": {"c/": 1, "c/": 2}, "a": 2}"#,
            "warning document.repeated-key 1:35: /a: duplicate key \"a\"; readers keep its last value",
            "warning document.repeated-key 1:25: /b/c~1: duplicate key \"c/\"; readers keep its last value"
        ),
        ValidationCase(
            "repeated key in XML",
            "<plist><dict><key>k</key><true/><key>k</key><false/></dict></plist>", format: .xml,
            "warning document.repeated-key 1:33: /k: duplicate key \"k\"; readers keep its last value"),
        ValidationCase(
            "repeated key in OpenStep", "{k = 1; k = 2;}", format: .openStep,
            "warning document.repeated-key 1:9: /k: duplicate key \"k\"; readers keep its last value"),
        ValidationCase(
            "key that is no string", #"[{"$dict": [[1, 2]]}]"#,
            "warning document.key-kind 1:2: /0: the dictionary has a non-string key"),
        ValidationCase(
            "what the reader warns of", "<plist><real>1e999</real></plist>x", format: .xml,
            "warning xml.real-range 1:14: the number is too large for a 64-bit real; it was read as infinity",
            "warning xml.trailing 1:34: found text after the property list; it was ignored"),
        ValidationCase(
            "XML without quotes", "<?xml version=1.0?><plist version=1.0><true/></plist>", format: .xml,
            "warning xml.malformed-declaration 1:1: the XML declaration is not well-formed; "
                + #"expected <?xml version="1.0"?>; other readers reject it"#,
            "warning xml.attributes 1:20: the attributes of the tag are not well-formed; "
                + #"expected values in quotes, as in version="1.0"; other readers reject them"#),
        ValidationCase(
            "document type without its second identifier", #"<!DOCTYPE plist PUBLIC "a"><plist><true/></plist>"#,
            format: .xml,
            "warning xml.document-type 1:1: the document type is not well-formed; expected <!DOCTYPE plist> or public "
                + "and system identifiers in quotes; other readers reject it"),
    ]

    // MARK: The table of the article ArchiveFindings, row by row

    private static let envelopes = [
        ValidationCase(
            "no $archiver", #"{"$version":100000,"$top":{},"$objects":["$null"]}"#, isArchive: true,
            "error archive.member 1:1: /$archiver: $archiver is missing; every archive needs it"),
        ValidationCase(
            "$objects of another kind", #"{"$version":100000,"$archiver":"A","$top":{},"$objects":{}}"#,
            isArchive: true, "error archive.member-kind 1:57: /$objects: $objects is a dictionary; expected an array"),
        ValidationCase(
            "other version", #"{"$version":1,"$archiver":"A","$top":{},"$objects":["$null"]}"#, isArchive: true,
            "error archive.version 1:13: /$version: $version is 1; expected 100000"),
        ValidationCase(
            "object 0", null: #""zero""#, [#""a""#],
            #"error archive.null 1:75: /$objects/0: object 0 is "zero"; expected "$null""#),
        ValidationCase(
            "no root", top: #"{"a":{"$uid":1},"b":{"$uid":1}}"#, [#""x""#],
            "info archive.root-name 1:43: /$top: no object is named root; the archive has a, b"),
        ValidationCase(
            "no roots", top: "{}", [#""x""#],
            "info archive.top-empty 1:43: /$top: $top is empty; the archive has no roots"),
    ]

    private static let integrity = [
        ValidationCase(
            "inline where a UID is expected", [#"{"$class":{"$uid":2},"NS.objects":["x"]}"#, record("NSArray")],
            "error archive.element-kind 1:118: /$objects/1/NS.objects/0 (/root/NS.objects/0): an element of NSArray is a string; expected a UID"
        ),
        ValidationCase(
            "UID out of range", [#"{"$class":{"$uid":2},"a":{"$uid":9}}"#, record("A")],
            "error archive.uid-range 1:108: /$objects/1/a: UID 9 refers to no object; expected 0 to 2"),
        ValidationCase(
            "$class is no class record", [#"{"$class":{"$uid":0}}"#],
            "error archive.class-record 1:93: /$objects/1/$class: $class refers to object 0, which is nil; expected a class record"
        ),
        ValidationCase(
            "$class is no UID", [#"{"$class":"A"}"#],
            "error archive.class-reference 1:93: /$objects/1/$class: $class is a string; expected a UID"),
        ValidationCase(
            "no $classname", [#"{"$class":{"$uid":2}}"#, #"{"$classes":["A"]}"#],
            "error archive.class-name 1:105: /$objects/2: the class record has no $classname"),
        ValidationCase(
            "no $classes", [#"{"$class":{"$uid":2}}"#, #"{"$classname":"A"}"#], allow: ["A"],
            "info archive.class-renamed 1:105: /$objects/2: class A has no ancestors; the archiver gave it this name"
        ),
        ValidationCase(
            "chain of another class", [#"{"$class":{"$uid":2}}"#, #"{"$classname":"A","$classes":["B"]}"#],
            allow: ["A"],
            "warning archive.class-chain-start 1:105: /$objects/2: the class chain of A does not begin with that class"),
        ValidationCase(
            "fewer keys than values",
            [
                #"{"$class":{"$uid":2},"NS.keys":[{"$uid":3}],"NS.objects":[{"$uid":3},{"$uid":3}]}"#,
                record("NSDictionary"), #""k""#,
            ],
            "error archive.pair-count 1:83: /$objects/1 (/root): NSDictionary has 1 key for 2 values"),
        ValidationCase(
            "nil in a collection", [#"{"$class":{"$uid":2},"NS.objects":[{"$uid":0}]}"#, record("NSSet")],
            "error archive.element-nil 1:118: /$objects/1/NS.objects/0 (/root/0): an element of NSSet is nil; readers drop it or reject the archive"
        ),
        ValidationCase(
            "plain dictionary", [#"{"a":1}"#],
            "warning archive.no-class 1:83: /$objects/1 (/root): the object is a dictionary without $class; it is read as a plain value"
        ),
        ValidationCase(
            "field of another kind", [#"{"$class":{"$uid":2},"NS.time":"now"}"#, record("NSDate")],
            "error archive.field-kind 1:114: /$objects/1/NS.time (/root/NS.time): NS.time of NSDate is a string; expected a real"
        ),
        ValidationCase("cycle", [#"{"$class":{"$uid":2},"me":{"$uid":1}}"#, record("A")]),
        ValidationCase(
            "object that nothing refers to", [#""x""#, #""y""#],
            "warning archive.unreferenced 1:87: /$objects/2: this object is unreachable from the roots"),
        ValidationCase(
            "objects that no root leads to", [#""x""#, #"{"$class":{"$uid":4},"a":{"$uid":3}}"#, #""y""#, record("A")],
            "warning archive.unreferenced 1:87: /$objects/2: 2 objects are unreachable from the roots; this is the first"
        ),
        ValidationCase(
            "a field in place and as an object",
            [
                #"{"$class":{"$uid":5},"NS.objects":[{"$uid":2},{"$uid":3},{"$uid":4},{"$uid":8}]}"#,
                #"{"$class":{"$uid":6},"score":{"$uid":7}}"#, #"{"$class":{"$uid":6},"score":10}"#,
                #"{"$class":{"$uid":6},"score":{"$uid":7}}"#, record("NSArray"), record("Player"), "20",
                #"{"$class":{"$uid":6},"score":{"$uid":0}}"#,
            ],
            "warning archive.field-storage 1:234: /$objects/3/score (/root/1/score): score of Player is stored in place in 1 object and as an object in 2, the first at /root/0; a program reads only one of the two"
        ),
        ValidationCase(
            "objects that no root leads to in the other form",
            [
                #"{"$class":{"$uid":3},"a\u001b":{"$uid":4}}"#, #"{"$class":{"$uid":3},"a\u001b":1}"#, record("A"), "5",
                #"{"$class":{"$uid":3},"a\u001b":1}"#,
            ],
            "warning archive.unreferenced 1:126: /$objects/2: 2 objects are unreachable from the roots; this is the first",
            #"warning archive.field-storage 1:114: /$objects/1/a\u001B (/root/a\u001B): a\u001B of A is stored as an object in 1 object and in place in 2; a program reads only one of the two"#
        ),
        ValidationCase(
            "values in containers in place",
            [
                #"{"$class":{"$uid":2},"refs":[{"$uid":3}],"map":{"a":{"$uid":3}},"list":[{"$uid":3},5],"pairs":{"a":1},"of":[[{"$uid":3}]]}"#,
                record("Player"), "5",
            ],
            "warning archive.in-place-values 1:154: /$objects/1/list (/root/list): list of Player stores values other than references in place in 1 object; unarchivers cannot read them",
            "warning archive.in-place-values 1:177: /$objects/1/pairs (/root/pairs): pairs of Player stores values other than references in place in 1 object; unarchivers cannot read them",
            "warning archive.in-place-values 1:190: /$objects/1/of (/root/of): of of Player stores values other than references in place in 1 object; unarchivers cannot read them"
        ),
        ValidationCase(
            "two records of a class", [#"{"$class":{"$uid":2},"a":{"$uid":4}}"#, record("A"), record("A"), "5"],
            "warning archive.class-twice 1:167: /$objects/3: class A already has a record, object 2"),
        ValidationCase(
            "number that is no UID",
            """
            <plist><dict><key>$version</key><integer>100000</integer><key>$archiver</key><string>A</string>\
            <key>$top</key><dict><key>root</key><dict><key>CF$UID</key><real>0.5</real></dict></dict>\
            <key>$objects</key><array><string>$null</string></array></dict></plist>
            """, format: .xml, isArchive: true,
            "error archive.uid-number 1:171: the number under CF$UID is not a UID; expected an integer from 0 to 4294967295"
        ),
    ]

    // MARK: Graph JSON

    private static let graph = [
        ValidationCase(
            "graph JSON",
            #"{"$archiver":"A","$version":100000,"$top":{"root":{"$class":"Map"}},"$classes":{"Map":["Map"]}}"#,
            isArchive: true,
            "info archive.classes objects have a custom class: Map"),
        ValidationCase(
            "stored forms in graph JSON",
            #"{"$archiver":"A","$version":100000,"$top":{"root":[{"$class":"Map","x":1},{"$class":"Map","x":"a"}]},"$classes":{"Map":["Map"]}}"#,
            isArchive: true,
            "info archive.classes objects have a custom class: Map",
            "warning archive.field-storage 1:72: /root/0/x: x of Map is stored in place in 1 object and as an object in 1, the first at /root/1; a program reads only one of the two"
        ),
        ValidationCase(
            "unexpected class in graph JSON",
            #"{"$archiver":"A","$version":100000,"$top":{"root":{"$class":"Map"}},"$classes":{"Map":["Map"]}}"#,
            isArchive: true, validation: Validation(classes: [ClassPolicy(allowing: [])]),
            "error class.unexpected 1:51: /root: 1 object is of class Map, which is not allowed"),
        ValidationCase(
            "graph JSON that is none", #"{"$archiver":"A","$version":100000,"$top":{"root":{"$ref":7}}}"#,
            isArchive: true,
            "error graph.reference 1:51: /$top/root: no object has the $id 7"),
    ]

    // MARK: Classes

    /// `root` is a Map whose `list` is an NSMutableArray of two players, the second of a class derived from Player.
    private static let game = [
        #"{"$class":{"$uid":5},"list":{"$uid":2}}"#, #"{"$class":{"$uid":6},"NS.objects":[{"$uid":3},{"$uid":4}]}"#,
        #"{"$class":{"$uid":7}}"#, #"{"$class":{"$uid":8}}"#, record("Map"),
        #"{"$classname":"NSMutableArray","$classes":["NSMutableArray","NSArray","NSObject"]}"#, record("Player"),
        #"{"$classname":"Boss","$classes":["Boss","Player","NSObject"]}"#,
    ]

    private static let classes = [
        ValidationCase(
            "no policy", game, allow: nil,
            "info archive.classes objects have 3 custom classes: Map, Player, Boss"),
        ValidationCase("all allowed", game, allow: ["Foundation", "Map", "Player"]),
        ValidationCase("ancestors allow", game, allow: ["NSArray", "Map", "Player"]),
        ValidationCase(
            "descendants do not", game, allow: ["Foundation", "Map", "Boss"],
            "error class.unexpected 1:182: /$objects/3 (/root/list/0): 1 object is of class Player, which is not allowed"
        ),
        ValidationCase(
            "nothing allowed", game, allow: [],
            "error class.unexpected 1:83: /$objects/1 (/root): 1 object is of class Map, which is not allowed",
            "error class.unexpected 1:123: /$objects/2 (/root/list): 1 object is of class NSMutableArray, which is not allowed; Foundation would allow it",
            "error class.unexpected 1:182: /$objects/3 (/root/list/0): 1 object is of class Player, which is not allowed",
            "error class.unexpected 1:204: /$objects/4 (/root/list/1): 1 object is of class Boss, which is not allowed"),
        ValidationCase(
            "a class in a chain without ancestors",
            [#"{"$class":{"$uid":2}}"#, #"{"$classname":"A"}"#], allow: ["NSArray"],
            "info archive.class-renamed 1:105: /$objects/2: class A has no ancestors; the archiver gave it this name",
            "error class.unexpected 1:83: /$objects/1 (/root): 1 object is of class A, which is not allowed"),
        ValidationCase(
            "several objects, one of them lost",
            [#"{"$class":{"$uid":3}}"#, #"{"$class":{"$uid":3}}"#, record("A\\u001b")], allow: ["Foundation"],
            "warning archive.unreferenced 1:105: /$objects/2: this object is unreachable from the roots",
            #"error class.unexpected 1:83: /$objects/1 (/root): 2 objects are of class A\u001B, which is not allowed"#),
        ValidationCase(
            "first object that no root leads to",
            [#""x""#, #"{"$class":{"$uid":3}}"#, record("A")], allow: [],
            "warning archive.unreferenced 1:87: /$objects/2: this object is unreachable from the roots",
            "error class.unexpected 1:87: /$objects/2: 1 object is of class A, which is not allowed"),
        ValidationCase("class record without objects", [#""x""#, record("A")], allow: []),
        ValidationCase(
            "everything is allowed, what has no chain too",
            [#"{"$class":{"$uid":2}}"#, #"{"$classname":"Evil"}"#],
            "info archive.class-renamed 1:105: /$objects/2: class Evil has no ancestors; the archiver gave it this name"
        ),
        ValidationCase(
            "class without a name", [#"{"$class":{"$uid":2}}"#, #"{"$classname":"","$classes":[""]}"#], allow: ["A"],
            "warning archive.class-name-empty 1:105: /$objects/2: the name of the class is empty",
            "error class.unexpected 1:83: /$objects/1 (/root): 1 object is of class \"\", which is not allowed"),
    ]

    // MARK: Unsound archives

    private static let unsound = [
        ValidationCase(
            "all that is wrong", top: #"{"root":{"$uid":9}}"#,
            [#"{"$class":{"$uid":2},"NS.time":"now"}"#, record("NSDate"), #"{"$class":{"$uid":4}}"#, record("Trojan")],
            allow: ["Foundation"],
            "error archive.uid-range 1:51: /$top/root: UID 9 refers to no object; expected 0 to 4",
            "error archive.field-kind 1:114: /$objects/1/NS.time: NS.time of NSDate is a string; expected a real",
            "error class.unexpected 1:178: /$objects/3: 1 object is of class Trojan, which is not allowed"),
        ValidationCase(
            "values cannot be checked", #"{"$version":1,"$archiver":"A","$top":{},"$objects":["$null"]}"#,
            isArchive: true, validation: .profile("archive"),
            "error archive.version 1:13: /$version: $version is 1; expected 100000",
            "warning archive.values-unchecked the values were not checked because the archive is damaged"),
    ]

    private static func record(_ name: String) -> String {
        #"{"$classname":"\#(name)","$classes":["\#(name)","NSObject"]}"#
    }
}

extension Validation {
    fileprivate static func profile(_ name: String) -> Validation {
        var validation = Validation()
        validation.profiles = Profile.named(name).map { [$0] } ?? []
        return validation
    }
}
