@testable import SaveCodec

/// A random text of a format with comments, white space and rare spellings everywhere the grammar allows them.
struct UntidyText {
    private let format: Format
    private var random: FixedSeedGenerator

    init(_ format: Format, seed: UInt64) {
        self.format = format
        random = FixedSeedGenerator(seed: seed)
    }

    mutating func file() -> [UInt8] {
        Array((gap() + value(depth: 0) + gap()).utf8)
    }

    private mutating func pick(_ choices: [String]) -> String {
        choices.randomElement(using: &random) ?? ""
    }

    /// Returns white space and comments, or nothing.
    private mutating func gap() -> String {
        switch format {
        case .xml: pick(["", " ", "\r\n\t", "<!-- <dict> -->", "\n<!----> "])
        case .openStep: pick(["", " ", "\r\n\t", " /* ; \" */", " // }\r", "\u{2028}"])
        case .gnustep: pick(["", " ", "\r\n\t", " /* ; \" */", " // }\n"])
        default: pick(["", " ", "\r\n\t", "\n"])
        }
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth < 4 ? 4 : 2), using: &random) {
        case 0, 1: scalar()
        case 2: array(depth)
        default: dictionary(depth)
        }
    }

    private mutating func scalar() -> String {
        switch format {
        case .xml:
            pick([
                "<string>ë&#x41;<![CDATA[<b>]]></string>", "<string/>", "<string ></string >",
                "<integer>0xFF</integer>",
                "<real> 0.50</real>", "<true/>", "<false></false>", "<data>\n AA\t==</data>",
                "<date>2009-09-06T12:34:56Z</date>", "<dict><key>CF$UID</key><integer>7</integer></dict>",
                "<dict> <key>CF$U<![CDATA[I]]>D</key><!-- --><real>3</real></dict>",
            ])
        case .openStep: pick(["a.b", "\"\\U00e9 ë\\\"\"", "'x\"'", "<0f\n0A>", "\"\""])
        case .gnustep: pick(["a+b", "\"\\U00e9 \\\"\"", "<0f0a>", "<*I\"5\">", "<*R1.5>", "<*BN>", "<[ AA== ]>"])
        default:
            pick([
                "0.50", "1E2", "-0", "true", "null", "\"\\u00e9 ë\\\"\"", "{\"$date\" : 5}",
                "{ \"$d\\u0061ta\":\"AA==\"}",
                "{\"$date\":{\"$real\":\"nan\"}}", "{\"$uid\":\n3}", "{\"$set\":[ 1 ,2]}", "{\"$real32\":1.5 }",
            ])
        }
    }

    private mutating func array(_ depth: Int) -> String {
        let elements = (0..<Int.random(in: 0...3, using: &random)).map { _ in gap() + value(depth: depth + 1) + gap() }
        switch format {
        case .xml: return "<array>" + (elements.isEmpty ? gap() : elements.joined()) + "</array>"
        case .openStep, .gnustep: return "(" + elements.joined(separator: ",") + (elements.isEmpty ? "" : ",") + ")"
        default: return "[" + elements.joined(separator: ",") + "]"
        }
    }

    private mutating func dictionary(_ depth: Int) -> String {
        let pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in gap() + pair(depth) + gap() }
        switch format {
        case .xml: return pairs.isEmpty ? "<dict />" : "<dict>" + pairs.joined() + "</dict>"
        case .openStep, .gnustep: return "{" + pairs.joined() + "}"
        default:
            let isList = Bool.random(using: &random)
            return isList ? listOfPairs(depth) : "{" + pairs.joined(separator: ",") + "}"
        }
    }

    private mutating func pair(_ depth: Int) -> String {
        let value = gap() + value(depth: depth + 1) + gap()
        switch format {
        case .xml: return pick(["<key>a</key>", "<key>b&amp;</key>", "<key/>"]) + value
        case .openStep where Bool.random(using: &random): return pick(["a", "\"b;\"", "'c'"]) + gap() + ";"
        case .openStep: return pick(["a", "\"b;\"", "'c'"]) + gap() + " =" + value + ";"
        case .gnustep: return pick(["a", "\"b;\"", "<*I5>"]) + gap() + " =" + value + ";"
        default: return pick(["\"a\"", "\"\\u0062\"", "\"$c\""]) + gap() + ":" + value
        }
    }

    private mutating func listOfPairs(_ depth: Int) -> String {
        let pairs = (0..<Int.random(in: 0...3, using: &random)).map { _ in
            gap() + "[" + gap() + pick(["\"a\"", "1", "{\"$uid\": 1}"]) + gap() + "," + value(depth: depth + 1) + "]"
        }
        return "{" + gap() + "\"$dict\"" + gap() + ":[" + pairs.joined(separator: ",") + "]" + gap() + "}"
    }
}
