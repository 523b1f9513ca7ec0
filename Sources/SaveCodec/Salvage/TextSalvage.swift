/// A repairer of damaged texts, which copies everything that can be read and replaces the rest:
///
///     {"name": "Zoë", "gems": ▒▒▒▒, "level": 3}      {"name": "Zoë", "gems": null, "level": 3}
///     {"name": "Zoë", "ge▒▒": 1234, "level": 3}      {"name": "Zoë", "lost key 1": 1234, "level": 3}
///     {"name": "Zoë", "items": [1, 2, 3              {"name": "Zoë", "items": [1, 2, null]}
///
/// It follows the tokens of a ``SalvageSyntax`` and a list of open containers. Where a token does not fit, it searches
/// for the next token at which a container can continue (`TextSalvage+Resuming.swift`), and writes what is missing
/// (`TextSalvage+Repairs.swift`). The ordinary reader then reads the repaired text. The time is linear.
struct TextSalvage<Syntax: SalvageSyntax> {
    /// An open container.
    struct Frame {
        /// The token that the container expects. `first` and `next` are the states in which a member or the end of the
        /// container can follow.
        enum State { case first, mark, value, separator, next }

        let isDictionary: Bool
        /// The offset of the opening bracket, or nil if it was inserted or does not exist.
        let start: Int?
        /// Whether the container is the root of a strings file, which has no brackets.
        var isBare = false
        var state = State.first
        /// The number of members that are complete.
        var count = 0
        /// The last key that was read.
        var key: SalvageToken?
        /// The last value, if it is a single token.
        var scalar: SalvageToken?
        var separator: Range<Int>?
        /// Whether missing separators were added.
        var lacksSeparators = false
        /// The indentation of the last member that begins a line.
        var indentation: Int?

        /// Takes back the last member.
        mutating func removeMember() {
            count -= 1
            scalar = nil
            state = isDictionary ? .value : count > 0 ? .next : .first
        }
    }

    var syntax: Syntax
    let text: [UInt8]
    var frames: [Frame] = []
    var rootEnd: Int?
    var position = 0
    var output: RepairedText
    var work: RepairWork
    var losses = TextLosses()
    var brackets = BracketScan()
    /// Whether markup around the root was missing or damaged.
    var hasNewMarkup = false
    /// The offset of the token that did not fit.
    var damage = 0
    /// The offset of a whole key after the damage. No quotation mark is between the damage and the key, so its first
    /// one is not the end of another string.
    var keyAfterDamage: Int?
    /// The offset at which the last damage ended.
    var lastResumption = -1

    init(_ syntax: Syntax, limits: Limits) {
        self.syntax = syntax
        text = syntax.source.bytes
        output = RepairedText(of: text)
        work = RepairWork(on: text, limits)
    }

    /// Returns the repaired text, and the offset in the damaged text at which it ends; nil if no root was found.
    mutating func run() throws(Problem) -> (bytes: [UInt8], end: Int)? {
        if let (start, end, hasMembers) = syntax.newStart() {
            output.write(start)
            output.skip(upTo: end)
            (position, hasNewMarkup) = (end, true)
            if hasMembers { losses.addMembers(before: end) }
        }
        openBareRoot()
        while rootEnd == nil {
            let token = syntax.token(from: position)
            guard frames.count <= work.limits.maxDepth else {
                throw .tooDeep(work.limits.maxDepth, at: .byte(position))
            }
            try work.check(lossCount: losses.totalCount)
            doubtComments(before: token)
            if isSurplusEnd(token) {
                drop(token)
            } else if accept(token) {
                brackets.pass(token)
                position = token.range.upperBound
            } else if !recover(at: token.range.lowerBound) {
                try work.check(lossCount: losses.totalCount)
                return nil
            }
        }
        try work.check(lossCount: losses.totalCount)
        guard let rootEnd else { return nil }
        let end = syntax.end(afterRoot: rootEnd)
        if isContinued(after: end) {
            losses.add(
                TextLosses.Loss(
                    kind: .doubtful, range: end..<end, path: [],
                    message:
                        "members may be in another container, because the text has one closing bracket or tag too many")
            )
        }
        output.copy(upTo: end)
        let ending = syntax.ending(after: rootEnd)
        output.write(ending)
        hasNewMarkup = hasNewMarkup || !ending.isEmpty
        if syntax.isAlwaysUTF8, !losses.isEmpty { output.removeLastSeparators() }
        return (output.bytes, end)
    }

    /// Whether the text after the root continues like the inside of a container.
    private mutating func isContinued(after end: Int) -> Bool {
        switch syntax.token(from: end).kind {
        case .close, .separator, .mark, .key: true
        default: false
        }
    }

    /// Whether another value follows, so that XML has lost the beginning of a container.
    private mutating func isFollowedByValue(_ end: Int) -> Bool {
        switch syntax.token(from: end).kind {
        case .open, .scalar: true
        default: false
        }
    }

