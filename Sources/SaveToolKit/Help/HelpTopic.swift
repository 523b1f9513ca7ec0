/// A topic of the help that is not a command: `savetool help addresses`.
struct HelpTopic: Sendable {
    /// The word that names the topic.
    let name: String
    let summary: String
    /// Shell commands, each with its purpose. Tests run all of them.
    let examples: KeyValuePairs<String, String>
    /// The text of the topic, see ``Prose``.
    let text: String
    /// The options that the topic lists.
    var options: [Option] = []

    /// Whether the topic is the page of a command.
    var isCommand: Bool { SaveTool.command.entries.contains { $0.word == name } }

    static let all = [
        addresses, editing, exitCodes, files, git, json, layers, limits, merging, options, schema,
    ]

    private static let addresses = HelpTopic(
        name: "addresses", summary: "how to name values in a file",
        examples: [
            "every value with its address": "savetool inspect -f flat swamp.save",
            "one value": "savetool get swamp.save /root/charList/0/health",
            "ignore the positions": "savetool diff --ignore '/**/position.y' swamp.save later.save",
        ],
        text: """
            An address is a JSON Pointer (RFC 6901): the keys, field names and positions from the root to a
            value, each after a slash. Positions count from 0. Addresses lead into the objects of a keyed
            archive, or with --raw into the property list that stores them.

                /root/charList/0  the first element of the array at /root/charList
                /a~1b             the key a/b: ~1 is a slash, ~0 a tilde
                ''                the root; messages show it as (root)
                /                 the empty key; if it does not exist, commands that read show the root
                /list/-           after the last element, for insert and patch

            Extensions:

                /root/$class      the class name of an object
                /levels/~=5       the value whose key is the number 5; also ~=1.5, ~=true and
                                  ~=2009-09-06T12:34:56Z
                /levels/~#3       the pair at position 3, for other keys and duplicate keys
                /levels/~*        the key *; ~** is the key **
                /savedGame/~^     the root of the save that is stored in a value

            In an SQLite database the steps are table, row (by primary key, or rowid) and column:

                /monsters/3/name         the column name of the row with the primary key 3
                /pairs/[1,"a"]/c         a key of several columns, as JSON without white space
                /blobs/x'00ff'/c         a blob; text that looks like another kind is in "…"

            Addresses continue in nested saves, such as an archive in data or JSON in a string:
            /savedGame/root/health. OpenStep text and Base64 open only for an explicit step, not for a wildcard
            or directly after **. --opaque opens none.

            A PATTERN is an address in which * matches any one step and ** any number of steps, such as
            /root/*/name or /**/date. get, set and remove handle every match. In diff and merge a pattern covers
            everything below its matches. ** visits a shared object once, * at each of its addresses. --where
            'health<10' keeps only objects with a matching field and the values of their fields.

            If an address does not exist, the error suggests the closest one that does. In a shell, put
            addresses with $, * or ~ in single quotes.
            """)

    private static let editing = HelpTopic(
        name: "editing", summary: "how set, insert, remove, patch and other commands change files",
        examples: [
            "see what would change": "savetool set -n swamp.save /root/charList/0/health 100",
            "change a field of matching objects":
                "savetool set -i swamp.save '/root/charList/*/health' 100 --where 'type==3'",
            "keep the old file as swamp.save~": "savetool remove -i --backup swamp.save /root/charList/1",
        ],
        text: """
            An edit rewrites only what it changes: a binary file keeps the bytes of its other values, though
            references may be renumbered, and a text keeps its comments, white space and spellings. New values
            take the style of their neighbours. -i lists the first five changes on standard error.

            VALUE is typed JSON. A word that is not JSON is a string. It is refused if it begins with {, [ or ",
            begins like a number, is blank, or spells a literal (true, yes, none, nan) in any case, unless it
            fits the present value. If a key occurs more than once, the value that readers use changes.

            Types come from the replaced value, member by member:

                real        keeps its width
                integer     9.0 becomes 9
                NSNumber    a number stored as an object stays one
                date, data  text becomes a date; Base64 becomes data
                geometry    '{1, 2}' becomes a point, size, rectangle or range
                array       keeps its class

            The value of a new slot takes its types from the same field of other objects of the class, or from
            neighbouring elements. Tags such as $inline, $object and $date override types, see savetool help
            json. A value of another kind is refused without --change-type. null fits every type. In OpenStep,
            numbers are stored as text.

            Unchanged members stay as they are: get FILE ADDRESS | set FILE ADDRESS --json-file - changes
            nothing. A shared object changes at all its addresses, and a message names the others. With
            --unshare, only the given address gets a changed copy.

            Nothing is written if the format cannot hold a value (--allow-loss writes the nearest one), or if
            other readers refuse a new value: an integer beyond 64 bits, or null in a binary property list.
            """)

