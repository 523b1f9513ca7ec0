import SaveCodec

/// A regular expression of JSON Schema: ECMA-262 with the `u` flag, searched for anywhere in a text.
///
///     ^\d{4}-\d\d$     in  2026-11        matched
///     (?<!a)b          in  ab bb          matched
///     ^(a+)+$          in  aaaa…aaab      not matched, after one pass over the text
///     (a*)*\1b$        in  aaaa…aaba      given up, if the text is long
///
/// ``RegexParser`` turns the pattern into a syntax tree, and ``RegexCompiler`` turns the tree into instructions. A Pike
/// VM, ``PikeMachine``, executes them. It follows all alternatives at once, in time proportional to the length of the
/// text times the size of the pattern.
///
/// The body of a lookaround is a program of its own. It runs first and records the positions at which the lookaround
/// holds. Lookbehinds read the text forward, lookaheads backward.
///
/// The machine cannot match backreferences (`\1`), so it lets each match any text. If it finds a match on that
/// assumption, ``Backtracker`` searches again and tries one alternative after another.
///
/// A search gives up after ``steps(for:)`` steps, about a second for a short text. Without backreferences, hardly any
/// pattern reaches that limit in a short text. A pattern that is in a hundred states at once, such as `\w{1,100}@`, may
/// reach it in a text of megabytes.
///
/// A lone surrogate is a code point, in texts and in patterns.
package struct ECMARegex: Sendable {
    /// The result of a search.
    package enum Verdict: Hashable, Sendable {
        case matched
        case notMatched
        /// The search needed more than ``ECMARegex/steps(for:)`` steps.
        case gaveUp
    }

    fileprivate let program: RegexProgram
    /// The program for the backtracker; nil for a pattern without backreferences.
    fileprivate let backtracking: RegexProgram?

    /// Whether letters match without regard to case, as with the `i` flag.
    fileprivate let ignoresCase: Bool

    /// Parses a pattern.
    package init(_ source: some Collection<UInt16>, ignoresCase: Bool = false) throws(RegexSyntaxError) {
        self.ignoresCase = ignoresCase
        let syntax = try RegexParser.read(RegexText.points(of: source), ignoresCase: ignoresCase)
        var program = try RegexCompiler.program(of: syntax, forBacktracker: false)
        program.noteLine()
        self.program = program
        backtracking = syntax.references.isEmpty ? nil : try RegexCompiler.program(of: syntax, forBacktracker: true)
    }

    /// The memory that the pattern takes, as a number of instructions and of ranges of characters.
    var size: Int {
        let programs = [program] + (backtracking.map { [$0] } ?? [])
        return programs.reduce(0) { size, program in
            program.sets.reduce(size + program.instructions.count) { $0 + 4 + $1.ranges.count }
        }
    }

    /// Returns whether a text matches a pattern that is only `^`, a sequence of sets, and perhaps `$`. Does not run the
    /// machine.
    ///
    /// - Returns: Nil for any other pattern, or if a surrogate is among the code units read.
    func matchesInLine(_ text: some RandomAccessCollection<UInt16>) -> Bool? {
        guard let line = program.line else { return nil }
        guard text.count >= line.sets.count else { return false }
        for (unit, set) in zip(text, line.sets) {
            guard !UTF16.isSurrogate(unit) else { return nil }
            guard program.contains(set, UInt32(unit)) else { return false }
        }
        return !line.endsText || text.count == line.sets.count
    }

    /// Returns the number of instructions that a search may execute in a text of `count` code units.
    package static func steps(for count: Int) -> Int {
        100_000_000 + 64 * count
    }
}

/// A search for one pattern that can be run on many texts and reuses its memory.
package struct RegexSearch {
    private let regex: ECMARegex
    private var machine: PikeMachine
    private var text = RegexText()

    /// Creates a search for a pattern.
    package init(_ regex: ECMARegex) {
        self.regex = regex
        machine = PikeMachine(regex.program)
    }

    /// Searches for a match anywhere in the text.
    mutating func search(_ units: some Collection<UInt16>) -> ECMARegex.Verdict {
        var steps = ECMARegex.steps(for: units.count)
        return search(units, steps: &steps)
    }

    /// Searches for a match within a number of steps, and subtracts the steps used.
    package mutating func search(_ units: some Collection<UInt16>, steps: inout Int) -> ECMARegex.Verdict {
        // The text is moved out and back, so that its memory is reused and not copied.
        var text = RegexText()
        swap(&text, &self.text)
        defer { swap(&text, &self.text) }
        text.read(units, foldsCase: regex.ignoresCase)
        steps -= units.count / 2
        return search(in: &text, steps: &steps)
    }

    /// Searches for a match in a text whose letters are folded if the pattern ignores case.
    mutating func search(in text: inout RegexText, steps: inout Int) -> ECMARegex.Verdict {
        text.removeLookarounds()
        for subprogram in regex.program.lookarounds {
            var positions = Bitmap(count: text.points.count + 1)
            machine.run(subprogram, over: text, steps: &steps) { position in
                positions.insert(position)
                return true
            }
            guard steps >= 0 else { return .gaveUp }
            text.addLookaround(positions)
        }
        var isMatched = false
        machine.run(regex.program.main, over: text, steps: &steps) { _ in
            isMatched = true
            return false
        }
        guard steps >= 0 else { return .gaveUp }
        guard isMatched, let program = regex.backtracking else { return isMatched ? .matched : .notMatched }
        return Backtracker.search(text, for: program, steps: &steps)
    }
}