    /// Opens the root of a strings file, which begins with a key.
    private mutating func openBareRoot() {
        guard syntax.allowsWordsAsKeys else { return }
        let key = syntax.token(from: position)
        guard key.kind == .scalar || key.kind == .word,
            syntax.token(from: key.range.upperBound).kind == .mark
        else {
            return
        }
        frames.append(Frame(isDictionary: true, start: nil, isBare: true))
    }

    // MARK: Tokens that fit

    /// Takes a token that the innermost container expects. Returns false for any other.
    private mutating func accept(_ token: SalvageToken) -> Bool {
        guard let frame = frames.last else { return acceptRoot(token) }
        switch (frame.state, token.kind) {
        case (.mark, .mark):
            frames[frames.count - 1].state = .value
        case (.mark, .separator) where syntax.needsLastSeparator && isSeparator(token, frame):
            endValue(at: token.range.upperBound)
            frames[frames.count - 1].state = .next
        case (.value, .open(let isDictionary)):
            open(isDictionary, at: token.range.lowerBound)
        case (.first, .open(let isDictionary)) where !frame.isDictionary,
            (.next, .open(let isDictionary)) where !frame.isDictionary:
            noteIndentation(of: token)
            open(isDictionary, at: token.range.lowerBound)
        case (.value, .scalar), (.value, .word):
            // The value of a JSON tag has a grammar of its own.
            guard !isTagged(frame) || !syntax.source.hasReplacement(in: token.range) else { return false }
            acceptScalar(token)
        case (.first, .scalar), (.first, .word), (.next, .scalar), (.next, .word), (.first, .key),
            (.next, .key):
            return acceptMember(token, frame)
        case (.separator, .separator) where isSeparator(token, frame):
            frames[frames.count - 1].state = .next
            frames[frames.count - 1].separator = token.range
        case (.first, .close(frame.isDictionary)), (.next, .close(frame.isDictionary)):
            return close(with: token, frame)
        case (.separator, .close(frame.isDictionary))
        where !frame.isDictionary || !syntax.needsLastSeparator:
            return close(with: token, frame)
        case (.first, .end) where frame.isBare, (.next, .end) where frame.isBare:
            close(at: text.count)
        default:
            return false
        }
        return true
    }

    private mutating func acceptRoot(_ token: SalvageToken) -> Bool {
        switch token.kind {
        case .open(let isDictionary): open(isDictionary, at: token.range.lowerBound)
        case .scalar where !isPart(token): acceptScalar(token)
        case .word where token.range.upperBound < text.count && !isPart(token): acceptScalar(token)
        default: return false
        }
        return true
    }

    /// Whether a token at the beginning is a part of a container, or of the text between two strings.
    private mutating func isPart(_ token: SalvageToken) -> Bool {
        let end = token.range.upperBound
        return isContinued(after: end) || !syntax.hasPunctuation && isFollowedByValue(end)
            || syntax.hasPunctuation && end < text.count && (isOfWord(text[end]) || text[end] == UInt8(ascii: "\""))
    }

    /// Takes a scalar as the root, because nothing else can be.
    mutating func acceptScalarRoot(at start: Int) -> Bool {
        let token = syntax.token(from: start)
        guard token.kind == .scalar || token.kind == .word, token.range.upperBound < text.count else { return false }
        acceptScalar(token)
        position = token.range.upperBound
        return true
    }

    private mutating func acceptMember(_ token: SalvageToken, _ frame: Frame) -> Bool {
        if frame.isDictionary {
            guard syntax.isKey(token) else { return false }
            noteIndentation(of: token)
            correct(token)
            frames[frames.count - 1].key = token
            frames[frames.count - 1].state = syntax.hasPunctuation ? .mark : .value
        } else {
            guard token.kind != .key else { return false }
            noteIndentation(of: token)
            acceptScalar(token)
        }
        return true
    }

    private mutating func acceptScalar(_ token: SalvageToken) {
        if syntax.source.hasReplacement(in: token.range) {
            lose(token.range, .doubtful, inMember: true, "bytes that are not text were replaced by U+FFFD")
            // A block of other bytes, or a byte that is missing from wide text, may hide the ends of several strings.
            if !frames.isEmpty, syntax.source.hasSeveralReplacements(in: token.range) {
                doubtContainers(around: token.range)
            }
        } else {
            correct(token)
        }
        endValue(at: token.range.upperBound, token)
    }

    /// Writes a key or a scalar without its faults.
    private mutating func correct(_ token: SalvageToken) {
        guard let repair = syntax.repaired(token) else { return }
        lose(token.range, .doubtful, inMember: true, repair.message)
        output.replace(token.range, with: repair.text)
        if repair.mayHideMembers, !frames.isEmpty { doubtContainers(around: token.range) }
    }

    /// Whether the dictionary may stand for a single value: the current member is its first, and the key is `CF$UID` or
    /// begins with `$`.
    func isTagged(_ frame: Frame) -> Bool {
        guard frame.isDictionary, frame.count == 0, let key = frame.key?.range, key.count > 2 else { return false }
        return syntax.isAt("\"$", key.lowerBound)
            || key.count < 32 && text[key].contains(UInt8(ascii: "$")) && syntax.contains("CF$UID", in: key)
    }

