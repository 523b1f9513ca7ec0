extension TextEditCase {
    /// Edits of JSON, each with the number of the rule that it shows.
    static let json = #"""
        == 1 set --change-type /a 1 | 1.0 is another value than 1
        { "a": 1.0, "b": 1E2 }
        -->
        { "a": 1, "b": 1E2 }
        == 1 set /b 100.0 | the same value keeps its spelling
        { "a": 1.0, "b": 1E2 }
        -->
        { "a": 1.0, "b": 1E2 }
        == 2 set --change-type /b '{"x": []}' | the token is replaced
        {
          "a" : 0.50,
          "b" : -0,
          "c" : 12345678901234567890.123456789
        }
        -->
        {
          "a" : 0.50,
          "b" : {
            "x" : []
          },
          "c" : 12345678901234567890.123456789
        }
        == 7 remove /b | the comma goes
        {
          "a": 1,
          "b": 2
        }
        -->
        {
          "a": 1
        }
        == 8 remove /b | the gap below goes
        {
          "a": 1,

          "b": 2,

          "c": 3
        }
        -->
        {
          "a": 1,

          "c": 3
        }
        == 9 remove /a/0 | nothing left
        {
          "a": [
            1
          ]
        }
        -->
        {
          "a": []
        }
        == 9 remove /a/0 | nothing left, as the file writes that
        {
          "a": [
            1
          ],
          "b": {

          }
        }
        -->
        {
          "a": [

          ],
          "b": {

          }
        }
        == 9 remove /a | an empty root
        {
          "a": 1
        }
        -->
        {}
        == 11 insert /0 0 | at the beginning
        [
          1,
          2
        ]
        -->
        [
          0,
          1,
          2
        ]
        == 12 set /b 2 | no comma behind the last
        {
          "a": 1
        }
        -->
        {
          "a": 1,
          "b": 2
        }
        == 13 set /c 3 | commas at the beginning of lines
        { "a": 1
        , "b": 2
        }
        -->
        { "a": 1
        , "b": 2
        , "c": 3
        }
        == 13 insert /1 9 | commas at the beginning of lines, between two
        [
            1
          , 2
          , 3
        ]
        -->
        [
            1
          , 9
          , 2
          , 3
        ]
        == 13 insert /0 9 | commas at the beginning of lines, before the first
        [
            1
          , 2
        ]
        -->
        [
            9
          , 1
          , 2
        ]
        == 13 remove /0 | commas at the beginning of lines, the first
        [
            1
          , 2
          , 3
        ]
        -->
        [
            2
          , 3
        ]
        == 13 remove /2 | commas at the beginning of lines, the last
        [
            1
          , 2
          , 3
        ]
        -->
        [
            1
          , 2
        ]
        == 14 set /a/b 1 | the unit of the file
        {
           "a": {}
        }
        -->
        {
           "a": {
              "b": 1
           }
        }
        == 14 set /a 1 | two spaces where the file shows nothing
        {}
        -->
        {
          "a": 1
        }
        == 15 insert /a/- 3 | on one line
        {"a":[1,2],"b":[1, 2]}
        -->
        {"a":[1,2,3],"b":[1, 2]}
        == 15 insert /b/0 3 | on one line, with blanks
        {"a":[1,2],"b":[1, 2]}
        -->
        {"a":[1,2],"b":[3, 1, 2]}
        == 15 remove /b/0 | on one line
        { "a": 1, "b": [ 1, 2 ] }
        -->
        { "a": 1, "b": [ 2 ] }
        == 15 remove /b/1 | on one line, the last
        { "a": 1, "b": [ 1, 2 ] }
        -->
        { "a": 1, "b": [ 1 ] }
        == 15 set /c '{"d": [1, {"e": 2}]}' | without any blanks
        {"a":1,"b":2}
        -->
        {"a":1,"b":2,"c":{"d":[1,{"e":2}]}}
        == 16 set /a/b '{"c": 1}' | one line stays one line
        {"x": 1, "a": {}}
        -->
        {"x": 1, "a": {"b": {"c": 1}}}
        == 17 set /b 1 | the blanks around colons
        {
          "a" :1
        }
        -->
        {
          "a" :1,
          "b" :1
        }
        == 18 set /c 3 | a blank line where all siblings have one
        {
          "a": 1,

          "b": 2
        }
        -->
        {
          "a": 1,

          "b": 2,

          "c": 3
        }
        == 20 set /a 2 | no line break at the end
        {"a": 1}%%
        -->
        {"a": 2}%%
        == 21 set /a '"é/\u0007\n\"\\"' | escapes that are needed
        {"a": "", "b": "\u00e9\/\u0041"}
        -->
        {"a": "é/\u0007\n\"\\", "b": "\u00e9\/\u0041"}
        == 25 set /a '{"$data": "AAEC"}' | data
        {"a": {"$data": "AAED"}}
        -->
        {"a": {"$data": "AAEC"}}
        == 26 set /A 2 | a key by its meaning
        {"\u0041": 1}
        -->
        {"\u0041": 2}
        == 29 set --change-type /a null | null is JSON
        {"a": 1}
        -->
        {"a": null}
        == 30 set /a 3 | of a repeated key the one that counts
        {"a": 1, "a": 2}
        -->
        {"a": 1, "a": 3}
        == 30 remove /a | all of a repeated key
        {"a": 1, "b": 2, "\u0061": 3, "c": 4}
        -->
        {"b": 2, "c": 4}
        == 30 remove /~#2 | one of a repeated key
        {"a": 1, "b": 2, "a": 3}
        -->
        {"a": 1, "b": 2}
        == 30 patch '{"a": null}' | null removes all of a repeated key
        {"a": 1, "b": 2, "a": 3}
        -->
        {"b": 2}
        == 30 patch '[{"op": "remove", "path": "/a"}]' | all of a repeated key
        {"a": 1, "b": 2, "a": 3}
        -->
        {"b": 2}
        == 30 patch '[{"op": "remove", "path": "/~#2"}]' | one of a repeated key
        {"a": 1, "b": 2, "a": 3}
        -->
        {"a": 1, "b": 2}
        == 30 patch '[{"op": "move", "from": "/a", "path": "/c"}]' | of what is moved nothing is left
        {"a": 1, "b": 2, "a": 3}
        -->
        {"b": 2, "c": 3}
        == 31 set /b/c 1 | dictionaries that are missing
        {
          "a": 1
        }
        -->
        {
          "a": 1,
          "b": {
            "c": 1
          }
        }
        == 31 insert /a/2 1 | refused: nothing is there
        {"a": [1]}
        -->
        == 31 set /b/0 1 | refused: nothing is there
        {"a": [1]}
        -->
        == 2 patch '[{"op": "remove", "path": "/0"}, {"op": "add", "path": "/-", "value": 4}, {"op": "replace", "path": "/0", "value": 5}]' | several edits
        [ 1.0, 2.00, 3.000 ]
        -->
        [ 5.0, 3.000, 4 ]
        == 2 patch '[{"op": "move", "from": "/0", "path": "/2"}]' | what is moved keeps its spelling
        [ 1.0, 2.00, 3.000 ]
        -->
        [ 2.00, 3.000, 1.0 ]
        """#
}
