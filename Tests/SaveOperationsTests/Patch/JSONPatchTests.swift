import KeyedArchives
import SaveCodec
@testable import SaveOperations
import TestSupport
import Testing

/// JSON Patch on plain documents and archives, with the results and the errors.
@Suite struct JSONPatchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let source: String
        let patch: String
        let result: String
        var testDescription: String { patch }

        init(_ source: String, _ patch: String, _ result: String) {
            (self.source, self.patch, self.result) = (source, patch, result)
        }
    }

    private static func view(_ source: String, isArchive: Bool) throws -> ObjectView {
        guard isArchive else { return ObjectView(try JSON.readTyped(Array(source.utf8))) }
        let graph = try JSON.readTyped(Array(DraftText.graph(source).utf8))
        return ObjectView(try KeyedArchive(GraphJSON.archive(from: graph)))
    }

    private static func patched(_ row: Case, isArchive: Bool) -> String {
        do {
            let view = try view(row.source, isArchive: isArchive)
            let document = try JSONPatch(JSON.readTyped(Array(row.patch.utf8))).applied(to: view)
            return try isArchive ? DraftText.top(KeyedArchive(document)) : DraftText.json(document)
        } catch {
            return "\(error)"
        }
    }

    // MARK: Plain documents

    @Test(arguments: plainCases) func plain(_ row: Case) {
        #expect(Self.patched(row, isArchive: false) == row.result)
    }

    static let plainCases = [
        Case(#"{"a":1}"#, #"[{"op":"add","path":"/b","value":{"$data":"AQ=="}}]"#, #"{"a":1,"b":{"$data":"AQ=="}}"#),
        Case(#"{"a":1}"#, #"[{"op":"replace","path":"/a","value":5.0}]"#, #"{"a":5.0}"#),
        Case(
            #"{"a":1}"#, #"[{"op":"replace","path":"/a","value":{"$real32":0.1}}]"#, #"{"a":{"$real32":0.1}}"#),
        Case(#"{"a":{"$set":[1,2]}}"#, #"[{"op":"remove","path":"/a/0"}]"#, #"{"a":{"$set":[2]}}"#),
        Case(#"{"a":{"$set":[1]}}"#, #"[{"op":"add","path":"/a/-","value":2}]"#, #"{"a":{"$set":[1,2]}}"#),
        Case(
            #"{"a":{"$dict":[[5,1],[true,2],[{"$data":""},3]]}}"#,
            #"[{"op":"remove","path":"/a/~=5"},{"op":"replace","path":"/a/~=true","value":0},{"op":"remove","path":"/a/~#1"}]"#,
            #"{"a":{"$dict":[[true,0]]}}"#),
        Case(
            #"{"a":{}}"#,
            #"[{"op":"add","path":"/a/~=5","value":1},{"op":"add","path":"/a/~=1.5","value":2},{"op":"add","path":"/a/~=2009-09-06T12:34:56Z","value":3}]"#,
            #"{"a":{"$dict":[[5,1],[1.5,2],[{"$date":"2009-09-06T12:34:56Z"},3]]}}"#),
        Case(
            #"{"a":[[1]]}"#,
            #"[{"op":"copy","from":"/a","path":"/b"},{"op":"add","path":"/b/0/-","value":2},{"op":"add","path":"/a/-","value":3}]"#,
            #"{"a":[[1],3],"b":[[1,2]]}"#),
        Case(
            #"{"a":[1]}"#, #"[{"op":"copy","from":"","path":"/b"},{"op":"add","path":"/b/a/0","value":0}]"#,
            #"{"a":[1],"b":{"a":[0,1]}}"#),
        Case(
            "{\"\\uD800\":1}", "[{\"op\":\"replace\",\"path\":\"/\\uD800\",\"value\":2}]", "{\"\\uD800\":2}"),
        Case(
            #"{"a":[1,{"$real32":2.0}],"b":2.5}"#,
            #"[{"op":"test","path":"/a","value":[1.0,2]},{"op":"test","path":"","value":{"b":2.5,"a":[1,2]}}]"#,
            #"{"a":[1,{"$real32":2.0}],"b":2.5}"#),
        Case(
            #"{"a":[{"$real":"nan"},0.0,9007199254740992.0]}"#,
            #"[{"op":"test","path":"/a","value":[{"$real32":"nan"},-0.0,9007199254740992]}]"#,
            #"{"a":[{"$real":"nan"},0.0,9007199254740992.0]}"#),
        Case(
            #"{"a":{"$set":[1,"x"]}}"#, #"[{"op":"test","path":"/a","value":{"$set":["x",1]}}]"#,
            #"{"a":{"$set":[1,"x"]}}"#),
        Case(
            #"{"a":{"$set":[{"b":[1]},{"b":[2]},{"$set":[[3],[4,{"$real32":0.5}]]}]}}"#,
            #"[{"op":"test","path":"/a","value":{"$set":[{"$set":[[4.0,0.5],[3]]},{"b":[2]},{"b":[1]}]}}]"#,
            #"{"a":{"$set":[{"b":[1]},{"b":[2]},{"$set":[[3],[4,{"$real32":0.5}]]}]}}"#),
    ]

    @Test(arguments: faultCases) func fault(_ row: Case) {
        #expect(Self.patched(row, isArchive: false) == row.result)
    }

    static let faultCases = [
        Case("{}", "{}", "the patch is an object; expected an array of operations"),
        Case("{}", "[1]", "operation 1 is an integer; expected an object"),
        Case("{}", #"[{"op":"add","op":"add"}]"#, #"operation 1 has two members named "op""#),
        Case("{}", #"[{"path":""}]"#, #"operation 1 has no member "op""#),
        Case(
            "{}", #"[{"op":"spam"}]"#,
            #"operation 1 is "spam"; expected add, remove, replace, move, copy or test"#),
        Case("{}", #"[{"op":"add","path":"/a"}]"#, #"operation 1 (add) has no member "value""#),
        Case("{}", #"[{"op":"move","path":"/a"}]"#, #"operation 1 (move) has no member "from""#),
        Case(
            "{}", #"[{"op":"remove","path":1}]"#,
            #"operation 1 (remove): the member "path" is an integer; expected a string"#),
        Case(
            "{}", #"[{"op":"remove","path":"a"}]"#,
            #"operation 1 (remove): "a" is not an address; expected one such as /root/name; did you mean /a?"#),
        Case(
            #"{"a":[1,2]}"#, #"[{"op":"remove","path":"/a/0"},{"op":"remove","path":"/a/1"}]"#,
            "/a/1: operation 2 (remove): no such value; /a is an array of 1 element"),
        Case(
            #"{"a":1}"#, #"[{"op":"add","path":"/a/b/c","value":1}]"#,
            "/a/b/c: operation 1 (add): no such value; /a is 1"),
        Case(
            #"{"a":1}"#, #"[{"op":"test","path":"/a","value":"1"}]"#,
            #"/a: operation 1 (test): found 1; expected "1""#),
        Case(
            #"{"a":9007199254740992.0}"#, #"[{"op":"test","path":"/a","value":9007199254740993}]"#,
            "/a: operation 1 (test): found 9007199254740992.0; expected 9007199254740993"),
        Case(
            #"{"a":{"$real":"nan"}}"#, #"[{"op":"test","path":"/a","value":5}]"#,
            "/a: operation 1 (test): found nan; expected 5"),
        Case(
            #"{"a":[1]}"#, #"[{"op":"test","path":"/a","value":[2]}]"#,
            "/a: operation 1 (test): found an array of 1 element; expected an array of 1 element with other contents"
        ),
        Case(
            #"{"a":{"$set":[[1],[2]]}}"#, #"[{"op":"test","path":"/a","value":{"$set":[[2],[2]]}}]"#,
            "/a: operation 1 (test): found a set of 2 elements; expected a set of 2 elements with other contents"
        ),
        Case(
            "{}", #"[{"op":"remove","path":""}]"#, "(root): operation 1 (remove): the whole document cannot be removed"),
        Case(
            #"{"a":{"b":{}}}"#, #"[{"op":"move","from":"/a","path":"/a/b/c"}]"#,
            "/a/b/c: operation 1 (move): a value cannot be moved into itself"),
        Case(
            #"{"a":{}}"#, #"[{"op":"add","path":"/a/~=x","value":1}]"#,
            "/a/~=x: operation 1 (add): no such value; /a is a dictionary of 0 keys"),
    ]

    // MARK: Archives

    @Test(arguments: archiveCases) func archive(_ row: Case) {
        #expect(Self.patched(row, isArchive: true) == row.result)
    }

    static let archiveCases = [
        // Numbers keep their storage unless the value specifies another.
        Case(
            #"{"root":{"$class":"Map","a":1,"b":{"$object":2}}}"#,
            #"[{"op":"replace","path":"/root/a","value":3},{"op":"replace","path":"/root/b","value":4}]"#,
            #"{"root":{"$class":"Map","a":3,"b":{"$object":4}}}"#),
        Case(
            #"{"root":{"$class":"Map","a":1,"b":{"$object":2}}}"#,
            #"[{"op":"replace","path":"/root/a","value":{"$object":3}},{"op":"replace","path":"/root/b","value":{"$inline":4}}]"#,
            #"{"root":{"$class":"Map","a":{"$object":3},"b":4}}"#),
        // References to existing objects.
        Case(
            #"{"root":{"$class":"Map","a":[1],"b":null}}"#,
            #"[{"op":"replace","path":"/root/b","value":{"$class":"Map","c":{"$ref":"/root/a"},"$id":1,"me":{"$ref":1}}},{"op":"add","path":"/root/a/-","value":{"$ref":"/root"}}]"#,
            #"{"root":{"$class":"Map","$id":1,"a":{"$class":"NSArray","$id":2,"$elements":[1,{"$ref":1}]},"b":{"$class":"Map","$id":3,"c":{"$ref":2},"me":{"$ref":3}}}}"#
        ),
        // An `$id` is valid only within its own value.
        Case(
            #"{"root":{"$class":"Map"}}"#,
            #"[{"op":"add","path":"/root/a","value":{"$class":"Map","$id":1,"b":{"$ref":1}}},{"op":"add","path":"/root/c","value":{"$class":"Map","$id":1,"b":{"$ref":1}}}]"#,
            #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1,"b":{"$ref":1}},"c":{"$class":"Map","$id":2,"b":{"$ref":2}}}}"#
        ),
        // Classes.
        Case(
            #"{"root":{"$class":"Map"}}"#,
            #"[{"op":"test","path":"/root/$class","value":"Map"},{"op":"test","path":"/root/$class","value":["Map","NSObject"]},{"op":"replace","path":"/root/$class","value":["Cave","NSObject"]},{"op":"add","path":"/root/x","value":{"$class":["Cave","NSObject"]}}]"#,
            #"{"root":{"$class":"Cave","x":{"$class":"Cave"}}}"#),
        Case(
            #"{"root":[1]}"#, #"[{"op":"replace","path":"/root/$class","value":"NSMutableArray"}]"#,
            #"{"root":{"$class":"NSMutableArray","$elements":[1]}}"#),
        // A copy is a separate object; a moved value keeps its identity.
        Case(
            #"{"root":{"$class":"Map","a":{"$class":"Map","x":1}}}"#,
            #"[{"op":"copy","from":"/root/a","path":"/root/b"},{"op":"replace","path":"/root/b/x","value":2}]"#,
            #"{"root":{"$class":"Map","a":{"$class":"Map","x":1},"b":{"$class":"Map","x":2}}}"#),
        Case(
            #"{"root":{"$class":"Map","$id":1,"a":{"$class":"Map","up":{"$ref":1},"own":["x"]}}}"#,
            #"[{"op":"copy","from":"/root/a","path":"/root/b"},{"op":"add","path":"/root/b/own/-","value":"y"}]"#,
            #"{"root":{"$class":"Map","$id":1,"a":{"$class":"Map","up":{"$ref":1},"own":["x"]},"b":{"$class":"Map","up":{"$ref":1},"own":["x","y"]}}}"#
        ),
        Case(
            #"{"root":{"$class":"Map","$id":1,"a":{"$class":"Map","up":{"$ref":1},"own":["x"]}}}"#,
            #"[{"op":"copy","from":"/root/a/up/a","path":"/root/b"},{"op":"add","path":"/root/b/own/-","value":"y"}]"#,
            #"{"root":{"$class":"Map","$id":1,"a":{"$class":"Map","up":{"$ref":1},"own":["x"]},"b":{"$class":"Map","up":{"$ref":1},"own":["x","y"]}}}"#
        ),
        Case(
            #"{"root":{"$class":"Map","a":{"$class":"Map","$id":1},"b":[{"$ref":1}]}}"#,
            #"[{"op":"move","from":"/root/a","path":"/root/c"}]"#,
            #"{"root":{"$class":"Map","b":[{"$class":"Map","$id":1}],"c":{"$ref":1}}}"#),
        // The roots.
        Case(#"{"root":1}"#, #"[{"op":"add","path":"/other","value":[true]}]"#, #"{"root":1,"other":[true]}"#),
        Case(#"{"root":1}"#, #"[{"op":"replace","path":"","value":{"a":2,"b":"x"}}]"#, #"{"a":2,"b":"x"}"#),
        // Comparing.
        Case(
            #"{"root":{"$class":"Map","a":[{"$date":"2009-09-06T12:34:56Z"}],"b":{"$object":1}}}"#,
            #"[{"op":"test","path":"/root","value":{"$class":"Map","b":1.0,"a":[{"$date":"2009-09-06T12:34:56Z"}]}}]"#,
            #"{"root":{"$class":"Map","a":[{"$date":"2009-09-06T12:34:56Z"}],"b":{"$object":1}}}"#),
        Case(
            #"{"root":{"$class":"NSMutableArray","$elements":[1]}}"#,
            #"[{"op":"test","path":"/root","value":[1]},{"op":"add","path":"/a","value":[2]},{"op":"test","path":"/a","value":{"$class":"NSArray","$elements":[2]}},{"op":"remove","path":"/a"}]"#,
            #"{"root":{"$class":"NSMutableArray","$elements":[1]}}"#),
        Case(
            #"{"root":{"$class":"NSMutableArray","$elements":[1]}}"#,
            #"[{"op":"test","path":"/root","value":{"$class":"NSArray","$elements":[1]}}]"#,
            "/root: operation 1 (test): found an array of 1 element; expected an array of 1 element with other contents"
        ),
        Case(
            #"{"root":{"$class":"NSSet","$elements":[{"$class":"Map","a":1},{"$class":"NSError","a":1}]}}"#,
            #"[{"op":"test","path":"/root","value":{"$class":"NSSet","$elements":[{"$class":"NSError","a":1},{"$class":"Map","a":1}]}}]"#,
            #"{"root":{"$class":"NSSet","$elements":[{"$class":"Map","a":1},{"$class":"NSError","a":1}]}}"#),
        // Members that refer to their set, in stored order.
        Case(
            #"{"root":{"$class":"NSSet","$id":1,"$elements":[{"$class":"Map","a":1,"up":{"$ref":1}},{"$class":"Map","a":2,"up":{"$ref":1}}]}}"#,
            #"[{"op":"test","path":"/root","value":{"$class":"NSSet","$id":1,"$elements":[{"$class":"Map","a":1,"up":{"$ref":1}},{"$class":"Map","a":2,"up":{"$ref":1}}]}}]"#,
            #"{"root":{"$class":"NSSet","$id":1,"$elements":[{"$class":"Map","a":1,"up":{"$ref":1}},{"$class":"Map","a":2,"up":{"$ref":1}}]}}"#
        ),
        // Errors.
        Case(
            #"{"root":{"$class":"Map"}}"#, #"[{"op":"add","path":"/root/x","value":{"$ref":"/root/y"}}]"#,
            #"/root/x: operation 1 (add): "$ref" is /root/y, which does not exist"#),
        Case(
            #"{"root":{"$class":"Map"}}"#, #"[{"op":"add","path":"/root/x","value":{"$class":"Cave"}}]"#,
            #"/root/x: operation 1 (add): unknown class "Cave"; expected its class chain such as ["Cave", "NSObject"]"#
        ),
        Case(
            #"{"root":{"$class":"Map"}}"#, #"[{"op":"replace","path":"/root/$class","value":"Cave"}]"#,
            #"/root/$class: operation 1 (replace): unknown class "Cave"; expected its class chain such as ["Cave", "NSObject"]"#
        ),
        Case(
            #"{"root":{"$class":"Map"}}"#, #"[{"op":"remove","path":"/root/$class"}]"#,
            "/root/$class: operation 1 (remove): the class of an object can only be replaced or tested"),
        Case(
            #"{"root":{"$class":"Map"}}"#, #"[{"op":"test","path":"/root/$class","value":"Cave"}]"#,
            #"/root/$class: operation 1 (test): found "Map"; expected "Cave""#),
        Case(
            #"{"root":1}"#, #"[{"op":"replace","path":"","value":[]}]"#,
            "(root): operation 1 (replace): only a dictionary of values can replace the roots of an archive"),
    ]

    // MARK: Merge patches

    @Test(arguments: mergeCases) func merge(_ row: Case) throws {
        let view = try Self.view(row.source, isArchive: true)
        let document = try MergePatch(JSON.readTyped(Array(row.patch.utf8))).applied(to: view)
        #expect(try DraftText.top(KeyedArchive(document)) == row.result)
    }

    static let mergeCases = [
        Case(
            #"{"root":{"$class":"Map","a":1,"b":"x","c":{"$class":"Map","d":1,"e":2}}}"#,
            #"{"root":{"a":2,"b":null,"c":{"d":null,"f":{"g":null,"h":1}}}}"#,
            #"{"root":{"$class":"Map","a":2,"c":{"$class":"Map","e":2,"f":{"h":1}}}}"#),
        Case(
            #"{"root":{"$class":"Map"}}"#, ##"{"root":{"$class":["Cave","NSObject"],"x":{"$class":"Map","y":1}}}"##,
            #"{"root":{"$class":"Cave","x":{"$class":"Map","y":1}}}"#),
        Case(
            #"{"root":{"$class":"Map","s":[1]}}"#,
            #"{"root":{"s":{"$class":"NSSet","$elements":[2]},"$$x":{"$object":3}}}"#,
            #"{"root":{"$class":"Map","s":{"$class":"NSSet","$elements":[2]},"$$x":{"$object":3}}}"#),
    ]
}
