@testable import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// Archives written by Foundation, GNUstep and others have no errors, so the Foundation class table is not stricter
/// than these writers.
@Suite struct SoundArchiveTests {
    /// Folders outside this package, with the minimum number of archives in each.
    private static let folders = [
        ("SAVETOOL_CORPUS", 150), ("SAVETOOL_ORACLE_ARCHIVES", 150), ("SAVETOOL_SUITES", 1),
    ].filter { TestFiles.folder($0.0) != nil }

    /// Archives that their authors broke on purpose.
    private static let broken: Set<String> = [
        "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__missing_archiver.xml",
        "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__missing_objects.xml",
        "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__missing_top.xml",
        "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__missing_version.xml",
        "danielpaulus__go-ios/ios__nskeyedarchiver__fixtures__wrong_version.xml",
        "bpylist2/no_class_meta_archive.plist", "bpylist2/no_class_name_archive.plist",
        "bpylist2/no_objects_archive.plist",
    ]

    @Test(arguments: folders) func noErrors(variable: String, count: Int) throws {
        let folder = try #require(TestFiles.folder(variable))
        let archives = try ArchiveFile.all(in: folder).filter { !Self.broken.contains($0.name) }
        #expect(archives.count >= count)
        for (name, document) in archives {
            let errors = KeyedArchive.examine(document).problems.filter { $0.severity == .error }
            #expect(errors.isEmpty, "\(name)")
        }
    }
}
