/// One row per class and form, and rows for values that must not be guessed.
enum AnnotationCases {
    typealias Row = AnnotationTests.Row

    static let all = texts + numbers + dates + geometry + graphics + nodes

    private static let texts = [
        Row("NSURL", url(0), #""save.plist""#, is: "save.plist"),
        Row("NSURL", #""NS.relative":{"$uid":3}"#, #""save.plist""#, is: "save.plist"),
        Row("NSURL", url(4), #""../b?q#f""#, based(5), #""http://a.b/c/d/e""#, is: "http://a.b/c/b?q#f"),
        Row("NSURL", url(4), #""/b""#, based(5), #""http://a.b/c/d/e""#, is: "http://a.b/b"),
        Row("NSURL", url(4), #""//x/y""#, based(5), #""http://a.b/c/d/e""#, is: "http://x/y"),
        Row("NSURL", url(4), #""""#, based(5), #""http://a.b/c?q#f""#, is: "http://a.b/c?q"),
        Row("NSURL", url(4), #""?x""#, based(5), #""http://a.b/c?q""#, is: "http://a.b/c?x"),
        Row("NSURL", url(4), #""./x/..""#, based(5), #""http://a.b""#, is: "http://a.b/"),
        Row("NSURL", url(4), #""file:///x""#, based(5), #""http://a.b""#, is: "file:///x"),
        Row("NSURL", url(1), #""x""#, is: "x"),
        Row("NSURL", url(0), "5", is: nil),
        Row("NSURL", url(0), #""a\u001b[2Jb\u202ec""#, is: #"a\u001B[2Jb\u202Ec"#),
        Row(
            "NSURL", url(0), #""\#(String(repeating: "x", count: 500))""#, is: String(repeating: "x", count: 160) + "…"),
        Row(
            "NSUUID", #""NS.uuidbytes":{"$data":"AAECAwQFBgcICQoLDA0O/w=="}"#,
            is: "00010203-0405-0607-0809-0A0B0C0D0EFF"),
        Row("NSUUID", #""uuid":{"$data":"AAECAwQFBgcICQoLDA0O/w=="}"#, is: "00010203-0405-0607-0809-0A0B0C0D0EFF"),
        Row("NSUUID", #""NS.uuidbytes":{"$data":"AAECAw=="}"#, is: nil),
        Row("NSAttributedString", #""NSString":{"$uid":3}"#, #""Hello\n""#, is: #""Hello\n""#),
        Row(
            "NSMutableAttributedString", #""NSString":{"$uid":3}"#, #"{"$class":{"$uid":4},"NS.string":"Hello"}"#,
            AnnotationTests.record("NSMutableString", "NSString"), is: #""Hello""#),
        Row("NSMutableString", #""NS.bytes":{"$data":"w6k="}"#, is: "\"é\""),
        Row("NSMutableString", #""NS.bytes":{"$data":"/w=="}"#, is: nil),
        Row("NSMutableString", #""NS.string":"plain""#, is: nil),
        Row("NSError", #""NSDomain":{"$uid":3},"NSCode":-4"#, #""Game""#, is: "Game -4"),
        Row("NSError", #""NSDomain":{"$uid":3},"NSCode":4.5"#, #""Game""#, is: nil),
        Row("NSLocale", #""NS.identifier":{"$uid":3}"#, #""en_US""#, is: "en_US"),
        Row("NSLocale", #""NS.identifier":{"$uid":3}"#, #""""#, is: nil),
        Row("NSTimeZone", #""NS.name":{"$uid":3},"NS.data":{"$uid":0}"#, #""GMT""#, is: "GMT"),
        Row("NSCalendar", #""NS.identifier":{"$uid":3}"#, #""gregorian""#, is: "gregorian"),
        Row("NSRegularExpression", #""NSPattern":{"$uid":3},"NSOptions":0"#, #""a+\\d""#, is: #"a+\\d"#),
        Row("NSNotification", #""NS.name":{"$uid":3}"#, #""GameOver""#, is: "GameOver"),
        Row("NSURLQueryItem", #""NS.name":{"$uid":3},"NS.value":{"$uid":4}"#, #""k""#, #""v""#, is: "k=v"),
        Row("NSURLQueryItem", #""NS.name":{"$uid":3},"NS.value":{"$uid":0}"#, #""k""#, is: "k"),
        Row(
            "NSPersonNameComponents", #""NS.givenName":{"$uid":3},"NS.familyName":{"$uid":4},"NS.nickname":{"$uid":0}"#,
            #""Ada""#, #""King""#, is: "Ada King"),
        Row(
            "NSPersonNameComponents", #""NS.nameComponentsPrivate":{"$uid":3}"#,
            #"{"$class":{"$uid":4},"NS.givenName":{"$uid":5}}"#, AnnotationTests.record("_NSPersonNameComponentsData"),
            #""Ada""#, is: "Ada"),
        Row(
            "NSPersonNameComponents", #""NS.givenName":{"$uid":3},"NS.familyName":{"$uid":4},"NS.nickname":{"$uid":5}"#,
            #""Ada""#, #""""#, #""Countess""#, is: "Ada (Countess)"),
        Row("NSPersonNameComponents", #""NS.nickname":{"$uid":3}"#, #""Countess""#, is: "Countess"),
        Row("NSPersonNameComponents", #""NS.givenName":{"$uid":3}"#, #""""#, is: nil),
        Row("NSCharacterSet", "", is: nil),
        Row("Map", #""name":{"$uid":3}"#, #""Swamp""#, is: nil),
    ]

    private static let numbers = [
        decimal(exponent: -2, length: 1, negative: true, mantissa: "OTAAAAAAAAAAAAAAAAAAAA==", is: "-123.45"),
        decimal(exponent: 3, length: 1, negative: false, mantissa: "BwAAAAAAAAAAAAAAAAAAAA==", is: "7000"),
        decimal(exponent: -3, length: 1, negative: false, mantissa: "BwA=", is: nil),
        decimal(exponent: -3, length: 1, negative: false, mantissa: "BwD//////////////////w==", is: "0.007"),
        decimal(exponent: 0, length: 1, negative: false, mantissa: "AAcAAAAAAAAAAAAAAAAAAA==", order: 2, is: "7"),
        decimal(
            exponent: 0, length: 8, negative: false, mantissa: "/////////////////////w==",
            is: "340282366920938463463374607431768211455"),
        decimal(exponent: 0, length: 0, negative: true, mantissa: "AAAAAAAAAAAAAAAAAAAAAA==", is: "NaN"),
        decimal(exponent: 0, length: 0, negative: false, mantissa: "AAAAAAAAAAAAAAAAAAAAAA==", is: "0"),
        decimal(exponent: 0, length: 9, negative: false, mantissa: "AAAAAAAAAAAAAAAAAAAAAA==", is: nil),
        decimal(exponent: 4000, length: 1, negative: false, mantissa: "AAAAAAAAAAAAAAAAAAAAAA==", is: nil),
        Row("NSIndexSet", #""NSRangeCount":0"#, is: "empty"),
        Row("NSIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":1"#, is: "5"),
        Row("NSMutableIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":3"#, is: "5–7"),
        Row("NSIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":0"#, is: nil),
        Row("NSIndexSet", #""NSRangeCount":1,"NSLocation":5,"NSLength":-9223372036854775808"#, is: nil),
        Row("NSIndexSet", #""NSRangeCount":1,"NSLocation":9223372036854775807,"NSLength":2"#, is: nil),
        Row("NSIndexSet", #""NSRangeCount":-1"#, is: nil),
        Row("NSIndexSet", #""NSRangeCount":2,"NSRangeData":{"$uid":3}"#, #"{"$data":"AQPIAQE="}"#, is: "1–3, 200"),
        Row("NSIndexSet", #""NSRangeCount":3,"NSRangeData":{"$uid":3}"#, #"{"$data":"AQPIAQE="}"#, is: nil),
        Row("NSIndexSet", #""NSRangeCount":2,"NSRangeData":{"$uid":3}"#, #"{"$data":"AYCAgICAgICAgIABAQE="}"#, is: nil),
        Row(
            "NSIndexSet", #""NSRangeCount":1000000,"NSRangeData":{"$uid":3}"#, #"{"$data":"AAECAQQBBgEIAQoBDAEOARAB"}"#,
            is: "0, 2, 4, 6, 8, 10, 12, 14, …"),
        Row("NSIndexPath", #""NSIndexPathLength":0"#, is: "[]"),
        Row("NSIndexPath", #""NSIndexPathLength":1,"NSIndexPathValue":7"#, is: "[7]"),
        Row("NSIndexPath", #""NSIndexPathLength":2,"NSIndexPathData":{"$uid":3}"#, #"{"$data":"AAQ="}"#, is: "[0, 4]"),
        Row("NSIndexPath", #""NSIndexPathLength":2,"NSIndexPathData":{"$uid":3}"#, #""AAQ=""#, is: nil),
        // As GNUstep writes them on machines of 64 and of 32 bits.
        Row(
            "NSIndexPath", #""NSIndexPathLength":3,"NSIndexPathData":{"$uid":3}"#,
            #"{"$data":"AAAAAQAAAAAAAAIAAAAAAAAAAAAAAAAA"}"#, is: "[1, 512, 0]"),
        Row(
            "NSIndexPath", #""NSIndexPathLength":2,"NSIndexPathData":{"$uid":3}"#, #"{"$data":"AAAABQAAAQA="}"#,
            is: "[5, 256]"),
        Row("NSCountedSet", #""NS.count":2"#, is: "2 distinct"),
        Row(
            "NSMeasurement", #""NS.value":12.5,"NS.unit":{"$uid":3}"#,
            #"{"$class":{"$uid":4},"NS.symbol":{"$uid":5}}"#,
            AnnotationTests.record("NSUnitLength", "NSDimension", "NSUnit"),
            #""km""#, is: "12.5 km"),
        Row("NSUnit", #""NS.symbol":{"$uid":3}"#, #""km""#, is: "km"),
    ]

    private static let dates = [
        Row(
            "NSDateComponents",
            #""NS.year":2009,"NS.month":9,"NS.day":6,"NS.hour":12,"NS.minute":34,"NS.second":9223372036854775807"#,
            is: "2009-09-06 12:34"),
        Row("NSDateComponents", #""NS.hour":1,"NS.minute":2,"NS.second":3"#, is: "01:02:03"),
        Row("NSDateComponents", #""NS.year":2009,"NS.hour":12,"NS.weekday":3"#, is: "year 2009 hour 12 weekday 3"),
        Row("NSDateComponents", "", is: nil),
        Row(
            "NSDateInterval", #""NS.startDate":{"$uid":3},"NS.endDate":{"$uid":5}"#,
            #"{"$class":{"$uid":4},"NS.time":0.0}"#, AnnotationTests.record("NSDate"),
            #"{"$date":"2001-01-01T00:00:01Z"}"#, is: "2001-01-01T00:00:00Z – 2001-01-01T00:00:01Z"),
        Row("NSDateInterval", #""NS.startDate":{"$uid":3},"NS.endDate":{"$uid":3}"#, "0.5", is: nil),
        Row("NSCalendarDate", #""NS.time":0.0"#, is: "2001-01-01T00:00:00Z"),
        Row("NSCalendarDate", #""NS.time":0"#, is: "2001-01-01T00:00:00Z"),
        Row("NSCalendarDate", #""NS.time":{"$real":"nan"}"#, is: nil),
        Row(
            "NSDecimalNumberPlaceholder",
            #""NS.exponent":0,"NS.length":1,"NS.negative":1,"NS.compact":1,"NS.mantissa":{"$data":"BQAAAAAAAAAAAAAAAAAAAA=="},"#
                + #""NS.mantissa.bo":1"#,
            is: "-5"),
    ]

    private static let geometry = [
        Row("NSValue", #""NS.special":1,"NS.pointval":{"$uid":3}"#, #""{1.0, -0.10000000000000001}""#, is: "{1, -0.1}"),
        Row("NSValue", #""NS.special":2,"NS.sizeval":{"$uid":3}"#, #""{32, 32}""#, is: "{32, 32}"),
        Row("NSValue", #""NS.special":3,"NS.rectval":{"$uid":3}"#, #""{{1,2},{3,4e20}}""#, is: "{{1, 2}, {3, 4e+20}}"),
        Row("NSValue", #""NS.special":1,"NS.pointval":{"$uid":3}"#, #""{1, x}""#, is: nil),
        Row("NSValue", #""NS.special":1,"NS.pointval":{"$uid":3}"#, #""1, 2""#, is: nil),
        Row("NSValue", #""NS.special":3,"NS.pointval":{"$uid":3}"#, #""{1, 2}""#, is: nil),
        Row(
            "NSValue", #""NS.special":4,"NS.rangeval.location":{"$uid":3},"NS.rangeval.length":{"$uid":4}"#, "5", "10",
            is: "{5, 10}"),
        Row(
            "NSValue",
            #""NS.special":10,"NS.atval.a":1.0,"NS.atval.b":0.0,"NS.atval.c":0.0,"NS.atval.d":1.0,"NS.atval.tx":2.5,"NS.atval.ty":0.0"#,
            is: "[1, 0, 0, 1, 2.5, 0]"),
        Row(
            "NSValue",
            #""NS.special":12,"NS.edgeval.top":1.0,"NS.edgeval.left":2.0,"NS.edgeval.bottom":3.0,"NS.edgeval.right":4.0"#,
            is: "{1, 2, 3, 4}"),
        Row("NSValue", #""NS.special":13,"NS.offset.h":1.0,"NS.offset.v":2.0"#, is: "{1, 2}"),
        Row("NSValue", #""$0":{"$uid":3}"#, #""[3i]""#, is: nil),
    ]

    private static let graphics = [
        Row("NSColor", #""NSColorSpace":1,"NSRGB":{"$data":"MC41IDAuMiAxAA=="}"#, is: "rgba(0.5, 0.2, 1, 1)"),
        Row("NSColor", #""NSColorSpace":2,"NSRGB":{"$data":"MCAwIDAgMC41"}"#, is: "rgba(0, 0, 0, 0.5)"),
        Row("NSColor", #""NSColorSpace":3,"NSWhite":{"$data":"MC4zAA=="}"#, is: "white(0.3)"),
        Row("NSColor", #""NSColorSpace":5,"NSCMYK":{"$data":"MCAwIDAgMQ=="}"#, is: "cmyk(0, 0, 0, 1)"),
        Row("NSColor", #""NSColorSpace":3,"NSWhite":{"$data":"eHgA"}"#, is: nil),
        Row("NSColor", #""NSColorSpace":1,"NSRGB":{"$data":"MC4zAA=="}"#, is: nil),
        Row(
            "NSColor", #""NSColorSpace":6,"NSCatalogName":{"$uid":3},"NSColorName":{"$uid":4}"#, #""System""#,
            #""textColor""#, is: "System textColor"),
        Row(
            "UIColor", #""UIRed":{"$real32":0.5},"UIGreen":{"$real32":0.0},"UIBlue":1.0,"UIAlpha":1.0"#,
            is: "rgba(0.5, 0, 1, 1)"),
        Row("UIColor", #""UIWhite":{"$real32":0.3},"UIAlpha":0.5"#, is: "white(0.3, 0.5)"),
        Row("UIColor", #""UIRed":0.5"#, is: nil),
        Row("NSFont", #""NSName":{"$uid":3},"NSSize":12.0,"NSfFlags":16"#, #""Helvetica""#, is: "Helvetica 12"),
    ]

    private static let nodes = [
        node("SKNode", [], #""_name":{"$uid":3},"_position":{"$uid":4}"#, is: #""enemy" at {12, 34}"#),
        node(
            "SKSpriteNode", ["SKNode", "NSResponder"], #""_name":{"$uid":0},"_position":{"$uid":4}"#, is: "at {12, 34}"),
        node("Game.Enemy", ["SKSpriteNode", "SKNode", "NSResponder"], #""_name":{"$uid":3}"#, is: #""enemy""#),
        Row(
            "SKNode", #""_name":{"$uid":3}"#, #""the \"boss\"""#, is: #""the \"boss\"""#),
        node("Game.Enemy", ["Character"], #""_name":{"$uid":3}"#, is: nil),
        Row("SKNode", #""_position":{"$uid":1}"#, is: nil),
        Row("SKTexture", #""_imgName":{"$uid":3}"#, #""star""#, is: #""star""#),
    ]

    private static func url(_ base: Int) -> String {
        #""NS.relative":{"$uid":3},"NS.base":{"$uid":\#(base)}"#
    }

    private static func based(_ relative: Int) -> String {
        #"{"$class":{"$uid":2},"NS.base":{"$uid":0},"NS.relative":{"$uid":\#(relative)}}"#
    }

    private static func decimal(
        exponent: Int, length: Int, negative: Bool, mantissa: String, order: Int = 1, is annotation: String?
    ) -> Row {
        Row(
            "NSDecimalNumberPlaceholder",
            #""NS.exponent":\#(exponent),"NS.length":\#(length),"NS.negative":\#(negative),"NS.compact":true,"#
                + #""NS.mantissa":{"$data":"\#(mantissa)"},"NS.mantissa.bo":\#(order)"#,
            is: annotation)
    }

    private static func node(_ name: String, _ ancestors: [String], _ fields: String, is annotation: String?) -> Row {
        Row(
            name, chain: ancestors, fields, #""enemy""#,
            #"{"$class":{"$uid":5},"NS.special":1,"NS.pointval":{"$uid":6}}"#,
            AnnotationTests.record("NSValue"), #""{12, 34}""#, is: annotation)
    }
}
