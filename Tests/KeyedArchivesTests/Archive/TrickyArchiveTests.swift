import Foundation
@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// The archives of `Fixtures/archives-tricky` get exactly these problems. `Fixtures/README.md` explains the numbers in
/// their names.
@Suite struct TrickyArchiveTests {
    private static let files: [(name: String, problems: [String])] = [
        ("53-40-doublings", []),
        ("53-array-in-itself", []),
        ("53-parent-and-child", []),
        ("53-two-arrays-in-each-other", []),
        (
            "54-archiver-missing",
            ["error /$archiver: $archiver is missing; every archive needs it"]
        ),
        ("54-archiver-other", []),
        (
            "54-objects-dictionary",
            ["error byte 0x53: /$objects: $objects is a dictionary; expected an array"]
        ),
        (
            "54-objects-missing",
            ["error /$objects: $objects is missing; every archive needs it"]
        ),
        (
            "54-top-array",
            ["error byte 0x49: /$top: $top is an array; expected a dictionary"]
        ),
        (
            "54-top-missing",
            ["error /$top: $top is missing; every archive needs it"]
        ),
        (
            "54-version-1",
            ["error byte 0x32: /$version: $version is 1; expected 100000"]
        ),
        (
            "54-version-text",
            ["error byte 0x32: /$version: $version is a string; expected the integer 100000"]
        ),
        (
            "55-first-object-zero",
            [#"error byte 0x58: /$objects/0: object 0 is "zero"; expected "$null""#]
        ),
        (
            "56-in-array",
            ["error byte 0x77: /$objects/1/NS.objects/0: UID 9 refers to no object; expected 0 to 3"]
        ),
        (
            "56-in-class",
            ["error byte 0x79: /$objects/1/$class: UID 9 refers to no object; expected 0 to 3"]
        ),
        (
            "56-in-top",
            ["error byte 0x51: /$top/root: UID 9 refers to no object; expected 0 to 3"]
        ),
        ("56-name-in-top", []),
        ("56-name-of-field", []),
        (
            "57-class-is-instance",
            ["error byte 0x51: /$objects/1/$class: $class refers to object 1, which is not a class record"]
        ),
        (
            "57-class-is-no-uid",
            ["error byte 0x79: /$objects/1/$class: $class is a string; expected a UID"]
        ),
        (
            "57-class-is-null",
            ["error byte 0x79: /$objects/1/$class: $class refers to object 0, which is nil; expected a class record"]
        ),
        (
            "57-class-is-string",
            ["error byte 0x77: /$objects/1/$class: $class refers to object 3, which is not a class record"]
        ),
        ("58-classhints", []),
        (
            "58-no-classes",
            ["info byte 0x7B: /$objects/2: class NSArray has no ancestors; the archiver gave it this name"]
        ),
        (
            "58-no-classname",
            ["error byte 0x7B: /$objects/2: the class record has no $classname"]
        ),
        (
            "58-two-records-of-one-class",
            ["warning byte 0xBE: /$objects/5: class NSArray already has a record, object 2"]
        ),
        ("59-integer-keys", []),
        (
            "59-key-null",
            [
                "error byte 0x81: /$objects/1/NS.keys/0: an element of NSDictionary is nil; readers drop it or reject the archive"
            ]
        ),
        (
            "59-key-too-few",
            ["error byte 0x5E: /$objects/1: NSDictionary has 1 key for 2 values"]
        ),
        (
            "59-key-twice",
            [
                "warning byte 0x83: /$objects/1/NS.keys/1: duplicate key in this NSDictionary; readers keep one of its values"
            ]
        ),
        (
            "60-objects-inline-string",
            ["error byte 0x76: /$objects/1/NS.objects/0: an element of NSArray is a string; expected a UID"]
        ),
        (
            "60-objects-missing",
            ["error byte 0x5D: /$objects/1: NSArray has no NS.objects"]
        ),
        (
            "60-objects-string",
            ["error byte 0x74: /$objects/1/NS.objects: NS.objects of NSArray is a string; expected an array of UIDs"]
        ),
        (
            "61-null-elsewhere",
            [#"info byte 0x59: /$objects/3: the string "$null" is read as nil, like object 0"#]
        ),
        ("62-level", []),
        ("62-nested-50", []),
    ]

    private static let folder = TestFiles.fixtures.appending(path: "archives-tricky")

    @Test(arguments: files) func problems(name: String, problems: [String]) throws {
        let document = try ArchiveFile.document(Self.folder.appending(path: name + ".plist"))
        #expect(KeyedArchive.examine(document).problems.map { "\($0.severity) \($0)" } == problems)
    }

    @Test func listsAllFiles() throws {
        #expect(try TestFiles.files(under: Self.folder).map(\.name) == Self.files.map { $0.name + ".plist" })
    }
}
