/// A topic of the help that is not a command: `savetool help addresses`.
struct HelpTopic: Sendable {
    /// The word that names the topic.
    let name: String
    /// A short description.
    let summary: String
    /// Shell commands, each with its purpose. Tests run all of them.
    let examples: KeyValuePairs<String, String>
    /// The text of the topic, see ``Prose``.
    let text: String

    /// Whether the topic is the page of a command.
    var isCommand: Bool { SaveTool.command.commands.contains { $0.word == name } }

    static let all = [addresses, exitCodes, git, json, layers, limits, schema]

    private static let addresses = HelpTopic(
        name: "addresses", summary: "how a value in a file is named",
        examples: [
            "every value with its address": "savetool inspect -f flat swamp.save",
            "one value": "savetool get swamp.save /root/charList/0/health",
            "all but the positions": "savetool diff --ignore '/**/position.y' swamp.save later.save",
        ],
        text: """
            An address is a JSON Pointer (RFC 6901): the keys, the names of fields and the positions that
            lead from the root to a value, each behind a slash. Positions count from 0. It is the same in
            all commands, and goes into the objects of a keyed archive, not into the property list that
            they are stored as; --raw is for that.

                /root/charList/0  the first element of the array at /root/charList
                /a~1b             the key a/b; ~1 stands for a slash, ~0 for a tilde
                ''                the root, the empty address; messages show it as (root)
                /                 the value under the empty key; if that does not exist, commands that
                                  read show the root and say so, commands that write refuse
                /list/-           behind the last element of an array, for insert and patch

            Some steps lead where no JSON Pointer would:

                /root/$class      the name of the class of an object
                /levels/~=5       the value whose key is the number 5; also ~=1.5, ~=true and
                                  ~=2009-09-06T12:34:56Z
                /levels/~#3       the pair at position 3, whose key is something else, or repeated
                /levels/~*        the value whose key is *, and ~** likewise
                /savedGame/~^     the root of the save that is stored in a value

            In an SQLite database the steps are a table, a row and a column. A row is known by its primary key,
            or else by its rowid:

                /monsters/3/name         the column name of the row whose primary key is 3
                /players/Ada/score       likewise, where the key is text
                /pairs/[1,"a"]/c         a key of several columns, as JSON without blanks
                /blobs/x'00ff'/c         a blob; text that reads like something else is in "…"

            Addresses go on in saves that are stored in values: where /savedGame is data that holds an
            archive, /savedGame/root/health is a value in it. Text and base64 in data and strings are
            opened, too, where an address leads into them; in a pattern where a name, a position or ~^ does
            that is not right behind **, as wildcards lead into data only. --opaque takes data as data.

            In a shell, put addresses with $, * or ~ in single quotes.

            A PATTERN is an address in which * stands for any one step and ** for any number of them:
            /root/*/name, /**/date. get, set and remove take patterns, and do with each value that there is
            what they do with one. The options --ignore, --only, --identity, --unordered, --tolerance and
            --rule of diff and merge do, too; there a pattern covers what is there and all that is below.

            Of an address that leads nowhere the nearest one is told that does.
            """)

    private static let exitCodes = HelpTopic(
        name: "exit-codes", summary: "what the exit status says",
        examples: [
            "nothing but the exit status": "savetool diff --quiet swamp.save later.save",
            "fail if a file is not sound": "savetool validate --quiet swamp.save",
            "fail if nothing is there": "savetool get swamp.save /root/currentLevelName",
        ],
        text: """
            Every command ends in one of three ways, as diff and grep do:

                0  done, and the answer is yes: the same, valid, merged, found
                1  the answer is no: files differ, a file is invalid, a merge has conflicts, nothing is at
                   the address, a test of a patch failed, a score did not enter
                2  it could not be done: wrong arguments, a file that cannot be read or is damaged, a
                   result that would lose something

            Of several files the gravest counts. Results go to standard output, and everything else to
            standard error. At 2 nothing is half written: a file is replaced as a whole or not at all.

            A pipe that is closed by its reader ends the command with 0, so that savetool … | head
            succeeds. The help of each command says what 1 and 2 mean there.
            """)

    private static let git = HelpTopic(
        name: "git", summary: "saves in git: diff, log, merge, conflicts",
        examples: [
            "what would be set up": "savetool git-setup",
            "what git shows of a save": "savetool textconv swamp.save",
            "what git's merge does": "savetool merge base.json phone.json tablet.json --rule higher",
        ],
        text: """
            savetool git-setup --apply makes git show saves as lines of text in diff, log -p, show and
            blame, and merge them value by value. It writes to .gitattributes and to the configuration of
            the repository, or with --global to those of the user. Without --apply it prints what it would
            write. git must find savetool by the PATH.

            Three commands of this tool are called by git then:

                textconv      writes a save as lines, for git diff, log, show and blame
                diff --git    shows changes one line each, after git-setup --driver changes
                merge --git   merges, in git merge, rebase and cherry-pick

            At a conflict the file has all that merged, with our side at the conflicts and without markers,
            and each conflict is listed with the two commands that settle it. Then git add says that it is
            settled. git mergetool --tool savetool asks for each conflict instead. git checkout -m FILE
            begins anew.

            Where git has left a conflict before anything was set up, it is not too late:

                savetool git-setup --apply  sets it up
                git checkout -m swamp.save  merges the file anew, value by value
                git add swamp.save          when no conflict is left

            git diff --base swamp.save, --ours and --theirs show what the merge made of each side; git diff
            alone shows at a conflict only lines that differ from both.

            Rules settle conflicts before they arise: git-setup --rule /**/health=higher --apply takes the
            higher health where both sides changed it.
            """)

