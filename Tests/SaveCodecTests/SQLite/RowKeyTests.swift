import Testing

@testable import SaveCodec

/// Rows with different primary keys get different keys in a document.
@Suite struct RowKeyTests {
    @Test(
        arguments: [
            ([.text("Orc")], .text, "Orc"), ([.text("5")], .text, "5"), ([.text("5")], .blob, "\"5\""),
            ([.text("1e400")], .blob, "\"1e400\""), ([.text("-inf")], .numeric, "\"-inf\""), ([.text("")], .text, ""),
            ([.text("null")], .text, "\"null\""), ([.text("x'ff'")], .text, "\"x'ff'\""),
            ([.text("text x'ff'")], .text, "\"text x'ff'\""), ([.text("rowid 7")], .text, "\"rowid 7\""),
            ([.text("\"")], .text, #""\"""#), ([.integer(.min)], .integer, "-9223372036854775808"),
            ([.real(5)], .real, "5.0"), ([.real(-.infinity)], .real, "-inf"), ([.blob([10, 255])], .blob, "x'0aff'"),
            ([.bytes([255])], .text, "text x'ff'"), ([.null], .text, "null"),
            ([.integer(1), .text("Ada"), .null, .blob([])], .blob, "[1,\"Ada\",null,x'']"),
        ] as [([Value], ColumnAffinity, String)])
    func key(_ values: [Value], _ affinity: ColumnAffinity, _ key: String) {
        let affinities = [ColumnAffinity](repeating: affinity, count: values.count)
        #expect(String(decoding: RowKey.text(of: values.map(\.stored), affinities), as: UTF8.self) == key)
    }

    /// A value in the notation of these tests.
    enum Value: Sendable {
        case null
        case integer(Int64), real(Double), text(String), blob([UInt8]), bytes([UInt8])

        var stored: SQLValue {
            switch self {
            case .null: .null
            case .integer(let value): .integer(value)
            case .real(let value): .real(value)
            case .text(let text): .text(Array(text.utf16))
            case .blob(let bytes): .blob(bytes)
            case .bytes(let bytes): .invalidText(bytes)
            }
        }
    }

    /// Lone surrogates remain distinct, although UTF-8 cannot represent them.
    @Test func surrogates() {
        let keys = [0xD800, 0xDBFF, 0xDC00].map { RowKey.text(of: [.text([$0])], [.text]) }
        #expect(keys.map { String(decoding: $0, as: UTF8.self) } == [#""\uD800""#, #""\uDBFF""#, #""\uDC00""#])
    }

    @Test(arguments: [0, 7, -7, Int64.max, .min])
    func rowid(_ rowid: Int64) {
        var key = Array("what was there".utf8)
        RowKey.set(&key, to: rowid, isMarked: false)
        #expect(String(decoding: key, as: UTF8.self) == "\(rowid)")
        RowKey.set(&key, to: rowid, isMarked: true)
        #expect(String(decoding: key, as: UTF8.self) == "rowid \(rowid)")
    }
}
