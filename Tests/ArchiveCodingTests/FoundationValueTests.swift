import ArchiveCoding
import Foundation
import KeyedArchives
import SaveCodec
import Testing

/// Values with their own Foundation classes are compatible with Foundation in both directions.
@Suite struct FoundationValueTests {
    struct Values: Codable, Equatable, Sendable {
        var home = URL(string: "https://example.org/scores?day=1")
        var page = URL(string: "a/b?x#y", relativeTo: URL(string: "http://example.org/z/"))
        var id = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0xAF))
        var price = Decimal(string: "-12.0575")
        var large = Decimal(string: "123456789012345678901234567890")
        var none = IndexSet()
        var one = IndexSet(4..<9)
        var many = IndexSet([0, 1, 2, 300, 70_000])
        var point = CGPoint(x: 1, y: -2.5)
        var frame = CGRect(x: 0.1, y: 2, width: 3, height: 1e20)
        var points = [CGPoint(x: 1, y: 2)]
        var sizes = ["a": CGSize(width: 3, height: 4)]
        var range = NSRange(location: 3, length: 4)
        var corner = ArchivedPoint(x: 5, y: 6)
        var box = ArchivedRectangle(origin: ArchivedPoint(x: 1, y: 2), size: ArchivedSize(width: 3, height: 4))
        @Boxed var boxed = ArchivedSize(width: 7, height: 8)
        var span = ArchivedRange(location: 1, length: 2)
        var missing: URL?
    }

    @Test(arguments: KeyedArchiveEncoder.OutputFormat.allCases)
    func roundTripsValues(_ format: KeyedArchiveEncoder.OutputFormat) throws {
        let encoder = KeyedArchiveEncoder()
        encoder.format = format
        #expect(try KeyedArchiveDecoder().decode(Values.self, from: encoder.encode(Values())) == Values())
    }

    @Test func foundationReadsValues() throws {
        let bytes = try KeyedArchiveEncoder().encode(Values())
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        unarchiver.setClass(ValuesObject.self, forClassName: "Values")
        // Foundation on Linux cannot read an NSDecimalNumber of Cocoa, see below.
        let object = try #require(unarchiver.decodeObject(forKey: "root") as? ValuesObject)
        let values = Values()
        #expect((object.parts["home"] as? NSURL)?.absoluteString == values.home?.absoluteString)
        #expect((object.parts["page"] as? NSURL)?.relativeString == "a/b?x#y")
        #expect((object.parts["page"] as? NSURL)?.baseURL == URL(string: "http://example.org/z/"))
        #expect((object.parts["id"] as? NSUUID)?.uuidString == values.id.uuidString)
        #expect(object.parts["one"] as? NSIndexSet == NSIndexSet(indexSet: values.one))
        #expect(object.parts["many"] as? NSIndexSet == NSIndexSet(indexSet: values.many))
        #expect(object.point == values.point)
        #expect(object.frame == values.frame)
    }

    @Test func readsArchivesOfFoundation() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(NSURL(string: "a/b?x#y", relativeTo: URL(string: "http://example.org/z/")), forKey: "page")
        archiver.encode(NSUUID(uuidString: Values().id.uuidString), forKey: "id")
        archiver.encode(NSIndexSet(), forKey: "none")
        archiver.encode(NSIndexSet(indexSet: Values().one), forKey: "one")
        archiver.encode(NSMutableIndexSet(indexSet: Values().many), forKey: "many")
        archiver.encode(Values().point, forKey: "point")
        archiver.encode(Values().frame, forKey: "frame")
        archiver.finishEncoding()
        let decoder = KeyedArchiveDecoder()
        decoder.allowedClasses = []
        try decoder.open([UInt8](archiver.encodedData))
        #expect(Set(decoder.rootKeys) == ["page", "id", "none", "one", "many", "point", "frame"])
        #expect(try decoder.decode(URL.self, forKey: "page") == Values().page)
        #expect(try decoder.decode(URL.self, forKey: "page").baseURL == Values().page?.baseURL)
        #expect(try decoder.decode(UUID.self, forKey: "id") == Values().id)
        #expect(try decoder.decode(IndexSet.self, forKey: "none").isEmpty)
        #expect(try decoder.decode(IndexSet.self, forKey: "one") == Values().one)
        #expect(try decoder.decode(IndexSet.self, forKey: "many") == Values().many)
        #expect(try decoder.decode(CGPoint.self, forKey: "point") == Values().point)
        #expect(try decoder.decode(ArchivedPoint.self, forKey: "point") == ArchivedPoint(x: 1, y: -2.5))
        #expect(try decoder.decode(CGRect.self, forKey: "frame") == Values().frame)
    }

    /// Cocoa's NSValue and NSDecimalNumber are read. The archive is written by hand, because Foundation on Linux can
    /// neither archive an NSValue nor read an NSDecimalNumber of Cocoa.
    @Test func readsArchivesOfCocoa() throws {
        let decoder = KeyedArchiveDecoder()
        try decoder.open(
            Self.archive(
                #""price":{"$uid":1},"whole":{"$uid":2},"point":{"$uid":3},"range":{"$uid":4}"#,
                #"{"$class":{"$uid":8},"NS.exponent":-2,"NS.length":1,"NS.negative":true,"NS.compact":true,"#
                    + #""NS.mantissa":{"$data":"OTAAAAAAAAAAAAAAAAAAAA=="},"NS.mantissa.bo":1}"#,
                "-70000", #"{"$class":{"$uid":9},"NS.special":1,"NS.pointval":{"$uid":5}}"#,
                #"{"$class":{"$uid":9},"NS.special":4,"NS.rangeval.location":{"$uid":6},"NS.rangeval.length":{"$uid":7}}"#,
                #""{1.0, -0.10000000000000001}""#, "5", "10",
                #"{"$classname":"NSDecimalNumberPlaceholder","$classes":["NSDecimalNumberPlaceholder","NSDecimalNumber"]}"#,
                #"{"$classname":"NSValue","$classes":["NSValue","NSObject"]}"#))
        #expect(try decoder.decode(Decimal.self, forKey: "price") == Decimal(string: "-123.45"))
        let price = try KeyedArchive(KeyedArchiveEncoder().encode(Decimal(string: "-123.45"))).root()
        #expect(price.className == "NSDecimalNumberPlaceholder")
        #expect(
            try price.fields.map(\.name).sorted() == [
                "NS.compact", "NS.exponent", "NS.length", "NS.mantissa", "NS.mantissa.bo", "NS.negative",
            ])
        #expect(try price["NS.mantissa"].data == [0x39, 0x30] + Array(repeating: 0, count: 14))
        #expect(try price["NS.exponent"].integer == -2)
        #expect(try price["NS.negative"].bool)
        #expect(try decoder.decode(Decimal.self, forKey: "whole") == Decimal(-70_000))
        #expect(try decoder.decode(ArchivedPoint.self, forKey: "point") == ArchivedPoint(x: 1, y: -0.1))
        #expect(try decoder.decode(NSRange.self, forKey: "range") == NSRange(location: 5, length: 10))
    }

    @Test(arguments: [
        (#"{"$class":{"$uid":2},"NS.base":{"$uid":1},"NS.relative":{"$uid":3}}"#, "NSURL"),
        (#"{"$class":{"$uid":2},"NS.uuidbytes":{"$data":"AQI="}}"#, "NSUUID"),
        (#"{"$class":{"$uid":2},"NSRangeCount":9223372036854775807,"NSRangeData":{"$uid":3}}"#, "NSIndexSet"),
        (#"{"$class":{"$uid":2},"NSRangeCount":2,"NSRangeData":{"$data":"BQEBAQ=="}}"#, "NSIndexSet"),
        (#"{"$class":{"$uid":2},"NS.special":1,"NS.pointval":{"$uid":3}}"#, "NSValue"),
    ]) func rejectsDamagedValues(_ object: String, _ name: String) throws {
        let bytes = Self.archive(
            #""root":{"$uid":1}"#, object, #"{"$classname":"\#(name)","$classes":["\#(name)","NSObject"]}"#, #""x""#)
        let problem = #expect(throws: Problem.self) { try Self.decode(name, bytes) }
        #expect(problem?.description == "/root: the fields of the \(name) do not match its class")
    }

    /// A value that Foundation's own type refuses is reported with its address.
    @Test func foundationErrorsHaveLocation() throws {
        let bytes = Self.archive(
            #""root":{"$uid":1}"#, #"{"$class":{"$uid":2},"NS.base":{"$uid":0},"NS.relative":{"$uid":3}}"#,
            #"{"$classname":"NSURL","$classes":["NSURL","NSObject"]}"#, #""""#)
        let problem = #expect(throws: Problem.self) { try KeyedArchiveDecoder().decode(URL.self, from: bytes) }
        #expect(problem?.id == "decode.value")
        #expect(problem?.address?.description == "/root")
    }

    /// A field is text, as `encodePoint:forKey:` writes it; an element of a collection is an object.
    @Test func storesGeometryLikeCocoa() throws {
        let root = try KeyedArchive(KeyedArchiveEncoder().encode(Values())).root()
        #expect(try root["point"].string == "{1, -2.5}")
        #expect(try root["frame"].string == "{{0.1, 2}, {3, 1e+20}}")
        #expect(try root["points"].array[0].className == "NSValue")
        #expect(try root["boxed"].className == "NSValue")
        #expect(try root["boxed"]["NS.sizeval"].string == "{7, 8}")
        #expect(try root["span"]["NS.rangeval.length"].integer == 2)
    }

    private static func decode(_ name: String, _ bytes: [UInt8]) throws(Problem) {
        let decoder = KeyedArchiveDecoder()
        switch name {
        case "NSURL": _ = try decoder.decode(URL.self, from: bytes)
        case "NSUUID": _ = try decoder.decode(UUID.self, from: bytes)
        case "NSIndexSet": _ = try decoder.decode(IndexSet.self, from: bytes)
        default: _ = try decoder.decode(CGPoint.self, from: bytes)
        }
    }

    static func archive(_ top: String, _ objects: String...) -> [UInt8] {
        Array(
            """
            {"$archiver":"NSKeyedArchiver","$version":100000,"$top":{\(top)},
            "$objects":["$null",\(objects.joined(separator: ","))]}
            """.utf8)
    }
}

final class ValuesObject: NSObject, NSCoding {
    let parts: [String: NSObject]
    let point: CGPoint
    let frame: CGRect

    init?(coder: NSCoder) {
        var parts: [String: NSObject] = [:]
        for key in ["home", "page", "id", "one", "many"] {
            parts[key] = coder.decodeObject(forKey: key) as? NSObject
        }
        self.parts = parts
        point = coder.decodePoint(forKey: "point")
        frame = coder.decodeRect(forKey: "frame")
    }

    func encode(with coder: NSCoder) {}
}
