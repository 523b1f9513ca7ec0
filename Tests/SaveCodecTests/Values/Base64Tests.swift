import Foundation
import Testing

@testable import SaveCodec

@Suite struct Base64Tests {
    /// RFC 4648 §10, and the last letters of the alphabet.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
        ("~~~???", "fn5+Pz8/"),
    ])
    func vectors(_ plain: String, _ encoded: String) {
        let bytes = Array(plain.utf8)
        #expect(written { Base64.write(bytes, in: bytes.indices, to: &$0) } == encoded)
        #expect(Base64.decode(Array(encoded.utf8)) == .success(bytes))
        #expect(Base64.decodeLenient(Array(encoded.utf8)) == .success(.init(bytes: bytes, isClean: true)))
    }

    @Test func roundTripsEveryByteAndLength() {
        var generator = FixedSeedGenerator(seed: 7)
        let source = (0..<1000).map { _ in UInt8(truncatingIfNeeded: generator.next()) } + Array(0...255)
        for start in 0..<300 {
            let part = Array(source[start..<source.count - 2 * start])
            let text = written { Base64.write(source, in: start..<source.count - 2 * start, to: &$0) }
            #expect(text == Data(part).base64EncodedString())
            #expect(Base64.decode(Array(text.utf8)) == .success(part))
        }
    }

    @Test(arguments: [
        ("A", 1), ("AQ", 2), ("AQI", 3), ("AQ=", 2), ("AQID=", 4), ("AQ==AQ==", 2), ("AQ=A", 2), ("=AAA", 0),
        ("A===", 1), ("====", 0),
        ("AQI*", 3), ("A*==", 1), ("AQIDA QI", 5), ("AQID\n", 4), ("AR==", 1), ("AQJ=", 2), ("AQIDAR==", 5),
        ("AQIDé", 4), ("AQ-_", 2),
    ])
    func strictFaults(_ text: String, _ offset: Int) {
        #expect(Base64.decode(Array(text.utf8)) == .failure(.init(offset: offset)))
    }

    @Test(
        arguments: [
            (" A Q\n=\t= ", [1], true), ("AQID\r\n\tBA==\n", [1, 2, 3, 4], true), ("AQ", [], false), ("AQ=", [], false),
            ("AQIDBA", [1, 2, 3], false),
            ("A=Q=", [0, 4], false), ("AQ*==", [1], false), ("AQ=*=", [1, 0], false), ("AQ=\u{0}=", [1, 0], false),
            ("====", [0], false),
            ("AQ==AQ==", [1, 1], false), ("=AQ=", [0, 4], false), ("AQI=A", [1, 2], false), ("AQ=====", [1], false),
            ("A===", [0], false),
            ("AQ-=", [], false), ("===", [], false), ("*", [], false), (" \n", [], true), ("AR==", [1], false),
            ("AQ==\n=", [1], false),
            ("AQ==AQID", [1, 1, 2, 3], false), ("AQI=BA==", [1, 2, 4], false),
        ] as [(String, [UInt8], Bool)])
    func lenient(_ text: String, _ bytes: [UInt8], _ isClean: Bool) {
        let result = try? Base64.decodeLenient(Array(text.utf8)).get()
        #expect(result?.bytes == bytes)
        #expect(result?.isClean == isClean)
    }

    @Test(arguments: [("é", 0), ("AQID é", 5), ("AQé=", 2)])
    func lenientFaults(_ text: String, _ offset: Int) {
        #expect(Base64.decodeLenient(Array(text.utf8)) == .failure(.init(offset: offset)))
    }

    /// Random texts from a small alphabet decode as in Core Foundation's property list reader.
    @Test func lenientMatchesCoreFoundation() {
        var generator = FixedSeedGenerator(seed: 8)
        let alphabet = Array("AQ/z9=== \n\t*-.".utf8)
        for _ in 0..<3000 {
            let text = (0..<Int(generator.next() % 14)).map { _ in
                alphabet[Int(generator.next() % UInt64(alphabet.count))]
            }
            let plist = Data("<plist version=\"1.0\"><data>".utf8 + text + "</data></plist>".utf8)
            let expected = unsafe try? PropertyListSerialization.propertyList(from: plist, format: nil) as? Data
            let result = try? Base64.decodeLenient(text).get()
            #expect(result?.bytes == expected.map { [UInt8]($0) }, "\(String(decoding: text, as: UTF8.self))")
            let compact = text.filter { $0 > 0x20 }
            #expect(result?.isClean == (Base64.decode(compact) == result.map { .success($0.bytes) }))
        }
    }

    /// The lines of an XML property list match Core Foundation's at every depth.
    @Test(arguments: 0..<11, [0, 1, 9, 45, 57, 58, 200])
    func lines(depth: Int, count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
        var value: Any = Data(bytes)
        for _ in 0..<depth { value = [value] }
        let plist = try PropertyListSerialization.data(fromPropertyList: value, format: .xml, options: 0)
        let indent = min(depth, 8)
        let text = written {
            Base64.writeLines(bytes, in: 0..<count, lineLength: 76 - 8 * indent, indent: indent, to: &$0)
        }
        let tabs = String(repeating: "\t", count: depth)
        #expect(String(decoding: plist, as: UTF8.self).contains("<data>\n" + text + tabs + "</data>\n"))
    }
}
