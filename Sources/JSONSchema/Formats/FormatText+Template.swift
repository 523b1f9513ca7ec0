/// URI templates (RFC 6570).
extension FormatText {
    mutating func skipURITemplate() -> Bool {
        while let next {
            switch next {
            case 0x7B: if !skipExpression() { return false }
            case 0x25: if !skipEscape() { return false }
            case 0...0x20, 0x7F..<0xA0, 0xD800..<0xE000: return false
            default:
                if next.isOne(of: "\"<>\\^`|}") { return false }
                position += 1
            }
        }
        return true
    }

    /// `%20`
    private mutating func skipEscape() -> Bool {
        skip("%") && skip("0123456789ABCDEFabcdef") && skip("0123456789ABCDEFabcdef")
    }

    /// `{+path,name:3,list*}`
    private mutating func skipExpression() -> Bool {
        guard skip("{") else { return false }
        _ = skip("+#./;?&=,!@|")
        repeat {
            guard skipVariable() else { return false }
        } while skip(",")
        return skip("}")
    }

    private mutating func skipVariable() -> Bool {
        repeat {
            guard skipVariableCharacter() else { return false }
            while skipVariableCharacter() {}
        } while skip(".")
        if skip("*") { return true }
        guard skip(":") else { return true }
        guard skip("123456789") else { return false }
        return skipDigits() <= 3
    }

    private mutating func skipVariableCharacter() -> Bool {
        guard let next else { return false }
        if next == 0x25 { return skipEscape() }
        guard next.isLetter || next.isDigit || next == 0x5F else { return false }
        position += 1
        return true
    }
}
