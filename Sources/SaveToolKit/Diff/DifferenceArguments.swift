import SaveCodec
import SaveOperations

/// The options for comparing saves. `merge` has some of them, too.
extension Arguments {
    func differenceOptions() throws(UsageError) -> DifferenceOptions {
        var options = DifferenceOptions()
        options.runner = CurrentProcess.runner
        options.looseNumbers = has(.looseNumbers)
        options.ignored = try patterns(of: .ignore)
        options.only = try patterns(of: .only)
        options.unordered = try patterns(of: .unordered)
        options.identities = try identities()
        for text in values(of: .tolerance) { try options.addTolerance(text) }
        return options
    }

    /// Returns the fields that identify elements of arrays.
    func identities() throws(UsageError) -> [DifferenceOptions.Identity] {
        try values(of: .identity).map { text throws(UsageError) in
            guard let (pattern, key) = Self.split(text), !key.isEmpty else {
                throw .badValue(text, .identity, expected: "a pattern and a key, such as /root/charList=name")
            }
            return DifferenceOptions.Identity(try Self.pattern(pattern, of: .identity), key: key)
        }
    }

    func patterns(of option: Option) throws(UsageError) -> [PointerPattern] {
        try values(of: option).map { text throws(UsageError) in try Self.pattern(text, of: option) }
    }

    static func pattern(_ text: String, of option: Option) throws(UsageError) -> PointerPattern {
        do throws(Problem) {
            return try PointerPattern(text)
        } catch {
            let expected = "a pattern such as /root/*/name, with ~1 for / and ~0 for ~ in keys"
            let suggestion = text.hasPrefix("/") ? nil : try? PointerPattern("/" + text)
            throw .badValue(text, option, expected: expected).suggesting(suggestion.map { .pattern($0) })
        }
    }

    /// Splits a text at its last `=`, because the pattern before it may contain `=`, too.
    static func split(_ text: String) -> (String, String)? {
        guard let sign = text.lastIndex(of: "=") else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}

extension DifferenceOptions {
    /// Adds `0.01`, `1%` or `/root/*/position.x=0.5`. A pattern may have both an absolute and a relative tolerance.
    fileprivate mutating func addTolerance(_ text: String) throws(UsageError) {
        guard let (pattern, amount) = Arguments.split(text) else {
            guard !text.hasPrefix("/") else { throw .tolerance(text) }
            return try tolerance.add(text, in: text)
        }
        let parsed = try Arguments.pattern(pattern, of: .tolerance)
        var local = LocalTolerance(parsed, Tolerance())
        if let known = tolerances.firstIndex(where: { $0.pattern == parsed }) { local = tolerances.remove(at: known) }
        try local.tolerance.add(amount, in: text)
        tolerances.append(local)
    }
}

extension DifferenceOptions.Tolerance {
    fileprivate mutating func add(_ amount: String, in text: String) throws(UsageError) {
        let isRelative = amount.hasSuffix("%")
        let digits = isRelative ? String(amount.dropLast()) : amount
        let isDecimal = digits.utf8.allSatisfy { "0123456789.eE+-".utf8.contains($0) }
        guard isDecimal, let number = Double(digits), number.isFinite, number >= 0 else { throw .tolerance(text) }
        if isRelative { relative = number / 100 } else { absolute = number }
    }
}

extension UsageError {
    fileprivate static func tolerance(_ text: String) -> UsageError {
        .badValue(text, .tolerance, expected: "a number, 0 or more, such as 0.01, 1% or /root/*/position.x=0.5")
    }
}

extension Option {
    static let looseNumbers = Option(
        "loose-numbers", for: .comparison, help: "compare numbers by value: 42 equals 42.0")
    static let tolerance = Option(
        "tolerance", value: "X", isRepeatable: true, for: .comparison,
        help: "treat close reals as equal: 0.01, 1%, PATTERN=0.01")
    static let ignore = Option(
        "ignore", value: "PATTERN", is: .address, isRepeatable: true, for: .comparison,
        help: "ignore the values at PATTERN")
    static let only = Option(
        "only", value: "PATTERN", is: .address, isRepeatable: true, for: .comparison,
        help: "compare only the values at PATTERN")
    static let identity = Option(
        "identity", value: "PATTERN=KEY", is: .address, isRepeatable: true, for: .comparison,
        help: "match array elements by KEY")
    static let unordered = Option(
        "unordered", value: "PATTERN", is: .address, isRepeatable: true, for: .comparison,
        help: "compare the array at PATTERN as a set")
}
