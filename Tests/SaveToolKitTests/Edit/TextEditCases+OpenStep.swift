extension TextEditCase {
    /// Edits of OpenStep text, each with the number of the rule that it shows.
    static let openStep = #"""
        == 1 set /a --string x | the same value keeps its spelling
        { a = "x"; b = "\U0041"; }
        -->
        { a = "x"; b = "\U0041"; }
        == 2 set /a --string y | old quoting is kept
        { a = "x"; b = x; }
        -->
        { a = "y"; b = x; }
        == 2 set --change-type /b '["1", {}]' | the token is replaced
        {
            a = x; // about a
            b = /* in b */ y; // about b
        }
        -->
        {
            a = x; // about a
            b = /* in b */ (
                1,
                {}
            ); // about b
        }
        == 3 insert /1 --string x | what is inserted goes behind the comment at the end of the line
        (
            a, // about a
            b // about b
        )
        -->
        (
            a, // about a
            x,
            b // about b
        )
        == 3 insert /- --string x | the comma goes to the value, the comment stays
        (
            a, // about a
            b // about b
        )
        -->
        (
            a, // about a
            b, // about b
            x
        )
        == 4 remove /b | the block goes, what is set apart stays
        {
            a = 1;
            /* section */

            // about b
            /* more */
            b = 2; // behind b
            c = 3;
        }
        -->
        {
            a = 1;
            /* section */

            c = 3;
        }
        == 5 remove /0 | comments before the comma go with the element
        ( a /* in a */ , b )
        -->
        ( b )
        == 5 set /0 --string c | comments before the comma stay
        ( a /* in a */ , b )
        -->
        ( c /* in a */ , b )
        == 6 set /b --string 2 | comments before the closing bracket
        {
            a = 1;
            // the end
        }
        -->
        {
            a = 1;
            b = 2;
            // the end
        }
        == 7 remove /1 | a comma behind the last element goes
        (
            a,
            b // about b
        )
        -->
        (
            a
        )
        == 7 remove --keep-comments /b | the block stays if it is wanted
        {
            a = 1;
            // about b
            b = 2; // behind b
            c = 3;
        }
        -->
        {
            a = 1;
            // about b
            c = 3;
        }
        == 8 remove /a | no blank line is first
        {
            a = 1;

            b = 2;
        }
        -->
        {
            b = 2;
        }
        == 9 remove /a | one line
        { a = 1; }
        -->
        {}
        == 9 remove /a | several lines stay open
        {
            a = 1;
        }
        -->
        {
        }
        == 9 remove /a | comments that are left
        { // all
            // about a
            a = 1;
            // the end
        }
        -->
        { // all
            // the end
        }
        == 10 insert /- --string c | after the last and its comment, before what ends the array
        (
            a,
            b // about b

            // the end
        )
        -->
        (
            a,
            b, // about b
            c

            // the end
        )
        == 11 insert /0 --string z | above the block of the first
        (
            // section

            // about a
            a
        )
        -->
        (
            // section

            z,
            // about a
            a
        )
        == 12 insert /- --string c | a comma behind the last where there was one
        (
            a,
            b,
        )
        -->
        (
            a,
            b,
            c,
        )
        == 12 set /b --string 2 | a semicolon always
        { a = 1; }
        -->
        { a = 1; b = 2; }
        == 13 insert /- --string d | commas at the beginning of lines
        ( a // about a
        , b /* in b */ // about b
        , c // about c
        )
        -->
        ( a // about a
        , b /* in b */ // about b
        , c // about c
        , d
        )
        == 13 remove /1 | commas at the beginning of lines
        ( a // about a
        , b // about b
        // about c
        , c // behind c
        )
        -->
        ( a // about a
        // about c
        , c // behind c
        )
        == 13 remove /0 | commas at the beginning of lines, the first
        ( a // about a
        // about b
        , b // behind b
        , c
        )
        -->
        (
        // about b
         b // behind b
        , c
        )
        == 13 remove /b | a semicolon at the beginning of a line is that of the member before
        { a = 1
        ; b = 2; }
        -->
        { a = 1
        ; }
        == 14 set /a/b 1 | a tab where the file shows nothing
        {
        a = {
        };
        }
        -->
        {
        a = {
        	b = 1;
        };
        }
        == 14 set /a/e '{"x": {"y": "1"}}' | GNUstep: four spaces a level, of which each eight are a tab
        {
            a = {
        	b = 1;
            };
        }
        -->
        {
            a = {
        	b = 1;
        	e = {
        	    x = {
        		y = 1;
        	    };
        	};
            };
        }
        == 15 insert /- --string c | one line
        (a,b)
        -->
        (a,b,c)
        == 16 set /a 1 | an empty root
        {}
        -->
        {
        	a = 1;
        }
        == 17 set /b 1 | a line break beside the sign is that of one pair
        {
            a =
                x;
        }
        -->
        {
            a =
                x;
            b = 1;
        }
        == 17 set /b 1 | between key and value what a sibling has
        { a=1; }
        -->
        { a=1; b=1; }
        == 18 insert /- --string c | a blank line where all siblings have one
        (
          a,

          b
        )
        -->
        (
          a,

          b,

          c
        )
        == 21 set /a '"\u000c\t\"\\é"' | escapes
        { a = "x y"; b = "\f\101\U00e9"; }
        -->
        { a = "\U000C\t\"\\é"; b = "\f\101\U00e9"; }
        == 25 set --change-type /a '{"$data": "DwoPCg=="}' | data
        { a = <0f>; b = <0f 0a>; }
        -->
        { a = <0f0a0f0a>; b = <0f 0a>; }
        == 26 set /a-b 1 | keys that need quotation marks
        { a = 1; }
        -->
        { a = 1; "a-b" = 1; }
        == 27 insert /- --string //x | what looks like a comment
        ( a /* b */ )
        -->
        ( a, /* b */ "//x" )
        == 27 set /a '""' | an empty string
        { a = x; }
        -->
        { a = ""; }
        == 28 set /a --string x | a key that stands alone
        { a; b; }
        -->
        { a = x; b; }
        == 29 set --change-type /a 5 | numbers are text
        { a = x; }
        -->
        { a = 5; }
        == 29 set /a 5 | numbers are text, whatever stands there
        { a = 1; }
        -->
        { a = 5; }
        == 29 set /a 2.50 | with the digits as they are typed
        { a = x; }
        -->
        { a = 2.50; }
        == 29 set /b 12345678901234567890.123456789 | of a new key, too
        { a = x; }
        -->
        { a = x; b = 12345678901234567890.123456789; }
        == 29 set /a --int -5 | a sign needs quotation marks
        { a = 1; }
        -->
        { a = "-5"; }
        == 29 insert /- --real 2.0 | an element
        (a, b)
        -->
        (a, b, 2.0)
        == 29 patch '{"a": 5}' | numbers of a patch
        { a = x; }
        -->
        { a = 5; }
        == 29 set /a true | refused: found a boolean
        { a = x; }
        -->
        == 29 set /a null | refused: null
        { a = x; }
        -->
        == 29 set /a 5 | refused: an array
        { a = (x); }
        -->
        == 29 set --change-type /a true | refused: boolean
        { a = x; }
        -->
        == 30 set /a --string 4 | of a repeated key the one that counts
        { a = 1; b = 2; a = 3; }
        -->
        { a = 1; b = 2; a = 4; }
        == 30 remove /a | all of a repeated key
        {
            // first
            a = 1;
            b = 2;
            // second
            a = 3;
        }
        -->
        {
            b = 2;
        }
        == 31 set /b/c 1 | dictionaries that are missing
        {
            a = 1;
        }
        -->
        {
            a = 1;
            b = {
                c = 1;
            };
        }
        == 31 insert /2 --string x | refused: nothing is there
        ( a )
        -->
        == 2 patch '[{"op": "remove", "path": "/a"}, {"op": "add", "path": "/d", "value": "4"}, {"op": "replace", "path": "/b", "value": "5"}]' | several edits
        {
            // about a
            a = 1; // one
            // about b
            b = 2; // two
        }
        -->
        {
            // about b
            b = 5; // two
            d = 4;
        }
        == 4 patch '[{"op": "remove", "path": "/a"}, {"op": "add", "path": "/d", "value": "4"}]' | comments do not pass to another member
        {
            // about a
            a = 1; // one
        }
        -->
        {
            d = 4;
        }
        == 4 patch '[{"op": "move", "from": "/0", "path": "/1"}]' | what is moved takes its comments along
        (
            // about a
            a, // one
            // about b
            b, // two
        )
        -->
        (
            // about b
            b, // two
            // about a
            a, // one
        )
        """#

    /// Edits of strings files, each with the number of the rule that it shows.
    static let strings = #"""
        == 2 set /a --string y | no braces
        /* Title */
        "a" = "x";
        "b" = "\U0041"; // about b
        -->
        /* Title */
        "a" = "y";
        "b" = "\U0041"; // about b
        == 4 remove /b | the block goes
        /* Title */
        "a" = "x";

        /* Other */
        "b" = "y";
        -->
        /* Title */
        "a" = "x";
        == 4 remove /a | a first block goes
        /* Title */
        "a" = "x";

        /* Other */
        "b" = "y";
        -->
        /* Other */
        "b" = "y";
        == 9 remove /a | the last pair
        "a" = "x";
        -->

        == 10 set /b --string y | behind the last
        "a" = "x"; // about a

        // the end
        -->
        "a" = "x"; // about a
        "b" = "y";

        // the end
        == 18 set /c --string z | a blank line where all have one
        "a" = "x";

        "b" = "y";
        -->
        "a" = "x";

        "b" = "y";

        "c" = "z";
        == 20 set /b --string y | no line break at the end
        "a" = "x";%%
        -->
        "a" = "x";
        "b" = "y";%%
        == 26 set /b --string y | keys have quotation marks
        a = x;
        -->
        a = x;
        "b" = "y";
        == 28 set /a --string x | a key that stands alone
        "a";
        "b";
        -->
        "a" = "x";
        "b";
        == 30 remove /a | all of a repeated key
        "a" = "x";
        "b" = "y";
        "a" = "z";
        -->
        "b" = "y";
        """#
}