    private static let exitCodes = HelpTopic(
        name: "exit-codes", summary: "the exit status of all commands",
        examples: [
            "no output, only the exit status": "savetool diff --quiet swamp.save later.save",
            "fail if a file is damaged": "savetool validate --quiet swamp.save",
            "fail if a value does not exist": "savetool get swamp.save /root/currentLevelName",
        ],
        text: """
                0  done, and the answer is yes: equal, valid, merged, found
                1  the answer is no: different, invalid, conflicts, no such value, a failed test of a
                   patch, a score that is too low
                2  error: wrong arguments, an unreadable or damaged file, a result that would lose something

            The worst status of several files wins. If the reader closes the pipe, a command ends with 0; only
            diff, validate and roundtrip continue.
            """)

    private static let files = HelpTopic(
        name: "files", summary: "how files and folders are read and replaced",
        examples: [
            "read standard input": "savetool inspect - < swamp.save",
            "all saves in a folder": "savetool validate saves",
            "write to another file": "savetool set swamp.save /root/currentLevelName Castle -o new.save",
        ],
        text: """
            The format is detected from the content. FILE - is standard input. Results go to standard output,
            messages to standard error. Binary data is not written to a terminal.

            A folder means all saves in it and in its subfolders: files that end in .plist, .bplist, .save, .sav,
            .archive, .json, .strings, .openstep, .gnustep or .sks, SQLite databases that end in .sqlite,
            .sqlite3, .db or .store, and binary or XML property lists and typedstreams of any name. Links
            to folders or files elsewhere, folders whose name begins with a dot, pipes and devices are skipped. A
            pipe given as FILE is read to its end.

            A file is replaced as a whole or not at all, and only if its content changes. Concurrent runs of
            savetool wait for each other with a lock on the folder. If another program changes the file
            meanwhile, nothing is written and the exit status is 2.
            """)

    private static let git = HelpTopic(
        name: "git", summary: "saves in git: diff, log, merge, conflicts",
        examples: [
            "the settings that git needs": "savetool git-setup",
            "the lines that git compares": "savetool textconv swamp.save",
            "a merge as git runs it": "savetool merge base.json phone.json tablet.json --rule higher",
        ],
        text: """
            After savetool git-setup --apply, git shows saves as lines in diff, log -p, show and blame, and
            merges them value by value in merge, rebase and cherry-pick. git must find savetool in the PATH.

            At a conflict, the file contains the merge with our side of each conflict, without markers. Each
            conflict is listed with the two commands that settle it; git add marks the file as settled. git
            mergetool --tool savetool asks about each open conflict, on the terminal or standard input.

            git checkout -m FILE merges again, also after a conflict that arose before git-setup --apply. git
            diff --base FILE, --ours and --theirs show what the merge changed relative to each side.

            git-setup --rule /**/health=higher --apply settles conflicts in advance, see savetool help merging.
            git-setup --hooks --apply installs a hook that refuses a commit with a conflict.

            FILE can be a revision as in git, such as HEAD:saves/slot.save, HEAD:./slot.save or :slot.save.
            """)

