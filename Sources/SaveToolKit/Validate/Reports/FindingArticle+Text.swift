extension FindingArticle {
    // `RECORD=1 swift test --filter FindingCatalogueTests` copies this text from the article, so it is as long
    // as that.
    static let text = #"""
        ## Formats

        Format detection. If no reader accepts a file, the finding names its actual kind.

        | identifier | meaning | example |
        |---|---|---|
        | `format.empty` | the file is empty or blank | |
        | `format.comments` | the file contains only comments | |
        | `format.read-only` | savetool cannot write this format | `a typedstream can be read but not written` |
        | `format.unknown` | an unknown format | |
        | `format.git-lfs` | a Git LFS pointer | `this is a Git LFS pointer, not the file (1024 bytes)` |
        | `format.extension` | warning: OpenStep text in a file whose name ends in `.json` | `…, but its name ends in .json` |
        | `format.conflict` | an unresolved Git conflict | `this line is a conflict marker of git` |
        | `format.html` | an HTML page | `this is an HTML page titled "404 Not Found", possibly an error page` |
        | `format.xib` | an Interface Builder document | `this is an Interface Builder document (XIB), not a property list` |
        | `format.defaults-output` | output of `defaults read` | `shortens data to {length = 3125, bytes = …}` |
        | `format.plutil-output` | output of `plutil -p` | `this is the output of plutil -p, which cannot be read back` |
        | `format.hexadecimal` | a save as hexadecimal digits | `this is a binary property list of 779 bytes, written as hexadecimal digits` |
        | `format.layers` | error or warning: layers that only `--unwrap` removes; a warning if the text is also a valid string | `this is Base64 data with a binary property list in it` |
        | `format.apple-double` | an AppleDouble file | `this is an AppleDouble file, which macOS stores beside a file` |
        | `format.sqlite-wal` | the log of a database | `this is the write-ahead log of an SQLite database` |
        | `format.sqlite-journal` | the journal of a database | `this is the rollback journal of an SQLite database` |
        | `format.lz-string` | error or warning: probably text compressed by LZString; a warning if it is also a valid string | `this is probably JSON compressed by LZString, such as a save of RPG Maker MV` |
        | `format.other-xml` | XML with another root | `this is an SVG image, not a property list` |
        | `format.other` | a file of another kind, such as an image | `this is a JPEG image, not a property list` |
        | `format.base64` | Base64 of data in no known format | `this is Base64 of 55 bytes in no known format, which may be encrypted` |
        | `format.icloud` | warning: a placeholder of iCloud for a file | `this is a placeholder of iCloud` |
        | `format.rtf` | formatted text | `this is formatted text (RTF), as some text editors write it` |
        | `format.…` | a known but unsupported format: `bplist15`, `bplist16`, `bplist17`, `nib-archive`, `gnustep-archive`, `bookmark`, `gzip`, `bzip2`, `xz`, `zstd`, `zlib`, `zip`, `png`, `geometry-dash`, `dotnet`, `mach-o`, `cms` | |

        ## Damage

        Causes of damage that the bytes of an unreadable file prove, at the first byte that shows them.

        | identifier | meaning | example |
        |---|---|---|
        | `damage.blank` | only zeros, or only 0xFF | `all 4,096 bytes are zero` |
        | `damage.zeros` | zeros at the end or in the middle | `the last 2 of 10 bytes are zero` |
        | `damage.byte` | a changed byte | `object 39 was changed here: object 39 has the marker 0xEF` |
        | `damage.stretch` | a stretch of other bytes in the middle | `12 bytes from here on are binary data in the middle of a text` |
        | `damage.block` | the beginning of another file in the middle | `a block of another file, the beginning of a PNG image` |
        | `damage.inserted` | bytes that do not belong to the file | `64 extra bytes in or after object` |
        | `damage.missing` | bytes are missing in the middle | `32 bytes are missing in or after object` |
        | `damage.beginning` | the beginning is missing | `this is the end of a binary property list; its first 77 bytes are missing` |
        | `damage.preceding` | other bytes before a save | `4 bytes precede a binary property list, which begins here` |
        | `damage.trailing` | a different file follows a complete one | `the … is complete here, but …` |
        | `damage.second-file` | a second file of the same format follows | `two files in one: the JSON is complete here` |
        | `damage.overwritten` | a short file that was written over a longer one | `a complete binary property list ends here` |
        | `damage.line-ends` | each 0x0A became 0x0D 0x0A; or each 0x0D became 0x0A, or the reverse | `line ends were converted to CRLF, as if the file were text` |
        | `damage.seven-bit` | a conversion to 7 bits destroyed binary data | `the highest bit of each byte is gone` |
        | `damage.replaced` | binary data converted as UTF-8, which destroys it | `the bytes were converted as if they were UTF-8 text` |
        | `damage.utf8` | binary data converted from Latin-1 to UTF-8 | `the file was converted from Latin-1 to UTF-8` |
        | `damage.quoted` | a text quoted in a mail | `each line begins with >, as in the reply to a mail` |
        | `damage.escaped` | a text escaped for HTML | `the text was escaped for a web page` |
        | `damage.fenced` | a text pasted as code | `precedes or follows the text` |
        | `damage.typeset` | quotation marks or spaces replaced as in typeset text | `… was replaced as in typeset text` |
        | `damage.utf16` | binary data converted to UTF-16 | `… was converted to UTF-16 text, for example by > in PowerShell` |

        ## Salvage

        Repairs of a damaged file, at the first byte that they change, and the reasons why there is none.

        | identifier | meaning | example |
        |---|---|---|
        | `salvage.appended` | info: bytes after the end were removed |  |
        | `salvage.checksum` | info: a layer has a wrong size around contents that read, or other bytes after it |  |
        | `salvage.constant` | info: `$null` or `$version`, which are the same in every archive, was restored |  |
        | `salvage.encoding` | info: a conversion to UTF-8 or UTF-16 was undone; bytes that are not text were replaced |  |
        | `salvage.escaped` | info: characters that were escaped for HTML were restored |  |
        | `salvage.extent` | a readable file whose offset table contradicts its objects, or in which two of them overlap in part |  |
        | `salvage.fenced` | info: the fences around a text were removed |  |
        | `salvage.header` | info: the header was restored |  |
        | `salvage.index` | a readable database whose indexes or pages contradict its tables |  |
        | `salvage.key` | info: a key of an archive was restored, because a class or an object needs it |  |
        | `salvage.line-ends` | info: a conversion to CRLF was undone |  |
        | `salvage.markup` | a readable text with markup that is not well-formed; info: damaged markup around the root of a text was restored |  |
        | `salvage.nothing` | nothing in the file can be read |  |
        | `salvage.preceding` | info: bytes before the save were removed |  |
        | `salvage.quoted` | info: `>` was removed from each line |  |
        | `salvage.reference` | a readable file with a reference that contradicts the order of its objects; info: a changed bit in such a reference was changed back |  |
        | `salvage.root` | a readable file with objects outside its root |  |
        | `salvage.schema` | the schema of a database is lost, so that its rows have no names |  |
        | `salvage.table` | info: the file was rebuilt from its objects |  |
        | `salvage.typeset` | info: typographic quotation marks and spaces became plain ones |  |
        | `salvage.trailer` | info: the trailer and the offset table were rebuilt from the objects |  |

        ## Layers

        Layers around the contents of a file: gzip (RFC 1952), zlib (RFC 1950), deflate (RFC 1951), Base64, and programs of
        `--filter-in`. The location is a byte in the file, or in the contents of the outer layer.

        | identifier | meaning | example |
        |---|---|---|
        | `wrapping.opened` | info: the contents of layers are checked | `the contents of the gzip data are checked` |
        | `wrapping.depth` | too many layers | `the file has more than 8 layers` |
        | `wrapping.header` | a header of `--unwrap-at` as long as the file | `expected more after a header of` |
        | `wrapping.hexadecimal` | invalid hexadecimal digits |  |
        | `wrapping.base64` | invalid Base64 | `found a character that Base64 text does not allow` |
        | `gzip.header` | truncated header | `truncated: the data ends within the gzip header` |
        | `gzip.method` | unknown compression | `the gzip compression method is 7` |
        | `gzip.flags` | reserved flags | `the gzip header has reserved flags: 0xE0` |
        | `gzip.header-checksum` | wrong header checksum | `the stored checksum of the header is 0x201` |
        | `gzip.truncated` | truncated trailer | `truncated: the data ends within the gzip trailer` |
        | `gzip.checksum` | wrong checksum of the contents | `the stored checksum of the contents is 0x35244100` |
        | `gzip.size` | wrong size of the contents | `the gzip contents have 3 bytes` |
        | `gzip.trailing` | other data follows | `1 byte after the end of the gzip data` |
        | `zlib.dictionary` | a dictionary is needed | `the zlib data needs a preset dictionary, which the file does not contain` |
        | `zlib.truncated` | truncated checksum | `truncated: the data ends within the zlib checksum` |
        | `zlib.checksum` | wrong checksum of the contents | `the stored checksum of the contents is 0x24D0128` |
        | `zlib.character` | zlib data stored as text has a character above U+00FF | `expected zlib data stored as UTF-8 text` |
        | `zlib.trailing` | other data follows | `3 bytes after the end of the zlib data` |
        | `deflate.truncated` | truncated block | `truncated: the data ends within a compressed block` |
        | `deflate.block` | unknown type of block | `a block of the compressed data has an unknown type` |
        | `deflate.stored` | contradictory sizes | `the two sizes of a stored block differ: 3 and 5` |
        | `deflate.code` | invalid code table | `a block has too many codes for literals and lengths` |
        | `deflate.symbol` | invalid code | `found a code without a literal, length or distance` |
        | `deflate.distance` | a match from before the contents | `a match has the distance 2` |
        | `deflate.trailing` | other data follows |  |
        | `limit.unwrapped` | too much decompressed or filtered data | `the decompressed contents exceed the limit for this file, … MiB` |
        | `filter.run` | a filter cannot be run |  |
        | `filter.empty` | a filter has no output |  |
        | `filter.status` | a filter failed |  |

        ## Binary

        The structure and values of binary property lists, see <doc:BinaryFormat>. The location is a byte offset.

        | identifier | meaning |
        |---|---|
        | `binary.magic` | the file does not begin with `bplist0` |
        | `binary.length` | too short |
        | `binary.object-count` | invalid object count |
        | `binary.root` | the root is not an object of the file |
        | `binary.table-start` | invalid start of the offset table |
        | `binary.table-length` | invalid length of the offset table |
        | `binary.offset-size` | error or warning: 0 or too small; over 8 is a warning |
        | `binary.reference-size` | error or warning: 0 or too small; over 8 is a warning |
        | `binary.…-size` | warning: one of these two |
        | `binary.offset-range` | an offset outside the objects |
        | `binary.object` | a damaged object, such as one with an unknown marker |
        | `binary.reference-range` | a reference to an object that does not exist |
        | `binary.cycle` | a container contains itself |
        | `binary.container-key` | a container as a key |
        | `binary.unsound-object` | warning: a damaged object without references |
        | `binary.truncated` | the end is missing |
        | `binary.trailing` | data after the trailer |
        | `binary.high-bytes` | warning: non-ASCII bytes in an ASCII string, read as ISO-8859-1 |
        | `binary.wide-integer` | warning: more than 64 bits |
        | `binary.null` | warning: a null |
        | `binary.key-kind` | warning: a non-string key |
        | `binary.overlap` | warning: overlapping objects |
        | `binary.gap` | warning: bytes that belong to no object, as if one had been longer |

        ## XML

        The syntax and values of XML property lists, see <doc:XMLFormat>. The location is a line and column.

        | identifier | meaning |
        |---|---|
        | `xml.empty` | no value in `<plist>` |
        | `xml.text` | text between elements |
        | `xml.unclosed` | an unclosed comment, tag, section or instruction |
        | `xml.declaration` | an unexpected declaration |
        | `xml.subset` | a document type with an internal subset |
        | `xml.entity-declaration` | an entity declaration |
        | `xml.element` | an unknown element |
        | `xml.end` | a wrong end tag |
        | `xml.markup` | markup inside a scalar |
        | `xml.truncated` | an unclosed element |
        | `xml.empty-element` | an empty scalar |
        | `xml.second-value` | two values in `<plist>` |
        | `xml.key` | a value without a key |
        | `xml.value` | a key without a value |
        | `xml.entity` | an unknown entity, or a lone `&` |
        | `xml.character-reference` | a character reference to no character |
        | `xml.integer` | not an integer |
        | `xml.integer-range` | more than 64 bits |
        | `xml.real` | not a number |
        | `xml.date` | not a date |
        | `xml.data` | a non-ASCII character in base64 |
        | `xml.not-ascii` | warning: non-ASCII characters in US-ASCII |
        | `xml.byte-order` | warning: UTF-16 or UTF-32 without a byte order mark |
        | `xml.declaration-text` | warning: an XML declaration that is not ASCII |
        | `xml.malformed-declaration` | warning: an XML declaration that is not well-formed |
        | `xml.document-type` | warning: a document type that is not well-formed |
        | `xml.attributes` | warning: attributes that are not well-formed, such as a value without quotes |
        | `xml.encoding` | warning: UTF-16 or UTF-32 with a declaration that names another encoding |
        | `xml.leading-space` | warning: white space before the declaration |
        | `xml.trailing` | warning: text after the property list |
        | `xml.date-range` | warning: a date such as month 13 |
        | `xml.real-range` | warning: a number too large for a 64-bit real |
        | `xml.base64` | warning: invalid characters in base64 |
        | `xml.uid` | warning: a UID outside 0 to 2³² − 1 |
        | `xml.character` | warning: a control character |
        | `xml.ampersand` | warning: a lone `&` in a text with short tags |
        | `xml.more` | warning: unlisted warnings |

        ## JSON

        The syntax of JSON, and tags of typed JSON, see <doc:TypedJSON>. The location is a line and column.

        | identifier | meaning |
        |---|---|
        | `json.encoding` | not UTF-8 |
        | `json.syntax` | a text that does not follow the syntax of JSON |
        | `json.string` | an unclosed string, or a raw control character |
        | `json.escape` | an unknown escape |
        | `json.number` | an invalid number |
        | `json.range` | a number out of range |
        | `json.comment` | warning: comments, which JSON does not allow; `--from json` rejects them |
        | `json.trailing-comma` | warning: a comma before a closing bracket, also rejected by `--from json` |
        | `json.plain` | warning: members named like tags, so the file is read as plain JSON |
        | `json.tag` | a tag with an invalid value |
        | `json.base64` | invalid base64 in `$data` |
        | `json.nested-archive` | a nested archive that this reader cannot convert |
        | `json.not-finite` | NaN or infinity in plain JSON |

        ## Exact JSON

        The members of exact JSON, see <doc:ExactJSON>.

        | identifier | meaning |
        |---|---|
        | `exact.version` | a version other than 1 |
        | `exact.member` | an unknown or duplicate member |
        | `exact.layout` | not a layout record |
        | `exact.value` | no value |
        | `exact.layout-dropped` | info: the value was edited |

        ## OpenStep and GNUstep text

        The syntax and values of OpenStep and GNUstep property lists, see <doc:OpenStepFormat>. The location is a line and
        column.

        | identifier | meaning |
        |---|---|
        | `openstep.syntax` | invalid syntax |
        | `openstep.unterminated` | an unclosed string, comment or container |
        | `openstep.trailing` | text after the value |
        | `openstep.binary-header` | only the header of a binary file |
        | `openstep.gnustep-value` | a value of GNUstep's dialect |
        | `openstep.comment` | warning: an unclosed comment |
        | `openstep.ignored-text` | warning: ignored text in a strings file |
        | `openstep.zero` | warning: a zero byte in a string or a comment |
        | `openstep.surrogate` | warning: a lone surrogate |
        | `openstep.octal` | warning: an octal escape beyond `\375` |
        | `openstep.escape` | warning: `\U` without digits, read as U+0000 |
        | `gnustep.…` | `gnustep.integer`, `gnustep.real`, `gnustep.boolean`, `gnustep.date`: an invalid typed value |
        | `gnustep.token-length` | a typed value of more than 4096 bytes |
        | `gnustep.base64` | invalid base64 |
        | `gnustep.bare-character` | warning: a character that only GNUstep reads without quotation marks |
        | `gnustep.semicolon` | warning: the last `;` is missing |

        ## Typedstreams

        The structure and values of typedstreams, see <doc:TypedStreamFormat>. The location is a byte offset.

        | identifier | meaning |
        |---|---|
        | `typedstream.header` | not a typedstream |
        | `typedstream.version` | an unknown version |
        | `typedstream.truncated` | the stream ends early |
        | `typedstream.tag` | an unexpected tag |
        | `typedstream.boolean` | an invalid Boolean |
        | `typedstream.integer-range` | an integer too large for its type |
        | `typedstream.length` | a negative length |
        | `typedstream.type` | an invalid type |
        | `typedstream.reference` | a reference to a later object |
        | `typedstream.reference-kind` | a reference to another kind of value |
        | `typedstream.nil` | an unexpected nil |
        | `typedstream.class-name` | an invalid class name |
        | `typedstream.class-cycle` | a class is its own ancestor |
        | `typedstream.text` | warning: text in an unknown encoding |
        | `typedstream.ambiguous` | warning: a byte of version 3 that may refer to a type or to an object |
        | `convert.no-names` | an archive without field names, for a format other than JSON |
        | `convert.no-property-list` | `--raw` for a file that is not a property list |
        | `convert.no-database` | `--rows` for a file that is not a database |

        ## SQLite databases

        The location is a byte in the file after applying the write-ahead log. With `--raw`, damaged pages and rows are left
        out, and each is reported as a warning with the same identifier.

        | identifier | meaning |
        |---|---|
        | `sqlite.magic` | not an SQLite database |
        | `sqlite.length` | error or warning: the file ends early |
        | `sqlite.page-size` | an invalid page size |
        | `sqlite.reserved` | too little room on each page |
        | `sqlite.version` | an unknown version |
        | `sqlite.encoding` | an unknown text encoding |
        | `sqlite.log` | a write-ahead log of another database |
        | `sqlite.schema` | error or warning: an entry of the schema that is not a statement as SQLite writes it |
        | `sqlite.page-range` | error or warning: a page outside the file |
        | `sqlite.page-shared` | error or warning: a page used twice |
        | `sqlite.page-kind` | error or warning: a page of the wrong kind |
        | `sqlite.cell-count` | error or warning: too many cells |
        | `sqlite.cell-range` | error or warning: a cell outside its page content |
        | `sqlite.cell-length` | error or warning: a truncated cell |
        | `sqlite.cell-overlap` | error or warning: overlapping cells |
        | `sqlite.order` | error or warning: unordered rows |
        | `sqlite.payload-size` | error or warning: a row larger than the file |
        | `sqlite.record-header` | error or warning: a record header that is too long |
        | `sqlite.record-type` | error or warning: an invalid value in a record |
        | `sqlite.record-length` | error or warning: surplus bytes in a record |
        | `sqlite.trailing` | warning: bytes after the last complete page, which SQLite ignores |
        | `sqlite.stray-page` | salvage only: a leaf page to which nothing leads, read as rows of the only damaged table that they fit |
        | `sqlite.more` | warning: unlisted damage |
        | `sqlite.text` | warning: text in another encoding |
        | `sqlite.default` | warning: a computed default |
        | `sqlite.virtual-table` | info: a virtual table, which is left out |
        | `sqlite.virtual-column` | info: a computed column, which is left out |
        | `sqlite.no-statement` | no SQL statement makes the change |
        | `limit.values` | too many values in a compressed file or a database |

        ## Encodings of text

        | identifier | meaning |
        |---|---|
        | `text.utf8` | not UTF-8 |
        | `text.surrogate` | a lone surrogate in UTF-16 |
        | `text.scalar` | an invalid character in UTF-32 |
        | `text.truncated` | a truncated character |
        | `text.byte` | a byte that windows-1252 does not define |
        | `text.encoding` | an unsupported encoding |
        | `text.misread` | warning: UTF-8 that was read as Latin-1 |
        | `text.encoding-contradicted` | a wrong declaration of UTF-16 or UTF-32 |

        ## Documents of all formats

        Unusual keys, which `validate` reports, and limits on the work for a file, see <doc:Limits>.

        | identifier | meaning |
        |---|---|
        | `document.empty` | no value |
        | `document.key-kind` | warning: a non-string key |
        | `document.repeated-key` | warning: a duplicate key |
        | `document.more-keys` | warning: further such dictionaries |
        | `limit.depth` | containers nested too deep |
        | `limit.expansion` | shared objects expand too far |
        | `limit.references` | too many references |
        | `limit.stream` | a typedstream expands too far |
        | `limit.size` | a document of more than 4 GiB |
        | `limit.output` | output that is too long |
        | `limit.overlap` | overlapping objects that are too large |
        | `limit.nested` | nested saves that are too large |
        | `limit.nested-depth` | more than 64 levels of saves in saves |

        ## Losses

        Values that the target format cannot represent: errors, or warnings with `--allow-loss`. <doc:XMLFormat> and
        <doc:OpenStepFormat> describe the replacements.

        | identifier | meaning |
        |---|---|
        | `loss.null` | a null |
        | `loss.set` | a set |
        | `loss.uid` | a UID |
        | `loss.boolean` | a Boolean |
        | `loss.integer` | an integer |
        | `loss.real` | a real |
        | `loss.date` | a date |
        | `loss.ignored-text` | text that the reader ignores |
        | `loss.integer-range` | an integer beyond 64 bits |
        | `loss.digits` | too many digits for a 64-bit real |
        | `loss.nan` | a NaN with a payload |
        | `loss.date-fraction` | a fraction of a second |
        | `loss.date-range` | a date outside the calendar |
        | `loss.character` | a forbidden character |
        | `loss.surrogate` | a lone surrogate |
        | `loss.repeated-key` | a duplicate key |
        | `loss.key-type` | a non-string key |
        | `loss.uid-shape` | a dictionary that reads as a UID |
        | `loss.more` | unlisted losses in an archive; others have the identifier of their kind |
        | `loss.text` | an edit that requires rewriting a text |

        Values that the format can represent, but other readers cannot read. `set`, `insert` and `scores` reject such a value
        unless `--allow-loss` is given; `convert`, `patch`, `merge` and `edit` warn. Values already in the file are not
        reported.

        | identifier | meaning |
        |---|---|
        | `foreign.integer` | error or warning: an integer beyond 64 bits |
        | `foreign.null` | error or warning: a null in a binary property list, which other readers do not know |

        ## Archives

        The structure of keyed archives and the fields of their objects, see *Checks of keyed archives* of `KeyedArchives`.
        Addresses are in the property list.

        | identifier | meaning |
        |---|---|
        | `archive.member` | a missing member |
        | `archive.member-kind` | a member of the wrong kind |
        | `archive.version` | a version other than 100000 |
        | `archive.null` | object 0 is not `$null` |
        | `archive.member-unknown` | warning: an unknown member |
        | `archive.member-repeated` | warning: a duplicate member |
        | `archive.class-name` | a class record without a name |
        | `archive.class-name-empty` | warning: an empty class name |
        | `archive.class-chain` | an invalid list of class names |
        | `archive.class-chain-start` | warning: a chain that starts with another class |
        | `archive.class-member` | warning: a duplicate member of a class record, or one other than its name, chain and hints |
        | `archive.class-renamed` | info: a renamed class, whose ancestors are not stored; harmless if the game knows the name |
        | `archive.class-twice` | warning: two records of one class |
        | `archive.class-count` | too many class records |
        | `archive.uid-range` | a UID without an object |
        | `archive.uid-as-object` | a UID as an object |
        | `archive.uid-in-plain` | a UID in a plain value |
        | `archive.uid-form` | an invalid `CF$UID` dictionary |
        | `archive.uid-number` | an invalid `CF$UID` number |
        | `archive.class-as-value` | warning: a reference to a class record |
        | `archive.null-elsewhere` | info: a second `$null`, read as nil |
        | `archive.no-class` | warning: a container without a class |
        | `archive.class-reference` | `$class` is not a UID |
        | `archive.class-repeated` | a duplicate `$class` |
        | `archive.class-record` | `$class` is not a class record |
        | `archive.field-missing` | a required field is missing |
        | `archive.field-kind` | a field of the wrong kind |
        | `archive.field-value` | a field with a value that its class cannot have |
        | `archive.packed-data` | data that its class cannot read, with the offset in it |
        | `archive.packed-rest` | warning: a part of such data that readers ignore |
        | `archive.time-nan` | warning: a date that is NaN |
        | `archive.element-kind` | an element that is not a reference |
        | `archive.element-nil` | a nil element |
        | `archive.pair-count` | different counts of keys and values |
        | `archive.key-repeated` | warning: a duplicate key |
        | `archive.more` | info: unlisted findings |
        | `archive.undescribed` | a program reserved an object and never described it |
        | `archive.top-empty` | info: no roots |
        | `archive.root-name` | info: no root named `root` |
        | `archive.unreferenced` | warning: unreachable objects |
        | `archive.field-storage` | warning: a field stored both in place and as an object |
        | `archive.in-place-values` | warning: in-place values that unarchivers cannot read |
        | `archive.classes` | info: classes other than system classes |
        | `archive.values-unchecked` | warning: neither schemas, profiles nor versions were checked in a damaged archive |
        | `class.unexpected` | a class that `--allow-class` does not allow |
        | `class.more` | info: further such classes |

        ## Graph JSON

        The members of graph JSON, see *Graph JSON* of `KeyedArchives`. Addresses are in the JSON text.

        | identifier | meaning |
        |---|---|
        | `graph.depth` | in-place values nested too deep |
        | `graph.key-kind` | a name that graph JSON cannot represent |
        | `graph.member` | a missing or invalid member |
        | `graph.name` | an unknown name that begins with `$` |
        | `graph.name-twice` | a duplicate name |
        | `graph.misplaced` | a reserved name in the wrong place |
        | `graph.class-field` | a field named `$class` |
        | `graph.mixed` | members next to `$ref`, `$object`, `$inline` or `$raw` |
        | `graph.key` | a non-string key |
        | `graph.field-name` | a container as a name |
        | `graph.reference` | `$ref` to a missing object |
        | `graph.number` | an invalid name in `$shared` |
        | `graph.number-twice` | a duplicate `$id` |
        | `graph.shared` | a scalar in `$shared` |
        | `graph.uid` | a UID |
        | `graph.set` | a property-list set |
        | `graph.inline` | an in-place value in a collection |
        | `graph.object` | `$object` of a value other than a number or a Boolean |
        | `graph.class` | a class that is neither in `$classes` nor of Foundation |
        | `graph.collection` | contents that the class does not have |
        | `graph.class-name` | a class description without a name |
        | `graph.chain` | a class description without ancestors |
        | `graph.class-member` | a class description with members other than name, chain and hints |

        ## Plain values of archives

        `convert --plain`, and `convert --to archive` of a property list.

        | identifier | meaning |
        |---|---|
        | `plain.no-archive` | not an archive |
        | `plain.class` | a class outside Foundation |
        | `plain.cycle` | an object contains itself |
        | `plain.depth` | objects nested too deep |
        | `plain.key` | a container as a key |
        | `plain.uid` | a UID in a new archive |

        ## Swift's Codable

        Addresses are in the archive's value graph.

        | identifier | meaning |
        |---|---|
        | `decode.root` | a missing root |
        | `decode.missing` | a missing field or element |
        | `decode.nil` | an unexpected nil |
        | `decode.kind` | a value of another kind |
        | `decode.range` | a number too large for the type |
        | `decode.key` | a non-string key |
        | `decode.fields` | wrong fields for a Foundation class |
        | `decode.class` | a class that is not allowed |
        | `decode.cycle` | a cycle without a Swift reference |
        | `decode.depth` | values nested too deep |
        | `decode.expansion` | too many copies of shared objects |
        | `decode.value` | an error of the program's decoding |
        | `decode.closed` | no archive is open |
        | `encode.root` | two roots of one name |
        | `encode.container` | a value encoded in two ways |
        | `encode.range` | an integer beyond 128 bits |
        | `encode.cycle` | a value contains itself |
        | `encode.class` | a Foundation type without a known class |
        | `encode.depth` | values nested too deep |
        | `encode.value` | an error of the program's encoding |
        | `encode.storage` | warning: the template does not determine the storage |
        | `encode.template` | a template of NSArchiver |
        | `encode.nil` | nil in place of a number that is stored in place |
        | `encode.place` | a value inside an in-place container |
        | `encode.expansion` | a template that takes too long |
        | `coding.error` | any other error of the program |

        ## Editing

        | identifier | meaning |
        |---|---|
        | `fixup.covered` | a checksum over another kind of value |
        | `fixup.order` | a checksum that depends on a later one |
        | `fixup.form` | not a checksum |
        | `fixup.text` | a checksum that no known form of the covered text gives |
        | `edit.cycle` | the container would contain itself |
        | `edit.key` | a container as a key |
        | `edit.overlap` | overlapping objects too large to write |
        | `edit.root` | roots that are not a dictionary |
        | `edit.uid` | a UID in an archive |
        | `edit.nil` | nil in a collection of an archive |
        | `edit.class` | a class for a plain value |
        | `edit.class-form` | contents that the class does not have |
        | `edit.class-missing` | a new object without a class |
        | `edit.class-name` | a non-string class name |
        | `edit.class-plain` | an object in a plain property list |
        | `edit.shared-plain` | sharing in a plain property list |
        | `edit.form` | a scalar in place of a container |
        | `edit.form-key` | a non-string key to be added |
        | `edit.fixed` | insertion or removal of the root or a class |
        | `edit.present-key` | the key already exists |
        | `edit.present-member` | the member already exists |
        | `edit.type` | another type than the present value |
        | `edit.partial` | a record without the fields of the others |
        | `edit.needed-field` | warning: a removed field that Foundation needs |
        | `edit.runs` | runs that do not cover the text of an attributed string |
        | `edit.no-graph` | edited text that is not graph JSON |
        | `like.roots` | text without roots for an archive |
        | `like.stored` | stored text for an archive |
        | `like.archive` | graph JSON, but a template that is not an archive |
        | `get.no-scalar` | a container has no raw form |
        | `get.no-data` | not data |
        | `get.data-terminal` | data for a terminal |
        | `get.lone-surrogate` | a string that UTF-8 cannot represent |
        | `get.no-container` | not a container |
        | `flat.line` | not a flat line |
        | `flat.address` | no address |
        | `flat.class` | flat lines of an archive |
        | `flat.closed` | an incomplete container |
        | `flat.value` | a container with contents |
        | `flat.key` | an address without a key |
        | `flat.conflict` | contradictory lines |
        | `flat.gap` | a missing element |
        | `flat.reference` | a missing target of → |
        | `flat.cycle` | a cycle through → |
        | `find.container` | a comparison with a container |
        | `find.work` | a regular expression that takes too long |
        | `set.address` | not an address |
        | `set.missing` | no value to set |
        | `set.nested` | a pattern that matches a value and its contents |
        | `pattern.ways` | a pattern that takes too long |
        | `defaults.root` | not a dictionary |
        | `defaults.archive` | an archive |

        ## Comparing and merging

        | identifier | meaning |
        |---|---|
        | `pattern.start` | a pattern without `/` |
        | `pattern.escape` | a wrong escape |
        | `merge.rule` | an unknown merge rule |
        | `merge.kinds` | archives mixed with other saves |

        ## Patches

        | identifier | meaning |
        |---|---|
        | `patch.form` | not a list of operations |
        | `patch.format` | a patch that is not JSON |
        | `patch.kind` | neither kind of patch |
        | `patch.operation` | an operation that is not an object |
        | `patch.operation-name` | an unknown operation |
        | `patch.member` | a missing or invalid member |
        | `patch.member-twice` | a duplicate member |
        | `patch.pointer` | not an address |
        | `patch.missing` | no value at the address |
        | `patch.test` | a failed test |
        | `patch.root` | a removal of the document, or roots of an archive that are not a dictionary |
        | `patch.inside` | a value moved into itself |
        | `patch.class` | an invalid change of a class |
        | `patch.size` | copies that are too large |
        | `patch.merge-key` | a key that a merge patch cannot name |
        | `patch.length` | a patch that would be too long |
        | `patch.depth` | values nested too deep for a patch |
        | `patch.key` | a key that a patch cannot add |
        | `patch.mixed` | a container that changes between plain and archived |
        | `patch.crossing` | a value that would enter or leave a nested save |

        ## Schemas and profiles

        The address is in the value; a report also has the address in the schema.

        | identifier | meaning |
        |---|---|
        | `schema.…` | a broken rule of a keyword, which ends the identifier: `schema.minimum`, `schema.required`, `schema.x-order` |
        | `schema.type` | another type |
        | `schema.enum` | an unlisted value |
        | `schema.const` | another constant |
        | `schema.x-type` | another property-list type |
        | `schema.x-class` | another class |
        | `schema.x-stored` | stored in place instead of as an object, or the reverse |
        | `schema.false` | a forbidden value |
        | `schema.invalid` | a broken rule without details |
        | `schema.more` | info: further findings |
        | `schema.work` | too many steps |
        | `schema.pattern-work` | a pattern that takes too long |
        | `schema.keyword-value` | in a schema: an invalid keyword value |
        | `schema.not-a-schema` | in a schema: neither object nor Boolean |
        | `schema.reference` | in a schema: an unresolved reference |
        | `schema.reference-loop` | in a schema: a reference loop |
        | `schema.dynamic-names` | in a schema: too many dynamic anchors |
        | `schema.identifier` | in a schema: a duplicate identifier |
        | `schema.dialect` | in a schema: an unknown dialect |
        | `schema.vocabulary` | in a schema: an unknown vocabulary that its metaschema requires |
        | `schema.pattern` | in a schema: an invalid regular expression, or patterns that are too large together |
        | `schema.unknown-keyword` | warning: in a schema: an unknown keyword, which has no effect |
        | `schema.stored-names` | warning: in a schema: `x-stored` for names |
        | `schema.unknown-format` | warning: in a schema: an unknown format |
        | `profile.archive` | an archive is expected, or not allowed |
        | `profile.format` | another format |
        | `profile.future-date` | a date in the future |
        | `profile.score-count` | warning: more high scores than usual |
        | `profile.score-order` | warning: unordered high scores |
        | `validate.unexpected` | a file that is invalid for another reason than expected |
        | `validate.valid` | a valid file that should be invalid |
        | `validate.profile` | an unknown profile |
        | `validate.unreadable` | the file cannot be read |

        ## Project files

        `.savetool.json`. The location is a line and column.

        | identifier | meaning |
        |---|---|
        | `project.type` | a member of another type |
        | `project.empty` | an empty string or list |
        | `project.member` | an unknown member |
        | `project.repeated-member` | a duplicate member |
        | `project.missing` | a missing member |
        | `project.name` | an unknown word |
        | `project.pattern` | not a file-name pattern |
        | `project.effect` | a member without effect |
        | `project.schema` | an unreadable schema |
        | `project.files` | a rule that matches no file |
        | `project.rules` | no rules |
        | `project.every-class` | a class policy that allows everything |
        | `project.address` | not an address |
        | `project.rule` | a rule with no action, or with two |
        | `project.version` | not a version |

        ## Migrations

        Findings about rules files taken together, and about saves. Errors inside a rules file have the identifiers of project
        files.

        | identifier | meaning |
        |---|---|
        | `migrate.circle` | a cycle of versions |
        | `migrate.fork` | two rule files for one version |
        | `migrate.gap` | rules that do not lead to the newest version |
        | `migrate.name-taken` | a name that already exists |
        | `migrate.outdated` | an outdated save |
        | `migrate.unknown-version` | an unknown version |
        | `migrate.value` | a value that cannot be converted |
        | `migrate.version` | not a version |
        | `migrate.version-address` | different addresses of the version |

        ## High scores

        | identifier | meaning |
        |---|---|
        | `scores.entry` | a score that no table can store |
        | `scores.none` | no table of scores |
        | `scores.order` | a full table with the lowest score first, if no order is given |
        | `scores.several` | more than one table |
        | `scores.ambiguous` | two numbers that may be the score |
        | `scores.keys` | records under keys that are not names |
        | `scores.address` | no value at the address |
        | `scores.array` | not an array |
        | `scores.form` | another kind of table |
        | `scores.record` | not a record |
        | `scores.field` | a missing field |
        | `scores.type` | a field of another type |
        | `scores.name` | a name that is too long |
        | `scores.fit` | a score that the table's type cannot store |
        | `scores.more` | further unreadable records |
        | `scores.date` | a date that the table cannot represent |
        | `scores.extra` | a field that the result cannot hold |
        | `scores.beside` | values next to the table that the result cannot hold |
        | `scores.nested` | a table in a nested save |
        | `form.utf8` | not UTF-8 |
        | `form.escape` | a wrong escape |
        | `form.length` | a submission that is too long |
        | `submission.unknown-field` | an unknown field |
        | `submission.repeated-field` | a duplicate field |
        | `submission.missing-field` | a missing field |
        | `submission.blank-name` | a blank name |
        | `submission.…-length` | a name or device identifier of the wrong length |
        | `submission.…-character` | a control character in one of these |
        | `submission.score` | not a score |
        | `submission.token` | a wrong token |
        | `salt.empty` | an empty salt |
        | `salt.length` | a salt that is too long |
        """#
}
