import Foundation
import KeyedArchives
import SaveCodec
import TestSupport
import Testing

/// The roots of archives that macOS 10.14 wrote for the tests of Foundation on Linux get these annotations.
@Suite(.enabled(if: TestFiles.folder("SAVETOOL_CORPUS") != nil))
struct CorpusAnnotationTests {
    private static let roots: [(file: String, className: String, annotation: String?)] = [
        ("ByteCountFormatter-AllFieldsSet.archive", "NSByteCountFormatter", nil),
        ("ByteCountFormatter-Default.archive", "NSByteCountFormatter", nil),
        ("DateIntervalFormatter-Default.archive", "NSDateIntervalFormatter", nil),
        ("DateIntervalFormatter-ValuesSetWithTemplate.archive", "NSDateIntervalFormatter", nil),
        ("DateIntervalFormatter-ValuesSetWithoutTemplate.archive", "NSDateIntervalFormatter", nil),
        ("ISO8601DateFormatter-Default.archive", "NSISO8601DateFormatter", nil),
        ("ISO8601DateFormatter-OptionsSet.archive", "NSISO8601DateFormatter", nil),
        ("NSAttributedString.archive", "NSAttributedString", #""0123456789""#),
        ("NSCountedSet-Empty.archive", "NSCountedSet", "0 distinct"),
        ("NSCountedSet-NumbersAppearingOnce.archive", "NSCountedSet", "5 distinct"),
        ("NSCountedSet-NumbersAppearingSeveralTimes.archive", "NSCountedSet", "5 distinct"),
        ("NSIndexPath-Empty.archive", "NSIndexPath", "[]"),
        ("NSIndexPath-ManyIndices.archive", "NSIndexPath", "[4, 8, 15, 16, 23, 42]"),
        ("NSIndexPath-OneIndex.archive", "NSIndexPath", "[52]"),
        ("NSIndexSet-Empty.archive", "NSIndexSet", "empty"),
        (
            "NSIndexSet-ManyRanges.archive", "NSIndexSet",
            "0–49, 100–149, 1000–1049, 9223372036854775757–9223372036854775806"
        ),
        ("NSIndexSet-OneRange.archive", "NSIndexSet", "0–49"),
        ("NSMeasurement-Angle.archive", "NSMeasurement", "90 °"),
        ("NSMeasurement-Frequency.archive", "NSMeasurement", "1400 MHz"),
        ("NSMeasurement-Length.archive", "NSMeasurement", "45 mi"),
        ("NSMeasurement-Zero.archive", "NSMeasurement", "0"),
        ("NSMutableAttributedString.archive", "NSMutableAttributedString", #""0123456789""#),
        ("NSMutableIndexSet-Empty.archive", "NSMutableIndexSet", "empty"),
        (
            "NSMutableIndexSet-ManyRanges.archive", "NSMutableIndexSet",
            "0–49, 100–149, 1000–1049, 9223372036854775757–9223372036854775806"
        ),
        ("NSMutableIndexSet-OneRange.archive", "NSMutableIndexSet", "0–49"),
        ("NSMutableOrderedSet-Empty.archive", "NSMutableOrderedSet", nil),
        ("NSMutableOrderedSet-Numbers.archive", "NSMutableOrderedSet", nil),
        ("NSMutableSet-Empty.archive", "NSMutableSet", nil),
        ("NSMutableSet-Numbers.archive", "NSMutableSet", nil),
        ("NSOrderedSet-Empty.archive", "NSOrderedSet", nil),
        ("NSOrderedSet-Numbers.archive", "NSOrderedSet", nil),
        ("NSSet-Empty.archive", "NSSet", nil),
        ("NSSet-Numbers.archive", "NSSet", nil),
        ("NSTextCheckingResult-ComplexRegex.archive", "NSComplexRegularExpressionCheckingResult", nil),
        ("NSTextCheckingResult-ExtendedRegex.archive", "NSExtendedRegularExpressionCheckingResult", nil),
        ("NSTextCheckingResult-SimpleRegex.archive", "NSSimpleRegularExpressionCheckingResult", nil),
        ("NSKeyedUnarchiver-ArrayTest.plist", "NSArray", nil),
        ("NSKeyedUnarchiver-ComplexTest.plist", "NSDictionary", nil),
        ("NSKeyedUnarchiver-ConcreteValueTest.plist", "NSValue", nil),
        ("NSKeyedUnarchiver-EdgeInsetsTest.plist", "NSValue", "{1, 2, 3, 4}"),
        ("NSKeyedUnarchiver-NotificationTest.plist", "NSNotification", "notification-name"),
        ("NSKeyedUnarchiver-OrderedSetTest.plist", "NSOrderedSet", nil),
        ("NSKeyedUnarchiver-RangeTest.plist", "NSValue", "{97345, 98345}"),
        ("NSKeyedUnarchiver-RectTest.plist", "NSValue", "{{400, 300}, {200, 300}}"),
        ("NSKeyedUnarchiver-URLTest.plist", "NSURL", "https://www.example.com/foo.xml"),
        ("NSKeyedUnarchiver-UUIDTest.plist", "NSUUID", "0AD863BA-7584-40CF-8896-BD87B3280C34"),
    ]

    @Test(arguments: roots) func root(file: String, className: String, annotation: String?) throws {
        let folder = try #require(TestFiles.folder("SAVETOOL_CORPUS"))
            .appending(path: "swiftlang__swift-corelibs-foundation")
        let prefix = "Tests__Foundation__Resources__" + (file.hasSuffix(".archive") ? "Fixtures__macOS-10.14__" : "")
        let archive = try KeyedArchive(ArchiveFile.document(folder.appending(path: prefix + file)))
        let view = ObjectView(archive)
        let root = view.item(0, of: view[view.root].contents)
        let position = try #require(view[root.id].classPosition)
        #expect(archive.classes[position].name.string == className)
        #expect(view.annotation(of: root.id) == annotation)
    }
}