    private static let json = HelpTopic(
        name: "json", summary: "plain, typed and graph JSON",
        examples: [
            "plain, for jq": "savetool inspect -f json swamp.save",
            "typed, without loss": "savetool convert --to json prefs.plist",
            "put edited plain JSON back into a save":
                "savetool convert --like swamp.save edited.json -o new.save",
        ],
        text: """
            inspect -f json and get print plain JSON: dates and data are strings, sets are arrays, NaN and
            infinities are null, an object has its class at $class, and a shared object is repeated. convert
            --like ORIGINAL and set --json-file read it back with the types of the original.

            convert --to json writes a property list as typed JSON, which keeps everything. 5 is an integer,
            5.0 a real. Other kinds are written as tags, which are objects with one member:

                {"$date": "2009-09-06T12:34:56Z"}  a date
                {"$data": "3q0="}                  data in Base64
                {"$real32": 0.1}                   a 32-bit real
                {"$real": "nan"}                   also inf and -inf
                {"$bplist": {"gems": 7}}           data that holds a binary property list or an archive
                {"$xplist": {"gems": 7}}           data that holds an XML property list
                {"$set": [1, 2]}                   a set
                {"$uid": 5}                        a UID
                {"$dict": [["k", 1], [2, 3]]}      a dictionary with non-string or duplicate keys

            $bplist and $xplist need --nested. --exact adds everything for rebuilding the same binary file. If
            a $ member is not a valid tag, the document is plain JSON and such members are ordinary keys.
            --from plain-json reads no tags, typed-json reports invalid ones, json rejects comments.

            convert --to json writes a keyed archive as graph JSON: its objects, with the members $archiver,
            $classes and $top. Read back, it becomes the archive that NSKeyedArchiver would write.

                {"$class": "Player", "name": "Ada"}  an object
                {"$object": 12}                      a number stored as an object (NSNumber)
                {"$inline": X}                       a value stored in place
                "$id": 1 and {"$ref": 1}             a shared object and a reference to it

            In values for set, insert and patch, {"$ref": "/root/map"} is the object at an address.
            """)

    private static let layers = HelpTopic(
        name: "layers", summary: "compressed, encoded and encrypted saves; checksums",
        examples: [
            "a gzip file": "savetool inspect swamp.save.gz",
            "change a value under XOR, Base64 and gzip":
                "savetool set -i --unwrap CCLocalLevels.dat /LLM_02 36",
            "read through another program": "savetool inspect --filter-in 'cat' swamp.save",
        ],
        text: """
            gzip and zlib are opened automatically, and a message says so. --unwrap also decodes Base64 text,
            hexadecimal digits and XOR with one byte, if this reveals a save or another layer; it finds the key
            of XOR. Up to 8 layers are opened, in any order.

            --unwrap-at OFFSET does the same after a header of OFFSET bytes (0 is allowed), which is kept. It
            also finds deflate data without a header of its own, but looks for XOR only together with --unwrap.
            Bytes after the save or its layers are kept, too.

            Edits restore the layers, with the header of gzip data and the alphabet, lines and padding of Base64.
            convert removes layers, except with --in-place. convert --like writes the layers of ORIGINAL;
            --unwrap-at then describes ORIGINAL. merge writes the layers of OURS.

            --filter-in CMD pipes each file through a shell command, and --filter-out CMD pipes the result. Layers
            are removed from the output of --filter-in. To change a file, give both. Filters are options of the
            command line only and do not apply in git.

                --filter-in 'xz -dc' --filter-out 'xz -c'

            --fixup recomputes a checksum after an edit: md5, sha1, sha256 or crc32. It is stored as before:
            hexadecimal digits, Base64, data, or an integer for crc32. ALGORITHM:WHERE over WHAT:

                sha1:/checksum over /payload          the bytes of data or the UTF-8 of text
                sha1:/checksum over /                 the JSON without the checksum
                md5:/sum over "salt" + /a + 0x00FF    several parts, one after the other
                md5:file NAME over file               stored in the file NAME; * is the save's name
                crc32:byte 4 over file from 8         stored in the header that --unwrap-at skips
                crc32:byte -4 over file to -4         stored in the last four bytes
            """)