    /// Whether the text stops in a dictionary before its first key, or in that key, and the dictionary may have been a
    /// single value (``isTagged(_:)``).
    func mayBeTagged(_ frame: Frame) -> Bool {
        guard frame.isDictionary, frame.count == 0, frame.state == .first, let start = frame.start else { return false }
        let tags = ["\"$", "CF$UID"]
        return tags.contains { syntax.contains($0, in: start..<text.count) || syntax.contains($0, in: 0..<start) }
    }

    func isSeparator(_ token: SalvageToken, _ frame: Frame) -> Bool {
        token.kind == .separator
            && text[token.range.lowerBound] == syntax.separator(isDictionary: frame.isDictionary)
    }

    mutating func open(_ isDictionary: Bool, at start: Int?) {
        frames.append(Frame(isDictionary: isDictionary, start: start))
    }

    /// Closes the innermost container, unless the token ends another one. A root without brackets has no end.
    private mutating func close(with token: SalvageToken, _ frame: Frame) -> Bool {
        guard !frame.isBare, frame.start.map({ syntax.ends(token, from: $0) }) ?? true else { return false }
        if frame.state == .next, let separator = frame.separator, separator.lowerBound >= output.copied,
            syntax.isBlank(separator.upperBound..<token.range.lowerBound)
        {
            output.noteLastSeparator(at: separator.lowerBound)
        }
        close(at: token.range.upperBound)
        return true
    }

    private mutating func close(at end: Int) {
        frames.removeLast()
        endValue(at: end)
    }

    mutating func endValue(at end: Int, _ scalar: SalvageToken? = nil) {
        work.countValue()
        guard let last = frames.indices.last else {
            rootEnd = end
            return
        }
        frames[last].state = syntax.hasPunctuation ? .separator : .next
        frames[last].count += 1
        frames[last].scalar = scalar
    }

    // MARK: Skipped text

    /// Reports comments before a token in which several bytes were replaced: the bytes may have ended the comment, and
    /// members may be inside it.
    private mutating func doubtComments(before token: SalvageToken) {
        let range = position..<max(token.range.lowerBound, position)
        guard syntax.source.hasSeveralReplacements(in: range) else { return }
        losses.mayHideMembers = true
        lose(
            range, .doubtful, inMember: false,
            "members may be missing, because a comment contains bytes that are not text and may hide its end")
    }

    // MARK: Surplus ends

    /// Whether a token ends the root although more of the root follows, because the text has one end too many.
    private mutating func isSurplusEnd(_ token: SalvageToken) -> Bool {
        guard frames.count == 1, token.kind == .close(isDictionary: frames[0].isDictionary) else { return false }
        var next = syntax.token(from: token.range.upperBound)
        if next.kind == .separator { next = syntax.token(from: next.range.upperBound) }
        guard next.kind != .end, next.kind != .junk else { return false }
        let after = syntax.token(from: next.range.upperBound)
        if frames[0].isDictionary {
            guard syntax.isKey(next) else { return false }
            if syntax.hasPunctuation { return after.kind == .mark }
            return after.kind == .scalar || after.kind == .open(isDictionary: true)
                || after.kind == .open(isDictionary: false)
        }
        if token.range.lowerBound >= brackets.end {
            scan(from: next)
            brackets.include(token)
        }
        return brackets.depth == 2 && brackets.isLastDictionary == false
    }

    /// Leaves out an end and, if the last member already has one, the separator after it.
    private mutating func drop(_ token: SalvageToken) {
        brackets.pass(token)
        output.copy(upTo: token.range.lowerBound)
        let next = syntax.token(from: token.range.upperBound)
        let hasSurplusSeparator = frames[0].state != .separator && isSeparator(next, frames[0])
        position = hasSurplusSeparator ? next.range.upperBound : token.range.upperBound
        output.skip(upTo: position)
        lose(token.range, .doubtful, inMember: false, "there is one closing bracket or tag too many, here or before")
    }

    // MARK: Losses

    /// Records a loss at the current member of the innermost container, or in the container itself.
    mutating func lose(
        _ range: Range<Int>, _ kind: SalvageLoss.Kind, inMember: Bool, _ message: String
    ) {
        let path = frames.dropLast().map(\.count) + (inMember ? frames.suffix(1).map(\.count) : [])
        // The value of a lost key is kept, so only the key is counted.
        let keyCount = kind == .key ? 1 : 0
        losses.add(
            TextLosses.Loss(
                kind: kind, range: range, path: path, message: message, count: 1 - keyCount, keyCount: keyCount))
    }

    // MARK: Lines

    /// Records the indentation of a member, if it is the first token of its line.
    private mutating func noteIndentation(of token: SalvageToken) {
        if let indentation = indentation(of: token) { frames[frames.count - 1].indentation = indentation }
    }

    /// Returns the number of spaces or tabs before a token, if it is the first of its line.
    func indentation(of token: SalvageToken) -> Int? {
        let start = text[..<token.range.lowerBound].lastIndex { $0 != 0x20 && $0 != 0x09 }
        guard let start, text[start] == 0x0A || text[start] == 0x0D else { return nil }
        return token.range.lowerBound - start - 1
    }
}
