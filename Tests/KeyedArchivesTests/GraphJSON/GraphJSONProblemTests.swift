import KeyedArchives
@testable import SaveCodec
import Testing

/// Invalid graph JSON is refused with the exact message and the address of the object concerned.
@Suite struct GraphJSONProblemTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let address: String
        let message: String

        init(_ text: String, at address: String, _ message: String) {
            self.text = text
            self.address = address
            self.message = message
        }

        init(root: String, at address: String, _ message: String) {
            self.init(GraphText.text(top: #"{"root": \#(root)}"#), at: address, message)
        }

        var testDescription: String { text }
    }

    static let cases = [
        Case(#"{"$archiver": 5, "$top": {}}"#, at: "(root)", #"$archiver is 5; expected a string"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$version": 1}"#, at: "(root)",
            #"$version is 1; expected 100000"#),
        Case(#"{"$archiver": "A", "$top": []}"#, at: "(root)", #"$top is an array; expected an object"#),
        Case(#"{"$archiver": "A", "$top": {}, "name": 1}"#, at: "(root)", #"found unexpected members next to $top"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$top": {}}"#, at: "(root)",
            #"duplicate name "$top"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            #"{"$archiver": "A", "$top": {"a": {"$class": "NSURL", "$$class": 1}}}"#, at: "/$top/a",
            #"a field has the reserved name $class"#),
        Case(
            #"{"$archiver": "A", "$top": {"a": {"$class": "NSURL", "$fields": [["$$class", 1]]}}}"#, at: "/$top/a",
            #"a field has the reserved name $class"#),
        Case(
            #"{"$archiver": "A", "$top": {"$x": 1}}"#, at: "/$top",
            #"unknown name "$x"; write a stored name that begins with $ as "$$x""#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": []}"#, at: "(root)",
            #"$classes is an array; expected an object"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$unreferenced": {}}"#, at: "(root)",
            #"$unreferenced is a dictionary; expected an array"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": []}"#, at: "(root)",
            #"$shared is an array; expected an object"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"x": []}}"#, at: "/$shared",
            #"a name in $shared is not a number"#
        ),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"01": []}}"#, at: "/$shared",
            #"a name in $shared is not a number"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"1": "Swamp"}}"#, at: "/$shared/1",
            #"found a string in $shared; expected an object or an array"#),
        Case(
            #"{"$archiver": "A", "$top": {"a": "Swamp"}, "$shared": {"1": "Swamp"}}"#, at: "/$shared/1",
            #"found a string in $shared; expected an object or an array"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"1": {"$ref": 2}, "2": {"$ref": 1}}}"#, at: "/$shared/2",
            #"$ref is not allowed here"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"1": {"$class": "NSNull", "$id": 2}}}"#, at: "/$shared/1",
            #"$id is not allowed here"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$shared": {"1": {"a": 1, "a": 2}}}"#, at: "/$shared/1",
            #"duplicate name "a"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            #"{"$archiver": "A", "$top": {"a": {"$dict": [["k", 1], ["k", 2]]}}}"#, at: "/$top/a",
            #"duplicate name "k"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            root: #"{"$class": 5}"#, at: "/$top/root", #"$class is 5; expected the name of a class"#),
        Case(
            root: #"{"$class": "Player"}"#, at: "/$top/root",
            #"unknown class Player; expected one in $classes or of Foundation"#),
        Case(
            root: #"{"$class": "\u001b[31m"}"#, at: "/$top/root",
            #"unknown class \u001B[31m; expected one in $classes or of Foundation"#),
        Case(
            root: #"{"$class": "NSNull", "$x": 1}"#, at: "/$top/root",
            #"unknown name "$x"; write a stored name that begins with $ as "$$x""#),
        Case(
            root: #"{"$class": "NSNull", "a": 1, "a": 2}"#, at: "/$top/root",
            #"duplicate name "a"; use "$fields" or "$entries" for duplicate names"#),
        Case(root: #"{"$class": "NSNull", "$ref": 1}"#, at: "/$top/root", #"found unexpected members next to $ref"#),
        Case(
            root: #"{"$class": "NSArray", "$elements": 1}"#, at: "/$top/root",
            #"$elements is 1; expected an array"#),
        Case(
            root: #"{"$class": "NSArray", "$elements": [], "a": 1}"#, at: "/$top/root",
            #"found unexpected members next to $elements"#),
        Case(
            root: #"{"$class": "NSArray", "$elements": [], "$entries": {}}"#, at: "/$top/root",
            #"$entries is not allowed here"#),
        Case(
            root: #"{"$class": "NSDictionary", "$elements": []}"#, at: "/$top/root",
            #"objects of class NSDictionary have no $elements"#),
        Case(
            root: #"{"$class": "NSArray", "$entries": {}}"#, at: "/$top/root",
            #"objects of class NSArray have no $entries"#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": 1}"#, at: "/$top/root",
            #"$entries is 1; expected an object or an array of pairs"#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": [1]}"#, at: "/$top/root",
            #"$entries contains elements that are not pairs; expected arrays of a key and a value"#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": [[1, 2, 3]]}"#, at: "/$top/root",
            #"$entries contains elements that are not pairs; expected arrays of a key and a value"#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": {"$x": 1}}"#, at: "/$top/root/$entries",
            #"unknown name "$x"; write a stored name that begins with $ as "$$x""#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": {"$ref": 1}}"#, at: "/$top/root/$entries",
            #"unknown name "$ref"; write a stored name that begins with $ as "$$ref""#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": {"k": 1, "k": 2}}"#, at: "/$top/root/$entries",
            #"duplicate name "k"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            root: #"{"$class": "NSDictionary", "$entries": {"$dict": [[7, 1]]}}"#, at: "/$top/root/$entries",
            #"found a non-string key"#),
        Case(
            root: #"{"$class": "NSNull", "$fields": 1}"#, at: "/$top/root",
            #"$fields is 1; expected an array of pairs"#),
        Case(
            root: #"{"$class": "NSNull", "$fields": [["a"]]}"#, at: "/$top/root",
            #"$fields contains elements that are not pairs; expected arrays of a key and a value"#),
        Case(
            root: #"{"$class": "NSNull", "$fields": [[[], 1]]}"#, at: "/$top/root",
            #"the name of a field is an array or an object; expected a scalar"#),
        Case(
            root: #"{"$class": "NSNull", "$fields": [[{"$uid": 1}, 1]]}"#, at: "/$top/root/$fields/0/0",
            #"found a UID; refer to objects with "$ref""#),
        Case(
            root: #"{"$class": "NSNull", "$fields": [["$a", 1]]}"#, at: "/$top/root",
            #"unknown name "$a"; write a stored name that begins with $ as "$$a""#),
        Case(root: #"{"$id": 1}"#, at: "/$top/root", #"$id is not allowed here"#),
        Case(
            root: #"{"$id": 0, "$class": "NSNull"}"#, at: "/$top/root",
            #"$id is 0; expected an integer from 1"#),
        Case(
            root: #"{"$id": -1, "$class": "NSNull"}"#, at: "/$top/root",
            #"$id is -1; expected an integer from 1"#),
        Case(
            root: #"{"$id": 1.0, "$class": "NSNull"}"#, at: "/$top/root",
            #"$id is a real; expected an integer from 1"#),
        Case(
            root: #"{"$id": "1", "$class": "NSNull"}"#, at: "/$top/root",
            #"$id is "1"; expected an integer from 1"#),
        Case(
            root: #"[{"$id": 1, "$class": "NSNull"}, {"$id": 1, "$class": "NSNull"}]"#, at: "/$top/root/1",
            #"another object already has the $id 1"#),
        Case(
            root:
                #"{"$id": 170141183460469231731687303715884105727, "$class": "NSNull", "a": {"$ref": 170141183460469231731687303715884105726}}"#,
            at: "/$top/root/a", #"no object has the $id 170141183460469231731687303715884105726"#),
        Case(root: #"{"$ref": 1}"#, at: "/$top/root", #"no object has the $id 1"#),
        Case(root: #"{"$ref": -1}"#, at: "/$top/root", #"no object has the $id -1"#),
        Case(
            root: #"{"$ref": "1"}"#, at: "/$top/root",
            #"$ref is "1"; expected the number of an object"#),
        Case(root: #"{"$ref": 1, "a": 1}"#, at: "/$top/root", #"found unexpected members next to $ref"#),
        Case(root: #"{"$ref": 1, "$ref": 1}"#, at: "/$top/root", #"found unexpected members next to $ref"#),
        Case(root: #"{"$uid": 1}"#, at: "/$top/root", #"found a UID; refer to objects with "$ref""#),
        Case(root: #"["a", {"$uid": 1}]"#, at: "/$top/root/1", #"found a UID; refer to objects with "$ref""#),
        Case(
            root: #"{"$set": []}"#, at: "/$top/root",
            #"found a property-list set; expected {"$class": "NSSet", "$elements": […]}"#),
        Case(
            root: #"{"$inline": {"$uid": 1}}"#, at: "/$top/root/$inline", #"found a UID; refer to objects with "$ref""#),
        Case(root: #"{"$inline": 1, "a": 1}"#, at: "/$top/root", #"found unexpected members next to $inline"#),
        Case(root: #"{"$inline": 1, "$id": 1}"#, at: "/$top/root", #"found unexpected members next to $inline"#),
        Case(
            root: #"[{"$inline": 1}]"#, at: "/$top/root/0",
            #"found $inline in a collection; its elements must be objects"#),
        Case(
            root: #"{"$inline": {"$x": 1, "a": 1}}"#, at: "/$top/root/$inline",
            #"unknown name "$x"; write a stored name that begins with $ as "$$x""#),
        Case(
            root: #"{"$object": "Swamp"}"#, at: "/$top/root",
            #"$object is only for numbers and booleans; other values are objects without it"#),
        Case(
            root: #"{"$object": {"$object": 1}}"#, at: "/$top/root",
            #"$object is only for numbers and booleans; other values are objects without it"#),
        Case(root: #"{"$object": 1, "a": 1}"#, at: "/$top/root", #"found unexpected members next to $object"#),
        Case(root: #"{"$raw": 1, "a": 1}"#, at: "/$top/root", #"found unexpected members next to $raw"#),
        Case(root: #"{"$raw": 1, "$class": "NSNull"}"#, at: "/$top/root", #"$class is not allowed here"#),
        Case(root: #"{"$raw": {"$uid": 1}}"#, at: "/$top/root/$raw", #"found a UID; refer to objects with "$ref""#),
        Case(
            root: #"{"$raw": [[{"$uid": 1}]]}"#, at: "/$top/root/$raw/0/0",
            #"found a UID; refer to objects with "$ref""#
        ),
        Case(
            root: #"{"$x": 1}"#, at: "/$top/root",
            #"unknown name "$x"; write a stored name that begins with $ as "$$x""#),
        Case(
            root: #"{"$x\n": 1, "b": 2}"#, at: "/$top/root",
            #"unknown name "$x\n"; write a stored name that begins with $ as "$$x\n""#),
        Case(
            root: #"{"k": 1, "k": 2}"#, at: "/$top/root",
            #"duplicate name "k"; use "$fields" or "$entries" for duplicate names"#),
        Case(root: #"{"a": {"$dict": [[7, 1]]}}"#, at: "/$top/root/a", #"found a non-string key"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": 5}}"#, at: "/$classes",
            #"a class description is invalid; expected an array of class names or null"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": ["A", 5]}}"#, at: "/$classes",
            #"a class description is invalid; expected an array of class names or null"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": {"name": 5}}}"#, at: "/$classes/A",
            #""name" is not a string; expected the name of the class"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": {"chain": 5}}}"#, at: "/$classes/A",
            #"a class description is invalid; expected an array of class names or null"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": {"hints": [5]}}}"#, at: "/$classes/A",
            #"a class description is invalid; expected an array of class names or null"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": {"other": 5}}}"#, at: "/$classes/A",
            #"a class description has members other than name, chain and hints"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"A": null, "A": null}}"#, at: "/$classes",
            #"duplicate name "A"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"$A": null}}"#, at: "/$classes",
            #"unknown name "$A"; write a stored name that begins with $ as "$$A""#),
        Case(
            #"{"$archiver": "A", "$top": {}, "$classes": {"$dict": [[5, null]]}}"#, at: "/$classes",
            #"found a non-string key"#),
        // Objects with the same names are checked once, and an object with other names between them is checked
        // separately.
        Case(
            root: #"[{"$class": "NSURL", "a": 1, "a": 2}, {"$class": "NSURL", "a": 1, "b": 2}]"#, at: "/$top/root/0",
            #"duplicate name "a"; use "$fields" or "$entries" for duplicate names"#),
        Case(
            root: #"[{"$class": "NSURL", "a": 1, "b": 2}, {"$class": "NSURL", "a": 1, "$b": 2}]"#, at: "/$top/root/1",
            #"unknown name "$b"; write a stored name that begins with $ as "$$b""#),
    ]

    @Test(arguments: cases) func rejects(_ test: Case) throws {
        let problem = #expect(throws: Problem.self) { try GraphText.archive(test.text) }
        #expect(problem?.message == test.message)
        #expect(problem?.address?.description == test.address)
        #expect(problem?.id.hasPrefix("graph.") == true)
    }

    private static let stored: [Case] = [
        Case(
            root: #"{"$class": "NSURL", "a": {"$inline": {"CF$UID": 1}}}"#, at: "/$objects/1/a",
            "a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295"
        ),
        Case(
            root: #"{"$class": "NSURL", "a": {"$inline": [{"$inline": {"CF$UID": 1}}]}}"#, at: "/$objects/1/a/0",
            "a dictionary with CF$UID is not a UID; expected CF$UID as its only key, with a number from 0 to 4294967295"
        ),
        Case(
            root: #"{"$raw": {"$class": 1}}"#, at: "/$objects/1/$class", "$class is an integer; expected a UID"),
        Case(
            root: #"{"$raw": {"$classname": 5}}"#, at: "/$objects/1/$classname",
            "the name of a class is an integer; expected a string"),
    ]

    /// Values that the text puts into the archive unchanged are checked as in an archive.
    @Test(arguments: stored) func checksArchive(_ test: Case) throws {
        let problem = #expect(throws: Problem.self) { try GraphText.archive(test.text) }
        #expect(problem?.message == test.message)
        #expect(problem?.address?.description == test.address)
    }

    // MARK: Archives that graph JSON cannot hold

    /// Up to 150 nested containers are written in place; 151 are refused before anything is written.
    @Test(arguments: ["[%]", #"{"k": %}"#, #"{"$set": [%]}"#, #"{"$dict": [["k", %], ["k", %]]}"#])
    func containersInPlace(_ form: String) throws {
        func document(_ levels: Int) throws -> Document {
            var text = "1"
            for _ in 0..<levels {
                let parts = form.split(separator: "%", omittingEmptySubsequences: false)
                let others = parts.count == 3 ? "2" + parts[2] : ""
                text = parts[0] + text + parts[1] + others
            }
            return try JSON.read(
                Array(
                    #"{"$version": 100000, "$archiver": "A", "$top": {"root": \#(text)}, "$objects": ["$null"]}"#.utf8))
        }
        let text = try GraphText.text(document(150))
        #expect(try GraphText.text(GraphText.archive(text)) == text)
        var output = ByteWriter()
        let archive = try KeyedArchive(document(151))
        let problem = #expect(throws: Problem.self) { try GraphJSON.write(archive, to: &output) }
        #expect(output.takeBytes().isEmpty)
        #expect(
            problem?.message
                == "in-place values are nested 151 levels deep; graph JSON allows 150, so use typed JSON (--raw)")
    }

    /// Equal scalars of a text are one object, although each location gives them another meaning.
    @Test func scalarUsedInSeveralRoles() throws {
        let date = #"{"$date":"2001-01-01T00:00:01Z"}"#
        let text =
            #"{"$archiver":"NSKeyedArchiver","$version":100000,"$top":{"a":5,"b":[5,5],"c":{"$object":5},"d":5,"#
            + #""e":{"$raw":\#(date)},"f":\#(date),"g":{"$raw":null},"h":null,"i":["x",{"x":"x"},null],"k":true,"#
            + #""l":{"$object":true},"m":[\#(date),null]}}"# + "\n"
        #expect(try GraphText.text(GraphText.archive(text)) == text)
    }

    /// A key that is a UID does not refer to anything, neither in place in a root nor in `$top` itself.
    @Test(arguments: [
        (#"["r", {"$dict": [[{"$uid": 1}, 1]]}]"#, "a UID"), (#"["r", {"$dict": [[{"$uid": 300}, 1]]}]"#, "a UID"),
        (#"[{"$uid": 300}, {"$uid": 1}]"#, "a UID"),
    ])
    func nameThatIsNotAScalar(_ pair: String, _ kind: String) throws {
        let text =
            #"{"$version": 100000, "$archiver": "A", "$objects": ["$null", "x"], "$top": {"$dict": [\#(pair)]}}"#
        let archive = try KeyedArchive(JSON.read(Array(text.utf8)))
        var output = ByteWriter()
        let problem = #expect(throws: Problem.self) { try GraphJSON.write(archive, to: &output) }
        #expect(output.takeBytes().isEmpty)
        #expect(problem?.message == "a name is \(kind), which graph JSON cannot represent; use typed JSON (--raw)")
    }
}
