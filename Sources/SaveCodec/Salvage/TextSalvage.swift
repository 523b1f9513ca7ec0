/// A repairer of damaged texts, which copies everything that reads and replaces the rest:
///
///     {"name": "Zoë", "gems": ▒▒▒▒, "level": 3}      {"name": "Zoë", "gems": null, "level": 3}
///     {"name": "Zoë", "items": [1, 2, 3              {"name": "Zoë", "items": [1, 2, null]}
///
/// It follows the tokens of a ``SalvageSyntax`` and a list of open containers. Where a token does not fit, it searches
/// the next member that reads. The brackets up to the end of the text show how many containers the damaged stretch closed or
/// opened: members of containers that the stretch opened are skipped with it, and containers that it closed are closed.
/// The ordinary reader then reads the repaired text. The time is linear.
struct TextSalvage<Syntax: SalvageSyntax> {
    /// A value that was lost, or that may be wrong.
    struct Loss {
        let kind: SalvageLoss.Kind
        let range: Range<Int>
        /// The position of a member in each container, from the root down.
        let path: [Int]
        let message: String
    }

    private struct Frame {
        /// The expected token.
        enum State { case first, mark, value, separator, next }

        let isDictionary: Bool
        /// The offset of the opening bracket, or nil if it was inserted or does not exist.
        let start: Int?
        /// Whether the container is the root of a strings file, which has no brackets.
        var isBare = false
        var state = State.first
        /// The number of members that are complete.
        var count = 0
        var key: Range<Int>?
        /// The last value, if it is a word.
        var word: Range<Int>?
        var separator: Range<Int>?
    }

    private var syntax: Syntax
    private let text: [UInt8]
    private let maxDepth: Int
    private var frames: [Frame] = []
    private var rootEnd: Int?
    private var position = 0
    private var output: [UInt8] = []
    private var copied = 0
    private(set) var losses: [Loss] = []
    /// Whether markup around the root was missing.
    private(set) var hasNewMarkup = false
    /// The end of the tokens that were scanned for brackets.
    private var scanEnd = 0
    /// The number of containers that the tokens up to the end of the text close, if they are known.
    private var depthAtEnd: Int?
    /// Whether the last token is the end of a dictionary; nil if it is the end of nothing.
    private var isLastDictionary: Bool?
    /// The offset at which the last damage ended.
    private var lastResumption = -1
    /// The number of bytes of quoted strings in which tokens may still be searched, which keeps the time linear.
    private var stepsLeft: Int

    private static var mostLosses: Int { 1000 }
    private static var cutMessage: String { "further members are missing, because the text ends" }

    init(_ syntax: Syntax, limits: Limits) {
        self.syntax = syntax
        text = syntax.text
        maxDepth = limits.maxDepth
        stepsLeft = 16 * text.count
        output.reserveCapacity(text.count + 64)
    }

