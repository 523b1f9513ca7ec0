extension JSON {
    /// Where a value stands in a JSON text that has been read, or with `isName` the name of it: the position of a member
    /// or element in each container from the root down. Linear in the size of the text.
    ///
    /// Documents do not keep the places of their values; who complains about one of them looks it up.
    package static func place(of path: [Int], isName: Bool = false, in bytes: [UInt8]) -> Place? {
        guard let text = try? JSONText(decoding: bytes) else { return nil }
        return text.offset(of: path, isName: isName).map(text.place)
    }
}

extension JSONText {
    fileprivate func offset(of path: [Int], isName: Bool) -> Int? {
        var offset = skippingWhiteSpace(from: 0)
        for (depth, position) in path.enumerated() {
            let isObject = self[offset] == UInt8(ascii: "{")
            guard isObject || self[offset] == UInt8(ascii: "[") else { return nil }
            offset = skippingWhiteSpace(from: offset + 1)
            for _ in 0..<position {
                guard let next = next(behind: offset, isMember: isObject) else { return nil }
                offset = next
            }
            if isObject, !isName || depth < path.count - 1 {
                guard let value = value(named: offset) else { return nil }
                offset = value
            }
        }
        return offset
    }

    /// Where the member or element behind another one starts.
    private func next(behind offset: Int, isMember: Bool) -> Int? {
        guard let value = isMember ? value(named: offset) : offset, let end = endOfValue(at: value) else { return nil }
        let comma = skippingWhiteSpace(from: end)
        return self[comma] == UInt8(ascii: ",") ? skippingWhiteSpace(from: comma + 1) : nil
    }

    /// Where the value of a member starts.
    private func value(named offset: Int) -> Int? {
        guard let end = endOfScalar(at: offset), case let colon = skippingWhiteSpace(from: end),
            self[colon] == UInt8(ascii: ":")
        else { return nil }
        return skippingWhiteSpace(from: colon + 1)
    }

    /// The offset behind a value, whose text is known to be sound.
    private func endOfValue(at start: Int) -> Int? {
        var offset = start
        var depth = 0
        repeat {
            switch self[offset] {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                offset += 1
            case UInt8(ascii: ","), UInt8(ascii: ":"), 0x20, 0x09, 0x0A, 0x0D: offset += 1
            default:
                guard let end = endOfScalar(at: offset) else { return nil }
                offset = end
            }
        } while depth > 0
        return offset
    }
}
