/// Rewrites JSON in the style of other tools: keys are sorted by their bytes, and whole numbers have no `.0`.
enum RewrittenJSON {
    private indirect enum Value {
        case scalar(ArraySlice<UInt8>)
        case array([Value])
        case object([(name: ArraySlice<UInt8>, value: Value)])
    }

    /// Returns the rewritten text, or nil if an object has a duplicate key, because other tools keep only one of its
    /// values.
    static func text(of json: [UInt8]) -> [UInt8]? {
        var position = 0
        guard let value = value(json, &position) else { return nil }
        var output: [UInt8] = []
        write(value, &output)
        return output
    }

    private static func skipBlanks(_ json: [UInt8], _ position: inout Int) {
        while position < json.count, [0x20, 0x0A, 0x0D, 0x09].contains(json[position]) { position += 1 }
    }

    private static func value(_ json: [UInt8], _ position: inout Int) -> Value? {
        skipBlanks(json, &position)
        switch json[position] {
        case UInt8(ascii: "{"): return contents(json, &position, isObject: true)
        case UInt8(ascii: "["): return contents(json, &position, isObject: false)
        case UInt8(ascii: "\""): return .scalar(string(json, &position))
        default:
            let start = position
            while position < json.count, !Array(",]} \n".utf8).contains(json[position]) { position += 1 }
            let number = json[start..<position]
            let isWhole = number.elementsEqual("-0.0".utf8) ? false : number.suffix(2).elementsEqual(".0".utf8)
            return .scalar(isWhole ? number.dropLast(2) : number)
        }
    }

    private static func string(_ json: [UInt8], _ position: inout Int) -> ArraySlice<UInt8> {
        let start = position
        position += 1
        while json[position] != UInt8(ascii: "\"") { position += json[position] == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
        return json[start..<position]
    }

    private static func contents(_ json: [UInt8], _ position: inout Int, isObject: Bool) -> Value? {
        position += 1
        var pairs: [(name: ArraySlice<UInt8>, value: Value)] = []
        while true {
            skipBlanks(json, &position)
            if json[position] == UInt8(ascii: isObject ? "}" : "]") { break }
            var name: ArraySlice<UInt8> = []
            if isObject {
                name = string(json, &position)
                skipBlanks(json, &position)
                position += 1
            }
            guard let value = value(json, &position) else { return nil }
            pairs.append((name, value))
            skipBlanks(json, &position)
            if json[position] == UInt8(ascii: ",") { position += 1 }
        }
        position += 1
        guard isObject else { return .array(pairs.map(\.value)) }
        guard Set(pairs.map(\.name)).count == pairs.count else { return nil }
        return .object(pairs.sorted { $0.name.lexicographicallyPrecedes($1.name) })
    }

    private static func write(_ value: Value, _ output: inout [UInt8]) {
        switch value {
        case .scalar(let text): output += text
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                write(element, &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let pairs):
            output.append(UInt8(ascii: "{"))
            for (position, pair) in pairs.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                output += pair.name + [UInt8(ascii: ":")]
                write(pair.value, &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }
}