    /// Returns the repaired text, or nil if there is nothing in it. The second value is the offset of the bytes after the
    /// root in the original text.
    mutating func run() throws(Problem) -> (bytes: [UInt8], end: Int)? {
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
        if let (start, end) = syntax.newStart() {
            write(start)
            (position, copied, hasNewMarkup) = (end, end, true)
        }
        openBareRoot()
        while rootEnd == nil {
            let token = syntax.token(from: position)
            guard frames.count <= maxDepth else { throw .tooDeep(maxDepth, at: .byte(position)) }
            if accept(token) {
                note(token)
                position = token.range.upperBound
            } else if !recover(at: token.range.lowerBound) {
                return nil
            }
        }
        guard let rootEnd else { return nil }
        let end = syntax.end(afterRoot: rootEnd)
        copy(upTo: end)
        let ending = syntax.ending(after: rootEnd)
        output += ending.utf8
        hasNewMarkup = hasNewMarkup || !ending.isEmpty
        return (output, end)
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
            open(isDictionary, at: token.range.lowerBound)
        case (.value, .scalar), (.value, .word):
            endValue(at: token.range.upperBound, word: token.kind == .word ? token.range : nil)
        case (.first, .scalar), (.first, .word), (.next, .scalar), (.next, .word), (.first, .key),
            (.next, .key):
            return acceptMember(token, frame)
        case (.separator, .separator) where isSeparator(token, frame):
            frames[frames.count - 1].state = .next
            frames[frames.count - 1].separator = token.range
        case (.first, .close(frame.isDictionary)), (.next, .close(frame.isDictionary)):
            close(at: token.range.upperBound)
        case (.separator, .close(frame.isDictionary))
        where !frame.isDictionary || !syntax.needsLastSeparator:
            close(at: token.range.upperBound)
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
        case .scalar: rootEnd = token.range.upperBound
        case .word where token.range.upperBound < text.count: rootEnd = token.range.upperBound
        default: return false
        }
        return true
    }

    private mutating func acceptMember(_ token: SalvageToken, _ frame: Frame) -> Bool {
        if frame.isDictionary {
            guard syntax.isKey(token) else { return false }
            frames[frames.count - 1].key = token.range
            frames[frames.count - 1].state = syntax.hasPunctuation ? .mark : .value
        } else {
            guard token.kind != .key else { return false }
            endValue(at: token.range.upperBound, word: token.kind == .word ? token.range : nil)
        }
        return true
    }

    private func isSeparator(_ token: SalvageToken, _ frame: Frame) -> Bool {
        token.kind == .separator
            && text[token.range.lowerBound] == syntax.separator(isDictionary: frame.isDictionary)
    }

    private mutating func open(_ isDictionary: Bool, at start: Int?) {
        frames.append(Frame(isDictionary: isDictionary, start: start))
    }

    private mutating func close(at end: Int) {
        frames.removeLast()
        endValue(at: end)
    }

    private mutating func endValue(at end: Int, word: Range<Int>? = nil) {
        guard let last = frames.indices.last else {
            rootEnd = end
            return
        }
        frames[last].state = syntax.hasPunctuation ? .separator : .next
        frames[last].count += 1
        frames[last].word = word
    }

    // MARK: Output

    private mutating func copy(upTo end: Int) {
        guard end > copied else { return }
        output += text[copied..<end]
        copied = end
    }

    private mutating func write(_ text: String) { output += text.utf8 }

    /// Records a loss at the current member of the innermost container, or in the container itself.
    private mutating func lose(
        _ range: Range<Int>, _ kind: SalvageLoss.Kind, inMember: Bool, _ message: String
    ) {
        let path = frames.dropLast().map(\.count) + (inMember ? frames.suffix(1).map(\.count) : [])
        add(Loss(kind: kind, range: range, path: path, message: message))
    }

    private mutating func add(_ loss: Loss) {
        guard losses.count < Self.mostLosses else {
            losses[losses.count - 1] = Loss(
                kind: .doubtful, range: loss.range, path: [], message: "there is more damage from here on")
            return
        }
        losses.append(loss)
    }

    // MARK: Damage

    /// Updates the number of containers that the rest of the text closes.
    private mutating func note(_ token: SalvageToken) {
        guard token.range.lowerBound < scanEnd else { return }
        depthAtEnd = depthAtEnd.map { $0 + change(token) }
    }

    private func change(_ token: SalvageToken) -> Int {
        switch token.kind {
        case .open: 1
        case .close: -1
        default: 0
        }
    }

    /// Continues after a token that does not fit.
    ///
    /// - Returns: False if no root was found.
    private mutating func recover(at damage: Int) -> Bool {
        let depth = frames.count
        var start = damage
        start = min(start, retractWord(before: damage))
        if start == damage { doubtWord(before: damage) }
        start = min(start, retractTag())
        // The token at which a container continues always fits.
        let next = damage == lastResumption ? nil : resume(from: damage, depth: depth)
        lastResumption = next?.token.range.lowerBound ?? text.count
        if frames.isEmpty {
            guard let next else { return false }
            copied = next.token.range.lowerBound
            write(syntax.lostStart() + syntax.opening(isDictionary: next.isDictionary))
            hasNewMarkup = true
            lose(start..<copied, .doubtful, inMember: false, "the beginning of the file is damaged")
            open(next.isDictionary, at: nil)
            position = copied
            return true
        }
        let end = next?.token.range.lowerBound ?? text.count
        let target = max(min(next?.depth ?? 0, frames.count), next == nil ? 0 : 1)
        bridge(start..<end, to: target, isCut: next == nil, next)
        position = end
        return true
    }

    /// Takes back a word that the damage may have shortened. Returns its start, or the given offset.
    private mutating func retractWord(before damage: Int) -> Int {
        if let last = frames.indices.last, frames[last].state == .mark, let key = frames[last].key,
            key.upperBound == damage, !"\"'".utf8.contains(text[key.lowerBound])
        {
            frames[last].state = frames[last].count > 0 ? .next : .first
            return key.lowerBound
        }
        guard let last = frames.indices.last,
            frames[last].state == .separator || !syntax.hasPunctuation,
            let word = frames[last].word, word.upperBound == damage
        else { return damage }
        frames[last].count -= 1
        frames[last].word = nil
        frames[last].state =
            frames[last].isDictionary ? .value : frames[last].count > 0 ? .next : .first
        return word.lowerBound
    }

    /// Doubts a word whose rest may follow a blank or a separator that the damage inserted: `1 345` or `1,345`.
    private mutating func doubtWord(before damage: Int) {
        guard syntax.hasPunctuation, damage < text.count, !"\"'{}[]()<>:=".utf8.contains(text[damage]),
            let frame = frames.last, let word = frame.word, word.upperBound < damage
        else { return }
        let isRest = frame.state == .next && frame.isDictionary && (0x30...0x39).contains(text[damage])
        guard frame.state == .separator || isRest else { return }
        let path = frames.dropLast().map(\.count) + [frame.count - 1]
        add(
            Loss(
                kind: .doubtful, range: word, path: path,
                message: "a part of the value may be missing, because the text after it is damaged"))
    }

    /// Takes back a dictionary with a single key that begins with `$`, because JSON's tags need their value. Returns its
    /// start.
    private mutating func retractTag() -> Int {
        guard let frame = frames.last, frame.isDictionary, frame.count == 0, let key = frame.key,
            let start = frame.start,
            frame.state == .value || frame.state == .mark, key.count > 2,
            text[key.lowerBound] == UInt8(ascii: "\""),
            text[key.lowerBound + 1] == UInt8(ascii: "$"), frames.count > 1, start >= copied
        else { return text.count }
        frames.removeLast()
        return start
    }

    private struct Resumption {
        let token: SalvageToken
        /// The number of containers around the token.
        let depth: Int
        let isDictionary: Bool
    }

    /// Finds the next token at which a container can continue.
    ///
    /// - Parameter depth: The number of containers that were open before the damage.
    private mutating func resume(from damage: Int, depth: Int) -> Resumption? {
        var token: SalvageToken
        let first = syntax.token(from: damage)
        if damage < scanEnd {
            token = first
        } else {
            guard let candidate = firstCandidate(from: damage) else {
                (scanEnd, depthAtEnd) = (text.count, nil)
                return nil
            }
            token = candidate
            scan(from: candidate)
        }
        var current = depthAtEnd ?? max(depth, 1)
        let isKnown = depthAtEnd != nil
        while token.kind != .end {
            let next = syntax.token(from: token.range.upperBound)
            let isWhole = token.range == first.range
            if let isDictionary = syntax.container(of: token, before: next, isWhole: isWhole), current > 0 {
                let isOpen = current <= frames.count && frames[current - 1].isDictionary == isDictionary
                // An element of an array that the damage began with is a dictionary.
                let isElement =
                    !isKnown && isDictionary && current == frames.count && !frames[current - 1].isDictionary
                    || isKnown && current == frames.count + 1 && canReopen
                let isRoot =
                    frames.isEmpty && current == 1 && !isClose(token)
                    && isDictionary == (isLastDictionary ?? isDictionary)
                if isOpen || isElement && !isClose(token) || isRoot {
                    return Resumption(
                        token: token, depth: isElement && !isOpen ? frames.count + 1 : current,
                        isDictionary: isDictionary)
                }
            }
            if token.range.upperBound > scanEnd, token.kind == .junk {
                guard let candidate = firstCandidate(from: token.range.upperBound) else { return nil }
                token = candidate
                continue
            }
            note(token)
            current += change(token)
            token = next
        }
        return nil
    }

    /// Whether a container can be inserted at the current member.
    private var canReopen: Bool {
        guard let frame = frames.last else { return false }
        return !frame.isDictionary || frame.state == .value || frame.state == .mark
    }

    private func isClose(_ token: SalvageToken) -> Bool {
        if case .close = token.kind { true } else { false }
    }

    private mutating func firstCandidate(from start: Int) -> SalvageToken? {
        var position = start
        while true {
            let token = syntax.token(from: position)
            if token.kind == .end { return nil }
            if token.kind != .junk {
                let next = syntax.token(from: token.range.upperBound)
                if syntax.container(of: token, before: next, isWhole: position == start) != nil { return token }
                if token.range.count > 1 { stepsLeft -= next.range.upperBound - token.range.lowerBound }
            }
            let isWhole = token.kind == .junk || token.kind == .word || stepsLeft < 0
            position = isWhole ? token.range.upperBound : token.range.lowerBound + 1
        }
    }

    /// Counts the containers that the text from a token on closes, if it has no further damage.
    private mutating func scan(from first: SalvageToken) {
        var (token, depth) = (first, 0)
        isLastDictionary = nil
        while token.kind != .end, token.kind != .junk {
            depth -= change(token)
            isLastDictionary = if case .close(let isDictionary) = token.kind { isDictionary } else { nil }
            token = syntax.token(from: token.range.upperBound)
        }
        scanEnd = token.range.lowerBound
        let bare = frames.first?.isBare == true ? 1 : 0
        depthAtEnd =
            token.kind == .end && (isLastDictionary != nil || bare > 0) && depth + bare > 0 ? depth + bare : nil
    }

    // MARK: Repairs

    /// Replaces a damaged range and continues in the container at a depth, or at the end of the root for depth 0.
    private mutating func bridge(_ range: Range<Int>, to depth: Int, isCut: Bool, _ next: Resumption?) {
        var start = range.lowerBound
        let closes = depth < frames.count || next.map { isClose($0.token) } ?? true
        if closes, let frame = frames.last, frame.state == .next, let separator = frame.separator,
            frame.isDictionary ? !syntax.needsLastSeparator : range.isEmpty, separator.upperBound <= start,
            separator.lowerBound >= copied
        {
            start = separator.lowerBound
        }
        copy(upTo: start)
        copied = range.upperBound
        let message = isCut ? "the text ends here" : "the text is damaged here"
        let reopens = next.map { $0.depth > frames.count } ?? false
        fillMember(range, isCut: isCut, closes: closes, reopens ? next : nil, message)
        while !reopens, frames.count > depth {
            closeFrame()
            if !frames.isEmpty, depth == 0 { lose(range, .doubtful, inMember: false, Self.cutMessage) }
        }
        guard let next, !frames.isEmpty else {
            if frames.isEmpty { rootEnd = range.upperBound }
            return
        }
        doubtContainers(around: range)
        let last = frames.count - 1
        if isClose(next.token) {
            if frames[last].state == .separator, frames[last].isDictionary, syntax.needsLastSeparator {
                writeSeparator(frames[last])
                frames[last].state = .next
            }
        } else if frames[last].state == .separator {
            writeSeparator(frames[last])
            frames[last].state = .next
        }
    }

    /// Completes the current member of the innermost container with a placeholder.
    private mutating func fillMember(
        _ range: Range<Int>, isCut: Bool, closes: Bool, _ next: Resumption?, _ message: String
    ) {
        guard let last = frames.indices.last else { return }
        let frame = frames[last]
        let isElement = !frame.isDictionary && (frame.state == .first || frame.state == .next)
        let kind: SalvageLoss.Kind = isCut ? .missing : .value
        if frame.state == .mark { write(syntax.mark()) }
        if let next {
            if !frame.isDictionary, frame.state == .separator { writeSeparator(frame) }
            lose(range, .doubtful, inMember: true, message)
            write(syntax.opening(isDictionary: next.isDictionary))
            open(next.isDictionary, at: nil)
        } else if frame.state == .mark || frame.state == .value
            || isElement && !(closes && range.isEmpty)
        {
            write(syntax.placeholder)
            lose(range, kind, inMember: true, message)
            endValue(at: range.lowerBound)
        } else if isCut {
            lose(range, .doubtful, inMember: false, Self.cutMessage)
        }
    }

    /// Doubts the containers whose members a damaged range may have contained, or may have ended and begun again.
    private mutating func doubtContainers(around range: Range<Int>) {
        let message = "members may be missing or in another container because of the damage"
        for (level, last) in frames.indices.reversed().prefix(3).enumerated()
        where level == 0 || range.count > 2 * level {
            add(Loss(kind: .doubtful, range: range, path: frames[..<last].map(\.count), message: message))
        }
    }

    private mutating func writeSeparator(_ frame: Frame) {
        guard syntax.hasPunctuation else { return }
        output.append(syntax.separator(isDictionary: frame.isDictionary))
        output.append(0x20)
    }

    /// Closes the innermost container in the output.
    private mutating func closeFrame() {
        let frame = frames.removeLast()
        if frame.isDictionary, frame.state == .separator, syntax.needsLastSeparator {
            writeSeparator(frame)
        }
        if !frame.isBare { write(syntax.closing(isDictionary: frame.isDictionary)) }
        endValue(at: text.count)
    }
}