    private static let limits = HelpTopic(
        name: "limits", summary: "limits on the work that a file can cause",
        examples: [
            "counts and sizes": "savetool inspect -f summary swamp.save",
            "refuse deeper nesting": "savetool validate --max-depth 64 swamp.save",
            "a tree without omissions": "savetool inspect --limit 0 swamp.save",
        ],
        text: """
            No file can crash savetool, hang it or exhaust memory. A finding names the limit that a file
            exceeds:

                depth      512 nested containers, as in Core Foundation; --max-depth N
                expansion  shared objects expanded as a tree: 64 × the file size + 4 MiB
                overlap    binary objects that share bytes: 16 × the file size + 64 MiB
                stream     a typedstream's field names: 16 × the file size + 4 MiB; its values without
                           bytes: 4 × the file size + 1024
                output     text: 64 × the file size + 64 MiB
                values     of a compressed file or a database: 4 × the file size + 1 Mi
                layers     8 layers; their contents, or the output of a filter: 256 × the file size +
                           64 MiB, at most 2 GiB
                nested     64 levels of nested saves (--nested-depth N); all saves together: 16 × the file
                           size + 64 MiB
                findings   1000 of a kind; further ones are only counted
                size       files 2 GiB, pipes 1 GiB, devices 64 MiB
                JSON       integers of 128 bits; 64-bit reals

            --max-work N multiplies the limits from expansion to nested.
            """)

    private static let merging = HelpTopic(
        name: "merging", summary: "how merges settle conflicts",
        examples: [
            "the higher of the two values": "savetool merge base.json phone.json tablet.json --rule higher",
            "rules for parts":
                "savetool merge base.json phone.json tablet.json --rule /gems=sum-of-changes --rule /level=max",
            "without a common ancestor": "savetool merge --base none phone.json tablet.json --rule max",
        ],
        text: """
            These rules settle conflicts:

                ours, theirs   the value of that side
                base           the value of BASE, unless it is a collection
                higher, lower  the greater or lesser of two numbers or dates
                newest         the side whose file is newer; newest:/ADDRESS compares dates or numbers at an
                               address; newest:KEY compares those under KEY in the value, or else in the
                               nearest container around it that has KEY. A tie stays a conflict
                fail           keeps the conflict, as an exception to a wider rule

            These also apply if only one side changed a value:

                max, min        the greater or lesser number or date: max for a level that never falls,
                                even if one side removed it. For health, which may fall, use higher
                union           the elements of OURS, then those of THEIRS that OURS lacks; nothing is
                                removed. Numbers and strings under a key can still conflict
                sum-of-changes  the number of BASE, or 0, plus both changes, even equal ones: gems, coins

            Array elements are aligned as in diff. If both sides add a dictionary, or objects of one class,
            under the same key, they are merged. If both insert elements at one position, those from OURS come
            first. If both move an element, it moves as in OURS.

            --base none merges without an ancestor: dictionaries and objects are merged, values that only
            one side has are kept, and other differences conflict.

            Text files are merged by line as in git if the result equals the merged values. Otherwise OURS is
            edited, and new values keep their text from THEIRS. A comment, a number's digits, or ignored text
            that cannot be kept is a conflict without --allow-loss.
            """)

    private static let options = HelpTopic(
        name: "options", summary: "options that many commands share",
        examples: [
            "plain JSON whose keys begin with $": "savetool inspect --from plain-json edited.json",
            "no colours, no pager": "savetool inspect --no-color --no-pager swamp.save",
            "all options of one command": "savetool get --help-all",
        ],
        text: """
            --help-all shows which of them a command has. Options with … may be repeated. Short options combine:
            -in is -i -n. Write --name=VALUE if VALUE begins with a hyphen. -- ends the options. --color auto uses
            colours on a terminal, unless NO_COLOR or TERM=dumb is set; CLICOLOR_FORCE=1 uses them elsewhere.
            """,
        options: common)

    /// The common options of all commands by name.
    private static var common: [Option] {
        let options = SaveTool.command.all.flatMap(\.allOptions).filter { $0.purpose == .common }
        let first = Dictionary(options.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        return first.values.sorted { $0.name < $1.name }
    }

    /// A topic that shows the page of the command with the same name.
    private static let schema = HelpTopic(
        name: SchemaCommand.command.name, summary: SchemaCommand.command.summary,
        examples: SchemaCommand.command.examples, text: SchemaCommand.command.discussion)
}
