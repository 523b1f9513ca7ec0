import SaveCodec
import SaveOperations

/// What the arguments of `savetool diff` ask for, once they are known to make sense.
struct DiffPlan {
    /// How differences are shown.
    enum Form: String, CaseIterable {
        case text, json, summary
        case jsonPatch = "json-patch"
        case sideBySide = "side-by-side"

        /// Whether people read it, who can be told that there is more to see.
        var isForPeople: Bool { self != .json && self != .jsonPatch }
    }

    let files: DiffOperands
    let source: Format?
    let limits: Limits
    let isRaw: Bool
    let options: DifferenceOptions
    let form: Form
    let showsSharing: Bool
    /// How many neighbours of a change are shown on each side.
    let context: Int
    let palette: Palette
    let isQuiet: Bool
    /// How wide two columns may be.
    let width: Int

    init(_ arguments: Arguments, _ invocation: Invocation) throws(UsageError) {
        files = try DiffOperands(arguments)
        source = try arguments.format(of: .from)
        limits = try arguments.limits()
        isRaw = arguments.has(.raw)
        options = try arguments.differenceOptions()
        form = try arguments.choice(of: .differenceForm) ?? .text
        showsSharing = arguments.has(.sharing)
        context = try arguments.number(of: .context) ?? 0
        palette = try (arguments.choice(of: .differenceColor) ?? ColorChoice.auto).palette(invocation)
        isQuiet = arguments.has(.quietDifference)
        width = try arguments.number(of: .width) ?? Self.width(invocation)
        try checkFit(arguments)
    }

    /// The width of the terminal, which `COLUMNS` may tell otherwise.
    private static func width(_ invocation: Invocation) -> Int {
        invocation.environment["COLUMNS"].flatMap { Int($0) } ?? invocation.output.columns ?? 120
    }

    private func checkFit(_ arguments: Arguments) throws(UsageError) {
        let fitting: [(option: Option, forms: [Form])] = [
            (.context, [.text, .sideBySide]), (.differenceColor, [.text, .sideBySide]), (.width, [.sideBySide]),
        ]
        for (option, forms) in fitting where arguments.has(option) && !forms.contains(form) {
            throw .onlyWith(option, .differenceForm, values: forms.map(\.rawValue))
        }
    }
}

extension Arguments {
    /// What a comparison is to forgive, and how it aligns arrays.
    fileprivate func differenceOptions() throws(UsageError) -> DifferenceOptions {
        var options = DifferenceOptions()
        options.looseNumbers = has(.looseNumbers)
        options.ignored = try patterns(of: .ignore)
        options.only = try patterns(of: .only)
        options.unordered = try patterns(of: .unordered)
        options.identities = try identities()
        for text in values(of: .tolerance) { try options.addTolerance(text) }
        return options
    }

    /// The fields by which elements of arrays are told apart.
    func identities() throws(UsageError) -> [DifferenceOptions.Identity] {
        var identities: [DifferenceOptions.Identity] = []
        for text in values(of: .identity) {
            let expected = "a pattern and a key, such as /root/charList=name"
            guard let (pattern, key) = Self.split(text), !key.isEmpty else {
                throw .badValue(text, .identity, expected: expected)
            }
            identities.append(.init(try Self.pattern(pattern, of: .identity), key: key))
        }
        return identities
    }

    func patterns(of option: Option) throws(UsageError) -> [AddressPattern] {
        var patterns: [AddressPattern] = []
        for text in values(of: option) { patterns.append(try Self.pattern(text, of: option)) }
        return patterns
    }

    static func pattern(_ text: String, of option: Option) throws(UsageError) -> AddressPattern {
        do throws(Problem) {
            return try AddressPattern(text)
        } catch {
            throw .badValue(
                text, option, expected: "a pattern such as /root/*/name, with ~1 for / and ~0 for ~ in keys")
        }
    }

    /// What stands before the last `=` and behind; patterns may have others.
    static func split(_ text: String) -> (String, String)? {
        guard let sign = text.lastIndex(of: "=") else { return nil }
        return (String(text[..<sign]), String(text[text.index(after: sign)...]))
    }
}

extension DifferenceOptions {
    /// `0.01`, `1%`, `/root/*/position.x=0.5`. One that is absolute and one that is relative hold side by side.
    fileprivate mutating func addTolerance(_ text: String) throws(UsageError) {
        guard text.hasPrefix("/") else { return try tolerance.add(text, in: text) }
        guard let (pattern, amount) = Arguments.split(text) else { throw .tolerance(text) }
        let place = try Arguments.pattern(pattern, of: .tolerance)
        var local = LocalTolerance(place, Tolerance())
        if let known = tolerances.firstIndex(where: { $0.pattern == place }) { local = tolerances.remove(at: known) }
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
        .badValue(text, .tolerance, expected: "a number from 0, such as 0.01, 1% or /root/*/position.x=0.5")
    }
}