    private static let json = HelpTopic(
        name: "json", summary: "the kinds of JSON: plain, typed, graph",
        examples: [
            "plain, for jq, one way": "savetool inspect -f json swamp.save",
            "typed, and back without a loss": "savetool convert --to json prefs.plist",
            "plain, and back by the example of a save":
                "savetool convert --like swamp.save edited.json -o new.save",
        ],
        text: """
            Plain JSON is what inspect -f json and get print. Dates and data are strings, NaN and infinities
            null, and an object has its class at $class. What is shared is written out. convert --like
            ORIGINAL and set --json-file take it back, with the types of what stands there.

            Typed JSON is what convert --to json writes of a property list. It holds everything. 5 is an
            integer and 5.0 a real; what JSON has no value for is an object with one member:

                {"$date": "2009-09-06T12:34:56Z"}  a date
                {"$data": "3q0="}                  data, in base64
                {"$real32": 0.1}                   a real of four bytes
                {"$real": "nan"}                   also inf and -inf
                {"$bplist": {"gems": 7}}           data that holds a binary property list, or an archive
                {"$xplist": {"gems": 7}}           data that holds an XML property list
                {"$set": [1, 2]}                   a set
                {"$uid": 5}                        a UID
                {"$dict": [["k", 1], [2, 3]]}      a dictionary with keys that are no strings, or repeated

            --exact adds what it takes to write the same binary file again, byte for byte. Without --nested
            data is always written as $data.

            If a $ member is not a valid tag, the whole document is plain JSON and such members are ordinary
            keys. --from plain-json makes all of them ordinary keys; --from typed-json reports an invalid tag.

            Graph JSON is what convert --to json writes of a keyed archive: its objects, with their classes
            and fields, under $archiver, $classes and $top. In it:

                {"$class": "Player", "name": "Ada"}  an object
                {"$object": 12}                      a number that is stored as an object, an NSNumber
                {"$inline": X}                       a value that is stored in place
                "$id": 1 and {"$ref": 1}             an object that is shared, and where else it stands

            Read back, it becomes the archive that NSKeyedArchiver would write. In values for set, insert and
            patch, {"$ref": "/root/map"} is the object at an address.
            """)

    private static let layers = HelpTopic(
        name: "layers", summary: "saves that are compressed, encoded or encrypted; checksums",
        examples: [
            "what is in gzip data": "savetool inspect swamp.save.gz",
            "change a value behind XOR, Base64 and gzip":
                "savetool set -i --unwrap CCLocalLevels.dat /LLM_02 36",
            "read what another program takes off": "savetool inspect --filter-in 'cat' swamp.save",
        ],
        text: """
            What is compressed by gzip or zlib is opened by itself, and a line on standard error says so.
            --unwrap takes off Base64 text and XOR by one byte, too, where a save or another layer comes out;
            the key is found. There may be 8 layers, in any order. Places in messages are those of the
            contents, and say so.

            Edits put the layers back that were taken off, over the file and elsewhere: the header of gzip
            data stays, and so do the alphabet, the lines and the padding of Base64. convert takes them off,
            but leaves them with --in-place; --like gives those of the example, merge those of OURS. What is
            not changed keeps every byte.

            --filter-in CMD reads what a line of the shell makes of each file, and --filter-out CMD writes
            what another makes of the result:

                --filter-in 'xz -dc' --filter-out 'xz -c'

            Layers lie within what --filter-in gives. A command that changes a file needs both. Programs are
            named on the command line alone, and what git runs takes none.

            --fixup 'sha1:/checksum over /payload' puts a checksum right after an edit: md5, sha1, sha256 or
            crc32, over the bytes of data or the UTF-8 of a text, in the form that stands there, which is
            hexadecimal digits, base64, data, or for crc32 an integer. It may be repeated.
            """)

    private static let limits = HelpTopic(
        name: "limits", summary: "what bounds the work that a file can ask for",
        examples: [
            "numbers of a file": "savetool inspect -f summary swamp.save",
            "refuse what is nested deeper": "savetool validate --max-depth 64 swamp.save",
            "all that a tree leaves out": "savetool inspect --limit 0 swamp.save",
        ],
        text: """
            No file can crash savetool, hang it or exhaust memory. Where a small file can stand for a large
            value, limits decide, and a finding names the limit:

                depth      512 containers within each other, as in Core Foundation; --max-depth N
                expansion  shared objects written out as a tree: 64 times the size of the file and 4 MiB
                overlap    objects of a binary file that share bytes: 64 MiB and 16 times the size of the file
                stream     what a typedstream does not store: names of fields written out, 16 times its size
                           and 4 MiB; values without bytes, 4 times its size and 1024
                output     what shows a file as text: 64 MiB and 256 times its size in memory
                layers     8; what comes out of all of them, or of a filter: 64 MiB and 256 times the
                           size of the file, at most 2 GiB
                nested     property lists in data within each other: 64, --nested-depth N; all of them
                           together 64 MiB and 16 times the size of the file
                findings   1000 of a kind; the rest is counted
                size       files of 2 GiB, pipes and devices of 1 GiB
                JSON       integers of 128 bits; reals as eight bytes hold them

            --max-work N allows N times as much expansion, overlap, stream, output, contents of layers and
            nested data.

            inspect shows people a part of a large file: 50 contents of a container, 12 elements of a long
            array. --limit 0 shows all, --depth N and --at ADDRESS a part; the views flat and json leave
            nothing out.

            Completion looks into files of up to 16 MB for at most a fifth of a second.
            """)

    /// The topic of `schema`, a group of commands that has its own page.
    private static let schema = HelpTopic(
        name: SchemaCommand.command.name, summary: "what a JSON Schema can say of a save",
        examples: SchemaCommand.command.examples, text: SchemaCommand.command.discussion)
}
